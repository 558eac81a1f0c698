#ifndef PCDF_MPISTORAGE_H
#define PCDF_MPISTORAGE_H
/* The storage of MPI-IO: mpistorage.c moves bytes, mpihandles.c opens and closes. Up to two MPI_File handles
 * stand for one file, because set_view is collective and changes what offsets mean:
 *   plain   opened by all ranks at open, never gets a view: explicit offsets
 *   viewed  opened by all ranks at the first transfer through views; each sets its own */

#include <mpi.h>
#include "collective.h"
#include "storage.h"

extern const struct pcdf_storage_ops pcdf_mpistorage;

/* Collective. All ranks succeed, or on none is the file open; info may be MPI_INFO_NULL. */
int pcdf_mpistorage_open_all(const struct pcdf_storage_config *config, const struct pcdf_ranks *ranks,
                             MPI_Info info, struct pcdf_storage **s);

/* Do the hints, or what the environment says to ROMIO, ask for stripes? Local. */
bool pcdf_mpistorage_asks_for_stripes(MPI_Info info);

/* Of any storage at the bottom: may another thread put to it, without MPI? Local. */
bool pcdf_mpistorage_may_queue(const struct pcdf_storage *bottom);

/* ---- between the two files */

struct pcdf_mpifile {
    struct pcdf_storage storage;
    struct pcdf_ranks ranks;
    MPI_Info info;
    MPI_File plain, viewed;
    bool may_write;
    /* Where the highest byte ends that this rank wrote since the last resize. Unlike reach, it has nothing of
     * what another rank did, which this one may see late (NFS). */
    int64_t written_end;
    int sync_failed, viewed_failed; /* codes, 0 = none */
    bool is_dirty;                  /* this rank changed the file since its sync */
    /* MPI may write to the file by other ways than the system's: agreed by all ranks. */
    bool syncs_by_mpi;
};

/* A collective write may have failed where nobody was told (OMPIO): then the file is too short. Every rank
 * has finished its writes before any asks. */
int pcdf_mpifile_check_end(struct pcdf_mpifile *m);
int pcdf_mpifile_open_viewed_all(struct pcdf_mpifile *m);
int pcdf_mpifile_close_all(struct pcdf_storage *s);
int pcdf_mpifile_info(struct pcdf_storage *s, void (*tell)(void *, const char *, const char *),
                      void *context);
#endif
