/* See chunklayer.h. */

#include "chunklayer.h"
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "chunkthreads.h"

/* ---- workers */

struct pcdf_chunkworker *pcdf_chunks_hire(struct pcdf_chunks *l)
{
    pthread_mutex_lock(&l->lock);
    struct pcdf_chunkworker *w = l->workers;
    if (w)
        l->workers = w->next;
    pthread_mutex_unlock(&l->lock);
    return w ? w : pcdf_calloc(1, sizeof *w);
}

void pcdf_chunks_dismiss(struct pcdf_chunks *l, struct pcdf_chunkworker *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&l->lock);
    l->worker_bytes -= w->counted;
    w->counted = (int64_t)(sizeof *w + w->scratch.na + w->scratch.nb + w->nstored);
    l->worker_bytes += w->counted;
    w->next = l->workers;
    l->workers = w;
    pthread_mutex_unlock(&l->lock);
}

/* ---- chunks */

struct pcdf_chunkbuffer *pcdf_chunks_claim(struct pcdf_chunks *l, int varid, int64_t number)
{
    pthread_mutex_lock(&l->lock);
    struct pcdf_chunkbuffer *c = pcdf_chunkbuffers_claim(&l->buffers, varid, number, &l->lock, &l->freed);
    pthread_mutex_unlock(&l->lock);
    return c;
}

void pcdf_chunks_release(struct pcdf_chunks *l, struct pcdf_chunkbuffer *c)
{
    pthread_mutex_lock(&l->lock);
    pcdf_chunkbuffers_release(&l->buffers, c);
    pthread_cond_broadcast(&l->freed);
    pthread_mutex_unlock(&l->lock);
}

/* The block becomes that of the chunk, in the place of what it has. With the lock. */
static void own(struct pcdf_chunks *l, struct pcdf_chunkbuffer *c, struct pcdf_chunkblock *b, bool keeps)
{
    b->varid = c->varid;
    b->number = c->number;
    b->owner = c;
    if (c->block)
        pcdf_chunkblocks_drop(&l->blocks, c->block);
    pcdf_chunkblocks_add(&l->blocks, b);
    c->block = b;
    c->is_changed = c->is_full = false;
    if (!keeps)
        pcdf_chunkbuffers_drop_values(&l->buffers, c);
}

/* A block with room for n bytes. */
static int make_block(struct pcdf_chunks *l, size_t n, struct pcdf_chunkblock **made)
{
    if ((uint64_t)n > UINT32_MAX)
        return PCDF_FAIL(NC_EBADCHUNK, "it has %zu bytes as it is stored, and HDF5 has chunks below 4 GiB",
                         n);
    pthread_mutex_lock(&l->lock);
    *made = pcdf_chunkblocks_new(&l->blocks, n);
    pthread_mutex_unlock(&l->lock);
    return *made ? NC_NOERR : NC_ENOMEM;
}

/* Straight to the block, where it is known how long it will be. */
static int encode(struct pcdf_chunks *l, const struct pcdf_chain *chain, const void *values, size_t n,
                  struct pcdf_codec_scratch *scratch, struct pcdf_chunkblock **made)
{
    const unsigned char *out;
    uint32_t mask = 0;
    size_t nout;
    if (pcdf_chain_size(chain, n, &nout)) {
        PCDF_TRY(make_block(l, nout, made));
        int err = pcdf_chain_encode_to(chain, values, n, (*made)->bytes, scratch);
        if (!err)
            return NC_NOERR;
        pthread_mutex_lock(&l->lock);
        pcdf_chunkblocks_give_back(*made);
        pthread_mutex_unlock(&l->lock);
        return err;
    }
    PCDF_TRY(pcdf_chain_encode_here(chain, values, n, &out, &nout, &mask, scratch));
    PCDF_TRY(make_block(l, nout, made));
    (*made)->mask = mask;
    memcpy((*made)->bytes, out, nout);
    return NC_NOERR;
}

int pcdf_chunks_encode(struct pcdf_chunks *l, struct pcdf_chunkbuffer *c, const void *values, size_t n,
                       bool keeps, struct pcdf_chunkworker *w)
{
    struct pcdf_chunkblock *b;
    PCDF_TRY(encode(l, &l->config.vars[c->varid].chain, values, n, &w->scratch, &b));
    b->nvalues = (int64_t)n;
    pthread_mutex_lock(&l->lock);
    own(l, c, b, keeps);
    pthread_mutex_unlock(&l->lock);
    return NC_NOERR;
}

struct crew { /* threads that encode chunks of a kind */
    struct pcdf_chunks *l;
    enum pcdf_chunkbuffer_kind kind;
};

static struct pcdf_chunkbuffer *claim_one(const struct crew *crew)
{
    pthread_mutex_lock(&crew->l->lock);
    struct pcdf_chunkbuffer *c = pcdf_chunkbuffers_claim_oldest(&crew->l->buffers, crew->kind);
    pthread_mutex_unlock(&crew->l->lock);
    return c;
}

