/* The storage "chunks" (chunkstorage.h): random pieces of the space of cells against a plain array, with all
 * chains that are encoded, small caches, and every state that a chunk may be in; what is in the file, decoded
 * without the storage; the index handed on, as entries and as maps; ranks that share a file; puts that fail
 * below, allocations that fail; threads.
 * usage: chunk_writes FOLDER-OF-PLUG-INS [CASES | bench] */

#include "check.h"
#include "draw.h"
#include "alloc.h"
#include "chunkstorage.h"
#include "chunkthreads.h"
#include "faultstorage.h"
#include "status.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_DIMS = 3, MAX_VARS = 4, MAX_RANKS = 4, ROWS = 3, MOST = 1 << 15, MOST_ENTRIES = 4096 };
static const char path[] = "memory:chunk_writes";

/* ---- a file and its model */

enum kind { NOBODY, VALUE, OUTSIDE }; /* what a byte of the space is */

struct world {
    struct pcdf_meta meta;
    int64_t shape[MAX_VARS][MAX_DIMS];
    unsigned char fill[MAX_VARS][8];
    struct pcdf_cells_shape shapes[MAX_VARS];
    struct pcdf_cells cells;
    struct pcdf_chunks_var vars[MAX_VARS];
    struct pcdf_chunkmap maps[MAX_VARS];
    struct pcdf_counts counts;
    struct pcdf_storage *top;
    struct pcdf_chunks *chunks;
    /* Of ranks that share the file, top and chunks are those of one of them. 0: there is one. */
    int nranks;
    struct pcdf_storage *tops[MAX_RANKS];
    struct pcdf_chunks *layers[MAX_RANKS];
    int64_t cache, eof, span;
    int threads;
    unsigned char model[MOST], kind[MOST];
    struct pcdf_stored_chunk known[MOST_ENTRIES]; /* what was taken, each chunk once */
    size_t nknown;
    struct pcdf_codec_scratch scratch;
};

static struct pcdf_codec with(enum pcdf_codec_id id, int64_t param)
{
    return (struct pcdf_codec){ .id = id, .nparams = 1, .params = { (uint32_t)param } };
}

static struct pcdf_chain draw_chain(int64_t size)
{
    static const enum pcdf_codec_id compressors[] = { PCDF_CODEC_ZLIB, PCDF_CODEC_ZSTD, PCDF_CODEC_LZ4,
                                                      PCDF_CODEC_BZIP2 };
    struct pcdf_chain chain = { 0 }, one = { 0 };
    if (draw(0, 1))
        chain.x[chain.n++] = with(PCDF_CODEC_SHUFFLE, size);
    one.n = 1;
    one.x[0] = with(compressors[draw(0, 3)], 1);
    if (draw(0, 2) && pcdf_chain_check(&one) == NC_NOERR)
        chain.x[chain.n++] = one.x[0];
    if (draw(0, 2) == 0)
        chain.x[chain.n++] = with(PCDF_CODEC_FLETCHER32, 0);
    if (draw(0, 4) == 0)
        chain.n = 0;
    return chain;
}

static void add_vars(struct world *w)
{
    static const nc_type types[] = { NC_BYTE, NC_SHORT, NC_INT, NC_DOUBLE };
    char name[16];
    for (int v = (int)draw(1, MAX_VARS - w->meta.nvars); v > 0; v--) {
        int id = w->meta.nvars, ndims = (int)draw(0, MAX_DIMS), dimids[MAX_DIMS];
        bool is_record = ndims > 0 && draw(0, 1);
        for (int d = 0; d < ndims; d++) {
            dimids[d] = d == 0 && is_record ? 0 : (int)draw(1, 3);
            w->shape[id][d] = draw(1, dimids[d] == 0 ? 3 : w->meta.dims[dimids[d]].length);
        }
        snprintf(name, sizeof name, "v%d", id);
        pcdf_meta_add_var(&w->meta, name, types[draw(0, 3)], ndims, dimids, NULL);
        w->shapes[id].chunk = ndims > 0 && draw(0, 5) ? w->shape[id] : NULL;
    }
}

/* Where a variable that is not chunked lies, and how its chunks are stored. */
static void describe_vars(struct world *w, int first)
{
    for (int i = first; i < w->cells.nvars; i++) {
        const struct pcdf_cells_var *v = &w->cells.x[i];
        for (int k = 0; k < 8; k++)
            w->fill[i][k] = (unsigned char)draw(0, 255);
        w->vars[i] = (struct pcdf_chunks_var){ .name = w->meta.vars[i].name, .place = w->eof };
        if (v->chunk && draw(0, 2))
            w->vars[i].fill = w->fill[i];
        if (v->chunk)
            w->vars[i].chain = draw_chain(v->xsize);
        else
            w->eof += v->bytes * (v->is_record ? ROWS : 1);
    }
}

/* Is byte `at` of a chunk in the variable? Counted by elements. */
static bool is_inside(const struct pcdf_cells_var *v, int64_t number, int64_t at)
{
    int64_t e = at / v->xsize;
    bool inside = true;
    for (int d = v->ndims - 1; v->chunk && d >= 0; d--) {
        int64_t grid = v->grid[d] ? v->grid[d] : INT64_MAX;
        int64_t index = number % grid * v->chunk[d] + e % v->chunk[d];
        inside &= v->length[d] == 0 || index < v->length[d];
        e /= v->chunk[d];
        number /= grid;
    }
    return inside;
}

static void make_model(struct world *w)
{
    w->span = w->cells.begin_rec + ROWS * w->cells.recsize;
    for (int64_t at = 0; at < w->span; at++) {
        struct pcdf_cell_place p;
        w->kind[at] = NOBODY;
        w->model[at] = 0;
        if (!pcdf_cells_find(&w->cells, at, &p))
            continue;
        const struct pcdf_cells_var *v = &w->cells.x[p.varid];
        w->kind[at] = is_inside(v, p.number, p.at) ? VALUE : OUTSIDE;
        w->model[at] = w->vars[p.varid].fill ? w->fill[p.varid][p.at % v->xsize] : 0;
    }
}

static struct pcdf_chunks_config config_of(const struct world *w)
{
    return (struct pcdf_chunks_config){
        .cells = &w->cells, .vars = w->vars, .cache = w->cache, .threads = w->threads
    };
}

static void open_world(struct world *w, enum pcdf_storage_mode mode, const char *orders)
{
    struct pcdf_storage_config bottom = {
        .path = path, .mode = mode, .is_maker = mode == PCDF_STORAGE_CREATE, .counts = &w->counts
    };
    struct pcdf_chunks_config config = config_of(w);
    CHECK_INT(pcdf_memorystorage.open(&bottom, &w->top), NC_NOERR);
    if (orders)
        CHECK_INT(fault_stack(orders, 0, &w->top), NC_NOERR);
    int err = pcdf_chunks_stack(&config, &w->top, &w->chunks);
    CHECK(err == NC_NOERR, "%d %s", err, pcdf_fail_text());
    if (err)
        exit(check_done("chunk_writes"));
}

