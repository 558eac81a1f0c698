/* See publish.h. */
#include <string.h>
#include "alloc.h"
#include "change.h"
#include "publish.h"
#include "sidecar.h"

const char *pcdf_publish_path(const struct pcdf_dataset *ds)
{
    return ds->new_path ? ds->new_path : ds->path;
}

int pcdf_publish_root_applies(const struct pcdf_dataset *ds, bool noclobber, bool *applies)
{
    bool exists = false, regular = false;
    *applies = false;
    if (strcmp(ds->hints.atomic_create, "true") != 0)
        return NC_NOERR;
    PCDF_TRY(pcdf_file_root_look(ds->path, &exists, &regular));
    if (exists && noclobber)
        return PCDF_FAIL(NC_EEXIST, "%s exists", ds->path);
    *applies = !exists || regular;
    return NC_NOERR;
}

/* The real final name: that of the new file without what was put around it. The caller frees it. */
static char *final_name(const struct pcdf_dataset *ds)
{
    const char *path = pcdf_path_posix(ds->new_path), *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0, size = strlen(path) - strlen(PCDF_NEW_SUFFIX);
    char *name = pcdf_strndup(path, size);
    if (name)
        memmove(name + folder, name + folder + 1, size - folder); /* the point */
    return name;
}

/* The prefix that says which file system it is stays before the name. */
int pcdf_publish_prepare(struct pcdf_dataset *ds, bool noclobber)
{
    size_t prefix = (size_t)(pcdf_path_posix(ds->path) - ds->path);
    char *beside = NULL;
    PCDF_TRY(pcdf_sidecar_path(ds->path, PCDF_NEW_SUFFIX, &beside));
    size_t size = strlen(beside) + 1;
    pcdf_free(ds->new_path);
    ds->new_path = pcdf_malloc(prefix + size);
    ds->noclobber = noclobber;
    if (ds->new_path) {
        memcpy(ds->new_path, ds->path, prefix);
        memcpy(ds->new_path + prefix, beside, size);
    }
    pcdf_free(beside);
    return ds->new_path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to create %s", ds->path);
}

/* What lay beside an old file of the name is of no use any more. */
static void root_forget_old(const struct pcdf_dataset *ds)
{
    (void)pcdf_change_root_forget(ds->path);
    if (!ds->sums.keeps)
        (void)pcdf_checksum_root_forget(ds->path);
}

static int root_publish(const struct pcdf_dataset *ds)
{
    char *name = final_name(ds);
    if (!name)
        return PCDF_FAIL(NC_ENOMEM, "no memory to give the file its name");
    int err = pcdf_file_root_rename(pcdf_path_posix(ds->new_path), name, ds->noclobber);
    if (!err) {
        err = pcdf_sidecar_sync_folder(name);
        root_forget_old(ds);
    }
    pcdf_free(name);
    return err;
}

int pcdf_publish_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_ballot ballot = { .kind = kind };
    struct pcdf_agreed agreed;
    int status = NC_NOERR;
    if (!ds->new_path) /* the same on all ranks */
        return NC_NOERR;
    if (ds->comm.rank == 0)
        ballot.error = status = root_publish(ds);
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &ballot, &agreed));
    if (!status && agreed.error)
        status = PCDF_FAIL(agreed.error, "rank 0 cannot give the new file its name; it is %s", ds->new_path);
    if (agreed.error || ds->poisoned)
        return status;
    if (ds->io)
        pcdf_engine_renamed(ds->io);
    pcdf_free(ds->new_path);
    ds->new_path = NULL;
    return status;
}
