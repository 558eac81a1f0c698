/* The table of open files. Threads may open, use and close different files at the same time: a look-up takes
 * no lock, a change of the table does. Who may use one file at the same time: lock.h. */
#include "dataset.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include "debuglog.h"
#include "status.h"
#include "writequeue.h"

enum { MOST_OPEN = 1024 }; /* NC_MAX_NFILES of pnetcdf.h; metadata_fake.c checks it */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct pcdf_dataset *) open_files[MOST_OPEN]; /* by ncid; NULL: free */

int pcdf_dataset_of(int ncid, struct pcdf_dataset **ds)
{
    struct pcdf_dataset *found = NULL;

    if (ncid >= 0 && ncid < MOST_OPEN)
        found = open_files[ncid];
    if (!found)
        return pcdf_report(NULL, PCDF_FAIL(NC_EBADID, "ncid %d is not an open file", ncid));
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
        open_files[id] = ds;
        ds->ncid = id;
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

struct pcdf_dataset *pcdf_dataset_after(int ncid)
{
    struct pcdf_dataset *found = NULL;
    while (!found && ++ncid < MOST_OPEN)
        found = open_files[ncid];
    return found;
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
    return ds->on_storage || ds->hints.commit >= PCDF_COMMIT_CLOSE;
}

bool pcdf_dataset_commits(const struct pcdf_dataset *ds)
{
    return ds->hints.commit != PCDF_COMMIT_NONE && pcdf_dataset_must_last(ds);
}

const char *pcdf_dataset_path(const struct pcdf_dataset *ds)
{
    return ds->new_path ? ds->new_path : ds->path;
}

int pcdf_dataset_hints(const struct pcdf_dataset *ds, MPI_Info info)
{
    struct pcdf_hints hints = ds->hints;
    if (hints.commit == PCDF_COMMIT_AUTO && pcdf_dataset_must_last(ds))
        hints.commit = PCDF_COMMIT_CLOSE;
    hints.checksum = ds->sums.keeps ? PCDF_CHECKSUM_CRC32C : PCDF_CHECKSUM_NONE;
    hints.verify = ds->sums.blocks.expected != NULL;
    hints.async = pcdf_writequeue_bytes(ds->io->storage); /* of the first file open, where there are more */
    if (!ds->stages)
        snprintf(hints.stage_dir, sizeof hints.stage_dir, "none");
    return pcdf_hints_report(&hints, info);
}

int pcdf_report(const struct pcdf_dataset *ds, int err)
{
    if (!err)
        return NC_NOERR;
    if (ds)
        pcdf_fail_lead("%s, rank %d: ", ds->path ? ds->path : "(no path)", ds->comm.rank);
    const char *name = pcdf_error_of(err)->name;
    pcdf_debuglog("%s: %s", name ? name : "a failure", pcdf_fail_text());
    return err;
}
