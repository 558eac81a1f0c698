#ifndef PCDF_STAGING_H
#define PCDF_STAGING_H
/* The second tier of the write queue (hint pcdf_stage_dir): each rank's log of puts on storage of its node,
 * from open to close. All ranks have one, or none. storage/stagelog.h is the log; storage/stagereplay.h what
 * is done with the logs after a crash.
 *
 * With logs, a sync in collective mode acknowledges what is in the file or in the logs; the header counts
 * records when they are in the file. What ends, publishes or moves something waits for the file as always,
 * after which the logs are empty. */

#include "dataset.h"
#include "fileid.h"

/* Rank 0, before it reads the header of a file that is there: what a crash left in its folder goes into the
 * file if it is opened for writing. NC_ERECOVER: that is not possible, or it is opened for reading. */
int pcdf_staging_root_recover(const struct pcdf_dataset *ds);
/* Local, after that: NC_ERECOVER where this rank's folder has logs of the file whose syncs may not be in it.
 * nonce: of logs that the other ranks are about to make. */
int pcdf_staging_look(const struct pcdf_dataset *ds, uint64_t nonce);
/* Rank 0: not 0 if it wants logs, a number for the names of them. */
uint64_t pcdf_staging_root_wish(const struct pcdf_dataset *ds);
/* Local, for a new file: logs of an earlier one that had its name are set aside, or removed if that was
 * `gone` by this create. nonce as above. */
void pcdf_staging_leave(const struct pcdf_dataset *ds, uint64_t nonce, const struct pcdf_fileid *gone);
/* Collective, if rank 0 wants logs. Where one rank cannot have one, none has, and the debug log tells why. */
void pcdf_staging_begin_all(struct pcdf_dataset *ds, uint64_t nonce);

/* Collective. A sync by logs. False: they cannot, or not all of them; then a sync is to be done as without.
 */
bool pcdf_staging_sync_all(struct pcdf_dataset *ds, int *status);
/* Local, after such a sync on all ranks: where the storage of one log failed, none is of use. */
void pcdf_staging_end_broken(struct pcdf_dataset *ds);

/* Local. All ranks have everything in the file, on its storage: the log is marked so, before one is removed.
 */
void pcdf_staging_finish(struct pcdf_dataset *ds);
void pcdf_staging_free(struct pcdf_dataset *ds); /* the storage is closed; removed if ds->stage_is_over */
#endif
