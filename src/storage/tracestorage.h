#ifndef PCDF_TRACESTORAGE_H
#define PCDF_TRACESTORAGE_H
/* A layer that logs what passes, a line an operation, as it ends, in the log of this rank (tracefile.h):
 *     OP PIECES FIRST BYTES RESULT BEGIN END
 * OP: open, put, get, size, resize_all, sync_all, flush, close_all; put_all, get_all (together, through a
 * view); put_two_phase, get_two_phase (two-phase; PIECES: about), nodes, sieve. PIECES, FIRST (offset) and
 * BYTES are 0 where the operation has none (resize_all and size: BYTES is the size; nodes, before the first
 * of these: PIECES are the nodes, FIRST the aggregators, BYTES those of a window; sieve: PIECES that were
 * sieved, FIRST their bytes, BYTES moved). RESULT: the NC_ code; BEGIN and END: seconds.
 *
 * With a write queue (writequeue.h), put is the time to accept, and the queue adds lines of its own:
 *     write         by the thread, so between any others; write_sync: it synced the file
 *     write_staged  the same, of a put that was in the log of hint pcdf_stage_dir
 *     stage         a part of a put: into that log. RESULT: not 0 where it had no room
 *     stage_sync    the caller synced that log and the file; BYTES: copied from memory to the log for it.
 *                   RESULT: not 0 where the log could not take it
 *     full          the caller waited for room for BYTES
 *     settle        the caller waited until what waited, BYTES, was written; the reason is what the line
 *                   lies in: an operation or, outside of any, a call
 *     settle_turn   the caller waited for the write that was being made, to use the storage itself
 *     at_once       a part of a put: by the caller, because it may not wait
 *     queue         as it ends: PIECES are the writes that were accepted, FIRST the bytes that waited at
 *                   once at most, BYTES its memory, which the queues of all files share
 *
 * Of a netCDF-4 file, at each sync and close, about what came since the last one:
 *
 *     chunks        that were written: PIECES; FIRST are the bytes of their values, BYTES those in the file
 *     chunks_anew   that were changed when they were encoded or in the file: PIECES; BYTES in the file are
 *                   lost room
 *
 * A strategy that moves a request in its own pieces logs one line for it; the operations in between are not
 * logged. `top` below may be any storage: nothing happens where it is no log. */

#include "storage.h"
#include "tracefile.h"

struct pcdf_trace_line {
    const char *op;
    int64_t pieces, first, bytes;
    int result;
};

/* Lays the layer on *top. owns_log: it frees the log when it is closed. */
int pcdf_tracestorage_stack(struct pcdf_tracefile *log, bool owns_log, struct pcdf_storage **top);
/* All ranks have opened the file: its log begins, by the number id, the same on all of them. */
void pcdf_tracestorage_open(struct pcdf_storage *top, int64_t id, int rank, int nranks, const char *path);

/* From here on what passes is not logged. Returns when that was, for the line. */
double pcdf_tracestorage_mute(struct pcdf_storage *top);
/* The line (NULL: none); what passes is logged again. */
void pcdf_tracestorage_tell(struct pcdf_storage *top, double begin, const struct pcdf_trace_line *line);
#endif
