#ifndef PCDF_FILE_H
#define PCDF_FILE_H
/* Files from open to close, as src/api calls them. */

#include "vote.h"

/* ---- Collective */
/* kind: PCDF_KIND_CREATE or PCDF_KIND_OPEN, which says what `mode` is of. */
int pcdf_open_all(MPI_Comm comm, const char *path, int mode, MPI_Info info, enum pcdf_kind kind, int *ncid);
int pcdf_close_all(struct pcdf_dataset *ds); /* frees ds whatever it returns */
int pcdf_abort_all(struct pcdf_dataset *ds); /* frees ds whatever it returns */
int pcdf_sync_all(struct pcdf_dataset *ds);
int pcdf_sync_numrecs_all(struct pcdf_dataset *ds);
int pcdf_flush_all(struct pcdf_dataset *ds); /* in independent mode local */
int pcdf_wait_files_all(const char *path);   /* parcdf_wait */

/* Collective: the first message of a call that is of no file, so that ranks which create or open a file
 * meanwhile are told, and nobody waits for ever. Fails on all ranks or on none; status: this rank's. */
int pcdf_first_agree_all(const struct pcdf_ranks *ranks, const struct pcdf_lease *lease, enum pcdf_kind kind,
                         int status);

/* Local. Memory only: no storage, no communication. NULL: nothing. */
void pcdf_dataset_free(struct pcdf_dataset *ds);
#endif
