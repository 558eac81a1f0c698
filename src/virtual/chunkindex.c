/* See chunkindex.h. Entries in the order in which they came, and a table with open addressing, at most three
 * quarters full, that has their numbers. */

#include "chunkindex.h"
#include <assert.h>
#include <stdlib.h>
#include "hash.h"
#include "numbers.h"

/* struct pcdf_stored_chunk, and for whom it is news: a bit for each. A file may have millions of them. */
struct pcdf_chunkentry {
    int64_t number, offset;
    uint32_t length, mask;
    int varid;
    unsigned news;
};

static bool is_news(const struct pcdf_chunkentry *e, enum pcdf_chunknews of)
{
    return e->news >> of & 1;
}

/* Where the chunk is in the table, or would be. */
static size_t place_of(const struct pcdf_chunkindex *index, int varid, int64_t number)
{
    size_t at = (size_t)pcdf_hash_pair(varid, number) & (index->room - 1);
    for (; index->table[at]; at = (at + 1) & (index->room - 1)) {
        const struct pcdf_chunkentry *there = &index->entries.x[index->table[at] - 1];
        if (there->varid == varid && there->number == number)
            break;
    }
    return at;
}

/* NULL: it is not there. */
static struct pcdf_chunkentry *entry_of(const struct pcdf_chunkindex *index, int varid, int64_t number)
{
    if (index->entries.n == 0)
        return NULL;
    uint32_t entry = index->table[place_of(index, varid, number)];
    return entry ? &index->entries.x[entry - 1] : NULL;
}

static size_t filled(size_t room)
{
    return room / 4 * 3;
}

static int no_memory(size_t n)
{
    return PCDF_FAIL(NC_ENOMEM, "no memory for the places of %zu chunks", n);
}

static int grow_table(struct pcdf_chunkindex *index, size_t need)
{
    struct pcdf_chunkindex grown = *index;
    grown.room = index->room > 0 ? index->room : 64;
    while (filled(grown.room) < need)
        grown.room *= 2;
    grown.table = need < UINT32_MAX ? pcdf_calloc(grown.room, sizeof *grown.table) : NULL;
    if (!grown.table)
        return no_memory(need);
    for (size_t i = 0; i < index->entries.n; i++) {
        const struct pcdf_chunkentry *x = &index->entries.x[i];
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
    PCDF_TRY(PCDF_RESERVE(&index->entries, need));
    return need <= filled(index->room) ? NC_NOERR : grow_table(index, need);
}

static void make_news(struct pcdf_chunkindex *index, enum pcdf_chunknews of, struct pcdf_chunkentry *e)
{
    struct pcdf_chunknews_list *list = &index->news[of];
    size_t at = (size_t)(e - index->entries.x);
    if (list->n == 0 || at < list->first)
        list->first = at;
    list->n += !is_news(e, of);
    e->news |= 1u << of;
}

void pcdf_chunkindex_add(struct pcdf_chunkindex *index, const struct pcdf_stored_chunk *chunk, bool is_mine)
{
    uint32_t *at = &index->table[place_of(index, chunk->varid, chunk->number)];
    bool is_there = *at;
    if (!is_there)
        *at = (uint32_t)++index->entries.n;
    struct pcdf_chunkentry *e = &index->entries.x[*at - 1];
    assert(chunk->length >= 0 && chunk->length <= UINT32_MAX);
    for (int of = 0; of < PCDF_NEWS && is_there; of++)
        index->news[of].n -= is_news(e, of);
    *e = (struct pcdf_chunkentry){ .number = chunk->number,
                                   .offset = chunk->offset,
                                   .length = (uint32_t)chunk->length,
                                   .mask = chunk->mask,
                                   .varid = chunk->varid };
    for (int of = 0; of < PCDF_NEWS && is_mine; of++)
        make_news(index, of, e);
}

static struct pcdf_stored_chunk chunk_of(const struct pcdf_chunkentry *e)
{
    return (struct pcdf_stored_chunk){ e->number, e->offset, e->length, e->varid, e->mask };
}

bool pcdf_chunkindex_find(const struct pcdf_chunkindex *index, int varid, int64_t number,
                          struct pcdf_stored_chunk *chunk)
{
    const struct pcdf_chunkentry *e = entry_of(index, varid, number);
    if (e)
        *chunk = chunk_of(e);
    return e;
}

size_t pcdf_chunkindex_news(const struct pcdf_chunkindex *index, enum pcdf_chunknews of, size_t *at,
                            struct pcdf_stored_chunk *x, size_t most)
{
    size_t n = 0;
    if (index->news[of].n == 0)
        return 0;
    if (*at < index->news[of].first)
        *at = index->news[of].first;
    for (; *at < index->entries.n && n < most; (*at)++)
        if (is_news(&index->entries.x[*at], of))
            x[n++] = chunk_of(&index->entries.x[*at]);
    return n;
}

void pcdf_chunkindex_was_told(struct pcdf_chunkindex *index, enum pcdf_chunknews of)
{
    struct pcdf_chunknews_list *list = &index->news[of];
    for (size_t i = list->first; i < index->entries.n && list->n > 0; i++) {
        list->n -= is_news(&index->entries.x[i], of);
        index->entries.x[i].news &= ~(1u << of);
    }
}

void pcdf_chunkindex_renew(struct pcdf_chunkindex *index, enum pcdf_chunknews of, int varid, int64_t number)
{
    struct pcdf_chunkentry *e = entry_of(index, varid, number);
    if (e)
        make_news(index, of, e);
}

int64_t pcdf_chunkindex_bytes(const struct pcdf_chunkindex *index)
{
    return (int64_t)(index->entries.room * sizeof *index->entries.x + index->room * sizeof *index->table);
}

void pcdf_chunkindex_free(struct pcdf_chunkindex *index)
{
    pcdf_free(index->entries.x);
    pcdf_free(index->table);
    *index = (struct pcdf_chunkindex){ 0 };
}

int64_t pcdf_chunkindex_end(const struct pcdf_chunkindex *index)
{
    int64_t end = 0;
    for (size_t i = 0; i < index->entries.n; i++)
        end = pcdf_larger(end, index->entries.x[i].offset + index->entries.x[i].length);
    return end;
}
