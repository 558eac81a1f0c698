/* See joincover.h. The ends of all boxes cut the array into cells, each of which is in a box or not. */
#include "joincover.h"
#include "alloc.h"
#include "status.h"
#include "toolgrid.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 16 << 20 };

struct grid {
    int n;
    int64_t **cuts; /* of each axis, sorted, from 0 to its length */
    int64_t *ncells;
    unsigned char *seen; /* of each cell: how many boxes have it, 2 for more */
};

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int cut(struct grid *g, int k, const struct pcdf_join_boxes *boxes, int axis, int64_t length)
{
    int64_t n = 0, kept = 1;
    int64_t *cuts = g->cuts[k] = pcdf_malloc((size_t)(2 * boxes->n + 2) * sizeof *cuts);
    if (!cuts)
        return NC_ENOMEM;
    cuts[n++] = 0;
    cuts[n++] = length;
    for (int64_t i = 0; i < boxes->n; i++) {
        const struct pcdf_join_span *s = &boxes->spans[i * boxes->naxes + axis];
        cuts[n++] = s->first;
        cuts[n++] = s->first + s->count;
    }
    qsort(cuts, (size_t)n, sizeof *cuts, compare);
    for (int64_t i = 1; i < n; i++)
        if (cuts[i] != cuts[kept - 1])
            cuts[kept++] = cuts[i];
    g->ncells[k] = kept - 1;
    return NC_NOERR;
}

static int64_t place_of(const struct grid *g, int k, int64_t at)
{
    int64_t *found = bsearch(&at, g->cuts[k], (size_t)g->ncells[k] + 1, sizeof at, compare);
    return found - g->cuts[k];
}

/* Cells of a box from axis k on; cell: of the axes before. */
static bool mark(struct grid *g, int k, const struct pcdf_join_span *spans, const int *chosen, int64_t cell)
{
    bool is_twice = false;
    if (k == g->n) {
        is_twice = g->seen[cell];
        g->seen[cell] = 1;
        return is_twice;
    }
    const struct pcdf_join_span *s = &spans[chosen[k]];
    int64_t end = place_of(g, k, s->first + s->count);
    for (int64_t i = place_of(g, k, s->first); i < end; i++)
        is_twice |= mark(g, k + 1, spans, chosen, cell * g->ncells[k] + i);
    return is_twice;
}

/* Is this box of cells empty? low, high: of each axis. */
static bool is_empty(const struct grid *g, int k, const int64_t *low, const int64_t *high, int64_t cell)
{
    if (k == g->n)
        return !g->seen[cell];
    for (int64_t i = low[k]; i < high[k]; i++)
        if (!is_empty(g, k + 1, low, high, cell * g->ncells[k] + i))
            return false;
    return true;
}

/* The hole that begins at a cell, made as long as it goes on each axis, the last one first. */
static void measure_hole(const struct grid *g, int64_t cell, int64_t *low, int64_t *hole)
{
    int64_t *high = low + g->n;
    pcdf_grid_index(g->n, g->ncells, cell, low);
    for (int k = 0; k < g->n; k++)
        high[k] = low[k] + 1;
    for (int k = g->n - 1; k >= 0; k--)
        for (bool grows = true; grows && high[k] < g->ncells[k];) {
            int64_t first = low[k];
            low[k] = high[k]++;
            grows = is_empty(g, 0, low, high, 0);
            low[k] = first;
            high[k] -= !grows;
        }
    for (int k = 0; k < g->n; k++) {
        hole[2 * k] = g->cuts[k][low[k]];
        hole[2 * k + 1] = g->cuts[k][high[k]] - hole[2 * k];
    }
}

static int search(struct grid *g, const struct pcdf_join_boxes *boxes, const int *chosen,
                  struct pcdf_join_cover *cover)
{
    int64_t cells = 1;
    for (int k = 0; k < g->n; k++)
        if (__builtin_mul_overflow(cells, g->ncells[k], &cells) || cells > MOST_CELLS)
            return PCDF_FAIL(NC_ENOMEM,
                             "the tiles are too irregular: their edges cut the grid into more than %d parts",
                             MOST_CELLS);
    g->seen = pcdf_calloc((size_t)cells + 1, 1);
    int64_t *room = pcdf_calloc(2 * (size_t)g->n + 1, sizeof *room);
    int err = g->seen && room ? NC_NOERR : NC_ENOMEM;
    for (int64_t i = 0; i < boxes->n && !err; i++)
        cover->has_overlap |= mark(g, 0, boxes->spans + i * boxes->naxes, chosen, 0);
    for (int64_t cell = 0; cell < cells && !err && !cover->has_hole; cell++)
        if (!g->seen[cell]) {
            cover->has_hole = true;
            measure_hole(g, cell, room, cover->hole);
        }
    pcdf_free(room);
    return err;
}

int pcdf_join_cover(const struct pcdf_join_boxes *boxes, int n, const int *chosen, const int64_t *lengths,
                    struct pcdf_join_cover *cover)
{
    struct grid g = { .n = n,
                      .cuts = pcdf_calloc((size_t)n + 1, sizeof *g.cuts),
                      .ncells = pcdf_calloc((size_t)n + 1, sizeof *g.ncells) };
    int err = g.cuts && g.ncells ? NC_NOERR : NC_ENOMEM;

    cover->has_overlap = cover->has_hole = false;
    for (int k = 0; k < n && !err; k++)
        err = cut(&g, k, boxes, chosen[k], lengths[k]);
    if (!err)
        err = search(&g, boxes, chosen, cover);
    for (int k = 0; k < n && g.cuts; k++)
        pcdf_free(g.cuts[k]);
    pcdf_free(g.cuts);
    pcdf_free(g.ncells);
    pcdf_free(g.seen);
    return err;
}
