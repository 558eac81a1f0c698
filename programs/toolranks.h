#ifndef PCDF_TOOLRANKS_H
#define PCDF_TOOLRANKS_H
/* The ranks that the program was started on: one, without MPI, where no mpiexec did. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_tool_ranks {
    bool has_mpi;
    int rank, size;
};

/* Units of work are dealt in turn: the rank, of `size`, that has this one. */
static inline int pcdf_tool_owner(int64_t unit, int size)
{
    return (int)(unit % size);
}

/* needs_mpi: start MPI in any case. false: MPI does not start here. */
bool pcdf_tool_ranks_begin(struct pcdf_tool_ranks *ranks, bool needs_mpi);
/* Are all processes of the launcher in it? false: it is the launcher of another MPI library, as a sentence on
 * standard error says once. */
bool pcdf_tool_ranks_are_whole(const struct pcdf_tool_ranks *ranks);
/* Collective: the worst exit status of all ranks, on all. Prints a sentence that another rank kept. */
int pcdf_tool_ranks_end_all(struct pcdf_tool_ranks *ranks, int status);

/* Collective, on one rank nothing. The worst exit status; sums and largest values of n numbers in place; n
 * bytes of rank `from` to all. */
int pcdf_tool_worst_all(const struct pcdf_tool_ranks *ranks, int status);
/* Collective: that, and UNUSABLE where `sum`, of the files that each rank opened by itself, is not the same
 * on all: somebody writes them, or a rank has old attributes of theirs. path: the one file, or NULL. */
int pcdf_tool_agree_all(const struct pcdf_tool_ranks *ranks, const char *path, uint32_t sum, int status);
void pcdf_tool_sum_all(const struct pcdf_tool_ranks *ranks, int64_t *x, int n);
void pcdf_tool_max_all(const struct pcdf_tool_ranks *ranks, int64_t *x, int n);
void pcdf_tool_share_all(const struct pcdf_tool_ranks *ranks, void *bytes, int n, int from);
/* Collective: n bytes of each rank, in the order of ranks, to `all` on rank 0 (n * size bytes). */
void pcdf_tool_gather_all(const struct pcdf_tool_ranks *ranks, const void *bytes, int n, void *all);
#endif
