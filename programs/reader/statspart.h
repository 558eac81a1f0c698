#ifndef PCDF_STATSPART_H
#define PCDF_STATSPART_H
/* Statistics of values: of one piece of a variable, and pieces put together. Pure: bytes in, numbers out.
 *
 * Each value counts as exactly one of: fill (it equals the fill value or the missing value), NaN, infinite,
 * or valid. Smallest, largest, mean and deviation are of the valid ones. Which values make a piece, and the
 * order in which pieces are put together, are the same on any number of ranks, so the results are, to the
 * last bit. */

#include <stdbool.h>
#include <stdint.h>
#include "meaningvalues.h"

__extension__ typedef __int128 pcdf_int128;

/* How values are held in a block: most types are exact as doubles; 64-bit integers are not, and unsigned ones
 * have their first bit turned, which keeps their order. */
enum pcdf_stats_kind { PCDF_STATS_REAL, PCDF_STATS_INT64, PCDF_STATS_UINT64, PCDF_STATS_TEXT };
enum { PCDF_STATS_BLOCK = 2048, PCDF_STATS_LANES = 8 };

struct pcdf_stats_holes { /* values that stand for no value, as in a block */
    nc_type type;
    enum pcdf_stats_kind kind;
    int n; /* 0 to 2: fill value, missing value */
    bool has_nan;
    double reals[2]; /* NaN where there is none */
    int64_t ints[2]; /* the same twice where n is 1 */
    bool
        is_long; /* limits, or more numbers: what they leave out becomes `mark` in a block, which is a hole */
    double mark;
    struct pcdf_meaning meaning;
};

struct pcdf_stats_part {
    int64_t n;                         /* valid ones */
    int64_t fills, nans, above, below; /* above, below: infinities of either sign. Text: fills are NULs */
    double lo, hi;
    int64_t int_lo, int_hi;
    long double sum, lost; /* of reals: `lost` is what `sum` was too coarse to take */
    pcdf_int128 int_sum;
    long double m2; /* sum of squares of the distances from the mean; long double: of 1e300 too */
};

struct pcdf_stats_bins {
    double lo, hi, width; /* bin i has lo + i * width <= x < lo + (i + 1) * width; the last one has hi too */
    double part;          /* 1; 1/2 where hi - lo is more than a double holds, which parts of them are not */
    double scale, doubt;  /* bins a unit; of a bin, on both sides of an edge, where rounding may decide */
    int n;
    int64_t *counts; /* n, then values below lo, then above hi */
};

/* What loops over a block do; two of them, by processor (statsloop.h). room: PCDF_STATS_LANES more than n. */
struct pcdf_stats_block {
    int64_t n, fills; /* valid ones; equal to a hole */
    double lo, hi;
    double mean, rest, m2; /* mean nearly; sums of (x - mean) and of its squares */
};
struct pcdf_stats_loops {
    void (*decode)(nc_type type, const unsigned char *bytes, int n, double *x);
    void (*decode64)(const unsigned char *bytes, int n, uint64_t turn, int64_t *x);
    /* Counts, extremes and the sum, which goes to `mean`; x[n...] are set to NaN. */
    void (*survey)(double *x, int n, const double *holes, struct pcdf_stats_block *b);
    /* rest and m2 of n valid ones about b->mean; x[n...] are set. */
    void (*spread)(double *x, int n, struct pcdf_stats_block *b);
};
extern const struct pcdf_stats_loops pcdf_stats_loops_portable, pcdf_stats_loops_avx2;
const struct pcdf_stats_loops *pcdf_stats_best_loops(void); /* of this processor */

enum pcdf_stats_kind pcdf_stats_kind_of(nc_type type);
/* All that a variable has. */
void pcdf_stats_find_holes(struct pcdf_stats_holes *holes, const struct pcdf_meaning *meaning);
/* n values in external form. */
void pcdf_stats_take(struct pcdf_stats_part *part, const struct pcdf_stats_holes *holes,
                     const unsigned char *bytes, int64_t n);
void pcdf_stats_merge(struct pcdf_stats_part *to, const struct pcdf_stats_part *from,
                      enum pcdf_stats_kind kind);
/* Of the valid ones, n > 0. */
double pcdf_stats_mean(const struct pcdf_stats_part *part, enum pcdf_stats_kind kind);
double pcdf_stats_deviation(const struct pcdf_stats_part *part, enum pcdf_stats_kind kind);
double pcdf_stats_extreme(const struct pcdf_stats_part *part, enum pcdf_stats_kind kind, bool largest);

/* lo == hi: half a unit more to either side. counts: room for n + 2 zeros. */
void pcdf_stats_bins_begin(struct pcdf_stats_bins *bins, double lo, double hi, int n, int64_t *counts);
double pcdf_stats_edge(const struct pcdf_stats_bins *bins, int i);
void pcdf_stats_count(struct pcdf_stats_bins *bins, const struct pcdf_stats_holes *holes,
                      const unsigned char *bytes, int64_t n);
#endif
