/* See provesame.h. Compiled with the option PARCDF_PROVE_SAME alone. */
#include "provesame.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 32 };

void pcdf_prove_all(const struct pcdf_ranks *r, const struct pcdf_proof *proofs, int n, const char *file,
                    int line)
{
    int64_t most[2 * MOST]; /* the largest of each value and complement */
    const char *off = getenv("PARCDF_PROVE_SAME");
    if (!r || r->size <= 1 || (off && *off == '0')) /* the same on all ranks */
        return;
    assert(n <= MOST);
    for (int i = 0; i < n; i++) {
        most[2 * i] = proofs[i].value;
        most[2 * i + 1] = ~proofs[i].value;
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, most, 2 * n, MPI_INT64_T, MPI_MAX, r->comm) != MPI_SUCCESS)
        return;
    for (int i = 0; i < n; i++) {
        if (most[2 * i] == ~most[2 * i + 1])
            continue;
        dprintf(STDERR_FILENO,
                "parcdf: %s:%d: not the same on all ranks: %s is %lld on rank %d, from %lld to %lld on all\n",
                file, line, proofs[i].what, (long long)proofs[i].value, r->rank, (long long)~most[2 * i + 1],
                (long long)most[2 * i]);
        abort();
    }
}

int64_t pcdf_prove_same_all(const struct pcdf_ranks *r, int64_t value, const char *what, const char *file,
                            int line)
{
    const struct pcdf_proof proof = { what, value };
    pcdf_prove_all(r, &proof, 1, file, line);
    return value;
}
