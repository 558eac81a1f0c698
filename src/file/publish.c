/* See publish.h. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "rootfile.h"
#include "alloc.h"
#include "ownjournal.h"
#include "header.h"
#include "inset.h"
#include "newfile.h"
#include "posixio.h"
#include "publish.h"
#include "checksum.h"

int pcdf_publish_root_begin(struct pcdf_dataset *ds, bool noclobber, bool mpi_creates)
{
    bool exists = false, regular = false;
    const char *member = NULL;
    bool in_set = pcdf_inset_is_wanted(ds);
    if (!ds->hints.atomic_create && !in_set)
        return NC_NOERR;
    PCDF_TRY(pcdf_file_root_look(ds->path, &exists, &regular));
    if (exists && noclobber)
        return PCDF_FAIL(NC_EEXIST, "%s exists", ds->path);
    if (exists && !regular)
        return NC_NOERR;
    ds->noclobber = noclobber;
    if (in_set)
        PCDF_TRY(pcdf_inset_root_begin(ds, &member));
    PCDF_TRY(pcdf_newfile_root_begin_as(ds->path, member, &ds->newfile, &ds->new_path));
    return mpi_creates ? NC_NOERR : pcdf_newfile_root_make(ds->newfile, ds->new_path);
}

enum { MOST = PATH_MAX + 64 }; /* no longer name can be opened */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Rank 0's name of the new file becomes this rank's. The folder may be reached by another path on this node,
 * such as where an automounter puts it: so it is looked for beside this rank's own path. Nobody else makes a
 * file of such a name. A folder that rank 0 names and that is not there leaves no choice. */
static void spell_own(const struct pcdf_dataset *ds, char name[MOST])
{
    const char *place = pcdf_dataset_name(ds);
    char own[MOST], folder[MOST];
    struct stat st;
    int n = snprintf(own, sizeof own, "%.*s%s", (int)folder_length(place), place, name + folder_length(name));
    if (ds->in_set || n >= (int)sizeof own || !strcmp(own, name))
        return;
    snprintf(folder, sizeof folder, "%.*s.", (int)folder_length(name), name);
    if (!stat(pcdf_path_posix(own), &st) || stat(pcdf_path_posix(folder), &st))
        strcpy(name, own);
}

int pcdf_publish_name_all(struct pcdf_dataset *ds)
{
    char name[MOST] = "";
    if (ds->new_path)
        snprintf(name, sizeof name, "%s", ds->new_path);
    int status = pcdf_ranks_bcast_all(&ds->comm, name, sizeof name);
    if (!ds->new_path && !status) {
        spell_own(ds, name);
        ds->new_path = pcdf_strndup(name, strlen(name));
        status = ds->new_path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to create %s", ds->path);
    }
    return pcdf_ranks_agree_all(&ds->comm, status, "create the file");
}

int pcdf_publish_root(const struct pcdf_dataset *ds, bool *renamed)
{
    struct pcdf_leaving old;
    char now[PATH_MAX];
    *renamed = false;
    if (!ds->new_path || ds->in_set)
        return NC_NOERR;
    pcdf_newfile_root_follow(ds->newfile, ds->new_path, now);
    const char *final = pcdf_newfile_final(ds->newfile);
    (void)pcdf_ownjournal_root_leaving(final, &old); /* without memory it stays, which hurts nobody */
    int status = pcdf_newfile_root_publish(ds->newfile, now, ds->noclobber, renamed);
    pcdf_ownjournal_root_left(&old, *renamed);
    if (*renamed && !ds->sums.keeps) /* what lay beside an old file of the name is of no use any more */
        (void)pcdf_checksum_root_forget(final);
    return status;
}

void pcdf_publish_done(struct pcdf_dataset *ds)
{
    if (ds->io)
        pcdf_sharedfile_rename(ds->io);
    pcdf_free(ds->new_path);
    ds->new_path = NULL;
}

int pcdf_publish_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_publish_vote vote = { .common = { .kind = kind } };
    int status = NC_NOERR;
    if (PCDF_SAME_IN(ds, !ds->new_path || ds->readonly || (ds->in_set && kind == PCDF_KIND_SYNC)))
        return NC_NOERR;
    if (PCDF_SAME_IN(ds, ds->in_set))
        return pcdf_inset_end_all(ds, kind);
    if (ds->comm.rank == 0)
        vote.common.error = status = pcdf_publish_root(ds, &vote.renamed);
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    if (!status && vote.common.error && vote.renamed)
        status =
            PCDF_FAIL(vote.common.error, "the new file has its name, but rank 0 cannot flush its folder");
    else if (!status && vote.common.error)
        status =
            PCDF_FAIL(vote.common.error, "rank 0 cannot give the new file its name; it is %s", ds->new_path);
    if (!vote.renamed || ds->poisoned)
        return status;
    pcdf_first(&ds->io_error, vote.common.error); /* as any sync that failed */
    pcdf_publish_done(ds);
    return status;
}
