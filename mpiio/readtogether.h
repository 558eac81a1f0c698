#ifndef PCDF_READTOGETHER_H
#define PCDF_READTOGETHER_H
/* May ranks read together through views that overlap? In Open MPI's OMPIO (4.1.4; components vulcan, dynamic
 * and dynamic_gen2 of fcoll, the default) MPI_File_read_all leaves bytes unread where one rank's piece lies
 * within another's: three ranks that read bytes 37, 36..47 and 41..43 get zeros for 44..47, and MPI_SUCCESS
 * (tests/collective/overlap_get.c). There each rank reads through the common view for itself. */

#include <mpi.h>
#include <stdbool.h>

#ifdef OPEN_MPI
enum { PCDF_READ_ALL_IS_SOUND = false };
#else
enum { PCDF_READ_ALL_IS_SOUND = true };
#endif
#endif
