/* See sieve.h. */

#include "sieve.h"
#include <assert.h>
#include <string.h>
#include "alloc.h"
#include "solewriter.h"
#include "status.h"
#include "tracestorage.h"
#include "writequeue.h"

enum {
    /* A block spans so much at most: a window is one block. */
    ROOM = (1 << 20) + PCDF_WINDOW_SLACK,
    COPIES = 16 /* bytes copied while storage moves one */
};

/* ---- where the runs come from: a window's map, or a list */

struct runs {
    const struct pcdf_piece *pieces; /* NULL: of a map */
    size_t n;
    const struct pcdf_bytemap *map;
    char *window; /* holds runs as the file does, or NULL */
    int64_t offset;
};

/* The run at *at, which goes on to the next. False: there is none. */
static bool next_run(const struct runs *runs, int64_t *at, struct pcdf_piece *run)
{
    struct pcdf_short_piece found;
    if (runs->pieces) {
        if (*at == (int64_t)runs->n)
            return false;
        *run = runs->pieces[(*at)++];
        return true;
    }
    if (!pcdf_bytemap_run(runs->map, (uint32_t)*at, 0, &found))
        return false;
    *run = (struct pcdf_piece){ runs->offset + found.offset, found.length, runs->window + found.offset };
    *at = found.offset + found.length;
    return true;
}

/* ---- the rule */

struct block { /* neighbouring runs */
    struct pcdf_piece first;
    int64_t at, next; /* where its runs begin, and those behind it */
    int64_t n, end, bytes;
    struct pcdf_span read; /* bytes that are read before a put */
    /* What its runs save, but for the call that reads. */
    int64_t saved;
};

/* Is the byte in the file? What lies before this process's own last byte is; else it is asked once a call,
 * since that is a message to each server of the file where there are some. */
static bool is_in_file(struct pcdf_sieve *v, int64_t offset)
{
    if (offset < pcdf_storage_reach(v->storage))
        return true;
    if (v->size < 0 && pcdf_storage_size(v->storage, &v->size))
        v->size = INT64_MAX; /* not known: gaps are read */
    return offset < v->size;
}

/* Adds the next run, and what that saves. False: it is too far away. */
static bool join(struct pcdf_sieve *v, enum pcdf_dir dir, bool in_place, struct block *b,
                 const struct pcdf_piece *run)
{
    int64_t gap = run->offset - b->end, end = run->offset + run->length;
    assert(gap >= 0);
    if (end - b->first.offset > ROOM || (gap > v->rule.call && !(v->rule.always && dir == PCDF_PUT)))
        return false;
    if (v->rule.within > 0 && dir == PCDF_GET &&
        (end - 1) / v->rule.within != b->first.offset / v->rule.within)
        return false;
    int64_t copied = in_place ? 0 : run->length + (b->n == 1 ? b->bytes : 0), cost = gap + copied / COPIES;
    if (dir == PCDF_PUT && is_in_file(v, b->end)) {
        if (b->read.end == 0)
            b->read = (struct pcdf_span){ b->end, b->end };
        cost += run->offset - b->read.end;
        b->read.end = run->offset;
    }
    b->saved += v->rule.call - cost;
    b->end = end;
    b->bytes += run->length;
    b->n++;
    return true;
}

/* The block that begins with the run at `at`, as long as saves most; runs in which it would lose something
 * are bridged where a block behind them, which would need a read of its own, is worth it. Where there is
 * none that saves anything, n is 1 and `next` is where one may begin again. False: there are no runs. */
