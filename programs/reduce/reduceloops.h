#ifndef PCDF_REDUCELOOPS_H
#define PCDF_REDUCELOOPS_H
/* Loops over blocks of numbers: each column of a block becomes a sum, or an extreme. Pure. They are compiled
 * for several kinds of processors (reduceloop.h); what they give is the same on all, to the last bit. */

#include "types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PCDF_REDUCE_LANES = 16, PCDF_REDUCE_LOOP_HOLES = 2 };

struct pcdf_reduce_block {
    const void *numbers;   /* external form; or doubles of this machine, of which NaN is no value */
    size_t step;           /* bytes from one row to the next */
    const double *weights; /* of each number; NULL: none */
    size_t wstep;          /* bytes from one row of them to the next; 0: all rows have the same */
    int rows, n;           /* n: columns, a multiple of PCDF_REDUCE_LANES. At most 4096 rows */
};

/* What tells whether sums of floats are exact: bits of the largest and the smallest magnitude, without zeros;
 * `least` is less by one, so that it is the largest number where there are only zeros. */
struct pcdf_reduce_facts {
    uint32_t most, least;
    bool has_holes;
};

struct pcdf_reduce_loops {
    /* Sums of floats as doubles, with no rounding error if facts allow it; NaN, infinities and whatever is
     * too far apart show in them. count NULL: there are no holes; else bits of floats that are none, and how
     * many values each column has, NaN not counted. */
    void (*floats)(const struct pcdf_reduce_block *block, int nholes, const uint32_t *holes, double *sum,
                   int32_t *count, struct pcdf_reduce_facts *facts);
    /* The same in pairs of doubles, whatever the facts are. */
    void (*float_pairs)(const struct pcdf_reduce_block *block, int nholes, const uint32_t *holes, double *sum,
                        double *rest, int32_t *count);
    /* Exact sums of integers up to 32 bits. holes: as the type has them. count: NULL as above; facts: only
     * whether there are holes. */
    void (*integers)(nc_type type, const struct pcdf_reduce_block *block, int nholes, const int32_t *holes,
                     double *sum, int32_t *count, struct pcdf_reduce_facts *facts);
    /* Sums of doubles of this machine: of values, and of squares if `square`, in pairs. is_short: squares are
     * exact. All are set, none is added to. */
    void (*reals)(const struct pcdf_reduce_block *block, bool is_short, double *sum, double *rest,
                  double *square, double *sub, int32_t *count);
    /* Sums of doubles times weights, and of the weights of values; count: values that have a weight. */
    void (*weighted)(const struct pcdf_reduce_block *block, double *sum, double *rest, double *total,
                     double *more, int32_t *count);
    /* The smallest or largest of floats in external form, or of doubles of this machine; infinity where there
     * is none. */
    void (*float_extremes)(const struct pcdf_reduce_block *block, int nholes, const uint32_t *holes,
                           bool largest, double *x, int32_t *count);
    void (*extremes)(const struct pcdf_reduce_block *block, bool largest, double *x, int32_t *count);
    /* n sums of a block to the pairs x + rest, and to the counts. more NULL: zeros; some NULL: `rows` each.
     */
    void (*take)(int64_t n, const double *sum, const double *more, const int32_t *some, int rows, double *x,
                 double *rest, int64_t *count);
};
extern const struct pcdf_reduce_loops pcdf_reduce_loops_portable, pcdf_reduce_loops_avx2,
    pcdf_reduce_loops_avx512;
/* Those of this processor. PARCDF_LOOPS=portable or avx2 in the environment: others, for tests. */
const struct pcdf_reduce_loops *pcdf_reduce_best_loops(void);
#endif
