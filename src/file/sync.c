/* See sync.h; ncmpi_sync and its relatives. */
#include <string.h>
#include "filesystem.h"
#include "posixio.h"
#include "pnetcdf.h"
#include "staging.h"
#include "sidecar.h"
#include "sync.h"
#include "define.h"
#include "headerupdate.h"
#include "records.h"
#include "streamed.h"
#include "defer.h"
#include "writequeue.h"
#include "closing.h"
#include "file.h"

/* Where the file ends, as far as this rank knows: what rank 0 sees may lack what others wrote (NFS), and they
 * say it themselves. */
int64_t pcdf_reach(const struct pcdf_dataset *ds)
{
    int64_t size = 0, reach = pcdf_storage_reach(ds->io->storage);
    if (ds->comm.rank == 0 && !pcdf_storage_size(ds->io->storage, &size) && size > reach)
        reach = size;
    return reach;
}

void pcdf_sync_expect(struct pcdf_dataset *ds)
{
    const struct pcdf_filesystem *fs = pcdf_filesystem_at(pcdf_dataset_path(ds));
    struct pcdf_storage *bottom = pcdf_storage_bottom(ds->io->storage);
    bottom->writes_early =
        !ds->readonly && bottom->fd >= 0 && fs->is_local && !fs->is_memory && pcdf_dataset_commits(ds);
}

static int sync_storage_all(struct pcdf_dataset *ds)
{
    int status = pcdf_storage_sync(ds->io->storage, true);
    pcdf_first(&ds->io_error, status);
    return status;
}

/* Everything that any rank wrote is on the storage: data first, then what names it, so that a crash leaves
 * whole records. *vote: the call's vote before, then the last. */
static int make_durable_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote)
{
    bool names_it =
        vote->common.numrecs > ds->numrecs_on_file || vote->header_dirty; /* the same on all ranks */
    bool is_nameless = !ds->on_storage &&
                       pcdf_engine_kind(ds->hints.engine)->on_disk; /* a name is not kept with the bytes */
    int status = sync_storage_all(ds);
    if (ds->comm.rank == 0 && is_nameless && !ds->io_error)
        ds->io_error = pcdf_dataset_sync_name(ds);
    pcdf_first_vote(ds, &status, pcdf_header_vote_all(ds, kind, vote));
    if (PCDF_SAME_IN(ds, names_it && !vote->common.io_error && !ds->poisoned)) {
        pcdf_first(&status, pcdf_records_take(ds, vote->common.numrecs));
        pcdf_first(&status, pcdf_header_update_write(ds));
        pcdf_first(&status, sync_storage_all(ds));
        pcdf_first_vote(ds, &status, pcdf_header_vote_all(ds, kind, vote));
    }
    if (!vote->common.io_error && !ds->poisoned) {
        ds->on_storage = true;
        pcdf_sync_expect(ds);
        ds->put_bytes_synced = ds->put_bytes;
    }
    return status;
}

int pcdf_extend_all(struct pcdf_dataset *ds, const struct pcdf_meta *meta, int64_t reach)
{
    int64_t end = pcdf_layout_file_end(&ds->layout, meta);
    if (PCDF_SAME_IN(ds, meta->nvars == 0 || ds->is_short || reach >= end))
        return NC_NOERR;
    int status = pcdf_dataset_resize_all(ds, end);
    if (!status)
        pcdf_streamed_reached(ds, end);
    pcdf_first(&ds->io_error, status);
    return status;
}

int pcdf_complete_file_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_sync_vote vote = { 0 };
    if (!ds->readonly) {
        /* A sync may have written all that there was to write and left the file shorter than its data. */
        int64_t size = 0, end = pcdf_layout_file_end(&ds->layout, &ds->meta);
        bool must_reach_end = (ds->wrote_header || ds->has_grown) && ds->meta.nvars > 0 && !ds->is_short;
        bool is_too_short =
            ds->comm.rank == 0 && must_reach_end && !pcdf_storage_size(ds->io->storage, &size) && size < end;
        vote.wrote = ds->put_bytes != ds->put_bytes_synced || is_too_short;
        vote.reach = pcdf_reach(ds);
    }
    int status = pcdf_header_vote_all(ds, kind, &vote);
    bool wrote = vote.wrote || vote.header_dirty || vote.common.numrecs > ds->numrecs_on_file;
    if (PCDF_SAME_IN(ds, status || ds->readonly || !wrote)) /* on all ranks, as what follows */
        return status;
    struct pcdf_meta agreed = ds->meta; /* what it lays out with the records of all ranks */
    agreed.numrecs = vote.common.numrecs;
    status = pcdf_extend_all(ds, &agreed, vote.reach);
    if (PCDF_SAME_IN(ds, pcdf_dataset_commits(ds)))
        pcdf_first_vote(ds, &status, make_durable_all(ds, kind, &vote));
    else
        pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, kind));
    return status;
}

