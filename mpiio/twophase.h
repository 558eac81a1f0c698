#ifndef PCDF_TWOPHASE_H
#define PCDF_TWOPHASE_H
/* Transfers together by our own hands. The bytes that a call is about are shared out to aggregators: each has
 * a file domain (domains.h), which it goes through in rounds, a window in each. A rank packs its elements
 * straight to where they belong in the windows of its own node's aggregators, in memory that the node shares.
 * What it has for other nodes it lists and packs beside that, and ranks of the node send it (internode.c).
 * Then each aggregator moves the runs of bytes that are there by explicit offsets, counted, near ones by one
 * call (sieve.h).
 *
 * A node goes through its own rounds: those in which some rank of it has something, in rising order, in one
 * or several steps each, as lists have room. No message goes to all ranks, and none where there are no bytes:
 * each message says when its source comes again. Each rank does things in the order of rounds and steps, and
 * waits only for what others do in the same one or an earlier one. So those in the earliest can go on. */

#include "bytemap.h"
#include "domains.h"
#include "iterator.h"
#include "nodes.h"
#include "sieve.h"

struct pcdf_sharedfile;

struct pcdf_twophase {           /* beside an open file */
    struct pcdf_nodes_wish wish; /* set by the owner */
    bool has_looked;             /* for nodes, before the first transfer; the same on all ranks */
    bool is_broken;              /* MPI failed: it may still use the memory of nodes, which stays */
    struct pcdf_nodes *nodes;    /* NULL: none that can be used */
};

/* Collective, of more than one rank. all: from the first to the last byte of any rank. *moved: bytes of this
 * rank's elements that were accepted, or brought. On failure the code says why; whoever has no bytes in the
 * part that failed succeeds. Where nothing can be shared each rank moves its own pieces (independent.h), by
 * the stage. */
int pcdf_twophase_all(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, const struct pcdf_span *all,
                      const struct pcdf_stage *stage, int64_t *moved);
/* Local, after a transfer: nothing can be shared, each rank moves its own pieces. */
bool pcdf_twophase_is_alone(const struct pcdf_twophase *x);
/* The file is closed. Local. */
void pcdf_twophase_end(struct pcdf_twophase *x);

/* ---- within one transfer (internode.c takes part) */

struct pcdf_rounds {
    struct pcdf_sharedfile *f;
    struct pcdf_nodes *nodes;
    const struct pcdf_iterator *it;
    struct pcdf_domains d;
    /* By domain: */
    int64_t *next;   /* where this rank's next element in it begins; INT64_MAX: none */
    int64_t *from;   /* where its part of this step begins; INT64_MAX: none */
    int64_t *packed; /* bytes that this rank packed for it or unpacked from it */
    int64_t *due;    /* the round of this node's next message to it, or of its next part of the own window */
    int64_t round;   /* of this node */
    int64_t ahead;   /* the one that follows: the same round where lists were too short */
    int buffer;      /* of lists, in use */
    int window;      /* of windows, in use */
    bool in_turn;    /* ranks of this node pack one after the other, for its own windows alone */
    int status;      /* this rank's */
    int broken;      /* code of a failure of MPI: nothing can be agreed any more */

    /* An aggregator's: */
    int domain; /* its own; -1: none */
    struct pcdf_sieve sieve;
    bool overlaps;           /* bytes that several ranks of the node have */
    int64_t open;            /* the round of the window that is open; -1: none */
    char *at;                /* its bytes */
    struct pcdf_bytemap map; /* which of them there are */
    int failed;              /* code of its storage */
    uint32_t kept;           /* bytes of requests that wait for an answer, in the last but one slot */
    int sent[PCDF_NODES_BUFFERS], expected; /* a lane's messages on the way, of each buffer; answers */
};

/* The domain of an aggregator, -1: none. Where there are fewer domains they are spread over all of them. */
int pcdf_rounds_domain(const struct pcdf_rounds *r, int aggregator);
/* The next round in which a rank of this node has something for a domain, as it listed in this step. */
int64_t pcdf_rounds_due(const struct pcdf_rounds *r, int domain);

/* A get's aggregator reads what its map has to its window. */
void pcdf_rounds_move(struct pcdf_rounds *r);

/* Between nodes, by the ranks of lanes. Each returns at once where MPI failed before (r->broken). */

/* Each node tells the aggregators when its first message comes. */
void pcdf_internode_begin_all(struct pcdf_rounds *r);
/* What this node listed for windows of other nodes goes there; where answers come, they are awaited later. */
void pcdf_internode_send(struct pcdf_rounds *r);
/* One message of each node that has something in this round for this rank's window: into the window, or, of
 * a get, answered from it once it was read. */
void pcdf_internode_receive(struct pcdf_rounds *r, int64_t round);
/* The least round in which a message for this rank's window comes; INT64_MAX: none. */
int64_t pcdf_internode_due(const struct pcdf_rounds *r);
/* The messages of an earlier step, listed in this buffer, have gone. */
void pcdf_internode_clear(struct pcdf_rounds *r, int buffer);
/* All answers of this step are here. */
void pcdf_internode_hear(struct pcdf_rounds *r);
/* All messages have gone; all aggregators tell how they fared. */
void pcdf_internode_end_all(struct pcdf_rounds *r);
#endif
