#ifndef PCDF_SYNC_H
#define PCDF_SYNC_H
/* What the ranks know of the file made equal: the number of records, and failures. And the ways out of a mode
 * that one call takes on behalf of another; `kind` is the user's call. */

#include "vote.h"

/* Collective: agrees the number of records after independent puts, rank 0 writes it, a second vote tells all
 * how that went. Returns this rank's or the agreed failure. kind: the call that asks. */
int pcdf_settle_numrecs_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
/* Collective, the last of a file: the same, and the file reaches to the end of its data, and all of it is on
 * the storage unless hint pcdf_commit says none. */
int pcdf_settle_for_good_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
/* Collective, in independent mode: the same, and from then on the file is in collective mode. */
int pcdf_leave_indep_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
/* Collective, in define mode: what enddef does, for a close too. */
int pcdf_leave_define_all(struct pcdf_dataset *ds, enum pcdf_kind kind,
                          const struct pcdf_alignment *arguments);
/* Collective: records exist once all ranks know that the data of the call was written: a second vote, then
 * rank 0 writes the number. numrecs: as the call's first vote agreed. On failure no record is added, on any
 * rank. */
int pcdf_raise_numrecs_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t numrecs);
/* Where the file ends, as far as this rank knows; the largest of all ranks is true, whatever a rank's file
 * system has cached of the size (NFS). Local. */
int64_t pcdf_reach(const struct pcdf_dataset *ds);
/* Bytes that nobody wrote read as zeros, and a file that ends where its data ends tells that none is missing:
 * one that ends before is made longer (unless it did when it was opened), by setting its size: no byte is
 * written that another rank may own. meta: what ds->layout lays out; reach: agreed. Collective; a failure is
 * sticky. */
int pcdf_extend_all(struct pcdf_dataset *ds, const struct pcdf_meta *meta, int64_t reach);
#endif
