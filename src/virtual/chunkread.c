/* See chunkread.h. Runs of needs that want the same chunk are read in windows: all fetches of a window are
 * begun, and those of the next one before the first is decoded, so that far stores have several on the way.
 * Files are read when their fetch is finished; so a rank that is to decode a chunk of one for its node begins
 * with it alone, and leaves the others to whoever comes first.
 */

#include "chunkread.h"
#include <stdio.h>
#include "grid.h"
#include "numbers.h"
#include "rawread.h"
#include "readorder.h"
#include "scatter.h"
#include "shards.h"
#include "status.h"
#include "value.h"
#include "virtual.h"

enum { WINDOW = 32, AHEAD = 4096, MOST_OPEN = 128, SLACK = 1 << 16 };
#define WINDOW_BYTES  (INT64_C(64) << 20)
#define LARGEST_CHUNK (INT64_C(2) << 30)
#define LARGEST_ROOM  (INT64_C(64) << 20) /* that is kept for stored bytes */

struct slot {
    const struct pcdf_need *run;
    size_t n;
    bool is_cached, is_late; /* is_cached: then the place is not known; is_late: read when it is its turn */
    struct pcdf_chunk_place place; /* of a chunk of a shard: in its object */
    struct pcdf_fetch *fetch;      /* NULL: none is under way */
    struct pcdf_nodechunk lent;    /* of the cache of the node */
};

struct window {
    struct slot slots[WINDOW];
    struct pcdf_fetch fetches[WINDOW];
    int n, nfetches;
    bool is_near, /* this rank is to decode a chunk of a file for its node */
        ends_raw; /* the next run is to be read by rawread.c */
};

/* ---- one chunk */

static void scatter(const struct pcdf_needs *needs, const struct pcdf_need *run, size_t n,
                    const unsigned char *chunk)
{
    struct pcdf_rows rows;
    for (size_t i = 0; i < n; i++)
        for (pcdf_rows_begin(&rows, needs, &run[i]); rows.left > 0; pcdf_rows_next(&rows))
            pcdf_scatter_row(rows.w, chunk + rows.from * rows.w->elem, rows.step, rows.n, rows.to,
                             needs->is_native);
}

static const struct pcdf_chain *chain_of(const struct pcdf_virtual *v, const struct pcdf_varview *w)
{
    const struct pcdf_chain *chain = w->v->chain < 0 ? NULL : &v->image->chains[w->v->chain];
    return chain && chain->n > 0 ? chain : NULL;
}

/* All that the chunk has of the variable. */
static bool is_wanted_whole(const struct pcdf_needs *needs, const struct slot *s)
{
    const struct pcdf_varview *w = &needs->views->vars[s->run->var];
    int64_t index[PCDF_MOST_DIMS], wanted = 0, has = 1;
    struct pcdf_rows rows;
    pcdf_grid_index(w->ndims, w->grid, s->run->chunk, index);
    for (int i = 0; i < w->ndims; i++)
        has *= pcdf_smaller(w->chunk[i], w->shape[i] - index[i] * w->chunk[i]);
    for (size_t i = 0; i < s->n; i++) {
        pcdf_rows_begin(&rows, needs, &s->run[i]);
        wanted += rows.n * rows.left;
    }
    return wanted >= has;
}

/* ---- the cache of the node */

/* A chunk that this rank wants whole, and no other one that reads now, is not decoded there: see decode_once.
 */
static struct pcdf_nodechunk ask(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct slot *s,
                                 bool waits)
{
    const struct pcdf_varview *w = &v->views.vars[s->run->var];
    const struct pcdf_chain *chain = chain_of(v, w);
    int64_t index[PCDF_MOST_DIMS];
    if (!v->node || !chain || !pcdf_virtual_is_shared(v->share, chain))
        return (struct pcdf_nodechunk){ .state = PCDF_NODECHUNK_NONE };
    pcdf_grid_index(w->ndims, w->grid, s->run->chunk, index);
    bool is_wanted = !is_wanted_whole(needs, s) || pcdf_nodecache_is_wanted(v->node, w->id, index, w->ndims);
    struct pcdf_nodechunk lent =
        waits ? pcdf_nodecache_await(v->node, w->id, s->run->chunk, w->chunk_bytes, is_wanted)
              : pcdf_nodecache_ask(v->node, w->id, s->run->chunk, w->chunk_bytes, is_wanted);
    v->counts->chunks_shared +=
        lent.state == PCDF_NODECHUNK_READY && lent.user != pcdf_nodecache_user(v->node);
    v->counts->chunks_late += lent.is_late;
    return lent;
}

