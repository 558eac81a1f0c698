#ifndef PCDF_REDUCECOLUMNS_H
#define PCDF_REDUCECOLUMNS_H
/* Stored numbers into cells: rows of them, of which each column has its cell, or runs that have one.
 * Where a type and an operation have a loop of their own (reduceloops.h), numbers are decoded, tested and
 * summed in registers; otherwise they are decoded first. Pure. */

#include "reducecells.h"
#include "reduceloops.h"
#include "stored.h"

enum { PCDF_REDUCE_ROWS = 16 }; /* a block is worth it with as many */

struct pcdf_reduce_columns {
    const struct pcdf_reduce_loops *loops;
    const struct pcdf_stored_form *values;
    enum pcdf_reduce_op op;
    bool is_weighted;
    const bool *is_out; /* of the numbers from `masked` on: they are no values. NULL: none are */
    const unsigned char *masked;
    int way; /* which loop */
    int nholes;
    uint32_t float_holes[PCDF_REDUCE_LOOP_HOLES];
    int32_t holes[PCDF_REDUCE_LOOP_HOLES];
    struct pcdf_reduce_scratch *scratch; /* owned */
};

bool pcdf_reduce_columns_begin(struct pcdf_reduce_columns *columns);
void pcdf_reduce_columns_end(struct pcdf_reduce_columns *columns);
/* What follows is of this variable. The values must stay. is_masked: `is_out` is given for each piece. */
void pcdf_reduce_columns_of(struct pcdf_reduce_columns *columns, const struct pcdf_stored_form *values,
                            enum pcdf_reduce_op op, bool is_weighted, bool is_masked);
/* `rows` rows of n numbers in external form, `step` bytes from one to the next, into the cells from `cell`
 * on. weights: of the row's values, NULL: none; wstep 0: one for all. */
void pcdf_reduce_rows(struct pcdf_reduce_columns *columns, struct pcdf_reduce_cells *cells, int64_t cell,
                      const unsigned char *bytes, size_t step, int64_t rows, int64_t n, const double *weights,
                      int64_t wstep);
/* n numbers into one cell. */
void pcdf_reduce_run(struct pcdf_reduce_columns *columns, struct pcdf_reduce_cells *cells, int64_t cell,
                     const unsigned char *bytes, int64_t n, const double *weights, int64_t wstep);
#endif
