#ifndef PCDF_REDUCECELLS_H
#define PCDF_REDUCECELLS_H
/* Cells that values are put into: sums, squares, extremes, counts. Pure: numbers in, numbers out.
 *
 * A value is x + rest: rest is what a double does not hold of 64-bit integers. NaN is no value. Sums are
 * pairs of doubles (sum, and what it was too coarse to take), so that they have about 30 digits. What a cell
 * holds depends on the order of its values alone, which is the same on any number of ranks. */

#include "reduceselect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_reduce_op {
    PCDF_REDUCE_MEAN,
    PCDF_REDUCE_SUM,
    PCDF_REDUCE_MIN,
    PCDF_REDUCE_MAX,
    PCDF_REDUCE_VAR,
    PCDF_REDUCE_STD,
    PCDF_REDUCE_RMS,
    PCDF_REDUCE_COUNT,
    PCDF_REDUCE_ANY,
    PCDF_REDUCE_ALL,
    PCDF_REDUCE_FIRST,
    PCDF_REDUCE_LAST,
    PCDF_REDUCE_QUANTILE
};

/* Squares of larger values than PCDF_REDUCE_LARGE are taken of numbers that are smaller: a double holds no
 * more than 1e308. */
#define PCDF_REDUCE_LARGE 0x1p480
#define PCDF_REDUCE_DOWN  0x1p-600
#define PCDF_REDUCE_UP    0x1p600

/* Arrays of n cells, in one block. What an operation does not need is NULL. */
struct pcdf_reduce_cells {
    enum pcdf_reduce_op op;
    int64_t n;
    int64_t *count;       /* valid values */
    double *x, *rest;     /* their sum; or the value of an extreme, the first, the last */
    double *square, *sub; /* sum of squares */
    double *scale;        /* of them: 0, or 1: they are of values times PCDF_REDUCE_DOWN */
    double *weight, *subweight;
    double *values; /* quantiles: `room` a cell */
    int64_t room;
    struct pcdf_reduce_select *select; /* quantiles of more values than there is room for. Owned */
    void *block;
};

/* Bytes of a cell. room: values of a cell, of quantiles. */
size_t pcdf_reduce_cell_bytes(enum pcdf_reduce_op op, bool is_weighted, int64_t room);
/* Empty ones. NC_ENOMEM. */
int pcdf_reduce_cells_make(struct pcdf_reduce_cells *cells, enum pcdf_reduce_op op, bool is_weighted,
                           int64_t n, int64_t room);
/* Such cells, of quantiles, whose values come in several passes (reduceselect.h). NC_ENOMEM. */
int pcdf_reduce_cells_select(struct pcdf_reduce_cells *cells, int64_t n, int bits, double quantile);
void pcdf_reduce_cells_free(struct pcdf_reduce_cells *cells);

/* n of them, from number `first` on, in the same memory. */
struct pcdf_reduce_cells pcdf_reduce_slice(const struct pcdf_reduce_cells *cells, int64_t first, int64_t n);

/* n values into the cells from number `cell` on, one each; or all into this one. rest NULL: zeros. weights:
 * NULL: none; step 0: one for all. */
void pcdf_reduce_spread(struct pcdf_reduce_cells *cells, int64_t cell, const double *x, const double *rest,
                        const double *weights, int64_t step, int64_t n);
void pcdf_reduce_gather(struct pcdf_reduce_cells *cells, int64_t cell, const double *x, const double *rest,
                        const double *weights, int64_t step, int64_t n);
/* Sums of squares of a scale to those of a cell. */
void pcdf_reduce_add_squares(struct pcdf_reduce_cells *cells, int64_t cell, double square, double sub,
                             double scale);
/* n pairs to n others. */
void pcdf_reduce_add_pairs(double *sum, double *rest, const double *more, const double *more_rest, int64_t n);
/* Cells of the same kind, whose values come behind those of `to`. Not of quantiles. */
void pcdf_reduce_merge(struct pcdf_reduce_cells *to, const struct pcdf_reduce_cells *from);

struct pcdf_reduce_result {
    bool is_value;
    double x, rest;
};
/* of_sample: variances divide by the number of values less one. quantile: 0 to 1, between two values in
 * proportion; the values of the cell are put in order. */
struct pcdf_reduce_result pcdf_reduce_result_of(struct pcdf_reduce_cells *cells, int64_t cell, bool of_sample,
                                                double quantile);
#endif