/* Where others wait for it they have it before its values are where they belong here. */
static int decode_for_all(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct slot *s,
                          const unsigned char *bytes, int64_t nbytes)
{
    const struct pcdf_varview *w = &v->views.vars[s->run->var];
    PCDF_TRY(pcdf_chain_decode(chain_of(v, w), s->place.mask, bytes, (size_t)nbytes, s->lent.bytes,
                               (size_t)w->chunk_bytes, &v->scratch));
    pcdf_nodecache_publish(v->node, &s->lent);
    scatter(needs, s->run, s->n, s->lent.bytes);
    return NC_NOERR;
}

/* ---- decoding */

/* Where the bytes of the whole chunk belong, if that is one piece, and they need no more than another order;
 * else NULL. */
static unsigned char *place_of_all(const struct pcdf_needs *needs, const struct slot *s)
{
    const struct pcdf_varview *w = &needs->views->vars[s->run->var];
    struct pcdf_rows rows;
    pcdf_rows_begin(&rows, needs, s->run);
    bool is_one = rows.left == 1 && (rows.step == 1 || rows.n == 1) && rows.n * w->elem == w->chunk_bytes;
    return is_one && pcdf_scatter_is_direct(w) ? (unsigned char *)rows.to : NULL;
}

/* What is wanted whole will hardly be wanted again: it does not drive others out of the cache, and the memory
 * that it takes is still in the processor's. */
static int decode_once(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct slot *s,
                       const unsigned char *bytes, int64_t nbytes)
{
    const struct pcdf_varview *w = &v->views.vars[s->run->var];
    size_t n = (size_t)w->chunk_bytes;
    unsigned char *all = s->n == 1 ? place_of_all(needs, s) : NULL;
    unsigned char *to = all ? all : pcdf_room_of(&v->plain, n);
    if (!to)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a chunk of %zu bytes", n);
    PCDF_TRY(pcdf_chain_decode(chain_of(v, w), s->place.mask, bytes, (size_t)nbytes, to, n, &v->scratch));
    if (!all)
        scatter(needs, s->run, s->n, to);
    else if (pcdf_scatter_swaps(w, needs->is_native))
        pcdf_values_reverse(all, w->chunk_bytes / w->elem, w->elem);
    return NC_NOERR;
}

/* Its bytes, as they were stored, are here. */
static int decode(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct slot *s,
                  const unsigned char *bytes, int64_t nbytes)
{
    const struct pcdf_varview *w = &v->views.vars[s->run->var];
    const struct pcdf_chain *chain = chain_of(v, w);
    if (!chain) {
        if (nbytes != w->chunk_bytes)
            return PCDF_FAIL(NC_EREAD, "it has %lld bytes, not %lld", (long long)nbytes,
                             (long long)w->chunk_bytes);
        scatter(needs, s->run, s->n, bytes);
        return NC_NOERR;
    }
    if (w->chunk_bytes > LARGEST_CHUNK)
        return PCDF_FAIL(NC_ENOTSUPPORT, "chunks of %lld bytes; those of at most %lld are decoded",
                         (long long)w->chunk_bytes, (long long)LARGEST_CHUNK);
    v->counts->chunks_decoded++;
    if (s->lent.state == PCDF_NODECHUNK_MINE)
        return decode_for_all(v, needs, s, bytes, nbytes);
    if (!pcdf_chunkcache_is_empty(&v->cache, (size_t)w->chunk_bytes) && is_wanted_whole(needs, s))
        return decode_once(v, needs, s, bytes, nbytes);
    struct pcdf_cached_chunk *c = pcdf_chunkcache_lend(&v->cache, (size_t)w->chunk_bytes);
    if (!c)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a chunk of %lld bytes", (long long)w->chunk_bytes);
    int err = pcdf_chain_decode(chain, s->place.mask, bytes, (size_t)nbytes, c->bytes, c->size, &v->scratch);
    if (err) {
        pcdf_chunkcache_drop(c);
        return err;
    }
    scatter(needs, s->run, s->n, c->bytes);
    pcdf_chunkcache_keep(&v->cache, c, w->id, s->run->chunk);
    return NC_NOERR;
}

