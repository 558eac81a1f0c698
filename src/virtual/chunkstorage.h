#ifndef PCDF_CHUNKSTORAGE_H
#define PCDF_CHUNKSTORAGE_H
/* The storage "chunks": a layer that writes chunks. What is moved through it are pieces of the space of cells
 * (format/cells.h); below it are the bytes of the file. It assembles chunks, encodes those that are complete,
 * and knows where chunks lie. What a chunk has outside of its variable is fill.
 *
 *     put ... complete -> seal -> (the ranks agree on a base for each) -> place -> news, for HDF5's metadata
 *
 * A chunk that is encoded gets a new place in the file each time, so that what the metadata of the last sync
 * says stays true. One without codecs that has a place is changed where it is, as the values of a classic
 * file are.
 *
 * Who owns a chunk. One rank at a time changes a chunk. It alone gets and puts it, until all ranks have
 * completed and placed theirs, and have learned what the others took; then the chunk may have another
 * owner, and any rank gets it from the file. Places are never used twice and only rise, so of two places of a
 * chunk that is encoded the higher one is the newer.
 *
 * Beyond the rules of storage.h: bytes of the space that no chunk has are accepted and forgotten, and are
 * zeros in a get; those of a chunk outside of its variable are taken as they come, so a put leaves them out.
 * A plan has none of them, and neither two-phase nor the write queue puts a byte that no rank gave; data
 * sieving does, and takes the end of the file for that of the space, so it must be off. size, resize and sync
 * are those of the file below; a sync says nothing of chunks that have no place yet. A failed put below is
 * final. Local; move is for any number of threads, the functions here are for one of them. */

#include "cells.h"
#include "chunkindex.h"
#include "chunkmap.h"
#include "codecs.h"
#include "storage.h"

struct pcdf_chunks;

struct pcdf_chunks_var {
    const char *name;                /* for sentences */
    int64_t place;                   /* not chunked: where the first of its bytes is in the file */
    const unsigned char *fill;       /* one value, as the file has it; NULL: zeros */
    struct pcdf_chain chain;         /* n 0: its chunks are not encoded */
    const struct pcdf_chunkmap *map; /* chunks that were in the file when it was opened; NULL: none */
    int64_t map_chunks;              /* how many numbers the map knows */
    int store;                       /* in the map: this file */
};

struct pcdf_chunks_config { /* what it points to outlives the storage, or the next relayout */
    const struct pcdf_cells *cells;
    const struct pcdf_chunks_var *vars; /* of each variable of cells */
    /* Most bytes of decoded chunks in memory; one for each thread there is at least. What is encoded waits
     * for its place without a limit: the caller places after each step of a put. */
    int64_t cache;
    /* That encode, with the caller's; 0: one. If there are more, complete chunks wait until there are two for
     * each, or for the seal. They use nothing of the storage below. */
    int threads;
};

struct pcdf_chunks_counts {
    int64_t chunks, values, stored; /* that got a place; their bytes before and after */
    int64_t incomplete;             /* encoded because the cache was full */
    int64_t again;                  /* that had a place or were encoded, and were decoded to be changed */
    int64_t lost;                   /* bytes in the file of which the index knows nothing any more */
};

struct pcdf_chunks_memory { /* bytes */
    int64_t values;         /* of decoded chunks */
    /* Of chunks that have no place in the file yet: encoded, and what each takes beside. */
    int64_t waiting;
    /* Of what is known of those that have one: 38 to 59 each. */
    int64_t index;
    int64_t all; /* with memory that will be used again */
};

/* Lays it on *top. NC_ENOMEM; NC_ENOTBUILT: a codec that cannot be used; NC_ENOTSUPPORT: a map of chunks that
 * are objects of their own. */
int pcdf_chunks_stack(const struct pcdf_chunks_config *config, struct pcdf_storage **top,
                      struct pcdf_chunks **chunks);
/* Other definitions, in which each chunk that there was has its number and shape as before. Nothing else runs
 * meanwhile. On failure nothing has changed. */
int pcdf_chunks_relayout(struct pcdf_chunks *chunks, const struct pcdf_chunks_config *config);

/* Encodes all chunks that are incomplete. Their values stay in memory, as far as they have room: what comes
 * next may change them. */
int pcdf_chunks_complete(struct pcdf_chunks *chunks);
void pcdf_chunks_memory(struct pcdf_chunks *chunks, struct pcdf_chunks_memory *memory); /* now */
/* After a failure: what of the chunks that this rank owns is in the file, all the same. Nothing else runs. */
struct pcdf_chunks_left {
    bool is_put; /* a put below failed */
    /* As many as have no chunk that is not in the file as it should be; or INT64_MAX. */
    int64_t records;
    int64_t end; /* behind the last chunk; or 0 */
};
struct pcdf_chunks_left pcdf_chunks_left(struct pcdf_chunks *chunks);
/* Bytes of the chunks of which these pieces have something, whole or in part: what they may need in memory.
 */
int64_t pcdf_chunks_touched(const struct pcdf_chunks *chunks, const struct pcdf_extents *x);
/* Makes a batch of the chunks that wait: *bytes are what it needs in the file. Where a batch has no place
 * yet, it is this one still; where one waits for a thread to write it, there is none. Those that are not
 * encoded, and have got a place since they were put, are written to it first. */
int pcdf_chunks_seal(struct pcdf_chunks *chunks, int64_t *bytes);
/* Writes that batch from `base` on. */
int pcdf_chunks_place(struct pcdf_chunks *chunks, int64_t base);
/* The next put by a thread of a queue writes it (extents.by_thread), or pcdf_chunks_complete. Where it fails,
 * that fails. */
int pcdf_chunks_place_later(struct pcdf_chunks *chunks, int64_t base);
/* Places that chunks got here, and that the metadata, or the other ranks, which take the higher of two
 * places, have not heard of: chunkindex.h. */
size_t pcdf_chunks_count_news(struct pcdf_chunks *chunks, enum pcdf_chunknews of);
size_t pcdf_chunks_news(struct pcdf_chunks *chunks, enum pcdf_chunknews of, size_t *at,
                        struct pcdf_stored_chunk *x, size_t most);
void pcdf_chunks_was_told(struct pcdf_chunks *chunks, enum pcdf_chunknews of);
/* What is known here of these chunks is news again. */
void pcdf_chunks_renew(struct pcdf_chunks *chunks, enum pcdf_chunknews of, const struct pcdf_stored_chunk *x,
                       size_t n);
/* Places of chunks that others wrote; all their bytes are in the file. Of two places of a chunk the higher
 * one holds, so what this rank told may be among them. On failure nothing is learned. */
int pcdf_chunks_learn(struct pcdf_chunks *chunks, const struct pcdf_stored_chunk *x, size_t n);
void pcdf_chunks_count(struct pcdf_chunks *chunks, struct pcdf_chunks_counts *counts);
#endif
