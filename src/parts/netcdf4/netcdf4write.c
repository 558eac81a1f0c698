/* See netcdf4file.h: what chunks need beside their owner. */
#include "netcdf4file.h"
#include <string.h>
#include "alloc.h"
#include "dataset.h"
#include "numbers.h"
#include "status.h"
#include "vote.h"
#include "writequeue.h"

/* ---- places */

static int place(struct netcdf4 *n, int64_t base, bool later)
{
    return later ? pcdf_chunks_place_later(n->chunks, base) : pcdf_chunks_place(n->chunks, base);
}

/* Each rank has what it writes behind what lower ranks have. later: its writing thread writes it. */
static int place_all(struct pcdf_dataset *ds, struct netcdf4 *n, bool later)
{
    enum { BYTES, ENTRIES, N };
    int64_t bytes = 0, before = 0;
    int status = pcdf_chunks_seal(n->chunks, &bytes);
    int64_t all[N] = { bytes = status ? 0 : bytes,
                       (int64_t)pcdf_chunks_count_news(n->chunks, PCDF_NEWS_FOR_METADATA) };
    int err = pcdf_ranks_sum_before_all(&ds->ranks, bytes, &before);
    if (!err) /* the same on all ranks */
        err = pcdf_ranks_reduce_all(&ds->ranks, MPI_SUM, all, N);
    if (!err && all[BYTES] > INT64_MAX - n->eof) /* the same on all ranks */
        err = PCDF_FAIL(NC_EVARSIZE, "%s: the file does not end within 63 bits", ds->path);
    pcdf_first(&status, err);
    if (!status && bytes > 0)
        status = place(n, n->eof + before, later);
    if (!err) {
        n->eof += all[BYTES];
        n->nwaiting = all[ENTRIES];
    }
    n->is_dirty = true;
    pcdf_first(&ds->io_error, status);
    return status;
}

int pcdf_netcdf4_place_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    bool has_queue = pcdf_writequeue_is_on(ds->io->storage);
    int status = pcdf_netcdf4_limit_queue(ds, n);
    pcdf_first(&ds->io_error, status);
    pcdf_first(&status, place_all(ds, n, has_queue));
    return status;
}

int pcdf_netcdf4_write_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    int status = pcdf_netcdf4_patches_put_all(ds, n);
    if (ds->poisoned) /* on all ranks */
        return status;
    pcdf_first(&status, pcdf_parts_drain(ds)); /* what waits in a queue, too */
    pcdf_first(&status, pcdf_chunks_complete(n->chunks));
    pcdf_first(&ds->io_error, status);
    pcdf_first(&status, place_all(ds, n, false));
    return status;
}

/* ---- entries of all ranks */

enum { ROUND_BYTES = 4 << 20, LEAST_ENTRIES = 16 };

struct rounds { /* a block of news from each rank */
    enum pcdf_chunknews of;
    size_t at; /* how far this rank has told its own */
    int64_t each;
    struct block {
        int64_t n;
        struct pcdf_stored_chunk x[];
    } * mine, *all; /* all: rank 0 */
    size_t block_bytes;
    bool root_tells; /* its own news, to all */
};

static struct block *block_of(const struct rounds *r, int rank)
{
    return (struct block *)((char *)r->all + (size_t)rank * r->block_bytes);
}

static bool tells(const struct pcdf_dataset *ds, const struct rounds *r)
{
    return r->root_tells || ds->ranks.rank > 0;
}

/* *most: entries of a rank. */
static int begin_rounds_all(struct pcdf_dataset *ds, const struct netcdf4 *n, struct rounds *r, int64_t *most)
{
    *most = tells(ds, r) ? (int64_t)pcdf_chunks_count_news(n->chunks, r->of) : 0;
    PCDF_TRY(pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, most, 1));
    int64_t fit = ROUND_BYTES / ds->ranks.size / (int64_t)sizeof *r->mine->x;
    r->each = pcdf_smaller(*most, pcdf_larger(fit, LEAST_ENTRIES));
    r->block_bytes = sizeof(struct block) + (size_t)r->each * sizeof *r->mine->x;
    if (*most == 0) /* the same on all ranks */
        return NC_NOERR;
    bool has_all = r->root_tells || ds->ranks.rank == 0;
    r->mine = pcdf_calloc(1, r->block_bytes);
    r->all = has_all ? pcdf_malloc(r->block_bytes * (size_t)ds->ranks.size) : NULL;
    int err = r->mine && (r->all || !has_all)
                  ? NC_NOERR
                  : PCDF_FAIL(NC_ENOMEM, "no memory to gather where %lld chunks lie", (long long)*most);
    return pcdf_ranks_agree_all(&ds->ranks, err, "gather where chunks lie");
}

