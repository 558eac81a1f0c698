#ifndef PCDF_CALCSTORE_H
#define PCDF_CALCSTORE_H
/* Values become numbers of a type, in the order of this machine. Pure. */

#include "exprloops.h"

/* n values from number `first` of the block on. fill: one number, for what is missing. Gives how many values
 * do not fit the type, or would be read as missing since they are the fill value: they are missing. */
int64_t pcdf_calc_store(nc_type type, const void *fill, const struct pcdf_expr_block *values, int64_t first,
                        int64_t n, void *to);
#endif
