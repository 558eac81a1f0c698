/* See change.h. Rank 0 alone keeps the journal's head, the mark and the header; the others take part in
 * moving and filling. */
#include "changestep.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "decode.h"
#include "filelock.h"
#include "filesystem.h"
#include "ownjournal.h"
#include "pnetcdf.h"
#include "streamed.h"
#include "vote.h"
#include "fill.h"
#include "insertion.h"

/* ---- the journal of a change */

/* Would a recovery be able to read both headers? */
static int check_headers(const struct pcdf_journal *j)
{
    for (int i = 0; i < 2; i++) {
        int64_t need = 0;
        struct pcdf_layout layout;
        struct pcdf_fault fault = { .text = "cut off" };
        struct pcdf_meta meta;
        int err =
            pcdf_decode(NULL, i ? j->new_header : j->old_header, (size_t)(i ? j->new_size : j->old_size),
                        INT64_MAX, &need, &meta, &layout, &fault);
        if (!err && !need) {
            pcdf_layout_free(&layout);
            pcdf_meta_free(&meta);
        } else {
            return err == NC_ENOMEM ? err
                                    : PCDF_FAIL(NC_ERECOVER, "its %s header could not be read back: %s",
                                                i ? "new" : "old", fault.text);
        }
    }
    return NC_NOERR;
}

/* The geometry of a move is in c->journal already. */
static int root_write_journal(struct pcdf_dataset *ds, struct pcdf_journalfile *c,
                              const struct pcdf_header_bytes *old, const struct pcdf_header_bytes *header,
                              const unsigned char *fills, bool syncs)
{
    struct pcdf_journal *j = &c->journal;
    j->old_header = old->bytes;
    j->old_size = old->size;
    j->new_header = header->bytes;
    j->new_size = header->size;
    j->fills = fills;
    j->nfills = fills ? ds->meta.nvars : 0;
    return pcdf_ownjournal_root_write(pcdf_dataset_path(ds), ds->inode, check_headers, syncs, c);
}

/* ---- the header and its mark */

/* With the nonce of the journal, where there is one. That it is set is noted when it cannot be lost any more.
 */
static int root_mark(struct pcdf_dataset *ds, const unsigned char *header, struct pcdf_journalfile *c,
                     bool syncs)
{
    unsigned char mark[PCDF_MARK_FIRST];
    int n = pcdf_journal_mark(header[3], c->journal.nonce, mark);
    PCDF_TRY(pcdf_header_root_put(ds, PCDF_MARK_AT, mark, pcdf_journalfile_is_open(c) ? n : 1));
    PCDF_TRY(pcdf_move_sync(ds, syncs));
    c->is_marked = true;
    pcdf_journalfile_heartbeat(c, true, false);
    return NC_NOERR;
}

/* The last step, of which the span is what changed: the mark goes with the first sector, the only one that
 * readers of a marked file look at. */
static int root_put_header(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header,
                           struct pcdf_header_span span, bool syncs)
{
    int64_t first = header->size < PCDF_SECTOR ? header->size : PCDF_SECTOR;
    int64_t from = span.from > first ? span.from : first;
    PCDF_TRY(pcdf_header_root_put(ds, from, header->bytes + from, span.to - from));
    /* Otherwise a header that ends in zeros might be read. */
    if (from < span.to && (syncs || pcdf_dataset_must_last(ds)))
        PCDF_TRY(pcdf_storage_sync(ds->io->storage, false));
    /* All of the header is put: it is canonical, or storage fails, and no header is written any more. */
    if (span.from == 0 && span.to == header->size)
        ds->header_is_noncanonical = false;
    PCDF_TRY(pcdf_header_root_put(ds, 0, header->bytes, first));
    return pcdf_move_sync(ds, syncs);
}

/* A file that has no name any more ends with its handle. */
static bool is_unlinked(const struct pcdf_dataset *ds)
{
    struct stat st;
    int fd = pcdf_storage_bottom(ds->io->storage)->fd;
    return fd >= 0 && !fstat(fd, &st) && st.st_nlink == 0;
}

bool pcdf_change_wants_journal(const struct pcdf_dataset *ds)
{
    return ds->storage_kind->on_disk && ds->hints.journal != PCDF_JOURNAL_OFF && !is_unlinked(ds);
}

