/* See records.h. */
#include "records.h"
#include <assert.h>
#include "header.h"
#include "numbers.h"

int pcdf_records_flush(struct pcdf_dataset *ds)
{
    if (ds->commit == PCDF_COMMIT_RECORD && !ds->io_error)
        return ds->io_error = pcdf_storage_sync(ds->io->storage, false);
    return NC_NOERR;
}

void pcdf_records_see(struct pcdf_dataset *ds, int64_t numrecs)
{
    if (numrecs <= ds->meta.numrecs)
        return;
    ds->meta.numrecs = numrecs;
    pcdf_parts_records_seen(ds);
}

int pcdf_records_count_now(struct pcdf_dataset *ds, int64_t numrecs)
{
    assert(numrecs >= ds->numrecs_on_file); /* nobody takes records away */
    if (ds->readonly) {                     /* what one rank heard in independent data mode */
        pcdf_records_see(ds, numrecs);
        ds->numrecs_on_file = numrecs;
        return NC_NOERR;
    }
    ds->has_grown |= numrecs > ds->numrecs_on_file;
    ds->meta.numrecs = numrecs;
    int status = ds->ranks.rank == 0 ? pcdf_header_root_write_numrecs(ds, numrecs, false) : NC_NOERR;
    ds->numrecs_on_file = numrecs;
    return status;
}

int64_t pcdf_records_counted(const struct pcdf_dataset *ds)
{
    int64_t numrecs = ds->numrecs_on_file;
    for (int i = 0; i < ds->outstanding.n; i++)
        numrecs = pcdf_larger(numrecs, ds->outstanding.put[i].numrecs);
    return numrecs;
}

int pcdf_records_count(struct pcdf_dataset *ds, int64_t numrecs)
{
    struct pcdf_outstanding *o = &ds->outstanding;
    int status = NC_NOERR;
    if (o->n > 0) {
        o->put[o->n - 1].numrecs = pcdf_larger(o->put[o->n - 1].numrecs, numrecs);
        return NC_NOERR;
    }
    if (ds->ranks.rank == 0)
        status = pcdf_header_root_write_numrecs(ds, numrecs, ds->queues);
    ds->numrecs_on_file = numrecs;
    return status;
}

int pcdf_records_count_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t numrecs)
{
    struct pcdf_vote vote = { .kind = kind, .numrecs = numrecs }, last = vote;
    (void)pcdf_records_flush(ds); /* the vote tells a failure */
    int status = pcdf_vote_all(ds, &vote);
    if (!status && vote.io_error)
        status = PCDF_FAIL(vote.io_error, "writing failed on some rank: no record was added");
    if (PCDF_SAME_IN(ds, status != NC_NOERR))
        return status;
    bool waits = kind == PCDF_KIND_END_OF_PUT && ds->commit != PCDF_COMMIT_RECORD && ds->queues;
    /* Counted when it is written (outstanding.h), or when a part says so. */
    if (PCDF_SAME_IN(ds, waits || pcdf_parts_hold_records(ds))) {
        ds->has_grown = true;
        ds->meta.numrecs = vote.numrecs;
        return NC_NOERR;
    }
    status = pcdf_records_count_now(ds, vote.numrecs);
    if (PCDF_SAME_IN(ds, ds->commit == PCDF_COMMIT_RECORD)) { /* agreed at open */
        /* Who returns success says that the record is on the storage. */
        if (ds->ranks.rank == 0)
            pcdf_first(&status, pcdf_records_flush(ds));
        pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &last));
        if (!status && last.io_error)
            status = PCDF_FAIL(last.io_error, "rank 0 could not write the number of records");
    }
    return status;
}
