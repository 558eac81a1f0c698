/* See chunkmap.h. A table is a stream of entries in blocks of 1,024, and behind it the directory: for each
 * block the number of its first chunk and where it begins, and at the end the length of the stream. An entry
 * is
 *
 *     varint  number - the number before - 1
 *     varint  offset - the end of the chunk before, zigzag
 *     varint  length * 4, + 1: a store follows, + 2: a mask follows
 *     varint  store; varint mask
 *
 * and the first of a block is told as if nothing had been before it. */

#include "chunkmap.h"
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "bytes.h"
#include "codes.h"
#include "grid.h"
#include "status.h"

enum { BLOCK = 1024, OF_DIRECTORY = 16, LONGEST_ENTRY = 50, HAS_STORE = 1, HAS_MASK = 2 };
#define LONGEST_CHUNK (INT64_C(1) << 56)
#define WHOLE_FILE    LONGEST_CHUNK /* in the place of a length: all that a file has */

static const struct pcdf_chunk_entry before_all = { .number = -1 };

/* ---- numbers as bytes */

static size_t put_varint(unsigned char *to, uint64_t x)
{
    size_t n = 0;
    for (; x >= 0x80; x >>= 7)
        to[n++] = (unsigned char)(x | 0x80);
    to[n++] = (unsigned char)x;
    return n;
}

