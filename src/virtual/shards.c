/* See shards.h. In the cache an index has the number of its shard, counted down from -1, where chunks have
 * theirs. Nothing that it says is trusted: a chunk is a range that the object must have. */

#include "shards.h"
#include <string.h>
#include "bytes.h"
#include "grid.h"
#include "status.h"

enum { OF_SLOT = 16, MOST_FETCHES = 16 };
#define LARGEST_INDEX (INT64_C(256) << 20)

static int64_t key_of(const struct pcdf_varview *w, int64_t chunk)
{
    int64_t index[PCDF_MOST_DIMS], key = 0;
    const int64_t *shard = w->v->map.shard;
    pcdf_grid_index(w->v->ndims, w->grid, chunk, index);
    for (int i = 0; i < w->v->ndims; i++)
        key = key * ((w->grid[i] + shard[i] - 1) / shard[i]) + index[i] / shard[i];
    return -1 - key;
}

/* ---- an index */

struct index {
    const struct pcdf_varview *w;
    const struct pcdf_chain *chain; /* NULL: none */
    int64_t key, bytes;             /* bytes: of its slots */
    struct pcdf_chunk_place place;  /* of the shard */
    struct pcdf_fetch fetch;
};

/* Its codecs may be checksums alone: so its size, as it is stored, is known. */
static int size_up(struct index *x, const struct pcdf_virtual *v)
{
    const struct pcdf_chunkmap *map = &x->w->v->map;
    x->chain = map->index_chain < 0 ? NULL : &v->image->chains[map->index_chain];
    x->bytes = OF_SLOT;
    for (int i = 0; i < x->w->v->ndims; i++)
        if (__builtin_mul_overflow(x->bytes, map->shard[i], &x->bytes) || x->bytes > LARGEST_INDEX)
            return PCDF_FAIL(NC_ENOTSUPPORT, "the index of its shard has more than %lld bytes",
                             (long long)LARGEST_INDEX);
    x->fetch.length = x->bytes;
    for (int i = 0; x->chain && i < x->chain->n; i++) {
        if (x->chain->x[i].id != PCDF_CODEC_CRC32C)
            return PCDF_FAIL(NC_ENOTBUILT, "the codec %s of the index of a shard is not read",
                             x->chain->x[i].name);
        x->fetch.length += 4;
    }
    return NC_NOERR;
}

/* place: of a chunk in the shard. */
static int prepare(struct pcdf_virtual *v, struct index *x, const struct pcdf_varview *w, int64_t chunk,
                   const struct pcdf_chunk_place *place)
{
    x->w = w;
    x->key = key_of(w, chunk);
    x->place = *place;
    x->fetch = (struct pcdf_fetch){ .key = x->place.key, .from_end = !w->v->map.index_is_first };
    PCDF_TRY(size_up(x, v));
    return pcdf_virtual_store(v, place->store, &x->fetch.store);
}

/* To the cache. A shard that is not there has an index without chunks. */
static int keep_index(struct pcdf_virtual *v, struct index *x)
{
    const struct pcdf_fetch *f = &x->fetch;
    if (f->err && f->err != NC_ENOENT)
        return f->err;
    if (!f->err && f->got < f->length)
        return PCDF_FAIL(NC_EREAD, "its shard has %lld bytes, too few for an index", (long long)f->got);
    struct pcdf_cached_chunk *c = pcdf_chunkcache_lend(&v->cache, (size_t)x->bytes);
    if (!c)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the index of a shard");
    int err = NC_NOERR;
    if (f->err)
        memset(c->bytes, 0xff, c->size);
    else if (x->chain)
        err = pcdf_chain_decode(x->chain, 0, f->to, (size_t)f->length, c->bytes, c->size, &v->scratch);
    else
        memcpy(c->bytes, f->to, c->size);
    if (err)
        pcdf_chunkcache_drop(c);
    else
        pcdf_chunkcache_keep(&v->cache, c, x->w->id, x->key);
    return err;
}

static int finish(struct pcdf_virtual *v, struct index *x)
{
    (void)pcdf_fetch_finish(&x->fetch, 1);
    int err = keep_index(v, x);
    pcdf_free(x->fetch.to);
    return err;
}

/* ---- the indices of many */

static bool is_among(const struct index *x, int n, const struct pcdf_varview *w, int64_t key)
{
    while (n > 0 && !(x[n - 1].w == w && x[n - 1].key == key))
        n--;
    return n > 0;
}

/* Adds the index that a need lacks, where it is not among them. False: it lacks none. */
static bool add(struct pcdf_virtual *v, struct index *x, int *found, const struct pcdf_need *need)
{
    struct pcdf_chunk_place place;
    const struct pcdf_varview *w = &v->views.vars[need->var];
    int64_t key = w->v->map.kind == PCDF_MAP_SHARDS ? key_of(w, need->chunk) : 0;
    if (key == 0 || pcdf_chunkcache_has(&v->cache, w->id, key))
        return false;
    if (!is_among(x, *found, w, key) &&
        !pcdf_chunkmap_find(&w->v->map, &v->cursor, w->v->ndims, w->grid, need->chunk, &place) &&
        !prepare(v, &x[*found], w, need->chunk, &place))
        ++*found;
    return true;
}

void pcdf_shards_fetch(struct pcdf_virtual *v, const struct pcdf_need *needs, size_t n, size_t ahead)
{
    struct index x[MOST_FETCHES];
    int found = 0;
    bool lacks = false;
    for (size_t i = 0; i < n && found < MOST_FETCHES; i++)
        lacks |= add(v, x, &found, &needs[i]);
    for (size_t i = n; lacks && i < ahead && found < MOST_FETCHES; i++)
        (void)add(v, x, &found, &needs[i]);
    for (int i = 0; i < found; i++)
        pcdf_fetch_start(&x[i].fetch, 1);
    for (int i = 0; i < found; i++)
        (void)finish(v, &x[i]);
}

/* ---- one chunk */

static int find_index(struct pcdf_virtual *v, const struct pcdf_varview *w, int64_t chunk,
                      const struct pcdf_chunk_place *place, const unsigned char **index)
{
    struct index x;
    *index = pcdf_chunkcache_find(&v->cache, w->id, key_of(w, chunk));
    if (*index)
        return NC_NOERR;
    PCDF_TRY(prepare(v, &x, w, chunk, place));
    pcdf_fetch_start(&x.fetch, 1);
    PCDF_TRY(finish(v, &x));
    *index = pcdf_chunkcache_find(&v->cache, w->id, x.key);
    return NC_NOERR;
}

int pcdf_shard_find(struct pcdf_virtual *v, const struct pcdf_need *need, struct pcdf_chunk_place *place)
{
    const unsigned char *index;
    PCDF_TRY(find_index(v, &v->views.vars[need->var], need->chunk, place, &index));
    const unsigned char *slot = index + place->slot * OF_SLOT;
    uint64_t offset = pcdf_bytes_get_little(slot, 8), length = pcdf_bytes_get_little(slot + 8, 8);
    place->slot = -1;
    if (offset == UINT64_MAX && length == UINT64_MAX) {
        place->store = -1;
        return NC_NOERR;
    }
    if (offset > INT64_MAX / 2 || length > INT64_MAX / 2)
        return PCDF_FAIL(NC_EREAD, "the index of its shard says that it has %llu bytes from %llu on",
                         (unsigned long long)length, (unsigned long long)offset);
    place->offset = (int64_t)offset;
    place->length = (int64_t)length;
    return NC_NOERR;
}
