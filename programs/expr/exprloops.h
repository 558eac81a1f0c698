#ifndef PCDF_EXPRLOOPS_H
#define PCDF_EXPRLOOPS_H
/* Operations on blocks of values. NaN is a missing value. Pure. */

#include "exprgraph.h"

enum { PCDF_EXPR_BLOCK = 1024 };

struct pcdf_expr_block { /* n values of a node */
    const double *x;
    const int64_t *exact; /* beside them, of integers that doubles may not hold; NULL: x is exact */
    nc_type type;
};

/* to[i] of n values of up to three arguments. Not for integers that are wide. is_integer: so is the result.
 * `to` is none of the arguments. */
void pcdf_expr_loop(enum pcdf_expr_op op, bool is_integer, int n, const struct pcdf_expr_block *args,
                    double *to);
/* A cast to a type that is not wide. Gives how many values do not fit, which become NaN. */
int64_t pcdf_expr_cast(nc_type type, int n, const struct pcdf_expr_block *arg, double *to);

/* exprwide.c. The same with results of up to 64 bits: x as doubles, NaN where missing, and exact. */
int64_t pcdf_expr_loop_wide(enum pcdf_expr_op op, nc_type type, int n, const struct pcdf_expr_block *args,
                            double *x, int64_t *exact);
/* Comparisons of integers of which one, at least, is wide. */
void pcdf_expr_compare_wide(enum pcdf_expr_op op, int n, const struct pcdf_expr_block *args, double *to);
#endif
