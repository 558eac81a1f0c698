/* See reduceread.h. */
#include "reduceread.h"
#include "alloc.h"
#include "numbers.h"
#include "tool.h"
#include "value.h"

#include <string.h>

enum { MOST = 64 };

/* One dimension of a unit, as it is walked. Steps: from one index to the next, in values of the file, in
 * cells, in weights. */
struct level {
    int64_t low, n; /* indices in this file; of groups: groups */
    int64_t step, cells, weights;
    bool is_grouped;
    int64_t from, to; /* of groups: the indices that this file has */
};

struct walk {
    struct pcdf_reduce_reader *r;
    const struct pcdf_reduce_unit *unit;
    struct pcdf_reduce_cells *cells;
    unsigned char *copy; /* NULL: values go into cells */
    int size;            /* bytes of a number */
    struct level *levels;
    int nlevels;
    int piece;    /* from this level on, values lie together */
    int64_t most; /* indices of that level in a piece */
    int row;      /* from this level on, values are one row */
};

bool pcdf_reduce_reader_begin(struct pcdf_reduce_reader *r, struct pcdf_reduce_plan *plan)
{
    *r = (struct pcdf_reduce_reader){ .plan = plan };
    r->bytes = pcdf_malloc(PCDF_REDUCE_PIECE * 8);
    r->x = pcdf_malloc(PCDF_REDUCE_PIECE * sizeof *r->x);
    r->rest = pcdf_malloc(PCDF_REDUCE_PIECE * sizeof *r->rest);
    return r->bytes && r->x && r->rest;
}

void pcdf_reduce_reader_end(struct pcdf_reduce_reader *r)
{
    pcdf_free(r->bytes);
    pcdf_free(r->x);
    pcdf_free(r->rest);
}

/* ---- levels */

static void step_weights(const struct pcdf_reduce_plan *p, const struct pcdf_var *var, struct level *levels)
{
    const struct pcdf_var *w = &p->input->meta.vars[p->weights];
    int64_t step = 1;
    for (int k = w->ndims - 1; k >= 0; k--) {
        for (int i = 0; i < var->ndims; i++)
            if (var->dimids[i] == w->dimids[k])
                levels[i].weights = step;
        step *= pcdf_reduce_length(p, w->dimids[k]);
    }
}

static void make_levels(struct walk *w)
{
    const struct pcdf_reduce_plan *p = w->r->plan;
    const struct pcdf_var *var = &p->input->meta.vars[w->unit->var];
    int64_t step = 1, cells = 1, from, to;
    pcdf_reduce_input_records(p->input, p->input->open, &from, &to);
    for (int i = var->ndims - 1; i >= 0; i--) {
        int dim = var->dimids[i];
        struct level *l = &w->levels[i];
        bool is_record = dim == p->input->meta.record_dim, is_gone = p->dims[dim] == PCDF_REDUCE_GONE;
        int64_t low = w->unit->start[i], end = low + w->unit->count[i];
        *l = (struct level){ .step = step, .cells = is_gone ? 0 : cells, .is_grouped = dim == p->grouped };
        l->from = is_record ? from : 0;
        l->to = is_record ? to : pcdf_reduce_length(p, dim);
        if (!l->is_grouped) { /* what this file has of it */
            int64_t first = pcdf_larger(low, l->from);
            l->n = pcdf_larger(pcdf_smaller(end, l->to) - first, 0);
            l->low = first;
        } else {
            l->low = low;
            l->n = end - low;
        }
        step *= l->to - l->from;
        cells *= is_gone ? 1 : w->unit->count[i];
    }
    if (p->vars[w->unit->var].is_weighted)
        step_weights(p, var, w->levels);
}

/* Are all indices of a level wanted, so that what is outside of it lies together, too? */
static bool is_whole(const struct level *l)
{
    return !l->is_grouped && l->n == l->to - l->from;
}

static void find_piece(struct walk *w)
{
    int64_t inner = 1;
    int i = w->nlevels - 1;
    w->piece = w->nlevels;
    w->most = 1;
    for (; i >= 0 && !w->levels[i].is_grouped && inner <= PCDF_REDUCE_PIECE; i--) {
        w->piece = i;
        w->most = pcdf_larger(PCDF_REDUCE_PIECE / pcdf_larger(inner, 1), 1);
        if (inner * w->levels[i].n > PCDF_REDUCE_PIECE || !is_whole(&w->levels[i]))
            break;
        inner *= w->levels[i].n;
    }
}

static void find_row(struct walk *w)
{
    const struct level *l = w->levels;
    w->row = w->nlevels - 1;
    while (w->row > w->piece) {
        int k = w->row, up = k - 1;
        bool is_alike = (l[k].cells == 0 && l[up].cells == 0) ||
                        (l[w->nlevels - 1].cells == 1 && l[up].cells == l[k].cells * l[k].n);
        if (!is_alike || l[up].weights != l[k].weights * l[k].n)
            break;
        w->row--;
    }
}

/* ---- a piece */