int pcdf_change_root_header(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header,
                            const struct pcdf_header_bytes *old, enum pcdf_change_step *next)
{
    struct pcdf_journalfile c = { 0 };
    enum pcdf_change_step ours;
    if (!next)
        next = &ours;
    *next = PCDF_STEP_HEADER;
    if (!old) {
        int err = root_put_header(ds, header, (struct pcdf_header_span){ 0, header->size }, ds->on_storage);
        pcdf_first(&ds->io_error, err);
        return err;
    }
    (void)pcdf_dataset_follow(ds); /* the journal lies beside its present name */
    struct pcdf_header_span s = pcdf_header_changed(ds, header, old);
    bool in_one = pcdf_change_fits_sector(s);
    int err = NC_NOERR;
    if (!in_one)
        *next = pcdf_change_wants_journal(ds) ? PCDF_STEP_JOURNAL : PCDF_STEP_MARK;
    if (*next == PCDF_STEP_JOURNAL) {
        err = root_write_journal(ds, &c, old, header, NULL, ds->on_storage);
        *next = err ? PCDF_STEP_NONE : PCDF_STEP_MARK;
    }
    if (*next != PCDF_STEP_NONE) {
        if (*next == PCDF_STEP_MARK) {
            err = root_mark(ds, old->bytes, &c, ds->on_storage);
            if (!err)
                err = root_put_header(ds, header, s, ds->on_storage);
        } else {
            err = pcdf_header_root_put(ds, s.from, header->bytes + s.from, s.to - s.from);
        }
        pcdf_first(&ds->io_error, err);
        ds->header_is_noncanonical &= err != NC_NOERR; /* then all of it was written */
        if (!err && pcdf_journalfile_is_open(&c))
            err = pcdf_ownjournal_root_end(&c, ds->on_storage);
        else if (pcdf_journalfile_is_open(&c))
            pcdf_journalfile_heartbeat(&c, true, true);
    }
    pcdf_journalfile_close(&c);
    return err;
}

/* ---- a change that moves data */

/* How much goes through the journal at a time. Two syncs end a step on a disk: large ones. Where nothing
 * waits for one: so little that what was read is still in the processor's cache when it is written. Most of
 * the file system's room is left to others. */
static int64_t journal_slot(const struct pcdf_dataset *ds, int64_t piece, bool syncs)
{
    const int64_t cached = 256 << 10, slots_of_free_room = 16;
    int64_t room, slot = piece;
    if (!syncs || pcdf_filesystem_at(pcdf_dataset_path(ds))->is_memory)
        slot = piece < cached ? piece : cached;
    else if (piece < INT64_MAX / 16)
        slot = 16 * piece;
    if (pcdf_filesystem_room(pcdf_dataset_path(ds), &room) &&
        room / slots_of_free_room / ds->ranks.size < slot)
        slot = room / slots_of_free_room / ds->ranks.size;
    return slot;
}

struct move_vote {
    struct pcdf_vote common;
    int64_t piece;     /* bytes in memory at once; smallest holds */
    int64_t slot;      /* bytes through the journal at once; smallest holds */
    int64_t file_size; /* what this rank sees */
    bool is_protected; /* by a journal; when all ranks want one */
};
static const struct pcdf_vote_form move_form = {
    { PCDF_VOTE_SMALLEST(move_vote, piece), PCDF_VOTE_SMALLEST(move_vote, slot),
      PCDF_VOTE_LARGEST(move_vote, file_size), PCDF_VOTE_SMALLEST(move_vote, is_protected) }
};