/* A new file with random variables. */
static struct world *make_world(uint64_t number, const char *orders)
{
    struct world *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    draw_seed = number * 0x9E3779B97F4A7C15u + 12345;
    do {
        pcdf_cells_free(&w->cells);
        pcdf_meta_free(&w->meta);
        pcdf_meta_init(&w->meta, PCDF_CDF5);
        pcdf_meta_add_dim(&w->meta, "t", 0, NULL);
        pcdf_meta_add_dim(&w->meta, "x", draw(1, 9), NULL);
        pcdf_meta_add_dim(&w->meta, "y", draw(1, 6), NULL);
        pcdf_meta_add_dim(&w->meta, "z", draw(1, 3), NULL);
        add_vars(w);
        CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 8), NC_NOERR);
    } while (w->cells.begin_rec + ROWS * w->cells.recsize > MOST);
    w->cache = draw(0, 1) ? draw(0, 4000) : 1 << 20;
    w->threads = draw(0, 3) ? 0 : (int)draw(2, 4);
    describe_vars(w, 0);
    make_model(w);
    open_world(w, PCDF_STORAGE_CREATE, orders);
    return w;
}

static void free_world(struct world *w, bool is_good)
{
    int err = pcdf_storage_close(w->top);
    CHECK(!is_good || err == NC_NOERR, "%s", pcdf_fail_text());
    for (int i = 0; i < MAX_VARS; i++)
        pcdf_chunkmap_free(&w->maps[i]);
    pcdf_cells_free(&w->cells);
    pcdf_meta_free(&w->meta);
    pcdf_free(w->scratch.a);
    pcdf_free(w->scratch.b);
    pcdf_memorystorage.remove(path);
    free(w);
}

/* ---- what is done */

static struct pcdf_chunks_memory memory_of(struct world *w)
{
    struct pcdf_chunks_memory memory;
    pcdf_chunks_memory(w->chunks, &memory);
    CHECK(memory.all >= memory.values + memory.waiting, "%" PRId64 " bytes are too few", memory.all);
    return memory;
}

/* As two-phase brings them: each cell has an owner. */
static int move_by_owners(struct world *w, enum pcdf_dir dir, const struct pcdf_piece *pieces, size_t n)
{
    static struct pcdf_piece own[MAX_RANKS][MOST];
    struct pcdf_extents x[MAX_RANKS];
    int64_t got = 0;
    for (int r = 0; r < w->nranks; r++)
        x[r] = (struct pcdf_extents){ .dir = dir, .by_thread = draw(0, 1), .pieces = own[r] };
    for (size_t i = 0; i < n; i++)
        for (int64_t at = 0, run; at < pieces[i].length; at += run) {
            int64_t offset = pieces[i].offset + at, rest = w->cells.cell - offset % w->cells.cell;
            int r = (int)(offset / w->cells.cell % w->nranks);
            run = pieces[i].length - at < rest ? pieces[i].length - at : rest;
            own[r][x[r].n++] = (struct pcdf_piece){ offset, run, pieces[i].data + at };
        }
    for (int r = 0; r < w->nranks; r++)
        if (x[r].n > 0)
            PCDF_TRY(pcdf_storage_move(w->tops[r], &x[r], &got));
    return NC_NOERR;
}

static int move(struct world *w, enum pcdf_dir dir, const struct pcdf_piece *pieces, size_t n)
{
    const struct pcdf_extents x = { .dir = dir, .by_thread = draw(0, 1), .n = n, .pieces = pieces };
    int64_t got = 0;
    if (w->nranks > 0)
        return move_by_owners(w, dir, pieces, n);
    int err = n > 0 ? pcdf_storage_move(w->top, &x, &got) : NC_NOERR;
    if (!err)
        CHECK_INT(got, pcdf_pieces_bytes(pieces, n));
    return err;
}

/* A few ranges of the space; at times a whole cell. */
static void draw_range(const struct world *w, int64_t *begin, int64_t *end)
{
    *begin = draw(0, w->span - 1);
    *end = *begin + draw(1, draw(0, 1) ? 20 : 600);
    if (draw(0, 2) == 0) {
        *begin -= *begin % w->cells.cell;
        *end = *begin + w->cells.cell * draw(1, 3);
    }
    *end = *end < w->span ? *end : w->span;
}

/* What lies outside of variables is not put. */
static int put_random(struct world *w)
{
    static struct pcdf_piece pieces[MOST];
    static unsigned char data[5 * MOST];
    size_t n = 0, used = 0;
    for (int64_t i = draw(1, 4); i > 0; i--) {
        int64_t begin, end, run;
        draw_range(w, &begin, &end);
        for (; begin < end; begin += run) {
            run = 1;
            if (w->kind[begin] == OUTSIDE)
                continue;
            while (begin + run < end && w->kind[begin + run] != OUTSIDE)
                run++;
            pieces[n++] = (struct pcdf_piece){ begin, run, (char *)data + used };
            bool is_smooth = draw(0, 1);
            for (int64_t k = 0; k < run; k++) {
                data[used] = (unsigned char)(is_smooth ? k / 8 : draw(0, 255));
                if (w->kind[begin + k] == VALUE)
                    w->model[begin + k] = data[used];
                used++;
            }
        }
    }
    int err = move(w, PCDF_PUT, pieces, n);
    return err == NC_ENOMEM ? move(w, PCDF_PUT, pieces, n) : err; /* the model has them by now */
}

static int get_and_compare(struct world *w, int64_t begin, int64_t end)
{
    static unsigned char got[MOST];
    const struct pcdf_piece piece = { begin, end - begin, (char *)got };
    memset(got, 0xee, (size_t)(end - begin));
    int err = move(w, PCDF_GET, &piece, 1);
    for (int64_t at = begin; !err && at < end; at++)
        if (got[at - begin] != w->model[at]) {
            CHECK(false, "byte %" PRId64 " (%d) is %d, not %d", at, w->kind[at], got[at - begin],
                  w->model[at]);
            break;
        }
    check_made++;
    return err;
}

static int get_random(struct world *w)
{
    int64_t begin, end;
    draw_range(w, &begin, &end);
    return get_and_compare(w, begin, end);
}

/* later: by the next put of a thread. */
static int give_place(struct world *w, struct pcdf_chunks *chunks, bool later)
{
    return later ? pcdf_chunks_place_later(chunks, w->eof) : pcdf_chunks_place(chunks, w->eof);
}

static int place_now(struct world *w)
{
    int64_t bytes = 0;
    PCDF_TRY(pcdf_chunks_seal(w->chunks, &bytes));
    PCDF_TRY(pcdf_chunks_place(w->chunks, w->eof));
    w->eof += bytes;
    return NC_NOERR;
}

/* As ranks do: others have bytes before and behind. */
static int place(struct world *w)
{
    int64_t bytes = 0, before = memory_of(w).waiting;
    PCDF_TRY(pcdf_chunks_seal(w->chunks, &bytes));
    CHECK(bytes <= before || w->threads > 1, "%" PRId64 " of %" PRId64 " bytes", bytes,
          before); /* a seal before had no place */
    w->eof += draw(0, 50);
    if (draw(0, 3) == 0) /* what comes between the two is of the next batch */
        PCDF_TRY(put_random(w));
    PCDF_TRY(give_place(w, w->chunks, draw(0, 1)));
    w->eof += bytes;
    return NC_NOERR;
}

