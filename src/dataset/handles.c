/* The table of open files. Threads may open, use and close different files at the same time: a look-up takes
 * no lock, a change of the table does. Who may use one file at the same time: lock.h. */
#include "dataset.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "debuglog.h"
#include "hash.h"
#include "posixio.h"
#include "sidecar.h"
#include "status.h"
#include "vote.h"

enum { MOST_OPEN = 1024 }; /* NC_MAX_NFILES of pnetcdf.h; metadata_fake.c checks it */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct pcdf_dataset *) open_files[MOST_OPEN]; /* by ncid; NULL: free */
static int64_t openings;

void pcdf_dataset_end_all(void)
{
    for (struct pcdf_dataset *ds = pcdf_dataset_after(0); ds; ds = pcdf_dataset_after(ds->opening))
        ds->has_no_mpi = true;
}

int pcdf_dataset_of(int ncid, struct pcdf_dataset **ds)
{
    struct pcdf_dataset *found = NULL;

    if (ncid >= 0 && ncid < MOST_OPEN)
        found = open_files[ncid];
    if (!found)
        return pcdf_report(NULL, PCDF_FAIL(NC_EBADID, "ncid %d is not an open file", ncid));
    if (found->has_no_mpi)
        return pcdf_report(NULL, PCDF_FAIL(NC_EMPI, "%s was not closed before MPI_Finalize",
                                           found->path ? found->path : "the file"));
    *ds = found;
    return NC_NOERR;
}

int pcdf_dataset_adopt(struct pcdf_dataset *ds, int *ncid)
{
    pthread_mutex_lock(&lock);
    int id = 0;
    while (id < MOST_OPEN && open_files[id])
        id++;
    if (id < MOST_OPEN) {
        ds->ncid = id;
        ds->opening = ++openings;
        open_files[id] = ds;
        *ncid = id;
    }
    pthread_mutex_unlock(&lock);
    if (id == MOST_OPEN)
        return PCDF_FAIL(NC_ENFILE, "%d files are open already", MOST_OPEN);
    return NC_NOERR;
}

void pcdf_dataset_release(int ncid)
{
    if (ncid < 0 || ncid >= MOST_OPEN)
        return;
    pthread_mutex_lock(&lock);
    open_files[ncid] = NULL;
    pthread_mutex_unlock(&lock);
}

struct pcdf_dataset *pcdf_dataset_after(int64_t opening)
{
    struct pcdf_dataset *next = NULL;
    for (int i = 0; i < MOST_OPEN; i++) {
        struct pcdf_dataset *ds = open_files[i];
        if (ds && !ds->has_no_mpi && ds->opening > opening && (!next || ds->opening < next->opening))
            next = ds;
    }
    return next;
}

void pcdf_dataset_drain_unclosed(void)
{
    for (struct pcdf_dataset *ds = pcdf_dataset_after(0); ds; ds = pcdf_dataset_after(ds->opening))
        if (pcdf_parts_drain(ds)) /* nobody closed it */
            pcdf_debuglog_tell("parcdf: %s was not closed, and a put failed: %s", ds->path, pcdf_fail_text());
    pcdf_fail_clear();
}

int pcdf_dataset_list(int *ncids)
{
    int n = 0;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_OPEN; i++) {
        if (!open_files[i])
            continue;
        if (ncids)
            ncids[n] = i;
        n++;
    }
    pthread_mutex_unlock(&lock);
    return n;
}

bool pcdf_dataset_must_last(const struct pcdf_dataset *ds)
{
    return ds->on_storage || ds->commit >= PCDF_COMMIT_CLOSE;
}

void pcdf_dataset_close_commits(struct pcdf_dataset *ds)
{
    if (ds->commit < PCDF_COMMIT_CLOSE)
        ds->commit = PCDF_COMMIT_CLOSE;
}

bool pcdf_dataset_commits(const struct pcdf_dataset *ds)
{
    return ds->commit != PCDF_COMMIT_NONE && pcdf_dataset_must_last(ds);
}

const char *pcdf_dataset_path(const struct pcdf_dataset *ds)
{
    return ds->new_path ? ds->new_path : pcdf_dataset_name(ds);
}

const char *pcdf_dataset_name(const struct pcdf_dataset *ds)
{
    return ds->place ? ds->place : ds->path;
}

static int descriptor_of(const struct pcdf_dataset *ds)
{
    return ds->io && ds->place ? pcdf_storage_bottom(ds->io->storage)->fd : -1;
}

