/* See insertion.h. */
#include "insertion.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "debuglog.h"
#include "extentshift.h"
#include "filesystem.h"
#include "posixio.h"
#include "progress.h"
#include "vote.h"

/* ---- which */

/* Data of the file that begins at `from` and goes to `to`, behind all that was added before. What does not
 * move by more than what lies below moves along. */
static bool add_insertion(struct pcdf_mover *m, int64_t block, int64_t from, int64_t to)
{
    struct pcdf_insertion *last = m->ninsertions ? &m->insertions[m->ninsertions - 1] : NULL;
    int64_t shift = to - from, at = (from + block - 1) / block * block;
    if (shift == (last ? last->shift : 0))
        return true;
    if (shift < (last ? last->shift : 0) || shift % block != 0 || at >= m->file_size ||
        (last && at <= last->at) || m->ninsertions == PCDF_INSERTIONS_MOST)
        return false;
    m->insertions[m->ninsertions++] = (struct pcdf_insertion){ from, at, shift };
    return true;
}

bool pcdf_insertions_plan(struct pcdf_mover *m, const struct pcdf_meta *old, const struct pcdf_layout *from,
                          int64_t block)
{
    const struct pcdf_layout *to = &m->ds->layout;
    int64_t end = from->header_size;
    bool fits = true;
    m->ninsertions = 0;
    for (int i = 0; i < old->nvars && fits; i++) {
        if (old->vars[i].is_record || old->vars[i].nbytes == 0 || from->begin[i] >= m->file_size)
            continue;
        fits = from->begin[i] >= end && add_insertion(m, block, from->begin[i], to->begin[i]);
        end = from->begin[i] + old->vars[i].nbytes;
    }
    if (fits && old->nrecord_vars > 0 && old->numrecs > 0 && from->begin_rec < m->file_size)
        fits = (from->recsize == to->recsize || old->numrecs == 1) && from->begin_rec >= end &&
               add_insertion(m, block, from->begin_rec, to->begin_rec);
    return fits && m->ninsertions > 0;
}

/* By how much less an insertion moves things than its shift: so far they have moved before. */
static int64_t moved_before(const struct pcdf_mover *m, int i)
{
    return i > 0 ? m->insertions[i - 1].shift : 0;
}

/* ---- the file, as rank 0 has it open for this */

static int open_file(const struct pcdf_mover *m, int64_t inode, int *fd)
{
    const char *path = pcdf_dataset_path(m->ds);
    struct stat st;
    *fd = pcdf_posix_open(pcdf_path_posix(path), O_RDWR | O_NONBLOCK);
    if (*fd < 0)
        return pcdf_posix_error(errno, NC_EFILE, "opening", path);
    if (!fstat(*fd, &st) && (int64_t)st.st_ino == inode)
        return NC_NOERR;
    close(*fd);
    return PCDF_FAIL(NC_EFILE, "%s is another file than the one that is open", path);
}

static int size_of(const struct pcdf_mover *m, int fd, int64_t *size)
{
    struct stat st;
    if (fstat(fd, &st))
        return pcdf_posix_error(errno, NC_EFILE, "inspecting", pcdf_dataset_path(m->ds));
    *size = (int64_t)st.st_size;
    return NC_NOERR;
}

static int sync_file(const struct pcdf_mover *m, int fd)
{
    bool failed = false;
    return m->syncs ? pcdf_posix_sync(fd, pcdf_dataset_path(m->ds), &failed) : NC_NOERR;
}

/* A hole would hide the one that tells how far an insertion came. What is not written yet is none. */
static int look_for_holes(struct pcdf_mover *m, int fd, const struct pcdf_layout *from, int64_t *block)
{
    int64_t size, unit = pcdf_extentshift_block(fd);
    struct pcdf_hole hole;
    if (unit == 0 || !pcdf_insertions_plan(m, m->ds->old_meta, from, unit))
        return NC_NOERR;
    PCDF_TRY(sync_file(m, fd));
    PCDF_TRY(size_of(m, fd, &size));
    if (size == m->file_size && pcdf_hole_find(fd, m->insertions[0].at, size, &hole) && hole.begin == size)
        *block = unit;
    return NC_NOERR;
}

