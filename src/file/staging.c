/* See staging.h. */
#include "staging.h"
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "collective.h"
#include "complete.h"
#include "debuglog.h"
#include "encode.h"
#include "header.h"
#include "headerupdate.h"
#include "posixio.h"
#include "records.h"
#include "stagefile.h"
#include "stagelog.h"
#include "stagereplay.h"
#include "vote.h"
#include "writequeue.h"

static bool has_folder(const struct pcdf_dataset *ds)
{
    return ds->hints.stage_dir[0] && strcmp(ds->hints.stage_dir, "none") != 0;
}

/* ---- open */

/* Are there logs? */
static int find_one(void *found, const char *path)
{
    (void)path;
    *(bool *)found = true;
    return NC_NOERR;
}

static bool has_logs(const struct pcdf_dataset *ds)
{
    char *real = NULL;
    bool found = false;
    if (!has_folder(ds) || !ds->storage_kind->on_disk || pcdf_stage_real_path(ds->path, &real))
        return false;
    const struct pcdf_stage_names names = { .dir = ds->hints.stage_dir,
                                            .real = real,
                                            .file = pcdf_fileid_at(real) };
    (void)pcdf_stage_each(&names, find_one, &found); /* there may be no folder */
    pcdf_free(real);
    return found;
}

static void say_nothing(void *context, const char *sentence)
{
    (void)context;
    pcdf_debuglog("logs of puts: %s", sentence);
}

int pcdf_staging_root_recover(const struct pcdf_dataset *ds)
{
    const char *dir = ds->hints.stage_dir;
    const struct pcdf_stagereplay wish = {
        .path = ds->path, .dirs = &dir, .ndirs = 1, .dry = ds->readonly, .by_open = true, .say = say_nothing
    };
    char why[300];
    if (!has_logs(ds))
        return NC_NOERR;
    int err = pcdf_stagereplay(&wish);
    if (!err || err == NC_ENOMEM)
        return err;
    snprintf(why, sizeof why, "%s", pcdf_fail_text());
    return PCDF_FAIL(
        NC_ERECOVER,
        "%s: logs of %s are in %s; %s`parcdf repair --stage %s %s` (with --stage for the folders "
        "of all nodes) brings them to the file",
        why, ds->path, dir, ds->readonly ? "an open for writing with this hint, or " : "", dir, ds->path);
}

int pcdf_staging_look(const struct pcdf_dataset *ds, uint64_t nonce)
{
    const struct pcdf_stage_look look = {
        .dir = ds->hints.stage_dir, .file = ds->path, .keeps = ds->readonly, .nonce = nonce
    };
    int moved, err = ds->comm.rank > 0 && has_logs(ds) ? pcdf_stage_look(&look, &moved) : NC_NOERR;
    return err == NC_ERECOVER || err == NC_ENOMEM ? err : NC_NOERR;
}

void pcdf_staging_leave(const struct pcdf_dataset *ds, uint64_t nonce, const struct pcdf_fileid *gone)
{
    const struct pcdf_stage_look look = { .dir = ds->hints.stage_dir,
                                          .file = ds->path,
                                          .now = ds->new_path,
                                          .is_new = true,
                                          .nonce = nonce,
                                          .gone = *gone };
    int moved = 0;
    if (!has_folder(ds) || !ds->storage_kind->on_disk)
        return;
    (void)pcdf_stage_look(&look, &moved); /* there may be no folder */
    if (moved > 0)
        pcdf_debuglog_tell(
            "%s is new: %d logs in %.200s have puts that a sync acknowledged for an earlier file "
            "of this name. They are *.parcdf-aside.* now; if that file was renamed, "
            "`parcdf repair --stage %.200s` with its name brings them there, or remove them",
            ds->path, moved, ds->hints.stage_dir, ds->hints.stage_dir);
}

/* With pcdf_atomic_create the file has another name until a sync, which waits for the file then. */
uint64_t pcdf_staging_root_wish(const struct pcdf_dataset *ds)
{
    struct timespec now = { 0 };
    uint64_t nonce;
    if (!has_folder(ds) || ds->hints.async <= 0 || ds->new_path || !ds->storage_kind->on_disk)
        return 0;
    if (getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != (ssize_t)sizeof nonce) {
        clock_gettime(CLOCK_REALTIME, &now);
        nonce = ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) + ((uint64_t)getpid() << 40);
    }
    return nonce | 1;
}

static int make_log(struct pcdf_dataset *ds, uint64_t nonce)
{
    const struct pcdf_stagelog_config config = { .dir = ds->hints.stage_dir,
                                                 .file = ds->path,
                                                 .nonce = nonce,
                                                 .rank = ds->comm.rank,
                                                 .nranks = ds->comm.size,
                                                 .limit = ds->hints.stage_limit };
    if (!has_folder(ds))
        return PCDF_FAIL(NC_EINVAL, "this rank was not told where");
    if (!pcdf_writequeue_is_on(ds->io->storage))
        return PCDF_FAIL(NC_EINVAL, "the file has no write queue");
    return pcdf_stagelog_make(&config, &ds->stage);
}

