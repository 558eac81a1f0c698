/* See later.h: the close of a file, cut in two, and the part's table. */
#include "later.h"
#include "closing.h"
#include "closingmark.h"
#include "complete.h"
#include "vote.h"
#include "writequeue.h"

/* What is left of a close in the background, as its vote agreed: the same on all ranks. */
struct later {
    const struct pcdf_close_steps *steps; /* the kernel's */
    bool by_root;                         /* rank 0 can do it alone, without MPI */
    /* The file may have to be made longer, synced, and told its records. */
    bool wrote;
    int64_t numrecs;
};

/* ---- the second half */

struct deleted_vote {
    struct pcdf_vote common;
    bool is_deleted;
};
static const struct pcdf_vote_form deleted_form = { { PCDF_VOTE_LARGEST(deleted_vote, is_deleted) } };

/* Did some rank delete a file that may leave something by its name, since it was closed? */
static bool is_deleted_all(struct pcdf_dataset *ds, bool is_deleted, int *status)
{
    struct deleted_vote vote = { .common = { .kind = PCDF_KIND_CLOSING }, .is_deleted = is_deleted };
    if (PCDF_SAME_IN(ds, ds->keeps_new_path || (!ds->new_path && !pcdf_parts_must_settle(ds))))
        return false;
    pcdf_first_vote(ds, status, pcdf_vote_form_all(ds, &deleted_form, &vote.common));
    return vote.is_deleted;
}

/* All data is written, and synced if the close waits for the disk. */
static int root_complete(const struct pcdf_dataset *ds, struct pcdf_storage *below,
                         struct pcdf_closing_done *done)
{
    const struct later *later = pcdf_part_own(ds, &pcdf_part_closing);
    PCDF_TRY(pcdf_root_complete_file(ds, below, later->numrecs, later->wrote));
    return pcdf_parts_root_publish(ds, &done->renamed);
}

struct done_vote {
    struct pcdf_vote common;
    bool is_done; /* rank 0's thread did it, or failed */
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
    const struct later *later = pcdf_part_own(ds, &pcdf_part_closing);
    if (PCDF_SAME_IN(ds, !later->by_root))
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

static int complete_later_all(struct pcdf_dataset *ds, const struct pcdf_closing_done *done, bool is_deleted)
{
    const struct later *later = pcdf_part_own(ds, &pcdf_part_closing);
    PCDF_CALL_BEGINS(ds);
    int status = pcdf_check_poison(ds);
    if (PCDF_SAME_IN(ds, is_done_all(ds, done, &status)))
        return later->steps->storage_all(ds, "complete", status);
    bool by_any = is_deleted_all(ds, is_deleted, &status);
    return later->steps->complete_all(ds, "complete", status, NC_NOERR, by_any);
}

/* ---- the first half */

/* As far as this rank knows: what is left when all data is written are a few bytes at known places, and a
 * name. */
static bool can_root_complete(const struct pcdf_dataset *ds)
{
    const struct pcdf_storage *bottom = pcdf_storage_bottom(ds->io->storage);
    return bottom->ops->on_disk && bottom->fd >= 0 && pcdf_writequeue_is_on(ds->io->storage) &&
           !ds->header_dirty && !pcdf_parts_must_settle(ds) && !pcdf_parts_close_together(ds) &&
           ds->meta.nvars > 0 && ds->commit != PCDF_COMMIT_RECORD;
}

struct later_vote {
    struct pcdf_vote common;
    bool wrote;     /* unsynced data, or the file must grow */
    bool takes_all; /* rank 0 alone cannot complete the file */
};
static const struct pcdf_vote_form later_form = { { PCDF_VOTE_LARGEST(later_vote, wrote),
                                                    PCDF_VOTE_LARGEST(later_vote, takes_all) } };

/* What fails is told now if it is known now; so are requests that some rank cancelled. Agrees on what is left
 * to do. */
static bool may_wait_all(struct pcdf_dataset *ds, struct later *later, int *status, int pending)
{
    struct later_vote vote = { .common = { .kind = PCDF_KIND_CLOSE_LATER,
                                           .error = *status ? *status : pending,
                                           .numrecs = ds->meta.numrecs } };
    /* Several threads may close files of the same ranks, on each rank in another order. */
    bool has_rivals = ds->lease.own && ds->ranks.size > 1;
    bool is_wanted = !has_rivals && pcdf_parts_puts_wait(ds) && !pcdf_comm_user_gone(&ds->lease);
    if (!is_wanted || ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks; there may have been no vote */
        return false;
    vote.wrote = !ds->readonly && (ds->put_bytes != ds->put_bytes_synced || pcdf_must_reach_end(ds));
    vote.takes_all = !can_root_complete(ds);
    pcdf_first_vote(ds, status, pcdf_vote_form_all(ds, &later_form, &vote.common));
    later->by_root = !vote.takes_all;
    later->wrote = vote.wrote;
    later->numrecs = vote.common.numrecs;
    return !ds->poisoned && !vote.common.error && !vote.common.io_error;
}

static const struct pcdf_keeper_ops keeper = { .before_open_all = pcdf_closing_progress_all,
                                               .await_all = pcdf_closing_await_all,
                                               .before_delete = pcdf_closing_forget_name,
                                               .before_name_all = pcdf_closing_await_rivals_all,
                                               .before_vote_all = pcdf_closing_look_all,
                                               .wait_all = pcdf_closing_wait_all,
                                               .communicator_ends_all = pcdf_closing_end_of_all,
                                               .mpi_ends_all = pcdf_closing_end_all,
                                               .mpi_may_end = pcdf_closing_tell_unasked };

static bool close_all(struct pcdf_dataset *ds, void *own, const struct pcdf_close_steps *steps, int *status,
                      int pending)
{
    struct later *later = own;
    later->steps = steps;
    if (!may_wait_all(ds, later, status, pending)) /* the same on all ranks; or no vote was yet */
        return false;
    if (pcdf_dataset_commits(ds))
        pcdf_writequeue_sync_early(ds->io->storage);
    *status = steps->end_handle(ds);
    pcdf_parts_keep(&keeper);
    pcdf_closing_add_all(
        ds, &(struct pcdf_closing_way){ later->by_root ? root_complete : NULL, complete_later_all });
    return true;
}

/* ---- the part */

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)own, (void)decision;
    return ds->hints.async_close;
}

const struct pcdf_part_ops pcdf_part_closing = { .name = "closing",
                                                 .own_size = sizeof(struct later),
                                                 .is_classic_only = true,
                                                 .root_await = pcdf_closingmark_await,
                                                 .agreed = agreed,
                                                 .close_all = close_all };