int pcdf_insertions_root_choose(struct pcdf_mover *m, const struct pcdf_layout *from, int64_t *block)
{
    enum { CHUNKS_WORTH = 16 }; /* a few syncs cost more than moving less */
    const struct pcdf_dataset *ds = m->ds;
    bool is_asked = ds->hints.move == PCDF_MOVE_INSERT;
    int fd;
    *block = 0;
    /* A file that needs no sync moves in memory, faster than the disk takes what an insertion flushes.
     * Without a journal of its own a file system shifts extents in any order. A part that settles wants to
     * see all bytes that change. */
    if (pcdf_parts_must_settle(ds) || !(m->syncs || is_asked) ||
        m->segments.nbytes / CHUNKS_WORTH < ds->hints.move_chunk || open_file(m, ds->inode, &fd))
        return NC_NOERR;
    int err = is_asked || pcdf_filesystem_has_journal(fd) ? look_for_holes(m, fd, from, block) : NC_NOERR;
    close(fd);
    return err;
}

/* ---- notes */

static int put_note(struct pcdf_mover *m, int number)
{
    struct pcdf_journal_record note = { .nonce = m->journal->nonce, .round = number };
    unsigned char bytes[PCDF_JOURNAL_RECORD];
    pcdf_journal_record_encode(&note, bytes);
    PCDF_TRY(pcdf_sidecar_put(m->sidecar, bytes, sizeof bytes, pcdf_journal_note_at(m->journal, number)));
    return m->syncs ? pcdf_sidecar_sync(m->sidecar) : NC_NOERR;
}

int pcdf_insertions_count(struct pcdf_mover *m, int *done)
{
    bool is_noted = true;
    *done = 0;
    while (is_noted && *done <= m->ninsertions) {
        unsigned char bytes[PCDF_JOURNAL_RECORD];
        struct pcdf_journal_record note;
        int64_t at = pcdf_journal_note_at(m->journal, *done);
        PCDF_TRY(pcdf_sidecar_get(m->sidecar, bytes, sizeof bytes, at, NULL));
        is_noted =
            pcdf_journal_record_decode(bytes, m->journal->nonce, &note) && note.round == *done && !note.there;
        *done += is_noted;
    }
    return NC_NOERR;
}

/* ---- one insertion */

/* Moves [at, end) to [at + by, end + by). */
struct step {
    int64_t at, by, end;
};

static struct step step_of(const struct pcdf_mover *m, int i)
{
    int64_t before = moved_before(m, i);
    return (struct step){ m->insertions[i].at + before, m->insertions[i].shift - before,
                          m->file_size + before };
}

static int say_unclear(const struct pcdf_mover *m, const struct step *s, int64_t size)
{
    return PCDF_FAIL(NC_ERECOVER,
                     "%s has %lld bytes, and its holes do not tell how far %lld bytes were inserted at byte "
                     "%lld of %lld: was it copied, or written to? Nothing was changed; use the file itself",
                     pcdf_dataset_path(m->ds), (long long)size, (long long)s->by, (long long)s->at,
                     (long long)s->end);
}

/* The file has the size that the step leaves, and no note: how far did it come? What is half done is undone
 * (again: an undoing that was stopped leaves the same states). */
static int undo_half(struct pcdf_mover *m, int fd, const struct step *s, bool *is_complete)
{
    int64_t block = m->journal->block, size = s->end + s->by;
    struct pcdf_hole hole, second;
    int failed = 0;
    if (!pcdf_hole_find(fd, s->at, size, &hole) || !pcdf_hole_find(fd, hole.end, size, &second) ||
        second.begin < size)
        return say_unclear(m, s, size);
    bool is_whole = hole.end - hole.begin == s->by && hole.end < size && hole.begin % block == 0;
    *is_complete = is_whole && hole.begin == s->at;
    if (*is_complete)
        return NC_NOERR;
    if (hole.end == size && hole.begin >= s->end && hole.begin - s->end < block)
        failed = pcdf_extentshift_cut(fd, s->end); /* nothing was shifted yet */
    else if (is_whole)
        failed = pcdf_extentshift(fd, false, hole.begin, s->by);
    else
        return say_unclear(m, s, size);
    if (failed)
        return pcdf_posix_error(failed, NC_EWRITE, "taking an inserted range out of",
                                pcdf_dataset_path(m->ds));
    return sync_file(m, fd);
}

