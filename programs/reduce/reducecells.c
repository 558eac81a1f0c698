/* See reducecells.h. Loops that the compiler is to make vectors of: a value that is none counts as zero, and
 * is not counted. */
#include "reducecells.h"
#include "alloc.h"
#include "codes.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8 };

/* ---- memory */

static bool has_squares(enum pcdf_reduce_op op)
{
    return op == PCDF_REDUCE_VAR || op == PCDF_REDUCE_STD || op == PCDF_REDUCE_RMS;
}

static size_t arrays_of(enum pcdf_reduce_op op, bool is_weighted)
{
    return 3 + (has_squares(op) ? 3 : 0) + (is_weighted ? 2 : 0);
}

size_t pcdf_reduce_cell_bytes(enum pcdf_reduce_op op, bool is_weighted, int64_t room)
{
    size_t each = arrays_of(op, is_weighted) * sizeof(double);
    return each + (op == PCDF_REDUCE_QUANTILE ? (size_t)room * sizeof(double) : 0);
}

int pcdf_reduce_cells_make(struct pcdf_reduce_cells *c, enum pcdf_reduce_op op, bool is_weighted, int64_t n,
                           int64_t room)
{
    *c = (struct pcdf_reduce_cells){ .op = op, .n = n, .room = room };
    double *at = c->block = pcdf_calloc((size_t)n, pcdf_reduce_cell_bytes(op, is_weighted, room));
    if (!c->block)
        return PCDF_FAIL(NC_ENOMEM, "no memory for %lld cells", (long long)n);
    c->count = (int64_t *)c->block;
    c->x = at + n;
    c->rest = at + 2 * n;
    at += 3 * n;
    if (has_squares(op)) {
        c->square = at;
        c->sub = at + n;
        c->scale = at + 2 * n;
        at += 3 * n;
    }
    if (is_weighted) {
        c->weight = at;
        c->subweight = at + n;
        at += 2 * n;
    }
    c->values = op == PCDF_REDUCE_QUANTILE ? at : NULL;
    return NC_NOERR;
}

int pcdf_reduce_cells_select(struct pcdf_reduce_cells *c, int64_t n, int bits, double quantile)
{
    PCDF_TRY(pcdf_reduce_cells_make(c, PCDF_REDUCE_QUANTILE, false, n, 0));
    c->select = pcdf_calloc(1, sizeof *c->select);
    int err = c->select ? pcdf_reduce_select_make(c->select, n, bits, quantile) : NC_ENOMEM;
    if (err)
        pcdf_reduce_cells_free(c);
    return err;
}

void pcdf_reduce_cells_free(struct pcdf_reduce_cells *c)
{
    if (c->select)
        pcdf_reduce_select_free(c->select);
    pcdf_free(c->select);
    pcdf_free(c->block);
    *c = (struct pcdf_reduce_cells){ 0 };
}

/* ---- sums of two doubles */

static inline void add(double *sum, double *rest, double x)
{
    double s = *sum + x, back = s - *sum;
    *rest += (*sum - (s - back)) + (x - back);
    *sum = s;
}

/* a * b exactly, where it does not overflow: the product, and its rounding error. */
static inline double product(double a, double b, double *error)
{
    const double split = 134217729; /* 2^27 + 1 */
    double p = a * b, ca = split * a, cb = split * b;
    double a1 = ca - (ca - a), a2 = a - a1, b1 = cb - (cb - b), b2 = b - b1;
    *error = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
    return p;
}

static inline double whole(double sum, double rest)
{
    return isfinite(sum) ? sum + rest : sum; /* of infinities there is no rest */
}

/* ---- one value a cell */

static void spread_sum(struct pcdf_reduce_cells *c, int64_t at, const double *v, const double *rest,
                       int64_t n)
{
    double *restrict sum = c->x + at, *restrict lost = c->rest + at;
    int64_t *restrict count = c->count + at;
    for (int64_t i = 0; i < n; i++) {
        bool is_value = v[i] == v[i];
        add(&sum[i], &lost[i], is_value ? v[i] : 0);
        count[i] += is_value;
    }
    for (int64_t i = 0; rest && i < n; i++)
        lost[i] += v[i] == v[i] ? rest[i] : 0;
}

static void spread_squares(struct pcdf_reduce_cells *c, int64_t at, const double *v, const double *rest,
                           int64_t n)
{
    double *restrict sum = c->square + at, *restrict lost = c->sub + at;
    for (int64_t i = 0; i < n; i++) {
        double x = v[i] == v[i] ? v[i] : 0, error, square = product(x, x, &error);
        add(&sum[i], &lost[i], square);
        lost[i] += error;
    }
    for (int64_t i = 0; rest && i < n; i++)
        lost[i] += v[i] == v[i] ? 2 * v[i] * rest[i] : 0;
}