static bool find_block(struct pcdf_sieve *v, enum pcdf_dir dir, const struct runs *runs, int64_t at,
                       struct block *b)
{
    bool always = v->rule.always && dir == PCDF_PUT;
    struct pcdf_piece run;
    struct block now = { .at = at, .n = 1 };
    if (!next_run(runs, &at, &now.first))
        return false;
    now.next = at;
    now.bytes = now.first.length;
    now.end = now.first.offset + now.first.length;
    *b = now;
    if (dir == PCDF_PUT && (!v->rule.puts || v->reads_fail))
        return true;
    while (next_run(runs, &at, &run) && join(v, dir, runs->window, &now, &run)) {
        int64_t again = now.read.end == run.offset ? v->rule.call : 0;
        if (!always && (now.saved < 0 || now.saved < b->saved - again))
            break;
        now.next = at;
        if (always || now.saved >= b->saved)
            *b = now;
    }
    if (!always && b->saved <= (b->read.end > 0 ? v->rule.call : -1)) {
        b->n = 1;
        b->next = now.next;
    }
    return true;
}

/* ---- moving a block */

static bool has_buffer(struct pcdf_sieve *v)
{
    if (!v->buffer)
        v->buffer = pcdf_malloc(ROOM);
    return v->buffer;
}

static int move_piece(struct pcdf_sieve *v, enum pcdf_dir dir, const struct pcdf_piece *piece)
{
    const struct pcdf_extents x = {
        .dir = dir, .may_queue = true, .call_end = v->call_end, .n = 1, .pieces = piece
    };
    return pcdf_storage_move(v->storage, &x, NULL);
}

/* Runs from b->at on, which wait in a queue as one write. */
static int put_as_one(struct pcdf_sieve *v, const struct runs *runs, const struct block *b)
{
    enum { MOST = 256 };
    struct pcdf_piece some[MOST];
    struct pcdf_extents x = { .dir = PCDF_PUT, .may_queue = true, .pieces = some };
    for (int64_t at = b->at; at != b->next && next_run(runs, &at, &some[x.n]);)
        if (++x.n == MOST) {
            PCDF_TRY(pcdf_storage_move(v->storage, &x, NULL));
            x.n = 0;
        }
    return x.n > 0 ? pcdf_storage_move(v->storage, &x, NULL) : NC_NOERR;
}

static int move_one_by_one(struct pcdf_sieve *v, enum pcdf_dir dir, const struct runs *runs,
                           const struct block *b)
{
    struct pcdf_piece run;
    for (int64_t at = b->at; at != b->next && next_run(runs, &at, &run);)
        PCDF_TRY(move_piece(v, dir, &run));
    return NC_NOERR;
}

/* The gaps of a put into the window, from the buffer or as zeros: or, where that is less to copy or there is
 * no window, the runs into the buffer. Returns the block's bytes. */
static char *fill(struct pcdf_sieve *v, const struct runs *runs, const struct block *b)
{
    const int64_t begin = b->first.offset;
    bool gaps_are_less = b->end - begin - b->bytes <= b->bytes;
    char *to = runs->window && (gaps_are_less || !has_buffer(v)) ? b->first.data : v->buffer;
    int64_t at = b->at, before = begin;
    struct pcdf_piece run;
    while (at != b->next && next_run(runs, &at, &run)) {
        int64_t gap = run.offset - before;
        if (gap > 0 && (before < b->read.begin || run.offset > b->read.end))
            memset(to + (before - begin), 0, (size_t)gap);
        else if (gap > 0 && to != v->buffer)
            memcpy(to + (before - begin), v->buffer + (before - begin), (size_t)gap);
        if (to == v->buffer)
            memcpy(to + (run.offset - begin), run.data, (size_t)run.length);
        before = run.offset + run.length;
    }
    return to;
}

/* With what the file holds in the gaps, as it is written back. */
static int put_whole(struct pcdf_sieve *v, const struct runs *runs, const struct block *b)
{
    const int64_t begin = b->first.offset, read = b->read.end - b->read.begin;
    int err = NC_NOERR;
    if ((read > 0 || !runs->window) && !has_buffer(v))
        return move_one_by_one(v, PCDF_PUT, runs, b);
    if (read > 0)
        err = pcdf_storage_move_at(v->storage, PCDF_GET, v->buffer + (b->read.begin - begin), read,
                                   b->read.begin, NULL);
    v->reads_fail |= err != NC_NOERR;
    if (err) /* the runs may be written all the same */
        return move_one_by_one(v, PCDF_PUT, runs, b);
    char *bytes = fill(v, runs, b);
    v->storage->counts->sieved_puts++;
    v->moved += read;
    return move_piece(v, PCDF_PUT, &(struct pcdf_piece){ begin, b->end - begin, bytes });
}

