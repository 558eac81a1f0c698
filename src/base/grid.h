#ifndef PCDF_GRID_H
#define PCDF_GRID_H
/* Elements of an array have numbers, in their order: the last dimension runs fastest. So have the chunks of a
 * variable, as an array of chunks. An array without dimensions has one element. */

#include <stdint.h>

/* The index of element `number`. shape[0] does not matter: records may grow. */
void pcdf_grid_index(int ndims, const int64_t *shape, int64_t number, int64_t *index);
/* The number of the element at an index. The caller knows that it fits 63 bits. */
int64_t pcdf_grid_number(int ndims, const int64_t *shape, const int64_t *index);
/* Elements of an array, or of a box of it; INT64_MAX: they do not fit. */
int64_t pcdf_grid_count(int ndims, const int64_t *shape);
/* Chunks of an array, those at its ends count whole; INT64_MAX: they do not fit. */
int64_t pcdf_grid_chunks(int ndims, const int64_t *shape, const int64_t *chunk);
#endif
