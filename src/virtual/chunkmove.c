/* See chunkmove.h. Cuts pieces of the space of cells into parts of chunks, and moves each: between the
 * caller's memory and a buffer, an encoded chunk, or the file. */

#include "chunkmove.h"
#include <string.h>
#include "alloc.h"
#include "chunklayer.h"
#include "numbers.h"

enum { SLACK = 1 << 16 }; /* codecs may make a little more of a chunk than it was */

struct mover { /* one call of move */
    struct pcdf_chunks *l;
    const struct pcdf_extents *x;
    struct pcdf_chunkworker *worker;    /* NULL: not needed yet */
    struct pcdf_chunkbuffer *c;         /* that is claimed; NULL: none */
    bool is_told;                       /* what failed has the name of another chunk */
    PCDF_ARRAY(struct pcdf_piece) pass; /* pieces of the file */
};

struct part { /* a piece of one chunk, or of a contiguous variable */
    struct pcdf_cell_place place;
    const struct pcdf_cells_var *v;
    const struct pcdf_chunks_var *var;
    unsigned char *data;
    int64_t n;
};

static bool is_whole(const struct part *p)
{
    return p->place.at == 0 && p->n == p->v->bytes;
}

/* ---- values of a chunk that is claimed */

/* The values that were used least lately leave memory. More than the limit is held where other threads use
 * all that could go. */
static int make_room(struct mover *m, int64_t n)
{
    struct pcdf_chunks *l = m->l;
    int status = NC_NOERR;
    pthread_mutex_lock(&l->lock);
    while (!status && pcdf_chunkbuffers_is_above(&l->buffers, l->config.cache - n)) {
        struct pcdf_chunkbuffer *c = pcdf_chunkbuffers_claim_oldest(&l->buffers, PCDF_CHUNKS_CLEAN);
        c = c ? c : pcdf_chunkbuffers_claim_oldest(&l->buffers, PCDF_CHUNKS_FULL);
        c = c ? c : pcdf_chunkbuffers_claim_oldest(&l->buffers, PCDF_CHUNKS_CHANGED);
        if (!c)
            break;
        if (c->is_changed) {
            l->counts.incomplete += !c->is_full;
            pthread_mutex_unlock(&l->lock);
            status = pcdf_chunks_encode(l, c, c->values, c->n, false, m->worker);
            if (status)
                status = pcdf_chunks_told(l, c->varid, c->number, status);
            m->is_told = status != NC_NOERR;
            pthread_mutex_lock(&l->lock);
        } else {
            pcdf_chunkbuffers_drop_values(&l->buffers, c);
        }
        pcdf_chunkbuffers_release(&l->buffers, c);
        pthread_cond_broadcast(&l->freed);
    }
    pthread_mutex_unlock(&l->lock);
    return status;
}

/* n bytes of fill, of which the first is byte `at` of the chunk. */
static void fill(const struct part *p, int64_t at, unsigned char *to, int64_t n)
{
    const int64_t size = p->v->xsize;
    int64_t done = pcdf_smaller(n, size);
    if (!p->var->fill) {
        memset(to, 0, (size_t)n);
        return;
    }
    for (int64_t i = 0; i < done; i++)
        to[i] = p->var->fill[(at + i) % size];
    for (int64_t step; done < n; done += step) { /* what is done is a multiple of the size */
        step = pcdf_smaller(done, n - done);
        memcpy(to + done, to, (size_t)step);
    }
}

static int read_stored(struct mover *m, const struct part *p, const struct pcdf_stored_chunk *chunk)
{
    struct pcdf_chunkworker *w = m->worker;
    int64_t got = 0;
    if (chunk->length > 2 * p->v->bytes + SLACK)
        return PCDF_FAIL(NC_EREAD, "it is stored in %lld bytes", (long long)chunk->length);
    if (w->nstored < (size_t)chunk->length) {
        pcdf_free(w->stored);
        w->stored = pcdf_malloc((size_t)chunk->length);
        w->nstored = w->stored ? (size_t)chunk->length : 0;
        if (!w->stored)
            return PCDF_FAIL(NC_ENOMEM, "no memory for %lld bytes", (long long)chunk->length);
    }
    const struct pcdf_piece piece = { chunk->offset, chunk->length, (char *)w->stored };
    const struct pcdf_extents x = {
        .dir = PCDF_GET, .by_thread = m->x->by_thread, .n = chunk->length > 0, .pieces = &piece
    };
    PCDF_TRY(pcdf_chunks_below(m->l, &x, &got));
    if (got < chunk->length)
        return PCDF_FAIL(NC_EREAD, "the file ends before byte %lld",
                         (long long)(chunk->offset + chunk->length));
    return NC_NOERR;
}

/* All values of a chunk that is claimed and has none: of its block, of the file, or fill. *is_old: not fill.
 */