/* All that is news, and is none from now on; by a few at a time. */
static size_t take_news(struct pcdf_chunks *chunks, enum pcdf_chunknews of, struct pcdf_stored_chunk **x)
{
    size_t n = pcdf_chunks_count_news(chunks, of), got = 0, at = 0, now;
    *x = pcdf_malloc((n + 1) * sizeof **x);
    while ((now = pcdf_chunks_news(chunks, of, &at, *x + got, n - got < 5 ? n - got + 1 : 5)) > 0)
        got += now;
    CHECK(got == n, "%zu places, not %zu", got, n);
    pcdf_chunks_was_told(chunks, of);
    CHECK_INT(pcdf_chunks_count_news(chunks, of), 0);
    return n;
}

static void take(struct world *w)
{
    struct pcdf_stored_chunk *x;
    size_t n = take_news(w->chunks, PCDF_NEWS_FOR_METADATA, &x);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        for (size_t before = i > 50 ? i - 50 : 0; before < i; before++)
            CHECK(x[i].varid != x[before].varid || x[i].number != x[before].number, "entry %zu came twice",
                  i);
        CHECK(x[i].offset >= 0 && x[i].offset + x[i].length <= w->eof, "an entry behind the end");
        while (k < w->nknown && (w->known[k].varid != x[i].varid || w->known[k].number != x[i].number))
            k++;
        CHECK(k == w->nknown || w->vars[x[i].varid].chain.n > 0, "a chunk that is not encoded was moved");
        if (k == w->nknown || w->known[k].offset < x[i].offset) /* else an earlier place */
            w->known[k] = x[i];
        w->nknown += k == w->nknown;
    }
    pcdf_free(x);
}

/* ---- the file, without the storage */

static void check_chunk(struct world *w, int varid, int64_t number)
{
    static unsigned char stored[2 * MOST], values[MOST];
    const struct pcdf_cells_var *v = &w->cells.x[varid];
    int64_t at = pcdf_cells_at(&w->cells, varid, number);
    const struct pcdf_stored_chunk *e = NULL;
    for (size_t k = 0; k < w->nknown; k++)
        if (w->known[k].varid == varid && w->known[k].number == number)
            e = &w->known[k];
    for (int64_t i = 0; !e && i < v->bytes; i++)
        values[i] = w->vars[varid].fill ? w->fill[varid][i % v->xsize] : 0;
    if (e) {
        CHECK_INT(
            pcdf_storage_move_at(pcdf_storage_bottom(w->top), PCDF_GET, stored, e->length, e->offset, NULL),
            NC_NOERR);
        int err = pcdf_chain_decode(&w->vars[varid].chain, e->mask, stored, (size_t)e->length, values,
                                    (size_t)v->bytes, &w->scratch);
        CHECK(err == NC_NOERR, "%s", pcdf_fail_text());
    }
    CHECK(memcmp(values, w->model + at, (size_t)v->bytes) == 0, "variable %d: chunk %" PRId64 " is wrong",
          varid, number);
}

static void check_file(struct world *w)
{
    for (int i = 0; i < w->cells.nvars; i++) {
        const struct pcdf_cells_var *v = &w->cells.x[i];
        for (int64_t k = 0; v->chunk && k < v->nchunks * (v->is_record ? ROWS : 1); k++)
            check_chunk(w, i, k);
    }
}

static int finish(struct world *w)
{
    PCDF_TRY(pcdf_chunks_complete(w->chunks));
    PCDF_TRY(place(w));
    do { /* what was put between */
        PCDF_TRY(pcdf_chunks_complete(w->chunks));
        int64_t waiting = memory_of(w).waiting;
        if (waiting == 0)
            return NC_NOERR;
        PCDF_TRY(place(w));
    } while (true);
}

/* ---- handed on */

static int in_order(const void *a, const void *b)
{
    const struct pcdf_stored_chunk *x = a, *y = b;
    return x->varid != y->varid ? (x->varid > y->varid) - (x->varid < y->varid)
                                : (x->number > y->number) - (x->number < y->number);
}

static void make_maps(struct world *w)
{
    qsort(w->known, w->nknown, sizeof *w->known, in_order);
    for (int i = 0; i < w->cells.nvars; i++) {
        const struct pcdf_cells_var *v = &w->cells.x[i];
        int64_t nchunks = v->nchunks * (v->is_record ? ROWS : 1);
        pcdf_chunkmap_free(&w->maps[i]);
        for (size_t k = 0; k < w->nknown; k++) {
            const struct pcdf_stored_chunk *e = &w->known[k];
            if (e->varid == i)
                CHECK_INT(pcdf_chunkmap_add(&w->maps[i], e->number, 5, e->offset, e->length, e->mask),
                          NC_NOERR);
        }
        CHECK_INT(pcdf_chunkmap_finish(&w->maps[i], nchunks), NC_NOERR);
        w->vars[i].map = &w->maps[i];
        w->vars[i].map_chunks = nchunks;
        w->vars[i].store = 5;
    }
}

static void reopen(struct world *w)
{
    bool by_maps = draw(0, 1);
    CHECK_INT(pcdf_storage_close(w->top), NC_NOERR);
    for (int i = 0; i < MAX_VARS; i++)
        w->vars[i].map = NULL;
    if (by_maps)
        make_maps(w);
    open_world(w, PCDF_STORAGE_WRITE, NULL);
    if (!by_maps)
        CHECK_INT(pcdf_chunks_learn(w->chunks, w->known, w->nknown), NC_NOERR);
}

static void check_counts(struct world *w, int64_t known_before)
{
    struct pcdf_chunks_counts counts;
    int64_t bytes = 0;
    pcdf_chunks_count(w->chunks, &counts);
    for (size_t k = 0; k < w->nknown; k++)
        bytes += w->known[k].length;
    CHECK_INT(counts.stored - counts.lost, bytes - known_before);
}

/* ---- the tests */

static int step(struct world *w)
{
    switch (draw(0, 9)) {
    case 0:
        return pcdf_chunks_complete(w->chunks);
    case 1:
        return place(w);
    case 2:
    case 3:
    case 4:
        return get_random(w);
    default:
        return put_random(w);
    }
}

static void random_case(uint64_t number)
{
    struct world *w = make_world(number, NULL);
    long bad = check_bad;
    for (int round = 0; round < 3; round++) {
        int64_t known = 0;
        for (size_t k = 0; k < w->nknown; k++)
            known += w->known[k].length;
        for (int64_t i = draw(1, 40); i > 0; i--) {
            CHECK(step(w) == NC_NOERR, "%s", pcdf_fail_text());
            if (draw(0, 5) == 0)
                take(w);
            int64_t values = memory_of(w).values;
            CHECK(values <= w->cache || values <= w->cells.cell * (w->threads > 1 ? w->threads : 1),
                  "%" PRId64 " bytes of values", values);
        }
        CHECK(finish(w) == NC_NOERR, "%s", pcdf_fail_text());
        take(w);
        check_counts(w, known);
        check_file(w);
        CHECK_INT(get_and_compare(w, 0, w->span), NC_NOERR);
        reopen(w);
        CHECK_INT(get_and_compare(w, 0, w->span), NC_NOERR);
    }
    if (check_bad > bad)
        fprintf(stderr, "case %" PRIu64 "\n", number);
    free_world(w, true);
}