/* What a rank says about how it will move: all must go the same way. *next: the first step, or none. */
static int agree_on_move_all(struct pcdf_dataset *ds, struct pcdf_mover *m, int status,
                             enum pcdf_change_step *next)
{
    int64_t file_size = 0, piece = ds->hints.move_chunk;
    if (!status)
        status = pcdf_storage_size(ds->io->storage, &file_size);
    if (!status) /* no rank will be asked for more */
        status = pcdf_mover_room(m, piece + 2 * PCDF_JOURNAL_BLOCK);
    struct move_vote vote = { .common = { .kind = PCDF_KIND_MOVE, .error = status },
                              .piece = piece,
                              .slot =
                                  pcdf_change_wants_journal(ds) ? journal_slot(ds, piece, m->syncs) : piece,
                              .file_size = file_size,
                              .is_protected = pcdf_change_wants_journal(ds) };
    pcdf_first_vote(ds, &status, pcdf_vote_form_all(ds, &move_form, &vote.common));
    *next = vote.common.error || ds->poisoned ? PCDF_STEP_NONE /* the same on all ranks */
            : vote.is_protected               ? PCDF_STEP_JOURNAL
                                              : PCDF_STEP_MARK;
    if (!status && vote.common.error)
        status = PCDF_FAIL(vote.common.error, "another rank cannot move data");
    if (*next == PCDF_STEP_NONE)
        return status;
    struct pcdf_move_limits limits = { vote.piece, vote.piece, vote.is_protected };
    if (vote.is_protected) { /* a vote costs more than a small step */
        limits.slot = vote.slot;
        int64_t several = vote.slot < vote.piece / 4 ? 4 * vote.slot : vote.piece;
        limits.together = vote.slot < several ? several : vote.slot;
    }
    pcdf_mover_choose(m, vote.file_size, ds->ranks.size, &limits);
    return status;
}

/* Does every rank have what it needs? If not, nobody begins. */
int pcdf_change_begin_all(struct pcdf_dataset *ds, int status, enum pcdf_change_step *next)
{
    struct pcdf_vote vote = { .kind = PCDF_KIND_MOVE, .error = status };
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    if (vote.error || vote.io_error || ds->poisoned) /* the same on all ranks */
        *next = PCDF_STEP_NONE;
    if (!status && *next == PCDF_STEP_NONE)
        status = PCDF_FAIL(vote.error ? vote.error : vote.io_error,
                           "another rank cannot move data; nothing has changed");
    return status;
}

/* Rank 0's head of the journal; every rank has its geometry already. */
static int root_begin_journal(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                              const struct pcdf_header_bytes *header, struct pcdf_journalfile *c, bool syncs)
{
    struct pcdf_header_bytes old = { 0 };
    unsigned char *fills = pcdf_malloc((size_t)ds->meta.nvars + 1);
    for (int i = 0; fills && i < ds->meta.nvars; i++) {
        int no_fill = 1;
        (void)pcdf_fill_inquire(ds, i, &no_fill, NULL);
        fills[i] = !no_fill;
    }
    int err = fills ? pcdf_header_encode(ds->old_meta, old_layout, &old)
                    : PCDF_FAIL(NC_ENOMEM, "no memory for the journal");
    if (!err)
        err = root_write_journal(ds, c, &old, header, fills, syncs);
    pcdf_free(fills);
    pcdf_free(old.bytes);
    c->journal.old_header = c->journal.new_header = c->journal.fills = NULL; /* on the storage now */
    return err;
}

/* On another rank than 0. What has the name may be another journal by now. */
static int open_roots_journal(struct pcdf_dataset *ds, struct pcdf_journalfile *c)
{
    unsigned char start[32];
    char *path = NULL;
    bool is_there;
    int64_t inode;
    int err = pcdf_sidecar_find(pcdf_dataset_path(ds), PCDF_JOURNAL_SUFFIX, &path, &is_there);
    if (!err)
        err = pcdf_sidecar_open(pcdf_dataset_path(ds), path, PCDF_SIDECAR_WRITE, &c->sidecar);
    pcdf_free(path);
    PCDF_TRY(err);
    PCDF_TRY(pcdf_sidecar_get(&c->sidecar, start, sizeof start, 0, NULL));
    if (pcdf_journal_peek(start, &inode) != c->journal.nonce)
        return PCDF_FAIL(NC_EACCESS, "%s is not the journal that rank 0 made", c->sidecar.path);
    pcdf_filelock_join(c->sidecar.fd);
    return NC_NOERR;
}

