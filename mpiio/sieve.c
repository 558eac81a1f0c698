/* See sieve.h. */

#include "sieve.h"
#include <assert.h>
#include <string.h>
#include "alloc.h"
#include "status.h"
#include "tracestorage.h"

enum {
    ROOM = (1 << 20) + PCDF_WINDOW_SLACK, /* a block spans so much at most: a window is one */
    COPIES = 16 /* so many bytes are copied in the time in which a storage moves one */
};

/* ---- where the runs come from: a window's map, or a list */

struct runs {
    const struct pcdf_piece *pieces; /* NULL: of a map */
    size_t n;
    const struct pcdf_bytemap *map;
    char *window; /* in it runs stand as they do in the file; NULL: not so */
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
    int64_t at, last, next; /* where its runs begin, the last one, and those behind it */
    int64_t n, end, bytes;
    struct pcdf_span read; /* of the file, before a put */
    int64_t saved;
};

static int64_t file_size(struct pcdf_sieve *v)
{
    if (v->size < 0 && pcdf_storage_size(v->storage, &v->size))
        v->size = INT64_MAX; /* not known: gaps are read */
    return v->size;
}

/* Adds the next run to the block where that is cheap. */
static bool join(struct pcdf_sieve *v, enum pcdf_dir dir, bool in_place, struct block *b,
                 const struct pcdf_piece *run)
{
    bool always = v->rule.always && dir == PCDF_PUT;
    int64_t gap = run->offset - b->end, end = run->offset + run->length;
    assert(gap >= 0);
    if (end - b->first.offset > ROOM || (gap > v->rule.call && !always))
        return false;
    int64_t copied = in_place ? 0 : run->length + (b->n == 1 ? b->bytes : 0), cost = gap + copied / COPIES;
    struct pcdf_span read = b->read;
    if (dir == PCDF_PUT && b->end < file_size(v)) {
        read.begin = b->read.end ? b->read.begin : b->end;
        read.end = run->offset;
        cost += read.end - (b->read.end ? b->read.end : b->end);
    }
    if (cost > v->rule.call && !always)
        return false;
    b->read = read;
    b->saved += v->rule.call - cost;
    b->end = end;
    b->bytes += run->length;
    b->n++;
    return true;
}

/* The block that begins with the run at `at`. False: there is none. */
static bool find_block(struct pcdf_sieve *v, enum pcdf_dir dir, const struct runs *runs, int64_t at,
                       struct block *b)
{
    struct pcdf_piece run;
    bool sieves = dir == PCDF_GET || (v->rule.puts && !v->reads_fail);
    *b = (struct block){ .at = at, .n = 1 };
    if (!next_run(runs, &at, &b->first))
        return false;
    b->next = at;
    b->bytes = b->first.length;
    b->end = b->first.offset + b->first.length;
    while (sieves && next_run(runs, &at, &run) && join(v, dir, runs->window, b, &run)) {
        b->last = b->next;
        b->next = at;
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

static int move_one_by_one(struct pcdf_sieve *v, enum pcdf_dir dir, const struct runs *runs,
                           const struct block *b)
{
    struct pcdf_piece run;
    for (int64_t at = b->at; at != b->next && next_run(runs, &at, &run);)
        PCDF_TRY(pcdf_storage_move_at(v->storage, dir, run.data, run.length, run.offset, NULL));
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
        if (before < b->read.begin || run.offset > b->read.end)
            memset(to + (before - begin), 0, (size_t)gap);
        else if (to != v->buffer)
            memcpy(to + (before - begin), v->buffer + (before - begin), (size_t)gap);
        if (to == v->buffer)
            memcpy(to + (run.offset - begin), run.data, (size_t)run.length);
        before = run.offset + run.length;
    }
    return to;
}

static int put_block(struct pcdf_sieve *v, const struct runs *runs, const struct block *b)
{
    const int64_t begin = b->first.offset, read = b->read.end - b->read.begin;
    int err = NC_NOERR;
    if ((read > 0 || !runs->window) && !has_buffer(v))
        return move_one_by_one(v, PCDF_PUT, runs, b);
    if (read > 0)
        err = pcdf_storage_move_at(v->storage, PCDF_GET, v->buffer + (b->read.begin - begin), read,
                                   b->read.begin, NULL);
    v->reads_fail |= err != NC_NOERR;
    if (err) /* what was asked for may be written all the same */
        return move_one_by_one(v, PCDF_PUT, runs, b);
    char *bytes = fill(v, runs, b);
    v->storage->counts->sieved_puts++;
    v->moved += read;
    return pcdf_storage_move_at(v->storage, PCDF_PUT, bytes, b->end - begin, begin, NULL);
}

static int get_block(struct pcdf_sieve *v, const struct runs *runs, const struct block *b)
{
    const int64_t begin = b->first.offset;
    struct pcdf_piece run;
    if (!runs->window && !has_buffer(v))
        return move_one_by_one(v, PCDF_GET, runs, b);
    char *to = runs->window ? b->first.data : v->buffer;
    PCDF_TRY(pcdf_storage_move_at(v->storage, PCDF_GET, to, b->end - begin, begin, NULL));
    for (int64_t at = b->at; !runs->window && at != b->next && next_run(runs, &at, &run);)
        memcpy(run.data, v->buffer + (run.offset - begin), (size_t)run.length);
    return NC_NOERR;
}

static int move_runs(struct pcdf_sieve *v, enum pcdf_dir dir, const struct runs *runs)
{
    struct block b;
    int status = NC_NOERR;
    for (int64_t at = 0; !status && find_block(v, dir, runs, at, &b); at = b.next) {
        bool is_worth = b.n > 1 && (v->rule.always || b.saved > (b.read.end > 0 ? v->rule.call : -1));
        v->runs += is_worth ? b.n : 0;
        v->asked += is_worth ? b.bytes : 0;
        v->moved += is_worth ? b.end - b.first.offset : 0;
        if (!is_worth && b.n > 1)
            b.next = b.last; /* which may begin a better block */
        if (!is_worth)
            status = move_one_by_one(v, dir, runs, &b);
        else
            status = dir == PCDF_PUT ? put_block(v, runs, &b) : get_block(v, runs, &b);
        if (dir == PCDF_PUT && v->size >= 0 && v->size < b.end)
            v->size = b.end;
    }
    return status;
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
