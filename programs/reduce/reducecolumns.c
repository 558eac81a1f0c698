/* See reducecolumns.h. */
#include "reducecolumns.h"
#include "alloc.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

enum {
    SOME = 2048, /* columns of a block: the facts of floats are of so many */
    LONG = 256,  /* rows of a run in lanes */
    FLOAT_BITS = 24,
    DOUBLE_BITS = 53,
    INFINITE = 0x7f800000
};

enum way { BY_DECODING, BY_FLOATS, BY_INTEGERS, BY_WEIGHTS, ONE_BY_ONE };

struct pcdf_reduce_scratch {
    double x[PCDF_REDUCE_ROWS * SOME], rests[PCDF_REDUCE_ROWS * SOME]; /* decoded */
    double sum[SOME], rest[SOME], square[SOME], sub[SOME];
    double small_sum[SOME], small_rest[SOME], small_square[SOME], small_sub[SOME]; /* of large values */
    int32_t count[SOME], small_count[SOME];
    unsigned char edge[LONG * PCDF_REDUCE_LANES * 8];
};

bool pcdf_reduce_columns_begin(struct pcdf_reduce_columns *c)
{
    *c = (struct pcdf_reduce_columns){ .loops = pcdf_reduce_best_loops() };
    c->scratch = pcdf_calloc(1, sizeof *c->scratch);
    return c->scratch != NULL;
}

void pcdf_reduce_columns_end(struct pcdf_reduce_columns *c)
{
    pcdf_free(c->scratch);
}

/* ---- which loop */

static bool has_squares(enum pcdf_reduce_op op)
{
    return op == PCDF_REDUCE_VAR || op == PCDF_REDUCE_STD || op == PCDF_REDUCE_RMS;
}

static bool is_extreme(enum pcdf_reduce_op op)
{
    return op == PCDF_REDUCE_MIN || op == PCDF_REDUCE_MAX;
}

/* Sums without squares; counts are made beside them. */
static bool is_plain_sum(enum pcdf_reduce_op op)
{
    return op == PCDF_REDUCE_MEAN || op == PCDF_REDUCE_SUM || op == PCDF_REDUCE_COUNT;
}

/* false: there are too many, or one that no loop can find. */
static bool float_holes(struct pcdf_reduce_columns *c)
{
    for (int i = 0; i < c->values->meaning.nmissing; i++) {
        float hole = (float)c->values->meaning.missing[i].x;
        if (hole == 0 || c->nholes == PCDF_REDUCE_LOOP_HOLES) /* there are two zeros */
            return false;
        memcpy(&c->float_holes[c->nholes++], &hole, sizeof hole);
    }
    return true;
}

static bool integer_holes(struct pcdf_reduce_columns *c)
{
    for (int i = 0; i < c->values->meaning.nmissing; i++) {
        if (c->nholes == PCDF_REDUCE_LOOP_HOLES)
            return false;
        c->holes[c->nholes++] = (int32_t)c->values->meaning.missing[i].x;
    }
    return true;
}

void pcdf_reduce_columns_of(struct pcdf_reduce_columns *c, const struct pcdf_stored_form *values,
                            enum pcdf_reduce_op op, bool is_weighted, bool is_masked)
{
    bool is_float = values->type == NC_FLOAT && !values->unpacks;
    bool is_integer =
        values->type == NC_INT || (pcdf_type_size(values->type) <= 2 && values->type != NC_CHAR);
    c->values = values;
    c->op = op;
    c->is_weighted = is_weighted;
    c->nholes = 0;
    c->is_out = NULL;
    bool has_loop = is_plain_sum(op) || has_squares(op) || is_extreme(op);
    c->way = values->has_rest || is_masked || !has_loop || (is_weighted && has_squares(op)) ? ONE_BY_ONE
             : is_weighted                                                                  ? BY_WEIGHTS
                                                                                            : BY_DECODING;
    if (c->way != BY_DECODING || pcdf_meaning_has_limits(&values->meaning) || has_squares(op))
        return;
    if (is_float && float_holes(c))
        c->way = BY_FLOATS;
    else if (is_integer && !is_extreme(op) && integer_holes(c))
        c->way = BY_INTEGERS;
}

/* ---- sums of blocks */

/* Are sums of so many floats exact as doubles, in whatever order? */
static bool is_exact(const struct pcdf_reduce_facts *f, int rows)
{
    int bits = 0;
    if (f->most >= INFINITE)
        return false;
    if (f->most == 0)
        return true;
    int top = (int)(f->most >> 23), low = (int)((f->least + 1) >> 23);
    top = top > 1 ? top : 1; /* what is below the smallest exponent has the same unit */
    low = low > 1 ? low : 1;
    while ((1 << bits) < rows)
        bits++;
    return top - low + FLOAT_BITS + bits <= DOUBLE_BITS;
}

