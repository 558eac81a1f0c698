/* Close and abort: the last agreement, then the storage and the memory go. */
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "byname.h"
#include "closing.h"
#include "complete.h"
#include "file.h"
#include "header.h"
#include "pnetcdf.h"
#include "posixio.h"
#include "shown.h"
#include "sidecar.h"
#include "staging.h"
#include "define.h"
#include "fill.h"
#include "vote.h"
#include "watchdog.h"
#include "defer.h"
#include "encode.h"
#include "writequeue.h"

/* The storage's close is collective; how it went is agreed, so that close gives the same code everywhere.
 * pending: of requests that were cancelled. *is_whole: nothing else failed, on any rank. */
static int close_storage_all(struct pcdf_dataset *ds, int status, int pending, bool *is_whole)
{
    if (!status && !ds->io_error)
        pcdf_staging_finish(ds);
    pcdf_first(&status, pcdf_sharedfile_close_all(ds->io));
    ds->io = NULL;
    int mine = status ? status : pending;
    int64_t worst[2] = { status, mine };
    int err = pcdf_ranks_reduce_all(&ds->comm, MPI_MIN, worst, 2);
    *is_whole = !err && !worst[0];
    ds->stage_is_over = *is_whole;
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
    pcdf_queue_free(&ds->queue);
    pcdf_defer_free(&ds->deferral);
    pcdf_forget_old_meta(ds);
    pcdf_free(ds->header_on_file.bytes);
    pcdf_hints_free(pcdf_dataset_hints_to_read(ds));
    pcdf_watchdog_free(ds->watchdog);
    pcdf_staging_free(ds);
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
        ds->io->is_poisoned = true;
        (void)pcdf_sharedfile_close_all(ds->io);
    }
    int err = pcdf_report(ds, pcdf_parts_call_ends(ds, call, -1, status));
    pcdf_comm_release(&ds->lease, ds->poisoned);
    pcdf_dataset_release(ds->ncid);
    pcdf_dataset_free(ds);
    return err;
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
    int pending = ds->queue.pending;
    for (int i = 0; i < ds->queue.used; i++) {
        struct pcdf_request *r = pcdf_queue_slot(&ds->queue, i);
        if (r->state == PCDF_REQUEST_PENDING)
            pcdf_queue_drop(&ds->queue, r);
    }
    return pending ? PCDF_FAIL(NC_EPENDING, "%d pending %s cancelled: no wait had asked for %s", pending,
                               pending == 1 ? "request was" : "requests were", pending == 1 ? "it" : "them")
                   : NC_NOERR;
}

struct deleted_vote {
    struct pcdf_vote common;
    bool is_deleted;
};
static const struct pcdf_vote_form deleted_form = { { PCDF_VOTE_LARGEST(deleted_vote, is_deleted) } };

/* Did some rank delete a file that may leave something by its name, since it was closed? */
static bool is_deleted_all(struct pcdf_dataset *ds, int *status)
{
    struct deleted_vote vote = { .common = { .kind = PCDF_KIND_CLOSING }, .is_deleted = ds->is_deleted };
    if (PCDF_SAME_IN(ds, ds->keeps_new_path || (!ds->new_path && !pcdf_parts_must_settle(ds))))
        return false;
    pcdf_first_vote(ds, status, pcdf_vote_form_all(ds, &deleted_form, &vote.common));
    return vote.is_deleted;
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
    pcdf_closing_await_rivals_all(ds);
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
    pcdf_first(&status, close_storage_all(ds, status, pending, &is_whole));
    if (PCDF_SAME_IN(ds, is_whole && !is_deleted))
        pcdf_first(&status, pcdf_parts_publish_all(ds, PCDF_KIND_CLOSE));
    if (is_deleted && ds->comm.rank == 0)
        pcdf_first(&status, root_remove(ds));
    return forget(ds, call, status);
}

/* ---- in the background (closing.h) */

/* As far as this rank knows: what is left when all data is written are a few bytes at known places, and a
 * name. */
static bool can_root_complete(const struct pcdf_dataset *ds)
{
    const struct pcdf_storage *bottom = pcdf_storage_bottom(ds->io->storage);
    return bottom->ops->on_disk && bottom->fd >= 0 && pcdf_writequeue_is_on(ds->io->storage) &&
           !ds->header_dirty && !pcdf_parts_must_settle(ds) && !ds->stages && ds->meta.nvars > 0 &&
           ds->commit != PCDF_COMMIT_RECORD;
}

/* All data is written, and synced if the close waits for the disk. */
static int root_complete(const struct pcdf_dataset *ds, struct pcdf_storage *below,
                         struct pcdf_closing_done *done)
{
    PCDF_TRY(pcdf_root_complete_file(ds, below, ds->rest.numrecs, ds->rest.wrote));
    return pcdf_parts_root_publish(ds, &done->renamed);
}

struct done_vote {
    struct pcdf_vote common;
    bool is_done; /* by the thread of rank 0, or it failed in it */
    bool renamed; /* the file has its name */
};
static const struct pcdf_vote_form done_form = { { PCDF_VOTE_LARGEST(done_vote, is_done),
                                                   PCDF_VOTE_LARGEST(done_vote, renamed) } };

