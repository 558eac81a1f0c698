/* See chunkstorage.h. */

#include <stdio.h>
#include "alloc.h"
#include "chunklayer.h"
#include "chunkmove.h"
#include "numbers.h"

/* ---- from memory to the file */

int64_t pcdf_chunks_touched(const struct pcdf_chunks *l, const struct pcdf_extents *x)
{
    const struct pcdf_cells *cells = l->config.cells;
    struct pcdf_cell_place place, last = { .varid = -1 };
    int64_t bytes = 0;
    for (size_t i = 0; i < x->n; i++)
        for (int64_t at = x->pieces[i].offset, end = at + x->pieces[i].length; at < end;) {
            bool has_any = pcdf_cells_find(cells, at, &place) && cells->x[place.varid].chunk;
            if (has_any && (place.varid != last.varid || place.number != last.number))
                bytes += cells->x[place.varid].bytes;
            last = place;
            at += cells->cell - at % cells->cell;
        }
    return bytes;
}

int pcdf_chunks_complete(struct pcdf_chunks *l)
{
    PCDF_TRY(pcdf_chunks_write_batch(l));
    PCDF_TRY(pcdf_chunks_failure(l));
    PCDF_TRY(pcdf_chunks_encode_full(l));
    return pcdf_chunks_encode_all(l, PCDF_CHUNKS_CHANGED);
}

/* The first record of a chunk; of one that has no records INT64_MAX. */
static int64_t first_record(const struct pcdf_chunks *l, int varid, int64_t number)
{
    const struct pcdf_cells_var *v = &l->config.cells->x[varid];
    return v->is_record ? number / v->nchunks * v->chunk[0] : INT64_MAX;
}

struct pcdf_chunks_left pcdf_chunks_left(struct pcdf_chunks *l)
{
    struct pcdf_chunks_left left = { .records = INT64_MAX };
    pthread_mutex_lock(&l->lock);
    left.is_put = l->failed != NC_NOERR;
    left.end = pcdf_chunkindex_end(&l->index);
    for (const struct pcdf_chunkblock *b = l->blocks.waiting; b; b = b->next)
        left.records = pcdf_smaller(left.records, first_record(l, b->varid, b->number));
    for (size_t i = 0; i < l->blocks.sealed.n; i++) {
        const struct pcdf_chunkblock *b = l->blocks.sealed.x[i];
        left.records = pcdf_smaller(left.records, first_record(l, b->varid, b->number));
    }
    for (size_t i = 0; i < l->buffers.nbuckets; i++)
        for (const struct pcdf_chunkbuffer *c = l->buffers.buckets[i]; c; c = c->next)
            if (c->is_changed)
                left.records = pcdf_smaller(left.records, first_record(l, c->varid, c->number));
    pthread_mutex_unlock(&l->lock);
    return left;
}

void pcdf_chunks_memory(struct pcdf_chunks *l, struct pcdf_chunks_memory *memory)
{
    pthread_mutex_lock(&l->lock);
    const int64_t each = sizeof(struct pcdf_chunkblock) + sizeof(struct pcdf_chunkbuffer);
    int64_t overhead = pcdf_chunkblocks_overhead(&l->blocks) + pcdf_chunkbuffers_overhead(&l->buffers);
    memory->values = l->buffers.held;
    memory->waiting =
        l->blocks.waiting_bytes + l->blocks.sealed_bytes + (int64_t)pcdf_chunkblocks_n(&l->blocks) * each;
    memory->index = pcdf_chunkindex_bytes(&l->index);
    memory->all = l->blocks.slab_bytes + l->buffers.held + l->buffers.spare_bytes + overhead + memory->index +
                  l->worker_bytes;
    pthread_mutex_unlock(&l->lock);
}

/* Is it the block of a chunk that is not encoded, and has a place in the file? It got that after it was put,
 * when an earlier block of it was written. With the lock. */
static bool is_settled(struct pcdf_chunks *l, const struct pcdf_chunkblock *b,
                       struct pcdf_stored_chunk *chunk)
{
    const unsigned char *values;
    return l->config.vars[b->varid].chain.n == 0 &&
           !pcdf_chunks_find_locked(l, b->varid, b->number, chunk, &values) && !values &&
           chunk->length == (int64_t)b->n;
}

struct settled {
    struct pcdf_stored_chunk *x;
    size_t n, room;
};

