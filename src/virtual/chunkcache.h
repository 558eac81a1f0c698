#ifndef PCDF_CHUNKCACHE_H
#define PCDF_CHUNKCACHE_H
/* Decoded chunks of this process: those used last, as many as there is room for, and at least one. Local. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pcdf_cached_chunk {
    struct pcdf_cached_chunk *newer, *older, *next; /* by use; in its bucket */
    int64_t number;
    int var;
    size_t size;
    unsigned char bytes[];
};

struct pcdf_chunkcache {
    size_t most, held; /* bytes */
    struct pcdf_cached_chunk *newest, *oldest;
    struct pcdf_cached_chunk **buckets;
};

int pcdf_chunkcache_make(struct pcdf_chunkcache *cache, size_t most); /* NC_ENOMEM */
void pcdf_chunkcache_free(struct pcdf_chunkcache *cache);
bool pcdf_chunkcache_has(struct pcdf_chunkcache *cache, int var, int64_t number);
/* NULL: it is not there. Valid until the next lend. */
const unsigned char *pcdf_chunkcache_find(struct pcdf_chunkcache *cache, int var, int64_t number);
/* Memory for a chunk, which is the caller's until he gives it to keep or drops it. NULL: there is none. */
struct pcdf_cached_chunk *pcdf_chunkcache_lend(struct pcdf_chunkcache *cache, size_t size);
/* Is most of the cache empty, also with this chunk? */
bool pcdf_chunkcache_is_empty(const struct pcdf_chunkcache *cache, size_t size);
void pcdf_chunkcache_keep(struct pcdf_chunkcache *cache, struct pcdf_cached_chunk *chunk, int var,
                          int64_t number);
void pcdf_chunkcache_drop(struct pcdf_cached_chunk *chunk);
#endif