/* Where another process may write the same file, nobody does so from here on to the end; what one wrote
 * before is read, also behind the end that the file had when this call asked. */
static int put_block(struct pcdf_sieve *v, const struct runs *runs, const struct block *b)
{
    struct block whole = *b;
    if (!v->rule.asks)
        return put_whole(v, runs, b);
    if (!pcdf_solewriter_begin(v->rule.fd))
        return move_one_by_one(v, PCDF_PUT, runs, b);
    whole.read = (struct pcdf_span){ b->first.offset + b->first.length, b->end };
    int err = put_whole(v, runs, &whole);
    pcdf_solewriter_end(v->rule.fd);
    return err;
}

static int get_block(struct pcdf_sieve *v, const struct runs *runs, const struct block *b)
{
    const int64_t begin = b->first.offset;
    struct pcdf_piece run;
    if (!runs->window && !has_buffer(v))
        return move_one_by_one(v, PCDF_GET, runs, b);
    char *to = runs->window ? b->first.data : v->buffer;
    PCDF_TRY(move_piece(v, PCDF_GET, &(struct pcdf_piece){ begin, b->end - begin, to }));
    for (int64_t at = b->at; !runs->window && at != b->next && next_run(runs, &at, &run);)
        memcpy(run.data, v->buffer + (run.offset - begin), (size_t)run.length);
    return NC_NOERR;
}

static int move_block(struct pcdf_sieve *v, enum pcdf_dir dir, const struct runs *runs, const struct block *b)
{
    if (b->n == 1)
        return move_one_by_one(v, dir, runs, b);
    v->runs += b->n;
    v->asked += b->bytes;
    v->moved += b->end - b->first.offset;
    return dir == PCDF_PUT ? put_block(v, runs, b) : get_block(v, runs, b);
}

static int move_runs(struct pcdf_sieve *v, enum pcdf_dir dir, const struct runs *runs)
{
    const bool gathers = dir == PCDF_PUT && pcdf_writequeue_is_on(v->storage);
    struct block b, gathered = { .n = 0 };
    int status = NC_NOERR;
    for (int64_t at = 0; !status && find_block(v, dir, runs, at, &b); at = b.next) {
        if (gathers && b.n == 1) {
            gathered.at = gathered.n++ ? gathered.at : b.at;
            gathered.next = b.next;
            continue;
        }
        if (gathered.n > 0)
            status = put_as_one(v, runs, &gathered);
        gathered.n = 0;
        if (!status)
            status = move_block(v, dir, runs, &b);
    }
    return gathered.n > 0 && !status ? put_as_one(v, runs, &gathered) : status;
}

/* ---- from outside */

struct pcdf_sieve pcdf_sieve_begin(struct pcdf_storage *s, const struct pcdf_sieve_rule *rule)
{
    return (struct pcdf_sieve){ .storage = s, .rule = *rule, .size = -1 };
}

int pcdf_sieve_window(struct pcdf_sieve *v, enum pcdf_dir dir, const struct pcdf_bytemap *map, char *window,
                      int64_t offset)
{
    const struct runs runs = { .map = map, .window = window, .offset = offset };
    return move_runs(v, dir, &runs);
}

int pcdf_sieve_pieces(struct pcdf_sieve *v, enum pcdf_dir dir, const struct pcdf_piece *pieces, size_t n)
{
    const struct runs runs = { .pieces = pieces, .n = n };
    return move_runs(v, dir, &runs);
}

void pcdf_sieve_end(struct pcdf_sieve *v)
{
    if (v->runs > 0)
        pcdf_tracestorage_tell(v->storage, pcdf_tracefile_clock(),
                               &(struct pcdf_trace_line){ "sieve", v->runs, v->asked, v->moved, NC_NOERR });
    pcdf_free(v->buffer);
    v->buffer = NULL;
}
