/* See repair.h. One process, which plays all ranks of a file on the posix storage and calls nothing of MPI:
 * what finishes a change is the code that an open for writing runs. */
#include "rootfile.h"
#include "repair.h"
#include <parcdf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "decode.h"
#include "encode.h"
#include "header.h"
#include "changestep.h"
#include "insertion.h"
#include "metajournal.h"
#include "ownjournal.h"
#include "part.h"
#include "superblock.h"
#include "vote.h"
#include "file.h"

struct repair {
    const char *path, *journal; /* NULL: it is looked for */
    bool dry, force;
    char *report; /* sentences, each a line; cut at the end */
    size_t left;
    struct pcdf_journalfile change;
    struct pcdf_file_mark mark;
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

static int open_dataset(const char *path, enum pcdf_storage_mode mode, struct pcdf_dataset **made)
{
    struct pcdf_dataset *ds = pcdf_calloc(1, sizeof *ds);
    *made = ds;
    if (!ds)
        return PCDF_FAIL(NC_ENOMEM, "no memory to repair %s", path);
    ds->ranks = (struct pcdf_ranks){ .comm = MPI_COMM_NULL, .size = 1 };
    struct pcdf_hints *hints = pcdf_dataset_hints_to_read(ds);
    hints->user = MPI_INFO_NULL;
    ds->path = pcdf_strndup(path, strlen(path));
    if (!ds->path)
        return PCDF_FAIL(NC_ENOMEM, "no memory to repair %s", path);
    PCDF_TRY(pcdf_hints_read_without_mpi(hints));
    ds->commit = hints->commit;
    struct pcdf_sharedfile_config config = {
        .file = { .path = ds->path, .mode = mode, .counts = &ds->counts },
        .comm = MPI_COMM_NULL,
        .info = MPI_INFO_NULL,
        .engine = "posix"
    };
    ds->storage_kind = pcdf_storage_kind(config.engine);
    if (mode == PCDF_STORAGE_WRITE)
        pcdf_parts_root_spoil(ds->path);
    return pcdf_sharedfile_open_all(&config, &ds->io);
}

static int close_dataset(struct pcdf_dataset *ds, int err)
{
    if (ds && ds->io)
        pcdf_first(&err, pcdf_sharedfile_close_all(ds->io));
    pcdf_dataset_free(ds);
    return err;
}

/* ---- what the journal says */

static int say_insertions(struct repair *r, struct pcdf_mover *m, const struct pcdf_layout *old_layout)
{
    int done;
    if (!pcdf_insertions_plan(m, m->ds->old_meta, old_layout, m->journal->block))
        return PCDF_FAIL(NC_ERECOVER, "the journal tells of insertions that cannot make its change");
    PCDF_TRY(pcdf_insertions_count(m, &done));
    say(r, "the file system moves %lld bytes by %d insertions of ranges, %d of them noted%s",
        (long long)m->segments.nbytes, m->ninsertions, done < m->ninsertions ? done : m->ninsertions,
        done > m->ninsertions ? "; all is in its place" : "");
    return NC_NOERR;
}

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
    if (!err && j->block > 0 && most < 0)
        err = say_insertions(r, &m, old_layout);
    else if (!err)
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
    struct pcdf_journal_heartbeat heartbeat = { 0 };
    char begun[PCDF_TIME_TEXT], heard[PCDF_TIME_TEXT];
    bool is_known = pcdf_journalfile_last_heartbeat(&r->change, &heartbeat);
    pcdf_journalfile_time_text(j->begun, begun);
    pcdf_journalfile_time_text(heartbeat.time, heard);
    say(r,
        "journal: %s, of a change by process %lld on %s, begun at %s when the file had %lld bytes, last "
        "heard of at %s",
        r->change.sidecar.path, (long long)heartbeat.owner.process,
        is_known ? heartbeat.owner.host : "an unknown host", begun, (long long)j->file_size,
        is_known ? heard : "no time");
    if (j->has_ranges) {
        say(r, "it writes %lld ranges of HDF5's metadata, %lld bytes with their places",
            (long long)pcdf_journal_ranges(j), (long long)j->new_size);
        return NC_NOERR;
    }

