/* See poolmap.h. */

#include "poolmap.h"
#include <sys/mman.h>
#include <unistd.h>
#include "nodes.h"
#include "writer.h"

static struct pcdf_notice *own_notice(const struct pcdf_nodes *n)
{
    return pcdf_nodes_notice(n, n->mine - pcdf_nodes_first(n));
}

/* ---- whose pools there are */

void pcdf_poolmap_tell(const struct pcdf_nodes *n)
{
    pcdf_writer_lock();
    struct pcdf_writepool_share share = pcdf_writepool_share();
    pcdf_writer_unlock();
    struct pcdf_notice *notice = own_notice(n);
    notice->of = pcdf_sharedmemory_tell((int)share.fd, share.bytes);
    notice->number = share.number;
    notice->place[0] = notice->place[1] = -1;
    atomic_store(&notice->mapped, 0);
}

/* NULL: it can't be had. */
static char *map(const struct pcdf_notice *notice)
{
    struct pcdf_sharedmemory opened;
    if (pcdf_sharedmemory_open(&notice->of, &opened))
        close(opened.fd);
    return opened.at;
}

static void unmap(struct pcdf_pool *pool, bool is_own)
{
    if (pool->at && !is_own)
        munmap(pool->at, (size_t)pool->bytes);
    *pool = (struct pcdf_pool){ 0 };
}

static bool is_own(const struct pcdf_nodes *n, int number)
{
    return n->mine >= 0 && number == n->mine - pcdf_nodes_first(n);
}

void pcdf_poolmap_map(struct pcdf_nodes *n)
{
    for (int i = 0; i < n->here; i++) {
        struct pcdf_notice *notice = pcdf_nodes_notice(n, i);
        struct pcdf_pool *pool = &n->pools[i];
        if (pool->at && notice->of.fd >= 0 && pool->number == notice->number &&
            pool->bytes == notice->of.bytes) {
            atomic_fetch_add(&notice->mapped, 1);
            continue;
        }
        unmap(pool, is_own(n, i));
        if (notice->of.fd < 0)
            continue;
        char *at = is_own(n, i) ? pcdf_writepool_base() : map(notice);
        if (at) {
            *pool = (struct pcdf_pool){ at, notice->of.bytes, notice->number };
            atomic_fetch_add(&notice->mapped, 1);
        }
    }
}

static bool has(const struct pcdf_nodes *n, int number)
{
    return atomic_load(&pcdf_nodes_notice(n, number)->mapped) == n->size;
}

bool pcdf_poolmap_has_any(const struct pcdf_nodes *n)
{
    bool any = false;
    for (int i = 0; i < n->here; i++)
        any |= has(n, i);
    return any;
}

bool pcdf_poolmap_has_own(const struct pcdf_nodes *n)
{
    return n->mine >= 0 && has(n, n->mine - pcdf_nodes_first(n));
}

void pcdf_poolmap_drop(struct pcdf_nodes *n)
{
    for (int i = 0; n->pools && i < n->here; i++)
        unmap(&n->pools[i], is_own(n, i));
}

/* ---- where windows lie */

void pcdf_poolmap_announce(const struct pcdf_nodes *n, int buffer, const char *at)
{
    const struct pcdf_pool *own = &n->pools[n->mine - pcdf_nodes_first(n)];
    own_notice(n)->place[buffer] = at ? at - own->at : -1;
}

char *pcdf_poolmap_window(const struct pcdf_nodes *n, int buffer, int number)
{
    const struct pcdf_pool *pool = &n->pools[number];
    int64_t place = pcdf_nodes_notice(n, number)->place[buffer];
    return place < 0 ? NULL : pool->at + place;
}
