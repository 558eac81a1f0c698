/* See outstanding.h. */
#include "outstanding.h"
#include "header.h"
#include "numbers.h"
#include "writequeue.h"

int64_t pcdf_outstanding_written(const struct pcdf_dataset *ds)
{
    const struct pcdf_outstanding *o = &ds->outstanding;
    if (o->n == 0)
        return o->last;
    int64_t written = pcdf_writequeue_written(ds->io->storage);
    for (int i = 0; i < o->n; i++)
        if (o->put[i].write > written)
            return o->put[i].number - 1;
    return o->last;
}

static void count(struct pcdf_dataset *ds, int64_t numrecs, bool may_queue)
{
    if (ds->ranks.rank == 0)
        (void)pcdf_header_root_write_numrecs(ds, numrecs, may_queue); /* io_error tells a failure */
    ds->numrecs_on_file = numrecs;
}

void pcdf_outstanding_drop(struct pcdf_dataset *ds, int64_t written, bool counts, bool may_queue)
{
    struct pcdf_outstanding *o = &ds->outstanding;
    int64_t numrecs = 0;
    int n = 0;
    while (n < o->n && o->put[n].number <= written)
        numrecs = pcdf_larger(numrecs, o->put[n++].numrecs);
    for (int i = n; i < o->n; i++)
        o->put[i - n] = o->put[i];
    o->n -= n;
    if (counts && numrecs > ds->numrecs_on_file && !ds->agreed_io_error)
        count(ds, numrecs, may_queue);
}

void pcdf_outstanding_add(struct pcdf_dataset *ds, const struct pcdf_span *span, int64_t numrecs)
{
    struct pcdf_outstanding *o = &ds->outstanding;
    const struct pcdf_outstanding_put put = { .number = ++o->last,
                                              .write = ds->io_error
                                                           ? INT64_MAX
                                                           : pcdf_writequeue_accepted(ds->io->storage),
                                              .span = *span,
                                              .numrecs = numrecs };
    if (o->n < PCDF_OUTSTANDING_MOST) {
        o->put[o->n++] = put;
        return;
    }
    struct pcdf_outstanding_put *last = &o->put[o->n - 1]; /* both are one from now on */
    last->number = put.number;
    last->write = put.write;
    last->numrecs = pcdf_larger(last->numrecs, numrecs);
    last->span.begin = pcdf_smaller(last->span.begin, span->begin);
    last->span.end = pcdf_larger(last->span.end, span->end);
}

bool pcdf_outstanding_meets(const struct pcdf_dataset *ds, const struct pcdf_span *span)
{
    const struct pcdf_outstanding *o = &ds->outstanding;
    for (int i = 0; i < o->n; i++)
        if (span->begin < o->put[i].span.end && o->put[i].span.begin < span->end)
            return true;
    return false;
}
