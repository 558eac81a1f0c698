/* Close and abort: the last agreement, then the storage and the memory go. */
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "byname.h"
#include "complete.h"
#include "file.h"
#include "header.h"
#include "pnetcdf.h"
#include "posixio.h"
#include "shown.h"
#include "status.h"
#include "sidecar.h"
#include "define.h"
#include "fill.h"
#include "vote.h"
#include "watchdog.h"
#include "defer.h"
#include "encode.h"

/* The storage's close is collective; how it went is agreed, so that close gives the same code everywhere.
 * pending: of requests that were cancelled. goes: the file is deleted next. *is_whole: nothing else failed,
 * on any rank. */
static int close_storage_all(struct pcdf_dataset *ds, int status, int pending, bool goes, bool *is_whole)
{
    if (!status && !ds->io_error)
        pcdf_parts_whole(ds);
    pcdf_first(&status, pcdf_sharedfile_close_all(ds->io));
    ds->io = NULL;
    int mine = status ? status : pending;
    int64_t worst[2] = { status, mine };
    int err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MIN, worst, 2);
    *is_whole = !err && !worst[0];
    pcdf_parts_closed(ds, *is_whole || goes);
    if (err || worst[1] == mine)
        return mine ? mine : err;
    return PCDF_FAIL((int)worst[1], "close fails on another rank");
}

void pcdf_dataset_free(struct pcdf_dataset *ds)
{
    if (!ds)
        return;
    pcdf_parts_free(ds);
    pcdf_meta_free(&ds->meta);
    pcdf_layout_free(&ds->layout);
    pcdf_fill_free(&ds->fill);
    pcdf_posted_free(&ds->posted);
    pcdf_defer_free(&ds->deferral);
    pcdf_forget_old_meta(ds);
    pcdf_free(ds->header_on_file.bytes);
    pcdf_hints_free(pcdf_dataset_hints_to_read(ds));
    pcdf_watchdog_free(ds->watchdog);
    pcdf_shown_free(ds->shown);
    pcdf_journalfile_close(&ds->recovery);
    pcdf_free(ds->new_path);
    pcdf_free(ds->place);
    pcdf_free(ds->path);
    pcdf_free(ds);
}

/* Memory goes; of a poisoned file the storage too, without a word to other ranks: MPI_Finalize takes its
 * handles. */
static int forget(struct pcdf_dataset *ds, const char *call, int status)
{
    if (ds->io) {
        char sentence[PCDF_SENTENCE]; /* why it is forgotten */
        pcdf_fail_save(sentence);
        ds->io->is_poisoned = true;
        (void)pcdf_sharedfile_close_all(ds->io);
        pcdf_fail_restore(sentence);
    }
    int err = pcdf_report(ds, pcdf_parts_call_ends(ds, call, -1, status));
    pcdf_comm_release(&ds->lease, ds->poisoned);
    pcdf_dataset_release(ds->ncid);
    pcdf_dataset_free(ds);
    return err;
}

/* Only what MPI has open is closed. */
static int close_as_it_is_all(struct pcdf_dataset *ds, const char *call, int status)
{
    bool is_whole;
    pcdf_first(&status, close_storage_all(ds, status, NC_NOERR, false, &is_whole));
    return forget(ds, call, status);
}

/* The call ends, and the file stays. */
static int end_handle(struct pcdf_dataset *ds)
{
    int status = pcdf_report(ds, pcdf_parts_call_ends(ds, "close", -1, NC_NOERR));
    pcdf_dataset_release(ds->ncid);
    ds->ncid = -1;
    return status;
}

/* A file without variables ends where its header ends. */
static int trim_all(struct pcdf_dataset *ds)
{
    if (PCDF_SAME_IN(ds, !ds->wrote_header || ds->meta.nvars > 0 || ds->io_error))
        return NC_NOERR;
    int status = pcdf_dataset_resize_all(ds, pcdf_encode_size(&ds->meta));
    pcdf_first(&ds->io_error, status);
    return status;
}

/* Requests that nobody waited for are cancelled; the caller is told. */
static int drop_pending(struct pcdf_dataset *ds)
{
    int pending = ds->posted.pending;
    for (int i = 0; i < ds->posted.used; i++) {
        struct pcdf_request *r = pcdf_posted_slot(&ds->posted, i);
        if (r->state == PCDF_REQUEST_PENDING)
            pcdf_posted_drop(&ds->posted, r);
    }
    return pending ? PCDF_FAIL(NC_EPENDING, "%d pending %s cancelled: no wait had asked for %s", pending,
                               pending == 1 ? "request was" : "requests were", pending == 1 ? "it" : "them")
                   : NC_NOERR;
}

/* By rank 0, so before it makes another file of that name. */
static int root_remove(const struct pcdf_dataset *ds)
{
    const struct pcdf_storage_ops *kind = ds->storage_kind;
    if (kind->on_disk && ds->new_path)
        return pcdf_file_delete(ds->new_path);
    if (kind->on_disk && access(pcdf_path_posix(pcdf_dataset_name(ds)), F_OK)) /* else others made one */
        (void)pcdf_parts_root_forget(pcdf_dataset_name(ds));
    return NC_NOERR;
}

/* The last part of a close, or all of one that waits for nothing: `call` is its name. is_deleted: nobody
 * wants it any more; the same on all ranks. */
