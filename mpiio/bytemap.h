#ifndef PCDF_BYTEMAP_H
#define PCDF_BYTEMAP_H
/* Which bytes of a window are there: pieces in any order, from any number of ranks, overlapping or not,
 * become rising runs. A bit stands for as many bytes as divide all pieces, so whole rows cost a bit or two.
 * No MPI and no allocation. */

#include <stdbool.h>
#include "nodes.h"

struct pcdf_bytemap {
    /* Room for as many bits as there are bytes before `end`, and two words. */
    uint64_t *bits;
    /* Runs are looked for from `begin` on. No piece ends behind `end`. */
    uint32_t begin, end;
    int shift; /* a bit stands for 1 << shift bytes */
    bool has_pieces;
};

/* Empty. `bits` is set. */
void pcdf_bytemap_clear(struct pcdf_bytemap *c, uint32_t end);
/* True: some of it was there before. */
bool pcdf_bytemap_add(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, uint32_t n);
/* The first run at or behind `from`; runs no further apart than `gap` bytes are one. False: there is none. */
bool pcdf_bytemap_run(const struct pcdf_bytemap *c, uint32_t from, uint32_t gap,
                      struct pcdf_short_piece *run);
#endif
