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

struct staging {
    uint64_t nonce;            /* names rank 0's logs; 0: none. Replicated */
    struct pcdf_stagelog *log; /* this rank's; NULL: none */
    bool is_used;              /* all ranks have one, and syncs use them: the same on all ranks */
    bool is_over;              /* nobody needs it any more */
    int64_t syncs;
};

/* No log knows that the last value of a record is held back (STREAMING). */
static uint64_t nonce_of(const struct pcdf_dataset *ds, const struct staging *s)
{
    return ds->is_streaming ? 0 : s->nonce;
}

/* The storage is closed. */
static void end_log(struct staging *s)
{
    (void)pcdf_stagelog_close(s->log, s->is_over);
    s->log = NULL;
}

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

/* What a crash left in the folder of rank 0 goes into the file if it is opened for writing. NC_ERECOVER: that
 * is not possible, or it is opened for reading. */
static int root_recover(struct pcdf_dataset *ds, void *own)
{
    (void)own;
    const char *dir = ds->hints.stage_dir;
    const struct pcdf_stagereplay how = {
        .path = ds->path, .dirs = &dir, .ndirs = 1, .dry = ds->readonly, .by_open = true, .say = say_nothing
    };
    char why[300];
    if (!has_logs(ds))
        return NC_NOERR;
    int err = pcdf_stagereplay(&how);
    if (!err || err == NC_ENOMEM)
        return err;
    snprintf(why, sizeof why, "%s", pcdf_fail_text());
    return PCDF_FAIL(
        NC_ERECOVER,
        "%s: logs of %s are in %s; %s`parcdf repair --stage %s %s` (with --stage for the folders "
        "of all nodes) brings them to the file",
        why, ds->path, dir, ds->readonly ? "an open for writing with this hint, or " : "", dir, ds->path);
}

/* After that: NC_ERECOVER where this rank's folder has logs of the file whose syncs may not be in it, but for
 * those with this nonce, which other ranks are about to make. */
static int look_for_logs(const struct pcdf_dataset *ds, uint64_t nonce)
{
    const struct pcdf_stage_look look = {
        .dir = ds->hints.stage_dir, .file = ds->path, .keeps = ds->readonly, .nonce = nonce
    };
    int moved, err = ds->ranks.rank > 0 && has_logs(ds) ? pcdf_stage_look(&look, &moved) : NC_NOERR;
    return err == NC_ERECOVER || err == NC_ENOMEM ? err : NC_NOERR;
}

/* For a new file: logs of an earlier one that had its name are set aside, or removed if that was `gone` by
 * this create. */
static void leave_logs(const struct pcdf_dataset *ds, uint64_t nonce, const struct pcdf_fileid *gone)
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

/* A number for the names of logs, if rank 0 wants any. With pcdf_atomic_create the file has another name
 * until a sync, which waits for the file then. */
static int root_begin(struct pcdf_opening *o, void *own, int64_t *decision)
{
    const struct pcdf_dataset *ds = o->ds;
    struct timespec now = { 0 };
    uint64_t nonce;
    (void)own;
    if (!o->for_writing || !has_folder(ds) || ds->hints.async <= 0 || ds->new_path ||
        !ds->storage_kind->on_disk)
        return NC_NOERR;
    if (getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != (ssize_t)sizeof nonce) {
        clock_gettime(CLOCK_REALTIME, &now);
        nonce = ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) + ((uint64_t)getpid() << 40);
    }
    *decision = (int64_t)(nonce | 1);
    return NC_NOERR;
}

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    struct staging *s = own;
    s->nonce = (uint64_t)decision;
    return nonce_of(ds, s) != 0;
}

static int make_log(const struct pcdf_dataset *ds, struct staging *s)
{
    const struct pcdf_stagelog_config config = { .dir = ds->hints.stage_dir,
                                                 .file = ds->path,
                                                 .nonce = s->nonce,
                                                 .rank = ds->ranks.rank,
                                                 .nranks = ds->ranks.size,
                                                 .limit = ds->hints.stage_limit };
    if (!has_folder(ds))
        return PCDF_FAIL(NC_EINVAL, "this rank was not told where");
    if (!pcdf_writequeue_is_on(ds->io->storage))
        return PCDF_FAIL(NC_EINVAL, "the file has no write queue");
    return pcdf_stagelog_make(&config, &s->log);
}

/* Where one rank cannot have a log, none has, and the debug log tells why. */
static void begin_logs_all(struct pcdf_dataset *ds, struct staging *s)
{
    int64_t worst = ds->readonly ? NC_EPERM : make_log(ds, s), own = worst;
    int err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MIN, &worst, 1);
    if (err || worst) { /* the same on all ranks */
        if (own && !ds->readonly && ds->hints.speaks)
            pcdf_debuglog_tell("hint pcdf_stage_dir: no log of puts in %.80s: %.200s", ds->hints.stage_dir,
                               pcdf_fail_text());
        s->is_over = true;
        end_log(s);
        return;
    }
    pcdf_writequeue_stage(ds->io->storage, s->log);
    s->is_used = true;
    /* What a sync acknowledged must be on the storage before the log goes. */
    pcdf_dataset_close_commits(ds);
    pcdf_sync_expect(ds);
}

