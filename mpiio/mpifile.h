#ifndef PCDF_MPIFILE_H
#define PCDF_MPIFILE_H
/* The MPI-IO engine's own: mpifile.c moves bytes, mpihandles.c opens and closes. Up to two MPI_File handles
 * stand for one file, because set_view is collective and changes what offsets mean:
 *   plain   opened by all ranks at open, never gets a view: explicit offsets
 *   viewed  opened by all ranks at the first transfer together that trusts MPI; each sets its view */

#include "engine.h"
#include "twophase.h"

struct pcdf_mpifile {
    struct pcdf_engine engine;
    MPI_Comm comm;
    char *path, *later_path; /* the second: after a rename, or NULL */
    MPI_Info info;
    MPI_File plain, viewed;
    bool may_write;
    int64_t view_threshold;
    int64_t written_end;            /* the end of the last byte that this rank handed over */
    int sync_failed, viewed_failed; /* codes, 0 = none */
    struct pcdf_twophase exchange;
    int fd; /* of this rank's own, for its flush; -1 until then */
};

extern const struct pcdf_engine_ops pcdf_mpifile_ops;

int pcdf_mpifile_error(struct pcdf_mpifile *m, int err, int fallback, const char *what);
/* file: the engine. One piece at an explicit offset: all bytes are accepted, or the code says why not. */
int pcdf_mpifile_put_piece(void *file, const char *data, int64_t length, int64_t offset);
int pcdf_mpifile_get_piece(void *file, char *data, int64_t length, int64_t offset, int64_t *got);
int pcdf_mpifile_check_end(struct pcdf_mpifile *m);

/* mpihandles.c. The first is collective on comm, as MPI_File_open is. */
int pcdf_mpifile_open_handle(struct pcdf_mpifile *m, MPI_Comm comm, int amode, MPI_File *file);
int pcdf_mpifile_amode(const struct pcdf_mpifile *m);
int pcdf_mpifile_open_viewed_all(struct pcdf_mpifile *m);
int pcdf_mpifile_close_all(struct pcdf_engine *e);
void pcdf_mpifile_renamed(struct pcdf_engine *e);
int pcdf_mpifile_info(struct pcdf_engine *e, MPI_Info *info);
#endif