/* The n-th put below fails: that call or a later one says so, and nothing that was said to be written is
 * not. */
static void failing_put(uint64_t number, int n, long *failed)
{
    char orders[40];
    snprintf(orders, sizeof orders, "write:%d@0=NC_ENO_SPACE", n);
    struct world *w = make_world(number, orders);
    long before = fault_carried_out();
    int status = NC_NOERR;
    for (int i = 0; !status && i < 30; i++)
        status = step(w);
    if (!status)
        status = finish(w);
    bool was = fault_carried_out() > before;
    CHECK_INT(status, was ? NC_ENO_SPACE : NC_NOERR);
    if (was) {
        int64_t bytes;
        CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, orders, 1, 0, NULL), NC_ENO_SPACE);
        CHECK_INT(pcdf_chunks_complete(w->chunks), NC_ENO_SPACE);
        CHECK_INT(pcdf_chunks_seal(w->chunks, &bytes), NC_ENO_SPACE);
        CHECK_INT(pcdf_chunks_place(w->chunks, 0), NC_ENO_SPACE);
        CHECK(strstr(pcdf_fail_text(), "earlier put"), "%s", pcdf_fail_text());
    } else {
        take(w);
        check_file(w);
    }
    *failed += was;
    free_world(w, !was);
}

/* An allocation that fails is an error; what is done again then succeeds, and no value is lost. */
static void failing_allocation(uint64_t number, int64_t n)
{
    struct world *w = make_world(number, NULL);
    int err = NC_NOERR;
    for (int i = 0; !err && i < 25; i++) {
        pcdf_alloc_fail_at(i == 12 ? n : 0, 0);
        err = step(w);
        pcdf_alloc_fail_at(0, 0);
        CHECK(err == NC_NOERR || err == NC_ENOMEM, "%d %s", err, pcdf_fail_text());
        err = err ? pcdf_chunks_complete(w->chunks) : NC_NOERR; /* a put below that failed is final */
    }
    if (!err)
        err = finish(w);
    bool is_final = err && strstr(pcdf_fail_text(), "an earlier put"); /* below there was no memory */
    CHECK(err == NC_NOERR || is_final, "%s", pcdf_fail_text());
    if (!is_final) {
        take(w);
        check_file(w);
    }
    free_world(w, !is_final);
}

/* ---- several ranks */

static void as_rank(struct world *w, int rank)
{
    w->top = w->tops[rank];
    w->chunks = w->layers[rank];
}

/* Batches of all ranks, behind each other. */
static void place_all(struct world *w, bool later)
{
    int64_t bytes[MAX_RANKS];
    for (int r = 0; r < w->nranks; r++)
        CHECK_INT(pcdf_chunks_seal(w->layers[r], &bytes[r]), NC_NOERR);
    for (int r = 0; r < w->nranks; r++) {
        CHECK_INT(give_place(w, w->layers[r], later), NC_NOERR);
        w->eof += bytes[r];
    }
}

static void take_all(struct world *w)
{
    for (int r = 0; r < w->nranks; r++) {
        as_rank(w, r);
        take(w);
    }
}

/* All chunks are in the file, and all ranks know where. */
static void tell_all(struct world *w)
{
    for (int r = 0; r < w->nranks; r++)
        CHECK_INT(pcdf_chunks_complete(w->layers[r]), NC_NOERR);
    place_all(w, false);
    take_all(w);
    for (int r = 0; r < w->nranks; r++) {
        struct pcdf_stored_chunk *x;
        size_t n = take_news(w->layers[r], PCDF_NEWS_FOR_RANKS, &x);
        for (int to = 0; to < w->nranks; to++)
            CHECK_INT(pcdf_chunks_learn(w->layers[to], x, n), NC_NOERR);
        pcdf_free(x);
    }
}

/* What each rank gets by itself, at any byte: in independent mode. */
static void get_alone(struct world *w)
{
    int n = w->nranks;
    tell_all(w);
    w->nranks = 0;
    for (int r = 0; r < n; r++) {
        as_rank(w, r);
        for (int k = 0; k < 3; k++)
            CHECK_INT(get_random(w), NC_NOERR);
    }
    w->nranks = n;
}

/* The values of all chunks, where the new definitions have them. */
static void move_model(struct world *w, const struct pcdf_cells *old)
{
    static unsigned char model[MOST];
    memcpy(model, w->model, MOST);
    make_model(w);
    for (int i = 0; i < old->nvars; i++) {
        const struct pcdf_cells_var *v = &old->x[i];
        for (int64_t k = 0; k < (v->chunk ? v->nchunks : 1) * (v->is_record ? ROWS : 1); k++)
            memcpy(w->model + pcdf_cells_at(&w->cells, i, k), model + pcdf_cells_at(old, i, k),
                   (size_t)v->bytes);
    }
}

/* Other cells, and at times another variable: most chunks get another owner. */
static void define_anew(struct world *w)
{
    struct pcdf_cells old = w->cells, made;
    struct pcdf_meta before;
    tell_all(w);
    CHECK_INT(pcdf_meta_copy(&before, &w->meta), NC_NOERR);
    if (w->meta.nvars < MAX_VARS && draw(0, 1))
        add_vars(w);
    CHECK_INT(pcdf_cells_build(&made, &w->meta, w->shapes, (int64_t)8 << draw(0, 6)), NC_NOERR);
    if (made.begin_rec + ROWS * made.recsize > MOST) { /* as it was */
        struct pcdf_meta larger = w->meta;
        w->meta = before;
        before = larger;
        pcdf_cells_free(&made);
        CHECK_INT(pcdf_cells_build(&made, &w->meta, w->shapes, 8), NC_NOERR);
    }
    pcdf_meta_free(&before);
    for (int i = 0; i < old.nvars; i++)
        w->vars[i].name = w->meta.vars[i].name;
    w->cells = made;
    describe_vars(w, old.nvars);
    move_model(w, &old);
    struct pcdf_chunks_config config = config_of(w);
    for (int r = 0; r < w->nranks; r++)
        CHECK_INT(pcdf_chunks_relayout(w->layers[r], &config), NC_NOERR);
    pcdf_cells_free(&old);
}

static void step_of_all(struct world *w)
{
    switch (draw(0, 9)) {
    case 0:
        place_all(w, draw(0, 1));
        return;
    case 1:
        take_all(w);
        return;
    case 2:
        define_anew(w);
        return;
    case 3:
        get_alone(w);
        return;
    case 4:
        CHECK_INT(pcdf_chunks_complete(w->layers[draw(0, w->nranks - 1)]), NC_NOERR);
        return;
    case 5:
    case 6:
        CHECK_INT(get_random(w), NC_NOERR);
        return;
    default:
        CHECK_INT(put_random(w), NC_NOERR);
    }
}

