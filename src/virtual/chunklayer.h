#ifndef PCDF_CHUNKLAYER_H
#define PCDF_CHUNKLAYER_H
/* The storage "chunks" from inside: what its functions (chunkstorage.c) and its move (chunkmove.c) stand on.
 */

#include <pthread.h>
#include "chunkblocks.h"
#include "chunkbuffers.h"
#include "chunkstorage.h"
#include "status.h"

struct pcdf_chunkworker { /* memory of a thread that encodes and decodes */
    struct pcdf_chunkworker *next;
    struct pcdf_codec_scratch scratch;
    unsigned char *stored; /* a chunk as it was read */
    size_t nstored;
    int64_t counted; /* its bytes in worker_bytes */
};

/* What became of the sealed blocks. */
enum pcdf_chunkbatch { PCDF_BATCH_HAS_NO_PLACE, PCDF_BATCH_WAITS, PCDF_BATCH_IS_WRITTEN };

struct pcdf_chunks {
    struct pcdf_storage storage;
    struct pcdf_chunks_config config;
    /* lock: for all that follows. io: one thread at a time uses the storage below; taken without the other.
     */
    pthread_mutex_t lock, io;
    pthread_cond_t freed; /* a chunk was released */
    struct pcdf_chunkbuffers buffers;
    struct pcdf_chunkblocks blocks;
    enum pcdf_chunkbatch batch; /* IS_WRITTEN: by a thread, now */
    int64_t base;               /* its place, if it has one */
    struct pcdf_chunkindex index;
    struct pcdf_chunk_cursor cursor;
    struct pcdf_chunkworker *workers; /* that nobody uses */
    int64_t worker_bytes;             /* theirs, and of those in use at last */
    struct pcdf_chunks_counts counts;
    int failed; /* code of the failed put, and its sentence */
    char text[PCDF_SENTENCE];
};

/* NULL: no memory. */
struct pcdf_chunkworker *pcdf_chunks_hire(struct pcdf_chunks *l);
void pcdf_chunks_dismiss(struct pcdf_chunks *l, struct pcdf_chunkworker *w);

struct pcdf_chunkbuffer *pcdf_chunks_claim(struct pcdf_chunks *l, int varid, int64_t number);
void pcdf_chunks_release(struct pcdf_chunks *l, struct pcdf_chunkbuffer *c);

/* Encodes n bytes of values, which become the block of a chunk that is claimed, in the place of what it has.
 * keeps: the values that it has are these, and stay. */
int pcdf_chunks_encode(struct pcdf_chunks *l, struct pcdf_chunkbuffer *c, const void *values, size_t n,
                       bool keeps, struct pcdf_chunkworker *w);
/* All of a kind, by all threads. */
int pcdf_chunks_encode_all(struct pcdf_chunks *l, enum pcdf_chunkbuffer_kind kind);
/* Those that are full; the second one only if there are enough for them. */
int pcdf_chunks_encode_full(struct pcdf_chunks *l);
int pcdf_chunks_encode_many(struct pcdf_chunks *l);
/* Where it is in the file. *chunk has length -1, where it is not there. *values: of one whose values are in
 * the map itself; else NULL. */
int pcdf_chunks_find(struct pcdf_chunks *l, int varid, int64_t number, struct pcdf_stored_chunk *chunk,
                     const unsigned char **values);
int pcdf_chunks_find_locked(struct pcdf_chunks *l, int varid, int64_t number, struct pcdf_stored_chunk *chunk,
                            const unsigned char **values); /* the same, by one who has the lock */
/* The batch that waits for a thread to write it, if there is one, is in the file then. */
int pcdf_chunks_write_batch(struct pcdf_chunks *l);
/* Moves pieces of the file. A put that fails is the last one. */
int pcdf_chunks_below(struct pcdf_chunks *l, const struct pcdf_extents *x, int64_t *got);
/* Of a put that failed: returns err. */
int pcdf_chunks_fail(struct pcdf_chunks *l, int err);
int pcdf_chunks_failure(struct pcdf_chunks *l); /* an earlier put failed */
/* Names variable and chunk before the sentence; returns err. */
int pcdf_chunks_told(const struct pcdf_chunks *l, int varid, int64_t number, int err);
#endif
