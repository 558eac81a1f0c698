#ifndef PCDF_AGGREGATE_H
#define PCDF_AGGREGATE_H
/* Transfers together by our own hands, where the MPI library's collective ones cannot be believed: the file
 * is cut into stripes that are dealt to the ranks; each rank sends its pieces to the stripes' owners, which
 * merge them and move them at explicit offsets, and answer how many bytes of whom were moved. So each rank
 * knows of its own bytes that they were accepted, or why not. A put writes what was asked and nothing
 * between. */

#include <mpi.h>
#include "counts.h"
#include "owned.h"

struct pcdf_aggregate {
    MPI_Comm comm;
    struct pcdf_counts *counts;
    const char *path;
    int rank, size;
    struct pcdf_stripes stripes;
    struct pcdf_mover mover;
    /* Kept from open on, so that whoever has no memory left can take part: some numbers for each rank, and
     * the memory of small transfers. */
    int64_t *sums;
    int *ints;
    struct pcdf_lane_in *lanes;
    char *kept;
};

/* Local. comm, counts, path and mover are set; stripe: of the file system, 0 = not known. Nothing is held for
 * one rank, which has nobody to talk to. */
int pcdf_aggregate_init(struct pcdf_aggregate *a, int64_t stripe);
void pcdf_aggregate_free(struct pcdf_aggregate *a);

/* Collective, of more than one rank. *done: the bytes were moved, or could not be and the code says why; else
 * (on all ranks) they are too many for one place, or some rank has no memory for its part, and nothing was
 * moved: the caller goes piece by piece, which needs no memory. */
int pcdf_aggregate_all(struct pcdf_aggregate *a, const struct pcdf_extents *x, bool *done);
#endif
