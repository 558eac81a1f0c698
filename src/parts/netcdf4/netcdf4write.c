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

/* What got a place goes to this rank's entries. */
static int note_entries(struct netcdf4 *n)
{
    struct pcdf_stored_chunk *x;
    size_t count;
    PCDF_TRY(pcdf_chunks_take(n->chunks, &x, &count));
    int err = PCDF_RESERVE(&n->entries, n->entries.n + count);
    if (!err && count > 0) {
        memcpy(n->entries.x + n->entries.n, x, count * sizeof *x);
        n->entries.n += count;
    }
    pcdf_free(x);
    return err;
}

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
    int64_t all[N] = { bytes = status ? 0 : bytes, (int64_t)(n->entries.n - n->ncounted) };
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
    pcdf_first(&status, note_entries(n));
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

enum { ROUND_BYTES = 64 << 20, LEAST_ENTRIES = 64 };

struct rounds { /* a block of entries from each rank */
    const struct pcdf_stored_chunk *left;
    int64_t n, each;
    struct block {
        int64_t n;
        struct pcdf_stored_chunk x[];
    } * mine, *all; /* all: rank 0 */
    size_t block_bytes;
};

/* left is NULL where there are none. */
static struct rounds entries_from(const struct netcdf4 *n, size_t first)
{
    const bool has = n->entries.n > first;
    return (struct rounds){ .left = has ? n->entries.x + first : NULL, .n = (int64_t)(n->entries.n - first) };
}

static struct block *block_of(const struct rounds *r, int rank)
{
    return (struct block *)((char *)r->all + (size_t)rank * r->block_bytes);
}

/* *most: entries of a rank. */
static int begin_rounds_all(struct pcdf_dataset *ds, struct rounds *r, bool all_have_all, int64_t *most)
{
    *most = r->n;
    PCDF_TRY(pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, most, 1));
    int64_t fit = ROUND_BYTES / ds->ranks.size / (int64_t)sizeof *r->left;
    r->each = pcdf_smaller(*most, pcdf_larger(fit, LEAST_ENTRIES));
    r->block_bytes = sizeof(struct block) + (size_t)r->each * sizeof *r->left;
    if (*most == 0) /* the same on all ranks */
        return NC_NOERR;
    bool has_all = all_have_all || ds->ranks.rank == 0;
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

static int gather_all(struct pcdf_dataset *ds, struct rounds *r)
{
    r->mine->n = pcdf_smaller(r->n, r->each);
    if (r->mine->n > 0) {
        memcpy(r->mine->x, r->left, (size_t)r->mine->n * sizeof *r->left);
        r->left += r->mine->n;
    }
    r->n -= r->mine->n;
    return pcdf_ranks_gather_all(&ds->ranks, r->mine, (int64_t)r->block_bytes, r->all);
}

static void forget_entries(struct netcdf4 *n)
{
    if (n->ncounted == n->entries.n && n->nlearned == n->entries.n)
        n->entries.n = n->ncounted = n->nlearned = 0;
}

int pcdf_netcdf4_learn_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    struct rounds r = entries_from(n, n->nlearned);
    int64_t most = 0;
    int status = begin_rounds_all(ds, &r, true, &most); /* fails on all ranks or on none */
    for (int64_t at = 0; PCDF_SAME_IN(ds, !status && at < most); at += r.each) {
        int err = status;
        if (!err) /* the same on all ranks, as what MPI returns */
            err = gather_all(ds, &r);
        if (!err)
            err = pcdf_ranks_bcast_all(&ds->ranks, r.all, (int64_t)r.block_bytes * ds->ranks.size);
        for (int rank = 0; !err && rank < ds->ranks.size; rank++)
            if (rank != ds->ranks.rank)
                err = pcdf_chunks_learn(n->chunks, block_of(&r, rank)->x, (size_t)block_of(&r, rank)->n);
        status = pcdf_ranks_agree_all(&ds->ranks, err, "learn where chunks lie");
    }
    end_rounds(&r);
    if (!status)
        n->nlearned = n->entries.n;
    forget_entries(n);
    return status;
}

/* ---- into the definitions on the file */

typedef int root_take(struct netcdf4 *n, const struct pcdf_stored_chunk *x, size_t count);

/* Rank 0 hands on what comes; a failure of it waits until all have come. */
static int enter_all(struct pcdf_dataset *ds, struct netcdf4 *n, int status, root_take *take)
{
    struct rounds r = entries_from(n, n->ncounted);
    int64_t most = 0;
    int err = begin_rounds_all(ds, &r, false, &most); /* fails on all ranks or on none */
    for (int64_t at = 0; PCDF_SAME_IN(ds, !err && at < most); at += r.each) {
        err = gather_all(ds, &r);
        for (int rank = 0; !err && !status && ds->ranks.rank == 0 && rank < ds->ranks.size; rank++)
            status = take(n, block_of(&r, rank)->x, (size_t)block_of(&r, rank)->n);
    }
    end_rounds(&r);
    pcdf_first(&status, err);
    return status;
}

static int root_hold(struct netcdf4 *n, const struct pcdf_stored_chunk *x, size_t count)
{
    PCDF_TRY(PCDF_RESERVE(&n->older, n->older.n + count));
    if (count > 0)
        memcpy(n->older.x + n->older.n, x, count * sizeof *x);
    n->older.n += count;
    return NC_NOERR;
}

int pcdf_netcdf4_hold_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    int status = enter_all(ds, n, NC_NOERR, root_hold);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "tell rank 0 where chunks lie");
    if (status) /* on all ranks */
        return status;
    n->ncounted = n->entries.n;
    forget_entries(n);
    return NC_NOERR;
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

/* libhdf5's process hears of the definitions and of all chunks since the last time. */
static int hand_over_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    bool is_root = ds->ranks.rank == 0;
    int status = pcdf_stored_decide(&n->stored, &ds->meta); /* nothing was put to them */
    if (!status && is_root && (n->is_redefined || ds->header_dirty))
        status = pcdf_netcdf4_root_define(ds, n);
    if (!status && is_root)
        status = pcdf_netcdf4_root_enter(n, n->older.x, n->older.n);
    return enter_all(ds, n, status, pcdf_netcdf4_root_enter);
}

/* It has them, so they are for ever. */
static void handed_over(struct netcdf4 *n, int64_t end)
{
    n->eof = end;
    n->ncounted = n->entries.n;
    n->older.n = 0;
    n->nwaiting = 0;
    forget_entries(n);
    pcdf_stored_settle(&n->stored);
    n->nopen = 0;
}

/* Entering them takes longer than gathering them; the process does it while the program goes on. */
int pcdf_netcdf4_feed_all(struct pcdf_dataset *ds, struct netcdf4 *n, enum pcdf_kind kind)
{
    enum { MANY = 1 << 15 };
    struct told told = { 0 };
    struct pcdf_vote vote = { .kind = kind }; /* others may call something else */
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
    if (told.err) /* the same on all ranks */
        return status;
    handed_over(n, told.end);
    n->has_metadata = true;
    n->is_dirty = n->is_redefined = false;
    ds->header_dirty = false;
    return status;
}
