/* See virtualstorage.h. */

#include "virtualstorage.h"
#include <string.h>
#include "alloc.h"
#include "boxread.h"
#include "chunkread.h"
#include "nodecache.h"
#include "numbers.h"
#include "shown.h"
#include "status.h"
#include "virtual.h"

struct virtual
{
    struct pcdf_storage s;
    struct pcdf_virtual v;
};

static int virtual_close(struct pcdf_storage *s)
{
    struct pcdf_virtual *v = &((struct virtual *)s)->v;
    pcdf_virtual_close_stores(v);
    pcdf_free(v->stores);
    pcdf_free(v->raw);
    pcdf_free(v->stored.bytes);
    pcdf_free(v->plain.bytes);
    pcdf_free(v->scratch.a);
    pcdf_free(v->scratch.b);
    pcdf_needs_free(&v->needs);
    pcdf_chunkcache_free(&v->cache);
    pcdf_views_free(&v->views);
    return NC_NOERR;
}

static int virtual_open(const struct pcdf_storage_config *config, struct pcdf_storage **s)
{
    if (!config->shown)
        return PCDF_FAIL(NC_EDRIVER, "the engine virtual is for files of other formats");
    struct virtual *made = pcdf_storage_make(sizeof *made, &pcdf_virtualstorage, NULL, config);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", config->path);
    struct pcdf_virtual *v = &made->v;
    v->image = config->shown->image;
    v->node = config->shown->node;
    v->share = config->shown->share;
    v->counts = config->counts;
    int err = pcdf_views_make(v->image, &v->views);
    if (!err)
        err = pcdf_chunkcache_make(&v->cache, (size_t)pcdf_larger(config->shown->cache, 0));
    if (!err && !(v->stores = pcdf_calloc((size_t)v->image->nstores + 1, sizeof(struct pcdf_store *))))
        err = PCDF_FAIL(NC_ENOMEM, "no memory to open %s", config->path);
    v->needs.views = &v->views;
    v->needs.read = pcdf_chunks_read;
    v->needs.context = v;
    if (err) {
        (void)virtual_close(&made->s);
        pcdf_storage_free(&made->s);
        return err;
    }
    *s = &made->s;
    return NC_NOERR;
}

/* What there is of the pieces: all that does not lie behind the end. */
static int virtual_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct pcdf_virtual *v = &((struct virtual *)s)->v;
    if (x->dir == PCDF_PUT)
        return PCDF_FAIL(NC_EPERM, "%s: files of this kind are only read", s->path);
    PCDF_TRY(pcdf_needs_read(&v->needs, x));
    for (size_t i = 0; i < x->n; i++) {
        int64_t there = v->views.data_end - x->pieces[i].offset;
        *got += pcdf_larger(0, pcdf_smaller(there, x->pieces[i].length));
    }
    return NC_NOERR;
}

static int virtual_get_boxes(struct pcdf_storage *s, const struct pcdf_boxes *boxes)
{
    return pcdf_boxes_read(&((struct virtual *)s)->v, boxes);
}

static int virtual_size(struct pcdf_storage *s, int64_t *bytes)
{
    *bytes = ((struct virtual *)s)->v.views.data_end;
    return NC_NOERR;
}

static int virtual_sync(struct pcdf_storage *s, bool together)
{
    (void)s;
    (void)together;
    return NC_NOERR;
}

const struct pcdf_storage_ops pcdf_virtualstorage = {
    .name = "virtual",
    .is_shared = true,
    .open = virtual_open,
    .move = virtual_move,
    .get_boxes = virtual_get_boxes,
    .size = virtual_size,
    .sync = virtual_sync,
    .close = virtual_close,
};

const int64_t *pcdf_virtual_chunk(struct pcdf_storage *s, int varid, int *ndims)
{
    const struct pcdf_storage *bottom = pcdf_storage_bottom(s);
    if (bottom->ops != &pcdf_virtualstorage)
        return NULL;
    const struct pcdf_varview *w = &((const struct virtual *)bottom)->v.views.vars[varid];
    *ndims = w->ndims;
    return w->ndims > 0 ? w->chunk : NULL;
}

int64_t pcdf_virtual_band(const struct pcdf_image *image)
{
    struct pcdf_views views;
    int64_t longest = 0;
    if (pcdf_views_make(image, &views))
        return 0;
    for (int i = 0; i < image->nvars; i++) {
        const struct pcdf_varview *w = &views.vars[i];
        int64_t last = 0;
        if (w->v->chain < 0 || !pcdf_chain_compresses(&image->chains[w->v->chain]))
            continue;
        for (int k = 0; k < w->ndims; k++)
            last += (pcdf_smaller(w->chunk[k], w->length[k]) - 1) * w->stride[k];
        if (w->is_record && w->ndims > 0)
            last += (pcdf_smaller(w->chunk[0], w->length[0]) - 1) *
                    ((image->layout.recsize - w->bytes) / w->width);
        longest = pcdf_larger(longest, (last + 1) * w->width);
    }
    pcdf_views_free(&views);
    return longest;
}

/* ---- what ranks of a node share */

bool pcdf_virtual_is_shared(enum pcdf_chunk_share share, const struct pcdf_chain *chain)
{
    return share != PCDF_CHUNK_SHARE_DISABLE && chain->n > 0 &&
           (share == PCDF_CHUNK_SHARE_ENABLE || pcdf_chain_compresses(chain));
}

/* Overflow was looked for when the image was decoded (imagebytes.c). */
static int64_t chunk_bytes(const struct pcdf_chunked *v)
{
    int64_t bytes = v->size;
    for (int i = 0; i < v->ndims; i++)
        bytes *= v->chunk[i];
    return bytes;
}

static bool shares(const struct pcdf_image *image, enum pcdf_chunk_share share, const struct pcdf_chunked *v)
{
    return v->chain >= 0 && pcdf_virtual_is_shared(share, &image->chains[v->chain]) &&
           chunk_bytes(v) >= PCDF_NODECACHE_LEAST;
}

/* Of all chunks of a variable that is not shared, or of the indices of its shards. */
static int64_t own_bytes(const struct pcdf_image *image, const struct pcdf_chunked *v, bool is_shared)
{
    enum { OF_INDEX = 64 }; /* more than a chunk has in one */
    bool is_decoded = v->chain >= 0 && image->chains[v->chain].n > 0 && !is_shared;
    int64_t bytes = is_decoded ? chunk_bytes(v) : 0, all;
    if (v->map.kind == PCDF_MAP_SHARDS)
        bytes += OF_INDEX;
    for (int i = 0; i < v->ndims; i++) {
        int64_t grid = v->shape[i] / v->chunk[i] + 1;
        bytes = __builtin_mul_overflow(bytes, grid, &all) ? INT64_MAX : all;
    }
    return bytes;
}

int64_t pcdf_virtual_own(const struct pcdf_image *image, enum pcdf_chunk_share share, int64_t of_rank)
{
    int64_t own = 0;
    bool any = false;
    for (int i = 0; i < image->nvars; i++) {
        bool is_shared = shares(image, share, &image->vars[i]);
        any |= is_shared;
        own += pcdf_smaller(own_bytes(image, &image->vars[i], is_shared), of_rank / 2 - own);
    }
    return any ? own : -1;
}

void pcdf_virtual_plan(const struct pcdf_image *image, enum pcdf_chunk_share share,
                       struct pcdf_nodecache_plan *plan)
{
    for (int i = 0; i < image->nvars; i++)
        if (shares(image, share, &image->vars[i]))
            (void)pcdf_nodecache_plan_size(plan, chunk_bytes(&image->vars[i]));
}
