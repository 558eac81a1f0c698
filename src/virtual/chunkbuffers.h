#ifndef PCDF_CHUNKBUFFERS_H
#define PCDF_CHUNKBUFFERS_H
/* Chunks of a file that is written, as far as they are in memory: decoded values (those that are incomplete,
 * and some that were read), or encoded ones (chunkblocks.h), or both. A thread claims a chunk before it looks
 * into it or changes it, which it then does without the lock; another one that wants the same chunk waits.
 * Local; all functions are called with the lock of the storage. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pcdf_chunkblock;

struct pcdf_chunkbuffer {
    struct pcdf_chunkbuffer *next;          /* in its bucket */
    struct pcdf_chunkbuffer *newer, *older; /* by use, of those with values that nobody has claimed */
    int64_t number;
    int64_t put; /* bytes that were put; as many as it has: it is complete */
    int varid;
    bool is_claimed;
    bool is_changed;       /* the values are encoded nowhere; then there is no block */
    bool is_full;          /* changed, and complete */
    unsigned char *values; /* NULL: none. Owned */
    size_t n;
    struct pcdf_chunkblock *block; /* NULL: none. Of the chunkblocks */
};

enum pcdf_chunkbuffer_kind { PCDF_CHUNKS_CLEAN, PCDF_CHUNKS_CHANGED, PCDF_CHUNKS_FULL, PCDF_CHUNKS_KINDS };

struct pcdf_chunkbuffer_list {
    struct pcdf_chunkbuffer *newest, *oldest;
};

struct pcdf_chunkbuffers {
    struct pcdf_chunkbuffer **buckets;
    size_t nbuckets; /* a power of two, which grows with n */
    size_t n;        /* chunks */
    struct pcdf_chunkbuffer_list lists[PCDF_CHUNKS_KINDS];
    size_t nfull;                  /* in their list */
    int64_t held;                  /* bytes of values */
    struct pcdf_chunkspare *spare; /* memory of values that are gone */
    int64_t spare_bytes;
};

int pcdf_chunkbuffers_make(struct pcdf_chunkbuffers *buffers); /* NC_ENOMEM */
void pcdf_chunkbuffers_free(struct pcdf_chunkbuffers *buffers);
/* The chunk, which is the caller's until he releases it; it is made if there is none. Waits at `freed`, with
 * the lock. NULL: no memory. */
struct pcdf_chunkbuffer *pcdf_chunkbuffers_claim(struct pcdf_chunkbuffers *buffers, int varid, int64_t number,
                                                 pthread_mutex_t *lock, pthread_cond_t *freed);
/* Of those with values of a kind, the one that was used least lately. NULL: all are claimed, or there is
 * none.
 */
struct pcdf_chunkbuffer *pcdf_chunkbuffers_claim_oldest(struct pcdf_chunkbuffers *buffers,
                                                        enum pcdf_chunkbuffer_kind kind);
/* One without values and block goes. The caller wakes those who wait. */
void pcdf_chunkbuffers_release(struct pcdf_chunkbuffers *buffers, struct pcdf_chunkbuffer *c);
/* Bytes of memory beside those of values and blocks. */
int64_t pcdf_chunkbuffers_overhead(const struct pcdf_chunkbuffers *buffers);
/* Is there one? Not claimed: for a look alone. */
const struct pcdf_chunkbuffer *pcdf_chunkbuffers_find(const struct pcdf_chunkbuffers *buffers, int varid,
                                                      int64_t number);
/* Memory for n bytes of values: such that was used before costs less than new. NULL: none. */
unsigned char *pcdf_chunkbuffers_memory(struct pcdf_chunkbuffers *buffers, size_t n);
/* Are more bytes of values held? Gives memory back that has none, as far as it is above. */
bool pcdf_chunkbuffers_is_above(struct pcdf_chunkbuffers *buffers, int64_t bytes);
/* Of a chunk that is claimed: values are given to it, or freed. */
void pcdf_chunkbuffers_give(struct pcdf_chunkbuffers *buffers, struct pcdf_chunkbuffer *c,
                            unsigned char *values, size_t n);
void pcdf_chunkbuffers_drop_values(struct pcdf_chunkbuffers *buffers, struct pcdf_chunkbuffer *c);
/* The block of a chunk that nobody has claimed was written and is gone. keeps: its values stay, if it has
 * them. Others may change a chunk that is not encoded where it is, so its values must not. */
void pcdf_chunkbuffers_was_written(struct pcdf_chunkbuffers *buffers, struct pcdf_chunkbuffer *c, bool keeps);
#endif
