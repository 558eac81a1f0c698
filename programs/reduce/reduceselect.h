#ifndef PCDF_REDUCESELECT_H
#define PCDF_REDUCESELECT_H
/* Quantiles of any number of values in memory that does not grow with it: values are counted in bins, of
 * which the one with the value looked for is cut into bins in the next pass, until a bin is one value. All
 * values come again in each pass, in any order. Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PCDF_REDUCE_LEAST_BITS = 8, PCDF_REDUCE_MOST_BITS = 16 };

struct pcdf_reduce_target { /* one of the two values that a quantile lies between */
    uint64_t known;         /* the first bits of its key; keys are in the order of values */
    int64_t rank;           /* among values that begin with these bits */
};

struct pcdf_reduce_select {
    int64_t n; /* cells */
    int bits;  /* that a pass finds, at most */
    int known, step;
    double quantile;
    struct pcdf_reduce_target *targets; /* two a cell */
    int64_t *counts, *bins;             /* values of each cell; bins of each target */
};

/* Of a cell. */
size_t pcdf_reduce_select_bytes(int bits);
/* NC_ENOMEM. */
int pcdf_reduce_select_make(struct pcdf_reduce_select *select, int64_t n, int bits, double quantile);
void pcdf_reduce_select_free(struct pcdf_reduce_select *select);
/* NaN is no value. */
void pcdf_reduce_select_add(struct pcdf_reduce_select *select, int64_t cell, double x);
/* A pass is over; true: there is one more. */
bool pcdf_reduce_select_next(struct pcdf_reduce_select *select);
/* After the last pass, of a cell that has values. */
double pcdf_reduce_select_result(const struct pcdf_reduce_select *select, int64_t cell);
/* The value at `part` of the way from one to the next one. */
double pcdf_reduce_between(double low, double high, double part);
#endif