static void end_rounds(struct rounds *r)
{
    pcdf_free(r->mine);
    pcdf_free(r->all);
}

static int gather_all(struct pcdf_dataset *ds, const struct netcdf4 *n, struct rounds *r)
{
    r->mine->n = 0;
    if (tells(ds, r))
        r->mine->n = (int64_t)pcdf_chunks_news(n->chunks, r->of, &r->at, r->mine->x, (size_t)r->each);
    return pcdf_ranks_gather_all(&ds->ranks, r->mine, (int64_t)r->block_bytes, r->all);
}

int pcdf_netcdf4_learn_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    struct rounds r = { .of = PCDF_NEWS_FOR_RANKS, .root_tells = true };
    int64_t most = 0;
    int status = begin_rounds_all(ds, n, &r, &most); /* fails on all ranks or on none */
    for (int64_t at = 0; PCDF_SAME_IN(ds, !status && at < most); at += r.each) {
        int err = status;
        if (!err) /* the same on all ranks, as what MPI returns */
            err = gather_all(ds, n, &r);
        if (!err)
            err = pcdf_ranks_bcast_all(&ds->ranks, r.all, (int64_t)r.block_bytes * ds->ranks.size);
        for (int rank = 0; !err && rank < ds->ranks.size; rank++)
            if (rank != ds->ranks.rank)
                err = pcdf_chunks_learn(n->chunks, block_of(&r, rank)->x, (size_t)block_of(&r, rank)->n);
        status = pcdf_ranks_agree_all(&ds->ranks, err, "learn where chunks lie");
    }
    end_rounds(&r);
    if (!status)
        pcdf_chunks_was_told(n->chunks, PCDF_NEWS_FOR_RANKS);
    return status;
}

/* ---- into the definitions on the file */

typedef int root_take(struct netcdf4 *n, const struct pcdf_stored_chunk *x, size_t count);

/* Rank 0 hands on what comes from the others; a failure of it waits until all have come. */
static int enter_all(struct pcdf_dataset *ds, struct netcdf4 *n, int status, root_take *take)
{
    struct rounds r = { .of = PCDF_NEWS_FOR_METADATA };
    int64_t most = 0;
    int err = begin_rounds_all(ds, n, &r, &most); /* fails on all ranks or on none */
    for (int64_t at = 0; PCDF_SAME_IN(ds, !err && at < most); at += r.each) {
        err = gather_all(ds, n, &r);
        for (int rank = 1; !err && !status && ds->ranks.rank == 0 && rank < ds->ranks.size; rank++)
            status = take(n, block_of(&r, rank)->x, (size_t)block_of(&r, rank)->n);
    }
    end_rounds(&r);
    pcdf_first(&status, err);
    return status;
}

static int root_hold(struct netcdf4 *n, const struct pcdf_stored_chunk *x, size_t count)
{
    pcdf_chunks_renew(n->chunks, PCDF_NEWS_FOR_METADATA, x, count);
    return NC_NOERR;
}

int pcdf_netcdf4_hold_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    int status = enter_all(ds, n, NC_NOERR, root_hold);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "tell rank 0 where chunks lie");
    if (!status && ds->ranks.rank > 0)
        pcdf_chunks_was_told(n->chunks, PCDF_NEWS_FOR_METADATA);
    return status;
}

struct told { /* by rank 0 */
    int64_t err, end;
};

static int tell_all(struct pcdf_dataset *ds, struct told *told, int status)
{
    told->err = status;
    pcdf_first(&status, pcdf_ranks_bcast_all(&ds->ranks, told, sizeof *told));
    if (!status && told->err)
        status = PCDF_FAIL((int)told->err, "rank 0 could not write the definitions of %s", ds->path);
    return status;
}

