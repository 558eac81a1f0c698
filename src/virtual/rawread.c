/* See rawread.h: chunks as they are stored, of which only what is wanted is read, in blocks. Blocks are read
 * by halves: those of one are on their way while the rows of the other are put where they belong. A long row
 * is read to where it belongs; if its byte order is another one, this is changed there, while it is in the
 * cache. */

#include "rawread.h"
#include "alloc.h"
#include "numbers.h"
#include "scatter.h"
#include "status.h"
#include "value.h"
#include "virtual.h"

enum {
    BLOCK = 1 << 19,
    BLOCKS = 8,        /* of a half's memory */
    MOST_FETCHES = 32, /* of a half */
    MOST_ROWS = 4096,
    GAP = 1 << 14,
    DIRECT_FROM = 1 << 16, /* bytes of a row that is long */
    LONGEST = 1 << 23      /* bytes of such a row that are one fetch, where their order is right */
};

struct row {
    int64_t from, n; /* elements of the chunk */
    char *to;
};

struct block { /* consecutive bytes of a chunk, with the rows that are in it */
    int64_t begin, end;
    unsigned char *to;           /* memory of the half, or the place of a long row */
    int row, nrows;              /* nrows 0: a long row */
    const struct pcdf_need *run; /* the first of its chunk */
    struct pcdf_chunk_place place;
    struct pcdf_store *store;
};

struct half {
    int nblocks, nused, nrows; /* nused: of `bytes` */
    bool is_started;
    unsigned char *bytes;
    struct block blocks[MOST_FETCHES];
    struct row rows[MOST_ROWS];
    struct pcdf_fetch fetches[MOST_FETCHES];
};

struct pcdf_raw {
    struct pcdf_virtual *v;
    const struct pcdf_needs *needs;
    const struct pcdf_need *missing; /* the first need of a chunk that is not there; NULL: none is known */
    struct half halves[2], *now;     /* now: that is being filled */
    unsigned char bytes[2][BLOCKS * BLOCK];
};

static void finish_long(const struct pcdf_raw *r, const struct pcdf_varview *w, const struct block *b,
                        bool is_missing)
{
    int64_t n = (b->end - b->begin) / w->elem;
    if (is_missing)
        pcdf_scatter_fill(w, (char *)b->to, n, r->needs->is_native);
    else if (pcdf_scatter_swaps(w, r->needs->is_native))
        pcdf_values_reverse(b->to, n, w->elem);
}

static int finish_block(struct pcdf_raw *r, const struct half *h, const struct pcdf_fetch *f,
                        const struct block *b)
{
    const struct pcdf_varview *w = &r->v->views.vars[b->run->var];
    const struct row *rows = &h->rows[b->row];
    bool is_missing = f->err == NC_ENOENT && w->v->map.kind == PCDF_MAP_KEYS;
    if (f->err && !is_missing)
        return f->err;
    if (!is_missing && f->got < f->length)
        return PCDF_FAIL(NC_EREAD, "%s ends before byte %lld", pcdf_store_name(b->store),
                         (long long)(f->offset + f->length));
    if (!is_missing && b->place.length < 0 && f->size >= 0 && f->size != w->chunk_bytes)
        return PCDF_FAIL(NC_EREAD, "it has %lld bytes, not %lld", (long long)f->size,
                         (long long)w->chunk_bytes);
    if (is_missing)
        r->missing = b->run;
    if (b->nrows == 0)
        finish_long(r, w, b, is_missing);
    for (int i = 0; i < b->nrows; i++)
        if (is_missing)
            pcdf_scatter_fill(w, rows[i].to, rows[i].n, r->needs->is_native);
        else
            pcdf_scatter_row(w, f->to + (rows[i].from * w->elem - b->begin), 1, rows[i].n, rows[i].to,
                             r->needs->is_native);
    return NC_NOERR;
}

/* Each fetch that was begun is finished, whatever went wrong. */
static int finish_half(struct pcdf_raw *r, struct half *h, int status)
{
    for (int i = 0; h->is_started && i < h->nblocks; i++) {
        if (status) {
            pcdf_fetch_cancel(&h->fetches[i], 1);
            continue;
        }
        (void)pcdf_fetch_finish(&h->fetches[i], 1);
        status = finish_block(r, h, &h->fetches[i], &h->blocks[i]);
        if (status)
            status = pcdf_chunk_failed(r->v, h->blocks[i].run, status);
    }
    h->is_started = false;
    h->nblocks = h->nused = h->nrows = 0;
    return status;
}

/* Begins what was filled in, then finishes what was begun before. */
static int turn(struct pcdf_raw *r)
{
    struct half *h = r->now;
    for (int i = 0; i < h->nblocks; i++) {
        struct block *b = &h->blocks[i];
        h->fetches[i] = (struct pcdf_fetch){ .store = b->store,
                                             .key = b->place.key,
                                             .offset = b->place.offset + b->begin,
                                             .length = b->end - b->begin,
                                             .to = b->to };
    }
    pcdf_fetch_start(h->fetches, (size_t)h->nblocks);
    h->is_started = true;
    if (h->nblocks > 0 && !pcdf_store_is_far(h->blocks[0].store)) /* nothing comes meanwhile */
        return finish_half(r, h, NC_NOERR);
    r->now = &r->halves[h == r->halves];
    return finish_half(r, r->now, NC_NOERR);
}