static int read_all(struct pcdf_dataset *ds, void *own, const struct pcdf_opened *o)
{
    struct staging *s = own;
    int status = o->status;
    uint64_t nonce = nonce_of(ds, s);
    if (o->creates)
        leave_logs(ds, nonce, &o->gone);
    else if (!status) /* else the sentence of what failed stays */
        status = look_for_logs(ds, nonce);
    if (PCDF_SAME(&ds->ranks, nonce != 0))
        begin_logs_all(ds, s);
    return status;
}

/* ---- sync */

/* What tells a replay that the file is the one that the log is of. 0: not known. */
static uint32_t header_crc(const struct pcdf_dataset *ds)
{
    struct pcdf_header_bytes header = { 0 };
    uint32_t crc = 0;
    if (ds->ranks.rank != 0 || ds->header_is_noncanonical ||
        pcdf_header_encode(&ds->meta, &ds->layout, &header))
        return 0;
    crc = pcdf_stage_header_crc(header.bytes, (size_t)header.size);
    pcdf_free(header.bytes);
    return crc;
}

/* NC_ENOMEM: the log has no room; NC_EFILE: its storage failed. Failures of the file are in io_error. */
static int sync_own(struct pcdf_dataset *ds, const struct staging *s, int64_t numrecs)
{
    struct pcdf_stage_record sync = { .number = s->syncs, .numrecs = numrecs, .header_crc = header_crc(ds) };
    bool done = false;
    pcdf_first(&ds->io_error, pcdf_writequeue_stage_sync(ds->io->storage, &sync, &done));
    if (ds->ranks.rank == 0 && !ds->on_storage && !ds->io_error)
        ds->io_error = pcdf_dataset_sync_name(ds);
    return done ? NC_NOERR : pcdf_stagelog_is_broken(s->log) ? NC_EFILE : NC_ENOMEM;
}

/* A sync by logs. */
static bool sync_all(struct pcdf_dataset *ds, void *own, int *status)
{
    struct staging *s = own;
    struct pcdf_sync_vote vote = { 0 };
    struct pcdf_vote last = { .kind = PCDF_KIND_SYNC_BY_PART };
    bool can_be =
        s->is_used && ds->mode == PCDF_MODE_COLLECTIVE && !pcdf_parts_must_settle(ds) && !ds->new_path;
    if (!can_be) /* the same on all ranks; before the vote others may be in another call */
        return false;
    int err = pcdf_header_vote_all(ds, PCDF_KIND_SYNC_BY_PART, &vote);
    if (PCDF_SAME_IN(ds, err || vote.header_dirty)) { /* on all ranks, as what follows */
        pcdf_first_vote(ds, status, err);
        return err;
    }
    s->syncs++;
    last.error = sync_own(ds, s, vote.common.numrecs);
    err = pcdf_vote_all(ds, &last);
    pcdf_first_vote(ds, status, err);
    if (!err && last.io_error)
        pcdf_first(status, PCDF_FAIL(last.io_error, "writing the file failed on some rank"));
    s->is_used &= err || last.error != NC_EFILE;
    if (!err && !last.error && !last.io_error) {
        ds->on_storage = true;
        if (ds->meta.numrecs > ds->numrecs_on_file)
            (void)pcdf_records_count(ds, ds->meta.numrecs); /* io_error tells a failure */
    }
    return err || last.io_error || !last.error;
}

static void finish(const struct staging *s)
{
    if (s->log)
        (void)pcdf_stagelog_finish(s->log);
}

/* After a sync without logs: where the storage of one log failed, none is of use. */
static int settle_all(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind)
{
    struct staging *s = own;
    if (kind != PCDF_KIND_SYNC || !s->log || s->is_used)
        return NC_NOERR;
    pcdf_writequeue_stage(ds->io->storage, NULL);
    finish(s);
    s->is_over = true;
    end_log(s);
    return NC_NOERR;
}

/* ---- close */

static bool close_together(const struct pcdf_dataset *ds, const void *own)
{
    (void)ds;
    return ((const struct staging *)own)->is_used;
}

/* All ranks have everything in the file, on its storage: the log is marked so, before one is removed. */
static void whole(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    finish(own);
}

static void closed(struct pcdf_dataset *ds, void *own, bool is_over)
{
    (void)ds;
    ((struct staging *)own)->is_over = is_over;
}

static void not_opened(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    ((struct staging *)own)->is_over = true;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    end_log(own);
}

/* ---- the part */

static void in_force(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints)
{
    const struct staging *s = own;
    (void)ds;
    if (!s || !s->is_used)
        snprintf(hints->stage_dir, sizeof hints->stage_dir, "none");
}

static int facts(const struct pcdf_dataset *ds, const void *own, struct pcdf_proof *facts)
{
    (void)ds;
    facts[0] = (struct pcdf_proof){ "logs of puts", ((const struct staging *)own)->is_used };
    return 1;
}

const struct pcdf_part_ops pcdf_part_staging = {
    .name = "staging",
    .own_size = sizeof(struct staging),
    .is_classic_only = true,
    .root_begin = root_begin,
    .agreed = agreed,
    .root_recover = root_recover,
    .read_all = read_all,
    .not_opened = not_opened,
    .sync_all = sync_all,
    .settle_all = settle_all,
    .close_together = close_together,
    .whole = whole,
    .closed = closed,
    .in_force = in_force,
    .facts = facts,
    .free = free_own,
};
