#ifndef PCDF_NODES_H
#define PCDF_NODES_H
/* Which ranks share a node's memory, and the windows there through which they hand each other pieces of
 * files. One of these stands beside each communicator, whatever the number of files on it; congruent ones
 * share it, unless several threads may be in MPI. Its memory is there while files use it, and some time
 * longer: of what nobody uses this rank keeps at most proposal.memory bytes, of all at most eight times that.
 * Where there is not enough the windows are smaller, or none. */

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "counts.h"
#include "hops.h"
#include "nodemem.h"
#include "poolmap.h"

struct pcdf_nodes_proposal { /* rank 0's holds */
    int64_t per_node;        /* aggregators of a node; 0: the rule */
    int64_t total;           /* aggregators in all; 0: no limit */
    int64_t memory;          /* most bytes for all of it, a rank */
};

struct pcdf_short_piece { /* bytes of a window, from its first one */
    uint32_t offset, length;
};

/* What a rank has for one domain in a step. */
struct pcdf_list_batch {
    uint32_t first, n; /* its pieces */
    /* For a window of another node: the bytes, one piece after another. */
    uint32_t at, bytes;
    int64_t next; /* next round with something in it; INT64_MAX: none */
};

struct pcdf_list {                   /* what a rank has in a step */
    int64_t *next;                   /* the least of all batches */
    struct pcdf_list_batch *batch;   /* by domain */
    struct pcdf_short_piece *pieces; /* for all of them */
    char *bytes;
};

struct pcdf_head { /* what begins a message between nodes */
    int64_t next;  /* next round with something for this window */
    uint32_t pieces, bytes;
    int64_t goes_on; /* another message of this step follows */
};

struct pcdf_post {           /* what a lane's rank needs in a transfer */
    int64_t *due;            /* by node: the round of its next message */
    struct pcdf_head *heads; /* messages under way, most_messages a buffer; as sends */
    MPI_Request *sends, *answers;
    /* Batches of a message: two for each rank, and one. */
    int *lengths;
    MPI_Aint *places;
    char *slots; /* PCDF_NODES_SLOTS messages */
    /* Of hops, for each node of a column: */
    int64_t *volumes; /* two that are sent, and two that come */
    int *splits;      /* length and place of both, sent and coming */
    int *members;
    MPI_Request *swaps; /* two */
};

enum { PCDF_NODES_PRETENDED = 4096 };

struct pcdf_nodes {
    MPI_Group group; /* the ranks of the communicators, in their order */
    struct pcdf_nodes_proposal proposal;
    char pretended[PCDF_NODES_PRETENDED]; /* nodes, by PARCDF_NODES; empty: the real ones */
    int64_t number;                       /* rank 0's, the same on all ranks */
    bool is_shared;                       /* by congruent communicators */
    int beside;                           /* so many of them */
    int files;                            /* that use the windows */
    int64_t left;                         /* when the last file left it */
    struct pcdf_nodes *next;              /* the next set of this process */
    int64_t fewest, largest;              /* ranks of a node */
    MPI_Comm node;                        /* the ranks of this one */
    /* Ranks with this number in their nodes, or MPI_COMM_NULL. */
    MPI_Comm lane;
    struct pcdf_hops hops;        /* no levels: messages go directly */
    MPI_Comm hop[PCDF_HOPS_MOST]; /* by level: first ranks of the same color */
    int rank, size;               /* in node */
    int index, n;                 /* this node's number; how many nodes */
    /* Ranks of a node that speak to other nodes, and aggregators in all. */
    int lanes, total;
    /* Aggregators of this node, and the one that this rank is (-1: none). */
    int here, mine;
    /* Bytes of a window. 0: there are none, and a transfer can not go through them. */
    int64_t window;
    int buffers; /* lists, one for each step on the way */
    /* Pieces and bytes that a rank can list in a step. */
    uint32_t room, staging;
    uint32_t message;                   /* bytes of the longest message between nodes */
    uint32_t most_messages;             /* that a lane sends in a step */
    size_t relay;                       /* bytes a node can forward at a time */
    uint32_t relay_room, relay_staging; /* as room and staging, where messages are forwarded */
    size_t window_bytes, list_bytes, batches_bytes, codes_bytes; /* nodes.c's: from one to the next */
    size_t node_bytes;                                           /* bytes of all of it */
    int64_t share;                                               /* bytes a rank, the same on all ranks */
    struct pcdf_nodemem memory;                                  /* what the node shares */
    /* This rank's own: a transfer needs no memory besides. */
    int64_t *numbers;        /* PCDF_NODES_LISTS lists of `total` */
    uint64_t *bits;          /* an aggregator's: room for a bytemap (bytemap.h) */
    struct pcdf_pool *pools; /* one for each aggregator of this node */
    struct pcdf_post post;
};

