/* Pieces of values into numbers, and these together: see statspart.h. */
#include "statspart.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
const struct pcdf_stats_loops *pcdf_stats_best_loops(void)
{
    return __builtin_cpu_supports("avx2") ? &pcdf_stats_loops_avx2 : &pcdf_stats_loops_portable;
}
#else
const struct pcdf_stats_loops *pcdf_stats_best_loops(void)
{
    return &pcdf_stats_loops_portable;
}
#endif

#define LARGE  0x1p480  /* squares of doubles up to here can be summed in doubles */
#define LITTLE 0x1p-480 /* and of distances from here on */

union room { /* a block */
    double reals[PCDF_STATS_BLOCK + PCDF_STATS_LANES];
    int64_t ints[PCDF_STATS_BLOCK + PCDF_STATS_LANES];
};

enum pcdf_stats_kind pcdf_stats_kind_of(nc_type type)
{
    return type == NC_INT64    ? PCDF_STATS_INT64
           : type == NC_UINT64 ? PCDF_STATS_UINT64
           : type == NC_CHAR   ? PCDF_STATS_TEXT
                               : PCDF_STATS_REAL;
}

static uint64_t turn_of(enum pcdf_stats_kind kind)
{
    return kind == PCDF_STATS_UINT64 ? (uint64_t)1 << 63 : 0;
}

/* The valid ones of a block to its front. */
static int sift_reals(double *x, int n, const struct pcdf_stats_holes *h)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        double v = x[i];
        x[kept] = v;
        kept += isfinite(v) && v != h->reals[0] && v != h->reals[1];
    }
    return kept;
}

static int sift_ints(int64_t *x, int n, const struct pcdf_stats_holes *h)
{
    int kept = 0;
    if (h->n == 0)
        return n;
    for (int i = 0; i < n; i++) {
        int64_t v = x[i];
        x[kept] = v;
        kept += v != h->ints[0] && v != h->ints[1];
    }
    return kept;
}

/* A block as it is decoded; what is left out for more than two numbers becomes one of them. */
static void decode_reals(const struct pcdf_stats_holes *h, const unsigned char *bytes, int n, double *x,
                         const struct pcdf_stats_loops *loops)
{
    loops->decode(h->type, bytes, n, x);
    if (h->is_long)
        pcdf_meaning_screen(&h->meaning, n, x, NULL, h->mark);
}

static void decode_ints(const struct pcdf_stats_holes *h, const unsigned char *bytes, int n, int64_t *x,
                        const struct pcdf_stats_loops *loops)
{
    loops->decode64(bytes, n, turn_of(h->kind), x);
    for (int i = 0; h->is_long && i < n; i++)
        x[i] = pcdf_meaning_is_value(&h->meaning, bytes + (size_t)i * 8) ? x[i] : h->ints[0];
}

static void count_special(struct pcdf_stats_part *part, const double *x, int n,
                          const struct pcdf_stats_holes *h)
{
    for (int i = 0; i < n; i++) {
        bool is_hole = x[i] == h->reals[0] || x[i] == h->reals[1];
        part->nans += isnan(x[i]);
        part->above += !is_hole && x[i] == (double)INFINITY;
        part->below += !is_hole && x[i] == -(double)INFINITY;
    }
}

/* Of values whose squares, or sum, a double cannot hold: 1e300 as well as 1e-300. */
static void spread_far(struct pcdf_stats_part *of, const double *x, int n)
{
    long double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long double)x[i];
    long double mean = sum / n;
    for (int i = 0; i < n; i++)
        of->m2 += ((long double)x[i] - mean) * ((long double)x[i] - mean);
    of->sum = sum;
}

static void spread_near(struct pcdf_stats_part *of, struct pcdf_stats_block *b, double *x, int n,
                        const struct pcdf_stats_loops *loops)
{
    b->mean /= n;
    loops->spread(x, n, b);
    /* The mean was rounded: what the distances from it sum up to makes that good. */
    of->sum = (long double)b->mean * n;
    of->lost = (long double)b->rest;
    of->m2 = (long double)b->m2 - (long double)b->rest * (long double)b->rest / n;
    of->m2 = of->m2 > 0 ? of->m2 : 0;
}

