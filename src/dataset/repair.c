/* See repair.h. One process, which plays all ranks of the communicator MPI_COMM_SELF on the posix engine:
 * what finishes a change is the code that an open for writing runs. */
#include "repair.h"
#include <parcdf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "changestep.h"
#include "decode.h"
#include "header.h"
#include "vote.h"

struct repair {
    const char *path;
    bool dry, force;
    char *report; /* sentences, each a line; what does not fit is cut off */
    size_t left;
    struct pcdf_change change;
};

static void say(struct repair *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct repair *r, const char *format, ...)
{
    va_list args;
    if (r->left < 2)
        return;
    va_start(args, format);
    int n = vsnprintf(r->report, r->left - 1, format, args);
    va_end(args);
    if (n < 0)
        return;
    size_t used = (size_t)n < r->left - 1 ? (size_t)n : r->left - 2;
    memcpy(r->report + used, "\n", 2);
    r->report += used + 1;
    r->left -= used + 1;
}

static void say_header(struct repair *r, const char *which, const struct pcdf_meta *meta, int64_t size)
{
    say(r, "%s header: %lld bytes, CDF-%d, %d dimensions, %d variables, %d global attributes, %lld records",
        which, (long long)size, (int)meta->version, meta->ndims, meta->nvars, meta->gatts.n,
        (long long)meta->numrecs);
}

/* ---- a file of its own, without a user's communicator */

static struct pcdf_dataset *make_dataset(const char *path)
{
    struct pcdf_dataset *ds = pcdf_calloc(1, sizeof *ds);
    if (!ds)
        return NULL;
    ds->comm = (struct pcdf_comm){ .comm = MPI_COMM_SELF, .size = 1 };
    ds->hints.user = MPI_INFO_NULL;
    ds->path = pcdf_strndup(path, strlen(path));
    if (ds->path && pcdf_hints_read(&ds->hints, MPI_INFO_NULL, true) == NC_NOERR)
        return ds;
    pcdf_dataset_free(ds);
    return NULL;
}

static int open_dataset(const char *path, enum pcdf_access_mode mode, struct pcdf_dataset **made)
{
    struct pcdf_dataset *ds = make_dataset(path);
    *made = ds;
    if (!ds)
        return PCDF_FAIL(NC_ENOMEM, "no memory to repair %s", path);
    struct pcdf_engine_config config = { .comm = MPI_COMM_SELF,
                                         .path = ds->path,
                                         .mode = mode,
                                         .info = MPI_INFO_NULL,
                                         .counts = &ds->counts,
                                         .engine = "posix" };
    if (mode == PCDF_MODE_WRITE)
        pcdf_checksum_root_spoil(ds->path);
    return pcdf_engine_open_all(&config, &ds->io);
}

static int close_dataset(struct pcdf_dataset *ds, int err)
{
    if (ds && ds->io)
        pcdf_first(&err, ds->io->ops->close_all(ds->io));
    pcdf_dataset_free(ds);
    return err;
}

/* ---- what the journal says */

static int say_rounds(struct repair *r, struct pcdf_dataset *ds, const struct pcdf_layout *old_layout)
{
    const struct pcdf_journal *j = &r->change.journal;
    struct pcdf_mover m = { .journal = j, .sidecar = &r->change.sidecar };
    int64_t least, most;
    int err = pcdf_mover_prepare(&m, ds, ds->old_meta, old_layout);
    if (!err)
        err = pcdf_change_take_extent(&m, j);
    if (!err)
        err = pcdf_change_count_rounds(&m, &least, &most);
    if (!err)
        say(r,
            "it moves %lld bytes in %lld rounds of %lld parts with %lld bytes; all parts noted %lld rounds, "
            "some %lld",
            (long long)m.segments.nbytes, (long long)m.rounds, (long long)j->parts, (long long)j->chunk,
            (long long)least + 1, (long long)most + 1);
    pcdf_mover_free(&m);
    return err;
}

