/* See steps.h. */
#include "steps.h"
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "dataset.h"
#include "numbers.h"
#include "putsum.h"
#include "records.h"
#include "vote.h"

enum {
    MOST_SUMS = 1 << 16, /* records that may be incomplete at a time */
    MOST_TOLD = 1024,    /* sums in a message */
    RANGES = 8
};

/* What was put of records that do not count in the file yet. */
struct steps {
    int64_t first;  /* records below are complete: the same on all ranks */
    uint64_t *sums; /* this rank's n sums, from record `first` on */
    size_t n, room;
    /* Where puts of all ranks reached, since all records were complete. */
    struct pcdf_span range[RANGES];
    int nranges;
};

/* ---- sums[i] is of record first + i */

static void drop(struct steps *s, int64_t first)
{
    size_t gone = (size_t)pcdf_smaller(first - s->first, (int64_t)s->n);
    if (gone > 0)
        memmove(s->sums, s->sums + gone, (s->n - gone) * sizeof *s->sums);
    s->n -= gone;
    s->first = first;
}

/* A sync or redef counts all records: they are complete, whatever was put. */
static void begin(const struct pcdf_dataset *ds, struct steps *s)
{
    int64_t counted = pcdf_records_counted(ds);
    if (counted <= s->first)
        return;
    drop(s, counted);
    s->nranges = 0;
}

/* Without memory the sum stays wrong, and the record waits for the sync. */
static void add(struct steps *s, int64_t record, uint64_t sum)
{
    size_t at = (size_t)(record - s->first);
    if (at >= s->n) {
        if (pcdf_array_reserve((void **)&s->sums, &s->room, at + 1, sizeof *s->sums))
            return;
        memset(s->sums + s->n, 0, (at + 1 - s->n) * sizeof *s->sums);
        s->n = at + 1;
    }
    s->sums[at] += sum;
}

static void put_done(struct pcdf_dataset *ds, void *own, const struct pcdf_request *put)
{
    const struct pcdf_var *var = &ds->meta.vars[put->varid];
    struct steps *s = own;
    if (ds->is_streaming || !var->is_record)
        return;
    begin(ds, s);
    for (int i = 0; i < put->num; i++) {
        const struct pcdf_slab slab = pcdf_request_slab(put, var->ndims, i);
        if (pcdf_slab_elements(&slab, var->ndims) == 0)
            continue;
        int64_t n = slab.count ? slab.count[0] : 1;
        int64_t stride = slab.stride && n > 1 ? slab.stride[0] : 1; /* one record's may be anything */
        int64_t last = slab.start[0] + (n - 1) * stride, record = slab.start[0];
        int64_t skipped = record < s->first ? (s->first - record - 1) / stride + 1 : 0;
        if (skipped >= n)
            continue;
        record += skipped * stride;
        uint64_t sum = pcdf_putsum_of_slab(put->varid, &slab, var->ndims);
        for (int64_t left = (last - record) / stride; left >= 0 && record - s->first < MOST_SUMS; left--) {
            add(s, record, sum);
            record += left > 0 ? stride : 0;
        }
    }
}

/* ---- of all ranks */

static void join(struct pcdf_span *to, const struct pcdf_span *from)
{
    to->begin = pcdf_smaller(to->begin, from->begin);
    to->end = pcdf_larger(to->end, from->end);
}

/* Adds a span to the ranges, of which those that touch are one; what pads variables counts as touched. If
 * there are too many, the last one becomes larger than it is, and a record may be asked for in vain. */
static void add_range(struct steps *s, struct pcdf_span span)
{
    enum { PADDING = 3 };
    int n = 0;
    for (int i = 0; i < s->nranges; i++) {
        const struct pcdf_span *r = &s->range[i];
        if (r->begin - PADDING <= span.end && span.begin - PADDING <= r->end)
            join(&span, r);
        else
            s->range[n++] = *r;
    }
    if (n == RANGES)
        join(&s->range[n - 1], &span);
    else
        s->range[n++] = span;
    s->nranges = n;
}

/* All ranks together put something in this span. May a record be complete now? Only if such spans leave
 * nothing out of it; so that a record of many variables, put one after the other, takes one message. */
static bool reach(const struct pcdf_dataset *ds, struct steps *s, const struct pcdf_span *span)
{
    if (ds->is_streaming)
        return false;
    begin(ds, s);
    int64_t from = ds->layout.begin_rec + s->first * ds->layout.recsize, to = from + ds->layout.recsize - 3;
    if (ds->meta.numrecs <= s->first)
        s->nranges = 0; /* nothing is incomplete */
    if (ds->meta.numrecs <= s->first || span->begin >= span->end || span->end <= from)
        return false;
    add_range(s, *span);
    for (int i = 0; i < s->nranges; i++)
        if (s->range[i].begin <= from && s->range[i].end >= to)
            return true;
    return to <= from;
}

