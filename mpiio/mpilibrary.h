#ifndef PCDF_MPILIBRARY_H
#define PCDF_MPILIBRARY_H
/* Which MPI library runs, where behaviour differs (README.md has what was seen). It is asked at run time:
 * with the standard's ABI (PARCDF_MPI_ABI) it is another one than at compile time. The same on all ranks.
 * Local. */

#include <stdbool.h>

/* Open MPI, whose MPI-IO is OMPIO; all others are taken for those with ROMIO: MPICH and what is made of it.
 */
bool pcdf_mpilibrary_is_open_mpi(void);

/* May ranks read together through views that overlap? In Open MPI's OMPIO (4.1.4; components vulcan, dynamic
 * and dynamic_gen2 of fcoll, the default) MPI_File_read_all leaves bytes unread where one rank's piece lies
 * within another's: three ranks that read bytes 37, 36..47 and 41..43 get zeros for 44..47, and MPI_SUCCESS
 * (tests/collective/overlap_get.c). There each rank reads through the common view for itself. */
bool pcdf_mpilibrary_reads_together(void);

/* Does MPI_Info_set take a hint with this name and value? Where it does not, it ends the program. In builds
 * with the standard's ABI, MPI_MAX_INFO_KEY and MPI_MAX_INFO_VAL are larger than Open MPI's own limits (4.1
 * and 5.0). */
bool pcdf_mpilibrary_takes_hint(const char *name, const char *value);
#endif