/* Where no magnitude reaches that of a hole, there is none. */
static bool may_have_holes(const struct pcdf_reduce_columns *c, const struct pcdf_reduce_facts *f)
{
    bool may = f->most > INFINITE;
    for (int i = 0; i < c->nholes; i++)
        may |= (c->float_holes[i] & INT32_MAX) <= f->most;
    return may;
}

/* *count NULL: all have values. */
static bool sum_floats(struct pcdf_reduce_columns *c, const struct pcdf_reduce_block *b, int32_t **count)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    struct pcdf_reduce_facts facts;
    *count = NULL;
    c->loops->floats(b, 0, NULL, s->sum, NULL, &facts);
    if (may_have_holes(c, &facts)) {
        *count = s->count;
        c->loops->floats(b, c->nholes, c->float_holes, s->sum, s->count, &facts);
    }
    return is_exact(&facts, b->rows) || c->op == PCDF_REDUCE_COUNT;
}

static void sum_integers(struct pcdf_reduce_columns *c, const struct pcdf_reduce_block *b, int32_t **count)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    struct pcdf_reduce_facts facts;
    *count = NULL;
    c->loops->integers(c->values->type, b, c->nholes, c->holes, s->sum, NULL, &facts);
    if (facts.has_holes) {
        *count = s->count;
        c->loops->integers(c->values->type, b, c->nholes, c->holes, s->sum, s->count, &facts);
    }
}

/* a * b, and its rounding error. */
static inline double product(double a, double b, double *error)
{
    const double split = 134217729; /* 2^27 + 1 */
    double p = a * b, ca = split * a, cb = split * b;
    double a1 = ca - (ca - a), a2 = a - a1, b1 = cb - (cb - b), b2 = b - b1;
    *error = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
    return p;
}

/* Sums of packed numbers -> of values: sum * scale + count * offset. */
static void unpack_sums(struct pcdf_reduce_columns *c, int rows, int n, const int32_t *count)
{
    const struct pcdf_meaning_packing *p = &c->values->meaning.packing;
    struct pcdf_reduce_scratch *s = c->scratch;
    for (int i = 0; i < n; i++) {
        double lost, error, x = product(s->sum[i], p->scale, &lost);
        double more = product(count ? count[i] : rows, p->offset, &error), sum = x + more, back = sum - x;
        s->rest[i] = (x - (sum - back)) + (more - back) + lost + error;
        s->sum[i] = sum;
    }
}

/* The block as doubles of this machine, in scratch. */
static struct pcdf_reduce_block decoded(struct pcdf_reduce_columns *c, const struct pcdf_reduce_block *b)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    struct pcdf_reduce_block to = *b;
    const unsigned char *at = b->numbers;
    for (int row = 0; row < b->rows; row++, at += b->step)
        pcdf_stored_decode(c->values, at, b->n, s->x + (size_t)row * (size_t)b->n, s->rests);
    to.numbers = s->x;
    to.step = (size_t)b->n * 8;
    return to;
}

/* A block becomes sums in scratch. The rest is NULL where there is none. */
static void sum_block(struct pcdf_reduce_columns *c, const struct pcdf_reduce_block *b, int32_t **count,
                      double **rest)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    *rest = NULL;
    if (c->way == BY_FLOATS && sum_floats(c, b, count))
        return;
    *rest = s->rest;
    if (c->way == BY_FLOATS) {
        *count = s->count;
        c->loops->float_pairs(b, c->nholes, c->float_holes, s->sum, s->rest, s->count);
        return;
    }
    if (c->way == BY_INTEGERS) {
        sum_integers(c, b, count);
        if (c->values->unpacks)
            unpack_sums(c, b->rows, b->n, *count);
        else
            *rest = NULL;
        return;
    }
    bool is_short = !c->values->unpacks && c->values->type != NC_DOUBLE &&
                    (pcdf_type_size(c->values->type) <= 2 || c->values->type == NC_FLOAT);
    *count = s->count;
    const struct pcdf_reduce_block numbers = decoded(c, b);
    if (c->way == BY_WEIGHTS) {
        c->loops->weighted(&numbers, s->sum, s->rest, s->square, s->sub, s->count);
        return;
    }
    c->loops->reals(&numbers, is_short, s->sum, s->rest, has_squares(c->op) ? s->square : NULL, s->sub,
                    s->count);
}

static void extremes_of_block(struct pcdf_reduce_columns *c, const struct pcdf_reduce_block *b)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    bool largest = c->op == PCDF_REDUCE_MAX;
    if (c->way == BY_FLOATS) {
        c->loops->float_extremes(b, c->nholes, c->float_holes, largest, s->sum, s->count);
        return;
    }
    const struct pcdf_reduce_block numbers = decoded(c, b);
    c->loops->extremes(&numbers, largest, s->sum, s->count);
}

