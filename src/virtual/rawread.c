/* See rawread.h: chunks as they are stored, of which only what is wanted is read, in blocks. */

#include "rawread.h"
#include "numbers.h"
#include "scatter.h"
#include "status.h"

enum { BLOCK = 1 << 19, BLOCKS = 8, MOST_ROWS = 4096, GAP = 1 << 14 };

struct row {
    int64_t from, n; /* elements of the chunk */
    char *to;
};

struct block { /* consecutive bytes of the chunk, with the rows that are in it */
    int64_t begin, end;
    int row, nrows;
};

struct raw {
    struct pcdf_virtual *v;
    const struct pcdf_needs *needs;
    const struct pcdf_varview *w;
    const struct pcdf_chunk_place *place;
    struct pcdf_store *store;
    bool is_missing;
    int nblocks, nrows;
    struct block blocks[BLOCKS];
    struct row rows[MOST_ROWS];
};

static int finish_block(struct raw *r, const struct pcdf_fetch *f, const struct block *b)
{
    const struct row *rows = &r->rows[b->row];
    if (f->err == NC_ENOENT && r->w->v->map.kind == PCDF_MAP_KEYS) {
        r->is_missing = true;
        return NC_NOERR;
    }
    if (f->err)
        return f->err;
    if (f->got < f->length)
        return PCDF_FAIL(NC_EREAD, "%s ends before byte %lld", pcdf_store_name(r->store),
                         (long long)(f->offset + f->length));
    for (int i = 0; i < b->nrows; i++)
        pcdf_scatter_row(r->w, f->to + (rows[i].from * r->w->elem - b->begin), 1, rows[i].n, rows[i].to,
                         r->needs->is_native);
    return NC_NOERR;
}

static int flush(struct raw *r)
{
    struct pcdf_fetch f[BLOCKS];
    int status = NC_NOERR;
    for (int i = 0; i < r->nblocks; i++)
        f[i] = (struct pcdf_fetch){ .store = r->store,
                                    .key = r->place->key,
                                    .offset = r->place->offset + r->blocks[i].begin,
                                    .length = r->blocks[i].end - r->blocks[i].begin,
                                    .to = r->v->blocks + (size_t)i * BLOCK };
    pcdf_fetch_start(f, (size_t)r->nblocks);
    for (int i = 0; i < r->nblocks; i++) {
        (void)pcdf_fetch_finish(&f[i], 1);
        if (!status)
            status = finish_block(r, &f[i], &r->blocks[i]);
    }
    r->nblocks = r->nrows = 0;
    return status;
}

/* At most a block of elements. */
static int add_row(struct raw *r, int64_t from, int64_t n, char *to)
{
    int64_t begin = from * r->w->elem, end = begin + n * r->w->elem;
    struct block *b = r->nblocks > 0 ? &r->blocks[r->nblocks - 1] : NULL;
    bool joins = b && begin >= b->begin && begin <= b->end + GAP && end - b->begin <= BLOCK;
    if (r->nrows == MOST_ROWS || (!joins && r->nblocks == BLOCKS)) {
        PCDF_TRY(flush(r));
        joins = false;
    }
    if (!joins) {
        b = &r->blocks[r->nblocks++];
        *b = (struct block){ begin, end, r->nrows, 0 };
    }
    b->end = pcdf_larger(b->end, end);
    b->nrows++;
    r->rows[r->nrows++] = (struct row){ from, n, to };
    return NC_NOERR;
}

static int add_rows(struct raw *r, const struct pcdf_need *run, size_t n)
{
    const int64_t most = BLOCK / r->w->elem;
    struct pcdf_rows rows;
    for (size_t i = 0; i < n; i++)
        for (pcdf_rows_begin(&rows, r->needs, &run[i]); rows.left > 0; pcdf_rows_next(&rows)) {
            int64_t some;
            if (rows.step != 1 && rows.n > 1) { /* chunks reach over the end of a short dimension */
                for (int64_t k = 0; k < rows.n && !r->is_missing; k++)
                    PCDF_TRY(add_row(r, rows.from + k * rows.step, 1, rows.to + k * r->w->width));
                continue;
            }
            for (int64_t at = 0; at < rows.n && !r->is_missing; at += some) {
                some = pcdf_smaller(rows.n - at, most);
                PCDF_TRY(add_row(r, rows.from + at, some, rows.to + at * r->w->width));
            }
        }
    return flush(r);
}

int pcdf_chunk_read_raw(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct pcdf_need *run,
                        size_t n, const struct pcdf_chunk_place *place)
{
    const struct pcdf_varview *w = &v->views.vars[run->var];
    if (place->length >= 0 && place->length != w->chunk_bytes)
        return PCDF_FAIL(NC_EREAD, "it has %lld bytes, not %lld", (long long)place->length,
                         (long long)w->chunk_bytes);
    if (!v->blocks && !(v->blocks = pcdf_malloc((size_t)BLOCKS * BLOCK)))
        return PCDF_FAIL(NC_ENOMEM, "no memory to read values");
    struct raw *r = pcdf_malloc(sizeof *r);
    if (!r)
        return PCDF_FAIL(NC_ENOMEM, "no memory to read values");
    r->v = v;
    r->needs = needs;
    r->w = w;
    r->place = place;
    r->is_missing = false;
    r->nblocks = r->nrows = 0;
    int err = pcdf_virtual_store(v, place->store, &r->store);
    if (!err)
        err = add_rows(r, run, n);
    if (!err && r->is_missing)
        pcdf_scatter_fill_chunk(needs, run, n);
    pcdf_free(r);
    return err;
}
