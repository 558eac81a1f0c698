#ifndef PCDF_ROUNDS_H
#define PCDF_ROUNDS_H
/* One transfer of the two-phase strategy (twophase.h): which domains and windows there are, what an
 * aggregator does with its own, and how nodes bring each other what they have for them: directly
 * (internode.c), or by forwarding (relay.c). */

#include "bytemap.h"
#include "domains.h"
#include "iterator.h"
#include "nodes.h"
#include "sieve.h"

struct pcdf_sharedfile;

struct pcdf_lent { /* memory of the write queue */
    char *at;      /* NULL: none */
    int64_t bytes;
};

struct pcdf_rounds {
    struct pcdf_sharedfile *f;
    struct pcdf_nodes *nodes;
    const struct pcdf_iterator *it;
    struct pcdf_domains d;
    /* By domain: */
    int64_t *next;   /* where this rank's next element begins; INT64_MAX: none */
    int64_t *from;   /* where this step's part begins; INT64_MAX: none */
    int64_t *packed; /* bytes this rank packed or unpacked for it */
    /* The round of this node's next message to it, or of its next part of the own window. */
    int64_t *due;
    int64_t round; /* this node's round */
    /* The round that follows: the same one where lists were too short. */
    int64_t ahead;
    int buffer; /* number of the lists in use */
    int window; /* number of the windows in use */
    /* Ranks of this node pack one after the other, for its own windows alone. */
    bool in_turn;
    bool forwards; /* nodes forward what others have; the same on all ranks */
    bool in_pools; /* windows may lie in write queues (poolmap.h); the same on all ranks of the node */
    int begin;     /* then: so many nodes send at a time */
    int status;    /* this rank's */
    int broken;    /* MPI's failure: nothing can be agreed any more */

    /* An aggregator's: */
    int domain;               /* its own; -1: none */
    struct pcdf_lent lent[2]; /* windows from its write queue, by buffer */
    struct pcdf_sieve sieve;
    bool overlaps;           /* bytes that several ranks of the node have */
    int64_t open;            /* the open window's round; -1: none */
    int opened;              /* which one of the two that is */
    char *at;                /* its bytes */
    struct pcdf_bytemap map; /* which of them there are */
    int failed;              /* code of its storage */
    /* Bytes of requests that wait for an answer, in the last but one slot. */
    uint32_t kept;
    /* A lane's messages on the way, of each buffer, and the answers that it expects. */
    int sent[PCDF_NODES_BUFFERS], expected;
};

/* The domain of an aggregator, -1: none. Where there are fewer domains they are spread over all of them. */
int pcdf_rounds_domain(const struct pcdf_rounds *r, int aggregator);
/* The next round in which a rank of this node has something for a domain, as it listed in this step. */
int64_t pcdf_rounds_due(const struct pcdf_rounds *r, int domain);

/* The node whose aggregator has a domain. */
int pcdf_rounds_node(const struct pcdf_rounds *r, int domain);

/* The number of a domain's window on this node; -1: it is on another one. */
int pcdf_rounds_window(const struct pcdf_rounds *r, int domain);
/* Where the first byte of a block stands in its window. Elements may end some bytes behind their block. */
int64_t pcdf_rounds_place(const struct pcdf_rounds *r, int64_t index);

/* The bytes of an aggregator's window in this step, as its node sees them. */
char *pcdf_rounds_bytes(const struct pcdf_rounds *r, int number);

/* Before the node meets: an aggregator takes the window for a step after that from its write queue, where it
 * has one; that may wait for the storage, but for no other rank. first: the least round that it may be for.
 */
void pcdf_rounds_lend(struct pcdf_rounds *r, int window, int64_t first);
/* What was taken and not used. */
void pcdf_rounds_give(struct pcdf_rounds *r);

/* This rank's window is the one of a round from now on; `window` says which one of the two. */
void pcdf_rounds_open(struct pcdf_rounds *r, int64_t round, int window);
/* A put's window has all that any node has for it: it is written. */
void pcdf_rounds_close(struct pcdf_rounds *r);
/* A get's aggregator reads what its map has to its window. */
void pcdf_rounds_move(struct pcdf_rounds *r);
/* Pieces of another node for this rank's window: of a put with their bytes, one after another. */
void pcdf_rounds_take(struct pcdf_rounds *r, const struct pcdf_short_piece *pieces, uint32_t n,
                      const char *bytes);
/* The bytes of pieces of the window, one after another. Returns how many. */
size_t pcdf_rounds_answer(const struct pcdf_rounds *r, const struct pcdf_short_piece *pieces, uint32_t n,
                          char *to);

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
void pcdf_internode_await_answers(struct pcdf_rounds *r);
/* All messages have gone; all aggregators tell how they fared. */
void pcdf_internode_end_all(struct pcdf_rounds *r);

/* Where nodes have hops (relay.c), by all ranks; the first one of each node does it. */

/* Do nodes forward what others have in this call? Then the first round of any node; else -1. They do where
 * nodes have bytes for many more windows than messages are sent on the way, or an aggregator would hear of
 * too many nodes. */
int64_t pcdf_relay_begin_all(struct pcdf_rounds *r);
/* All that nodes listed in this step goes into windows, or, of a get, is brought. */
void pcdf_relay_all(struct pcdf_rounds *r);
/* The next round of any node. Then the windows of this step are complete where it is a later one. */
int64_t pcdf_relay_next_all(struct pcdf_rounds *r, int64_t ahead);
#endif