    struct pcdf_layout old_layout = { 0 };
    struct pcdf_dataset *ds = NULL;
    int err = open_dataset(r->path, PCDF_STORAGE_READ, &ds);
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

/* Copied when? A round further than the journal, or less far, cannot be seen: the user has to know. The
 * journal stays what the other file needs. */
static int take_copy(struct repair *r)
{
    const struct pcdf_journal *j = &r->change.journal;
    say(r, "the journal is of the file with inode %lld, and this one has %lld: one of them was copied",
        (long long)j->inode, (long long)r->mark.inode);

    /* Is the file, but for its mark, the one that a journal of another inode speaks of? Data that moves never
     * touches the old header, and of the new one the first sector comes last. */
    struct pcdf_dataset *ds;
    unsigned char bytes[512];
    int64_t n = j->old_size < 512 ? j->old_size : 512, got = 0, after;
    int err = open_dataset(r->path, PCDF_STORAGE_READ, &ds);
    if (!err)
        err = pcdf_storage_move_at(ds->io->storage, PCDF_GET, bytes, n, 0, &got);
    err = close_dataset(ds, err);
    if (err)
        return err;
    bytes[r->mark.is_hdf5 ? PCDF_MARK_SIGNATURE - 1 : PCDF_MARK_AT] &= (unsigned char)~PCDF_CHANGE_MARK;
    /* The nonce stands where numrecs was, or the beginning of the superblock. */
    after = r->mark.is_hdf5 ? PCDF_MARK_FIRST : bytes[3] == PCDF_CDF5 ? 12 : 8;
    if (n < after || got != n || memcmp(bytes, j->old_header, 4) != 0 ||
        memcmp(bytes + after, j->old_header + after, (size_t)(n - after)) != 0)
        return PCDF_FAIL(NC_ERECOVER, "the journal's old header is not the one of this file");

    if (!r->force) {
        say(r, "the file begins with the journal's old header and its nonce: --force takes the journal, "
               "which is "
               "right where nothing was recovered between the two copies");
        return PCDF_FAIL(NC_ERECOVER, "the journal is of another file (inode %lld)", (long long)j->inode);
    }
    if (r->dry)
        return NC_NOERR;
    say(r, "this file gets a copy of the journal; remove the other one when the file that it belongs to is "
           "gone");
    return pcdf_ownjournal_root_copy(&r->change, r->path, r->mark.inode);
}

/* By the code that an open for writing runs; then the header must be good. */
static int finish_change(struct repair *r)
{
    struct pcdf_dataset *ds;
    if (r->mark.is_hdf5) {
        pcdf_parts_root_spoil(r->path);
        PCDF_TRY(pcdf_metajournal_root_finish(r->path, &r->change));
        say(r, "repaired: the change is finished; the file has the new metadata");
        return NC_NOERR;
    }
    int err = open_dataset(r->path, PCDF_STORAGE_WRITE, &ds);
    if (!err) {
        ds->recovery = r->change;
        r->change = (struct pcdf_journalfile){ 0 };
        err = pcdf_change_recover_all(ds);
    }
    if (!err)
        err = pcdf_header_read_all(ds, err);
    if (!err)
        say_header(r, "repaired: the change is finished;", &ds->meta, ds->layout.header_size);
    return close_dataset(ds, err);
}

static int follow_journal(struct repair *r, enum pcdf_claim claim)
{
    PCDF_TRY(say_journal(r));
    int err = pcdf_ownjournal_root_gone(&r->change);
    if (err) {
        say(r, "%s", pcdf_fail_text());
        if (!r->force)
            return err;
    }
    if (claim == PCDF_CLAIM_COPY)
        PCDF_TRY(take_copy(r));
    if (!r->dry)
        return finish_change(r);
    say(r, "a repair, or the next open for writing, would finish the change");
    return NC_NOERR;
}

/* The header, were the mark not there. Where the nonce has the place of the number of records, there are as
 * many as the file's size says: STREAMING, in the specification's words. */
static int decode_without_mark(struct repair *r, struct pcdf_dataset *ds)
{
    unsigned char *bytes = NULL;
    struct pcdf_fault fault = { .text = "" };
    int64_t size = 0, need = 65536;
    PCDF_TRY(pcdf_storage_size(ds->io->storage, &size));
    int err = NC_NOERR;
    while (!err && need > 0) {
        int64_t n = need < size ? need : size;
        unsigned char *more = pcdf_realloc(bytes, (size_t)n + 1);
        if (more)
            bytes = more;
        err = more ? pcdf_storage_move_at(ds->io->storage, PCDF_GET, bytes, n, 0, NULL) : NC_ENOMEM;
        if (err)
            break;
        bytes[3] &= (unsigned char)~PCDF_CHANGE_MARK;
        if (pcdf_journal_mark_has_nonce(r->mark.first) && n >= PCDF_MARK_FIRST)
            memset(bytes + 4, 0xff, bytes[3] == PCDF_CDF5 ? 8 : 4);
        err = pcdf_decode(NULL, bytes, (size_t)n, size, &need, &ds->meta, &ds->layout, &fault);
        need *= 4;
    }
    if (err && fault.text[0])
        err = PCDF_FAIL(NC_ERECOVER, "without its mark the header cannot be read either: %s", fault.text);
    if (!err)
        say_header(r, "without its mark the file has a good", &ds->meta, ds->layout.header_size);
    pcdf_free(bytes);
    return err;
}

/* The journal that cannot be used gets another name. */
static int take_mark_away(struct repair *r, int64_t at, const unsigned char *start, int64_t n)
{
    struct pcdf_dataset *ds;
    int err = open_dataset(r->path, PCDF_STORAGE_WRITE, &ds);
    if (!err)
        err = pcdf_header_root_put(ds, at, start, n);
    if (!err)
        err = pcdf_storage_sync(ds->io->storage, false);
    err = close_dataset(ds, err);
    if (!err && pcdf_journalfile_is_open(&r->change) && pcdf_journalfile_set_aside(&r->change) == NC_NOERR)
        say(r, "what lay beside it is now %s", r->change.sidecar.path);
    if (!err)
        say(r, "the mark was taken away: compare the data with what it should be");
    return err;
}

/* The first bytes of an HDF5 file as they were. */
static int read_superblock(struct repair *r, unsigned char start[PCDF_MARK_FIRST])
{
    unsigned char bytes[PCDF_SUPERBLOCK_BYTES];
    struct pcdf_dataset *ds;
    int64_t got = 0;
    int err = open_dataset(r->path, PCDF_STORAGE_READ, &ds);
    if (!err)
        err = pcdf_storage_move_at(ds->io->storage, PCDF_GET, bytes, sizeof bytes, 0, &got);
    err = close_dataset(ds, err);
    if (!err && got < (int64_t)sizeof bytes)
        err = PCDF_FAIL(NC_ERECOVER, "the file is too short for an HDF5 file");
    if (err)
        return err;
    bytes[PCDF_MARK_SIGNATURE - 1] &= (unsigned char)~PCDF_CHANGE_MARK;
    if (pcdf_journal_mark_has_nonce(r->mark.first))
        pcdf_superblock_restore(bytes);
    memcpy(start, bytes, PCDF_MARK_FIRST);
    return NC_NOERR;
}

static int go_without_ranges(struct repair *r, const char *why)
{
    unsigned char start[PCDF_MARK_FIRST];
    say(r, "the file is marked, since a job was changing its metadata, and %s", why);
    PCDF_TRY(read_superblock(r, start));
    say(r,
        "its metadata may be partly that of before and partly the new one: libhdf5 may fail to read it, or "
        "read wrong values");
    if (r->force && !r->dry)
        return take_mark_away(r, 0, start, PCDF_MARK_FIRST);
    say(r, "--force takes the mark away and leaves everything else as it is");
    return r->force ? NC_NOERR
                    : PCDF_FAIL(NC_ERECOVER,
                                "the journal is lost: only --force makes the file readable again, and what "
                                "it says then may be wrong");
}

/* Marked, and no journal to go by. */
static int go_without_journal(struct repair *r, const char *why)
{
    struct pcdf_dataset *ds;
    unsigned char start[PCDF_MARK_FIRST];
    bool has_nonce = pcdf_journal_mark_has_nonce(r->mark.first);
    int64_t n = 1;
    if (r->mark.is_hdf5)
        return go_without_ranges(r, why);
    say(r, "the file is marked as being changed, and %s", why);
    int err = open_dataset(r->path, PCDF_STORAGE_READ, &ds);
    if (!err)
        err = decode_without_mark(r, ds);
    start[0] = r->mark.first[PCDF_MARK_AT] & (unsigned char)~PCDF_CHANGE_MARK;
    if (!err && has_nonce)
        n += pcdf_encode_numrecs(ds->meta.version, ds->meta.numrecs, start + 1);
    err = close_dataset(ds, err);
    if (err)
        return err;
    say(r, "that is the header before the change. Whether data had begun to move cannot be known: if it had, "
           "values of this file are not where its header says");
    if (has_nonce)
        say(r, "the number of records is what the file's size says: the mark took the place of the number "
               "itself");
    if (r->force && !r->dry)
        return take_mark_away(r, PCDF_MARK_AT, start, n);
    say(r, "--force takes the mark away and leaves everything else as it is");
    return r->force
               ? NC_NOERR
               : PCDF_FAIL(NC_ERECOVER, "the journal is lost: only --force makes the file readable again");
}

static int go_unmarked(struct repair *r, enum pcdf_claim claim)
{
    bool is_needless = claim == PCDF_CLAIM_DONE || claim == PCDF_CLAIM_EMPTY;
    if (claim == PCDF_CLAIM_NONE || claim == PCDF_CLAIM_CLOSED || r->journal) {
        say(r, "nothing to do: no change of the file was interrupted");
        return NC_NOERR;
    }
    say(r, is_needless
               ? "a journal lies beside the file, but the change had not begun, or had come to its end: the "
                 "file is whole"
               : "a journal of another file, or of one that was replaced, lies beside the file: this one is "
                 "whole");
    if (r->dry) {
        say(r, "a repair, or the next open for writing, would %s the journal %s",
            is_needless ? "remove" : "rename", r->change.sidecar.path);
        return NC_NOERR;
    }
    int err = pcdf_ownjournal_root_tidy(&r->change, r->path, claim);
    if (err && r->force && claim == PCDF_CLAIM_DONE) {
        say(r, "%s", pcdf_fail_text());
        err = pcdf_sidecar_sync_file(r->path);
        pcdf_first(&err, err ? err : pcdf_journalfile_remove(&r->change));
    }
    if (!err)
        say(r, "repaired: %s the journal %s",
            is_needless ? "removed" : "set aside, so that its file finds it,", r->change.sidecar.path);
    return err;
}

/* ---- the number of records of a file whose size counts them */

static bool is_streaming(const struct repair *r)
{
    static const unsigned char ones[8] = { 255, 255, 255, 255, 255, 255, 255, 255 };
    const unsigned char *b = r->mark.first;
    return !r->mark.is_marked && memcmp(b, "CDF", 3) == 0 &&
           memcmp(b + 4, ones, b[3] == PCDF_CDF5 ? 8 : 4) == 0;
}

/* One write, in the first sector. What there is of a further record stays: the next one is written over it.
 */
static int write_count(struct repair *r, struct pcdf_dataset *ds)
{
    unsigned char field[8];
    int64_t end = pcdf_layout_file_end(&ds->layout, &ds->meta), behind = ds->file_size - end;
    int size = pcdf_encode_numrecs(ds->meta.version, ds->meta.numrecs, field), err = NC_NOERR;
    bool is_partial = behind > 3; /* else it is padding */
    say(r, "the header leaves the number of records to the size of the file (STREAMING): %lld are whole",
        (long long)ds->meta.numrecs);
    if (is_partial)
        say(r, "%lld bytes behind them, of a record that was not complete, stay where they are",
            (long long)behind);
    if (!r->dry)
        err = pcdf_storage_move_at(ds->io->storage, PCDF_PUT, field, size, 4, NULL);
    if (!r->dry && !err)
        err = pcdf_storage_sync(ds->io->storage, false);
    if (!err)
        say(r, r->dry ? "a repair would write this number into the header"
                      : "repaired: the header has this number now");
    return err;
}

static int repair_count(struct repair *r)
{
    struct pcdf_dataset *ds;
    int err = open_dataset(r->path, r->dry ? PCDF_STORAGE_READ : PCDF_STORAGE_WRITE, &ds);
    if (!err) {
        ds->readonly = true; /* reads as much as can be read */
        err = pcdf_header_read_all(ds, NC_NOERR);
    }
    if (!err)
        err = write_count(r, ds);
    return close_dataset(ds, err);
}

static int go(struct repair *r)
{
    enum pcdf_claim claim;
    PCDF_TRY(pcdf_file_root_probe(r->path, 1));
    PCDF_TRY(pcdf_ownjournal_root_find(r->path, r->journal, &r->change, &r->mark, &claim));
    bool is_idle = claim == PCDF_CLAIM_NONE || claim == PCDF_CLAIM_CLOSED || r->journal;
    if (!r->mark.is_marked && !(is_idle && is_streaming(r)))
        PCDF_TRY(go_unmarked(r, claim));
    if (!r->mark.is_marked)
        return is_streaming(r) ? repair_count(r) : NC_NOERR;
    switch (claim) {
    case PCDF_CLAIM_OWN:
    case PCDF_CLAIM_COPY:
        return follow_journal(r, claim);
    case PCDF_CLAIM_NONE:
        return go_without_journal(r, "no journal lies beside it, nor is its own in the folder");
    case PCDF_CLAIM_OTHER:
        return go_without_journal(r, "the journal beside it is of another file, or of another change");
    default:
        return go_without_journal(r, pcdf_fail_text());
    }
}

int pcdf_repair(const char *path, const char *journal, int flags, char *report, size_t size)
{
    struct repair r = { .path = path,
                        .journal = journal,
                        .dry = flags & PARCDF_REPAIR_DRY_RUN,
                        .force = flags & PARCDF_REPAIR_FORCE,
                        .report = report,
                        .left = report ? size : 0 };
    if (report && size > 0)
        report[0] = '\0';
    if (!path || !*path)
        return PCDF_FAIL(NC_EBAD_FILE, "the path of the file is empty");
    if (flags & ~(PARCDF_REPAIR_DRY_RUN | PARCDF_REPAIR_FORCE))
        return PCDF_FAIL(NC_EINVAL, "flags %d of parcdf_repair are not known", flags);
    int err = go(&r);
    pcdf_journalfile_close(&r.change);
    return err;
}