static void spread_weighted(struct pcdf_reduce_cells *c, int64_t at, const double *v, const double *w,
                            int64_t step, int64_t n)
{
    double *restrict sum = c->x + at, *restrict rest = c->rest + at;
    double *restrict total = c->weight + at, *restrict more_total = c->subweight + at;
    int64_t *restrict count = c->count + at;
    for (int64_t i = 0; i < n; i++) {
        double by = w[i * step], error;
        bool is_value = v[i] == v[i] && by == by;
        double weight = is_value ? by : 0, x = product(is_value ? v[i] : 0, weight, &error);
        add(&sum[i], &rest[i], x);
        rest[i] += error;
        add(&total[i], &more_total[i], weight);
        count[i] += is_value;
    }
    for (int64_t i = 0; c->square && i < n; i++) {
        double by = w[i * step], error, more;
        bool is_value = v[i] == v[i] && by == by;
        double value = is_value ? v[i] : 0, x = product(value, is_value ? by : 0, &error);
        add(&c->square[at + i], &c->sub[at + i], product(x, value, &more));
        c->sub[at + i] += more + error * value;
    }
}

static inline bool is_before(double a, double a_rest, double b, double b_rest)
{
    return a < b || (a == b && a_rest < b_rest);
}

/* Extremes, the first, the last, any, all: whatever takes the place of what is there, or does not. */
static inline bool takes_place(enum pcdf_reduce_op op, int64_t count, double there, double there_rest,
                               double x, double rest)
{
    switch (op) {
    case PCDF_REDUCE_MIN:
        return count == 0 || is_before(x, rest, there, there_rest);
    case PCDF_REDUCE_MAX:
        return count == 0 || is_before(there, there_rest, x, rest);
    case PCDF_REDUCE_FIRST:
        return count == 0;
    case PCDF_REDUCE_ANY:
        return count == 0 || (x != 0 && there == 0);
    case PCDF_REDUCE_ALL:
        return count == 0 || (x == 0 && there != 0);
    default:
        return true;
    }
}

static void put_extreme(struct pcdf_reduce_cells *c, int64_t at, double x, double rest)
{
    if (x != x)
        return;
    if (takes_place(c->op, c->count[at], c->x[at], c->rest[at], x, rest)) {
        c->x[at] = x;
        c->rest[at] = rest;
    }
    c->count[at]++;
}

/* The commonest of these, without branches. */
static void spread_extreme(struct pcdf_reduce_cells *c, int64_t at, const double *v, int64_t n, bool largest)
{
    double *restrict x = c->x + at;
    int64_t *restrict count = c->count + at;
    double none = largest ? (double)-INFINITY : (double)INFINITY;
    for (int64_t i = 0; i < n; i++) {
        double there = count[i] ? x[i] : none, value = v[i] == v[i] ? v[i] : none;
        x[i] = largest ? (value > there ? value : there) : (value < there ? value : there);
        count[i] += v[i] == v[i];
    }
}

static void keep_value(struct pcdf_reduce_cells *c, int64_t at, double x, double rest)
{
    if (c->select)
        pcdf_reduce_select_add(c->select, at, x + rest);
    else if (x == x && c->count[at] < c->room)
        c->values[at * c->room + c->count[at]++] = x + rest;
}

void pcdf_reduce_spread(struct pcdf_reduce_cells *c, int64_t cell, const double *x, const double *rest,
                        const double *weights, int64_t step, int64_t n)
{
    bool is_extreme = (c->op == PCDF_REDUCE_MIN || c->op == PCDF_REDUCE_MAX) && !rest;
    if (c->op == PCDF_REDUCE_QUANTILE) {
        for (int64_t i = 0; i < n; i++)
            keep_value(c, cell + i, x[i], rest ? rest[i] : 0);
    } else if (weights) {
        spread_weighted(c, cell, x, weights, step, n);
    } else if (c->op <= PCDF_REDUCE_SUM || has_squares(c->op)) {
        spread_sum(c, cell, x, rest, n);
        if (c->square)
            spread_squares(c, cell, x, rest, n);
    } else if (is_extreme) {
        spread_extreme(c, cell, x, n, c->op == PCDF_REDUCE_MAX);
    } else {
        for (int64_t i = 0; i < n; i++)
            put_extreme(c, cell + i, x[i], rest ? rest[i] : 0);
    }
}

/* ---- all values into one cell: lanes, which are then put together in their order */

static bool has_lanes(enum pcdf_reduce_op op)
{
    return op <= PCDF_REDUCE_SUM || has_squares(op) || op == PCDF_REDUCE_MIN || op == PCDF_REDUCE_MAX;
}