/* Ranks that share a file, each with the chunks that it owns, which change with the definitions. */
static void several_ranks(uint64_t number)
{
    struct world *w = make_world(number, NULL);
    long bad = check_bad;
    w->nranks = (int)draw(2, MAX_RANKS);
    for (int r = 0; r < w->nranks; r++) {
        if (r > 0)
            open_world(w, PCDF_STORAGE_WRITE, NULL);
        w->tops[r] = w->top;
        w->layers[r] = w->chunks;
    }
    for (int64_t i = draw(1, 80); i > 0; i--)
        step_of_all(w);
    tell_all(w);
    take_all(w);
    check_file(w);
    get_alone(w);
    CHECK_INT(get_and_compare(w, 0, w->span), NC_NOERR);
    for (int r = 1; r < w->nranks; r++)
        CHECK_INT(pcdf_storage_close(w->tops[r]), NC_NOERR);
    as_rank(w, 0);
    w->nranks = 0;
    if (check_bad > bad)
        fprintf(stderr, "several ranks, case %" PRIu64 "\n", number);
    free_world(w, true);
}

/* One variable v(64, 1000) of NC_INT in chunks of 1 row. */
static struct world *make_plain(struct pcdf_chain chain, int64_t cache)
{
    static const int64_t shape[] = { 1, 100 };
    static const int dims[] = { 0, 1 };
    struct world *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    pcdf_meta_add_dim(&w->meta, "y", 64, NULL);
    pcdf_meta_add_dim(&w->meta, "x", 100, NULL);
    pcdf_meta_add_var(&w->meta, "v", NC_INT, 2, dims, NULL);
    w->shapes[0].chunk = shape;
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 8), NC_NOERR);
    w->vars[0] = (struct pcdf_chunks_var){ .name = "v", .chain = chain };
    w->cache = cache;
    make_model(w);
    open_world(w, PCDF_STORAGE_CREATE, NULL);
    return w;
}

/* One without codecs that has a place is changed where it is; one with codecs gets another one. */
static void where_it_is(bool is_encoded)
{
    struct pcdf_chain chain = { is_encoded, { with(PCDF_CODEC_ZLIB, 1) } };
    struct world *w = make_plain(chain, 1 << 20);
    struct pcdf_stored_chunk *x;
    int data[100] = { 7 };
    int64_t at = pcdf_cells_at(&w->cells, 0, 3);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data, 400, at, NULL), NC_NOERR);
    CHECK_INT(place_now(w), NC_NOERR);
    CHECK_INT(take_news(w->chunks, PCDF_NEWS_FOR_METADATA, &x), 1);
    pcdf_free(x);
    data[50] = 8;
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data + 50, 4, at + 200, NULL), NC_NOERR);
    CHECK_INT(memory_of(w).values, is_encoded ? 400 : 0);
    CHECK_INT(pcdf_chunks_complete(w->chunks), NC_NOERR);
    CHECK_INT(place_now(w), NC_NOERR);
    CHECK_INT(take_news(w->chunks, PCDF_NEWS_FOR_METADATA, &x), is_encoded);
    pcdf_free(x);
    memset(data, 0, sizeof data);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_GET, data, 400, at, NULL), NC_NOERR);
    CHECK(data[0] == 7 && data[50] == 8, "%d %d", data[0], data[50]);
    free_world(w, true);
}

/* Rows that come one by one, with a sync after each: what was put before is not read again. */
static void grows_by_rows(void)
{
    static const int64_t shape[] = { 64, 100 };
    struct world *w = make_plain((struct pcdf_chain){ 1, { with(PCDF_CODEC_ZLIB, 1) } }, 1 << 20);
    struct pcdf_chunks_counts counts;
    int row[100];
    pcdf_cells_free(&w->cells);
    w->shapes[0].chunk = shape;
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 8), NC_NOERR);
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 100; k++)
            row[k] = 100 * i + k;
        CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, row, 400, 400 * i, NULL), NC_NOERR);
        CHECK_INT(pcdf_chunks_complete(w->chunks), NC_NOERR);
        CHECK_INT(place_now(w), NC_NOERR);
        take(w);
    }
    pcdf_chunks_count(w->chunks, &counts);
    CHECK_INT(counts.again, 0);
    CHECK_INT(counts.chunks, 64);
    CHECK_INT(memory_of(w).values, 0); /* it is complete */
    for (int i = 0; i < 6400; i++)
        memcpy(w->model + 4 * i, &i, 4);
    check_file(w);
    free_world(w, true);
}

static int first_value(struct pcdf_storage *s, int64_t at)
{
    int value = 0;
    CHECK_INT(pcdf_storage_move_at(s, PCDF_GET, &value, 4, at, NULL), NC_NOERR);
    return value;
}

/* Another rank changes a chunk without codecs where it is: this one, which had its values, gets the new ones.
 * is_again: it was changed between seal and place. */
static void changed_by_another(bool is_again)
{
    struct world *w = make_plain((struct pcdf_chain){ 0 }, 1 << 20);
    struct pcdf_storage *mine = w->top;
    struct pcdf_chunks *chunks = w->chunks;
    struct pcdf_stored_chunk *x;
    int64_t at = pcdf_cells_at(&w->cells, 0, 3), bytes;
    int one = 1, two = 2;
    CHECK_INT(pcdf_storage_move_at(mine, PCDF_PUT, &one, 4, at, NULL), NC_NOERR);
    CHECK_INT(pcdf_chunks_complete(chunks), NC_NOERR);
    CHECK_INT(pcdf_chunks_seal(chunks, &bytes), NC_NOERR);
    if (is_again) {
        CHECK_INT(pcdf_storage_move_at(mine, PCDF_PUT, &one, 4, at + 4, NULL), NC_NOERR);
        CHECK_INT(pcdf_chunks_complete(chunks), NC_NOERR);
    }
    CHECK_INT(first_value(mine, at), 1);
    CHECK_INT(pcdf_chunks_place(chunks, 0), NC_NOERR);
    CHECK_INT(first_value(mine, at + 4), is_again);
    CHECK_INT(place_now(w), NC_NOERR);
    CHECK_INT(take_news(chunks, PCDF_NEWS_FOR_METADATA, &x), 1);
    open_world(w, PCDF_STORAGE_WRITE, NULL);
    CHECK_INT(pcdf_chunks_learn(w->chunks, x, 1), NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, &two, 4, at, NULL), NC_NOERR);
    CHECK_INT(first_value(mine, at), 2);
    CHECK_INT(pcdf_storage_close(mine), NC_NOERR);
    pcdf_free(x);
    free_world(w, true);
}

/* What many small chunks take in memory is counted, and they are found quickly. */
static void many_chunks(void)
{
    enum { MANY = 100000 };
    static const int64_t shape[] = { 1 };
    static const int dims[] = { 0 };
    struct world *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    int64_t base = pcdf_alloc_now();
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    pcdf_meta_add_dim(&w->meta, "x", MANY, NULL);
    pcdf_meta_add_var(&w->meta, "v", NC_DOUBLE, 1, dims, NULL);
    w->shapes[0].chunk = shape;
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 8), NC_NOERR);
    w->vars[0] = (struct pcdf_chunks_var){ .name = "v" };
    open_world(w, PCDF_STORAGE_CREATE, NULL);
    for (int64_t i = 0; i < MANY; i++) {
        double value = (double)i;
        CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, &value, 8, 8 * i, NULL), NC_NOERR);
    }
    int64_t held = pcdf_alloc_now() - base, counted = memory_of(w).all;
    CHECK(counted > held - held / 10 && counted < held + held / 4,
          "%" PRId64 " are counted, %" PRId64 " held", counted, held);
    CHECK(memory_of(w).waiting > counted / 2, "%" PRId64 " wait", memory_of(w).waiting);
    CHECK_INT(place_now(w), NC_NOERR);
    CHECK_INT(memory_of(w).waiting, 0);
    double got = 0;
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_GET, &got, 8, 8 * (MANY - 1), NULL), NC_NOERR);
    CHECK(got == MANY - 1, "%f", got);
    free_world(w, true);
}