/* ---- windows */

static int prepare(struct pcdf_virtual *v, struct slot *s, struct pcdf_fetch *fetch)
{
    const struct pcdf_varview *w = &v->views.vars[s->run->var];
    struct pcdf_store *store;
    PCDF_TRY(pcdf_virtual_store(v, s->place.store, &store));
    int64_t most;
    if (__builtin_mul_overflow(w->chunk_bytes, 2, &most) || most > LARGEST_CHUNK)
        most = LARGEST_CHUNK;
    most += SLACK; /* codecs may make a little more of it than it was */
    if (s->place.length > most)
        return PCDF_FAIL(NC_EREAD, "it is stored in %lld bytes", (long long)s->place.length);
    *fetch = (struct pcdf_fetch){ .store = store,
                                  .key = s->place.key,
                                  .offset = s->place.offset,
                                  .length = s->place.length,
                                  .most = most };
    s->fetch = fetch;
    return NC_NOERR;
}

/* What is begun ahead goes to the window's fetches; files are read one by one, to the same memory. */
static int begin_slot(struct pcdf_virtual *v, struct slot *s, struct window *window)
{
    struct pcdf_store *store;
    PCDF_TRY(pcdf_virtual_store(v, s->place.store, &store));
    s->is_late = !pcdf_store_is_far(store);
    return s->is_late ? NC_NOERR : prepare(v, s, &window->fetches[window->nfetches]);
}

/* Is it to be read by rawread.c? */
static bool is_raw(const struct pcdf_virtual *v, const struct slot *s)
{
    return s->place.store >= 0 && !pcdf_views_come_whole(&v->views, s->run->var);
}

static int find_place(struct pcdf_virtual *v, struct slot *s)
{
    const struct pcdf_varview *w = &v->views.vars[s->run->var];
    PCDF_TRY(pcdf_chunkmap_find(&w->v->map, &v->cursor, w->v->ndims, w->grid, s->run->chunk, &s->place));
    return s->place.slot < 0 ? NC_NOERR : pcdf_shard_find(v, s->run, &s->place);
}

/* The run becomes a slot, and its fetch is described. BUSY in its `lent`: it does not; it is put off. */
static int fill_slot(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct pcdf_run *run,
                     struct window *window)
{
    struct slot *s = &window->slots[window->n];
    *s = (struct slot){ .run = run->x, .n = run->n };
    s->is_cached = pcdf_chunkcache_has(&v->cache, (int)run->x->var, run->x->chunk);
    if (s->is_cached)
        return NC_NOERR;
    s->lent = ask(v, needs, s, run->is_last_try);
    if (s->lent.state == PCDF_NODECHUNK_READY || s->lent.state == PCDF_NODECHUNK_BUSY)
        return NC_NOERR;
    PCDF_TRY(find_place(v, s));
    window->ends_raw = is_raw(v, s);
    if (window->ends_raw || s->place.store < 0)
        return NC_NOERR;
    PCDF_TRY(begin_slot(v, s, window));
    window->is_near |= s->is_late && s->lent.state == PCDF_NODECHUNK_MINE;
    return NC_NOERR;
}

/* The next runs; their fetches are begun. None: the first of them is raw, or there is none, or what is under
 * way has to be finished first. */