/* Chunks with such a block. With the lock. */
static int list_settled(struct pcdf_chunks *l, struct settled *list)
{
    struct pcdf_stored_chunk chunk;
    list->n = 0;
    for (const struct pcdf_chunkblock *b = l->blocks.waiting; b; b = b->next)
        if (is_settled(l, b, &chunk)) {
            PCDF_TRY(PCDF_RESERVE(list, list->n + 1));
            list->x[list->n++] = chunk;
        }
    return NC_NOERR;
}

/* To where it was first, since others know it there. */
static int write_settled(struct pcdf_chunks *l, int varid, int64_t number)
{
    struct pcdf_stored_chunk chunk;
    struct pcdf_chunkbuffer *c = pcdf_chunks_claim(l, varid, number);
    if (!c)
        return NC_ENOMEM;
    pthread_mutex_lock(&l->lock);
    bool is_so = c->block && is_settled(l, c->block, &chunk); /* another thread may have dropped it */
    pthread_mutex_unlock(&l->lock);
    int err = NC_NOERR;
    if (is_so) {
        const struct pcdf_piece piece = { chunk.offset, (int64_t)c->block->n, (char *)c->block->bytes };
        const struct pcdf_extents x = { .dir = PCDF_PUT, .n = 1, .pieces = &piece };
        err = pcdf_chunks_below(l, &x, NULL);
    }
    if (is_so && !err) {
        pthread_mutex_lock(&l->lock);
        pcdf_chunkblocks_drop(&l->blocks, c->block);
        c->block = NULL;
        pcdf_chunkbuffers_drop_values(&l->buffers, c);
        pthread_mutex_unlock(&l->lock);
    }
    pcdf_chunks_release(l, c);
    return err;
}

int pcdf_chunks_seal(struct pcdf_chunks *l, int64_t *bytes)
{
    struct settled list = { 0 };
    int status = pcdf_chunks_failure(l);
    pthread_mutex_lock(&l->lock);
    bool is_busy = l->batch != PCDF_BATCH_HAS_NO_PLACE;
    pthread_mutex_unlock(&l->lock);
    *bytes = 0;
    if (status || is_busy)
        return status;
    status = pcdf_chunks_encode_full(l);
    pthread_mutex_lock(&l->lock);
    while (!status && !(status = list_settled(l, &list)) && list.n > 0) {
        pthread_mutex_unlock(&l->lock);
        for (size_t i = 0; !status && i < list.n; i++)
            status = write_settled(l, list.x[i].varid, list.x[i].number);
        pthread_mutex_lock(&l->lock);
    }
    if (!status)
        status = pcdf_chunkblocks_seal(&l->blocks);
    if (!status)
        *bytes = l->blocks.sealed_bytes;
    pthread_mutex_unlock(&l->lock);
    pcdf_free(list.x);
    return status;
}

/* With the lock, after a reserve. */
static void enter(struct pcdf_chunks *l, const struct pcdf_stored_chunk *chunk)
{
    struct pcdf_stored_chunk before;
    const unsigned char *values;
    if (!pcdf_chunks_find_locked(l, chunk->varid, chunk->number, &before, &values) && !values &&
        before.length > 0)
        l->counts.lost += before.length;
    pcdf_chunkindex_add(&l->index, chunk, true);
}

/* The batch is in the file from `at` on. With the lock. */
static void enter_batch(struct pcdf_chunks *l, int64_t at)
{
    for (size_t i = 0; i < l->blocks.sealed.n; i++) {
        const struct pcdf_chunkblock *b = l->blocks.sealed.x[i];
        const struct pcdf_stored_chunk chunk = { b->number, at, (int64_t)b->n, b->varid, b->mask };
        enter(l, &chunk);
        at += chunk.length;
        l->counts.chunks++;
        l->counts.values += b->nvalues;
        l->counts.stored += chunk.length;
        while (b->owner && b->owner->is_claimed) /* a thread may decode it; it may drop it */
            pthread_cond_wait(&l->freed, &l->lock);
        if (b->owner)
            pcdf_chunkbuffers_was_written(&l->buffers, b->owner, l->config.vars[b->varid].chain.n > 0);
    }
    pcdf_chunkblocks_end(&l->blocks);
}

/* Says where the batch will be. What writes it needs no memory. */
static int give_place(struct pcdf_chunks *l, int64_t base)
{
    PCDF_TRY(pcdf_chunks_failure(l));
    pthread_mutex_lock(&l->lock);
    int status = pcdf_chunkindex_reserve(&l->index, l->blocks.sealed.n);
    if (!status && l->blocks.sealed.n > 0 && l->batch == PCDF_BATCH_HAS_NO_PLACE) {
        l->batch = PCDF_BATCH_WAITS;
        l->base = base;
    }
    pthread_mutex_unlock(&l->lock);
    return status;
}