static bool get_varint(const unsigned char **at, const unsigned char *end, uint64_t *x)
{
    *x = 0;
    for (int shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = *(*at)++;
        *x |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static int64_t number_at(const unsigned char *p)
{
    return (int64_t)pcdf_bytes_get_little(p, 8);
}

static void number_to(unsigned char *p, int64_t number)
{
    pcdf_bytes_put_little(p, (uint64_t)number, 8);
}

static uint64_t zigzag(int64_t x)
{
    return (uint64_t)x << 1 ^ (uint64_t)(x >> 63);
}

static int64_t unzigzag(uint64_t x)
{
    return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
}

/* e: the entry before, then this one. False: damaged. */
static bool get_entry(const unsigned char **at, const unsigned char *end, struct pcdf_chunk_entry *e)
{
    uint64_t step, move, size, store = (uint64_t)e->store, mask = 0;
    if (!get_varint(at, end, &step) || !get_varint(at, end, &move) || !get_varint(at, end, &size) ||
        (size & HAS_STORE && !get_varint(at, end, &store)) ||
        (size & HAS_MASK && !get_varint(at, end, &mask)))
        return false;
    if (step > INT64_MAX - 1 || __builtin_add_overflow(e->number + 1, (int64_t)step, &e->number) ||
        __builtin_add_overflow(e->offset + e->length, unzigzag(move), &e->offset) || e->offset < 0 ||
        size >> 2 > LONGEST_CHUNK || e->offset > INT64_MAX - LONGEST_CHUNK || e->number == INT64_MAX ||
        store > INT32_MAX || mask > UINT32_MAX)
        return false;
    e->length = (int64_t)(size >> 2);
    e->store = (int)store;
    e->mask = (uint32_t)mask;
    return true;
}

/* ---- building */

static int grow(struct pcdf_chunkmap *map, int64_t more)
{
    if (map->nbytes + more <= map->room)
        return NC_NOERR;
    int64_t room = map->room + map->room / 2 + more;
    unsigned char *grown = pcdf_realloc(map->bytes, (size_t)room);
    if (!grown)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the places of %lld chunks", (long long)map->count);
    map->bytes = grown;
    map->room = room;
    return NC_NOERR;
}

int pcdf_chunkmap_add(struct pcdf_chunkmap *map, int64_t number, int store, int64_t offset, int64_t length,
                      uint32_t mask)
{
    bool is_first = map->count % BLOCK == 0;
    if (map->count == 0) {
        map->kind = PCDF_MAP_TABLE;
        map->last_number = -1;
    }
    if (length == -1 && offset == 0)
        length = WHOLE_FILE;
    if (number <= map->last_number || store < 0 || offset < 0 || offset > INT64_MAX - LONGEST_CHUNK ||
        length < 0 || length > LONGEST_CHUNK)
        return PCDF_FAIL(NC_EINVAL, "chunk %lld (after %lld) of %lld bytes at %lld", (long long)number,
                         (long long)map->last_number, (long long)length, (long long)offset);
    PCDF_TRY(grow(map, LONGEST_ENTRY));
    struct pcdf_chunk_entry last = { map->last_number, map->last_end, 0, map->last_store, 0 };
    if (is_first)
        last = before_all;
    unsigned char *to = map->bytes + map->nbytes;
    uint64_t flags = (store != last.store ? HAS_STORE : 0) | (mask ? HAS_MASK : 0);
    to += put_varint(to, (uint64_t)(number - last.number - 1));
    to += put_varint(to, zigzag(offset - last.offset));
    to += put_varint(to, (uint64_t)length << 2 | flags);
    if (flags & HAS_STORE)
        to += put_varint(to, (uint64_t)store);
    if (flags & HAS_MASK)
        to += put_varint(to, mask);
    map->nbytes = to - map->bytes;
    map->last_number = number;
    map->last_end = offset + length;
    map->last_store = store;
    map->count++;
    return NC_NOERR;
}

/* All chunks are there, of one length, in one store, with all codecs, and with equal steps between them. */
static bool make_linear(struct pcdf_chunkmap *map, int64_t nchunks)
{
    const unsigned char *at = map->bytes, *end = at + map->nbytes;
    struct pcdf_chunk_entry e = before_all, first = before_all;
    int64_t stride = 0, last = 0;
    if (map->count != nchunks)
        return false;
    for (int64_t i = 0; i < map->count; i++, last = e.offset) {
        if (i % BLOCK == 0)
            e = before_all;
        if (!get_entry(&at, end, &e) || e.mask)
            return false;
        if (i == 0)
            first = e;
        if (i == 1)
            stride = e.offset - first.offset;
        if (e.number != i || e.length != first.length || e.store != first.store ||
            (i > 0 && e.offset - last != stride))
            return false;
    }
    pcdf_free(map->bytes);
    *map = (struct pcdf_chunkmap){ .kind = PCDF_MAP_LINEAR,
                                   .store = first.store,
                                   .offset = first.offset,
                                   .stride = stride,
                                   .length = first.length };
    return true;
}

int pcdf_chunkmap_finish(struct pcdf_chunkmap *map, int64_t nchunks)
{
    if (map->count == 0 || (map->kind == PCDF_MAP_TABLE && make_linear(map, nchunks))) {
        map->kind = map->count == 0 && map->kind == PCDF_MAP_TABLE ? PCDF_MAP_NONE : map->kind;
        return NC_NOERR;
    }
    int64_t length = map->nbytes, blocks = (map->count + BLOCK - 1) / BLOCK;
    PCDF_TRY(grow(map, blocks * OF_DIRECTORY + 8));
    const unsigned char *at = map->bytes, *end = at + length;
    unsigned char *to = map->bytes + length;
    struct pcdf_chunk_entry e = before_all;
    for (int64_t i = 0; i < map->count; i++) {
        int64_t from = at - map->bytes;
        if (i % BLOCK == 0)
            e = before_all;
        (void)get_entry(&at, end, &e);
        if (i % BLOCK == 0) {
            number_to(to, e.number);
            number_to(to + 8, from);
            to += OF_DIRECTORY;
        }
    }
    number_to(to, length);
    map->nbytes = to + 8 - map->bytes;
    return NC_NOERR;
}

/* ---- a table that is finished */

struct table {
    const unsigned char *bytes, *directory;
    int64_t length, blocks;
};

static bool table_of(const struct pcdf_chunkmap *map, struct table *t)
{
    t->length = map->nbytes >= 8 ? number_at(map->bytes + map->nbytes - 8) : -1;
    if (t->length < 0 || t->length > map->nbytes - 8 || (map->nbytes - 8 - t->length) % OF_DIRECTORY != 0)
        return false;
    t->bytes = map->bytes;
    t->directory = map->bytes + t->length;
    t->blocks = (map->nbytes - 8 - t->length) / OF_DIRECTORY;
    return true;
}

static bool block_of(const struct table *t, int64_t block, const unsigned char **at,
                     const unsigned char **end)
{
    int64_t from = number_at(t->directory + block * OF_DIRECTORY + 8), to = t->length;
    if (block + 1 < t->blocks)
        to = number_at(t->directory + (block + 1) * OF_DIRECTORY + 8);
    if (from < 0 || to < from || to > t->length)
        return false;
    *at = t->bytes + from;
    *end = t->bytes + to;
    return true;
}

static int64_t told_length(int64_t length)
{
    return length == WHOLE_FILE ? -1 : length;
}

static int damaged(void)
{
    return PCDF_FAIL(NC_EREAD, "the map of the chunks of a variable is damaged");
}

/* To the beginning of the last block whose first number is not above it. */
static bool seek(const struct pcdf_chunkmap *map, int64_t number, struct pcdf_chunk_cursor *c)
{
    struct table t;
    if (!table_of(map, &t))
        return false;
    int64_t low = 0, high = t.blocks;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (number_at(t.directory + middle * OF_DIRECTORY) <= number)
            low = middle;
        else
            high = middle;
    }
    c->at = c->end = map->bytes;
    c->entry = before_all;
    c->limit = high < t.blocks ? number_at(t.directory + high * OF_DIRECTORY) : INT64_MAX;
    return t.blocks == 0 || block_of(&t, low, &c->at, &c->end);
}

static int find_in_table(const struct pcdf_chunkmap *map, struct pcdf_chunk_cursor *c, int64_t number,
                         struct pcdf_chunk_place *place)
{
    bool goes_on = c->map == map && number >= c->asked && number < c->limit;
    c->map = NULL;
    if (!goes_on && !seek(map, number, c))
        return damaged();
    while (c->at < c->end && c->entry.number < number)
        if (!get_entry(&c->at, c->end, &c->entry))
            return damaged();
    if (c->entry.number == number) {
        place->store = c->entry.store;
        place->offset = c->entry.offset;
        place->length = told_length(c->entry.length);
        place->mask = c->entry.mask;
    }
    c->map = map;
    c->asked = number;
    return NC_NOERR;
}

static bool is_sound_table(const struct pcdf_chunkmap *map, int64_t nchunks, int nstores)
{
    struct table t;
    int64_t last = -1;
    if (!table_of(map, &t))
        return false;
    for (int64_t b = 0; b < t.blocks; b++) {
        const unsigned char *at, *end;
        struct pcdf_chunk_entry e = before_all;
        if (!block_of(&t, b, &at, &end))
            return false;
        for (bool is_first = true; at < end; is_first = false) {
            if (!get_entry(&at, end, &e) || e.store >= nstores || e.number >= nchunks || e.number <= last ||
                (is_first && e.number != number_at(t.directory + b * OF_DIRECTORY)))
                return false;
            last = e.number;
        }
    }
    return true;
}

static int each_of_table(const struct pcdf_chunkmap *map,
                         int (*take)(void *context, int64_t offset, int64_t length), void *context)
{
    struct table t;
    if (!table_of(map, &t))
        return damaged();
    for (int64_t b = 0; b < t.blocks; b++) {
        const unsigned char *at, *end;
        struct pcdf_chunk_entry e = before_all;
        if (!block_of(&t, b, &at, &end))
            return damaged();
        while (at < end) {
            if (!get_entry(&at, end, &e))
                return damaged();
            PCDF_TRY(take(context, e.offset, told_length(e.length)));
        }
    }
    return NC_NOERR;
}

int pcdf_chunkmap_each(const struct pcdf_chunkmap *map, int64_t nchunks,
                       int (*take)(void *context, int64_t offset, int64_t length), void *context)
{
    if (map->kind == PCDF_MAP_TABLE)
        return each_of_table(map, take, context);
    for (int64_t i = 0; map->kind == PCDF_MAP_LINEAR && i < nchunks; i++)
        PCDF_TRY(take(context, map->offset + i * map->stride, told_length(map->length)));
    return NC_NOERR;
}

bool pcdf_chunkmap_is_sound(const struct pcdf_chunkmap *map, int64_t nchunks, int nstores)
{
    int64_t last;
    bool has_store = map->store >= 0 && map->store < nstores;
    switch (map->kind) {
    case PCDF_MAP_NONE:
        return true;
    case PCDF_MAP_INLINE:
        return nchunks <= 1 && (map->bytes || map->nbytes == 0);
    case PCDF_MAP_LINEAR:
        return has_store && map->offset >= 0 && map->length >= 0 && map->length <= LONGEST_CHUNK &&
               !__builtin_mul_overflow(map->stride, nchunks - 1, &last) &&
               !__builtin_add_overflow(map->offset, last, &last) && last >= 0 &&
               last <= INT64_MAX - map->length && map->offset <= INT64_MAX - map->length;
    case PCDF_MAP_KEYS:
    case PCDF_MAP_SHARDS:
        return has_store && map->prefix && (map->separator == '.' || map->separator == '/') &&
               (map->kind == PCDF_MAP_KEYS || map->shard);
    case PCDF_MAP_TABLE:
        return is_sound_table(map, nchunks, nstores);
    }
    return false;
}

/* ---- keys */

static int make_key(const struct pcdf_chunkmap *map, int ndims, const int64_t *index,
                    char key[PCDF_CHUNK_KEY])
{
    int n = snprintf(key, PCDF_CHUNK_KEY, "%s%s", map->prefix, map->is_v3 ? "c" : ndims == 0 ? "0" : "");
    for (int i = 0; i < ndims && n < PCDF_CHUNK_KEY; i++) {
        const char apart[2] = { i > 0 || map->is_v3 ? map->separator : '\0' };
        n += snprintf(key + n, (size_t)(PCDF_CHUNK_KEY - n), "%s%lld", apart, (long long)index[i]);
    }
    return n < PCDF_CHUNK_KEY ? NC_NOERR
                              : PCDF_FAIL(NC_EREAD, "the name of a chunk is longer than %d bytes: %.100s...",
                                          PCDF_CHUNK_KEY - 1, key);
}

static int find_by_key(const struct pcdf_chunkmap *map, int ndims, const int64_t *grid, int64_t number,
                       struct pcdf_chunk_place *place)
{
    int64_t index[PCDF_MOST_DIMS];
    if (ndims > PCDF_MOST_DIMS)
        return damaged();
    pcdf_grid_index(ndims, grid, number, index);
    if (map->kind == PCDF_MAP_SHARDS) {
        place->slot = 0;
        for (int i = 0; i < ndims; i++) {
            place->slot = place->slot * map->shard[i] + index[i] % map->shard[i];
            index[i] /= map->shard[i];
        }
    }
    place->store = map->store;
    return make_key(map, ndims, index, place->key);
}

int pcdf_chunkmap_find(const struct pcdf_chunkmap *map, struct pcdf_chunk_cursor *cursor, int ndims,
                       const int64_t *grid, int64_t number, struct pcdf_chunk_place *place)
{
    place->store = -1;
    place->key[0] = '\0';
    place->offset = 0;
    place->length = -1;
    place->mask = 0;
    place->bytes = NULL;
    place->slot = -1;
    switch (map->kind) {
    case PCDF_MAP_NONE:
        return NC_NOERR;
    case PCDF_MAP_INLINE:
        place->bytes = map->bytes;
        place->length = map->nbytes;
        return NC_NOERR;
    case PCDF_MAP_LINEAR:
        place->store = map->store;
        place->offset = map->offset + number * map->stride;
        place->length = told_length(map->length);
        return NC_NOERR;
    case PCDF_MAP_KEYS:
    case PCDF_MAP_SHARDS:
        return find_by_key(map, ndims, grid, number, place);
    case PCDF_MAP_TABLE:
        return find_in_table(map, cursor, number, place);
    }
    return damaged();
}

void pcdf_chunkmap_free(struct pcdf_chunkmap *map)
{
    pcdf_free(map->bytes);
    pcdf_free(map->prefix);
    pcdf_free(map->shard);
    *map = (struct pcdf_chunkmap){ .kind = PCDF_MAP_NONE };
}
