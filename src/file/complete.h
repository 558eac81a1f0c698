#ifndef PCDF_COMPLETE_H
#define PCDF_COMPLETE_H
/* What makes a file complete: its length, and that all of it is on the storage. `kind` is the user's call. */

#include "vote.h"

/* Collective, the last of a file: the number of records and a header that waits are written, the file reaches
 * to the end of its data, and all of it is on the storage unless hint pcdf_commit says none. */
int pcdf_complete_file_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
/* The same, when the call's vote told what the ranks know (pcdf_header_vote_all), but for the length.
 * Collective, of a sync: what the file has is on the storage whatever the hint says. */
int pcdf_make_durable_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote);
/* Rank 0, in a thread, without MPI: the same steps, by the storage `below`; nothing of ds changes. All ranks
 * have written their data. numrecs: as they agreed; wrote: some byte was put that was not synced, or the file
 * must reach its end. */
int pcdf_root_complete_file(const struct pcdf_dataset *ds, struct pcdf_storage *below, int64_t numrecs,
                            bool wrote);
/* Local: was the file made longer through this handle, so that its length has to tell that nothing is
 * missing?
 */
bool pcdf_must_reach_end(const struct pcdf_dataset *ds);
/* Where close will wait for the disk, the disk begins early. Local, as the file is open, and after a sync. */
void pcdf_sync_expect(struct pcdf_dataset *ds);
/* Where the file ends, as far as this rank knows; the largest of all ranks is true, whatever a rank's file
 * system has cached of the size (NFS). Local. */
int64_t pcdf_reach(const struct pcdf_dataset *ds);
/* Bytes that nobody wrote read as zeros, and a file that ends where its data ends tells that none is missing:
 * one that ends before is made longer (unless it did when it was opened), by setting its size: no byte is
 * written that another rank may own. meta: what ds->layout lays out; reach: agreed. Collective; a failure is
 * sticky. */
int pcdf_extend_all(struct pcdf_dataset *ds, const struct pcdf_meta *meta, int64_t reach);
#endif