static void take_reals(struct pcdf_stats_part *part, const struct pcdf_stats_holes *h,
                       const unsigned char *bytes, int n, const struct pcdf_stats_loops *loops)
{
    union room room;
    struct pcdf_stats_block b;
    struct pcdf_stats_part of = { 0 };
    double *x = room.reals;

    decode_reals(h, bytes, n, x, loops);
    loops->survey(x, n, h->reals, &b);
    part->fills += b.fills;
    if (b.n + b.fills < n)
        count_special(part, x, n, h);
    if (b.n == 0)
        return;
    if (b.n < n)
        n = sift_reals(x, n, h);
    double far = fmax(fabs(b.lo), fabs(b.hi)), range = b.hi / 2 - b.lo / 2;
    of.n = n;
    of.lo = b.lo;
    of.hi = b.hi;
    if (b.lo == b.hi)
        of.sum = (long double)b.lo * n;
    else if (far > LARGE || range < LITTLE)
        spread_far(&of, x, n);
    else
        spread_near(&of, &b, x, n, loops);
    pcdf_stats_merge(part, &of, h->kind);
}

/* Squares of the distances from an integer near the mean; these are exact where the range allows it, so that
 * seconds since 1970 in nanoseconds have their deviation. */
static long double spread_ints(const int64_t *x, int n, int64_t middle, bool is_narrow)
{
    double squares[4] = { 0 };
    for (int i = 0; i < n; i++) {
        double d = is_narrow ? (double)(x[i] - middle) : (double)x[i] - (double)middle;
        squares[i % 4] += d * d;
    }
    return (long double)squares[0] + (long double)squares[1] + (long double)squares[2] +
           (long double)squares[3];
}

static void take_ints(struct pcdf_stats_part *part, const struct pcdf_stats_holes *h,
                      const unsigned char *bytes, int n, const struct pcdf_stats_loops *loops)
{
    union room room;
    int64_t *x = room.ints, range;

    decode_ints(h, bytes, n, x, loops);
    int kept = sift_ints(x, n, h);
    part->fills += n - kept;
    if (kept == 0)
        return;
    struct pcdf_stats_part of = { .n = kept, .int_lo = x[0], .int_hi = x[0] };
    for (int i = 0; i < kept; i++) {
        of.int_lo = x[i] < of.int_lo ? x[i] : of.int_lo;
        of.int_hi = x[i] > of.int_hi ? x[i] : of.int_hi;
        of.int_sum += x[i];
    }
    int64_t middle = (int64_t)(of.int_sum / kept);
    bool is_narrow = !__builtin_sub_overflow(of.int_hi, of.int_lo, &range);
    long double rest = (long double)(of.int_sum - (pcdf_int128)middle * kept);
    of.m2 = spread_ints(x, kept, middle, is_narrow) - rest * rest / kept;
    of.m2 = of.m2 > 0 ? of.m2 : 0;
    pcdf_stats_merge(part, &of, h->kind);
}

void pcdf_stats_take(struct pcdf_stats_part *part, const struct pcdf_stats_holes *h,
                     const unsigned char *bytes, int64_t n)
{
    const struct pcdf_stats_loops *loops = pcdf_stats_best_loops();
    int size = pcdf_type_size(h->type);

    if (h->kind == PCDF_STATS_TEXT) {
        int64_t nuls = 0;
        for (int64_t i = 0; i < n; i++)
            nuls += bytes[i] == 0;
        part->fills += nuls;
        part->n += n - nuls;
        return;
    }
    for (; n > 0; n -= PCDF_STATS_BLOCK, bytes += (ptrdiff_t)PCDF_STATS_BLOCK * size) {
        int some = n < PCDF_STATS_BLOCK ? (int)n : PCDF_STATS_BLOCK;
        if (h->kind == PCDF_STATS_REAL)
            take_reals(part, h, bytes, some, loops);
        else
            take_ints(part, h, bytes, some, loops);
    }
}

/* ---- what stands for no value */

static int64_t turned(struct pcdf_meaning_number x, enum pcdf_stats_kind kind)
{
    pcdf_int128 exact = (pcdf_int128)x.x + (pcdf_int128)x.rest;
    return (int64_t)(exact - (kind == PCDF_STATS_UINT64 ? (pcdf_int128)1 << 63 : 0));
}

/* Blocks of integers of up to 32 bits never have the last mark; floats and doubles have a fill value. */
static double mark_of(const struct pcdf_stats_holes *h)
{
    const struct pcdf_meaning *m = &h->meaning;
    return m->nmissing > 0 ? m->missing[0].x : m->has_nan ? (double)NAN : 1e300;
}