static int complete_all(struct pcdf_dataset *ds, const char *call, int status, int pending, bool is_deleted)
{
    bool is_whole = false;
    pcdf_parts_before_name_all(ds);
    if (!ds->poisoned && ds->mode != PCDF_MODE_DEFINE)
        pcdf_first_vote(ds, &status, pcdf_complete_file_all(ds, PCDF_KIND_CLOSE));
    if (ds->poisoned)
        return forget(ds, call, status);
    if (PCDF_SAME_IN(ds, ds->mode != PCDF_MODE_DEFINE)) {
        pcdf_first(&status, trim_all(ds));
        pcdf_first_vote(ds, &status, pcdf_parts_settle_all(ds, PCDF_KIND_CLOSE));
    }
    if (ds->poisoned)
        return forget(ds, call, status);
    pcdf_first(&status, close_storage_all(ds, status, pending, false, &is_whole));
    if (PCDF_SAME_IN(ds, is_whole && !is_deleted))
        pcdf_first(&status, pcdf_parts_publish_all(ds, PCDF_KIND_CLOSE));
    if (is_deleted && ds->ranks.rank == 0)
        pcdf_first(&status, root_remove(ds));
    return forget(ds, call, status);
}

/* The file is in data mode again, as before the redef: nothing of it was written. */
static void undo_redef(struct pcdf_dataset *ds)
{
    pcdf_meta_free(&ds->meta);
    ds->meta = *ds->old_meta;
    *ds->old_meta = (struct pcdf_meta){ 0 };
    pcdf_forget_old_meta(ds);
    ds->mode = PCDF_MODE_COLLECTIVE;
}

int pcdf_close_all(struct pcdf_dataset *ds)
{
    static const struct pcdf_close_steps steps = { end_handle, complete_all, close_as_it_is_all };
    PCDF_CALL_BEGINS(ds);
    int pending = drop_pending(ds);
    int status = pcdf_check_poison(ds);
    if (ds->poisoned)
        return forget(ds, "close", status);
    if (ds->is_half_changed) /* the same on all ranks */
        return close_as_it_is_all(ds, "close", status);
    pcdf_first_vote(ds, &status, pcdf_defer_write_all(ds, PCDF_KIND_CLOSE));
    if (ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks */
        pcdf_first_vote(ds, &status,
                        pcdf_leave_define_all(ds, PCDF_KIND_CLOSE, &(struct pcdf_alignment){ 0 }));
    /* Its enddef failed on all ranks; what was put before counts. The same on all ranks. */
    if (ds->writer && ds->old_meta && ds->mode == PCDF_MODE_DEFINE && !ds->poisoned)
        undo_redef(ds);
    if (!ds->poisoned && pcdf_parts_close_all(ds, &steps, &status, pending)) /* the same on all ranks */
        return status;
    return complete_all(ds, "close", status, pending, false);
}

/* A new file goes, and one that has not got its name; after a redef the file is as it was before. */
int pcdf_abort_all(struct pcdf_dataset *ds)
{
    struct pcdf_sync_vote vote = { .common = { .kind = PCDF_KIND_ABORT } };
    const struct pcdf_storage_ops *kind = ds->storage_kind;
    bool is_new = ds->is_new || (ds->new_path && !ds->readonly), is_whole = false;
    PCDF_CALL_BEGINS(ds);
    int pending = drop_pending(ds);
    int status = pcdf_check_poison(ds);
    if (ds->poisoned)
        return forget(ds, "abort", status);
    if (ds->is_half_changed) /* the same on all ranks */
        return close_as_it_is_all(ds, "abort", status);
    if (!is_new) /* on all ranks: returned puts are done */
        pcdf_first_vote(ds, &status, pcdf_defer_write_all(ds, PCDF_KIND_ABORT));
    pcdf_defer_drop(ds);
    if (ds->poisoned)
        return forget(ds, "abort", status);
    if (ds->writer && ds->old_meta) /* the same on all ranks */
        undo_redef(ds);
    vote.reach = ds->old_meta ? pcdf_reach(ds) : 0;
    if (ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks, as is old_meta: NULL elsewhere */
        pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    else /* on all ranks */
        pcdf_first_vote(ds, &status, pcdf_complete_file_all(ds, PCDF_KIND_ABORT));
    if (!ds->poisoned && PCDF_SAME_IN(ds, ds->mode != PCDF_MODE_DEFINE))
        pcdf_first_vote(ds, &status, pcdf_parts_settle_all(ds, PCDF_KIND_ABORT));
    if (ds->poisoned)
        return forget(ds, "abort", status);
    if (PCDF_SAME_IN(ds, ds->old_meta && !vote.common.io_error)) /* data may have been written before redef */
        pcdf_first(&status, pcdf_extend_all(ds, ds->old_meta, vote.reach));
    bool has_name = pcdf_dataset_follow(ds);
    pcdf_first(&status, close_storage_all(ds, status, pending, is_new, &is_whole));
    if (is_new && ds->ranks.rank == 0 && kind->on_disk && has_name) /* else it is another's, or nobody's */
        pcdf_first(&status, pcdf_file_delete(pcdf_dataset_path(ds)));
    else if (is_new && ds->ranks.rank == 0 && !kind->on_disk && kind->remove)
        pcdf_first(&status, kind->remove(ds->path));
    return forget(ds, "abort", status);
}
