/* See complete.h. */
#include "complete.h"
#include <errno.h>
#include <sys/stat.h>
#include "encode.h"
#include "filesystem.h"
#include "headerupdate.h"
#include "pnetcdf.h"
#include "posixio.h"
#include "records.h"
#include "streamed.h"
#include "filewriter.h"

/* What rank 0 sees may lack what others wrote (NFS), and they say it themselves. */
int64_t pcdf_reach(const struct pcdf_dataset *ds)
{
    int64_t size = 0, reach = pcdf_storage_reach(ds->io->storage);
    if (ds->ranks.rank == 0 && !pcdf_storage_size(ds->io->storage, &size) && size > reach)
        reach = size;
    return reach;
}

void pcdf_sync_expect(struct pcdf_dataset *ds)
{
    const struct pcdf_filesystem *fs = pcdf_filesystem_at(pcdf_dataset_path(ds));
    struct pcdf_storage *bottom = pcdf_storage_bottom(ds->io->storage);
    bottom->writes_early =
        !ds->readonly && bottom->fd >= 0 && fs->is_local && !fs->is_memory && pcdf_dataset_commits(ds);
}

bool pcdf_must_reach_end(const struct pcdf_dataset *ds)
{
    return (ds->wrote_header || ds->has_grown) && ds->meta.nvars > 0 && !ds->is_short && !ds->writer;
}

/* What the definitions lay out, with so many records. */
static int64_t end_of(const struct pcdf_dataset *ds, int64_t numrecs)
{
    struct pcdf_meta agreed = ds->meta;
    agreed.numrecs = numrecs;
    return pcdf_layout_file_end(&ds->layout, &agreed);
}

int pcdf_extend_all(struct pcdf_dataset *ds, const struct pcdf_meta *meta, int64_t reach)
{
    int64_t end = pcdf_layout_file_end(&ds->layout, meta);
    if (PCDF_SAME_IN(ds, meta->nvars == 0 || ds->is_short || ds->writer || reach >= end))
        return NC_NOERR;
    int status = pcdf_dataset_resize_all(ds, end);
    if (!status)
        pcdf_streamed_reached(ds, end);
    pcdf_first(&ds->io_error, status);
    return status;
}

/* ---- the steps: all data, then what tells of it, so that a crash leaves whole records */

enum step { REACH_END, SYNC, SYNC_NAME, AGREE, COUNT };

struct completion {
    struct pcdf_sync_vote *vote; /* the call's before, then the last */
    int status;
    bool has_failed; /* as all know who take the steps */
    bool commits;    /* and waits for the disk */
    void (*take)(struct completion *c, enum step step);
    enum pcdf_kind kind; /* by all ranks: the call, ... */
    struct pcdf_dataset *ds;
    const struct pcdf_dataset *mine; /* ... by rank 0 alone: file, bottom storage */
    struct pcdf_storage *below;
};

static int complete(struct completion *c, bool reaches, bool commits, bool counts)
{
    const struct {
        enum step step;
        bool is_needed;
    } steps[] = { { REACH_END, reaches }, { SYNC, commits }, { SYNC_NAME, commits },
                  { AGREE, true },        { COUNT, counts }, { SYNC, counts && commits },
                  { AGREE, counts } };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && !c->has_failed; i++)
        if (steps[i].is_needed)
            c->take(c, steps[i].step);
    return c->status;
}

/* ---- by all ranks */

static int reach_end_all(struct pcdf_dataset *ds, const struct pcdf_sync_vote *agreed)
{
    struct pcdf_meta meta = ds->meta;
    meta.numrecs = agreed->common.numrecs;
    return pcdf_extend_all(ds, &meta, agreed->reach);
}

/* A name is not kept with the bytes. */
static int sync_name(const struct pcdf_dataset *ds)
{
    bool is_nameless = !ds->on_storage && ds->storage_kind->on_disk;
    return ds->ranks.rank == 0 && is_nameless ? pcdf_dataset_sync_name(ds) : NC_NOERR;
}

static int count_by_writer_all(const struct completion *c)
{
    struct pcdf_dataset *ds = c->ds;
    int64_t numrecs = c->vote->common.numrecs;
    int err = ds->writer->count_all(ds, numrecs, c->commits);
    pcdf_first(&ds->io_error, err);
    if (!err)
        pcdf_first(&err, pcdf_records_count_now(ds, numrecs));
    return err;
}

/* What fails on one rank ends it when they agree. */
static void take_all(struct completion *c, enum step step)
{
    struct pcdf_dataset *ds = c->ds;
    int err = NC_NOERR;
    if (step == REACH_END) { /* the same on all ranks, as those below */
        err = ds->writer ? ds->writer->write_all(ds) : reach_end_all(ds, c->vote);
    } else if (step == SYNC) {
        err = pcdf_storage_sync(ds->io->storage, true);
        pcdf_first(&ds->io_error, err);
    } else if (step == SYNC_NAME) {
        if (!ds->io_error) /* the vote tells a failure */
            ds->io_error = sync_name(ds);
    } else if (step == COUNT && ds->writer) { /* the same on all ranks */
        err = count_by_writer_all(c);
    } else if (step == COUNT) {
        err = pcdf_records_count_now(ds, c->vote->common.numrecs);
        pcdf_first(&err, pcdf_header_update_write(ds));
    } else { /* AGREE, on all ranks */
        char mine[PCDF_SENTENCE];
        pcdf_fail_save(mine);
        err = pcdf_header_vote_all(ds, c->kind, c->vote);
        c->has_failed = c->vote->common.io_error || ds->poisoned;
        if (ds->writer && c->status && !ds->poisoned) /* rank 0 knows why */
            pcdf_fail_restore(mine);
    }
    pcdf_first_vote(ds, &c->status, err);
}