struct pcdf_reduce_cells pcdf_reduce_slice(const struct pcdf_reduce_cells *c, int64_t first, int64_t n)
{
    struct pcdf_reduce_cells part = *c;
    part.n = n;
    part.count += first;
    part.x += first;
    part.rest += first;
    part.square = c->square ? c->square + first : NULL;
    part.sub = c->sub ? c->sub + first : NULL;
    part.scale = c->scale ? c->scale + first : NULL;
    part.weight = c->weight ? c->weight + first : NULL;
    part.subweight = c->subweight ? c->subweight + first : NULL;
    part.values = c->values ? c->values + first * c->room : NULL;
    part.select = NULL;
    part.block = NULL;
    return part;
}

void pcdf_reduce_gather(struct pcdf_reduce_cells *c, int64_t cell, const double *x, const double *rest,
                        const double *weights, int64_t step, int64_t n)
{
    int64_t count[LANES] = { 0 };
    double space[7][LANES] = { { 0 } };
    struct pcdf_reduce_cells lanes = { .op = c->op,
                                       .n = LANES,
                                       .count = count,
                                       .x = space[0],
                                       .rest = space[1],
                                       .square = c->square ? space[2] : NULL,
                                       .sub = c->square ? space[3] : NULL,
                                       .scale = c->square ? space[6] : NULL,
                                       .weight = c->weight ? space[4] : NULL,
                                       .subweight = c->weight ? space[5] : NULL };
    bool in_lanes = has_lanes(c->op) && n >= 2 * LANES;
    int64_t done = in_lanes ? n - n % LANES : 0;
    for (int64_t i = 0; i < done; i += LANES)
        pcdf_reduce_spread(&lanes, 0, x + i, rest ? rest + i : NULL, weights ? weights + i * step : NULL,
                           step, LANES);
    struct pcdf_reduce_cells to = pcdf_reduce_slice(c, cell, 1);
    for (int i = 0; in_lanes && i < LANES; i++) {
        const struct pcdf_reduce_cells lane = pcdf_reduce_slice(&lanes, i, 1);
        pcdf_reduce_merge(&to, &lane);
    }
    for (int64_t i = done; i < n; i++)
        pcdf_reduce_spread(c, cell, x + i, rest ? rest + i : NULL, weights ? weights + i * step : NULL, step,
                           1);
}

void pcdf_reduce_add_pairs(double *sum, double *rest, const double *more, const double *more_rest, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        add(&sum[i], &rest[i], more[i]);
        rest[i] += more_rest[i];
    }
}

void pcdf_reduce_add_squares(struct pcdf_reduce_cells *c, int64_t i, double square, double sub, double scale)
{
    const double down = PCDF_REDUCE_DOWN;
    if (scale < c->scale[i]) {
        square = square * down * down;
        sub = sub * down * down;
    } else if (scale > c->scale[i]) {
        c->square[i] = c->square[i] * down * down;
        c->sub[i] = c->sub[i] * down * down;
        c->scale[i] = scale;
    }
    pcdf_reduce_add_pairs(&c->square[i], &c->sub[i], &square, &sub, 1);
}

void pcdf_reduce_merge(struct pcdf_reduce_cells *to, const struct pcdf_reduce_cells *from)
{
    bool is_sum = to->op <= PCDF_REDUCE_SUM || has_squares(to->op);
    if (is_sum)
        pcdf_reduce_add_pairs(to->x, to->rest, from->x, from->rest, to->n);
    for (int64_t i = 0; to->square && i < to->n; i++)
        pcdf_reduce_add_squares(to, i, from->square[i], from->sub[i], from->scale[i]);
    if (to->weight)
        pcdf_reduce_add_pairs(to->weight, to->subweight, from->weight, from->subweight, to->n);
    for (int64_t i = 0; i < to->n; i++) {
        bool replaces = !is_sum && from->count[i] > 0 &&
                        takes_place(to->op, to->count[i], to->x[i], to->rest[i], from->x[i], from->rest[i]);
        if (replaces) {
            to->x[i] = from->x[i];
            to->rest[i] = from->rest[i];
        }
        to->count[i] += from->count[i];
    }
}

/* ---- results */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void swap(double *a, double *b)
{
    double x = *a;
    *a = *b;
    *b = x;
}

