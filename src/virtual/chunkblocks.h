#ifndef PCDF_CHUNKBLOCKS_H
#define PCDF_CHUNKBLOCKS_H
/* Encoded chunks that wait in memory until it is known where in the file they will lie. All ranks seal what
 * they have, agree on where each begins, and write. Local; one thread at a time, but for the functions whose
 * comment says otherwise. */

#include "array.h"
#include "storage.h"

struct pcdf_chunkbuffer;

struct pcdf_chunkslab { /* memory of several blocks, one behind the other */
    struct pcdf_chunkslab *next;
    size_t room, used, live; /* live: blocks that are in it */
    unsigned char bytes[];
};

struct pcdf_chunkblock {
    struct pcdf_chunkblock *next, *before; /* those that wait, but the sealed ones */
    /* Whose last values they are. NULL: it has newer ones, but the block is sealed, so it is written. */
    struct pcdf_chunkbuffer *owner;
    int64_t number;
    int64_t nvalues; /* bytes before they were encoded */
    int varid;
    uint32_t mask; /* as in codecs.h */
    bool is_sealed;
    struct pcdf_chunkslab *slab;
    size_t n;
    unsigned char *bytes; /* in the slab */
};

struct pcdf_chunkblocks { /* begins as zeros */
    struct pcdf_chunkblock *waiting;
    size_t nwaiting;
    int64_t waiting_bytes, sealed_bytes;         /* encoded */
    PCDF_ARRAY(struct pcdf_chunkblock *) sealed; /* by varid and number */
    struct pcdf_chunkslab *slabs;                /* the one taken last comes first */
    int64_t slab_bytes;
};

/* A block with room for n bytes, which is added when it has them. New memory costs more than shuffle or a
 * copy, so that of blocks that are gone is used again. NULL: no memory. */
struct pcdf_chunkblock *pcdf_chunkblocks_new(struct pcdf_chunkblocks *blocks, size_t n);
void pcdf_chunkblocks_give_back(struct pcdf_chunkblock *block); /* one that is not added */
void pcdf_chunkblocks_add(struct pcdf_chunkblocks *blocks, struct pcdf_chunkblock *block);
/* Its chunk has newer values. Frees it, unless it is sealed. */
void pcdf_chunkblocks_drop(struct pcdf_chunkblocks *blocks, struct pcdf_chunkblock *block);
/* What waits is sealed. Nothing, where there is a sealed block: that one is to be written first. */
int pcdf_chunkblocks_seal(struct pcdf_chunkblocks *blocks);
/* Writes the sealed ones, one behind the other from `base` on, by puts of many of them. They remain. Any
 * thread; nobody seals meanwhile. */
int pcdf_chunkblocks_write(const struct pcdf_chunkblocks *blocks, struct pcdf_storage *below, int64_t base);
size_t pcdf_chunkblocks_n(const struct pcdf_chunkblocks *blocks); /* those that wait, and sealed ones */
/* Bytes of memory beside those of slabs. */
int64_t pcdf_chunkblocks_overhead(const struct pcdf_chunkblocks *blocks);
/* Frees the sealed ones, of which the owners know nothing any more. */
void pcdf_chunkblocks_end(struct pcdf_chunkblocks *blocks);
void pcdf_chunkblocks_free(struct pcdf_chunkblocks *blocks);
#endif
