#ifndef PCDF_CHECKSUM_BLOCKS_H
#define PCDF_CHECKSUM_BLOCKS_H
/* Checksums of a file's fixed blocks as bytes pass: what this process wrote is summed while it is at hand,
 * and what it reads is compared. The layer checksumstorage.c notes what passes, has a mark made before the
 * first write, and compares what is read. Where the sums are kept, and what the ranks agree on, is the
 * owner's business. */

#include "storage.h"

/* What a rank knows of a block, as numbers that add up over the ranks: only a block that one rank alone
 * wrote, whole and in order, comes out as PCDF_BLOCK_SUMMED in the upper half, with its CRC in the lower. */
#define PCDF_BLOCK_SUMMED  ((uint64_t)1 << 32)
#define PCDF_BLOCK_CHANGED ((uint64_t)2 << 32)

struct pcdf_checksum_blocks {
    int64_t block_size;

    /* --- writing */
    bool notes; /* what is written counts */
    /* before_write succeeded since the last clear, here or for all ranks. */
    bool marked;
    /* Called before the first write. What it returns is the write's result. */
    int (*before_write)(void *context);
    /* Pages of PCDF_BLOCKS_A_PAGE blocks each, where one was written. */
    uint64_t **pages;
    int64_t npages;
    int64_t first, end; /* blocks written lie from first to end */
    bool lost;          /* no memory for notes: any block may differ */
    /* The run: bytes in order from the start of a block up to here. */
    int64_t run_next;
    uint32_t run_crc;
    /* Its blocks are cloned where they are the same. NULL: all is written. */
    struct pcdf_olderfile *older;

    /* --- reading */
    /* The owner's sums of all blocks. NULL: nothing is compared. */
    const uint32_t *expected;
    int64_t expected_size; /* the file's */
    unsigned char *good;   /* a bit a block: compared, and right */
    /* Room for one block, where a part of it is wanted. */
    char *room;
    /* Asked before a block is called wrong: do the sums still count? */
    bool (*still_holds)(void *context);
    int (*is_wrong)(void *context, int64_t block, uint32_t sum); /* gives the code, with a sentence */
    void *context;                                               /* for the three calls back */
};

enum { PCDF_BLOCKS_A_PAGE = 4096 };

/* Has the mark made, unless it is. */
int pcdf_checksum_blocks_mark(struct pcdf_checksum_blocks *b);
/* What the storage accepted; data NULL: it did not, or not all. */
void pcdf_checksum_blocks_put(struct pcdf_checksum_blocks *b, const char *data, int64_t offset,
                              int64_t length);

uint64_t pcdf_checksum_blocks_value(const struct pcdf_checksum_blocks *b, int64_t block); /* 0: not written */
void pcdf_checksum_blocks_clear(struct pcdf_checksum_blocks *b); /* nothing was written */
void pcdf_checksum_blocks_free(struct pcdf_checksum_blocks *b);  /* what it owns */

/* Reads from `below`, and compares what was not compared before. A block that a piece has whole is summed
 * there; another one is read once, whole, and what is wanted of it is copied. What is_wrong returns,
 * NC_ENOMEM, or why it cannot be read. *got is raised. */
int pcdf_checksum_blocks_get(struct pcdf_checksum_blocks *b, struct pcdf_storage *below,
                             const struct pcdf_extents *x, int64_t *got);

/* Lays the layer on *top; b outlives it. */
int pcdf_checksumstorage_stack(struct pcdf_checksum_blocks *b, struct pcdf_storage **top);
#endif
