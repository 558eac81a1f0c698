#ifndef PCDF_CHUNKSHAPE_H
#define PCDF_CHUNKSHAPE_H
/* Chunk shapes by who writes: a chunk that one rank fills alone needs no other rank's bytes. How the ranks
 * divide a variable is told by a few numbers, from the hyperslabs of its first put. They describe blocks of
 * one length along each dimension; other decompositions are told apart by them, and get chunks that few
 * ranks share.
 *
 *     each rank:  begin, add for each of its hyperslabs, finish
 *     together:   the first `n` numbers become the largest ones of all ranks (MPI_MAX)
 *     each rank:  pcdf_chunk_shape; the result is the same
 *
 * Any shape that comes out is valid; a description that is wrong costs time, not values. No I/O, no MPI. */

#include "cells.h"

struct pcdf_chunk_limits {
    int64_t least, most; /* bytes of a chunk; most counts more */
    int64_t ranks;       /* that write; scattered values get as many chunks */
};

enum {
    PCDF_DEAL_EACH = 6, /* numbers of a dimension */
    PCDF_DEAL_MOST = 1 + PCDF_DEAL_EACH * PCDF_CHUNK_DIMS,
    PCDF_CHUNK_LEAST = 256 << 10, /* the limits, where no hint gives others */
    PCDF_CHUNK_MOST = 16 << 20
};

struct pcdf_chunk_deal { /* numbers: all ranks'; the others this rank's */
    int ndims, n;        /* n: how many numbers */
    /* This rank's number among owners of chunks (chunkowners.h); begin makes it 0. -1: it is none. */
    int owner;
    int64_t slabs, elements;
    int64_t length[PCDF_CHUNK_DIMS];                     /* the variable's; records have 0 */
    int64_t low[PCDF_CHUNK_DIMS], high[PCDF_CHUNK_DIMS]; /* the box around its hyperslabs */
    int64_t numbers[PCDF_DEAL_MOST];
};

/* A rank that puts nothing, or a variable of more than PCDF_CHUNK_DIMS dimensions, has nothing to add. */
void pcdf_chunk_deal_begin(struct pcdf_chunk_deal *deal, const struct pcdf_meta *meta, int varid);
/* stride NULL: ones. Start and count lie in the variable. */
void pcdf_chunk_deal_add(struct pcdf_chunk_deal *deal, const int64_t *start, const int64_t *count,
                         const int64_t *stride);
/* After the last one: hyperslabs that are one block together count as one. */
void pcdf_chunk_deal_finish(struct pcdf_chunk_deal *deal);

/* What all ranks agreed on, of one dimension: where they begin, the lowest number of an owner that begins
 * behind 0, and the least place behind 0 where one begins (where highest > 0). */
struct pcdf_deal_dim {
    int64_t lowest, highest, first, least;
};
struct pcdf_deal_dim pcdf_chunk_deal_dim(const struct pcdf_chunk_deal *deal, int d);
/* Somebody puts, and each rank one block. */
bool pcdf_chunk_deal_is_dense(const struct pcdf_chunk_deal *deal);

/* The shape of a variable's chunks. One record deep, where a record has 4 KiB. deal: of all ranks; NULL, or
 * one of no elements: nobody knows yet, then ranges of up to 4 MiB, as they lie in a classic file. Not longer
 * than a fixed dimension; below 4 GiB; below 2^31 chunks (in a record). NC_EBADCHUNK: the variable has no
 * dimensions; NC_EMAXDIMS. */
int pcdf_chunk_shape(const struct pcdf_meta *meta, int varid, const struct pcdf_chunk_deal *deal,
                     const struct pcdf_chunk_limits *limits, int64_t *shape);
#endif