/* Entries of others: a mask, one that is damaged, one behind the end, ones that cannot be. */
static void entries_of_others(void)
{
    struct pcdf_chain chain = { 1, { with(PCDF_CODEC_ZLIB, 1) } };
    struct world *w = make_plain(chain, 0);
    const struct pcdf_stored_chunk good[] = {
        { 5, 1000, 400, 0, 1 }, { 6, 1000, 400, 0, 0 }, { 7, 4000, 400, 0, 0 }, { 8, 0, 100000, 0, 0 }
    };
    const struct pcdf_stored_chunk bad[] = { { -1, 0, 4, 0, 0 },
                                             { 0, -1, 4, 0, 0 },
                                             { 0, 0, -4, 0, 0 },
                                             { 0, 0, 4, 1, 0 },
                                             { 0, INT64_MAX, 4, 0, 0 } };
    int data[100] = { 0 }, mine[100] = { 41 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_INT(pcdf_chunks_learn(w->chunks, &bad[i], 1), NC_EINVAL);
    CHECK_INT(pcdf_chunks_learn(w->chunks, good, 4), NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(pcdf_storage_bottom(w->top), PCDF_PUT, mine, 400, 1000, NULL), NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_GET, data, 4, pcdf_cells_at(&w->cells, 0, 5), NULL),
              NC_NOERR);
    CHECK_INT(data[0], 41);
    for (int k = 6; k <= 8; k++) {
        CHECK_INT(pcdf_storage_move_at(w->top, PCDF_GET, data, 4, pcdf_cells_at(&w->cells, 0, k), NULL),
                  NC_EREAD);
        char chunk[40];
        snprintf(chunk, sizeof chunk, "variable v, chunk %d/0: ", k);
        CHECK(strstr(pcdf_fail_text(), chunk), "%s", pcdf_fail_text());
        CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data, 4, pcdf_cells_at(&w->cells, 0, k), NULL),
                  NC_EREAD);
    }
    /* One that is put whole does not need what was there; values in memory give way to a new place. */
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, mine, 400, pcdf_cells_at(&w->cells, 0, 6), NULL),
              NC_NOERR);
    CHECK_INT(place_now(w), NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_GET, data, 4, pcdf_cells_at(&w->cells, 0, 6), NULL),
              NC_NOERR);
    CHECK_INT(pcdf_chunks_learn(w->chunks, &good[1], 1), NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_GET, data, 4, pcdf_cells_at(&w->cells, 0, 6), NULL),
              NC_EREAD);
    free_world(w, true);
}

/* New definitions put the same chunks elsewhere in the space. */
static void other_definitions(void)
{
    static const int64_t shape[] = { 2 };
    static const int dims[] = { 2 };
    struct pcdf_chain chain = { 1, { with(PCDF_CODEC_ZLIB, 1) } };
    struct world *w = make_plain(chain, 1 << 20);
    struct pcdf_cells old = w->cells;
    int data[100] = { 1 }, got = 0;
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data, 40, pcdf_cells_at(&old, 0, 1), NULL), NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data, 400, pcdf_cells_at(&old, 0, 2), NULL), NC_NOERR);
    pcdf_meta_add_dim(&w->meta, "z", 100000, NULL);
    pcdf_meta_add_var(&w->meta, "u", NC_INT, 1, dims, NULL);
    w->shapes[1].chunk = shape;
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 4096), NC_NOERR);
    w->vars[1] = (struct pcdf_chunks_var){ .name = "u", .chain = { 1, { with(PCDF_CODEC_UNKNOWN, 0) } } };
    struct pcdf_chunks_config config = config_of(w);
    CHECK_INT(pcdf_chunks_relayout(w->chunks, &config), NC_ENOTBUILT);
    CHECK(strstr(pcdf_fail_text(), "variable u"), "%s", pcdf_fail_text());
    w->vars[1].chain = chain;
    for (int kind = PCDF_MAP_NONE; kind <= PCDF_MAP_TABLE + 1; kind++) {
        struct pcdf_chunkmap map = { .kind = (enum pcdf_map_kind)kind };
        w->vars[1].map = &map;
        CHECK_INT(pcdf_chunks_relayout(w->chunks, &config),
                  kind == PCDF_MAP_KEYS || kind == PCDF_MAP_SHARDS || kind > PCDF_MAP_TABLE ? NC_ENOTSUPPORT
                                                                                            : NC_NOERR);
    }
    w->vars[1].map = NULL;
    CHECK_INT(pcdf_chunks_relayout(w->chunks, &config), NC_NOERR);
    pcdf_cells_free(&old);
    for (int k = 1; k <= 2; k++) {
        CHECK_INT(pcdf_storage_move_at(w->top, PCDF_GET, &got, 4, pcdf_cells_at(&w->cells, 0, k), NULL),
                  NC_NOERR);
        CHECK_INT(got, 1);
    }
    CHECK_INT(pcdf_storage_close(w->top), NC_EWRITE); /* chunks are lost */
    open_world(w, PCDF_STORAGE_WRITE, NULL);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data, 40, pcdf_cells_at(&w->cells, 0, 1), NULL),
              NC_NOERR);
    free_world(w, false); /* chunks are lost */
}

/* A chunk that must leave memory for another one cannot be encoded: it is the one that is named. */
static void failing_other(void)
{
    struct pcdf_chain chain = { 1, { with(PCDF_CODEC_JSON_TEXT, 0) } };
    struct world *w = make_plain(chain, 400);
    int data[10] = { 1 };
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data, 40, pcdf_cells_at(&w->cells, 0, 5), NULL),
              NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, data, 40, pcdf_cells_at(&w->cells, 0, 7), NULL),
              NC_ENOTBUILT);
    CHECK(strncmp(pcdf_fail_text(), "variable v, chunk 5/0: parcdf reads", 35) == 0, "%s", pcdf_fail_text());
    free_world(w, false); /* chunks are lost */
}

/* ---- threads */

struct putter {
    struct world *w;
    int which, err;
};

enum { THREADS = 4 };

/* Every fourth value of every chunk, forwards or backwards, with a get of it now and then. */
static void *put_values(void *context)
{
    struct putter *p = context;
    for (int i = 0; i < 64 * 25 && !p->err; i++) {
        int at = p->which % 2 ? i : 64 * 25 - 1 - i, value = 1000 * at + p->which, got = 0;
        int64_t offset = pcdf_cells_at(&p->w->cells, 0, at / 25) + 4 * (at % 25 * THREADS + p->which);
        p->err = pcdf_storage_move_at(p->w->top, PCDF_PUT, &value, 4, offset, NULL);
        if (!p->err && i % 7 == 0)
            p->err = pcdf_storage_move_at(p->w->top, PCDF_GET, &got, 4, offset, NULL);
        if (!p->err && i % 7 == 0 && got != value)
            p->err = NC_EREAD;
    }
    return NULL;
}

