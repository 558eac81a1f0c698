#ifndef PCDF_OUTSTANDING_H
#define PCDF_OUTSTANDING_H
/* Collective puts whose bytes may still wait in the write queue of some rank (hint pcdf_async). A queue keeps
 * the order of its own rank alone. So a call whose bytes lie between those of a put that is outstanding waits
 * until all ranks have written it; and a record is counted when all ranks have written its first put.
 *
 * All ranks keep the same list: what a put covers is agreed by its vote. Each vote also tells up to which put
 * each rank has written everything, so nothing is sent for it. Between puts and gets nothing else is: any
 * other call waits for the queue of its own rank before each vote (waits_for_queue in vote.c), and so finds
 * all written; but a sync by logs and a close in the background do not. */

#include "dataset.h"

/* ds->queues: puts may wait on some rank. The same on all ranks, as all that follows, but for the calls that
 * this rank has written. */

/* The last put up to which this rank has written everything. */
int64_t pcdf_outstanding_written(const struct pcdf_dataset *ds);
/* All ranks have written everything up to that put: what a vote agreed. Takes it off the list. counts: its
 * records are counted, by a write that waits itself if it may_queue; where rank 0 cannot, io_error says so.
 * Calls that sync first do it themselves. */
void pcdf_outstanding_drop(struct pcdf_dataset *ds, int64_t written, bool counts, bool may_queue);
/* One more put, with the number of records that there are when it is written. */
void pcdf_outstanding_add(struct pcdf_dataset *ds, const struct pcdf_span *span, int64_t numrecs);
bool pcdf_outstanding_meets(const struct pcdf_dataset *ds, const struct pcdf_span *span);
#endif