static int get_values(struct mover *m, const struct part *p, unsigned char *to, bool *is_old)
{
    const size_t n = (size_t)p->v->bytes;
    struct pcdf_stored_chunk chunk;
    const unsigned char *values = NULL;
    *is_old = true;
    if (m->c->block)
        return pcdf_chain_decode(&p->var->chain, m->c->block->mask, m->c->block->bytes, m->c->block->n, to, n,
                                 &m->worker->scratch);
    PCDF_TRY(pcdf_chunks_find(m->l, p->place.varid, p->place.number, &chunk, &values));
    if (values && chunk.length != p->v->bytes)
        return PCDF_FAIL(NC_EREAD, "it has %lld bytes, not %zu", (long long)chunk.length, n);
    *is_old = chunk.length >= 0;
    if (!*is_old) {
        fill(p, 0, to, p->v->bytes);
    } else if (values) {
        memcpy(to, values, n);
    } else {
        PCDF_TRY(read_stored(m, p, &chunk));
        return pcdf_chain_decode(&p->var->chain, chunk.mask, m->worker->stored, (size_t)chunk.length, to, n,
                                 &m->worker->scratch);
    }
    return NC_NOERR;
}

/* The chunk that is claimed gets its values into memory. */
static int load(struct mover *m, const struct part *p)
{
    bool is_old;
    if (m->c->values)
        return NC_NOERR;
    PCDF_TRY(make_room(m, p->v->bytes));
    pthread_mutex_lock(&m->l->lock);
    unsigned char *values = pcdf_chunkbuffers_memory(&m->l->buffers, (size_t)p->v->bytes);
    pthread_mutex_unlock(&m->l->lock);
    if (!values)
        return PCDF_FAIL(NC_ENOMEM, "no memory for %lld bytes of values", (long long)p->v->bytes);
    int err = get_values(m, p, values, &is_old);
    if (err) {
        pcdf_free(values);
        return err;
    }
    pthread_mutex_lock(&m->l->lock);
    pcdf_chunkbuffers_give(&m->l->buffers, m->c, values, (size_t)p->v->bytes);
    m->l->counts.again += is_old && m->x->dir == PCDF_PUT;
    pthread_mutex_unlock(&m->l->lock);
    return NC_NOERR;
}

/* ---- parts of a chunk that is claimed */

static void change(struct mover *m, const struct part *p)
{
    struct pcdf_chunkbuffer *c = m->c;
    memcpy(c->values + p->place.at, p->data, (size_t)p->n);
    c->put += p->n;
    c->is_changed = true;
    if (!c->block)
        return;
    pthread_mutex_lock(&m->l->lock);
    pcdf_chunkblocks_drop(&m->l->blocks, c->block);
    c->block = NULL;
    pthread_mutex_unlock(&m->l->lock);
}

/* Memory for its values, which are all put. */
static int make_values(struct mover *m, const struct part *p)
{
    if (m->c->values)
        return NC_NOERR;
    PCDF_TRY(make_room(m, p->n));
    pthread_mutex_lock(&m->l->lock);
    unsigned char *values = pcdf_chunkbuffers_memory(&m->l->buffers, (size_t)p->n);
    if (values)
        pcdf_chunkbuffers_give(&m->l->buffers, m->c, values, (size_t)p->n);
    pthread_mutex_unlock(&m->l->lock);
    return values ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for %lld bytes of values", (long long)p->n);
}

/* Where several threads encode, it waits for others. */
static int encode_full(struct mover *m, const void *values, size_t n)
{
    m->c->put = 0; /* what comes now puts it anew */
    m->c->is_full = m->l->config.threads > 1;
    return m->c->is_full ? NC_NOERR : pcdf_chunks_encode(m->l, m->c, values, n, false, m->worker);
}

static int put_part(struct mover *m, const struct part *p)
{
    int64_t start[PCDF_CHUNK_DIMS], count[PCDF_CHUNK_DIMS];
    bool waits = m->l->config.threads > 1;
    if (is_whole(p) && !waits)
        return encode_full(m, p->data, (size_t)p->n);
    PCDF_TRY(is_whole(p) ? make_values(m, p) : load(m, p));
    change(m, p);
    if (!is_whole(p) && m->c->put < pcdf_cells_box(p->v, p->place.number, start, count))
        return NC_NOERR;
    return encode_full(m, m->c->values, m->c->n);
}

/* One that is wanted whole will hardly be wanted again: it is not kept. */
static int get_part(struct mover *m, const struct part *p)
{
    struct pcdf_stored_chunk chunk = { .length = 0 };
    const unsigned char *values;
    bool is_old;
    if (!m->c->values && is_whole(p))
        return get_values(m, p, p->data, &is_old);
    if (!m->c->values && !m->c->block)
        PCDF_TRY(pcdf_chunks_find(m->l, p->place.varid, p->place.number, &chunk, &values));
    if (chunk.length < 0) {
        fill(p, p->place.at, p->data, p->n);
        return NC_NOERR;
    }
    PCDF_TRY(load(m, p));
    memcpy(p->data, m->c->values + p->place.at, (size_t)p->n);
    return NC_NOERR;
}

/* ---- which way a part goes */

