#ifndef PCDF_PUBLISH_H
#define PCDF_PUBLISH_H
/* Hint pcdf_atomic_create: a new file has a name of its own beside the final one until it is whole
 * (newfile.h). The first sync that succeeds, or the close, gives it its name, in one step, so that a crash
 * before leaves the old file of that name as it was, and jobs that write one name at once give it one after
 * the other. What a crash leaves is removed by a later create with the hint. */

#include <stdbool.h>
#include "vote.h"

/* Rank 0 alone, for create: where the hint is to be followed, ds->new_path, and the file, unless mpi_creates.
 * It is not followed where the name is a device or a link that leads nowhere. NC_EEXIST. */
int pcdf_publish_root_begin(struct pcdf_dataset *ds, bool noclobber, bool mpi_creates);
/* Collective: all ranks know the name, each as it reaches it; on all or on none. */
int pcdf_publish_name_all(struct pcdf_dataset *ds);
/* Rank 0 alone, when all of the file is on the storage; calls nothing of MPI. Gives the file its name, if it
 * has not got it: *renamed. An error, and *renamed: its folder could not be flushed. */
int pcdf_publish_root(const struct pcdf_dataset *ds, bool *renamed);
/* Local: the file has got its name by rank 0. */
void pcdf_publish_done(struct pcdf_dataset *ds);
/* Collective, when all of the file is on the storage: gives the file its name, on all ranks or on none. Does
 * nothing where it has it. Where it has it but its folder could not be flushed, all ranks get the error, and
 * ds->io_error. kind: the call that asks. The engine may be closed. */
int pcdf_publish_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
#endif