int pcdf_sync_all(struct pcdf_dataset *ds)
{
    struct pcdf_sync_vote vote = { 0 };
    PCDF_TRY(pcdf_check_data_mode(ds, "sync")); /* the same on all ranks, as is what follows */
    if (ds->readonly)
        return NC_NOERR;
    pcdf_closing_await_rivals_all(ds); /* before the votes: each rank knows of others */
    int status = pcdf_defer_write_all(ds, PCDF_KIND_SYNC);
    if (ds->poisoned || pcdf_staging_sync_all(ds, &status)) /* the same on all ranks */
        return status;
    pcdf_first_vote(ds, &status, pcdf_header_vote_all(ds, PCDF_KIND_SYNC, &vote));
    if (!status) {
        status = make_durable_all(ds, PCDF_KIND_SYNC, &vote);
        if (PCDF_SAME_IN(ds, !vote.common.io_error && !ds->poisoned))
            pcdf_first_vote(ds, &status, pcdf_parts_settle_all(ds, PCDF_KIND_SYNC));
        if (PCDF_SAME_IN(ds, !vote.common.io_error && !ds->poisoned))
            pcdf_first_vote(ds, &status, pcdf_parts_publish_all(ds, PCDF_KIND_SYNC));
        if (PCDF_SAME_IN(ds, !vote.common.io_error && !ds->poisoned))
            pcdf_staging_end_broken(ds);
    }
    return status;
}

/* Twice: what the first vote counts is written before the second. */
static int wait_for_queue_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    int status = NC_NOERR;
    for (int i = 0; i < 2 && !ds->poisoned; i++) { /* the same on all ranks */
        struct pcdf_vote vote = { .kind = kind };
        pcdf_first(&status, pcdf_vote_all(ds, &vote));
        if (vote.io_error)
            pcdf_first(&status, PCDF_FAIL(vote.io_error, "writing the file failed on some rank"));
    }
    return status;
}

int pcdf_flush_all(struct pcdf_dataset *ds)
{
    int status = pcdf_defer_write_all(ds, PCDF_KIND_FLUSH);
    if (ds->queues && ds->mode == PCDF_MODE_COLLECTIVE) { /* the same on all ranks; there was no vote yet */
        pcdf_first_vote(ds, &status, wait_for_queue_all(ds, PCDF_KIND_FLUSH));
    } else if (ds->queues && ds->mode == PCDF_MODE_INDEPENDENT) { /* this rank's own */
        pcdf_first(&ds->io_error, pcdf_writequeue_settle(ds->io->storage));
        pcdf_first(&status, ds->io_error);
    }
    return status;
}

/* Also what is deferred, and the records of independent puts. */
static int wait_for_file_all(struct pcdf_dataset *ds)
{
    PCDF_TRY(pcdf_check_poison(ds)); /* on all ranks, as what follows */
    int status = pcdf_defer_write_all(ds, PCDF_KIND_SETTLE);
    if (!ds->poisoned &&
        ds->mode == PCDF_MODE_INDEPENDENT) /* the same on all ranks; perhaps no vote was yet */
        pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, PCDF_KIND_SETTLE));
    pcdf_first_vote(ds, &status, wait_for_queue_all(ds, PCDF_KIND_SETTLE));
    return status;
}

int pcdf_settle_files_all(const char *path)
{
    int status = pcdf_closing_wait_all(path);
    for (struct pcdf_dataset *ds = pcdf_dataset_after(0); ds; ds = pcdf_dataset_after(ds->opening)) {
        if (!ds->queues || ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks, as what follows */
            continue;
        if (!path || pcdf_is_called(&ds->called, path))
            pcdf_first(&status, pcdf_report(ds, wait_for_file_all(ds)));
        else if (!strcmp(ds->path, path) ||
                 pcdf_dataset_is_at(ds, path)) /* other ranks may not know or see it: so no message */
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
    int status = pcdf_defer_write_all(ds, PCDF_KIND_SYNC_NUMRECS);
    if (ds->poisoned)
        return status;
    bool may_differ = ds->mode == PCDF_MODE_INDEPENDENT || ds->queues ||
                      ds->hints.commit == PCDF_COMMIT_STEP; /* else every put keeps it equal */
    if (may_differ)                                         /* the same on all ranks; there was no vote yet */
        pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, PCDF_KIND_SYNC_NUMRECS));
    return status;
}
