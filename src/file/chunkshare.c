/* See chunkshare.h. */

#include "chunkshare.h"
#include "nodecache.h"
#include "nodecomm.h"
#include "numbers.h"
#include "provesame.h"
#include "shown.h"
#include "virtualstorage.h"

#define MOST_OF_RANK (INT64_C(1) << 40)

/* Rank 0 of the node makes the memory, and the others find it. False: it failed somewhere on the node. */
static bool make_memory_all(const struct pcdf_ranks *node, const struct pcdf_nodecache_plan *plan,
                            struct pcdf_sharedmemory *memory)
{
    int64_t bytes = pcdf_nodecache_bytes(plan), has;
    struct pcdf_sharedmemory_notice notice = { .fd = -1 };
    if (node->rank == 0 && pcdf_sharedmemory_make("parcdf-chunks", bytes, memory) &&
        pcdf_nodecache_lay_out(plan, memory))
        notice = pcdf_sharedmemory_tell(memory->fd, bytes);
    int err = pcdf_ranks_bcast_all(node, &notice, sizeof notice);
    if (!err && node->rank > 0 && notice.bytes == bytes)
        (void)pcdf_sharedmemory_open(&notice, memory);
    has = memory->at && notice.fd >= 0;
    if (!err) /* the same on all ranks: else MPI has failed */
        err = pcdf_ranks_reduce_all(node, MPI_MIN, &has, 1);
    return !err && has;
}

/* own: bytes that this rank keeps for itself. */
static struct pcdf_nodecache *make_all(const struct pcdf_dataset *ds, const struct pcdf_ranks *node,
                                       int64_t own)
{
    struct pcdf_nodecache_plan plan = { .users = node->size };
    struct pcdf_sharedmemory memory = { NULL, 0, -1 };
    struct pcdf_nodecache *made = NULL;
    plan.most = pcdf_smaller(ds->hints.chunk_cache, MOST_OF_RANK) - own;
    int err = pcdf_ranks_reduce_all(node, MPI_SUM, &plan.most, 1);
    pcdf_virtual_plan(ds->shown->image, ds->shown->share, &plan);
    if (!err && plan.sizes != 0 &&
        make_memory_all(node, &plan, &memory)) /* the same on all ranks of the node */
        made = pcdf_nodecache_enter(&plan, node->rank, &memory);
    if (!made)
        pcdf_sharedmemory_free(&memory);
    return made;
}

void pcdf_chunkshare_make_all(struct pcdf_dataset *ds)
{
    struct pcdf_shown *shown = ds->shown;
    shown->share = (enum pcdf_chunk_share)ds->hints.chunk_share; /* rank 0's */
    shown->cache = ds->hints.chunk_cache;
    int64_t own = pcdf_virtual_own(shown->image, shown->share, pcdf_smaller(shown->cache, MOST_OF_RANK));
    struct pcdf_ranks node;
    if (PCDF_SAME(&ds->ranks, ds->ranks.size > 1 && own >= 0) && !pcdf_nodecomm_of_all(&ds->ranks, &node) &&
        node.size > 1) /* the same on all ranks of the node, unless MPI has failed */
        shown->node = make_all(ds, &node, own);
    if (shown->node)
        shown->cache = own;
}
