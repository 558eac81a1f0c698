/* See reduceread.h. */
#include "reduceread.h"
#include "alloc.h"
#include "numbers.h"
#include "tool.h"
#include "value.h"

#include <string.h>

enum {
    MOST = 64,
    STEP = PCDF_REDUCE_PIECE + 256, /* between pieces in memory: they begin in different sets of the cache */
    TURN = 256,                     /* rows that are gone through piece by piece */
    AHEAD = 64 << 20                /* bytes of these rows, at most */
};

/* One dimension of a unit, as it is walked; or several that lie together. Steps: from one index to the next,
 * in values of the file, in cells, in weights. */
struct level {
    int64_t n, step, cells, weights;
    bool is_grouped;       /* the only one of its kind; n: groups */
    int64_t low, from, to; /* of groups: the first one, the indices that this file has */
};

struct place { /* of a value: among those of the file, cells, weights */
    int64_t first, cell, weight;
};

struct walk {
    struct pcdf_reduce_reader *r;
    const struct pcdf_reduce_unit *unit;
    struct pcdf_reduce_cells *cells;
    unsigned char *copy; /* NULL: values go into cells */
    int size;            /* bytes of a number */
    struct level *levels;
    int nlevels;
    struct place begin;
    int piece;             /* from this level on, values lie together */
    int64_t most;          /* indices of that level in a piece */
    const double *weights; /* of the piece */
    /* rows that were read and wait for more of the same cells */
    int waiting;
    int64_t cell, n;
};

bool pcdf_reduce_reader_begin(struct pcdf_reduce_reader *r, struct pcdf_reduce_plan *plan)
{
    *r = (struct pcdf_reduce_reader){ .plan = plan };
    r->bytes = pcdf_malloc(PCDF_REDUCE_ROWS * (size_t)STEP);
    return pcdf_reduce_columns_begin(&r->columns) && r->bytes;
}

void pcdf_reduce_reader_end(struct pcdf_reduce_reader *r)
{
    pcdf_free(r->bytes);
    pcdf_reduce_columns_end(&r->columns);
}

/* ---- levels */

static void step_weights(const struct pcdf_reduce_plan *p, const struct pcdf_var *var, struct level *levels)
{
    const struct pcdf_reduce_weights *w = &p->weights;
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
        l->low = l->is_grouped ? low : pcdf_larger(low, l->from); /* what this file has of it */
        l->n = l->is_grouped ? end - low : pcdf_larger(pcdf_smaller(end, l->to) - l->low, 0);
        step *= l->to - l->from;
        cells *= is_gone ? 1 : w->unit->count[i];
    }
    if (p->vars[w->unit->var].is_weighted)
        step_weights(p, var, w->levels);
}

/* Where the first value is. */
static void begin_at(struct walk *w)
{
    for (int i = 0; i < w->nlevels; i++) {
        const struct level *l = &w->levels[i];
        if (l->is_grouped)
            continue;
        w->begin.first += (l->low - l->from) * l->step;
        w->begin.cell += (l->low - w->unit->start[i]) * l->cells;
        w->begin.weight += l->low * l->weights;
    }
}

static bool lie_together(const struct level *outer, const struct level *inner)
{
    return !outer->is_grouped && !inner->is_grouped && outer->step == inner->n * inner->step &&
           outer->cells == inner->n * inner->cells && outer->weights == inner->n * inner->weights;
}

/* Levels of one index are no levels, and several that lie together are one. */
static void join_levels(struct walk *w)
{
    int n = 0;
    for (int i = 0; i < w->nlevels; i++) {
        struct level l = w->levels[i];
        if (l.n == 1 && !l.is_grouped)
            continue;
        if (n > 0 && lie_together(&w->levels[n - 1], &l)) {
            l.n *= w->levels[n - 1].n;
            n--;
        }
        w->levels[n++] = l;
    }
    w->nlevels = n;
}

