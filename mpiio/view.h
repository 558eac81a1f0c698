#ifndef PCDF_VIEW_H
#define PCDF_VIEW_H
/* Pieces of a file as the filetype of a view. The filetype covers all bytes of the call, so it is never
 * repeated. */

#include "extents.h"
#include <mpi.h>

struct pcdf_view {
    MPI_Offset displacement;
    MPI_Datatype filetype; /* MPI_BYTE (nothing, or one piece) or a committed type of our own */
};

/* Local. On failure *view is the empty view, which a rank without pieces uses. */
int pcdf_view_make(const struct pcdf_extents *x, struct pcdf_view *view, const char *path);
void pcdf_view_free(struct pcdf_view *view);
#endif