enum {
    PCDF_NODES_LISTS = 4,
    PCDF_NODES_SLOTS = 5,
    PCDF_NODES_BUFFERS = 3, /* at most */
    /* A node sends to so many nodes directly, where there are hops. */
    PCDF_NODES_NEIGHBOURS = 2048,
    PCDF_WINDOW_SLACK = 64 /* an element may end behind window or block */
};

/* Local. What stands beside comm, entered: until pcdf_nodes_leave nobody takes its windows away. NULL:
 * nothing yet. *is_ready: this rank has the windows. */
struct pcdf_nodes *pcdf_nodes_enter(MPI_Comm comm, bool *is_ready);
/* Collective, where some rank is not ready; *nodes: entered, or NULL. Where nothing can be shared the
 * window is 0, on all ranks: that is no error. NC_EMPI, NC_ENOMEM; what *nodes is then is to be left, too. */
int pcdf_nodes_complete_all(const struct pcdf_ranks *ranks, const struct pcdf_nodes_proposal *proposal,
                            struct pcdf_nodes **nodes);
/* Local: a file is closed. */
void pcdf_nodes_leave(struct pcdf_nodes *n);

/* In MPI_Finalize, once all communicators are gone. Local. */
void pcdf_nodes_end(void);

/* The node on which an aggregator is, and its number among the aggregators there. */
int pcdf_nodes_node_of(const struct pcdf_nodes *n, int aggregator, int *number);
/* The first one of this node. */
int pcdf_nodes_first(const struct pcdf_nodes *n);
/* The aggregator of a node in a lane; -1: none. */
int pcdf_nodes_aggregator(const struct pcdf_nodes *n, int node, int lane);
/* A lane has at most so many. */
int pcdf_nodes_of_lane(const struct pcdf_nodes *n);

/* The windows of this node's aggregators have two buffers, the lists of each rank `buffers`. */
char *pcdf_nodes_window(const struct pcdf_nodes *n, int buffer, int number);
struct pcdf_list pcdf_nodes_list(const struct pcdf_nodes *n, int buffer, int rank);
/* What a node has to forward, and what it gets: `relay` bytes each, in the place of the lists of steps that
 * are on the way. */
char *pcdf_nodes_relay(const struct pcdf_nodes *n, int number);
/* A number of each node, to tell the others or as heard of them, twice: while no message is on the way. Where
 * nodes have hops 0 lies in the lists of a call's first step, 1 in those of its second one. */
int64_t *pcdf_nodes_reports(const struct pcdf_nodes *n, int number);
/* How the domains fared, by domain; behind them one number for each aggregator of this node. */
int64_t *pcdf_nodes_codes(const struct pcdf_nodes *n);
/* Of an aggregator of this node (poolmap.h). */
struct pcdf_notice *pcdf_nodes_notice(const struct pcdf_nodes *n, int number);
/* What the first rank of the node tells the others. */
int64_t *pcdf_nodes_decision(const struct pcdf_nodes *n);

/* Collective on the node: what each rank stored before, all of them see after. file: whose counts and path
 * are used. NC_EMPI. */
int pcdf_nodes_meet_all(const struct pcdf_nodes *n, const struct pcdf_ranks *file);
#endif
