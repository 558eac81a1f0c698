#ifndef PCDF_TWOPHASE_H
#define PCDF_TWOPHASE_H
/* Transfers together by our own hands. The bytes that a call is about are shared out to aggregators: each has
 * a file domain (domains.h), which it goes through in rounds, a window in each. A rank packs its elements
 * straight to where they belong in the windows of its own node's aggregators, in memory that the node shares.
 * What it has for other nodes it lists and packs beside that, and ranks of the node send it (internode.c).
 * Where puts may wait to be written, that window is memory of the aggregator's write queue (poolmap.h).
 * Then each aggregator moves the runs of bytes that are there by explicit offsets, counted, near ones by one
 * call (sieve.h).
 *
 * A node goes through its own rounds: those in which some rank of it has something, in rising order, in one
 * or several steps each, as lists have room. No message goes to all ranks, and none where there are no bytes:
 * each message says when its source comes again. Each rank does things in the order of rounds and steps, and
 * waits only for what others do in the same one or an earlier one. So those in the earliest can go on.
 *
 * Where there are so many nodes that messages would be short, and the nodes have bytes for many windows,
 * nodes forward what others have (relay.c). Then all nodes are in the same step. */

#include "iterator.h"
#include "nodes.h"

struct pcdf_sharedfile;

struct pcdf_twophase {                   /* beside an open file */
    struct pcdf_nodes_proposal proposal; /* set by the owner */
    bool has_looked;                     /* for nodes, before the first transfer; the same on all ranks */
    /* MPI failed: it may still use the memory of nodes, which stays. */
    bool is_broken;
    struct pcdf_nodes *nodes; /* NULL: none that can be used */
    bool has_asked;           /* where windows of puts may lie; the same on all ranks of a node, as this: */
    bool in_pools;            /* some lie in write queues (poolmap.h) */
};

/* Collective, of more than one rank. all: from the first to the last byte of any rank. *moved: bytes of this
 * rank's elements that were accepted, or brought. On failure the code says why; whoever has no bytes in the
 * part that failed succeeds. Where nothing can be shared each rank moves its own pieces (independent.h), by
 * the stage. */
int pcdf_twophase_all(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, const struct pcdf_span *all,
                      const struct pcdf_stage *stage, int64_t *moved);
/* Local, after a transfer: nothing can be shared, each rank moves its own pieces. */
bool pcdf_twophase_is_alone(const struct pcdf_twophase *x);
/* Looks for what transfers need, as the first one does: who are the aggregators. Collective; fails on all
 * ranks or on none. */
int pcdf_twophase_look_all(struct pcdf_sharedfile *f);
/* After that, or after a transfer; local. How many aggregators there are (0: none), and which one this rank
 * is (-1: none). */
int pcdf_twophase_count(const struct pcdf_twophase *x);
int pcdf_twophase_number(const struct pcdf_twophase *x);
/* The file is closed. Local. */
void pcdf_twophase_end(struct pcdf_twophase *x);
#endif
