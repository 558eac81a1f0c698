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

int pcdf_records_write(struct pcdf_dataset *ds, int64_t numrecs, bool may_be_late)
{
    int status = ds->ranks.rank == 0 ? pcdf_header_root_write_numrecs(ds, numrecs, may_be_late) : NC_NOERR;
    ds->numrecs_on_file = numrecs;
    return status;
}

/* Nobody takes records away. */
static int count_now(struct pcdf_dataset *ds, int64_t numrecs, bool may_be_late)
{
    assert(numrecs >= ds->numrecs_on_file);
    ds->has_grown |= numrecs > ds->numrecs_on_file;
    ds->meta.numrecs = numrecs;
    return pcdf_records_write(ds, numrecs, may_be_late);
}

int pcdf_records_count_now(struct pcdf_dataset *ds, int64_t numrecs)
{
    if (ds->readonly) { /* what one rank heard in independent data mode */
        assert(numrecs >= ds->numrecs_on_file);
        pcdf_records_see(ds, numrecs);
        ds->numrecs_on_file = numrecs;
        return NC_NOERR;
    }
    return count_now(ds, numrecs, false);
}

int64_t pcdf_records_counted(const struct pcdf_dataset *ds)
{
    return pcdf_larger(ds->numrecs_on_file, pcdf_parts_count_later(ds, 0));
}

int pcdf_records_count(struct pcdf_dataset *ds, int64_t numrecs)
{
    return pcdf_parts_count_later(ds, numrecs) > 0 ? NC_NOERR : pcdf_records_write(ds, numrecs, true);
}

/* Does somebody else count the records of a call, when they are in the file, or whole? may_be_late: the call
 * does not promise that they count when it returns. The same on all ranks. */
static bool counts_later(const struct pcdf_dataset *ds, int64_t numrecs, bool may_be_late)
{
    return pcdf_parts_any(&ds->parts) &&
           (pcdf_parts_hold_records(ds) || (may_be_late && pcdf_parts_count_later(ds, numrecs) > 0));
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
    bool may_be_late = kind == PCDF_KIND_END_OF_PUT && ds->commit != PCDF_COMMIT_RECORD;
    if (PCDF_SAME_IN(ds, counts_later(ds, vote.numrecs, may_be_late))) {
        ds->has_grown = true;
        ds->meta.numrecs = vote.numrecs;
        return NC_NOERR;
    }
    status = count_now(ds, vote.numrecs, may_be_late);
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