static void find_piece(struct walk *w)
{
    int64_t inner = 1, room = PCDF_REDUCE_PIECE / w->size;
    w->piece = w->nlevels;
    w->most = 1;
    for (int i = w->nlevels - 1; i >= 0; i--) {
        const struct level *l = &w->levels[i];
        if (l->is_grouped || l->step != inner || inner > room)
            break;
        w->piece = i;
        w->most = room / inner;
        inner *= l->n;
    }
}

/* ---- a piece */

static bool is_masked(const struct walk *w)
{
    return w->r->plan->mask.is_given && !w->copy;
}

/* Then what is masked becomes NaN as soon as it is read. */
static bool takes_nan(const struct walk *w)
{
    nc_type type = w->r->plan->vars[w->unit->var].values.type;
    return type == NC_FLOAT || type == NC_DOUBLE;
}

static int mask_piece(struct walk *w, unsigned char *bytes, int64_t n, int64_t first)
{
    struct pcdf_reduce_mask *m = &w->r->plan->mask;
    int status = pcdf_reduce_mask_get(m, w->unit->var, first, n);
    const unsigned char nan[8] = { 0x7f, w->size == 4 ? 0xc0 : 0xf8 };
    for (int64_t i = 0; i < n && takes_nan(w) && !status; i++)
        if (m->is_out[i])
            memcpy(bytes + i * w->size, nan, (size_t)w->size);
    w->r->columns.is_out = takes_nan(w) ? NULL : m->is_out;
    w->r->columns.masked = bytes;
    return status;
}

static bool is_weighted(const struct walk *w)
{
    return w->r->plan->vars[w->unit->var].is_weighted;
}

/* Those that a piece needs; the first one is that of its first value. */
static int get_weights(struct walk *w, int64_t n, int64_t from)
{
    int64_t last = from;
    for (int i = w->piece; i < w->nlevels; i++)
        last += ((i == w->piece ? n : w->levels[i].n) - 1) * w->levels[i].weights;
    return pcdf_reduce_weights_get(&w->r->plan->weights, from, last + 1, &w->weights);
}

/* n indices of this level, whose numbers begin at `at`, `each` an index. */
static void put_rows(struct walk *w, int level, int64_t n, const unsigned char *at, int64_t each,
                     struct place to)
{
    struct pcdf_reduce_columns *columns = &w->r->columns;
    const double *weights = is_weighted(w) ? w->weights + to.weight : NULL;
    bool is_last = level + 1 >= w->nlevels;
    const struct level *l = level < w->nlevels ? &w->levels[level] : NULL;
    const struct level *next = is_last ? NULL : &w->levels[level + 1];
    if (!l) {
        pcdf_reduce_rows(columns, w->cells, to.cell, at, 0, 1, 1, weights, 0);
    } else if (is_last && l->cells == 0) {
        pcdf_reduce_run(columns, w->cells, to.cell, at, n, weights, l->weights);
    } else if (is_last && l->cells == 1) {
        pcdf_reduce_rows(columns, w->cells, to.cell, at, 0, 1, n, weights, l->weights);
    } else if (level + 2 == w->nlevels && l->cells == 0 && l->weights == 0 && next->cells == 1) {
        pcdf_reduce_rows(columns, w->cells, to.cell, at, (size_t)(each * w->size), n, next->n, weights,
                         next->weights);
    } else {
        for (int64_t i = 0; i < n; i++, at += each * w->size, to.cell += l->cells, to.weight += l->weights)
            put_rows(w, level + 1, is_last ? 1 : next->n, at, is_last ? 1 : each / next->n, to);
    }
}

static void put_waiting(struct walk *w)
{
    if (w->waiting > 0)
        pcdf_reduce_rows(&w->r->columns, w->cells, w->cell, w->r->bytes, STEP, w->waiting, w->n, NULL, 0);
    w->waiting = 0;
}

