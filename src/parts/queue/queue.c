/* See queue.h. */
#include "queue.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dataset.h"
#include "fileplace.h"
#include "hash.h"
#include "numbers.h"
#include "records.h"
#include "sharedfile.h"
#include "vote.h"
#include "writequeue.h"

enum { MOST = 64 }; /* puts tracked; further ones join the last */

/* A collective put that some rank may not have written yet. */
struct outstanding {
    int64_t number; /* the put's number */
    int64_t write;  /* the last write that may belong to it */
    struct pcdf_span span;
    int64_t numrecs; /* count when it is written; 0: unchanged */
};

/* The same on all ranks, but for the writes of this rank. */
struct queue {
    struct outstanding put[MOST];
    int n;
    int64_t last; /* number of the last put */
};

/* Some rank has a queue: some may have had no memory for one, and some storages have none. */
static bool has_queues(const struct pcdf_dataset *ds)
{
    return ds->io && ds->io->queues;
}

/* ---- create and open */

/* parcdf_wait asks for the path by which rank 0 knows the file. */
static void hints_read(struct pcdf_dataset *ds, void *own)
{
    (void)own;
    if (ds->ranks.rank == 0 && ds->hints.async > 0)
        ds->called = (struct pcdf_called){ pcdf_hash_text(ds->path), pcdf_fileplace_hash(ds->path),
                                           pcdf_fileplace_hash(".") };
}

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)own, (void)decision;
    return ds->hints.async > 0 && !ds->readonly;
}

static void configure(struct pcdf_dataset *ds, void *own, struct pcdf_sharedfile_config *config)
{
    (void)own;
    config->async = ds->hints.async;
    config->async_rate = ds->hints.async_rate;
}

/* ---- puts that wait */

/* All ranks may wait for what lies in the queues of others between these bytes. */
static int before_move_all(struct pcdf_dataset *ds, void *own, const struct pcdf_span *span)
{
    const struct queue *q = own;
    bool meets = false;
    for (int i = 0; i < q->n && !meets; i++)
        meets = span->begin < q->put[i].span.end && q->put[i].span.begin < span->end;
    if (PCDF_SAME_IN(ds, ds->ranks.size == 1 || !meets))
        return NC_NOERR;
    struct pcdf_vote vote = { .kind = PCDF_KIND_BARRIER };
    int err = pcdf_vote_all(ds, &vote);
    return err || !ds->agreed_io_error
               ? err
               : PCDF_FAIL(ds->agreed_io_error, "an earlier write to the file failed on some rank");
}

static void moved(struct pcdf_dataset *ds, void *own, const struct pcdf_span *span)
{
    struct queue *q = own;
    if (!has_queues(ds))
        return;
    const struct outstanding put = { .number = ++q->last,
                                     .write =
                                         ds->io_error ? INT64_MAX : pcdf_writequeue_accepted(ds->io->storage),
                                     .span = *span };
    if (q->n < MOST) {
        q->put[q->n++] = put;
        return;
    }
    struct outstanding *last = &q->put[q->n - 1]; /* both are one from now on */
    last->number = put.number;
    last->write = put.write;
    last->span.begin = pcdf_smaller(last->span.begin, span->begin);
    last->span.end = pcdf_larger(last->span.end, span->end);
}

/* A get finds what was put, but where that waited and failed, it is not there. Nobody said so before. */
static int after_get(struct pcdf_dataset *ds, void *own)
{
    (void)own;
    if (!has_queues(ds))
        return NC_NOERR;
    pcdf_first(&ds->io_error, pcdf_writequeue_failure(ds->io->storage));
    return ds->io_error
               ? PCDF_FAIL(ds->io_error, "an earlier write to the file failed: what was put may be missing")
               : NC_NOERR;
}

static int64_t count_later(const struct pcdf_dataset *ds, void *own, int64_t numrecs)
{
    struct queue *q = own;
    int64_t later = 0;
    (void)ds;
    if (q->n > 0)
        q->put[q->n - 1].numrecs = pcdf_larger(q->put[q->n - 1].numrecs, numrecs);
    for (int i = 0; i < q->n; i++)
        later = pcdf_larger(later, q->put[i].numrecs);
    return later;
}

static bool puts_wait(const struct pcdf_dataset *ds, const void *own)
{
    (void)own;
    return has_queues(ds);
}

/* ---- votes */