/* ---- blocks into cells */

static void take_extremes(struct pcdf_reduce_cells *cells, int64_t cell, const double *x,
                          const int32_t *count, int64_t n)
{
    bool largest = cells->op == PCDF_REDUCE_MAX;
    double *to = cells->x + cell;
    for (int64_t i = 0; i < n; i++) {
        bool is_better = largest ? x[i] > to[i] : x[i] < to[i];
        to[i] = count[i] > 0 && (is_better || cells->count[cell + i] == 0) ? x[i] : to[i];
        cells->count[cell + i] += count[i];
    }
}

/* The block is in scratch as doubles. Where squares are too large, they are taken once more, of less. */
static void take_squares(struct pcdf_reduce_columns *c, struct pcdf_reduce_cells *cells, int64_t cell,
                         const struct pcdf_reduce_block *b, int n)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    const double most = PCDF_REDUCE_LARGE * PCDF_REDUCE_LARGE;
    const struct pcdf_reduce_block small = { s->x, (size_t)b->n * 8, NULL, 0, b->rows, b->n };
    bool is_simple = true, has_large = false;
    for (int i = 0; i < n; i++)
        is_simple &= s->square[i] <= most && cells->scale[cell + i] == 0;
    if (is_simple) {
        pcdf_reduce_add_pairs(cells->square + cell, cells->sub + cell, s->square, s->sub, n);
        return;
    }
    for (int i = 0; i < n; i++)
        has_large |= !(s->square[i] <= most);
    for (int i = 0; has_large && i < b->rows * b->n; i++)
        s->x[i] *= PCDF_REDUCE_DOWN;
    if (has_large)
        c->loops->reals(&small, false, s->small_sum, s->small_rest, s->small_square, s->small_sub,
                        s->small_count);
    for (int i = 0; i < n; i++) {
        bool is_large = !(s->square[i] <= most);
        pcdf_reduce_add_squares(cells, cell + i, is_large ? s->small_square[i] : s->square[i],
                                is_large ? s->small_sub[i] : s->sub[i], is_large);
    }
}

/* The columns of a block, n of which count, into cells. */
static void take_block(struct pcdf_reduce_columns *c, struct pcdf_reduce_cells *cells, int64_t cell,
                       const struct pcdf_reduce_block *b, int n)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    int32_t *count;
    double *rest;
    if (is_extreme(c->op)) {
        extremes_of_block(c, b);
        take_extremes(cells, cell, s->sum, s->count, n);
        return;
    }
    sum_block(c, b, &count, &rest);
    c->loops->take(n, s->sum, rest, count, b->rows, cells->x + cell, cells->rest + cell, cells->count + cell);
    if (c->way == BY_WEIGHTS)
        pcdf_reduce_add_pairs(cells->weight + cell, cells->subweight + cell, s->square, s->sub, n);
    else if (cells->square)
        take_squares(c, cells, cell, b, n);
}

/* Columns that do not fill the lanes, beside zeros; b->n of them. */
static void take_edge(struct pcdf_reduce_columns *c, struct pcdf_reduce_cells *cells, int64_t cell,
                      const struct pcdf_reduce_block *b)
{
    size_t size = (size_t)pcdf_type_size(c->values->type), wide = PCDF_REDUCE_LANES * size;
    unsigned char *edge = c->scratch->edge;
    double weights[PCDF_REDUCE_LANES] = { 0 };
    struct pcdf_reduce_block whole = {
        edge, wide, b->weights ? weights : NULL, 0, b->rows, PCDF_REDUCE_LANES
    };
    memset(edge, 0, (size_t)b->rows * wide);
    for (int row = 0; row < b->rows; row++)
        memcpy(edge + (size_t)row * wide, (const unsigned char *)b->numbers + (size_t)row * b->step,
               (size_t)b->n * size);
    if (b->weights)
        memcpy(weights, b->weights, (size_t)b->n * sizeof *weights);
    take_block(c, cells, cell, &whole, b->n);
}

/* All rows have the same weights. */
static void take_rows(struct pcdf_reduce_columns *c, struct pcdf_reduce_cells *cells, int64_t cell,
                      const unsigned char *bytes, size_t step, int rows, int64_t n, const double *weights)
{
    size_t size = (size_t)pcdf_type_size(c->values->type);
    for (int64_t i = 0, some; i < n; i += some) {
        some = pcdf_smaller(n - i, SOME);
        some -= some > PCDF_REDUCE_LANES ? some % PCDF_REDUCE_LANES : 0;
        const struct pcdf_reduce_block b = {
            bytes + (size_t)i * size, step, weights ? weights + i : NULL, 0, rows, (int)some
        };
        if (some % PCDF_REDUCE_LANES)
            take_edge(c, cells, cell + i, &b);
        else
            take_block(c, cells, cell + i, &b, (int)some);
    }
}