void pcdf_staging_begin_all(struct pcdf_dataset *ds, uint64_t nonce)
{
    int64_t worst = ds->readonly ? NC_EPERM : make_log(ds, nonce), own = worst;
    int err = pcdf_ranks_reduce_all(&ds->comm, MPI_MIN, &worst, 1);
    if (err || worst) { /* the same on all ranks */
        if (own && !ds->readonly && ds->hints.speaks)
            pcdf_debuglog_tell("hint pcdf_stage_dir: no log of puts in %.80s: %.200s", ds->hints.stage_dir,
                               pcdf_fail_text());
        ds->stage_is_over = true;
        pcdf_staging_free(ds);
        return;
    }
    pcdf_writequeue_stage(ds->io->storage, ds->stage);
    ds->stages = true;
    pcdf_dataset_close_commits(ds); /* what a sync acknowledged is on the storage before the log goes */
    pcdf_sync_expect(ds);
}

/* ---- sync */

/* What tells a replay that the file is the one that the log is of. 0: not known. */
static uint32_t header_crc(const struct pcdf_dataset *ds)
{
    struct pcdf_header_bytes header = { 0 };
    uint32_t crc = 0;
    if (ds->comm.rank != 0 || ds->header_is_noncanonical ||
        pcdf_header_encode(&ds->meta, &ds->layout, &header))
        return 0;
    crc = pcdf_stage_header_crc(header.bytes, (size_t)header.size);
    pcdf_free(header.bytes);
    return crc;
}

/* NC_ENOMEM: the log has no room; NC_EFILE: its storage failed. Failures of the file are in io_error. */
static int sync_own(struct pcdf_dataset *ds, int64_t numrecs)
{
    struct pcdf_stage_record sync = { .number = ds->stage_syncs,
                                      .numrecs = numrecs,
                                      .header_crc = header_crc(ds) };
    bool done = false;
    pcdf_first(&ds->io_error, pcdf_writequeue_stage_sync(ds->io->storage, &sync, &done));
    if (ds->comm.rank == 0 && !ds->on_storage && !ds->io_error)
        ds->io_error = pcdf_dataset_sync_name(ds);
    return done ? NC_NOERR : pcdf_stagelog_is_broken(ds->stage) ? NC_EFILE : NC_ENOMEM;
}

bool pcdf_staging_sync_all(struct pcdf_dataset *ds, int *status)
{
    struct pcdf_sync_vote vote = { 0 };
    struct pcdf_vote last = { .kind = PCDF_KIND_SYNC_STAGE };
    bool can_be =
        ds->stages && ds->mode == PCDF_MODE_COLLECTIVE && !pcdf_parts_must_settle(ds) && !ds->new_path;
    if (!can_be) /* the same on all ranks; before the vote others may be in another call */
        return false;
    int err = pcdf_header_vote_all(ds, PCDF_KIND_SYNC_STAGE, &vote);
    if (PCDF_SAME_IN(ds, err || vote.header_dirty)) { /* on all ranks, as what follows */
        pcdf_first_vote(ds, status, err);
        return err;
    }
    ds->stage_syncs++;
    last.error = sync_own(ds, vote.common.numrecs);
    err = pcdf_vote_all(ds, &last);
    pcdf_first_vote(ds, status, err);
    if (!err && last.io_error)
        pcdf_first(status, PCDF_FAIL(last.io_error, "writing the file failed on some rank"));
    ds->stages &= err || last.error != NC_EFILE;
    if (!err && !last.error && !last.io_error) {
        ds->on_storage = true;
        if (ds->meta.numrecs > ds->numrecs_on_file)
            (void)pcdf_records_count(ds, ds->meta.numrecs); /* io_error tells a failure */
    }
    return err || last.io_error || !last.error;
}

void pcdf_staging_end_broken(struct pcdf_dataset *ds)
{
    if (!ds->stage || ds->stages)
        return;
    pcdf_writequeue_stage(ds->io->storage, NULL);
    pcdf_staging_finish(ds);
    ds->stage_is_over = true;
    pcdf_staging_free(ds);
}

/* ---- close */

void pcdf_staging_finish(struct pcdf_dataset *ds)
{
    if (ds->stage)
        (void)pcdf_stagelog_finish(ds->stage);
}

void pcdf_staging_free(struct pcdf_dataset *ds)
{
    (void)pcdf_stagelog_close(ds->stage, ds->stage_is_over);
    ds->stage = NULL;
}
