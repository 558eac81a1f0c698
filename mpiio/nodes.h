#ifndef PCDF_NODES_H
#define PCDF_NODES_H
/* Which ranks share a node's memory, and the windows there through which they hand each other pieces of
 * files. One of these stands beside each communicator, whatever the number of files on it; congruent ones
 * share it, unless several threads may be in MPI. Its memory is there while files use it, and some time
 * longer: of what nobody uses this rank keeps at most wish.memory bytes, of all at most eight times that.
 * Where there is not enough the windows are smaller, or none. */

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "counts.h"
#include "nodemem.h"

struct pcdf_nodes_wish { /* rank 0's holds */
    int64_t per_node;    /* aggregators of a node; 0: the rule */
    int64_t total;       /* aggregators in all; 0: no limit */
    int64_t memory;      /* bytes a rank that all of it may take */
};

struct pcdf_short_piece { /* of a window, counted from its first byte */
    uint32_t offset, length;
};

struct pcdf_list_part { /* of a rank's list: its pieces for one aggregator */
    uint32_t first, n;
};

struct pcdf_list {                   /* what a rank has for the windows of a round */
    struct pcdf_list_part *part;     /* by aggregator */
    struct pcdf_short_piece *pieces; /* of all of them */
};

enum { PCDF_NODES_PRETENDED = 256 };

struct pcdf_nodes {
    MPI_Group group; /* the ranks of the communicators, in their order */
    struct pcdf_nodes_wish wish;
    char pretended[PCDF_NODES_PRETENDED]; /* nodes, by PARCDF_NODES; empty: the real ones */
    int64_t number;                       /* rank 0's, the same on all ranks */
    bool is_shared;                       /* by congruent communicators */
    int beside;                           /* so many of them */
    int files;                            /* that use the windows */
    int64_t left;                         /* when the last file left it */
    struct pcdf_nodes *next;              /* of all of this process */
    int64_t fewest, largest;              /* ranks of a node */
    MPI_Comm node;                        /* the ranks of this one */
    MPI_Comm lane;  /* the ranks that are the same aggregator of their nodes, by node; else MPI_COMM_NULL */
    int rank, size; /* in node */
    int index, n;   /* of this node, of all */
    int per_node, total; /* aggregators: node i has [i * per_node, (i + 1) * per_node) */
    int mine;            /* the one that this rank is, -1: none */
    int64_t *numbers;    /* PCDF_NODES_LISTS lists of `total`: a transfer needs no memory of its own */
    int64_t window;      /* bytes of a window; 0: there are none, and a transfer can not go through them */
    uint32_t room;       /* pieces that a rank can list in one round */
    size_t window_bytes, list_bytes, parts_bytes, node_bytes; /* nodes.c's: from one to the next; in all */
    int64_t share;                                            /* this rank's of node_bytes */
    struct pcdf_nodemem memory;                               /* of the node */
    uint64_t *bits; /* an aggregator's own: twice room for a bytemap (bytemap.h) */
    size_t bits_words;
    char *message[2]; /* an aggregator's own, between nodes: a message out, a message in */
    int64_t message_room;
};

enum { PCDF_NODES_LISTS = 13, PCDF_WINDOW_SLACK = 64 /* an element may end behind its window */ };

/* Local. What stands beside comm, entered: until pcdf_nodes_leave nobody takes its windows away. NULL:
 * nothing yet. *is_ready: this rank has the windows. */
struct pcdf_nodes *pcdf_nodes_enter(MPI_Comm comm, bool *is_ready);
/* Collective, where some rank is not ready; *nodes: entered, or NULL. Where nothing can be shared the
 * window is 0, on all ranks: that is no error. NC_EMPI, NC_ENOMEM; what *nodes is then is to be left, too. */
int pcdf_nodes_complete_all(const struct pcdf_ranks *ranks, const struct pcdf_nodes_wish *wish,
                            struct pcdf_nodes **nodes);
/* Local: a file is closed. */
void pcdf_nodes_leave(struct pcdf_nodes *n);

/* In MPI_Finalize, once all communicators are gone. Local. */
void pcdf_nodes_end(void);

/* The two buffers (0, 1) of each aggregator's window on this node, and of each rank's list. */
char *pcdf_nodes_window(const struct pcdf_nodes *n, int buffer, int aggregator);
struct pcdf_list pcdf_nodes_list(const struct pcdf_nodes *n, int buffer, int rank);

/* Collective on the node: what each rank stored before, all of them see after. file: whose counts and path
 * are used. NC_EMPI. */
int pcdf_nodes_meet_all(const struct pcdf_nodes *n, const struct pcdf_ranks *file);
#endif
