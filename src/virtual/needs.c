/* See needs.h. */

#include "needs.h"
#include <stdlib.h>
#include <string.h>
#include "grid.h"
#include "numbers.h"
#include "scatter.h"

enum { MOST_NEEDS = 1 << 20, MOST_BOXES = 1 << 17 };

static int by_chunk(const void *a, const void *b)
{
    const struct pcdf_need *x = a, *y = b;
    if (x->var != y->var)
        return x->var < y->var ? -1 : 1;
    if (x->chunk != y->chunk)
        return x->chunk < y->chunk ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

static int flush(struct pcdf_needs *needs)
{
    bool is_sorted = true;
    for (size_t i = 1; is_sorted && i < needs->list.n; i++)
        is_sorted = by_chunk(&needs->list.x[i - 1], &needs->list.x[i]) <= 0;
    if (!is_sorted)
        qsort(needs->list.x, needs->list.n, sizeof *needs->list.x, by_chunk);
    int err = needs->list.n > 0 ? needs->read(needs->context, needs) : NC_NOERR;
    needs->list.n = 0;
    return err;
}

/* ---- boxes -> chunks */

/* Along one dimension of a box. */
struct span {
    int64_t start, stride, chunk;
    int64_t low, high; /* its first and its last chunk */
};

static bool set_span(struct span *s, int64_t start, int64_t count, int64_t stride, int64_t shape,
                     int64_t chunk)
{
    if (start >= shape)
        return false;
    int64_t last = pcdf_smaller(count - 1, (shape - 1 - start) / stride);
    *s = (struct span){ start, stride, chunk, start / chunk, (start + last * stride) / chunk };
    return true;
}

/* The next chunk that has an element of it; there is one. */
static int64_t chunk_after(const struct span *s, int64_t at)
{
    return (s->start + (((at + 1) * s->chunk - s->start - 1) / s->stride + 1) * s->stride) / s->chunk;
}

/* Each chunk that the box touches, in rising order. */
static int add_chunks(struct pcdf_needs *needs, const struct pcdf_varview *w, uint32_t box)
{
    struct span spans[PCDF_MOST_DIMS];
    int64_t at[PCDF_MOST_DIMS];
    const int64_t *start = needs->bounds.x + needs->boxes.x[box].bounds, *count = start + w->ndims,
                  *stride = count + w->ndims;
    for (int i = 0; i < w->ndims; i++) {
        if (!set_span(&spans[i], start[i], count[i], stride[i], w->shape[i], w->chunk[i]))
            return NC_NOERR;
        at[i] = spans[i].low;
    }
    for (int k = 0; k >= 0;) {
        int64_t number = pcdf_grid_number(w->ndims, w->grid, at);
        if (needs->list.n >= MOST_NEEDS)
            PCDF_TRY(flush(needs));
        PCDF_TRY(PCDF_RESERVE(&needs->list, needs->list.n + 1));
        needs->list.x[needs->list.n++] = (struct pcdf_need){ number, (uint32_t)w->id, box };
        for (k = w->ndims - 1; k >= 0 && at[k] == spans[k].high; k--)
            at[k] = spans[k].low;
        if (k >= 0)
            at[k] = chunk_after(&spans[k], at[k]);
    }
    return NC_NOERR;
}

/* stride NULL: ones. step NULL: dense memory. */
static int add_box(struct pcdf_needs *needs, const struct pcdf_varview *w, const int64_t *start,
                   const int64_t *count, const int64_t *stride, const int64_t *step, char *to)
{
    if (needs->boxes.n >= MOST_BOXES) {
        PCDF_TRY(flush(needs));
        needs->boxes.n = needs->bounds.n = 0;
    }
    size_t n = (size_t)w->ndims, at = needs->bounds.n;
    PCDF_TRY(PCDF_RESERVE(&needs->boxes, needs->boxes.n + 1));
    PCDF_TRY(PCDF_RESERVE(&needs->bounds, at + 4 * n + 1));
    int64_t *bounds = needs->bounds.x + at, dense = 1;
    for (size_t i = n; i-- > 0; dense *= count[i]) {
        bounds[i] = start[i];
        bounds[n + i] = count[i];
        bounds[2 * n + i] = stride ? stride[i] : 1;
        bounds[3 * n + i] = step ? step[i] : dense;
    }
    needs->bounds.n += 4 * n;
    needs->boxes.x[needs->boxes.n++] = (struct pcdf_wanted){ w->id, at, to };
    return add_chunks(needs, w, (uint32_t)(needs->boxes.n - 1));
}

/* Elements first to first + n become boxes, the largest first that begins where the rest does: of so many
 * whole rows of the slowest dimension that there are. */
static int add_elements(struct pcdf_needs *needs, const struct pcdf_varview *w, int64_t first, int64_t n,
                        char *to)
{
    int64_t start[PCDF_MOST_DIMS + 1], count[PCDF_MOST_DIMS + 1];
    if (w->v->map.kind == PCDF_MAP_NONE || w->has_tail)
        pcdf_scatter_fill(w, to, n, needs->is_native);
    if (w->v->map.kind == PCDF_MAP_NONE)
        return NC_NOERR;
    while (n > 0) {
        int k = 0;
        int64_t rest = first, rows = 1;
        while (k < w->ndims - 1 && (first % w->stride[k] != 0 || n < w->stride[k]))
            k++;
        for (int i = 0; i < w->ndims; i++) {
            start[i] = i <= k ? rest / w->stride[i] : 0;
            rest -= start[i] * w->stride[i];
            count[i] = i < k ? 1 : w->length[i];
        }
        if (w->ndims > 0) {
            rows = pcdf_smaller(n / w->stride[k], w->length[k] - start[k]);
            count[k] = rows;
            rows *= w->stride[k];
        }
        PCDF_TRY(add_box(needs, w, start, count, NULL, w->stride, to));
        first += rows;
        n -= rows;
        to += rows * w->width;
    }
    return NC_NOERR;
}

/* ---- pieces -> elements */

/* A part of an element. */
static int add_cut(struct pcdf_needs *needs, const struct pcdf_varview *w, int64_t element, int64_t from,
                   int64_t n, char *to)
{
    char *all = pcdf_arena_take(&needs->arena, (size_t)w->width);
    if (!all || PCDF_RESERVE(&needs->cuts, needs->cuts.n + 1))
        return PCDF_FAIL(NC_ENOMEM, "no memory for a value of %d bytes", w->width);
    needs->cuts.x[needs->cuts.n++] = (struct pcdf_cut){ to, all + from, (size_t)n };
    return add_elements(needs, w, element, 1, all);
}

/* n bytes of a variable, `from` bytes behind its first element. */
static int add_bytes(struct pcdf_needs *needs, const struct pcdf_varview *w, int64_t from, int64_t n,
                     char *to)
{
    int64_t element = from / w->width, cut = from % w->width;
    if (cut > 0) {
        int64_t some = pcdf_smaller(n, w->width - cut);
        PCDF_TRY(add_cut(needs, w, element, cut, some, to));
        element++;
        n -= some;
        to += some;
    }
    if (n >= w->width)
        PCDF_TRY(add_elements(needs, w, element, n / w->width, to));
    return n % w->width == 0
               ? NC_NOERR
               : add_cut(needs, w, element + n / w->width, 0, n % w->width, to + n - n % w->width);
}

static int add_piece(struct pcdf_needs *needs, const struct pcdf_piece *piece)
{
    const struct pcdf_views *views = needs->views;
    const struct pcdf_image *image = views->image;
    int64_t offset = piece->offset, n = piece->length, some;
    for (char *to = piece->data; n > 0; offset += some, to += some, n -= some) {
        int64_t record = 0, from = 0, left = image->header_size - offset;
        const struct pcdf_varview *w = left > 0 ? NULL : pcdf_views_at(views, offset, &record, &from, &left);
        some = pcdf_smaller(n, left);
        if (w)
            PCDF_TRY(add_bytes(needs, w, record * w->bytes + from, some, to));
        else if (offset < image->header_size)
            memcpy(to, image->header + offset, (size_t)some);
        else
            memset(to, 0, (size_t)some);
    }
    return NC_NOERR;
}

int pcdf_needs_read(struct pcdf_needs *needs, const struct pcdf_extents *x)
{
    int err = NC_NOERR;
    pcdf_needs_begin(needs, false);
    for (size_t i = 0; !err && i < x->n; i++)
        err = add_piece(needs, &x->pieces[i]);
    if (!err)
        err = pcdf_needs_end(needs);
    for (size_t i = 0; !err && i < needs->cuts.n; i++)
        memcpy(needs->cuts.x[i].to, needs->cuts.x[i].from, needs->cuts.x[i].n);
    pcdf_needs_drop(needs);
    return err;
}

/* ---- boxes */

void pcdf_needs_begin(struct pcdf_needs *needs, bool is_native)
{
    needs->is_native = is_native;
    needs->list.n = needs->boxes.n = needs->bounds.n = needs->cuts.n = 0;
}

int pcdf_needs_add(struct pcdf_needs *needs, const struct pcdf_varview *w, const int64_t *start,
                   const int64_t *count, const int64_t *stride, char *to)
{
    int64_t n = 1;
    for (int i = 0; i < w->ndims; i++)
        n *= count[i];
    if (w->v->map.kind == PCDF_MAP_NONE || w->has_tail)
        pcdf_scatter_fill(w, to, n, needs->is_native);
    return w->v->map.kind == PCDF_MAP_NONE ? NC_NOERR : add_box(needs, w, start, count, stride, NULL, to);
}

int pcdf_needs_end(struct pcdf_needs *needs)
{
    int err = flush(needs);
    needs->boxes.n = needs->bounds.n = 0;
    return err;
}

void pcdf_needs_drop(struct pcdf_needs *needs)
{
    needs->list.n = 0;
    pcdf_arena_free(&needs->arena);
}

void pcdf_needs_free(struct pcdf_needs *needs)
{
    pcdf_free(needs->list.x);
    pcdf_free(needs->boxes.x);
    pcdf_free(needs->bounds.x);
    pcdf_free(needs->cuts.x);
    pcdf_arena_free(&needs->arena);
}