/* The journal is there and open on every rank, or nothing happened. */
static int begin_journal_all(struct pcdf_dataset *ds, struct pcdf_mover *m,
                             const struct pcdf_layout *old_layout, const struct pcdf_header_bytes *header,
                             struct pcdf_journalfile *c, enum pcdf_change_step *next)
{
    bool is_root = ds->ranks.rank == 0;
    struct pcdf_journal *j = &c->journal;
    int64_t about[3]; /* the journal's nonce, head size, insertion block */
    *j = (struct pcdf_journal){ .file_size = m->file_size,
                                .parts = m->parts,
                                .chunk = m->chunk,
                                .step = m->step,
                                .room = pcdf_mover_slot_room(m) };
    /* A move reads what other nodes wrote, also what no sync covered yet. */
    int status = pcdf_move_sync(ds, m->syncs);
    pcdf_first(&ds->io_error, status);
    if (is_root && !status)
        status = pcdf_insertions_root_choose(m, old_layout, &j->block);
    if (is_root && !status)
        status = root_begin_journal(ds, old_layout, header, c, m->syncs);
    about[0] = (int64_t)j->nonce;
    about[1] = status ? 0 : j->old_size;
    about[2] = j->block;
    pcdf_first(&status,
               pcdf_ranks_bcast_all(&ds->ranks, about, sizeof about)); /* also: no rank opens it too early */
    if (!is_root) {
        j->nonce = (uint64_t)about[0];
        j->old_size = about[1];
        j->new_size = header->size;
        j->nfills = ds->meta.nvars;
        j->block = about[2];
    }
    if (!is_root && about[1] > 0 && !status)
        status = open_roots_journal(ds, c);
    bool made = is_root && !status;
    *next = PCDF_STEP_MARK;
    status = pcdf_change_begin_all(ds, status, next);
    if (made && *next == PCDF_STEP_NONE && !ds->poisoned)
        (void)pcdf_ownjournal_root_end(c, m->syncs);
    m->journal = j;
    m->sidecar = &c->sidecar;
    if (!status && ds->ranks.rank < m->parts && pcdf_storage_by_system(ds->io->storage))
        pcdf_journalfile_map(c, pcdf_journal_slot(j, ds->ranks.rank, 0),
                             pcdf_journal_slot(j, ds->ranks.rank + 1, 0));
    return status;
}

/* After all data is in its place, on this file and on the storage: the new header, on all ranks the verdict.
 */
int pcdf_change_end_all(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header,
                        struct pcdf_journalfile *c, bool syncs, int status)
{
    struct pcdf_vote vote = { .kind = PCDF_KIND_ENDDEF };
    if (ds->ranks.rank == 0 && !ds->io_error) {
        int err = root_put_header(ds, header, (struct pcdf_header_span){ 0, header->size }, syncs);
        pcdf_first(&ds->io_error, err);
        if (!err && pcdf_journalfile_is_open(c))
            err = pcdf_ownjournal_root_end(c, syncs);
        pcdf_first(&status, err);
    }
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    if (!status && vote.io_error)
        status = PCDF_FAIL(vote.io_error, "the new header or moved data could not be written on some rank");
    ds->is_half_changed = vote.io_error != NC_NOERR;
    if (ds->ranks.rank == 0 && ds->is_half_changed && !ds->poisoned) /* nobody goes on: the next may */
        pcdf_journalfile_heartbeat(c, true, true);
    return status;
}

/* Records that the size of the file counts are there when the new header is: also if a new variable is the
 * last one, and has no values yet. What is left behind them of a record that was never complete goes. */
static int reach_records_all(struct pcdf_dataset *ds)
{
    int64_t end = pcdf_layout_file_end(&ds->layout, &ds->meta);
    if (PCDF_SAME_IN(ds, !ds->is_streaming || ds->meta.numrecs == 0 || ds->is_short))
        return NC_NOERR;
    int status = pcdf_dataset_resize_all(ds, end);
    pcdf_first(&ds->io_error, status);
    if (!status)
        pcdf_streamed_reached(ds, end);
    return status;
}

/* What this rank filled is on the storage before the header names it. */
int pcdf_change_fill_all(struct pcdf_dataset *ds, bool syncs)
{
    struct pcdf_vote vote = { .kind = PCDF_KIND_FILL };
    int64_t before = ds->put_bytes;
    int status = reach_records_all(ds);
    if (PCDF_SAME_IN(ds, pcdf_fill_bytes(ds) == 0)) /* enddef agreed on definitions and modes */
        return status;
    if (!status)
        status = pcdf_fill_new(ds);
    if (!status && ds->put_bytes > before)
        status = pcdf_move_sync(ds, syncs);
    pcdf_first(&ds->io_error, status);
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    return status;
}

