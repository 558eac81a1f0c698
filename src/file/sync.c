/* ncmpi_sync and its relatives (file.h). */
#include <string.h>
#include "complete.h"
#include "defer.h"
#include "define.h"
#include "file.h"
#include "headerupdate.h"
#include "pnetcdf.h"

int pcdf_sync_all(struct pcdf_dataset *ds)
{
    struct pcdf_sync_vote vote = { 0 };
    PCDF_TRY(pcdf_check_data_mode(ds, "sync")); /* the same on all ranks, as is what follows */
    if (ds->readonly)
        return NC_NOERR;
    pcdf_parts_before_name_all(ds); /* before the votes: each rank knows of others */
    int status = pcdf_defer_write_all(ds, PCDF_KIND_SYNC);
    if (ds->poisoned || pcdf_parts_sync_all(ds, &status)) /* the same on all ranks */
        return status;
    pcdf_first_vote(ds, &status, pcdf_header_vote_all(ds, PCDF_KIND_SYNC, &vote));
    if (!status) {
        status = pcdf_make_durable_all(ds, PCDF_KIND_SYNC, &vote);
        if (PCDF_SAME_IN(ds, !vote.common.io_error && !ds->poisoned))
            pcdf_first_vote(ds, &status, pcdf_parts_settle_all(ds, PCDF_KIND_SYNC));
        if (PCDF_SAME_IN(ds, !vote.common.io_error && !ds->poisoned))
            pcdf_first_vote(ds, &status, pcdf_parts_publish_all(ds, PCDF_KIND_SYNC));
    }
    return status;
}

int pcdf_flush_all(struct pcdf_dataset *ds)
{
    int status = pcdf_defer_write_all(ds, PCDF_KIND_FLUSH);
    bool waits = pcdf_parts_puts_wait(ds);
    if (waits && ds->mode == PCDF_MODE_COLLECTIVE) { /* the same on all ranks; there was no vote yet */
        pcdf_first_vote(ds, &status, pcdf_parts_drain_all(ds, PCDF_KIND_FLUSH));
    } else if (waits && ds->mode == PCDF_MODE_INDEPENDENT) { /* this rank's own */
        pcdf_first(&ds->io_error, pcdf_parts_drain(ds));
        pcdf_first(&status, ds->io_error);
    }
    return status;
}

/* Also what is deferred, and the records of independent puts. */
static int wait_for_file_all(struct pcdf_dataset *ds)
{
    PCDF_TRY(pcdf_check_poison(ds)); /* on all ranks, as what follows */
    int status = pcdf_defer_write_all(ds, PCDF_KIND_BARRIER);
    if (!ds->poisoned &&
        ds->mode == PCDF_MODE_INDEPENDENT) /* the same on all ranks; perhaps no vote was yet */
        pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, PCDF_KIND_BARRIER));
    pcdf_first_vote(ds, &status, pcdf_parts_drain_all(ds, PCDF_KIND_BARRIER));
    return status;
}

int pcdf_wait_files_all(const char *path)
{
    int status = pcdf_parts_wait_all(path);
    for (struct pcdf_dataset *ds = pcdf_dataset_after(0); ds; ds = pcdf_dataset_after(ds->opening)) {
        if (!pcdf_parts_puts_wait(ds) ||
            ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks, as what follows */
            continue;
        if (!path || pcdf_is_called(&ds->called, path))
            pcdf_first(&status, pcdf_report(ds, wait_for_file_all(ds)));
        else if (!strcmp(ds->path, path) ||
                 pcdf_dataset_is_at(ds, path)) /* no message: others may not know it */
            pcdf_first(&status, pcdf_report(ds, PCDF_FAIL(NC_EINVAL,
                                                          "%s leads to this file, which is open: parcdf_wait "
                                                          "needs the path by which it was opened",
                                                          path)));
    }
    return status;
}

int pcdf_sync_numrecs_all(struct pcdf_dataset *ds)
{
    PCDF_TRY(pcdf_check_data_mode(ds, "sync_numrecs")); /* the same on all ranks, as is what follows */
    if (ds->meta.nrecord_vars == 0)
        return NC_NOERR;
    if (ds->readonly)
        return PCDF_FAIL(NC_EPERM, "sync_numrecs: the file was opened for reading");
    if (ds->writer) /* only a sync writes the number */
        return pcdf_sync_all(ds);
    int status = pcdf_defer_write_all(ds, PCDF_KIND_SYNC_NUMRECS);
    if (ds->poisoned)
        return status;
    bool may_differ = ds->mode == PCDF_MODE_INDEPENDENT || pcdf_parts_puts_wait(ds) ||
                      pcdf_parts_hold_records(ds); /* else every put keeps it equal */
    if (may_differ)                                /* the same on all ranks; there was no vote yet */
        pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, PCDF_KIND_SYNC_NUMRECS));
    return status;
}
