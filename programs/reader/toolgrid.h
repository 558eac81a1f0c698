#ifndef PCDF_TOOLGRID_H
#define PCDF_TOOLGRID_H
/* Boxes of an array of values: an array is cut into boxes of one shape, which are visited in order and dealt
 * to ranks. No MPI.
 *
 * Indices and lengths are numbers of values along one dimension; the last dimension runs fastest. An array
 * without dimensions has one value. The caller knows that the values of an array fit 63 bits, as the decoder
 * proves for each variable; where it need not know that, this is said. */

#include <stdbool.h>
#include <stdint.h>
#include "grid.h"

/* ---- one array */

/* Goes on to the next index of the box that begins at `low` (NULL: at 0) and has these lengths. false: that
 * was the last one, and the index is the first one again. */
bool pcdf_grid_advance(int ndims, const int64_t *low, const int64_t *count, int64_t *index);
/* This rank's part of n units of work: from *from on, up to but not including *to. The parts of all ranks
 * follow each other in the order of ranks and differ by one unit at most. */
void pcdf_grid_share(int64_t n, int rank, int nranks, int64_t *from, int64_t *to);

/* ---- a box, cut into smaller ones */

struct pcdf_grid {
    int ndims;
    int64_t *low, *high;    /* the box that is cut: its first index, and the one behind its last */
    int64_t *step;          /* lengths of the smaller boxes; those at the end of the box are cut off */
    int64_t *start, *count; /* the smaller box that is visited: its first index, its lengths */
    bool is_begun;
};

/* Makes room for boxes of up to so many dimensions; false: no memory, and there is nothing to end. */
bool pcdf_grid_begin(struct pcdf_grid *grid, int ndims);
void pcdf_grid_end(struct pcdf_grid *grid);
/* Takes another box to cut. low: NULL: zeros; low + count fits 63 bits. step: at least 1. count and
 * step may be those of the grid itself. */
void pcdf_grid_cut(struct pcdf_grid *grid, int ndims, const int64_t *low, const int64_t *count,
                   const int64_t *step);
/* Visits the next smaller box, the first time the first one. false: there is none. */
bool pcdf_grid_next(struct pcdf_grid *grid);
/* How many smaller boxes there are; INT64_MAX: more than that. 0 where a length is 0. */
int64_t pcdf_grid_boxes(const struct pcdf_grid *grid);
/* Visits the smaller box that the call of _next with this number, from 0 on, would visit. */
void pcdf_grid_visit(struct pcdf_grid *grid, int64_t number);
/* Values of the box that is visited. */
int64_t pcdf_grid_values(const struct pcdf_grid *grid);
/* Chooses lengths of smaller boxes of an array: from the last dimension on as many units as `shape` needs,
 * while a box has at most `most` bytes, in a value `size` of them; then one unit of each dimension. A box has
 * at least one unit. unit: NULL: ones; any lengths from 1 on. is_even: the dimension that does not fit is cut
 * into equal parts, else into the longest ones that fit. */
void pcdf_grid_choose(int ndims, const int64_t *shape, const int64_t *unit, int64_t size, int64_t most,
                      bool is_even, int64_t *step);
#endif