static int write_moving_all(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                            const struct pcdf_header_bytes *header, enum pcdf_change_step *next)
{
    struct pcdf_journalfile c = { 0 };
    struct pcdf_mover m = { .change = &c };
    (void)pcdf_dataset_follow(ds); /* the journal lies beside its present name */
    /* Data that moves goes over the only copy of something: this waits for the disk in a new file, too. */
    m.syncs = ds->on_storage || ds->commit != PCDF_COMMIT_NONE;
    int status = pcdf_mover_prepare(&m, ds, ds->old_meta, old_layout);
    status = agree_on_move_all(ds, &m, status, next);
    if (PCDF_SAME_IN(ds, *next != PCDF_STEP_JOURNAL || m.segments.nbytes == 0))
        m.syncs = ds->on_storage;
    if (PCDF_SAME_IN(ds, *next == PCDF_STEP_JOURNAL))
        status = begin_journal_all(ds, &m, old_layout, header, &c, next);
    if (PCDF_SAME_IN(ds, *next == PCDF_STEP_MARK)) {
        if (ds->ranks.rank == 0)
            status = root_mark(ds, header->bytes, &c, m.syncs);
        *next = PCDF_STEP_MOVE;
        if (PCDF_SAME_IN(ds, c.journal.block > 0)) {
            bool is_refused;
            status = pcdf_insertions_run_all(&m, status, &is_refused);
            *next = is_refused ? PCDF_STEP_MOVE : PCDF_STEP_FILL;
        }
        if (PCDF_SAME_IN(ds, *next == PCDF_STEP_MOVE))
            status = pcdf_mover_run_all(&m, 0, status);
        *next = PCDF_STEP_FILL;
        if (PCDF_SAME_IN(ds, !ds->io_error && !ds->poisoned)) /* since the last vote */
            pcdf_first_vote(ds, &status, pcdf_change_fill_all(ds, m.syncs));
        *next = PCDF_STEP_HEADER;
        if (!ds->poisoned) /* on all ranks */
            status = pcdf_change_end_all(ds, header, &c, m.syncs, status);
    }
    pcdf_mover_free(&m);
    pcdf_journalfile_close(&c);
    return status;
}

static int write_in_place_all(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                              const struct pcdf_header_bytes *header, enum pcdf_change_step *next)
{
    struct pcdf_vote vote = { .kind = PCDF_KIND_ENDDEF };
    struct pcdf_header_bytes old = { 0 };
    int status = pcdf_change_fill_all(ds, ds->on_storage);
    *next = PCDF_STEP_HEADER;
    if (ds->poisoned) /* on all ranks */
        return status;
    if (ds->ranks.rank == 0 && !ds->io_error) {
        enum pcdf_change_step mine = PCDF_STEP_NONE;
        int err = ds->old_meta ? pcdf_header_encode(ds->old_meta, old_layout, &old) : NC_NOERR;
        if (!err)
            err = pcdf_change_root_header(ds, header, ds->old_meta ? &old : NULL, &mine);
        pcdf_free(old.bytes);
        vote.error = mine == PCDF_STEP_NONE ? err : NC_NOERR;
        pcdf_first(&status, err);
    }
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    if (vote.error || ds->poisoned) /* the same on all ranks */
        *next = PCDF_STEP_NONE;
    if (!status && vote.error)
        status = PCDF_FAIL(vote.error, "rank 0 cannot write the header; nothing has changed");
    if (!status && vote.io_error)
        status = PCDF_FAIL(vote.io_error, "the new header could not be written");
    return status;
}

int pcdf_change_write_all(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                          const struct pcdf_header_bytes *header, enum pcdf_change_step *next)
{
    bool moves =
        ds->old_meta && pcdf_move_is_needed(ds->old_meta, old_layout, &ds->layout); /* on all ranks */
    /* The layouts are the same on all ranks, so is `moves`. */
    int status = moves ? write_moving_all(ds, old_layout, header, next)
                       : write_in_place_all(ds, old_layout, header, next);
    if (PCDF_SAME_IN(ds, *next == PCDF_STEP_NONE || ds->poisoned))
        return status;
    ds->numrecs_on_file = ds->meta.numrecs;
    ds->wrote_header = true;
    return status;
}