static int fill_window(struct pcdf_virtual *v, struct pcdf_readorder *order, const struct window *before,
                       struct window *window)
{
    struct pcdf_run run;
    int64_t bytes = 0;
    int status = NC_NOERR;
    window->n = window->nfetches = 0;
    window->is_near = window->ends_raw = false;
    if (before->n > 0 && (v->nopen >= MOST_OPEN || before->is_near))
        return NC_NOERR;
    if (v->nopen >= MOST_OPEN) {
        PCDF_TRY(pcdf_chunk_end_raw(v, NC_NOERR));
        pcdf_virtual_close_stores(v);
    }
    size_t left = pcdf_readorder_ahead(order, &run);
    pcdf_shards_fetch(v, run.x, left < WINDOW ? left : WINDOW, left < AHEAD ? left : AHEAD);
    while (!status && window->n < WINDOW && bytes < WINDOW_BYTES && !window->is_near &&
           pcdf_readorder_next(order, &run)) {
        struct slot *s = &window->slots[window->n];
        if (run.is_last_try && (window->n > 0 || before->n > 0)) /* see pcdf_nodecache_await */
            break;
        status = fill_slot(v, order->needs, &run, window);
        if (status || window->ends_raw) {
            pcdf_nodecache_drop(v->node, &s->lent);
            status = status ? pcdf_chunk_failed(v, run.x, status) : NC_NOERR;
            break;
        }
        if (s->lent.state == PCDF_NODECHUNK_BUSY) {
            status = pcdf_readorder_put_off(order, &run);
            continue;
        }
        bytes +=
            !s->is_cached && s->place.length > 0 ? s->place.length : v->views.vars[run.x->var].chunk_bytes;
        window->nfetches += s->fetch != NULL;
        window->n++;
        pcdf_readorder_take(order, &run);
    }
    pcdf_fetch_start(window->fetches, (size_t)window->nfetches);
    return status;
}

static int finish_fetch(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct slot *s)
{
    struct pcdf_fetch *f = s->fetch;
    (void)pcdf_fetch_finish(f, 1);
    s->fetch = NULL;
    int err = f->err;
    if (err == NC_ENOENT && v->views.vars[s->run->var].v->map.kind == PCDF_MAP_KEYS) {
        pcdf_scatter_fill_chunk(needs, s->run, s->n);
        err = NC_NOERR;
    } else if (!err && s->place.length >= 0 && f->got < s->place.length) {
        err = PCDF_FAIL(NC_EREAD, "%s ends before byte %lld", pcdf_store_name(f->store),
                        (long long)(s->place.offset + s->place.length));
    } else if (!err && f->got > f->most) {
        err = PCDF_FAIL(NC_EREAD, "it is stored in more than %lld bytes", (long long)f->most);
    } else if (!err) {
        err = decode(v, needs, s, f->to, f->got);
    }
    if (f->to != v->stored.bytes)
        pcdf_free(f->to);
    return err;
}

static int read_now(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct slot *s)
{
    struct pcdf_fetch f;
    PCDF_TRY(prepare(v, s, &f));
    int64_t room = f.length >= 0 ? f.length : f.most;
    if (room <= LARGEST_ROOM) {
        f.to = pcdf_room_of(&v->stored, (size_t)room + 1); /* one more: is it longer than it may be? */
        if (!f.to)
            return PCDF_FAIL(NC_ENOMEM, "no memory for a chunk of %lld bytes", (long long)room);
        f.length = f.length >= 0 ? f.length : room + 1;
    }
    pcdf_fetch_start(&f, 1);
    return finish_fetch(v, needs, s);
}

static int finish_slot(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct slot *s)
{
    if (s->fetch)
        return finish_fetch(v, needs, s);
    const unsigned char *chunk = s->lent.state == PCDF_NODECHUNK_READY ? s->lent.bytes : s->place.bytes;
    if (s->is_cached) {
        chunk = pcdf_chunkcache_find(&v->cache, (int)s->run->var, s->run->chunk);
        if (!chunk) /* it had to leave the cache */
            PCDF_TRY(find_place(v, s));
        s->is_late = !chunk && s->place.store >= 0;
    }
    if (s->is_late)
        return read_now(v, needs, s);
    if (chunk)
        scatter(needs, s->run, s->n, chunk);
    else
        pcdf_scatter_fill_chunk(needs, s->run, s->n);
    return NC_NOERR;
}

