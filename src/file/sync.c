/* See sync.h; ncmpi_sync and its relatives. */
#include <string.h>
#include "pnetcdf.h"
#include "publish.h"
#include "sidecar.h"
#include "sync.h"
#include "headerupdate.h"
#include "records.h"

/* Where the file ends, as far as this rank knows: what rank 0 sees may lack what others wrote (NFS), and they
 * say it themselves. */
int64_t pcdf_reach(const struct pcdf_dataset *ds)
{
    int64_t size = 0, reach = pcdf_engine_reach(ds->io);
    if (ds->comm.rank == 0 && !ds->io->ops->size(ds->io, &size) && size > reach)
        reach = size;
    return reach;
}

static int send_vote_all(struct pcdf_dataset *ds, struct pcdf_sync_vote *vote)
{
    int status = pcdf_vote_all(ds, vote);
    if (!status && vote->common.io_error)
        status = PCDF_FAIL(vote->common.io_error, "writing the file failed on some rank");
    return status;
}

static int vote_on_kind_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote)
{
    *vote = (struct pcdf_sync_vote){ .common = { .kind = kind, .numrecs = ds->meta.numrecs },
                                     .header_dirty = ds->header_dirty };
    return send_vote_all(ds, vote);
}

static int flush_all(struct pcdf_dataset *ds)
{
    int status = ds->io->ops->sync_all(ds->io);
    pcdf_first(&ds->io_error, status);
    return status;
}

/* The name of a file that was created: not every file system keeps it with the file's bytes. */
static void root_flush_name(struct pcdf_dataset *ds)
{
    if (ds->comm.rank != 0 || ds->on_storage || ds->io_error || !pcdf_engine_on_disk(ds->hints.engine))
        return;
    ds->io_error = pcdf_sidecar_sync_folder(pcdf_path_posix(pcdf_dataset_path(ds)));
}

/* Everything that any rank wrote is on the storage: data first, then what names it, so that a crash leaves
 * whole records. *vote: the call's vote before, then the last. */
static int make_durable_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote)
{
    bool names_it =
        vote->common.numrecs > ds->numrecs_on_file || vote->header_dirty; /* the same on all ranks */
    int status = flush_all(ds);
    root_flush_name(ds);
    pcdf_first_vote(ds, &status, vote_on_kind_all(ds, kind, vote));
    if (names_it && !vote->common.io_error && !ds->poisoned) { /* the same on all ranks */
        pcdf_first(&status, pcdf_records_take(ds, vote->common.numrecs));
        pcdf_first(&status, pcdf_header_update_write(ds));
        pcdf_first(&status, flush_all(ds));
        pcdf_first_vote(ds, &status, vote_on_kind_all(ds, kind, vote));
    }
    if (!vote->common.io_error && !ds->poisoned) {
        ds->on_storage = true;
        ds->put_bytes_synced = ds->put_bytes;
    }
    return status;
}

int pcdf_extend_all(struct pcdf_dataset *ds, const struct pcdf_meta *meta, int64_t reach)
{
    int64_t end = pcdf_layout_file_end(&ds->layout, meta);
    if (meta->nvars == 0 || ds->is_short || reach >= end) /* the same on all ranks */
        return NC_NOERR;
    int status = ds->io->ops->resize_all(ds->io, end);
    pcdf_first(&ds->io_error, status);
    return status;
}

/* A sync may have written all that there was to write and left the file shorter than its data. */
static bool root_must_extend(const struct pcdf_dataset *ds)
{
    int64_t size = 0;
    if (ds->comm.rank != 0 || !(ds->wrote_header || ds->has_grown) || ds->meta.nvars == 0 || ds->is_short)
        return false;
    return !ds->io->ops->size(ds->io, &size) && size < pcdf_layout_file_end(&ds->layout, &ds->meta);
}

int pcdf_settle_for_good_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_sync_vote vote;
    if (ds->readonly) /* the same on all ranks, as is what follows */
        return vote_on_kind_all(ds, kind, &vote);
    vote = (struct pcdf_sync_vote){ .common = { .kind = kind, .numrecs = ds->meta.numrecs },
                                    .header_dirty = ds->header_dirty,
                                    .wrote = ds->put_bytes != ds->put_bytes_synced || root_must_extend(ds),
                                    .reach = pcdf_reach(ds) };
    int status = send_vote_all(ds, &vote);
    if (status || !(vote.wrote || vote.header_dirty || vote.common.numrecs > ds->numrecs_on_file))
        return status;
    int64_t local = ds->meta.numrecs;
    ds->meta.numrecs = vote.common.numrecs;
    status = pcdf_extend_all(ds, &ds->meta, vote.reach);
    ds->meta.numrecs = local;
    if (ds->hints.commit != PCDF_COMMIT_NONE) /* the same on all ranks: agreed at open */
        pcdf_first_vote(ds, &status, make_durable_all(ds, kind, &vote));
    else
        pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, kind));
    return status;
}

static int check_data_mode(const struct pcdf_dataset *ds, const char *call)
{
    if (ds->mode == PCDF_MODE_DEFINE)
        return PCDF_FAIL(NC_EINDEFINE, "%s in define mode; call ncmpi_enddef first", call);
    return pcdf_check_poison(ds);
}

int pcdf_sync_all(struct pcdf_dataset *ds)
{
    struct pcdf_sync_vote vote;
    PCDF_TRY(check_data_mode(ds, "sync")); /* the same on all ranks, as is what follows */
    if (ds->readonly)
        return NC_NOERR;
    int status = pcdf_defer_write_all(ds, PCDF_KIND_SYNC);
    if (ds->poisoned)
        return status;
    pcdf_first_vote(ds, &status, vote_on_kind_all(ds, PCDF_KIND_SYNC, &vote));
    if (!status) {
        status = make_durable_all(ds, PCDF_KIND_SYNC, &vote);
        if (!vote.common.io_error && !ds->poisoned) /* the same on all ranks */
            pcdf_first_vote(ds, &status, pcdf_checksum_sync_all(ds, PCDF_KIND_SYNC));
        if (!vote.common.io_error && !ds->poisoned) /* the same on all ranks */
            pcdf_first_vote(ds, &status, pcdf_publish_all(ds, PCDF_KIND_SYNC));
    }
    return status;
}

int pcdf_flush_all(struct pcdf_dataset *ds)
{
    return pcdf_defer_write_all(ds, PCDF_KIND_FLUSH);
}

int pcdf_sync_numrecs_all(struct pcdf_dataset *ds)
{
    PCDF_TRY(check_data_mode(ds, "sync_numrecs")); /* the same on all ranks, as is what follows */
    if (ds->meta.nrecord_vars == 0)
        return NC_NOERR;
    if (ds->readonly)
        return PCDF_FAIL(NC_EPERM, "sync_numrecs: the file was opened for reading");
    if (ds->mode == PCDF_MODE_COLLECTIVE) /* every collective put keeps the number equal */
        return pcdf_defer_write_all(ds, PCDF_KIND_SYNC_NUMRECS);
    return pcdf_header_sync_all(ds, PCDF_KIND_SYNC_NUMRECS);
}
