#ifndef PCDF_POOLMAP_H
#define PCDF_POOLMAP_H
/* Windows of a put in the memory of write queues (writepool.h): an aggregator takes them from its own pool,
 * the ranks of its node have that pool mapped and pack into it, and what is put from there is not copied
 * again. Beside the windows of the node each aggregator has a notice, which says where its pool is, and where
 * in it its next windows lie.
 *
 * The mappings are kept with the windows of the node (nodes.h). A process makes its pool anew only where it
 * has no queue, and then gives it another number. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "sharedmemory.h"

struct pcdf_nodes;

struct pcdf_notice {                    /* what an aggregator tells in its node's memory */
    struct pcdf_sharedmemory_notice of; /* its pool, where it has one */
    int64_t number;                     /* as in struct pcdf_writepool_share */
    _Atomic int64_t mapped;             /* ranks of the node that have it */
    int64_t place[2];                   /* places of its windows; -1: in node's memory */
};

struct pcdf_pool { /* an aggregator's memory, as this process sees it */
    char *at;      /* NULL: it does not */
    int64_t bytes, number;
};

/* In this order, at a file's first put, with meetings of the node between them. Local. */
/* An aggregator: the pool of its process. */
void pcdf_poolmap_tell(const struct pcdf_nodes *n);
/* All ranks: the pools of this node's aggregators. What can't be mapped is not. */
void pcdf_poolmap_map(struct pcdf_nodes *n);
/* Do all ranks of the node have the pool of some aggregator? The same on all of them. */
bool pcdf_poolmap_has_any(const struct pcdf_nodes *n);
/* And that of this rank, which is an aggregator? */
bool pcdf_poolmap_has_own(const struct pcdf_nodes *n);

/* An aggregator says where the window of a buffer lies from the next meeting on; NULL: in the node's memory.
 */
void pcdf_poolmap_announce(const struct pcdf_nodes *n, int buffer, const char *at);
/* Where a rank of the node finds it. NULL: in the node's memory. */
char *pcdf_poolmap_window(const struct pcdf_nodes *n, int buffer, int number);

/* Unmaps all. */
void pcdf_poolmap_drop(struct pcdf_nodes *n);
#endif
