#ifndef PCDF_WRITEQUEUE_H
#define PCDF_WRITEQUEUE_H
/* A layer that accepts puts and writes them later, by the thread of writer.h (hint pcdf_async).
 *
 * - A put that may wait (extents.h) returns when its bytes are in the memory of the queue. Data in a block
 * that the queue lent is not copied. If there is no room, the caller waits.
 * - Writes of one queue keep their order. A put that may not wait first waits for all of them; then the
 * caller writes it.
 * - A get waits for the writes that overlap it; sync, resize and close wait for all. The size tells of what
 *   waits, too.
 * - The first write that fails ends the queue: what waits behind it is dropped. Every later put and sync
 *   returns its code and sentence; so does pcdf_writequeue_failure.
 * - Other processes do not find what waits here. Before they read it or write over it, this process has to
 *   drain the queue (parts/queue/queue.h).
 *
 * The functions take the storage on top, and look for the layer below it. If there is no such layer, nothing
 * waits. As with any storage, one thread at a time calls them. */

#include <stdatomic.h>
#include "stagelog.h"
#include "storage.h"

struct pcdf_tracefile;

struct pcdf_writequeue_config {
    /* Bytes of memory for all queues of the process. The config of the first queue holds for all. */
    int64_t bytes;
    int64_t rate; /* bytes a second; 0: no limit */
    /* NULL, or where writes and waits are lines (tracestorage.h). */
    struct pcdf_tracefile *log;
};

/* Lays the layer on *top. The storages below it must call no MPI: another thread uses them. NC_ENOMEM:
 * nothing was laid. */
int pcdf_writequeue_stack(const struct pcdf_writequeue_config *config, struct pcdf_storage **top);

bool pcdf_writequeue_is_on(const struct pcdf_storage *top);
int64_t pcdf_writequeue_bytes(const struct pcdf_storage *top); /* its memory's; 0: there is none */
/* Memory for the data of puts to come, at a multiple of 64. Waits for room. NULL: there is none, or bytes is
 * more than pcdf_writequeue_lends. */
char *pcdf_writequeue_lend(struct pcdf_storage *top, int64_t bytes);
int64_t pcdf_writequeue_lends(const struct pcdf_storage *top);
/* The caller has put the first `used` bytes of it, and puts nothing more from there. lent: NULL does nothing.
 */
void pcdf_writequeue_give(struct pcdf_storage *top, char *lent, int64_t used);

/* From now on puts that find no memory go to this log. NULL: no longer; only when nothing waits. The log must
 * outlive the storage. */
void pcdf_writequeue_stage(struct pcdf_storage *top, struct pcdf_stagelog *log);
/* A sync by the log: all that was put is in the file or in the log, both are synced, and the log has the
 * record `sync` (`applied` is filled in here). *done false: the log has no room, and nothing is promised.
 * Returns an error of the file. */
int pcdf_writequeue_stage_sync(struct pcdf_storage *top, struct pcdf_stage_record *sync, bool *done);

/* Writes are numbered from 1 as they are accepted. The last one that was accepted; the last one that is
 * written, with all before it. */
int64_t pcdf_writequeue_accepted(const struct pcdf_storage *top);
int64_t pcdf_writequeue_written(const struct pcdf_storage *top);
/* Shows each write that waits, or is being made; `visit` takes no lock. */
typedef void pcdf_writequeue_visit(void *context, const struct pcdf_extents *x);
void pcdf_writequeue_each(struct pcdf_storage *top, pcdf_writequeue_visit *visit, void *context);
/* Code of the write that ended the queue, with its sentence. */
int pcdf_writequeue_failure(const struct pcdf_storage *top);
/* Is all written, and is neither an early sync nor an end asked for or under way? */
bool pcdf_writequeue_is_idle(const struct pcdf_storage *top);
/* An early sync: the thread syncs the file when all is written, so that a later sync has nothing to do. */
void pcdf_writequeue_sync_early(struct pcdf_storage *top);
/* The file is closed: nothing is put any more. When nothing waits, nor a sync, the thread calls `step` again
 * and again, a few milliseconds apart, until it returns true; it may use the storage below the queue, by
 * functions that need no MPI, and does not wait for others. failed, text: of the write that failed, else
 * NC_NOERR. hurry: somebody, perhaps in another process, waits: no limit of the rate holds. */
typedef bool pcdf_writequeue_step(void *context, struct pcdf_storage *below, int failed, const char *text);
void pcdf_writequeue_end_by(struct pcdf_storage *top, pcdf_writequeue_step *step, void *context,
                            const atomic_bool *hurry);
/* Waits until it has returned true. Where there was none, or no queue, at once. */
void pcdf_writequeue_wait_ended(struct pcdf_storage *top);
/* Waits until all that was accepted is written, and returns the failure. */
int pcdf_writequeue_drain(struct pcdf_storage *top);
#endif
