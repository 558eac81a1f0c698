/* See chunkindex.h. Entries in the order in which they came, and a table with open addressing, at most half
 * full, that has their numbers. */

#include "chunkindex.h"
#include <stdlib.h>

struct pcdf_chunkentry {
    struct pcdf_stored_chunk chunk;
    bool is_new; /* not taken yet */
};

/* Where the chunk is in the table, or would be. */
static size_t place_of(const struct pcdf_chunkindex *index, int varid, int64_t number)
{
    uint64_t x = ((uint64_t)number * 0x9E3779B97F4A7C15u) ^ ((uint64_t)(unsigned)varid * 0xC2B2AE3D27D4EB4Fu);
    size_t at = (size_t)(x ^ x >> 32) & (index->room - 1);
    for (; index->table[at]; at = (at + 1) & (index->room - 1)) {
        const struct pcdf_stored_chunk *there = &index->entries.x[index->table[at] - 1].chunk;
        if (there->varid == varid && there->number == number)
            break;
    }
    return at;
}

static int no_memory(size_t n)
{
    return PCDF_FAIL(NC_ENOMEM, "no memory for the places of %zu chunks", n);
}

static int grow_table(struct pcdf_chunkindex *index, size_t need)
{
    struct pcdf_chunkindex grown = *index;
    grown.room = index->room > 0 ? index->room : 64;
    while (grown.room / 2 < need)
        grown.room *= 2;
    grown.table = need < UINT32_MAX ? pcdf_calloc(grown.room, sizeof *grown.table) : NULL;
    if (!grown.table)
        return no_memory(need);
    for (size_t i = 0; i < index->entries.n; i++) {
        const struct pcdf_stored_chunk *x = &index->entries.x[i].chunk;
        grown.table[place_of(&grown, x->varid, x->number)] = (uint32_t)i + 1;
    }
    pcdf_free(index->table);
    index->table = grown.table;
    index->room = grown.room;
    return NC_NOERR;
}

int pcdf_chunkindex_reserve(struct pcdf_chunkindex *index, size_t n)
{
    size_t need = index->entries.n + n;
    PCDF_TRY(PCDF_RESERVE(&index->news, index->news.n + n));
    PCDF_TRY(PCDF_RESERVE(&index->entries, need));
    return need <= index->room / 2 ? NC_NOERR : grow_table(index, need);
}

void pcdf_chunkindex_add(struct pcdf_chunkindex *index, const struct pcdf_stored_chunk *chunk, bool is_mine)
{
    uint32_t *at = &index->table[place_of(index, chunk->varid, chunk->number)];
    bool is_listed = *at && index->entries.x[*at - 1].is_new;
    if (!*at)
        *at = (uint32_t)++index->entries.n;
    index->entries.x[*at - 1] = (struct pcdf_chunkentry){ *chunk, is_mine };
    if (is_mine && !is_listed)
        index->news.x[index->news.n++] = *at - 1;
}

const struct pcdf_stored_chunk *pcdf_chunkindex_find(const struct pcdf_chunkindex *index, int varid,
                                                     int64_t number)
{
    if (index->entries.n == 0)
        return NULL;
    uint32_t entry = index->table[place_of(index, varid, number)];
    return entry ? &index->entries.x[entry - 1].chunk : NULL;
}

static int in_order(const void *a, const void *b)
{
    const struct pcdf_stored_chunk *x = a, *y = b;
    if (x->varid != y->varid)
        return x->varid < y->varid ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

int pcdf_chunkindex_take(struct pcdf_chunkindex *index, struct pcdf_stored_chunk **x, size_t *n)
{
    size_t kept = 0;
    struct pcdf_stored_chunk *made = index->news.n > 0 ? pcdf_malloc(index->news.n * sizeof *made) : NULL;
    if (index->news.n > 0 && !made)
        return no_memory(index->news.n);
    for (size_t i = 0; i < index->news.n; i++) {
        struct pcdf_chunkentry *e = &index->entries.x[index->news.x[i]];
        if (!e->is_new) /* others told a later place */
            continue;
        made[kept++] = e->chunk;
        e->is_new = false;
    }
    index->news.n = 0; /* what was reserved stays so */
    if (kept > 0) {
        qsort(made, kept, sizeof *made, in_order);
    } else {
        pcdf_free(made);
        made = NULL;
    }
    *x = made;
    *n = kept;
    return NC_NOERR;
}

int64_t pcdf_chunkindex_bytes(const struct pcdf_chunkindex *index)
{
    return (int64_t)(index->entries.room * sizeof *index->entries.x + index->room * sizeof *index->table +
                     index->news.room * sizeof *index->news.x);
}

void pcdf_chunkindex_free(struct pcdf_chunkindex *index)
{
    pcdf_free(index->entries.x);
    pcdf_free(index->table);
    pcdf_free(index->news.x);
    *index = (struct pcdf_chunkindex){ 0 };
}