/* Of a file that is beside its later name, at `now`. */
static void put_later_name(const struct pcdf_dataset *ds, const char *now, char room[PATH_MAX])
{
    const char *slash = strrchr(now, '/');
    size_t folder = slash ? (size_t)(slash + 1 - now) : 0, length = strlen(ds->later.name);
    if (folder + length >= PATH_MAX)
        return;
    memcpy(room, now, folder);
    memcpy(room + folder, ds->later.name, length + 1);
}

bool pcdf_dataset_name_now(const struct pcdf_dataset *ds, char room[PATH_MAX])
{
    char now[PATH_MAX];
    bool is_known = pcdf_fileplace_now(descriptor_of(ds), pcdf_dataset_path(ds), now);
    bool has_moved = strcmp(now, pcdf_dataset_path(ds)) != 0,
         waits_for_name = ds->new_path && !ds->keeps_new_path;
    snprintf(room, PATH_MAX, "%s", waits_for_name ? pcdf_dataset_name(ds) : now);
    if (waits_for_name && has_moved)
        put_later_name(ds, now, room);
    return is_known;
}

/* Without memory the old path is what there is. */
static void take_path(char **path, const char *now)
{
    char *copy = strcmp(now, *path) != 0 ? pcdf_strndup(now, strlen(now)) : NULL;
    if (!copy)
        return;
    pcdf_free(*path);
    *path = copy;
}

bool pcdf_dataset_follow(struct pcdf_dataset *ds)
{
    char now[PATH_MAX], name[PATH_MAX];
    if (!pcdf_fileplace_now(descriptor_of(ds), pcdf_dataset_path(ds), now))
        return false;
    (void)pcdf_dataset_name_now(ds, name);
    if (ds->new_path)
        take_path(&ds->new_path, now);
    if (ds->place && !ds->keeps_new_path)
        take_path(&ds->place, name);
    return true;
}

void pcdf_dataset_renamed(struct pcdf_dataset *ds)
{
    if (ds->io)
        pcdf_sharedfile_rename(ds->io);
    pcdf_free(ds->new_path);
    ds->new_path = NULL;
}

int pcdf_dataset_sync_name(const struct pcdf_dataset *ds)
{
    char now[PATH_MAX], real[PATH_MAX];
    if (!pcdf_fileplace_now(descriptor_of(ds), pcdf_dataset_path(ds), now))
        return NC_NOERR;
    const char *posix = pcdf_path_posix(now);
    return pcdf_sidecar_sync_folder(realpath(posix, real) ? real : posix);
}

bool pcdf_is_called(const struct pcdf_called *called, const char *path)
{
    return called->given && (pcdf_hash_text(path) == called->given ||
                             pcdf_fileplace_hash_in(called->folder, path) == called->whole);
}

bool pcdf_dataset_is_at(const struct pcdf_dataset *ds, const char *path)
{
    int fd = descriptor_of(ds);
    struct pcdf_fileid own = fd >= 0 ? pcdf_fileplace_of(fd) : pcdf_fileplace_at(pcdf_dataset_path(ds));
    struct pcdf_filename name = pcdf_fileplace_name(path);
    return pcdf_fileid_is(pcdf_fileplace_at(path), own) || pcdf_filename_is_same(&name, &ds->later);
}

int pcdf_dataset_resize_all(struct pcdf_dataset *ds, int64_t bytes)
{
    int status = pcdf_parts_before_change_all(ds);
    if (PCDF_SAME_IN(ds, !status))
        status = pcdf_sharedfile_resize_all(ds->io, bytes);
    return status;
}

int pcdf_dataset_hints(const struct pcdf_dataset *ds, MPI_Info info)
{
    struct pcdf_hints hints = ds->hints;
    bool is_close = ds->commit == PCDF_COMMIT_AUTO && pcdf_dataset_must_last(ds);
    hints.commit = is_close ? PCDF_COMMIT_CLOSE : ds->commit;
    hints.streaming = ds->is_streaming;
    snprintf(hints.engine, sizeof hints.engine, "%s", ds->storage_kind->name);
    pcdf_parts_in_force(ds, &hints);
    return pcdf_hints_report(&hints, info);
}

int pcdf_report(const struct pcdf_dataset *ds, int err)
{
    if (!err)
        return NC_NOERR;
    if (ds)
        pcdf_fail_lead("%s, rank %d: ", ds->path ? ds->path : "(no path)", ds->ranks.rank);
    const char *name = pcdf_error_of(err)->name;
    pcdf_debuglog("%s: %s", name ? name : "a failure", pcdf_fail_text());
    return err;
}