/* Each fetch is finished and each chunk of the node let go, whatever went wrong. */
static int finish_window(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct window *window,
                         int status)
{
    for (int i = 0; i < window->n; i++) {
        struct slot *s = &window->slots[i];
        if (status && s->fetch) {
            pcdf_fetch_cancel(s->fetch, 1);
        } else if (!status && (status = finish_slot(v, needs, s))) {
            status = pcdf_chunk_failed(v, s->run, status);
        }
        pcdf_nodecache_drop(v->node, &s->lent);
    }
    window->n = 0;
    return status;
}

static int read_raw(struct pcdf_virtual *v, const struct pcdf_needs *needs, struct pcdf_readorder *order,
                    const struct slot *s)
{
    struct pcdf_run run;
    (void)pcdf_readorder_next(order, &run);
    pcdf_readorder_take(order, &run);
    return pcdf_chunk_read_raw(v, needs, s->run, s->n, &s->place);
}

/* The variable, and between which chunks of it all are. Of several variables nothing is said. */
static void tell_others(const struct pcdf_virtual *v, const struct pcdf_needs *needs)
{
    int64_t low[PCDF_MOST_DIMS], high[PCDF_MOST_DIMS], index[PCDF_MOST_DIMS];
    const struct pcdf_need *x = needs->list.x, *last = x + needs->list.n - 1;
    const struct pcdf_varview *w = &v->views.vars[x->var];
    if (!v->node)
        return;
    pcdf_grid_index(w->ndims, w->grid, x->chunk, low);
    pcdf_grid_index(w->ndims, w->grid, x->chunk, high);
    for (; x <= last && x->var == last->var; x++) {
        pcdf_grid_index(w->ndims, w->grid, x->chunk, index);
        for (int i = 0; i < w->ndims; i++) {
            low[i] = pcdf_smaller(low[i], index[i]);
            high[i] = pcdf_larger(high[i], index[i]);
        }
    }
    pcdf_nodecache_tell(v->node, x > last ? w->id : -1, w->ndims, low, high);
}

static void begin_order(const struct pcdf_virtual *v, const struct pcdf_needs *needs,
                        struct pcdf_readorder *order)
{
    enum { BATCHES = 4 }; /* that have room in the cache: some ranks are ahead of others */
    if (v->node) {
        const struct pcdf_nodecache_plan *plan = pcdf_nodecache_plan_of(v->node);
        pcdf_readorder_begin(order, needs, pcdf_nodecache_user(v->node), plan->users, plan->most / BATCHES);
    } else {
        pcdf_readorder_begin(order, needs, 0, 1, 0);
    }
}

int pcdf_chunks_read(void *context, const struct pcdf_needs *needs)
{
    struct pcdf_virtual *v = context;
    struct pcdf_readorder order;
    struct pcdf_run run;
    struct window windows[2];
    int status = NC_NOERR;
    windows[0].n = windows[1].n = 0;
    tell_others(v, needs);
    begin_order(v, needs, &order);
    for (int turn = 0; !status && (pcdf_readorder_next(&order, &run) || windows[turn].n > 0); turn = !turn) {
        struct window *now = &windows[turn], *next = &windows[!turn];
        status = fill_window(v, &order, now, next);
        bool is_raw_next = !status && now->n == 0 && next->n == 0 && next->ends_raw;
        status = finish_window(v, needs, now, status);
        if (is_raw_next)
            status = read_raw(v, needs, &order, &next->slots[0]);
    }
    for (int i = 0; i < 2; i++)
        (void)finish_window(v, needs, &windows[i], status);
    if (v->node)
        pcdf_nodecache_tell(v->node, -1, -1, NULL, NULL);
    pcdf_readorder_free(&order);
    return pcdf_chunk_end_raw(v, status);
}