void pcdf_stats_find_holes(struct pcdf_stats_holes *h, const struct pcdf_meaning *m)
{
    const enum pcdf_stats_kind kind = pcdf_stats_kind_of(m->packing.type);

    *h = (struct pcdf_stats_holes){ .type = m->packing.type,
                                    .kind = kind,
                                    .has_nan = m->has_nan,
                                    .reals = { (double)NAN, (double)NAN },
                                    .is_long = pcdf_meaning_is_long(m),
                                    .meaning = *m };
    h->n = h->is_long && m->nmissing > 1 ? 1 : m->nmissing;
    h->mark = mark_of(h);
    if (kind == PCDF_STATS_REAL && h->is_long && m->nmissing == 0)
        h->reals[h->n++] = h->mark;
    for (int i = 0; i < h->n && i < m->nmissing && kind == PCDF_STATS_REAL; i++)
        h->reals[i] = m->missing[i].x;
    for (int i = 0; i < 2 && m->nmissing > 0 && kind != PCDF_STATS_REAL && kind != PCDF_STATS_TEXT; i++)
        h->ints[i] = turned(m->missing[i < h->n ? i : 0], kind);
}

/* ---- together */

/* *sum + x, and what was lost in it. */
static void add_exactly(struct pcdf_stats_part *to, long double x)
{
    long double sum = to->sum + x, of_x = sum - to->sum;
    to->lost += (to->sum - (sum - of_x)) + (x - of_x);
    to->sum = sum;
}

static bool is_exact(enum pcdf_stats_kind kind)
{
    return kind == PCDF_STATS_INT64 || kind == PCDF_STATS_UINT64;
}

static long double mean_of(const struct pcdf_stats_part *p, enum pcdf_stats_kind kind)
{
    return is_exact(kind) ? (long double)p->int_sum / p->n : (p->sum + p->lost) / p->n;
}

/* From the mean of `to` to that of `from`. Of integers, both are counted from one near by: the mean of large
 * ones would lose what is behind its point. */
static long double between_means(const struct pcdf_stats_part *to, const struct pcdf_stats_part *from,
                                 enum pcdf_stats_kind kind)
{
    if (!is_exact(kind))
        return mean_of(from, kind) - mean_of(to, kind);
    pcdf_int128 near = to->int_sum / to->n;
    return (long double)(from->int_sum - near * from->n) / from->n -
           (long double)(to->int_sum - near * to->n) / to->n;
}

void pcdf_stats_merge(struct pcdf_stats_part *to, const struct pcdf_stats_part *from,
                      enum pcdf_stats_kind kind)
{
    to->fills += from->fills;
    to->nans += from->nans;
    to->above += from->above;
    to->below += from->below;
    if (from->n == 0)
        return;
    bool first = to->n == 0;
    /* Chan, Golub, LeVeque: the squares of both, and of the distance between their means. */
    if (!first) {
        long double d = between_means(to, from, kind), n = (long double)to->n + from->n;
        to->m2 += d * d * ((long double)to->n / n) * from->n;
    }
    to->m2 += from->m2;
    to->lo = first || from->lo < to->lo ? from->lo : to->lo;
    to->hi = first || from->hi > to->hi ? from->hi : to->hi;
    to->int_lo = first || from->int_lo < to->int_lo ? from->int_lo : to->int_lo;
    to->int_hi = first || from->int_hi > to->int_hi ? from->int_hi : to->int_hi;
    to->int_sum += from->int_sum;
    add_exactly(to, from->sum);
    to->lost += from->lost;
    to->n += from->n;
}

/* ---- of the whole */

double pcdf_stats_extreme(const struct pcdf_stats_part *p, enum pcdf_stats_kind kind, bool largest)
{
    int64_t x = largest ? p->int_hi : p->int_lo;

    if (kind == PCDF_STATS_REAL)
        return largest ? p->hi : p->lo;
    return kind == PCDF_STATS_INT64 ? (double)x : (double)((uint64_t)x ^ turn_of(kind));
}

static bool is_constant(const struct pcdf_stats_part *p, enum pcdf_stats_kind kind)
{
    return kind == PCDF_STATS_REAL ? p->lo == p->hi : p->int_lo == p->int_hi;
}

