#ifndef PCDF_CHUNKDIVISION_H
#define PCDF_CHUNKDIVISION_H
/* How ranks divide a variable, found from what they put first (chunkshape.h), so that chunks belong to those
 * who fill them. A division that is not found costs time, not values.
 *
 *     each rank, of what all agreed on:   propose; check with what it puts itself
 *     together:                           each of `fits` becomes the smallest one (MPI_MIN)
 *     each rank:                          choose; the result is the same
 *
 * No I/O, no MPI. */

#include "chunkowners.h"
#include "chunkshape.h"

enum { PCDF_OWNER_FITS = PCDF_OWNER_DIMS * PCDF_BORDERS_N };

/* A grid of ranks by what all agreed on; owners->ranks 0: there is none. */
void pcdf_chunk_owners_propose(struct pcdf_chunk_owners *owners, const struct pcdf_chunk_deal *deal,
                               int ranks);
/* By which rules does it have what this rank puts? The deal's own numbers (low, high) are this rank's. */
void pcdf_chunk_owners_check(const struct pcdf_chunk_owners *owners, const struct pcdf_chunk_deal *deal,
                             int64_t fits[PCDF_OWNER_FITS]);
/* The first rule of each dimension that fits all. owners->ranks becomes 0 where one has none, or half of the
 * ranks would own nothing. */
void pcdf_chunk_owners_choose(struct pcdf_chunk_owners *owners, const int64_t fits[PCDF_OWNER_FITS]);
#endif
