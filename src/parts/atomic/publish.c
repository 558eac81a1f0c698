/* See publish.h. */
#include "publish.h"
#include <limits.h>
#include "dataset.h"
#include "ownjournal.h"
#include "rootfile.h"
#include "vote.h"

struct publish {                  /* file that is to get its name later */
    struct pcdf_newfile *newfile; /* rank 0: of ds->new_path */
    bool noclobber;               /* and the name must still be free then */
};

struct publish_vote {
    struct pcdf_vote common;
    bool renamed; /* the file has its name */
};
static const struct pcdf_vote_form form = { { PCDF_VOTE_LARGEST(publish_vote, renamed) } };

const struct pcdf_newfile *pcdf_publish_newfile(const struct pcdf_dataset *ds)
{
    const struct publish *p = pcdf_part_own(ds, &pcdf_part_atomic);
    return p ? p->newfile : NULL;
}

/* ---- create */

int pcdf_publish_root_can(const struct pcdf_opening *o, bool *can)
{
    bool exists = false, regular = false;
    PCDF_TRY(pcdf_file_root_look(o->ds->path, &exists, &regular));
    if (exists && o->noclobber)
        return PCDF_FAIL(NC_EEXIST, "%s exists", o->ds->path);
    *can = !exists || regular;
    return NC_NOERR;
}

/* A part that chose the path has looked whether it can be. */
static int root_place(struct pcdf_opening *o, void *own, int64_t *decision)
{
    struct publish *p = own;
    bool can = true;
    if (!o->creates || (!o->ds->hints.atomic_create && !o->new_path))
        return NC_NOERR;
    if (!o->new_path)
        PCDF_TRY(pcdf_publish_root_can(o, &can));
    if (!can)
        return NC_NOERR;
    p->noclobber = o->noclobber;
    PCDF_TRY(pcdf_newfile_root_begin_as(o->ds->path, o->new_path, &p->newfile, &o->ds->new_path));
    *decision = true;
    return o->by_mpi ? NC_NOERR : pcdf_newfile_root_make(p->newfile, o->ds->new_path);
}

/* The new file takes the old one's name only when it is on the storage. */
static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)own;
    if (decision)
        pcdf_dataset_close_commits(ds);
    return decision;
}

static int opened_all(struct pcdf_dataset *ds, void *own)
{
    return pcdf_newfile_root_keep(((struct publish *)own)->newfile, ds->new_path);
}

static void not_opened(struct pcdf_dataset *ds, void *own)
{
    pcdf_newfile_root_remove(((struct publish *)own)->newfile, ds->new_path);
}

/* ---- sync and close */

/* Gives the file its name, if it has not got it. An error, and *renamed: its folder could not be flushed. */
static int root_publish(const struct pcdf_dataset *ds, void *own, bool *renamed)
{
    const struct publish *p = own;
    struct pcdf_leaving old;
    char now[PATH_MAX];
    if (!ds->new_path || ds->keeps_new_path)
        return NC_NOERR;
    pcdf_newfile_root_follow(p->newfile, ds->new_path, now);
    const char *final = pcdf_newfile_final(p->newfile);
    (void)pcdf_ownjournal_root_leaving(final, &old); /* without memory it stays, which hurts nobody */
    int status = pcdf_newfile_root_publish(p->newfile, now, p->noclobber, renamed);
    pcdf_ownjournal_root_left(&old, *renamed);
    /* What lay beside an old file of the name is of no use any more. */
    if (*renamed)
        pcdf_parts_root_forget_others(ds, final);
    return status;
}

/* On all ranks or on none. Where the file has its name, but its folder could not be flushed, all ranks get
 * the error, and ds->io_error. */
static int publish_all(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind)
{
    struct publish_vote vote = { .common = { .kind = kind } };
    int status = NC_NOERR;
    if (PCDF_SAME_IN(ds, !ds->new_path || ds->keeps_new_path))
        return NC_NOERR;
    if (ds->ranks.rank == 0)
        vote.common.error = status = root_publish(ds, own, &vote.renamed);
    pcdf_first_vote(ds, &status, pcdf_vote_form_all(ds, &form, &vote.common));
    if (!status && vote.common.error && vote.renamed)
        status =
            PCDF_FAIL(vote.common.error, "the new file has its name, but rank 0 cannot flush its folder");
    else if (!status && vote.common.error)
        status =
            PCDF_FAIL(vote.common.error, "rank 0 cannot give the new file its name; it is %s", ds->new_path);
    if (!vote.renamed || ds->poisoned)
        return status;
    pcdf_first(&ds->io_error, vote.common.error); /* as any sync that failed */
    pcdf_dataset_renamed(ds);
    return status;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    pcdf_newfile_free(((struct publish *)own)->newfile);
}

const struct pcdf_part_ops pcdf_part_atomic = {
    .name = "atomic",
    .own_size = sizeof(struct publish),
    .root_place = root_place,
    .agreed = agreed,
    .opened_all = opened_all,
    .not_opened = not_opened,
    .publish_all = publish_all,
    .root_publish = root_publish,
    .free = free_own,
};