static int pass(struct mover *m, int64_t offset, const struct part *p)
{
    PCDF_TRY(PCDF_RESERVE(&m->pass, m->pass.n + 1));
    m->pass.x[m->pass.n++] = (struct pcdf_piece){ offset, p->n, (char *)p->data };
    return NC_NOERR;
}

static void let_go(struct mover *m)
{
    if (m->c)
        pcdf_chunks_release(m->l, m->c);
    m->c = NULL;
}

static int claim(struct mover *m, const struct part *p)
{
    if (!m->worker)
        m->worker = pcdf_chunks_hire(m->l);
    if (!m->worker)
        return NC_ENOMEM;
    if (m->c && m->c->varid == p->place.varid && m->c->number == p->place.number)
        return NC_NOERR;
    let_go(m); /* a thread that waits has claimed none */
    m->c = pcdf_chunks_claim(m->l, p->place.varid, p->place.number);
    return m->c ? NC_NOERR : NC_ENOMEM;
}

/* A chunk that is not encoded, has a place, and is not in memory: *offset is its place, else -1. */
static int find_direct(struct mover *m, const struct part *p, int64_t *offset)
{
    struct pcdf_stored_chunk chunk;
    const unsigned char *values;
    *offset = -1;
    if (p->var->chain.n > 0 || m->c->values || m->c->block)
        return NC_NOERR;
    PCDF_TRY(pcdf_chunks_find(m->l, p->place.varid, p->place.number, &chunk, &values));
    if (values || chunk.length < 0)
        return NC_NOERR;
    if (chunk.length != p->v->bytes)
        return PCDF_FAIL(NC_EREAD, "it has %lld bytes, not %lld", (long long)chunk.length,
                         (long long)p->v->bytes);
    *offset = chunk.offset;
    return NC_NOERR;
}

static int move_in_chunk(struct mover *m, const struct part *p)
{
    int64_t offset;
    PCDF_TRY(claim(m, p));
    PCDF_TRY(find_direct(m, p, &offset));
    if (offset >= 0)
        return pass(m, offset + p->place.at, p);
    return m->x->dir == PCDF_PUT ? put_part(m, p) : get_part(m, p);
}

static int move_part(struct mover *m, const struct part *p)
{
    int64_t offset;
    if (p->v->chunk) {
        int err = move_in_chunk(m, p);
        return err && !m->is_told ? pcdf_chunks_told(m->l, p->place.varid, p->place.number, err) : err;
    }
    if (__builtin_mul_overflow(p->place.number, p->v->bytes, &offset) ||
        __builtin_add_overflow(offset, p->var->place + p->place.at, &offset))
        return PCDF_FAIL(NC_EVARSIZE, "variable %s does not fit in 63 bits", p->var->name);
    return pass(m, offset, p);
}

/* What one chunk has of the piece from `offset` on, or one cell, or a variable that is not chunked; *n: how
 * many bytes. */
static int move_next(struct mover *m, int64_t offset, char *data, int64_t length, int64_t *n)
{
    const struct pcdf_cells *cells = m->l->config.cells;
    struct part p = { .data = (unsigned char *)data };
    if (!pcdf_cells_find(cells, offset, &p.place)) { /* nobody has these: to the end of the cell */
        *n = pcdf_smaller(length, cells->cell - offset % cells->cell);
        if (m->x->dir == PCDF_GET)
            memset(data, 0, (size_t)*n);
        return NC_NOERR;
    }
    p.v = &cells->x[p.place.varid];
    p.var = &m->l->config.vars[p.place.varid];
    *n = p.n = pcdf_smaller(length, p.v->bytes - p.place.at);
    return move_part(m, &p);
}

static int move_all(struct mover *m)
{
    for (size_t i = 0; i < m->x->n; i++) {
        const struct pcdf_piece *piece = &m->x->pieces[i];
        for (int64_t at = 0, n; at < piece->length; at += n)
            PCDF_TRY(move_next(m, piece->offset + at, piece->data + at, piece->length - at, &n));
    }
    return NC_NOERR;
}

int pcdf_chunks_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct mover m = { .l = (struct pcdf_chunks *)s, .x = x };
    int status = x->dir == PCDF_PUT ? pcdf_chunks_failure(m.l) : NC_NOERR;
    if (!status && x->dir == PCDF_PUT && x->by_thread)
        status = pcdf_chunks_write_batch(m.l);
    if (!status)
        status = move_all(&m);
    let_go(&m);
    const struct pcdf_extents below = {
        .dir = x->dir, .by_thread = x->by_thread, .n = m.pass.n, .pieces = m.pass.x
    };
    if (!status && m.pass.n > 0)
        status = pcdf_chunks_below(m.l, &below, NULL);
    if (!status)
        *got += pcdf_pieces_bytes(x->pieces, x->n);
    pcdf_free(m.pass.x);
    pcdf_chunks_dismiss(m.l, m.worker);
    return !status && x->dir == PCDF_PUT ? pcdf_chunks_encode_many(m.l) : status;
}