/* ---- operations and types without a loop */

static void one_by_one(struct pcdf_reduce_columns *c, struct pcdf_reduce_cells *cells, int64_t cell,
                       const unsigned char *bytes, int64_t n, const double *weights, int64_t wstep,
                       bool is_run)
{
    struct pcdf_reduce_scratch *s = c->scratch;
    const double *rest = c->values->has_rest ? s->rests : NULL;
    int size = pcdf_type_size(c->values->type);
    for (int64_t i = 0; i < n; i += PCDF_REDUCE_ROWS * SOME) {
        int64_t some = pcdf_smaller(n - i, PCDF_REDUCE_ROWS * SOME);
        pcdf_stored_decode(c->values, bytes + i * size, some, s->x, s->rests);
        const bool *is_out = c->is_out ? c->is_out + (bytes - c->masked) / size + i : NULL;
        for (int64_t k = 0; is_out && k < some; k++)
            s->x[k] = is_out[k] ? (double)NAN : s->x[k];
        if (is_run)
            pcdf_reduce_gather(cells, cell, s->x, rest, weights ? weights + i * wstep : NULL, wstep, some);
        else
            pcdf_reduce_spread(cells, cell + i, s->x, rest, weights ? weights + i * wstep : NULL, wstep,
                               some);
    }
}

void pcdf_reduce_rows(struct pcdf_reduce_columns *c, struct pcdf_reduce_cells *cells, int64_t cell,
                      const unsigned char *bytes, size_t step, int64_t rows, int64_t n, const double *weights,
                      int64_t wstep)
{
    bool has_loop = c->way != ONE_BY_ONE && (!weights || wstep == 1);
    for (int64_t row = 0; row < rows && !has_loop; row++)
        one_by_one(c, cells, cell, bytes + (size_t)row * step, n, weights, wstep, false);
    for (int64_t row = 0; row < rows && has_loop; row += PCDF_REDUCE_ROWS)
        take_rows(c, cells, cell, bytes + (size_t)row * step, step,
                  (int)pcdf_smaller(rows - row, PCDF_REDUCE_ROWS), n, weights);
}

/* As rows of lanes, which are put together in their order. */
void pcdf_reduce_run(struct pcdf_reduce_columns *c, struct pcdf_reduce_cells *cells, int64_t cell,
                     const unsigned char *bytes, int64_t n, const double *weights, int64_t wstep)
{
    size_t size = (size_t)pcdf_type_size(c->values->type), wide = PCDF_REDUCE_LANES * size;
    if (c->way == ONE_BY_ONE || (weights && wstep != 1)) {
        one_by_one(c, cells, cell, bytes, n, weights, wstep, true);
        return;
    }
    int64_t count[PCDF_REDUCE_LANES], rows = n / PCDF_REDUCE_LANES, left = n % PCDF_REDUCE_LANES;
    double space[7][PCDF_REDUCE_LANES];
    struct pcdf_reduce_cells lanes = { .op = c->op,
                                       .n = PCDF_REDUCE_LANES,
                                       .count = count,
                                       .x = space[0],
                                       .rest = space[1],
                                       .square = cells->square ? space[2] : NULL,
                                       .sub = cells->square ? space[3] : NULL,
                                       .scale = cells->square ? space[6] : NULL,
                                       .weight = weights ? space[4] : NULL,
                                       .subweight = weights ? space[5] : NULL };
    memset(count, 0, sizeof count);
    memset(space, 0, sizeof space);
    for (int64_t row = 0, at = 0; row < rows; row += LONG, at = row * PCDF_REDUCE_LANES)
        take_block(c, &lanes, 0,
                   &(struct pcdf_reduce_block){ bytes + (size_t)at * size, wide,
                                                weights ? weights + at : NULL,
                                                PCDF_REDUCE_LANES * sizeof *weights,
                                                (int)pcdf_smaller(rows - row, LONG), PCDF_REDUCE_LANES },
                   PCDF_REDUCE_LANES);
    if (left > 0)
        take_edge(c, &lanes, 0,
                  &(struct pcdf_reduce_block){ bytes + (size_t)rows * wide, wide,
                                               weights ? weights + (n - left) : NULL, 0, 1, (int)left });
    struct pcdf_reduce_cells to = pcdf_reduce_slice(cells, cell, 1);
    for (int i = 0; i < PCDF_REDUCE_LANES; i++) {
        const struct pcdf_reduce_cells lane = pcdf_reduce_slice(&lanes, i, 1);
        pcdf_reduce_merge(&to, &lane);
    }
}