/* A row of values that have a cell each waits for others of these cells. */
static bool can_batch(const struct walk *w)
{
    return (!is_masked(w) || takes_nan(w)) && w->piece + 1 == w->nlevels && w->levels[w->piece].cells == 1 &&
           !is_weighted(w);
}

/* n indices of the level `piece`, from there on. */
static int take_piece(struct walk *w, int64_t n, int64_t each, struct place at)
{
    struct pcdf_reduce_reader *r = w->r;
    bool waits = !w->copy && can_batch(w);
    if (w->waiting == PCDF_REDUCE_ROWS || w->cell != at.cell || w->n != n || !waits)
        put_waiting(w);
    unsigned char *bytes = w->copy ? w->copy + at.cell * w->size : r->bytes + (size_t)w->waiting * STEP;
    int status = pcdf_reduce_input_values(r->plan->input, w->unit->var, at.first, n * each, bytes);
    if (status)
        return status;
    r->read += n * each * w->size;
    if (is_masked(w) && mask_piece(w, bytes, n * each, at.first))
        return PCDF_TOOL_UNUSABLE;
    if (w->copy) {
        pcdf_values_swap(bytes, n * each, w->size);
    } else if (waits) {
        w->cell = at.cell;
        w->n = n;
        w->waiting++;
    } else {
        status = is_weighted(w) ? get_weights(w, n, at.weight) : PCDF_TOOL_GOOD;
        if (!status)
            put_rows(w, w->piece, n, bytes, each, (struct place){ 0, at.cell, 0 });
    }
    return status;
}

/* ---- what is outside of pieces */

static int walk(struct walk *w, int level, struct place at);

static struct place moved(const struct level *l, struct place at, int64_t i)
{
    return (struct place){ at.first + i * l->step, at.cell + i * l->cells, at.weight + i * l->weights };
}

static int take_pieces(struct walk *w, struct place at, int64_t from, int64_t to)
{
    int status = PCDF_TOOL_GOOD;
    const struct level *l = &w->levels[w->piece];
    for (int64_t i = from; i < to && !status; i += w->most)
        status = take_piece(w, pcdf_smaller(w->most, to - i), l->step, moved(l, at, i));
    return status;
}

/* Rows of the same cells: each piece of all of them, then the next one, so that cells stay in the cache.
 * Files elsewhere are read in their order. */
static int take_turns(struct walk *w, const struct place *rows, int64_t n)
{
    const struct level *l = &w->levels[w->piece];
    int status = PCDF_TOOL_GOOD;
    bool in_order = !can_batch(w) || l->n <= w->most || !pcdf_reduce_input_is_local(w->r->plan->input);
    for (int64_t k = 0; k < n && in_order && !status; k++)
        status = take_pieces(w, rows[k], 0, l->n);
    for (int64_t k = 0; k < n && !in_order; k++)
        pcdf_reduce_input_expect(w->r->plan->input, w->unit->var, rows[k].first, l->n);
    for (int64_t i = 0; i < l->n && !in_order; i += w->most)
        for (int64_t k = 0; k < n && !status; k++)
            status = take_pieces(w, rows[k], i, pcdf_smaller(i + w->most, l->n));
    return status;
}

/* The level outside of pieces, of which all indices go to the same cells; of groups, one group's. */
static int walk_rows(struct walk *w, const struct level *l, int64_t group, struct place at)
{
    const struct pcdf_reduce_groups *groups = &w->r->plan->groups;
    const struct level *row = &w->levels[w->piece];
    struct place rows[TURN];
    int64_t count = l->is_grouped ? pcdf_reduce_group_size(groups, group) : l->n, n = 0;
    int64_t turn = AHEAD / pcdf_larger(row->n * row->step * w->size, 1) / PCDF_REDUCE_ROWS * PCDF_REDUCE_ROWS;
    int status = PCDF_TOOL_GOOD;
    turn = pcdf_larger(pcdf_smaller(turn, TURN), PCDF_REDUCE_ROWS);
    for (int64_t i = 0; i < count && !status; i++) {
        int64_t item = l->is_grouped ? pcdf_reduce_group_item(groups, group, i) : i;
        if (!l->is_grouped || (item >= l->from && item < l->to))
            rows[n++] = (struct place){ at.first + (item - (l->is_grouped ? l->from : 0)) * l->step, at.cell,
                                        at.weight + item * l->weights };
        if (n < turn && i + 1 < count)
            continue;
        status = take_turns(w, rows, n);
        n = 0;
    }
    return status;
}

