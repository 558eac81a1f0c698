#ifndef PCDF_AGGREGATE_H
#define PCDF_AGGREGATE_H
/* Transfers together by our own hands, where the MPI library's collective ones cannot be believed: the file
 * is cut into stripes that are dealt to the ranks; each rank sends its pieces to the stripes' owners, which
 * merge them and move them at explicit offsets, and answer how many bytes of whom were moved. So each rank
 * knows of its own bytes that they were accepted, or why not. A put writes what was asked and nothing
 * between. */

#include <mpi.h>
#include "counts.h"
#include "extents.h"

struct pcdf_aggregate {
    MPI_Comm comm;
    struct pcdf_counts *counts;
    const char *path;
    int rank, size;
    int64_t stripe;
    void *file; /* for put and get: one piece at an explicit offset, alone */
    int (*put)(void *file, const char *data, int64_t length, int64_t offset);
    int (*get)(void *file, char *data, int64_t length, int64_t offset, int64_t *got);
    int64_t *sums; /* what a rank needs to take part when it has no memory left: allocated at open */
    int *ints;
};

/* Local. comm, counts, path, file, put and get are set; stripe: of the file system, 0 = not known. */
int pcdf_aggregate_init(struct pcdf_aggregate *a, int64_t stripe);
void pcdf_aggregate_free(struct pcdf_aggregate *a);

/* Collective. *done: the bytes were moved, or could not be and the code says why; else (on all ranks) they
 * are too many for one place, or some rank has no memory for its part, and nothing was moved: the caller goes
 * piece by piece, which needs no memory. */
int pcdf_aggregate_all(struct pcdf_aggregate *a, const struct pcdf_extents *x, bool *done);
#endif
