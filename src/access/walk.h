#ifndef PCDF_WALK_H
#define PCDF_WALK_H
/* A hyperslab as blocks of the file, in file order, without listing them: dimensions that are contiguous or
 * evenly spaced in the file are collapsed first, so that a whole variable is one block and a strided row one
 * loop. */

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include "varlayout.h"

struct pcdf_slab { /* one hyperslab; lengths ndims */
    const MPI_Offset *start;
    const MPI_Offset *count;  /* NULL = ones */
    const MPI_Offset *stride; /* NULL = ones */
};

struct pcdf_loop {
    int64_t count, step, at;
    int64_t skip; /* elements of the request that a step passes by; only parts of chunks have such */
};

struct pcdf_walk {
    int64_t offset;  /* of the current block: bytes from the start of the file */
    int64_t element; /* its first element, counted in the request */
    int64_t run;     /* bytes of what is left of the block */
    int64_t block;   /* bytes of a whole block */
    int shift;       /* an element has 1 << shift bytes */
    int nloops;
    struct pcdf_loop *loops; /* outermost first; room for ndims */
};

/* Elements of a slab; 0 when a count is 0. */
int64_t pcdf_slab_elements(const struct pcdf_slab *slab, int ndims);
/* Bytes from its first to the end of its last; *blocks: at most how many it is. It is not empty. */
int64_t pcdf_slab_span(const struct pcdf_slab *slab, const struct pcdf_var_layout *layout, int64_t *blocks);

/* Sets walk to the first block of a slab that is not empty. walk->loops: room for layout->ndims loops, given
 * by the caller. element: number of the slab's first element in its request. */
void pcdf_walk_start(struct pcdf_walk *walk, const struct pcdf_slab *slab,
                     const struct pcdf_var_layout *layout, int64_t element);
/* Takes n bytes (<= walk->run, whole elements) off the current block; false when nothing is left of the slab.
 */
bool pcdf_walk_take(struct pcdf_walk *walk, int64_t n);
/* From the first block, where it stands, to the first element that begins at or after `from`; false when
 * there is none. By arithmetic, whatever lies between. */
bool pcdf_walk_seek(struct pcdf_walk *walk, int64_t from);
#endif