/* Puts and gets find out by themselves what they must wait for; a sync by a part and a close in the
 * background wait elsewhere, or not at all; what any other call does may rely on all that was put. */
static bool waits_for_queue(enum pcdf_kind kind)
{
    return kind != PCDF_KIND_PUT && kind != PCDF_KIND_GET && kind != PCDF_KIND_WAIT &&
           kind != PCDF_KIND_END_OF_PUT && kind != PCDF_KIND_STEP_OF_PUT && kind != PCDF_KIND_SYNC_BY_PART &&
           kind != PCDF_KIND_CLOSE_LATER && kind != PCDF_KIND_CLOSING;
}

/* Records after a sync of their data, or behind other checks. */
static bool counts_itself(enum pcdf_kind kind)
{
    return kind == PCDF_KIND_SYNC || kind == PCDF_KIND_SYNC_NUMRECS || kind == PCDF_KIND_CLOSE ||
           kind == PCDF_KIND_ABORT || kind == PCDF_KIND_CLOSING;
}

/* The last put up to which this rank has written everything. */
static int64_t last_written(const struct pcdf_dataset *ds, const struct queue *q)
{
    if (q->n == 0)
        return q->last;
    int64_t written = pcdf_writequeue_written(ds->io->storage);
    for (int i = 0; i < q->n; i++)
        if (q->put[i].write > written)
            return q->put[i].number - 1;
    return q->last;
}

/* What became of puts that waited. */
static int64_t vote_begins(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind)
{
    const struct queue *q = own;
    /* There is no queue, or the storage is closed, while the file gets its name. */
    if (!has_queues(ds))
        return q->last;
    pcdf_first(&ds->io_error, waits_for_queue(kind) ? pcdf_writequeue_drain(ds->io->storage)
                                                    : pcdf_writequeue_failure(ds->io->storage));
    return last_written(ds, q);
}

/* All ranks have written everything up to that put: its records count. Where rank 0 cannot write that,
 * io_error says so. */
static void vote_ends(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind, int64_t written)
{
    struct queue *q = own;
    int64_t numrecs = 0;
    int n = 0;
    while (n < q->n && q->put[n].number <= written)
        numrecs = pcdf_larger(numrecs, q->put[n++].numrecs);
    for (int i = n; i < q->n; i++)
        q->put[i - n] = q->put[i];
    q->n -= n;
    if (!counts_itself(kind) && numrecs > ds->numrecs_on_file && !ds->agreed_io_error)
        (void)pcdf_records_write(ds, numrecs, !waits_for_queue(kind));
}

static int drain(struct pcdf_dataset *ds, void *own)
{
    (void)own;
    return ds->io ? pcdf_writequeue_drain(ds->io->storage) : NC_NOERR;
}

/* Twice: what the first vote counts is written before the second. */
static int drain_all(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind)
{
    int status = NC_NOERR;
    (void)own;
    for (int i = 0; i < 2 && has_queues(ds) && !ds->poisoned; i++) { /* the same on all ranks */
        struct pcdf_vote vote = { .kind = kind };
        pcdf_first(&status, pcdf_vote_all(ds, &vote));
        if (vote.io_error)
            pcdf_first(&status, PCDF_FAIL(vote.io_error, "writing the file failed on some rank"));
    }
    return status;
}

/* ---- the part */

/* The memory is of the first file that is open, where there are more. */
static void in_force(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints)
{
    hints->async = own && ds->io ? pcdf_writequeue_bytes(ds->io->storage) : 0;
}

static int facts(const struct pcdf_dataset *ds, const void *own, struct pcdf_proof *facts)
{
    facts[0] = (struct pcdf_proof){ "queues", has_queues(ds) };
    facts[1] = (struct pcdf_proof){ "outstanding puts", ((const struct queue *)own)->n };
    return 2;
}

const struct pcdf_part_ops pcdf_part_queue = {
    .name = "queue",
    .own_size = sizeof(struct queue),
    .hints_read = hints_read,
    .agreed = agreed,
    .configure = configure,
    .before_move_all = before_move_all,
    .moved = moved,
    .after_get = after_get,
    .count_later = count_later,
    .puts_wait = puts_wait,
    .drain = drain,
    .drain_all = drain_all,
    .vote_begins = vote_begins,
    .vote_ends = vote_ends,
    .in_force = in_force,
    .facts = facts,
};
