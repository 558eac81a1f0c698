#ifndef PCDF_SETCALLS_H
#define PCDF_SETCALLS_H
/* parcdf_set_begin, _commit and _abort; parcdf_restart_find. Collective. A library without this part has
 * absentsets.c instead. */

#include <mpi.h>
#include <stddef.h>

int pcdf_set_begin_all(MPI_Comm comm, const char *set, const char *step, MPI_Info info);
int pcdf_set_commit_all(MPI_Comm comm);
int pcdf_set_abort_all(MPI_Comm comm);
int pcdf_restart_find_all(MPI_Comm comm, const char *set, int flags, long long *generation, char *report,
                          size_t size);
#endif
