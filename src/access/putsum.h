#ifndef PCDF_PUTSUM_H
#define PCDF_PUTSUM_H
/* Which elements of a record were put, as one number. Each element of each record variable has a number that
 * looks like chance; the sum, modulo 2^64, of those that were put is that of all elements if each was put
 * once (and otherwise with a chance of about 2^-60). Sums of ranks and of calls are added.
 *
 * The number of an element is a product over the dimensions behind the record's; in each dimension it is the
 * difference of two values of a function that looks like chance. So the sum over a hyperslab is a product of
 * differences, whatever its size; only a stride takes a step for each index. All differences are odd, since a
 * product of many even ones would be 0. */

#include "meta.h"
#include "walk.h"

/* Of one record of a hyperslab of record variable `varid`; 0 where it has no elements. */
uint64_t pcdf_putsum_of_slab(int varid, const struct pcdf_slab *slab, int ndims);
/* Of all elements of a record, of all record variables. */
uint64_t pcdf_putsum_of_record(const struct pcdf_meta *meta);
#endif