/* Waits for a thread that writes it. False: there is none to write. */
static bool take_batch(struct pcdf_chunks *l)
{
    pthread_mutex_lock(&l->lock);
    while (l->batch == PCDF_BATCH_IS_WRITTEN)
        pthread_cond_wait(&l->freed, &l->lock);
    bool takes = l->batch == PCDF_BATCH_WAITS;
    if (takes)
        l->batch = PCDF_BATCH_IS_WRITTEN;
    pthread_mutex_unlock(&l->lock);
    return takes;
}

int pcdf_chunks_write_batch(struct pcdf_chunks *l)
{
    if (!take_batch(l))
        return NC_NOERR;
    pthread_mutex_lock(&l->io);
    int err = pcdf_chunkblocks_write(&l->blocks, l->storage.below, l->base);
    pthread_mutex_unlock(&l->io);
    if (err)
        (void)pcdf_chunks_fail(l, err);
    pthread_mutex_lock(&l->lock);
    if (!err)
        enter_batch(l, l->base);
    l->batch = PCDF_BATCH_HAS_NO_PLACE;
    pthread_cond_broadcast(&l->freed);
    pthread_mutex_unlock(&l->lock);
    return err;
}

int pcdf_chunks_place(struct pcdf_chunks *l, int64_t base)
{
    PCDF_TRY(give_place(l, base));
    return pcdf_chunks_write_batch(l);
}

int pcdf_chunks_place_later(struct pcdf_chunks *l, int64_t base)
{
    return give_place(l, base);
}

/* ---- the index */

size_t pcdf_chunks_count_news(struct pcdf_chunks *l, enum pcdf_chunknews of)
{
    pthread_mutex_lock(&l->lock);
    size_t n = l->index.news[of].n;
    pthread_mutex_unlock(&l->lock);
    return n;
}

size_t pcdf_chunks_news(struct pcdf_chunks *l, enum pcdf_chunknews of, size_t *at,
                        struct pcdf_stored_chunk *x, size_t most)
{
    pthread_mutex_lock(&l->lock);
    size_t n = pcdf_chunkindex_news(&l->index, of, at, x, most);
    pthread_mutex_unlock(&l->lock);
    return n;
}

void pcdf_chunks_was_told(struct pcdf_chunks *l, enum pcdf_chunknews of)
{
    pthread_mutex_lock(&l->lock);
    pcdf_chunkindex_was_told(&l->index, of);
    pthread_mutex_unlock(&l->lock);
}

void pcdf_chunks_renew(struct pcdf_chunks *l, enum pcdf_chunknews of, const struct pcdf_stored_chunk *x,
                       size_t n)
{
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < n; i++)
        pcdf_chunkindex_renew(&l->index, of, x[i].varid, x[i].number);
    pthread_mutex_unlock(&l->lock);
}

static int check_entries(const struct pcdf_chunks *l, const struct pcdf_stored_chunk *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t end;
        if (x[i].varid < 0 || x[i].varid >= l->config.cells->nvars || x[i].number < 0 || x[i].offset < 0 ||
            x[i].length < 0 || x[i].length > UINT32_MAX ||
            __builtin_add_overflow(x[i].offset, x[i].length, &end))
            return PCDF_FAIL(NC_EINVAL, "chunk %lld of variable %d: %lld bytes at %lld",
                             (long long)x[i].number, x[i].varid, (long long)x[i].length,
                             (long long)x[i].offset);
    }
    return NC_NOERR;
}

int pcdf_chunks_learn(struct pcdf_chunks *l, const struct pcdf_stored_chunk *x, size_t n)
{
    PCDF_TRY(check_entries(l, x, n));
    pthread_mutex_lock(&l->lock);
    int status = pcdf_chunkindex_reserve(&l->index, n);
    for (size_t i = 0; !status && i < n; i++) {
        const struct pcdf_chunkbuffer *known = pcdf_chunkbuffers_find(&l->buffers, x[i].varid, x[i].number);
        struct pcdf_stored_chunk before;
        if (pcdf_chunkindex_find(&l->index, x[i].varid, x[i].number, &before) && before.offset >= x[i].offset)
            continue;
        pcdf_chunkindex_add(&l->index, &x[i], false);
        if (!known || known->is_claimed || known->is_changed || !known->values)
            continue;
        /* values of the chunk that it was */
        struct pcdf_chunkbuffer *c =
            pcdf_chunkbuffers_claim(&l->buffers, x[i].varid, x[i].number, &l->lock, &l->freed);
        if (!c->block)
            pcdf_chunkbuffers_drop_values(&l->buffers, c);
        pcdf_chunkbuffers_release(&l->buffers, c);
    }
    pthread_mutex_unlock(&l->lock);
    return status;
}

