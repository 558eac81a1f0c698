/* See sharedshown.h. */

#include "sharedshown.h"
#include "alloc.h"
#include "image.h"
#include "nodecache.h"
#include "nodecomm.h"
#include "numbers.h"
#include "provesame.h"
#include "status.h"
#include "virtualstorage.h"

/* ---- the image */

static int take(const unsigned char *bytes, int64_t n, const char *path, struct pcdf_shown **shown)
{
    struct pcdf_shown *made = pcdf_shown_make();
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
    int err = pcdf_image_decode(bytes, n, made->image);
    if (err)
        pcdf_shown_free(made);
    else
        *shown = made;
    return err;
}

/* The image to all ranks; fails on all ranks or on none. */
static int share_image_all(const struct pcdf_ranks *ranks, struct pcdf_shown **shown)
{
    unsigned char *bytes = NULL;
    int64_t n = 0;
    bool is_root = ranks->rank == 0;
    int status = NC_NOERR;
    if (ranks->size == 1) /* the same on all ranks */
        return NC_NOERR;
    if (is_root)
        status = pcdf_image_encode((*shown)->image, &bytes, &n);
    pcdf_first(&status, pcdf_ranks_bcast_all(ranks, &n, sizeof n));
    if (!is_root && n > 0 && !(bytes = pcdf_malloc((size_t)n)))
        pcdf_first(&status, PCDF_FAIL(NC_ENOMEM, "no memory for a description of %lld bytes", (long long)n));
    status = pcdf_ranks_agree_all(ranks, status, "take the description of %s", ranks->path);
    if (PCDF_SAME(ranks, status == NC_NOERR)) {
        status = pcdf_ranks_bcast_all(ranks, bytes, n);
        if (!status && !is_root)
            status = take(bytes, n, ranks->path, shown);
        status = pcdf_ranks_agree_all(ranks, status, "take the description of %s", ranks->path);
    }
    pcdf_free(bytes);
    return status;
}

/* ---- decoded chunks, which the ranks of a node share */

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
static struct pcdf_nodecache *make_cache_all(const struct pcdf_shown *shown, const struct pcdf_ranks *node,
                                             int64_t own)
{
    struct pcdf_nodecache_plan plan = { .users = node->size };
    struct pcdf_sharedmemory memory = { NULL, 0, -1 };
    struct pcdf_nodecache *made = NULL;
    plan.most = pcdf_smaller(shown->cache, MOST_OF_RANK) - own;
    int err = pcdf_ranks_reduce_all(node, MPI_SUM, &plan.most, 1);
    pcdf_virtual_plan(shown->image, shown->share, &plan);
    if (!err && plan.sizes != 0 &&
        make_memory_all(node, &plan, &memory)) /* the same on all ranks of the node */
        made = pcdf_nodecache_enter(&plan, node->rank, &memory);
    if (!made)
        pcdf_sharedmemory_free(&memory);
    return made;
}

static void share_cache_all(const struct pcdf_ranks *ranks, struct pcdf_shown *shown)
{
    int64_t own = pcdf_virtual_own(shown->image, shown->share, pcdf_smaller(shown->cache, MOST_OF_RANK));
    struct pcdf_ranks node;
    if (PCDF_SAME(ranks, ranks->size > 1 && own >= 0) && !pcdf_nodecomm_of_all(ranks, &node) &&
        node.size > 1) /* the same on all ranks of the node, unless MPI has failed */
        shown->node = make_cache_all(shown, &node, own);
    if (shown->node)
        shown->cache = own;
}

int pcdf_sharedshown_all(const struct pcdf_ranks *ranks, enum pcdf_chunk_share share, int64_t cache,
                         struct pcdf_shown **shown)
{
    int err = share_image_all(ranks, shown);
    if (PCDF_SAME(ranks, !err)) {
        (*shown)->share = share;
        (*shown)->cache = cache;
        share_cache_all(ranks, *shown);
    }
    return err;
}
