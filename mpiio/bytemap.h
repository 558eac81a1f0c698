#ifndef PCDF_BYTEMAP_H
#define PCDF_BYTEMAP_H
/* Which bytes of a window are there: pieces in any order, from any number of ranks, overlapping or not,
 * become rising runs. A bit stands for as many bytes as divide all pieces, so whole rows cost a bit or two.
 * No MPI and no allocation. */

#include <stdbool.h>
#include "nodes.h"

struct pcdf_bytemap {
    uint64_t *bits;
    int shift;          /* a bit stands for 1 << shift bytes */
    uint32_t low, high; /* bytes between which pieces lie */
    int64_t pieces;
};

/* First all lists are measured, then begun, then added; then runs are taken. bits: room for `window` bits. */
void pcdf_bytemap_start(struct pcdf_bytemap *c, uint64_t *bits);
void pcdf_bytemap_measure(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, int64_t n);
void pcdf_bytemap_begin(struct pcdf_bytemap *c);
/* True: some of it was there before. */
bool pcdf_bytemap_add(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, int64_t n);
/* The first run at or behind `from`; runs no further apart than `gap` bytes are one. False: there is none. */
bool pcdf_bytemap_run(const struct pcdf_bytemap *c, uint32_t from, uint32_t gap,
                      struct pcdf_short_piece *run);
#endif
