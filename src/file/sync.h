#ifndef PCDF_SYNC_H
#define PCDF_SYNC_H
/* What makes a file complete: its length, and that all of it is on the storage. `kind` is the user's call. */

#include "vote.h"

/* Collective, the last of a file: the number of records and a header that waits are written, the file reaches
 * to the end of its data, and all of it is on the storage unless hint pcdf_commit says none. */
int pcdf_complete_file_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
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
