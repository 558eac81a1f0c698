#ifndef PCDF_COLLECTIVE_H
#define PCDF_COLLECTIVE_H
/* The one place that calls MPI's collective operations on data. Each function counts its messages and makes
 * the sentence of a failure: NC_EMPI, or what MPI's error class says. On one rank nothing is sent, nothing is
 * counted, and what was passed in is the result. After a failure numbers and bytes say nothing.
 * All Collective: every rank of `r` calls them in the same order with the same n. */

#include <mpi.h>
#include <stdint.h>
#include "counts.h"

struct pcdf_ranks { /* those that take part */
    MPI_Comm comm;  /* errors return */
    int rank, size;
    struct pcdf_counts *counts; /* NULL: nobody counts */
    const char *path;           /* the file's, for sentences; NULL: none */
};

/* Local. The ranks of a communicator; of MPI_COMM_NULL this process alone, which then calls nothing of MPI.
 */
struct pcdf_ranks pcdf_ranks_of(MPI_Comm comm, struct pcdf_counts *counts, const char *path);

/* Rank 0 calls it, and the others do not: *alone has a new communicator of rank 0. It does the same for it
 * when it is not needed any more. */
int pcdf_ranks_root_alone(MPI_Comm comm, const char *path, struct pcdf_ranks *alone);
void pcdf_ranks_root_free(struct pcdf_ranks *alone);

/* Each of n numbers becomes the largest (MPI_MAX), the smallest (MPI_MIN), or the sum (MPI_SUM) of all ranks.
 */
int pcdf_ranks_reduce_all(const struct pcdf_ranks *r, MPI_Op op, int64_t *numbers, int n);
/* Rank 0's become the sum of all ranks; the others' stay. */
int pcdf_ranks_sum_at_root_all(const struct pcdf_ranks *r, int64_t *numbers, int n);
/* *before: the sum of the lower ranks' `mine`; 0 on rank 0. */
int pcdf_ranks_sum_before_all(const struct pcdf_ranks *r, int64_t mine, int64_t *before);

/* Rank 0's bytes to all, in pieces below 2 GiB. */
int pcdf_ranks_bcast_all(const struct pcdf_ranks *r, void *bytes, int64_t n);
/* Rank i gets out[j] of rank j in in[j], n bytes each. */
int pcdf_ranks_alltoall_all(const struct pcdf_ranks *r, const void *out, void *in, int n);
/* Rank 0 gets the n bytes `mine` of rank i at all + i * n; all: unused elsewhere. n < 2 GiB. */
int pcdf_ranks_gather_all(const struct pcdf_ranks *r, const void *mine, int64_t n, void *all);
int pcdf_ranks_barrier_all(const struct pcdf_ranks *r);

/* Does something fail on any rank? This rank's own status, or, where it has none, the worst (smallest) code
 * of the others, with the sentence "another rank cannot WHAT". Fails on all ranks or on none. */
int pcdf_ranks_agree_all(const struct pcdf_ranks *r, int status, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Local. The NC_ code of an MPI error, with a sentence. fallback: of a class that says nothing more: NC_EMPI,
 * NC_EREAD, NC_EWRITE, NC_EFILE. path: NULL: none. */
int pcdf_error_from_mpi(int err, int fallback, const char *what, const char *path);
#endif
