#ifndef PCDF_WRITEQUEUE_H
#define PCDF_WRITEQUEUE_H
/* A layer that accepts puts and writes them later, by the thread of writer.h (hint pcdf_async).
 *
 * - A put that may wait (extents.h) returns when its bytes are in the memory of the queue. Where its data
 * lies in a block that the queue lent, nothing is copied. If there is no room, the caller waits.
 * - Writes of one queue keep their order. A put that may not wait goes after all of them, at once.
 * - A get waits for the writes that overlap it; sync, resize and close wait for all. The size tells of what
 *   waits, too.
 * - The first write that fails ends the queue: what waits behind it is dropped. Every later put and sync
 *   returns its code and sentence; so does pcdf_writequeue_failure.
 * - What was accepted by this process is no secret to it, but one to other processes: who lets them read, or
 *   write over it, settles first (transfer/outstanding.h).
 *
 * The functions take the storage on top, and find the layer. Where there is none, nothing ever waits. They,
 * and the operations of the layer, are for one thread at a time, as all of a storage. */

#include "stagelog.h"
#include "storage.h"

struct pcdf_tracefile;

struct pcdf_writequeue_wish {
    int64_t bytes; /* of memory, for all queues of the process: that of the first one open holds */
    int64_t rate;  /* bytes a second; 0: no limit */
    struct pcdf_tracefile *log; /* NULL, or where writes and waits are lines (tracestorage.h) */
};

/* Lays the layer on *top, whose storages may all be used by another thread than the one that calls MPI.
 * NC_ENOMEM: nothing was laid. */
int pcdf_writequeue_stack(const struct pcdf_writequeue_wish *wish, struct pcdf_storage **top);

bool pcdf_writequeue_is_on(const struct pcdf_storage *top);
int64_t pcdf_writequeue_bytes(const struct pcdf_storage *top); /* of its memory; 0: there is none */
/* Memory for the data of puts to come, at a multiple of 64; waits for room. NULL: there is none. Blocks of
 * more than pcdf_writequeue_lends bytes are not lent. */
char *pcdf_writequeue_lend(struct pcdf_storage *top, int64_t bytes);
int64_t pcdf_writequeue_lends(const struct pcdf_storage *top);
/* The caller puts nothing more from there; only the first `used` bytes were put. */
void pcdf_writequeue_give(struct pcdf_storage *top, char *lent, int64_t used);

/* Puts that have no room in memory go to this log, which outlives the storage; until it is set to NULL again,
 * when nothing waits. */
void pcdf_writequeue_stage(struct pcdf_storage *top, struct pcdf_stagelog *log);
/* All that was put is in the file or in the log, both are on their storages, and the log has this sync, whose
 * `applied` is filled in here. *done false: the log cannot take it, and nothing is promised. An error: of the
 * file. */
int pcdf_writequeue_stage_sync(struct pcdf_storage *top, struct pcdf_stage_record *sync, bool *done);

/* Numbers of the last write that was accepted, and of the last one before which, and with which, all is
 * written. */
int64_t pcdf_writequeue_accepted(const struct pcdf_storage *top);
int64_t pcdf_writequeue_written(const struct pcdf_storage *top);
/* Code of the write that failed since it was accepted, with its sentence. */
int pcdf_writequeue_failure(const struct pcdf_storage *top);
/* Does nothing wait, nor a sync that was asked for? */
bool pcdf_writequeue_is_idle(const struct pcdf_storage *top);
/* The thread syncs the file when nothing waits any more, so that a later sync has nothing to do. */
void pcdf_writequeue_sync_early(struct pcdf_storage *top);
/* Waits until all that was accepted is written, and returns the failure. */
int pcdf_writequeue_settle(struct pcdf_storage *top);
#endif
