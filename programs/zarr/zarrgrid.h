#ifndef PCDF_ZARRGRID_H
#define PCDF_ZARRGRID_H
/* A box cut into smaller ones of one shape, those at its end cut off; the last dimension runs fastest. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_zarrgrid {
    int ndims;
    int64_t *low, *high, *step; /* of the box, high not included; lengths of a part */
    int64_t *start, *count;     /* the part where it stands */
    bool begun;
};

/* Room for boxes of up to so many dimensions; false: no memory. */
bool pcdf_zarrgrid_room(struct pcdf_zarrgrid *grid, int ndims);
void pcdf_zarrgrid_free(struct pcdf_zarrgrid *grid);
/* low NULL: zeros. */
void pcdf_zarrgrid_over(struct pcdf_zarrgrid *grid, int ndims, const int64_t *low, const int64_t *count,
                        const int64_t *step);
bool pcdf_zarrgrid_next(struct pcdf_zarrgrid *grid);
int64_t pcdf_zarrgrid_values(const struct pcdf_zarrgrid *grid); /* of the part */
/* Multiples of `unit` from the innermost dimension on, while the box has at most `most` bytes; never less
 * than one unit, never more than `shape` needs. even: equal parts of the dimension where it stops. */
void pcdf_zarrgrid_grow(int ndims, const int64_t *shape, const int64_t *unit, int size, int64_t most,
                        bool even, int64_t *step);
#endif