/* Has the thread of rank 0 completed the file, or failed in it? */
static bool is_done_all(struct pcdf_dataset *ds, const struct pcdf_closing_done *done, int *status)
{
    struct done_vote vote = { .common = { .kind = PCDF_KIND_CLOSING, .error = done->code },
                              .is_done = done->is_done,
                              .renamed = done->renamed };
    if (PCDF_SAME_IN(ds, !ds->rest.by_root))
        return false;
    pcdf_first_vote(ds, status, pcdf_vote_form_all(ds, &done_form, &vote.common));
    if (PCDF_SAME_IN(ds, ds->poisoned || !vote.is_done))
        return false;
    if (done->code)
        pcdf_first(status, PCDF_FAIL(done->code, "%s", done->text));
    else if (vote.common.error)
        pcdf_first(status, PCDF_FAIL(vote.common.error, "rank 0 could not complete the file"));
    if (vote.renamed)
        pcdf_dataset_renamed(ds);
    pcdf_storage_bottom(ds->io->storage)->is_released = true;
    return true;
}

static int complete_later_all(struct pcdf_dataset *ds, const struct pcdf_closing_done *done)
{
    bool is_whole;
    PCDF_CALL_BEGINS(ds);
    int status = pcdf_check_poison(ds);
    if (PCDF_SAME_IN(ds, is_done_all(ds, done, &status))) {
        pcdf_first(&status, close_storage_all(ds, status, NC_NOERR, &is_whole));
        return forget(ds, "complete", status);
    }
    bool is_deleted = is_deleted_all(ds, &status);
    return complete_all(ds, "complete", status, NC_NOERR, is_deleted);
}

struct later_vote {
    struct pcdf_vote common;
    bool wrote;     /* something that was not synced, or the file must be made longer */
    bool takes_all; /* rank 0 alone cannot complete the file */
};
static const struct pcdf_vote_form later_form = { { PCDF_VOTE_LARGEST(later_vote, wrote),
                                                    PCDF_VOTE_LARGEST(later_vote, takes_all) } };

/* What fails is told now if it is known now; so are requests that some rank cancelled. Agrees on what is left
 * to do. */
static bool may_wait_all(struct pcdf_dataset *ds, int *status, int pending)
{
    struct later_vote vote = { .common = { .kind = PCDF_KIND_CLOSE_LATER,
                                           .error = *status ? *status : pending,
                                           .numrecs = ds->meta.numrecs } };
    /* Several threads may close files of the same ranks, on each rank in another order. */
    bool has_rivals = ds->lease.own && ds->comm.size > 1;
    bool is_wanted = !has_rivals && ds->hints.async_close && ds->queues && !pcdf_comm_user_gone(&ds->lease);
    if (!is_wanted || ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks; before the vote, as above */
        return false;
    vote.wrote = !ds->readonly && (ds->put_bytes != ds->put_bytes_synced || pcdf_must_reach_end(ds));
    vote.takes_all = !can_root_complete(ds);
    pcdf_first_vote(ds, status, pcdf_vote_form_all(ds, &later_form, &vote.common));
    ds->rest = (struct pcdf_rest){ !vote.takes_all, vote.wrote, vote.common.numrecs };
    return !ds->poisoned && !vote.common.error && !vote.common.io_error;
}

/* The handle is gone; the file is completed later. */
static int close_later_all(struct pcdf_dataset *ds)
{
    if (pcdf_dataset_commits(ds))
        pcdf_writequeue_sync_early(ds->io->storage);
    int status = pcdf_report(ds, pcdf_parts_call_ends(ds, "close", -1, NC_NOERR));
    pcdf_dataset_release(ds->ncid);
    ds->ncid = -1;
    pcdf_closing_add_all(
        ds, &(struct pcdf_closing_way){ ds->rest.by_root ? root_complete : NULL, complete_later_all });
    return status;
}

int pcdf_close_all(struct pcdf_dataset *ds)
{
    bool is_whole = false;
    PCDF_CALL_BEGINS(ds);
    int pending = drop_pending(ds);
    int status = pcdf_check_poison(ds);
    if (ds->poisoned)
        return forget(ds, "close", status);
    if (ds->is_half_changed) { /* the same on all ranks */
        status = close_storage_all(ds, status, NC_NOERR, &is_whole);
        return forget(ds, "close", status);
    }
    pcdf_first_vote(ds, &status, pcdf_defer_write_all(ds, PCDF_KIND_CLOSE));
    if (ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks */
        pcdf_first_vote(ds, &status,
                        pcdf_leave_define_all(ds, PCDF_KIND_CLOSE, &(struct pcdf_alignment){ 0 }));
    if (!ds->poisoned && may_wait_all(ds, &status, pending)) /* the same on all ranks; or no vote was yet */
        return close_later_all(ds);
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
    if (ds->is_half_changed) { /* the same on all ranks */
        status = close_storage_all(ds, status, NC_NOERR, &is_whole);
        return forget(ds, "abort", status);
    }
    if (!is_new) /* on all ranks: a put that returned is done */
        pcdf_first_vote(ds, &status, pcdf_defer_write_all(ds, PCDF_KIND_ABORT));
    pcdf_defer_drop(ds);
    if (ds->poisoned)
        return forget(ds, "abort", status);
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
    pcdf_first(&status, close_storage_all(ds, status, pending, &is_whole));
    if (is_new && ds->comm.rank == 0 && kind->on_disk && has_name) /* else it is another's, or nobody's */
        pcdf_first(&status, pcdf_file_delete(pcdf_dataset_path(ds)));
    else if (is_new && ds->comm.rank == 0 && !kind->on_disk && kind->remove)
        pcdf_first(&status, kind->remove(ds->path));
    ds->stage_is_over |= is_new;
    return forget(ds, "abort", status);
}