/* Does its writer have what a sync or close writes? The same on all ranks. */
static bool is_written_late(const struct pcdf_dataset *ds)
{
    return ds->writer && ds->writer->is_dirty(ds);
}

static int complete_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote,
                        bool reaches, bool commits)
{
    struct completion c = { .vote = vote, .take = take_all, .commits = commits, .kind = kind, .ds = ds };
    bool counts = vote->common.numrecs > ds->numrecs_on_file || vote->header_dirty || is_written_late(ds);
    int status = complete(&c, reaches || ds->writer, commits, PCDF_SAME_IN(ds, counts));
    if (commits && !c.has_failed) {
        ds->on_storage = true;
        pcdf_sync_expect(ds);
        ds->put_bytes_synced = ds->put_bytes;
    }
    return status;
}

int pcdf_make_durable_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote)
{
    return complete_all(ds, kind, vote, false, true);
}

/* Why it failed is told as before. */
static void rescue_all(struct pcdf_dataset *ds, const struct pcdf_sync_vote *vote)
{
    char sentence[PCDF_SENTENCE];
    bool can = ds->writer && !ds->readonly && !ds->poisoned && ds->mode == PCDF_MODE_COLLECTIVE;
    if (PCDF_SAME_IN(ds, !can || !vote->common.io_error))
        return;
    pcdf_fail_save(sentence);
    ds->writer->rescue_all(ds, pcdf_dataset_commits(ds));
    if (!ds->poisoned)
        pcdf_fail_restore(sentence);
}

int pcdf_complete_file_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_sync_vote vote = { 0 };
    if (!ds->readonly) {
        /* A sync may have written all that there was to write and left the file shorter than its data. */
        int64_t size = 0;
        bool is_too_short = ds->ranks.rank == 0 && pcdf_must_reach_end(ds) &&
                            !pcdf_storage_size(ds->io->storage, &size) && size < end_of(ds, ds->meta.numrecs);
        vote.wrote = ds->put_bytes != ds->put_bytes_synced || is_too_short;
        vote.reach = pcdf_reach(ds);
    }
    int status = pcdf_header_vote_all(ds, kind, &vote);
    bool wrote =
        vote.wrote || vote.header_dirty || vote.common.numrecs > ds->numrecs_on_file || is_written_late(ds);
    if (PCDF_SAME_IN(ds, !status && !ds->readonly && wrote)) /* on all ranks */
        status = complete_all(ds, kind, &vote, true, pcdf_dataset_commits(ds));
    rescue_all(ds, &vote);
    return status;
}

/* ---- by rank 0 alone, in a thread */

static int root_put(const struct completion *c, int64_t offset, int64_t size, char *bytes)
{
    const struct pcdf_piece piece = { offset, size, bytes };
    const struct pcdf_extents x = { .dir = PCDF_PUT, .by_thread = true, .n = 1, .pieces = &piece };
    return pcdf_storage_move(c->below, &x, NULL);
}

/* By its last byte. */
static int root_reach_end(const struct completion *c)
{
    struct stat st;
    int64_t end = end_of(c->mine, c->vote->common.numrecs);
    if (fstat(pcdf_storage_bottom(c->below)->fd, &st))
        return pcdf_posix_error(errno, NC_EWRITE, "asking for the size of", pcdf_dataset_path(c->mine));
    return c->mine->is_short || st.st_size >= end ? NC_NOERR : root_put(c, end - 1, 1, (char[]){ 0 });
}

static int root_count(const struct completion *c)
{
    unsigned char field[8];
    int size = pcdf_encode_numrecs(c->mine->meta.version, c->vote->common.numrecs, field);
    return root_put(c, 4, size, (char *)field);
}

static void root_take(struct completion *c, enum step step)
{
    c->status = step == REACH_END   ? root_reach_end(c)
                : step == SYNC      ? pcdf_storage_sync(c->below, false)
                : step == SYNC_NAME ? sync_name(c->mine)
                : step == COUNT     ? root_count(c)
                                    : NC_NOERR; /* nobody else knows of it */
    c->has_failed = c->status != NC_NOERR;
}

int pcdf_root_complete_file(const struct pcdf_dataset *ds, struct pcdf_storage *below, int64_t numrecs,
                            bool wrote)
{
    struct pcdf_sync_vote agreed = { .common.numrecs = numrecs };
    struct completion c = { .vote = &agreed, .take = root_take, .mine = ds, .below = below };
    bool counts = numrecs > ds->numrecs_on_file && !ds->is_streaming;
    return complete(&c, wrote, (wrote || counts) && pcdf_dataset_commits(ds), counts);
}