static void put_row(struct walk *w, int64_t at, int64_t n, int64_t cell, int64_t weight)
{
    const struct pcdf_reduce_reader *r = w->r;
    const struct pcdf_reduce_var *v = &r->plan->vars[w->unit->var];
    const struct level *last = &w->levels[w->nlevels - 1];
    const double *rest = v->values.has_rest ? r->rest + at : NULL,
                 *weights = v->is_weighted ? r->weights + weight : NULL;
    if (w->nlevels > 0 && last->cells)
        pcdf_reduce_spread(w->cells, cell, r->x + at, rest, weights, last->weights, n);
    else
        pcdf_reduce_gather(w->cells, cell, r->x + at, rest, weights, w->nlevels ? last->weights : 0, n);
}

/* n: indices of this level; `at`: of the first value, in the piece. */
static void put_rows(struct walk *w, int level, int64_t n, int64_t at, int64_t each, int64_t cell,
                     int64_t weight)
{
    if (level >= w->row || level >= w->nlevels) {
        put_row(w, at, n * each, cell, weight);
        return;
    }
    const struct level *l = &w->levels[level], *next = &w->levels[level + 1];
    for (int64_t i = 0; i < n; i++)
        put_rows(w, level + 1, next->n, at + i * each, each / next->n, cell + i * l->cells,
                 weight + i * l->weights);
}

/* n indices of the level `piece`, from there on. */
static int take_piece(struct walk *w, int64_t first, int64_t n, int64_t each, int64_t cell, int64_t weight)
{
    struct pcdf_reduce_reader *r = w->r;
    int status = pcdf_reduce_input_values(r->plan->input, w->unit->var, first, n * each, r->bytes);
    if (status)
        return status;
    r->read += n * each * w->size;
    if (w->copy) {
        memcpy(w->copy + cell * w->size, r->bytes, (size_t)(n * each * w->size));
        pcdf_values_swap(w->copy + cell * w->size, n * each, w->size);
        return PCDF_TOOL_GOOD;
    }
    pcdf_stored_decode(&r->plan->vars[w->unit->var].values, r->bytes, n * each, r->x, r->rest);
    put_rows(w, w->piece, n, 0, each, cell, weight);
    return PCDF_TOOL_GOOD;
}

/* ---- what is outside of pieces */

static int walk(struct walk *w, int level, int64_t first, int64_t cell, int64_t weight);

static int walk_groups(struct walk *w, int level, int64_t first, int64_t cell, int64_t weight)
{
    const struct level *l = &w->levels[level];
    const struct pcdf_reduce_groups *groups = &w->r->plan->groups;
    int status = PCDF_TOOL_GOOD;
    for (int64_t g = 0; g < l->n; g++)
        for (int64_t i = 0; i < pcdf_reduce_group_size(groups, l->low + g) && !status; i++) {
            int64_t item = pcdf_reduce_group_item(groups, l->low + g, i);
            if (item >= l->from && item < l->to)
                status = walk(w, level + 1, first + (item - l->from) * l->step, cell + g * l->cells,
                              weight + item * l->weights);
        }
    return status;
}

static int walk(struct walk *w, int level, int64_t first, int64_t cell, int64_t weight)
{
    const struct level *l = &w->levels[level];
    int status = PCDF_TOOL_GOOD;
    int64_t step = 1, each = 0;
    if (level == w->nlevels)
        return take_piece(w, first, 1, 1, cell, weight);
    if (l->is_grouped)
        return walk_groups(w, level, first, cell, weight);
    int64_t begin = l->low - w->unit->start[level]; /* of a file that does not have the first ones */
    if (level == w->piece) {
        step = w->most;
        each = l->step;
    }
    for (int64_t i = 0; i < l->n && !status; i += step) {
        int64_t at = first + (l->low - l->from + i) * l->step, to = cell + (begin + i) * l->cells,
                by = weight + (l->low + i) * l->weights;
        status = level == w->piece ? take_piece(w, at, pcdf_smaller(step, l->n - i), each, to, by)
                                   : walk(w, level + 1, at, to, by);
    }
    return status;
}

static int walk_unit(struct walk *w)
{
    const struct pcdf_var *var = &w->r->plan->input->meta.vars[w->unit->var];
    struct level few[MOST];
    w->nlevels = var->ndims;
    w->size = pcdf_type_size(var->type);
    w->levels = var->ndims <= MOST ? few : pcdf_malloc((size_t)var->ndims * sizeof *few);
    if (!w->levels)
        return pcdf_tool_unusable(w->r->plan->options->to, "no memory for %d dimensions", var->ndims);
    make_levels(w);
    find_piece(w);
    find_row(w);
    int status = walk(w, 0, 0, 0, 0);
    if (w->levels != few)
        pcdf_free(w->levels);
    return status;
}

int pcdf_reduce_read(struct pcdf_reduce_reader *r, const struct pcdf_reduce_unit *unit,
                     struct pcdf_reduce_cells *cells)
{
    struct walk w = { .r = r, .unit = unit, .cells = cells };
    return walk_unit(&w);
}

int pcdf_reduce_copy(struct pcdf_reduce_reader *r, const struct pcdf_reduce_unit *unit, unsigned char *to)
{
    struct walk w = { .r = r, .unit = unit, .copy = to };
    return walk_unit(&w);
}