static int say_journal(struct repair *r)
{
    const struct pcdf_journal *j = &r->change.journal;
    struct pcdf_layout old_layout = { 0 };
    struct pcdf_dataset *ds = NULL;
    say(r, "journal: %s, of a change by process %lld on %s, begun when the file had %lld bytes",
        r->change.path, (long long)j->process, j->host, (long long)j->file_size);
    int err = open_dataset(r->path, PCDF_MODE_READ, &ds);
    if (!err)
        err = pcdf_change_take_headers(ds, j, &old_layout);
    if (!err) {
        say_header(r, "old", ds->old_meta, j->old_size);
        say_header(r, "new", &ds->meta, j->new_size);
    }
    if (!err && j->parts > 0)
        err = say_rounds(r, ds, &old_layout);
    else if (!err)
        say(r, "it writes the header and moves no data");
    pcdf_layout_free(&old_layout);
    return close_dataset(ds, err);
}

/* ---- the ways out */

static int get_bytes(struct pcdf_dataset *ds, int64_t offset, unsigned char *bytes, int64_t n, int64_t *got)
{
    struct pcdf_extents x = { PCDF_GET, 1, &offset, &n, (char *)bytes, n };
    return ds->io->ops->transfer(ds->io, &x, got);
}

/* Is the file, but for its mark, the one that a journal of another inode speaks of? Data that moves never
 * touches the old header, and of the new one the first sector comes last. */
static int check_first_sector(struct repair *r)
{
    const struct pcdf_journal *j = &r->change.journal;
    struct pcdf_dataset *ds;
    unsigned char bytes[512];
    int64_t n = j->old_size < 512 ? j->old_size : 512, got = 0;
    int err = open_dataset(r->path, PCDF_MODE_READ, &ds);
    if (!err)
        err = get_bytes(ds, 0, bytes, n, &got);
    err = close_dataset(ds, err);
    if (err)
        return err;
    bytes[3] &= (unsigned char)~PCDF_CHANGE_MARK;
    if (n < 8 || got != n || memcmp(bytes, j->old_header, (size_t)n) != 0)
        return PCDF_FAIL(NC_ERECOVER, "the journal's old header is not the one of this file");
    return NC_NOERR;
}

static int check_inode(struct repair *r)
{
    int64_t inode = 0;
    PCDF_TRY(pcdf_sidecar_inode(r->path, &inode));
    if (inode == r->change.journal.inode)
        return NC_NOERR;
    say(r, "the journal is of the file with inode %lld, and this one has %lld: one of them was copied",
        (long long)r->change.journal.inode, (long long)inode);
    PCDF_TRY(check_first_sector(r));
    if (r->force)
        return NC_NOERR;
    say(r,
        "the file begins with the journal's old header: --force takes the journal, which is right where file "
        "and journal were copied together");
    return PCDF_FAIL(NC_ERECOVER, "the journal is of another file (inode %lld)",
                     (long long)r->change.journal.inode);
}

/* By the code that an open for writing runs, which opens the journal anew; then the header must be good. */
static int finish_change(struct repair *r)
{
    struct pcdf_dataset *ds;
    int err = open_dataset(r->path, PCDF_MODE_WRITE, &ds);
    if (!err)
        err = pcdf_change_recover_all(ds);
    if (!err)
        err = pcdf_header_read_all(ds, err);
    if (!err)
        say_header(r, "repaired: the change is finished;", &ds->meta, ds->layout.header_size);
    return close_dataset(ds, err);
}

static int follow_journal(struct repair *r)
{
    PCDF_TRY(say_journal(r));
    PCDF_TRY(check_inode(r));
    if (!r->dry) {
        PCDF_TRY(pcdf_sidecar_close(&r->change.sidecar));
        return finish_change(r);
    }
    say(r, "a repair, or the next open for writing, would finish the change");
    return NC_NOERR;
}

/* The header, were the mark not there. */
static int decode_without_mark(struct repair *r, struct pcdf_dataset *ds, unsigned char *version)
{
    unsigned char *bytes = NULL;
    struct pcdf_fault fault = { .text = "" };
    int64_t size = 0, need = 65536;
    PCDF_TRY(ds->io->ops->size(ds->io, &size));
    int err = NC_NOERR;
    while (!err && need > 0) {
        int64_t n = need < size ? need : size;
        unsigned char *more = pcdf_realloc(bytes, (size_t)n + 1);
        if (more)
            bytes = more;
        err = more ? get_bytes(ds, 0, bytes, n, NULL) : NC_ENOMEM;
        if (err)
            break;
        *version = bytes[3] &= (unsigned char)~PCDF_CHANGE_MARK;
        err = pcdf_decode(bytes, (size_t)n, size, &need, &ds->meta, &ds->layout, &fault);
        need *= 4;
    }
    if (err && fault.text[0])
        err = PCDF_FAIL(NC_ERECOVER, "without its mark the header cannot be read either: %s", fault.text);
    if (!err)
        say_header(r, "without its mark the file has a good", &ds->meta, ds->layout.header_size);
    pcdf_free(bytes);
    return err;
}