double pcdf_stats_mean(const struct pcdf_stats_part *p, enum pcdf_stats_kind kind)
{
    if (is_constant(p, kind))
        return pcdf_stats_extreme(p, kind, false);
    if (kind == PCDF_STATS_UINT64) /* back to where the first bit was */
        return (double)((long double)(p->int_sum + (((pcdf_int128)1 << 63) * p->n)) / p->n);
    return (double)mean_of(p, kind);
}

double pcdf_stats_deviation(const struct pcdf_stats_part *p, enum pcdf_stats_kind kind)
{
    return is_constant(p, kind) ? 0 : (double)sqrtl(p->m2 / p->n);
}

/* ---- histograms */

void pcdf_stats_bins_begin(struct pcdf_stats_bins *bins, double lo, double hi, int n, int64_t *counts)
{
    bool is_point = lo == hi;
    double from = is_point ? lo - 0.5 : lo, to = is_point ? hi + 0.5 : hi;

    *bins = (struct pcdf_stats_bins){ .lo = from, .hi = to, .n = n, .counts = counts };
    bins->part = isfinite(to - from) ? 1 : 0.5;
    bins->scale = n / (to * bins->part - from * bins->part) * bins->part;
    bins->width = to / n - from / n;
    bins->doubt = 1;
    if (isfinite(to - from)) {
        bins->width = (to - from) / n;
        bins->doubt = 8 * DBL_EPSILON * (fmax(fabs(from), fabs(to)) * bins->scale + n);
    }
}

double pcdf_stats_edge(const struct pcdf_stats_bins *bins, int i)
{
    double part = bins->part; /* the range may be more than a double holds */
    return i == bins->n ? bins->hi : (bins->lo * part + i * (bins->width * part)) / part;
}

static void count_one(struct pcdf_stats_bins *bins, double x)
{
    if (x < bins->lo || x > bins->hi) {
        bins->counts[bins->n + (x > bins->hi)]++;
        return;
    }
    double at = (x * bins->part - bins->lo * bins->part) * bins->scale / bins->part;
    int i = at < bins->n ? (int)at : bins->n - 1; /* NaN, in a range of the smallest numbers: the last */
    while (i > 0 && x < pcdf_stats_edge(bins, i)) /* it was rounded */
        i--;
    while (i < bins->n - 1 && x >= pcdf_stats_edge(bins, i + 1))
        i++;
    bins->counts[i]++;
}

/* Where rounding cannot have moved a value over an edge, its place is told by one product. */
static void count_some(struct pcdf_stats_bins *bins, const double *x, int n)
{
    const double lo = bins->lo, scale = bins->scale, doubt = bins->doubt, most = bins->n;
    int64_t *counts = bins->counts;

    for (int k = 0; k < n; k++) {
        double at = (x[k] - lo) * scale;
        if (at > 0 && at < most) {
            int i = (int)at;
            double beyond = at - i;
            if (beyond > doubt && beyond < 1 - doubt) {
                counts[i]++;
                continue;
            }
        }
        count_one(bins, x[k]);
    }
}

void pcdf_stats_count(struct pcdf_stats_bins *bins, const struct pcdf_stats_holes *h,
                      const unsigned char *bytes, int64_t n)
{
    const struct pcdf_stats_loops *loops = pcdf_stats_best_loops();
    int size = pcdf_type_size(h->type);
    union room room;
    double reals[PCDF_STATS_BLOCK];
    struct pcdf_stats_block b;

    for (; n > 0; n -= PCDF_STATS_BLOCK, bytes += (ptrdiff_t)PCDF_STATS_BLOCK * size) {
        int some = n < PCDF_STATS_BLOCK ? (int)n : PCDF_STATS_BLOCK;
        if (h->kind == PCDF_STATS_REAL) {
            decode_reals(h, bytes, some, room.reals, loops);
            loops->survey(room.reals, some, h->reals, &b);
            count_some(bins, room.reals, b.n < some ? sift_reals(room.reals, some, h) : some);
            continue;
        }
        decode_ints(h, bytes, some, room.ints, loops);
        some = sift_ints(room.ints, some, h);
        for (int i = 0; i < some; i++)
            reals[i] = h->kind == PCDF_STATS_INT64 ? (double)room.ints[i]
                                                   : (double)((uint64_t)room.ints[i] ^ turn_of(h->kind));
        count_some(bins, reals, some);
    }
}