void pcdf_chunks_count(struct pcdf_chunks *l, struct pcdf_chunks_counts *counts)
{
    pthread_mutex_lock(&l->lock);
    *counts = l->counts;
    pthread_mutex_unlock(&l->lock);
}

/* ---- the storage */

static int is_all_written(struct pcdf_chunks *l)
{
    PCDF_TRY(pcdf_chunks_failure(l));
    if (l->blocks.nwaiting > 0 || l->blocks.sealed.n > 0 || l->buffers.nfull > 0 ||
        l->buffers.lists[PCDF_CHUNKS_CHANGED].oldest)
        return PCDF_FAIL(NC_EWRITE, "the file is closed before all chunks of its variables were written");
    return NC_NOERR;
}

static void free_workers(struct pcdf_chunks *l)
{
    for (struct pcdf_chunkworker *w = l->workers, *next; w; w = next) {
        next = w->next;
        pcdf_free(w->scratch.a);
        pcdf_free(w->scratch.b);
        pcdf_free(w->stored);
        pcdf_free(w);
    }
    l->workers = NULL;
}

static void free_memory(struct pcdf_chunks *l)
{
    pcdf_chunkblocks_free(&l->blocks);
    pcdf_chunkbuffers_free(&l->buffers);
    pcdf_chunkindex_free(&l->index);
    free_workers(l);
    pthread_cond_destroy(&l->freed);
    pthread_mutex_destroy(&l->io);
    pthread_mutex_destroy(&l->lock);
}

static int chunks_close(struct pcdf_storage *s)
{
    struct pcdf_chunks *l = (struct pcdf_chunks *)s;
    int status = is_all_written(l);
    free_memory(l);
    pcdf_first(&status, pcdf_storage_close(s->below));
    return status;
}

static const struct pcdf_storage_ops chunks_ops = {
    .name = "chunks",
    .move = pcdf_chunks_move,
    .close = chunks_close,
};

/* Chunks that are objects of their own are not in this file; and to find them takes the whole grid. */
static int check_map(const struct pcdf_chunkmap *map)
{
    switch (map ? map->kind : PCDF_MAP_NONE) {
    case PCDF_MAP_NONE:
    case PCDF_MAP_INLINE:
    case PCDF_MAP_LINEAR:
    case PCDF_MAP_TABLE:
        return NC_NOERR;
    case PCDF_MAP_KEYS:
    case PCDF_MAP_SHARDS:
        break;
    }
    return PCDF_FAIL(NC_ENOTSUPPORT, "its values are not in this file");
}

static int check_var(const struct pcdf_cells_var *v, const struct pcdf_chunks_var *var)
{
    PCDF_TRY(v->chunk ? pcdf_chain_check(&var->chain) : NC_NOERR);
    return check_map(var->map);
}

static int check(const struct pcdf_chunks_config *config)
{
    for (int i = 0; i < config->cells->nvars; i++) {
        int err = check_var(&config->cells->x[i], &config->vars[i]);
        if (err) {
            char told[400];
            snprintf(told, sizeof told, "%s", pcdf_fail_text());
            return PCDF_FAIL(err, "variable %s: %s", config->vars[i].name, told);
        }
    }
    return NC_NOERR;
}

int pcdf_chunks_stack(const struct pcdf_chunks_config *config, struct pcdf_storage **top,
                      struct pcdf_chunks **chunks)
{
    PCDF_TRY(check(config));
    struct pcdf_chunks *l = pcdf_storage_make(sizeof *l, &chunks_ops, *top, NULL);
    if (!l)
        return NC_ENOMEM;
    int err = pcdf_chunkbuffers_make(&l->buffers);
    if (err) {
        pcdf_storage_free(&l->storage);
        return err;
    }
    l->config = *config;
    pthread_mutex_init(&l->lock, NULL);
    pthread_mutex_init(&l->io, NULL);
    pthread_cond_init(&l->freed, NULL);
    *top = &l->storage;
    *chunks = l;
    return NC_NOERR;
}

int pcdf_chunks_relayout(struct pcdf_chunks *l, const struct pcdf_chunks_config *config)
{
    PCDF_TRY(check(config));
    pthread_mutex_lock(&l->lock);
    l->config = *config;
    l->cursor = (struct pcdf_chunk_cursor){ 0 };
    pthread_mutex_unlock(&l->lock);
    return NC_NOERR;
}
