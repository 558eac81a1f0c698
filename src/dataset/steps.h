#ifndef PCDF_STEPS_H
#define PCDF_STEPS_H
/* Hint pcdf_commit=step: the header counts a record when every element of every record variable of it was
 * put, by whatever ranks and calls; at the latest when a sync, sync_numrecs, redef or close counts all that
 * there is. Each rank adds up what it puts (access/putsum.h), and one message adds up the ranks'. What was
 * put twice or filled, and what the sums have no room for, waits for the sync: the header never counts too
 * much. The writer itself sees its records at once, as ever. */

#include "dataset.h"

/* Local: a put of this rank is in the file, or in its queue. Without the hint, nothing. */
void pcdf_steps_note(struct pcdf_dataset *ds, const struct pcdf_request *put);
/* All ranks together put something in this span. May a record be complete now? Only if such spans leave
 * nothing out of it; so that a record of many variables, put one after the other, takes one message. The same
 * on all ranks. */
bool pcdf_steps_reach(struct pcdf_dataset *ds, const struct pcdf_span *span);
/* Collective, after all ranks have put: counts what is complete, and is in the file; with pcdf_async it is
 * counted when it is in the file (outstanding.h). A failure of some rank's storage, which others tell of,
 * keeps everything from being counted. Where a client of the file system keeps what was put, it is synced
 * first. */
int pcdf_steps_agree_all(struct pcdf_dataset *ds);
/* Local, on all ranks: ranks put by themselves, nobody knows where. */
void pcdf_steps_reach_anything(struct pcdf_dataset *ds);
/* Local, on all ranks: everything there is counts as soon as it is in the file. */
void pcdf_steps_settle(struct pcdf_dataset *ds);
/* Local, on all ranks: other variables will make a record. All records are counted. */
void pcdf_steps_forget(struct pcdf_dataset *ds);
#endif