static int encode_some(void *context)
{
    const struct crew *crew = context;
    struct pcdf_chunkworker *w = pcdf_chunks_hire(crew->l);
    struct pcdf_chunkbuffer *c;
    int status = w ? NC_NOERR : NC_ENOMEM;
    while (!status && (c = claim_one(crew))) {
        status = pcdf_chunks_encode(crew->l, c, c->values, c->n, crew->kind == PCDF_CHUNKS_CHANGED, w);
        if (status)
            status = pcdf_chunks_told(crew->l, c->varid, c->number, status);
        pcdf_chunks_release(crew->l, c);
    }
    pcdf_chunks_dismiss(crew->l, w);
    return status;
}

int pcdf_chunks_encode_all(struct pcdf_chunks *l, enum pcdf_chunkbuffer_kind kind)
{
    struct crew crew = { l, kind };
    pthread_mutex_lock(&l->lock);
    bool has_any = l->buffers.lists[kind].oldest;
    pthread_mutex_unlock(&l->lock);
    return has_any ? pcdf_chunkthreads_run(l->config.threads, encode_some, &crew) : NC_NOERR;
}

int pcdf_chunks_encode_full(struct pcdf_chunks *l)
{
    return pcdf_chunks_encode_all(l, PCDF_CHUNKS_FULL);
}

int pcdf_chunks_encode_many(struct pcdf_chunks *l)
{
    if (l->config.threads < 2)
        return NC_NOERR;
    pthread_mutex_lock(&l->lock);
    bool are_many = l->buffers.nfull >= 2 * (size_t)l->config.threads;
    pthread_mutex_unlock(&l->lock);
    return are_many ? pcdf_chunks_encode_full(l) : NC_NOERR;
}

/* In the maps of what was in the file. With the lock. */
static int find_in_map(struct pcdf_chunks *l, int varid, int64_t number, struct pcdf_stored_chunk *chunk,
                       const unsigned char **values)
{
    const struct pcdf_chunks_var *var = &l->config.vars[varid];
    const struct pcdf_cells_var *v = &l->config.cells->x[varid];
    struct pcdf_chunk_place place;
    if (!var->map || number >= var->map_chunks)
        return NC_NOERR;
    PCDF_TRY(pcdf_chunkmap_find(var->map, &l->cursor, v->ndims, v->grid, number, &place));
    if (place.bytes)
        *values = place.bytes;
    else if (place.store < 0)
        return NC_NOERR;
    else if (place.store != var->store || place.length < 0 || place.slot >= 0)
        return PCDF_FAIL(NC_ENOTSUPPORT, "its values are not in this file");
    *chunk = (struct pcdf_stored_chunk){ number, place.offset, place.length, varid, place.mask };
    return NC_NOERR;
}

int pcdf_chunks_find_locked(struct pcdf_chunks *l, int varid, int64_t number, struct pcdf_stored_chunk *chunk,
                            const unsigned char **values)
{
    *values = NULL;
    if (pcdf_chunkindex_find(&l->index, varid, number, chunk))
        return NC_NOERR;
    *chunk = (struct pcdf_stored_chunk){ number, -1, -1, varid, 0 };
    return find_in_map(l, varid, number, chunk, values);
}

int pcdf_chunks_find(struct pcdf_chunks *l, int varid, int64_t number, struct pcdf_stored_chunk *chunk,
                     const unsigned char **values)
{
    pthread_mutex_lock(&l->lock);
    int err = pcdf_chunks_find_locked(l, varid, number, chunk, values);
    pthread_mutex_unlock(&l->lock);
    return err;
}

/* ---- failures */

int pcdf_chunks_fail(struct pcdf_chunks *l, int err)
{
    pthread_mutex_lock(&l->lock);
    if (!l->failed) {
        l->failed = err;
        snprintf(l->text, sizeof l->text, "%s", pcdf_fail_text());
    }
    pthread_mutex_unlock(&l->lock);
    return err;
}

int pcdf_chunks_failure(struct pcdf_chunks *l)
{
    pthread_mutex_lock(&l->lock);
    int err = l->failed ? PCDF_FAIL(l->failed, "%s (an earlier put of chunks)", l->text) : NC_NOERR;
    pthread_mutex_unlock(&l->lock);
    return err;
}

int pcdf_chunks_told(const struct pcdf_chunks *l, int varid, int64_t number, int err)
{
    const struct pcdf_cells_var *v = &l->config.cells->x[varid];
    int64_t start[PCDF_CHUNK_DIMS], count[PCDF_CHUNK_DIMS];
    char told[400], name[160] = "";
    int n = 0;
    snprintf(told, sizeof told, "%s", pcdf_fail_text());
    (void)pcdf_cells_box(v, number, start, count);
    for (int i = 0; i < v->ndims && n < (int)sizeof name; i++)
        n += snprintf(name + n, sizeof name - (size_t)n, "%s%lld", i ? "/" : "",
                      (long long)(start[i] / v->chunk[i]));
    return PCDF_FAIL(err, "variable %s, chunk %s: %s", l->config.vars[varid].name, name, told);
}

int pcdf_chunks_below(struct pcdf_chunks *l, const struct pcdf_extents *x, int64_t *got)
{
    pthread_mutex_lock(&l->io);
    int err = pcdf_storage_move(l->storage.below, x, got);
    pthread_mutex_unlock(&l->io);
    return err && x->dir == PCDF_PUT ? pcdf_chunks_fail(l, err) : err;
}