static double middle_of(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Values before this rank are not larger, those behind it are not smaller (Hoare). What takes too many rounds
 * is sorted. */
static void put_in_rank(double *v, int64_t n, int64_t rank)
{
    enum { ROUNDS = 100 };
    int64_t low = 0, high = n - 1;
    for (int round = 0; low < high; round++) {
        if (round == ROUNDS) {
            qsort(v + low, (size_t)(high - low + 1), sizeof *v, by_size);
            return;
        }
        double pivot = middle_of(v[low], v[low + (high - low) / 2], v[high]);
        int64_t i = low, k = high;
        while (i <= k) {
            for (; v[i] < pivot; i++)
                ;
            for (; v[k] > pivot; k--)
                ;
            if (i <= k)
                swap(&v[i++], &v[k--]);
        }
        low = rank >= i ? i : low;
        high = rank <= k ? k : high;
        if (rank > k && rank < i)
            return;
    }
}

static double quantile_of(struct pcdf_reduce_cells *c, int64_t cell, double quantile)
{
    double *values = c->values + cell * c->room, at = quantile * (double)(c->count[cell] - 1);
    int64_t low = (int64_t)floor(at);
    double part = at - (double)low;
    put_in_rank(values, c->count[cell], low);
    if (part == 0)
        return values[low];
    double next = values[low + 1];
    for (int64_t i = low + 2; i < c->count[cell]; i++)
        next = values[i] < next ? values[i] : next;
    return pcdf_reduce_between(values[low], next, part);
}

/* The squares less n times the square of the mean, in pairs of doubles, over the divisor: of the scale that
 * the squares have. */
static double variance(const struct pcdf_reduce_cells *c, int64_t i, double n, double divisor)
{
    double down = c->scale[i] > 0 ? PCDF_REDUCE_DOWN : 1, x = c->x[i] * down, x_rest = c->rest[i] * down;
    double mean = whole(x, x_rest) / n, lost, error, p = product(mean, n, &lost);
    double more = ((x - p) - lost + x_rest) / n; /* what the mean is too coarse for */
    double square = product(mean, p, &error), total = c->square[i], rest = c->sub[i] - error;
    add(&total, &rest, -square);
    add(&total, &rest, -mean * lost);
    add(&total, &rest, -2 * p * more);
    double m2 = whole(total, rest) - n * more * more;
    return m2 > 0 ? m2 / divisor : m2 == m2 ? 0 : m2;
}

static struct pcdf_reduce_result of_sums(const struct pcdf_reduce_cells *c, int64_t i, bool of_sample)
{
    double n = c->weight ? whole(c->weight[i], c->subweight[i]) : (double)c->count[i], x;
    double up = c->scale && c->scale[i] > 0 ? PCDF_REDUCE_UP : 1;
    struct pcdf_reduce_result none = { 0 };
    if (c->op == PCDF_REDUCE_SUM)
        return (struct pcdf_reduce_result){ true, c->x[i], isfinite(c->x[i]) ? c->rest[i] : 0 };
    if (n == 0)
        return none;
    if (c->op == PCDF_REDUCE_MEAN) {
        double mean = whole(c->x[i], c->rest[i]) / n, error, p = product(mean, n, &error);
        double beyond = c->weight ? mean * (c->weight[i] - n + c->subweight[i]) : 0; /* n was rounded */
        double left = ((c->x[i] - p) - error + c->rest[i] - beyond) / n;
        x = isfinite(left) ? mean + left : mean;
    } else if (c->op == PCDF_REDUCE_RMS) {
        x = sqrt(whole(c->square[i], c->sub[i]) / n) * up;
    } else {
        double divisor = of_sample ? n - 1 : n;
        if (divisor <= 0)
            return none;
        x = variance(c, i, n, divisor);
        x = c->op == PCDF_REDUCE_STD ? sqrt(x) * up : x * up * up;
    }
    return (struct pcdf_reduce_result){ true, x, 0 };
}

struct pcdf_reduce_result pcdf_reduce_result_of(struct pcdf_reduce_cells *c, int64_t i, bool of_sample,
                                                double quantile)
{
    if (c->op == PCDF_REDUCE_COUNT)
        return (struct pcdf_reduce_result){ true, (double)c->count[i], 0 };
    if ((c->select ? c->select->counts : c->count)[i] == 0)
        return (struct pcdf_reduce_result){ 0 };
    if (c->select)
        return (struct pcdf_reduce_result){ true, pcdf_reduce_select_result(c->select, i), 0 };
    if (c->op == PCDF_REDUCE_QUANTILE)
        return (struct pcdf_reduce_result){ true, quantile_of(c, i, quantile), 0 };
    if (c->op == PCDF_REDUCE_ANY || c->op == PCDF_REDUCE_ALL)
        return (struct pcdf_reduce_result){ true, c->x[i] != 0, 0 };
    if (c->op <= PCDF_REDUCE_SUM || has_squares(c->op))
        return of_sums(c, i, of_sample);
    return (struct pcdf_reduce_result){ true, c->x[i], c->rest[i] };
}