static void threads(bool is_encoded, int64_t cache)
{
    struct pcdf_chain chain = { is_encoded ? 2 : 0,
                                { with(PCDF_CODEC_SHUFFLE, 4), with(PCDF_CODEC_ZLIB, 1) } };
    struct world *w = make_plain(chain, cache);
    struct putter putters[THREADS];
    pthread_t ids[THREADS];
    for (int at = 0; at < 64 * 25; at++)
        for (int t = 0; t < THREADS; t++) {
            int value = 1000 * at + t;
            memcpy(w->model + pcdf_cells_at(&w->cells, 0, at / 25) + 4 * (at % 25 * THREADS + t), &value, 4);
        }
    for (int t = 0; t < THREADS; t++) {
        putters[t] = (struct putter){ .w = w, .which = t };
        pthread_create(&ids[t], NULL, put_values, &putters[t]);
    }
    for (int k = 0; k < 40; k++) { /* meanwhile batches are written */
        CHECK_INT(place_now(w), NC_NOERR);
        take(w);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(ids[t], NULL);
        CHECK_INT(putters[t].err, NC_NOERR);
    }
    CHECK_INT(finish(w), NC_NOERR);
    take(w);
    check_file(w);
    CHECK_INT(get_and_compare(w, 0, w->span), NC_NOERR);
    free_world(w, true);
}

static pthread_t main_thread;

static int fail_in_helpers(void *calls)
{
    atomic_fetch_add((atomic_int *)calls, 1);
    return pthread_equal(pthread_self(), main_thread) ? NC_NOERR : PCDF_FAIL(NC_EREAD, "a helper failed");
}

/* What fails in one of several threads is told. */
static void failing_helpers(void)
{
    main_thread = pthread_self();
    for (int n = 0; n <= 4; n++) {
        atomic_int calls = 0;
        pcdf_fail_clear();
        CHECK_INT(pcdf_chunkthreads_run(n, fail_in_helpers, &calls), n > 1 ? NC_EREAD : NC_NOERR);
        CHECK(strcmp(pcdf_fail_text(), n > 1 ? "a helper failed" : "") == 0, "%s", pcdf_fail_text());
        CHECK_INT(calls, n > 1 ? n : 1);
    }
}

/* Complete chunks wait for threads that encode them, at last for the seal; one that cannot be encoded is
 * told, whichever thread has it. */
static void encoded_by_threads(void)
{
    static int values[64 * 100];
    struct pcdf_piece pieces[64];
    int64_t bytes;
    for (int k = 0; k < 40; k++) {
        struct world *w = make_plain((struct pcdf_chain){ 1, { with(PCDF_CODEC_SHUFFLE, 4) } }, 1 << 20);
        static const int dims[] = { 0, 1 };
        pcdf_meta_add_var(&w->meta, "bad", NC_INT, 2, dims, NULL);
        w->shapes[1].chunk = w->shapes[0].chunk;
        pcdf_cells_free(&w->cells);
        CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 8), NC_NOERR);
        w->vars[1] =
            (struct pcdf_chunks_var){ .name = "bad", .chain = { 1, { with(PCDF_CODEC_JSON_TEXT, 0) } } };
        w->threads = THREADS;
        struct pcdf_chunks_config config = config_of(w);
        CHECK_INT(pcdf_chunks_relayout(w->chunks, &config), NC_NOERR);
        for (int i = 0; i < 64; i++)
            pieces[i] =
                (struct pcdf_piece){ pcdf_cells_at(&w->cells, 0, i), 400, (char *)(values + 100 * i) };
        CHECK_INT(move(w, PCDF_PUT, pieces, 64), NC_NOERR);
        CHECK_INT(memory_of(w).values, 0); /* many were encoded */
        CHECK_INT(move(w, PCDF_PUT, pieces, 2 * THREADS - 2), NC_NOERR);
        CHECK_INT(memory_of(w).values, 400 * (2 * THREADS - 2));
        CHECK_INT(pcdf_storage_move_at(w->top, PCDF_PUT, values, 400, pcdf_cells_at(&w->cells, 1, k), NULL),
                  NC_NOERR);
        CHECK_INT(pcdf_chunks_seal(w->chunks, &bytes), NC_ENOTBUILT);
        CHECK(strstr(pcdf_fail_text(), "variable bad"), "%s", pcdf_fail_text());
        free_world(w, false); /* chunks are lost */
    }
}

/* ---- speed */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* of a machine that others use, too */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { BENCH_CHUNKS = 64, BENCH_BYTES = 1 << 20, BENCH_ROUNDS = 5 };

static double bench_codec(const struct pcdf_chain *chain, const unsigned char *values)
{
    static struct pcdf_codec_scratch scratch;
    double begin = seconds();
    for (int64_t k = 0; k < BENCH_CHUNKS; k++) {
        const unsigned char *out;
        size_t n;
        CHECK_INT(
            pcdf_chain_encode_here(chain, values + k * BENCH_BYTES, BENCH_BYTES, &out, &n, NULL, &scratch),
            NC_NOERR);
    }
    return seconds() - begin;
}

static double bench_layer(struct pcdf_chunks *chunks, struct pcdf_storage *top, unsigned char *values)
{
    double begin = seconds();
    int64_t bytes;
    for (int k = 0; k < BENCH_CHUNKS; k += 8) { /* in steps of 8 MiB */
        const struct pcdf_piece piece = { (int64_t)k * BENCH_BYTES, 8 * BENCH_BYTES,
                                          (char *)values + (size_t)k * BENCH_BYTES };
        const struct pcdf_extents x = { .dir = PCDF_PUT, .n = 1, .pieces = &piece };
        int64_t got = 0;
        CHECK_INT(pcdf_storage_move(top, &x, &got), NC_NOERR);
        CHECK_INT(pcdf_chunks_seal(chunks, &bytes), NC_NOERR);
        CHECK_INT(pcdf_chunks_place(chunks, 0), NC_NOERR);
    }
    return seconds() - begin;
}