/* *is_refused: the file is as it was, and this is the first one. */
static int insert(struct pcdf_mover *m, int fd, int i, bool *is_refused)
{
    const struct step s = step_of(m, i);
    bool is_complete = false;
    int64_t size;
    PCDF_TRY(size_of(m, fd, &size));
    if (size == s.end + s.by)
        PCDF_TRY(undo_half(m, fd, &s, &is_complete));
    else if (size != s.end)
        return say_unclear(m, &s, size);
    int failed = is_complete ? 0 : pcdf_extentshift(fd, true, s.at, s.by);
    if (failed) {
        PCDF_TRY(size_of(m, fd, &size));
        int err = pcdf_posix_error(failed, NC_EWRITE, "inserting a range into", pcdf_dataset_path(m->ds));
        *is_refused = i == 0 && size == s.end;
        pcdf_debuglog("%s: %s", pcdf_dataset_path(m->ds), pcdf_fail_text());
        return *is_refused ? NC_NOERR : err;
    }
    return sync_file(m, fd);
}

/* ---- all of them */

/* What lies between an insertion's first byte and its first block stayed behind. It is copied into what was
 * inserted, so no copy overwrites what another one reads. */
static int copy_edges(struct pcdf_mover *m)
{
    struct pcdf_storage *storage = m->ds->io->storage;
    for (int i = 0; i < m->ninsertions; i++) {
        const struct pcdf_insertion *x = &m->insertions[i];
        int64_t now, before = moved_before(m, i);
        for (int64_t at = x->from; at < x->at; at += now) {
            now = x->at - at < m->piece ? x->at - at : m->piece;
            PCDF_TRY(pcdf_storage_move_at(storage, PCDF_GET, m->buffer, now, at + before, NULL));
            PCDF_TRY(pcdf_storage_move_at(storage, PCDF_PUT, m->buffer, now, at + x->shift, NULL));
        }
    }
    return pcdf_move_sync(m->ds, m->syncs);
}

static int root_take_steps(struct pcdf_mover *m, int fd, bool *is_refused)
{
    int done;
    PCDF_TRY(pcdf_insertions_count(m, &done));
    for (int i = done; i < m->ninsertions; i++) {
        PCDF_TRY(insert(m, fd, i, is_refused));
        if (*is_refused)
            return NC_NOERR;
        PCDF_TRY(put_note(m, i));
        pcdf_journalfile_heartbeat(m->change, false, false);
    }
    if (done <= m->ninsertions) {
        PCDF_TRY(copy_edges(m));
        PCDF_TRY(put_note(m, m->ninsertions));
    }
    pcdf_progress(m->ds->path, m->segments.nbytes, m->segments.nbytes);
    return NC_NOERR;
}

int pcdf_insertions_run_all(struct pcdf_mover *m, int status, bool *is_refused)
{
    struct pcdf_dataset *ds = m->ds;
    struct pcdf_vote vote = { .kind = PCDF_KIND_MOVE };
    int64_t refused = 0;
    bool root_refused = false;
    int fd;
    if (ds->ranks.rank == 0 && !status) {
        status = open_file(m, m->journal->inode, &fd);
        if (!status) {
            status = root_take_steps(m, fd, &root_refused);
            close(fd);
        }
        refused = root_refused;
    }
    pcdf_first(&ds->io_error, status);
    pcdf_first(&status, pcdf_ranks_bcast_all(&ds->ranks, &refused, sizeof refused));
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    *is_refused = refused != 0;
    return status;
}
