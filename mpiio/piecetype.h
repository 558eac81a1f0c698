#ifndef PCDF_PIECETYPE_H
#define PCDF_PIECETYPE_H
/* Pieces as one MPI datatype: of a file, the filetype of a view, which covers all bytes of a call and is
 * never repeated; of memory, more bytes than an int can count. That is the MPI-2 way, which every library
 * has, so that both libraries run the code that the tests run. */

#include "extents.h"
#include <mpi.h>

/* Local. *type: committed, the pieces relative to the first one's offset; n > 0. An MPI error code: then
 * *type is MPI_BYTE. */
int pcdf_piecetype_make(const struct pcdf_piece *pieces, size_t n, MPI_Datatype *type);
void pcdf_piecetype_free(MPI_Datatype *type); /* MPI_BYTE: nothing to do */
#endif
