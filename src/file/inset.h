#ifndef PCDF_INSET_H
#define PCDF_INSET_H
/* Hint pcdf_set: a new file is a member of a generation of a set (generation.h). It has the member's name
 * from create on and keeps it; the user's name becomes one more name of it when the generation is committed,
 * by the close of the last of its files, or by parcdf_set_commit. ds->in_set, the same on all ranks, says
 * that it is followed. */

#include "vote.h"

/* Rank 0 alone: does the hint mean this file? */
bool pcdf_inset_is_wanted(const struct pcdf_dataset *ds);
/* Rank 0 alone, for create: ds->member, and the path at which the file is to be made. */
int pcdf_inset_root_begin(struct pcdf_dataset *ds, const char **path);
/* Local, where a create failed: the generation that the file would be of never commits. ds NULL: no memory.
 */
void pcdf_inset_refuse(const struct pcdf_dataset *ds);
/* Rank 0 alone, for open for reading: ds->new_path is the member of the newest complete generation, where it
 * is another file than what has the name. Nothing where there is none. */
int pcdf_inset_root_find(struct pcdf_dataset *ds);
/* Collective, after the engine of a file that is whole was closed: it is noted, and if its generation is
 * complete now, this is committed. All ranks hear of a failure. */
int pcdf_inset_end_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
/* Local: what was not ended failed. */
void pcdf_inset_free(struct pcdf_dataset *ds);

/* Collective: the first message of a call that is of no file, in open.c, so that ranks which create or open a
 * file meanwhile are told, and nobody waits for ever. Fails on all ranks or on none; status: this rank's. */
int pcdf_first_agree_all(const struct pcdf_ranks *ranks, const struct pcdf_lease *lease, enum pcdf_kind kind,
                         int status);

/* ---- parcdf_set_begin, _commit and _abort; parcdf_restart_find. Collective */
int pcdf_set_begin_all(MPI_Comm comm, const char *set, const char *step, MPI_Info info);
int pcdf_set_commit_all(MPI_Comm comm);
int pcdf_set_abort_all(MPI_Comm comm);
int pcdf_restart_find_all(MPI_Comm comm, const char *set, int flags, long long *generation, char *report,
                          size_t size);
#endif