/* Readers on other nodes get what the servers have: first the data of all ranks, then the number. */
static int count_synced_all(struct pcdf_dataset *ds, int64_t numrecs)
{
    struct pcdf_vote vote = { .kind = PCDF_KIND_END_OF_PUT };
    pcdf_first(&ds->io_error, pcdf_storage_sync(ds->io->storage, false));
    int status = pcdf_vote_all(ds, &vote);
    if (!status && vote.io_error)
        status = PCDF_FAIL(vote.io_error, "syncing failed on some rank: the record is not counted");
    if (status) /* the same on all ranks */
        return status;
    status = pcdf_records_count(ds, numrecs);
    if (ds->ranks.rank == 0 && !status)
        ds->io_error = status = pcdf_storage_sync(ds->io->storage, false);
    return status;
}

/* The sums of all ranks, of n records. False: a rank's storage failed, or there is no message. */
static bool sum_all(struct pcdf_dataset *ds, const struct steps *s, int n, int64_t *sums, int *status)
{
    for (int i = 0; i < n; i++)
        sums[i] = (size_t)i < s->n ? (int64_t)s->sums[i] : 0;
    sums[n] = ds->io_error != NC_NOERR;
    if (ds->ranks.size > 1) /* the same on all ranks */
        *status = pcdf_ranks_reduce_all(&ds->ranks, MPI_SUM, sums, n + 1);
    ds->poisoned |= *status != NC_NOERR;
    return !*status && sums[n] == 0;
}

/* Counts what is complete, and is in the file; with a write queue it counts when it is in the file. A failure
 * of some rank's storage, which others tell of, keeps everything from being counted. Where a client of the
 * file system keeps what was put, it is synced first. */
static int put_all(struct pcdf_dataset *ds, void *own, const struct pcdf_span *span)
{
    struct steps *s = own;
    int64_t sums[MOST_TOLD + 1];
    int status = NC_NOERR, done = MOST_TOLD;
    if (PCDF_SAME_IN(ds, !reach(ds, s, span)))
        return NC_NOERR;
    uint64_t whole = pcdf_putsum_of_record(&ds->meta);
    int64_t before = s->first;
    while (done == MOST_TOLD && s->first < ds->meta.numrecs) { /* the same on all ranks, as what follows */
        int n = (int)pcdf_smaller(ds->meta.numrecs - s->first, MOST_TOLD);
        done = 0;
        if (sum_all(ds, s, n, sums, &status))
            while (done < n && (uint64_t)sums[done] == whole)
                done++;
        drop(s, s->first + done);
    }
    if (s->first >= ds->meta.numrecs)
        s->nranges = 0;
    if (PCDF_SAME_IN(ds, status || s->first == before))
        return status;
    if (PCDF_SAME_IN(ds, ds->io->tells_late))
        return count_synced_all(ds, s->first);
    return pcdf_records_count(ds, s->first);
}

/* ---- the part */

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)own, (void)decision;
    return ds->commit == PCDF_COMMIT_STEP && !ds->readonly;
}

/* In a file whose size tells the records, the last value of a record is all that is held back
 * (transfer/streamed.h). An open hears of that when it reads the header. */
static bool holds_records(const struct pcdf_dataset *ds, const void *own)
{
    (void)own;
    return !ds->is_streaming;
}

static void in_force(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints)
{
    (void)own;
    if (hints->commit == PCDF_COMMIT_STEP && ds->is_streaming)
        hints->commit = PCDF_COMMIT_CLOSE;
}

static int facts(const struct pcdf_dataset *ds, const void *own, struct pcdf_proof *facts)
{
    const struct steps *s = own;
    int64_t counted = pcdf_records_counted(ds);
    facts[0] = (struct pcdf_proof){ "steps: first", pcdf_larger(s->first, counted) };
    facts[1] = (struct pcdf_proof){ "steps: nranges", counted > s->first ? 0 : s->nranges };
    return 2;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    pcdf_free(((struct steps *)own)->sums);
}

const struct pcdf_part_ops pcdf_part_steps = {
    .name = "steps",
    .own_size = sizeof(struct steps),
    .is_classic_only = true,
    .agreed = agreed,
    .put_done = put_done,
    .put_all = put_all,
    .holds_records = holds_records,
    .in_force = in_force,
    .facts = facts,
    .free = free_own,
};