static int take_mark_away(struct repair *r, unsigned char version)
{
    struct pcdf_dataset *ds;
    int err = open_dataset(r->path, PCDF_MODE_WRITE, &ds);
    if (!err)
        err = pcdf_header_root_put(ds, 3, &version, 1);
    if (!err)
        err = ds->io->ops->flush(ds->io);
    err = close_dataset(ds, err);
    if (!err && r->change.path && pcdf_sidecar_exists(r->change.path))
        err = pcdf_sidecar_remove(r->change.path);
    if (!err)
        say(r, "the mark was taken away: compare the data with what it should be");
    return err;
}

/* Marked, and no journal to go by. */
static int go_without_journal(struct repair *r, const char *why)
{
    struct pcdf_dataset *ds;
    unsigned char version = 0;
    say(r, "the file is marked as being changed, and %s", why);
    int err = open_dataset(r->path, PCDF_MODE_READ, &ds);
    if (!err)
        err = decode_without_mark(r, ds, &version);
    err = close_dataset(ds, err);
    if (err)
        return err;
    say(r, "that is the header before the change. Whether data had begun to move cannot be known: if it had, "
           "values of this file are not where its header says");
    if (r->force && !r->dry)
        return take_mark_away(r, version);
    say(r, "--force takes the mark away and leaves everything else as it is");
    return r->force
               ? NC_NOERR
               : PCDF_FAIL(NC_ERECOVER, "the journal is lost: only --force makes the file readable again");
}

static int go_unmarked(struct repair *r, bool has_journal)
{
    if (!has_journal) {
        say(r, "nothing to do: no change of the file was interrupted");
        return NC_NOERR;
    }
    say(r,
        "a journal lies beside the file, but the change had not begun, or had come to its end: the file is "
        "whole");
    if (r->dry) {
        say(r, "a repair, or the next open for writing, would remove the journal %s", r->change.path);
        return NC_NOERR;
    }
    PCDF_TRY(pcdf_sidecar_sync_file(r->path)); /* that it is whole may be in memory yet */
    PCDF_TRY(pcdf_sidecar_remove(r->change.path));
    say(r, "repaired: removed the journal %s", r->change.path);
    return NC_NOERR;
}

static int go(struct repair *r)
{
    bool marked = false, torn = false, has_journal = false;
    PCDF_TRY(pcdf_file_root_probe(r->path, 1));
    if (pcdf_sidecar_find(r->path, PCDF_JOURNAL_SUFFIX, &r->change.path, &has_journal) == NC_ENOMEM)
        return NC_ENOMEM;
    if (has_journal)
        PCDF_TRY(pcdf_change_root_hold(&r->change, r->path));
    PCDF_TRY(pcdf_change_root_marked(r->path, &marked));
    if (!marked)
        return go_unmarked(r, has_journal);
    if (!has_journal)
        return go_without_journal(r, "no journal lies beside it");
    int err = pcdf_change_read_head(&r->change);
    torn = err == NC_ERECOVER;
    if (err && !torn)
        return err;
    return torn ? go_without_journal(r, pcdf_fail_text()) : follow_journal(r);
}

int pcdf_repair(const char *path, int flags, char *report, size_t size)
{
    struct repair r = { .path = path,
                        .dry = flags & PARCDF_REPAIR_DRY_RUN,
                        .force = flags & PARCDF_REPAIR_FORCE,
                        .report = report,
                        .left = report ? size : 0,
                        .change = { .sidecar = { .fd = -1 } } };
    int up = 0, down = 0;
    if (report && size > 0)
        report[0] = '\0';
    if (!path || !*path)
        return PCDF_FAIL(NC_EBAD_FILE, "the path of the file is empty");
    if (flags & ~(PARCDF_REPAIR_DRY_RUN | PARCDF_REPAIR_FORCE))
        return PCDF_FAIL(NC_EINVAL, "flags %d of parcdf_repair are not known", flags);
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    if (!up || down)
        return PCDF_FAIL(NC_EMPI, "MPI is not there: call MPI_Init before parcdf_repair");
    int err = go(&r);
    pcdf_change_free(&r.change);
    return err;
}
