/* See steps.h. */
#include "steps.h"
#include <string.h>
#include "array.h"
#include "header.h"
#include "numbers.h"
#include "putsum.h"
#include "vote.h"

enum {
    MOST_SUMS = 1 << 16, /* records that may be incomplete at a time */
    MOST_TOLD = 1024     /* sums in a message */
};

/* ---- sums[i] is of record first + i, which the header does not count yet */

static void drop(struct pcdf_steps *s, int64_t first)
{
    size_t gone = (size_t)pcdf_smaller(first - s->first, (int64_t)s->n);
    if (gone > 0)
        memmove(s->sums, s->sums + gone, (s->n - gone) * sizeof *s->sums);
    s->n -= gone;
    s->first = first;
}

/* What the header counts is complete, whatever was put. */
static void begin(struct pcdf_dataset *ds)
{
    struct pcdf_steps *s = &ds->steps;
    if (!s->is_ready)
        s->whole = pcdf_putsum_of_record(&ds->meta);
    s->is_ready = true;
    if (ds->numrecs_on_file > s->first)
        drop(s, ds->numrecs_on_file);
}

/* Without memory the sum stays wrong, and the record waits for the sync. */
static void add(struct pcdf_steps *s, int64_t record, uint64_t sum)
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

void pcdf_steps_note(struct pcdf_dataset *ds, const struct pcdf_request *put)
{
    const struct pcdf_var *var = &ds->meta.vars[put->varid];
    struct pcdf_steps *s = &ds->steps;
    if (ds->hints.commit != PCDF_COMMIT_STEP || !var->is_record)
        return;
    begin(ds);
    for (int i = 0; i < put->num; i++) {
        const struct pcdf_slab slab = pcdf_request_slab(put, var->ndims, i);
        if (pcdf_slab_elements(&slab, var->ndims) == 0)
            continue;
        int64_t n = slab.count ? slab.count[0] : 1;
        int64_t stride = slab.stride && n > 1 ? slab.stride[0] : 1; /* of one record it may be anything */
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
static void add_range(struct pcdf_steps *s, struct pcdf_span span)
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
    if (n == PCDF_STEPS_RANGES)
        join(&s->range[n - 1], &span);
    else
        s->range[n++] = span;
    s->nranges = n;
}

bool pcdf_steps_reach(struct pcdf_dataset *ds, const struct pcdf_span *span)
{
    struct pcdf_steps *s = &ds->steps;
    if (ds->hints.commit != PCDF_COMMIT_STEP)
        return false;
    begin(ds);
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

void pcdf_steps_reach_anything(struct pcdf_dataset *ds)
{
    ds->steps.range[0] = (struct pcdf_span){ 0, INT64_MAX };
    ds->steps.nranges = 1;
}

/* Rank 0 writes the number, which is the same on all ranks. */
static int count(struct pcdf_dataset *ds, int64_t numrecs)
{
    struct pcdf_outstanding *o = &ds->outstanding;
    int status = NC_NOERR;
    if (o->n > 0) { /* when all that was put before is in the file */
        o->put[o->n - 1].numrecs = pcdf_larger(o->put[o->n - 1].numrecs, numrecs);
        return NC_NOERR;
    }
    if (ds->comm.rank == 0)
        status = pcdf_header_root_write_numrecs(ds, numrecs, ds->queues);
    ds->numrecs_on_file = numrecs;
    return status;
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
    status = count(ds, numrecs);
    if (ds->comm.rank == 0 && !status)
        ds->io_error = status = pcdf_storage_sync(ds->io->storage, false);
    return status;
}

/* The sums of all ranks, of n records. False: a rank's storage failed, or there is no message. */
static bool sum_all(struct pcdf_dataset *ds, int n, int64_t *sums, int *status)
{
    const struct pcdf_steps *s = &ds->steps;
    for (int i = 0; i < n; i++)
        sums[i] = (size_t)i < s->n ? (int64_t)s->sums[i] : 0;
    sums[n] = ds->io_error != NC_NOERR;
    if (ds->comm.size > 1) /* the same on all ranks */
        *status = pcdf_ranks_reduce_all(&ds->comm, MPI_SUM, sums, n + 1);
    ds->poisoned |= *status != NC_NOERR;
    return !*status && sums[n] == 0;
}

int pcdf_steps_agree_all(struct pcdf_dataset *ds)
{
    struct pcdf_steps *s = &ds->steps;
    int64_t sums[MOST_TOLD + 1];
    int status = NC_NOERR, done = MOST_TOLD;
    begin(ds);
    int64_t before = s->first;
    while (done == MOST_TOLD && s->first < ds->meta.numrecs) { /* the same on all ranks, as what follows */
        int n = (int)pcdf_smaller(ds->meta.numrecs - s->first, MOST_TOLD);
        done = 0;
        if (sum_all(ds, n, sums, &status))
            while (done < n && (uint64_t)sums[done] == s->whole)
                done++;
        drop(s, s->first + done);
    }
    if (s->first >= ds->meta.numrecs)
        s->nranges = 0;
    if (PCDF_SAME_IN(ds, status || s->first == before))
        return status;
    if (PCDF_SAME_IN(ds, ds->io->tells_late))
        return count_synced_all(ds, s->first);
    return count(ds, s->first);
}

void pcdf_steps_settle(struct pcdf_dataset *ds)
{
    if (ds->hints.commit != PCDF_COMMIT_STEP || ds->meta.numrecs <= ds->numrecs_on_file)
        return;
    begin(ds);
    drop(&ds->steps, pcdf_larger(ds->steps.first, ds->meta.numrecs));
    (void)count(ds, ds->meta.numrecs); /* io_error tells a failure */
}

void pcdf_steps_forget(struct pcdf_dataset *ds)
{
    ds->steps.n = 0;
    ds->steps.nranges = 0;
    ds->steps.is_ready = false;
}
