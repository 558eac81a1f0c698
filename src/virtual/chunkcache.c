/* See chunkcache.h. */

#include "chunkcache.h"
#include "alloc.h"
#include "codes.h"
#include "hash.h"
#include "status.h"

enum { BUCKETS = 1 << 12, OF_ONE = sizeof(struct pcdf_cached_chunk) + 64 };

int pcdf_chunkcache_make(struct pcdf_chunkcache *cache, size_t most)
{
    *cache = (struct pcdf_chunkcache){ .most = most };
    cache->buckets = pcdf_calloc(BUCKETS, sizeof(struct pcdf_cached_chunk *));
    return cache->buckets ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for a cache of chunks");
}

void pcdf_chunkcache_free(struct pcdf_chunkcache *cache)
{
    for (struct pcdf_cached_chunk *c = cache->newest, *older; c; c = older) {
        older = c->older;
        pcdf_free(c);
    }
    pcdf_free(cache->buckets);
    *cache = (struct pcdf_chunkcache){ 0 };
}

static struct pcdf_cached_chunk **bucket_of(struct pcdf_chunkcache *cache, int var, int64_t number)
{
    return &cache->buckets[pcdf_hash_pair(var, number) % BUCKETS];
}

static void unlink_chunk(struct pcdf_chunkcache *cache, struct pcdf_cached_chunk *c)
{
    *(c->newer ? &c->newer->older : &cache->newest) = c->older;
    *(c->older ? &c->older->newer : &cache->oldest) = c->newer;
}

static void link_newest(struct pcdf_chunkcache *cache, struct pcdf_cached_chunk *c)
{
    c->newer = NULL;
    c->older = cache->newest;
    *(c->older ? &c->older->newer : &cache->oldest) = c;
    cache->newest = c;
}

static struct pcdf_cached_chunk *look_up(struct pcdf_chunkcache *cache, int var, int64_t number)
{
    struct pcdf_cached_chunk *c = *bucket_of(cache, var, number);
    while (c && (c->var != var || c->number != number))
        c = c->next;
    return c;
}

bool pcdf_chunkcache_has(struct pcdf_chunkcache *cache, int var, int64_t number)
{
    return look_up(cache, var, number) != NULL;
}

const unsigned char *pcdf_chunkcache_find(struct pcdf_chunkcache *cache, int var, int64_t number)
{
    struct pcdf_cached_chunk *c = look_up(cache, var, number);
    if (!c)
        return NULL;
    unlink_chunk(cache, c);
    link_newest(cache, c);
    return c->bytes;
}

/* Out of the cache; its memory stays. */
static struct pcdf_cached_chunk *take_oldest(struct pcdf_chunkcache *cache)
{
    struct pcdf_cached_chunk *c = cache->oldest, **at = bucket_of(cache, c->var, c->number);
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    unlink_chunk(cache, c);
    cache->held -= c->size + OF_ONE;
    return c;
}

struct pcdf_cached_chunk *pcdf_chunkcache_lend(struct pcdf_chunkcache *cache, size_t size)
{
    struct pcdf_cached_chunk *c = NULL;
    while (cache->oldest && cache->held + size + OF_ONE > cache->most) {
        pcdf_free(c);
        c = take_oldest(cache);
    }
    if (c && c->size == size) /* memory that was used before costs less than new */
        return c;
    pcdf_free(c);
    c = size <= SIZE_MAX - sizeof *c ? pcdf_malloc(sizeof *c + size) : NULL;
    if (c)
        c->size = size;
    return c;
}

bool pcdf_chunkcache_is_empty(const struct pcdf_chunkcache *cache, size_t size)
{
    return size <= cache->most / 4 && cache->held <= cache->most / 4 - size;
}

void pcdf_chunkcache_keep(struct pcdf_chunkcache *cache, struct pcdf_cached_chunk *c, int var, int64_t number)
{
    struct pcdf_cached_chunk **bucket = bucket_of(cache, var, number);
    c->var = var;
    c->number = number;
    c->next = *bucket;
    *bucket = c;
    cache->held += c->size + OF_ONE;
    link_newest(cache, c);
}

void pcdf_chunkcache_drop(struct pcdf_cached_chunk *chunk)
{
    pcdf_free(chunk);
}