static void bench(const char *name, struct pcdf_chain chain)
{
    static const int64_t shape[] = { BENCH_BYTES / 4 };
    static const int dims[] = { 0 };
    double codec = 1e9, layer = 1e9;
    struct world *w = calloc(1, sizeof *w);
    unsigned char *values = malloc((size_t)BENCH_CHUNKS * BENCH_BYTES);
    if (!w || !values)
        abort();
    for (int64_t i = 0; i < (int64_t)BENCH_CHUNKS * BENCH_BYTES / 4; i++) {
        float x = (float)(i % 4096) * 0.25f + (float)draw(0, 255) / 256;
        memcpy(values + 4 * i, &x, 4);
    }
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    pcdf_meta_add_dim(&w->meta, "x", (int64_t)BENCH_CHUNKS * BENCH_BYTES / 4, NULL);
    pcdf_meta_add_var(&w->meta, "v", NC_FLOAT, 1, dims, NULL);
    w->shapes[0].chunk = shape;
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 8), NC_NOERR);
    w->vars[0] = (struct pcdf_chunks_var){ .name = "v", .chain = chain };
    w->cache = 1 << 26;
    struct pcdf_storage_config bottom = { .path = path, .mode = PCDF_STORAGE_CREATE, .counts = &w->counts };
    struct pcdf_chunks_config config = config_of(w);
    CHECK_INT(pcdf_nullstorage.open(&bottom, &w->top), NC_NOERR);
    CHECK_INT(pcdf_chunks_stack(&config, &w->top, &w->chunks), NC_NOERR);
    for (int round = 0; round < BENCH_ROUNDS; round++) {
        double a = bench_codec(&chain, values), b = bench_layer(w->chunks, w->top, values);
        codec = a < codec ? a : codec;
        layer = b < layer ? b : layer;
    }
    struct pcdf_chunks_counts counts;
    pcdf_chunks_count(w->chunks, &counts);
    printf("%-24s codec %7.1f MiB/s, storage %7.1f MiB/s: %.3f (%.2f of the bytes)\n", name,
           BENCH_CHUNKS / codec, BENCH_CHUNKS / layer, codec / layer,
           (double)counts.stored / (double)counts.values);
    pcdf_storage_close(w->top);
    pcdf_cells_free(&w->cells);
    pcdf_meta_free(&w->meta);
    free(values);
    free(w);
}

/* Many chunks of 100 bytes wait at once; then each is got, and changed in part. */
static void bench_many(int64_t n, struct pcdf_chain chain)
{
    enum { VALUES = 25, BATCH = 4096 };
    static const int64_t shape[] = { VALUES };
    static const int dims[] = { 0 };
    static struct pcdf_piece pieces[BATCH];
    static float values[BATCH * VALUES];
    struct world *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    pcdf_meta_add_dim(&w->meta, "x", n * VALUES, NULL);
    pcdf_meta_add_var(&w->meta, "v", NC_FLOAT, 1, dims, NULL);
    w->shapes[0].chunk = shape;
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, w->shapes, 8), NC_NOERR);
    w->vars[0] = (struct pcdf_chunks_var){ .name = "v", .chain = chain };
    w->cache = 1 << 22;
    open_world(w, PCDF_STORAGE_CREATE, NULL);
    double t[6] = { seconds() };
    /* puts of whole chunks, gets, puts of their first value */
    for (int pass = 0; pass < 3; pass++) {
        for (int64_t k = 0; k < n; k += BATCH) {
            int64_t batch = n - k < BATCH ? n - k : BATCH;
            for (int64_t i = 0; i < batch; i++) {
                pieces[i] = (struct pcdf_piece){ (k + i) * w->cells.cell, pass == 2 ? 4 : 4 * VALUES,
                                                 (char *)(values + i * VALUES) };
                for (int e = 0; e < VALUES; e++)
                    values[i * VALUES + e] = pass == 1 ? -1 : (float)((k + i) % 1000 + e);
            }
            CHECK_INT(move(w, pass == 1 ? PCDF_GET : PCDF_PUT, pieces, (size_t)batch), NC_NOERR);
            for (int64_t i = 0; i < batch; i++)
                CHECK(values[i * VALUES + 3] == (float)((k + i) % 1000 + 3), "%f", values[i * VALUES + 3]);
        }
        t[pass * 2 + 1] = seconds();
        struct pcdf_chunks_memory m = memory_of(w);
        if (pass == 0) {
            printf("  %" PRId64 " that wait: %.1f MiB are counted, of %.1f MiB\n", n,
                   (double)m.all / (1 << 20), (double)pcdf_alloc_now() / (1 << 20));
            struct pcdf_stored_chunk *x;
            CHECK_INT(place_now(w), NC_NOERR);
            CHECK_INT(take_news(w->chunks, PCDF_NEWS_FOR_METADATA, &x), n);
            pcdf_free(x);
            t[2] = seconds();
        }
        t[4] = seconds();
    }
    CHECK_INT(pcdf_chunks_complete(w->chunks), NC_NOERR);
    CHECK_INT(place_now(w), NC_NOERR);
    printf("  us a chunk: put %.2f, placed and taken %.2f, got %.2f, changed and placed %.2f\n",
           1e6 * (t[1] - t[0]) / (double)n, 1e6 * (t[2] - t[1]) / (double)n, 1e6 * (t[3] - t[2]) / (double)n,
           1e6 * (seconds() - t[4]) / (double)n);
    free_world(w, true);
}

static void bench_all(void)
{
    for (int64_t n = 62500; n <= 1000000; n *= 4) {
        printf("chunks of 100 bytes:\n");
        bench_many(n, (struct pcdf_chain){ 0 });
        printf("chunks of 100 bytes, shuffle, deflate 1:\n");
        bench_many(n, (struct pcdf_chain){ 2, { with(PCDF_CODEC_SHUFFLE, 4), with(PCDF_CODEC_ZLIB, 1) } });
    }
    bench("shuffle, deflate 1",
          (struct pcdf_chain){ 2, { with(PCDF_CODEC_SHUFFLE, 4), with(PCDF_CODEC_ZLIB, 1) } });
    bench("deflate 1", (struct pcdf_chain){ 1, { with(PCDF_CODEC_ZLIB, 1) } });
    bench("shuffle, zstd 1",
          (struct pcdf_chain){ 2, { with(PCDF_CODEC_SHUFFLE, 4), with(PCDF_CODEC_ZSTD, 1) } });
    bench("shuffle", (struct pcdf_chain){ 1, { with(PCDF_CODEC_SHUFFLE, 4) } });
}

int main(int argc, char **argv)
{
    uint64_t cases = argc > 2 ? strtoull(argv[2], NULL, 10) : 400;
    struct pcdf_chain zlib = { 1, { with(PCDF_CODEC_ZLIB, 1) } };
    long failed = 0;
    if (argc > 1)
        setenv("PARCDF_PLUGINS", argv[1], 1);
    CHECK(pcdf_chain_check(&zlib) == NC_NOERR, "%s", pcdf_fail_text());
    if (check_bad > 0)
        return check_done("chunk_writes");
    if (argc > 2 && strcmp(argv[2], "bench") == 0) {
        bench_all();
        return check_done("chunk_writes bench");
    }
    for (uint64_t i = 0; i < cases; i++)
        random_case(i);
    for (uint64_t i = 0; i < cases; i++)
        several_ranks(i);
    for (uint64_t i = 0; i < cases / 4; i++)
        failing_put(i, 1 + (int)(i % 5), &failed);
    CHECK(failed > (long)cases / 10, "only %ld puts failed", failed);
    for (uint64_t i = 0; i < cases; i++)
        failing_allocation(i / 8, 1 + (int64_t)i % 8);
    where_it_is(false);
    where_it_is(true);
    changed_by_another(false);
    changed_by_another(true);
    many_chunks();
    grows_by_rows();
    entries_of_others();
    other_definitions();
    failing_other();
    for (int is_encoded = 0; is_encoded < 2; is_encoded++) {
        threads(is_encoded, 0);
        threads(is_encoded, 1 << 20);
    }
    encoded_by_threads();
    failing_helpers();
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("chunk_writes");
}
