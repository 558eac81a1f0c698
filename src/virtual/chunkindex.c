/* See chunkindex.h. A table with open addressing, at most half full. */

#include "chunkindex.h"
#include <stdlib.h>

static size_t place_of(const struct pcdf_chunkindex *index, int varid, int64_t number)
{
    uint64_t x = ((uint64_t)number * 0x9E3779B97F4A7C15u) ^ ((uint64_t)(unsigned)varid * 0xC2B2AE3D27D4EB4Fu);
    size_t at = (size_t)(x ^ x >> 32) & (index->room - 1);
    while (index->table[at].varid >= 0 &&
           (index->table[at].varid != varid || index->table[at].number != number))
        at = (at + 1) & (index->room - 1);
    return at;
}

static int grow(struct pcdf_chunkindex *index, size_t need)
{
    struct pcdf_chunkindex grown = { .room = index->room > 0 ? index->room : 64 };
    while (grown.room / 2 < need)
        grown.room *= 2;
    grown.table = pcdf_malloc(grown.room * sizeof *grown.table);
    if (!grown.table)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the places of %zu chunks", need);
    for (size_t i = 0; i < grown.room; i++)
        grown.table[i].varid = -1;
    for (size_t i = 0; i < index->room; i++) {
        const struct pcdf_stored_chunk *x = &index->table[i];
        if (x->varid >= 0)
            grown.table[place_of(&grown, x->varid, x->number)] = *x;
    }
    pcdf_free(index->table);
    index->table = grown.table;
    index->room = grown.room;
    return NC_NOERR;
}

int pcdf_chunkindex_reserve(struct pcdf_chunkindex *index, size_t n)
{
    PCDF_TRY(PCDF_RESERVE(&index->news, index->news.n + n));
    return index->n + n <= index->room / 2 ? NC_NOERR : grow(index, index->n + n);
}

void pcdf_chunkindex_add(struct pcdf_chunkindex *index, const struct pcdf_stored_chunk *chunk, bool is_new)
{
    struct pcdf_stored_chunk *to = &index->table[place_of(index, chunk->varid, chunk->number)];
    index->n += to->varid < 0;
    *to = *chunk;
    if (is_new)
        index->news.x[index->news.n++] = *chunk;
}

const struct pcdf_stored_chunk *pcdf_chunkindex_find(const struct pcdf_chunkindex *index, int varid,
                                                     int64_t number)
{
    if (index->n == 0)
        return NULL;
    const struct pcdf_stored_chunk *x = &index->table[place_of(index, varid, number)];
    return x->varid >= 0 ? x : NULL;
}

static int in_order(const void *a, const void *b)
{
    const struct pcdf_stored_chunk *x = a, *y = b;
    if (x->varid != y->varid)
        return x->varid < y->varid ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void pcdf_chunkindex_take(struct pcdf_chunkindex *index, struct pcdf_stored_chunk **x, size_t *n)
{
    size_t kept = 0;
    *x = index->news.x;
    for (size_t i = 0; i < index->news.n; i++) {
        const struct pcdf_stored_chunk *chunk = &(*x)[i],
                                       *last = pcdf_chunkindex_find(index, chunk->varid, chunk->number);
        if (last->offset == chunk->offset && last->length == chunk->length)
            (*x)[kept++] = *chunk;
    }
    if (kept > 0) {
        qsort(*x, kept, sizeof **x, in_order);
    } else {
        pcdf_free(*x);
        *x = NULL;
    }
    *n = kept;
    index->news.x = NULL;
    index->news.n = index->news.room = 0;
}

void pcdf_chunkindex_free(struct pcdf_chunkindex *index)
{
    pcdf_free(index->table);
    pcdf_free(index->news.x);
    *index = (struct pcdf_chunkindex){ 0 };
}