struct chunk { /* whose rows are being added */
    const struct pcdf_varview *w;
    const struct pcdf_need *run;
    const struct pcdf_chunk_place *place;
    struct pcdf_store *store;
};

/* At most a block of elements. */
static int add_row(struct pcdf_raw *r, const struct chunk *c, int64_t from, int64_t n, char *to)
{
    int64_t begin = from * c->w->elem, end = begin + n * c->w->elem;
    struct half *h = r->now;
    struct block *b = h->nblocks > 0 ? &h->blocks[h->nblocks - 1] : NULL;
    bool joins = b && b->nrows > 0 && b->run == c->run && begin >= b->begin && begin <= b->end + GAP &&
                 end - b->begin <= BLOCK;
    if (r->missing == c->run) {
        pcdf_scatter_fill(c->w, to, n, r->needs->is_native);
        return NC_NOERR;
    }
    if (h->nrows == MOST_ROWS || (!joins && (h->nused == BLOCKS || h->nblocks == MOST_FETCHES))) {
        PCDF_TRY(turn(r));
        h = r->now;
        joins = false;
    }
    if (!joins) {
        b = &h->blocks[h->nblocks++];
        *b = (struct block){ begin,     end,     h->bytes + (size_t)h->nused++ * BLOCK, h->nrows, 0, c->run,
                             *c->place, c->store };
    }
    b->end = pcdf_larger(b->end, end);
    b->nrows++;
    h->rows[h->nrows++] = (struct row){ from, n, to };
    return NC_NOERR;
}

/* To where it belongs. */
static int add_long(struct pcdf_raw *r, const struct chunk *c, int64_t from, int64_t n, char *to)
{
    int64_t begin = from * c->w->elem;
    if (r->missing == c->run) {
        pcdf_scatter_fill(c->w, to, n, r->needs->is_native);
        return NC_NOERR;
    }
    if (r->now->nblocks == MOST_FETCHES)
        PCDF_TRY(turn(r));
    struct half *h = r->now;
    h->blocks[h->nblocks++] =
        (struct block){ begin,   begin + n * c->w->elem, (unsigned char *)to, h->nrows, 0, c->run, *c->place,
                        c->store };
    return NC_NOERR;
}

/* Elements in a row, in the chunk and where they belong. */
static int add_dense(struct pcdf_raw *r, const struct chunk *c, const struct pcdf_rows *rows)
{
    bool is_long = pcdf_scatter_is_direct(c->w) && rows->n * c->w->elem >= DIRECT_FROM;
    bool is_untouched = is_long && !pcdf_scatter_swaps(c->w, r->needs->is_native);
    int64_t most = (is_untouched ? LONGEST : BLOCK) / c->w->elem, some;
    for (int64_t at = 0; at < rows->n; at += some) {
        some = pcdf_smaller(rows->n - at, most);
        PCDF_TRY((is_long ? add_long : add_row)(r, c, rows->from + at, some, rows->to + at * c->w->width));
    }
    return NC_NOERR;
}

static int add_rows(struct pcdf_raw *r, const struct chunk *c, size_t n)
{
    struct pcdf_rows rows;
    for (size_t i = 0; i < n; i++)
        for (pcdf_rows_begin(&rows, r->needs, &c->run[i]); rows.left > 0; pcdf_rows_next(&rows)) {
            if (rows.step == 1 || rows.n == 1) {
                PCDF_TRY(add_dense(r, c, &rows));
                continue;
            } /* chunks reach over the end of a short dimension */
            for (int64_t k = 0; k < rows.n; k++)
                PCDF_TRY(add_row(r, c, rows.from + k * rows.step, 1, rows.to + k * c->w->width));
        }
    return NC_NOERR;
}

static int begin(struct pcdf_virtual *v)
{
    if (v->raw)
        return NC_NOERR;
    v->raw = pcdf_malloc(sizeof *v->raw);
    if (!v->raw)
        return PCDF_FAIL(NC_ENOMEM, "no memory to read values");
    v->raw->v = v;
    for (int i = 0; i < 2; i++) {
        struct half *h = &v->raw->halves[i];
        h->nblocks = h->nused = h->nrows = 0;
        h->is_started = false;
        h->bytes = v->raw->bytes[i];
    }
    v->raw->now = v->raw->halves;
    v->raw->missing = NULL;
    return NC_NOERR;
}

static int prepare(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct chunk *c)
{
    if (c->place->length >= 0 && c->place->length != c->w->chunk_bytes)
        return PCDF_FAIL(NC_EREAD, "it has %lld bytes, not %lld", (long long)c->place->length,
                         (long long)c->w->chunk_bytes);
    PCDF_TRY(pcdf_virtual_store(v, c->place->store, &c->store));
    PCDF_TRY(begin(v));
    v->raw->needs = needs;
    return NC_NOERR;
}

int pcdf_chunk_read_raw(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct pcdf_need *run,
                        size_t n, const struct pcdf_chunk_place *place)
{
    struct chunk c = { .w = &v->views.vars[run->var], .run = run, .place = place };
    int err = prepare(v, needs, &c);
    return err ? pcdf_chunk_failed(v, run, err) : add_rows(v->raw, &c, n);
}

int pcdf_chunk_end_raw(struct pcdf_virtual *v, int status)
{
    struct pcdf_raw *r = v->raw;
    if (!r)
        return status;
    if (!status)
        status = turn(r);
    for (int i = 0; i < 2; i++)
        status = finish_half(r, &r->halves[i], status);
    r->missing = NULL;
    return status;
}