static int walk_groups(struct walk *w, int level, struct place at)
{
    const struct level *l = &w->levels[level];
    const struct pcdf_reduce_groups *groups = &w->r->plan->groups;
    int status = PCDF_TOOL_GOOD;
    for (int64_t g = 0; g < l->n && !status; g++, at.cell += l->cells) {
        if (level + 1 == w->piece && w->piece < w->nlevels) {
            status = walk_rows(w, l, l->low + g, at);
            continue;
        }
        for (int64_t i = 0; i < pcdf_reduce_group_size(groups, l->low + g) && !status; i++) {
            int64_t item = pcdf_reduce_group_item(groups, l->low + g, i);
            if (item >= l->from && item < l->to)
                status = walk(w, level + 1,
                              (struct place){ at.first + (item - l->from) * l->step, at.cell,
                                              at.weight + item * l->weights });
        }
    }
    return status;
}

static int walk(struct walk *w, int level, struct place at)
{
    const struct level *l = &w->levels[level];
    int status = PCDF_TOOL_GOOD;
    if (level == w->nlevels)
        return take_piece(w, 1, 1, at);
    if (level == w->piece)
        return take_pieces(w, at, 0, l->n);
    if (l->is_grouped)
        return walk_groups(w, level, at);
    if (level + 1 == w->piece && w->piece < w->nlevels && l->cells == 0)
        return walk_rows(w, l, 0, at);
    for (int64_t i = 0; i < l->n && !status; i++)
        status = walk(w, level + 1, moved(l, at, i));
    return status;
}

static int walk_levels(struct walk *w)
{
    bool is_empty = false;
    make_levels(w);
    for (int i = 0; i < w->nlevels; i++)
        is_empty |= w->levels[i].n == 0;
    if (is_empty)
        return PCDF_TOOL_GOOD;
    begin_at(w);
    join_levels(w);
    find_piece(w);
    int status = walk(w, 0, w->begin);
    put_waiting(w);
    return status;
}

static int walk_unit(struct walk *w)
{
    const struct pcdf_var *var = &w->r->plan->input->meta.vars[w->unit->var];
    struct level few[MOST];
    w->nlevels = var->ndims;
    w->size = pcdf_type_size(var->type);
    w->levels = var->ndims < MOST ? few : pcdf_malloc(((size_t)var->ndims + 1) * sizeof *few);
    if (!w->levels)
        return pcdf_tool_unusable(w->r->plan->options->to, "no memory for %d dimensions", var->ndims);
    int status = walk_levels(w);
    if (w->levels != few)
        pcdf_free(w->levels);
    return status;
}

int pcdf_reduce_read(struct pcdf_reduce_reader *r, const struct pcdf_reduce_unit *unit,
                     struct pcdf_reduce_cells *cells)
{
    struct walk w = { .r = r, .unit = unit, .cells = cells };
    const struct pcdf_reduce_var *var = &r->plan->vars[unit->var];
    pcdf_reduce_columns_of(&r->columns, &var->values, cells->op, var->is_weighted,
                           r->plan->mask.is_given && var->values.type != NC_FLOAT &&
                               var->values.type != NC_DOUBLE);
    return walk_unit(&w);
}

int pcdf_reduce_copy(struct pcdf_reduce_reader *r, const struct pcdf_reduce_unit *unit, unsigned char *to)
{
    struct walk w = { .r = r, .unit = unit, .copy = to };
    return walk_unit(&w);
}
