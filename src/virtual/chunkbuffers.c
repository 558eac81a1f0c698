/* See chunkbuffers.h. */

#include "chunkbuffers.h"
#include <assert.h>
#include "alloc.h"
#include "hash.h"
#include "status.h"

struct pcdf_chunkspare { /* at the beginning of memory that is not used */
    struct pcdf_chunkspare *next;
    size_t n;
};

enum {
    BUCKETS_LEAST = 1 << 10,
    BLOCK_MORE = 16 /* bytes that an allocation costs, about */
};

static void free_spare(struct pcdf_chunkbuffers *b)
{
    struct pcdf_chunkspare *s = b->spare;
    b->spare = s->next;
    b->spare_bytes -= (int64_t)s->n;
    pcdf_free(s);
}

int pcdf_chunkbuffers_make(struct pcdf_chunkbuffers *b)
{
    *b = (struct pcdf_chunkbuffers){ 0 };
    b->buckets = pcdf_calloc(BUCKETS_LEAST, sizeof(struct pcdf_chunkbuffer *));
    b->nbuckets = BUCKETS_LEAST;
    return b->buckets ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for a table of chunks");
}

void pcdf_chunkbuffers_free(struct pcdf_chunkbuffers *b)
{
    for (size_t i = 0; b->buckets && i < b->nbuckets; i++)
        for (struct pcdf_chunkbuffer *c = b->buckets[i], *next; c; c = next) {
            next = c->next;
            pcdf_free(c->values);
            pcdf_free(c);
        }
    while (b->spare)
        free_spare(b);
    pcdf_free(b->buckets);
    *b = (struct pcdf_chunkbuffers){ 0 };
}

static struct pcdf_chunkbuffer **bucket_of(const struct pcdf_chunkbuffers *b, int varid, int64_t number)
{
    return &b->buckets[pcdf_hash_pair(varid, number) & (b->nbuckets - 1)];
}

/* Without memory for it, chunks are found more slowly. */
static void resize_table(struct pcdf_chunkbuffers *b, size_t nbuckets)
{
    struct pcdf_chunkbuffers made = { .nbuckets = nbuckets };
    made.buckets = pcdf_calloc(nbuckets, sizeof(struct pcdf_chunkbuffer *));
    if (!made.buckets)
        return;
    for (size_t i = 0; i < b->nbuckets; i++)
        for (struct pcdf_chunkbuffer *c = b->buckets[i], *next; c; c = next) {
            struct pcdf_chunkbuffer **to = bucket_of(&made, c->varid, c->number);
            next = c->next;
            c->next = *to;
            *to = c;
        }
    pcdf_free(b->buckets);
    b->buckets = made.buckets;
    b->nbuckets = nbuckets;
}

static struct pcdf_chunkbuffer *look_up(const struct pcdf_chunkbuffers *b, int varid, int64_t number)
{
    struct pcdf_chunkbuffer *c = *bucket_of(b, varid, number);
    while (c && (c->varid != varid || c->number != number))
        c = c->next;
    return c;
}

static enum pcdf_chunkbuffer_kind kind_of(const struct pcdf_chunkbuffer *c)
{
    return c->is_full ? PCDF_CHUNKS_FULL : c->is_changed ? PCDF_CHUNKS_CHANGED : PCDF_CHUNKS_CLEAN;
}

static void unlink_chunk(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c)
{
    struct pcdf_chunkbuffer_list *list = &b->lists[kind_of(c)];
    b->nfull -= c->is_full;
    *(c->newer ? &c->newer->older : &list->newest) = c->older;
    *(c->older ? &c->older->newer : &list->oldest) = c->newer;
}

static void link_newest(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c)
{
    struct pcdf_chunkbuffer_list *list = &b->lists[kind_of(c)];
    b->nfull += c->is_full;
    c->newer = NULL;
    c->older = list->newest;
    *(c->older ? &c->older->newer : &list->oldest) = c;
    list->newest = c;
}

static void take_away(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c)
{
    struct pcdf_chunkbuffer **at = bucket_of(b, c->varid, c->number);
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    pcdf_free(c);
    if (--b->n < b->nbuckets / 8 && b->nbuckets > BUCKETS_LEAST)
        resize_table(b, b->nbuckets / 4);
}