/* All ranks set the size, since MPI-IO lets no rank do that alone. */
static int apply_all(struct pcdf_dataset *ds, struct netcdf4 *n, const struct pcdf_h5ranges *ranges,
                     struct told *told, bool commits)
{
    int status = pcdf_sharedfile_resize_all(ds->io, told->end);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "set the size of the file");
    if (!status && ds->ranks.rank == 0)
        status = pcdf_netcdf4_root_apply(ds, n, ranges, told->end, commits);
    return tell_all(ds, told, status);
}

static int root_enter_own(struct netcdf4 *n)
{
    enum { BATCH = 1024 };
    struct pcdf_stored_chunk some[BATCH];
    size_t at = 0, count;
    while ((count = pcdf_chunks_news(n->chunks, PCDF_NEWS_FOR_METADATA, &at, some, BATCH)) > 0)
        PCDF_TRY(pcdf_netcdf4_root_enter(n, some, count));
    return NC_NOERR;
}

/* libhdf5's process hears of the definitions and of all chunks since the last time: first of those that rank
 * 0 knows, since what it holds from before a redef may have another owner now. */
static int hand_over_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    bool is_root = ds->ranks.rank == 0;
    int status = pcdf_stored_decide(&n->stored, &ds->meta); /* nothing was put to them */
    if (!status && is_root && (n->is_redefined || ds->header_dirty))
        status = pcdf_netcdf4_root_define(ds, n);
    if (!status && is_root)
        status = root_enter_own(n);
    return enter_all(ds, n, status, pcdf_netcdf4_root_enter);
}

/* It has them, so they are for ever. */
static void handed_over(struct netcdf4 *n, int64_t end)
{
    n->eof = n->fed_end = end;
    n->nwaiting = 0;
    pcdf_chunks_was_told(n->chunks, PCDF_NEWS_FOR_METADATA);
    pcdf_stored_settle(&n->stored);
    n->nopen = n->nunowned = 0;
}

/* Entering them takes longer than gathering them; the process does it while the program goes on. */
int pcdf_netcdf4_feed_all(struct pcdf_dataset *ds, struct netcdf4 *n, enum pcdf_kind kind, int own)
{
    enum { MANY = 1 << 15 };
    struct told told = { 0 };
    struct pcdf_vote vote = { .kind = kind, .error = own }; /* others may call something else */
    if (PCDF_SAME_IN(ds, n->nwaiting < MANY || n->nopen > 0))
        return NC_NOERR;
    int err = pcdf_vote_all(ds, &vote);
    if (err || vote.io_error) /* on all ranks */
        return err;
    int drained = pcdf_parts_drain(ds); /* rank 0 may read below it */
    int status = hand_over_all(ds, n);
    pcdf_first(&status, drained);
    if (ds->ranks.rank == 0 && !status)
        status = pcdf_netcdf4_root_work(ds, n, &told.end);
    status = tell_all(ds, &told, status);
    pcdf_first(&ds->io_error, status);
    n->fed = ds->meta.numrecs;
    n->is_broken |= told.err;
    if (!told.err) /* the same on all ranks */
        handed_over(n, told.end);
    return status;
}

int pcdf_netcdf4_count_all(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t numrecs, bool commits)
{
    struct told told = { 0 };
    struct pcdf_h5ranges ranges = { 0 };
    bool is_root = ds->ranks.rank == 0;
    int status = hand_over_all(ds, n);
    if (is_root && !status)
        status = pcdf_netcdf4_root_flush(ds, n, numrecs, &told.end, &ranges);
    status = tell_all(ds, &told, status);
    if (!told.err) /* the same on all ranks */
        pcdf_first(&status, apply_all(ds, n, &ranges, &told, commits));
    pcdf_h5ranges_free(&ranges);
    n->is_broken |= status;
    if (told.err) /* the same on all ranks */
        return status;
    handed_over(n, told.end);
    n->has_metadata = true;
    n->is_dirty = n->is_redefined = false;
    ds->header_dirty = false;
    return status;
}
