#ifndef PCDF_FILE_H
#define PCDF_FILE_H
/* Files from open to close, as src/api calls them. */

#include "dataset.h"

/* ---- Collective */
int pcdf_create_all(MPI_Comm comm, const char *path, int cmode, MPI_Info info, int *ncid);
int pcdf_open_all(MPI_Comm comm, const char *path, int omode, MPI_Info info, int *ncid);
int pcdf_close_all(struct pcdf_dataset *ds); /* frees ds whatever it returns */
int pcdf_abort_all(struct pcdf_dataset *ds); /* frees ds whatever it returns */
int pcdf_sync_all(struct pcdf_dataset *ds);
int pcdf_flush_all(struct pcdf_dataset *ds);
int pcdf_sync_numrecs_all(struct pcdf_dataset *ds);

/* Local. Memory only: no engine, no communication. NULL: nothing. */
void pcdf_dataset_free(struct pcdf_dataset *ds);
#endif