static struct pcdf_chunkbuffer *make(struct pcdf_chunkbuffers *b, int varid, int64_t number)
{
    struct pcdf_chunkbuffer *c = pcdf_calloc(1, sizeof *c), **bucket;
    if (!c)
        return NULL;
    if (++b->n > b->nbuckets)
        resize_table(b, b->nbuckets * 4);
    bucket = bucket_of(b, varid, number);
    c->varid = varid;
    c->number = number;
    c->next = *bucket;
    *bucket = c;
    return c;
}

static struct pcdf_chunkbuffer *claim(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c)
{
    if (c && c->values)
        unlink_chunk(b, c);
    if (c)
        c->is_claimed = true;
    return c;
}

struct pcdf_chunkbuffer *pcdf_chunkbuffers_claim(struct pcdf_chunkbuffers *b, int varid, int64_t number,
                                                 pthread_mutex_t *lock, pthread_cond_t *freed)
{
    struct pcdf_chunkbuffer *c;
    while ((c = look_up(b, varid, number)) && c->is_claimed) /* it may be gone when it is released */
        pthread_cond_wait(freed, lock);
    return claim(b, c ? c : make(b, varid, number));
}

struct pcdf_chunkbuffer *pcdf_chunkbuffers_claim_oldest(struct pcdf_chunkbuffers *b,
                                                        enum pcdf_chunkbuffer_kind kind)
{
    return claim(b, b->lists[kind].oldest);
}

void pcdf_chunkbuffers_release(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c)
{
    assert(c->is_claimed && !(c->is_changed && c->block) && (c->is_changed || !c->is_full));
    c->is_claimed = false;
    if (c->values)
        link_newest(b, c);
    else if (!c->block)
        take_away(b, c);
}

int64_t pcdf_chunkbuffers_overhead(const struct pcdf_chunkbuffers *b)
{
    return (int64_t)(b->n * (sizeof(struct pcdf_chunkbuffer) + BLOCK_MORE) +
                     b->nbuckets * sizeof *b->buckets);
}

const struct pcdf_chunkbuffer *pcdf_chunkbuffers_find(const struct pcdf_chunkbuffers *b, int varid,
                                                      int64_t number)
{
    return look_up(b, varid, number);
}

unsigned char *pcdf_chunkbuffers_memory(struct pcdf_chunkbuffers *b, size_t n)
{
    while (b->spare && b->spare->n != n)
        free_spare(b);
    struct pcdf_chunkspare *s = b->spare;
    if (!s)
        return pcdf_malloc(n);
    b->spare = s->next;
    b->spare_bytes -= (int64_t)n;
    return (unsigned char *)s;
}

bool pcdf_chunkbuffers_is_above(struct pcdf_chunkbuffers *b, int64_t bytes)
{
    /* the first one is what the next chunk gets */
    while (b->spare && b->held + b->spare_bytes - (int64_t)b->spare->n > bytes)
        free_spare(b);
    return b->held > bytes;
}

static void keep_memory(struct pcdf_chunkbuffers *b, unsigned char *values, size_t n)
{
    struct pcdf_chunkspare *s = (struct pcdf_chunkspare *)(void *)values;
    if (n < sizeof *s) {
        pcdf_free(values);
        return;
    }
    *s = (struct pcdf_chunkspare){ b->spare, n };
    b->spare = s;
    b->spare_bytes += (int64_t)n;
}

void pcdf_chunkbuffers_give(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c, unsigned char *values,
                            size_t n)
{
    assert(c->is_claimed && !c->values);
    c->values = values;
    c->n = n;
    b->held += (int64_t)n;
}

void pcdf_chunkbuffers_drop_values(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c)
{
    assert(c->is_claimed);
    if (c->values) {
        b->held -= (int64_t)c->n;
        keep_memory(b, c->values, c->n);
    }
    c->values = NULL;
    c->n = 0;
    c->is_changed = c->is_full = false;
}

void pcdf_chunkbuffers_was_written(struct pcdf_chunkbuffers *b, struct pcdf_chunkbuffer *c, bool keeps)
{
    assert(!c->is_claimed && !c->is_changed);
    c->block = NULL;
    claim(b, c);
    if (!keeps)
        pcdf_chunkbuffers_drop_values(b, c);
    pcdf_chunkbuffers_release(b, c);
}
