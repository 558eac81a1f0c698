#ifndef PCDF_TWOPHASE_H
#define PCDF_TWOPHASE_H
/* Transfers together by our own hands. The bytes that a call is about are shared out to aggregators, each a
 * stretch of the file, its domain. It is gone through in rounds, a window of each domain at a time: every
 * rank packs its elements straight to where they belong in the windows, in memory that a node shares; between
 * nodes the aggregators of equal number send each other what lies in the other's domain. Then each aggregator
 * moves the runs of bytes that are there by explicit offsets, counted. A put writes what was asked and
 * nothing between. Windows in which nobody has anything are skipped. */

#include <mpi.h>
#include "bytemap.h"
#include "counts.h"
#include "storage.h"
#include "nodes.h"

struct pcdf_twophase { /* beside an open file; the first group is set by the owner */
    MPI_Comm comm;
    struct pcdf_counts *counts;
    const char *path;
    struct pcdf_storage *storage;
    int64_t stripe; /* of the file system, 0: not known */
    struct pcdf_nodes_wish wish;

    struct pcdf_nodes *nodes; /* NULL before the first transfer */
};

/* Collective, of more than one rank. *moved: this rank's bytes that were accepted, or brought. *done false
 * (on all ranks): nothing can be shared here and nothing was moved. On failure the code says why; whoever has
 * no bytes in the part that failed succeeds. */
int pcdf_twophase_all(struct pcdf_twophase *x, const struct pcdf_flow *flow, bool *done, int64_t *moved);
/* The file is closed. Local. */
void pcdf_twophase_end(struct pcdf_twophase *x);

/* ---- within one transfer (internode.c takes part) */

struct pcdf_rounds {
    struct pcdf_twophase *x;
    struct pcdf_nodes *nodes;
    const struct pcdf_flow *flow;
    int64_t begin, domain; /* aggregator o has [begin + o * domain, + domain) */
    int64_t *next;         /* of each aggregator: where this rank's next element in its domain begins */
    int64_t *all_next;     /* any rank's */
    int64_t *window;       /* where the windows of this round begin */
    int64_t *old_window;   /* and of the round before */
    int64_t *from;         /* where this rank's part of the window began */
    int64_t *given;        /* bytes that this rank had for each */
    int64_t *failed;       /* codes, positive */
    int buffer;            /* in use */
    bool overlaps;         /* this aggregator saw bytes that several ranks of its node have */
    bool in_turn;          /* ranks pack one after the other */
    struct pcdf_bytemap cover;
    int status; /* this rank's */
};

/* The lists of this node's ranks for an aggregator become a cover. */
void pcdf_rounds_map(struct pcdf_rounds *r, int buffer, int aggregator);

/* Between nodes, by the aggregators alone. A put: what this node has for the others' windows goes there, what
 * they have for this rank's comes in, and is added to its cover. window: where each begins. */
int pcdf_internode_put_all(struct pcdf_rounds *r, int buffer);
/* A get: the wants of all nodes become the cover; and, once the window was read, its bytes go to them. */
int pcdf_internode_wants_all(struct pcdf_rounds *r, int buffer);
int pcdf_internode_get_all(struct pcdf_rounds *r, int buffer);
#endif
