#ifndef PCDF_CHUNKPART_H
#define PCDF_CHUNKPART_H
/* What a hyperslab has of one chunk of a chunked variable: again a hyperslab, whose elements lie in the
 * chunk's cell (cells.h). In the request they are not one behind the other, so a part knows both steps. Found
 * again from the hyperslab and any offset in the cell, so nobody has to keep it. */

#include <stddef.h>
#include "cells.h"
#include "varlayout.h"
#include "walk.h"

struct pcdf_chunk_cut { /* along one dimension */
    int64_t chunk;      /* which one of the grid */
    int64_t first, n;   /* indices of the hyperslab that lie in it, from 0; n > 0 */
};

struct pcdf_chunk_part {
    int64_t offset;  /* of its first byte */
    int64_t element; /* in the hyperslab, of its first element */
    struct pcdf_chunk_cut cuts[PCDF_CHUNK_DIMS];
};

/* Of a variable with layout->cells. The hyperslab is not empty, where nothing else is said. */

/* How many chunks a hyperslab touches; 0: it is empty. At most SIZE_MAX. */
size_t pcdf_chunk_parts_count(const struct pcdf_slab *slab, const struct pcdf_var_layout *layout);
/* The part with its first element, then the others in the order of the file; false: that was the last. */
void pcdf_chunk_part_first(struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                           const struct pcdf_var_layout *layout);
bool pcdf_chunk_part_next(struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                          const struct pcdf_var_layout *layout);
/* Its bytes, where it is one block in the file and in the request; else 0. */
int64_t pcdf_chunk_part_block(const struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                              const struct pcdf_var_layout *layout);
/* As pcdf_slab_span and pcdf_walk_start, of the part in the chunk to which the byte at `offset` belongs;
 * there is one. element: of the part's first, in the request. */
int64_t pcdf_chunk_part_span(const struct pcdf_slab *slab, const struct pcdf_var_layout *layout,
                             int64_t offset, int64_t *blocks);
void pcdf_chunk_part_walk(struct pcdf_walk *walk, const struct pcdf_slab *slab,
                          const struct pcdf_var_layout *layout, int64_t offset, int64_t element);
#endif
