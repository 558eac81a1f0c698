/* See closingnode.h. */
#include "closingnode.h"
#include <stdlib.h>
#include <time.h>
#include "codes.h"
#include "nodemem.h"
#include "owner.h"
#include "tracefile.h"

enum { LINE = 64, WRITES = 1 }; /* codes of errors are negative */

struct word {                         /* a rank's, in cache lines of its own */
    _Alignas(LINE) _Atomic int state; /* WRITES, NC_NOERR or what failed */
    struct pcdf_owner owner;
};

struct words {
    _Alignas(LINE) atomic_bool is_complete;
    atomic_bool hurry;
    _Atomic int failed; /* when it is complete */
    struct word of[];
};

struct pcdf_closingnode {
    struct pcdf_nodemem memory;
    struct words *words; /* there */
    int rank, size;
    double next_look; /* rank 0: at processes that may have ended */
};

/* Nodes may be pretended ones (nodes.h), which share no memory. */
struct pcdf_closingnode *pcdf_closingnode_make_all(const struct pcdf_ranks *ranks)
{
    struct pcdf_closingnode *n = calloc(1, sizeof *n);
    struct pcdf_nodemem memory = { NULL, 0 };
    int64_t lacks = !n || getenv("PARCDF_NODES");
    size_t bytes = sizeof(struct words) + (size_t)ranks->size * sizeof(struct word);
    int err = pcdf_ranks_reduce_all(ranks, MPI_MAX, &lacks, 1);
    if (!err && !lacks) {                                      /* the same on all ranks */
        lacks = !pcdf_nodemem_make_all(ranks, bytes, &memory); /* its name is found on this node alone */
        err = pcdf_ranks_reduce_all(ranks, MPI_MAX, &lacks, 1);
    }
    if (err || lacks) { /* the same on all ranks */
        pcdf_nodemem_free(&memory);
        free(n);
        return NULL;
    }
    *n = (struct pcdf_closingnode){ memory, (struct words *)memory.at, ranks->rank, ranks->size, 0 };
    pcdf_owner_self(&n->words->of[n->rank].owner);
    return n;
}

void pcdf_closingnode_free(struct pcdf_closingnode *n)
{
    if (n)
        pcdf_nodemem_free(&n->memory);
    free(n);
}

void pcdf_closingnode_begin(struct pcdf_closingnode *n)
{
    atomic_store(&n->words->of[n->rank].state, WRITES);
    if (n->rank == 0) {
        atomic_store(&n->words->is_complete, false);
        atomic_store(&n->words->hurry, false);
    }
}

void pcdf_closingnode_tell(struct pcdf_closingnode *n, int failed)
{
    atomic_store(&n->words->of[n->rank].state, failed);
}

/* What cannot be found out counts as running. */
static bool has_ended(const struct pcdf_closingnode *n, int rank)
{
    return pcdf_owner_look(&n->words->of[rank].owner) == PCDF_OWNER_ENDED;
}

bool pcdf_closingnode_all_told(struct pcdf_closingnode *n, int *worst)
{
    enum { SECONDS = 1 }; /* between looks at processes */
    double now = pcdf_tracefile_clock();
    bool looks = now >= n->next_look, all = true;
    *worst = NC_NOERR;
    for (int i = 0; i < n->size; i++) {
        int state = atomic_load(&n->words->of[i].state);
        if (state == WRITES && looks && has_ended(n, i)) { /* perhaps it told before */
            state = atomic_load(&n->words->of[i].state);
            state = state == WRITES ? NC_EWRITE : state;
        }
        all &= state != WRITES;
        if (state < *worst)
            *worst = state;
    }
    if (looks)
        n->next_look = now + SECONDS;
    return all;
}

void pcdf_closingnode_complete(struct pcdf_closingnode *n, int failed)
{
    atomic_store(&n->words->failed, failed);
    atomic_store(&n->words->is_complete, true);
}

bool pcdf_closingnode_is_complete(const struct pcdf_closingnode *n)
{
    return atomic_load(&n->words->is_complete);
}

int pcdf_closingnode_result(const struct pcdf_closingnode *n)
{
    return atomic_load(&n->words->failed);
}

bool pcdf_closingnode_await(struct pcdf_closingnode *n)
{
    const struct timespec pause = { 0, 200000 };
    enum { PAUSES = 1000 }; /* between looks at the process of rank 0 */
    atomic_store(&n->words->hurry, true);
    for (int i = 1; !pcdf_closingnode_is_complete(n); i++) {
        if (i % PAUSES == 0 && has_ended(n, 0))
            return pcdf_closingnode_is_complete(n);
        nanosleep(&pause, NULL);
    }
    return true;
}

const atomic_bool *pcdf_closingnode_hurry(const struct pcdf_closingnode *n)
{
    return &n->words->hurry;
}
