/* See move.h. Data only ever moves up (layout.h), so working from the end of the file down never overwrites a
 * byte that was not read: what a round writes lies above all that is still to be read. Within a round a part
 * writes over the first bytes of the parts above it. Those are in the journal before any part writes: one
 * vote a round says so, carries errors, and says that the round before is in its place, all on the storage.
 * From there each part goes on alone, from its end down, in steps: a step's bytes are in the journal before
 * they go, and the step before is in its place. */
#include <assert.h>
#include "alloc.h"
#include "move.h"
#include "numbers.h"
#include "ownjournal.h"
#include "crc32c.h"
#include "posixio.h"
#include "progress.h"
#include "vote.h"

/* ---- what moves */

static int add_segment(struct pcdf_segments *s, const struct pcdf_segment *segment)
{
    struct pcdf_segment *last = s->list.n ? &s->list.x[s->list.n - 1] : NULL;
    if (segment->length <= 0 || segment->count <= 0)
        return NC_NOERR;
    bool joins = last && last->count == 1 && segment->count == 1 &&
                 last->from + last->length == segment->from && last->to + last->length == segment->to;
    if (joins) {
        last->length += segment->length;
        return NC_NOERR;
    }
    PCDF_TRY(PCDF_RESERVE(&s->list, s->list.n + 1));
    s->list.x[s->list.n++] = *segment;
    return NC_NOERR;
}

int pcdf_mover_prepare(struct pcdf_mover *m, struct pcdf_dataset *ds, const struct pcdf_meta *old,
                       const struct pcdf_layout *from)
{
    const struct pcdf_layout *to = &ds->layout;
    m->ds = ds;
    /* Fixed variables: each may have its own shift. Padding travels along. */
    for (int i = 0; i < old->nvars; i++) {
        int64_t length = pcdf_layout_padded(old->vars[i].nbytes);
        struct pcdf_segment one = { from->begin[i], to->begin[i], length, 1, 0, 0 };
        if (!old->vars[i].is_record && one.from != one.to)
            PCDF_TRY(add_segment(&m->segments, &one));
    }
    if (old->nrecord_vars == 0 || (from->begin_rec == to->begin_rec && from->recsize == to->recsize))
        return NC_NOERR;
    /* Whole records: old variables keep their place inside the record, since a redef only adds some behind.
     */
    struct pcdf_segment all = { from->begin_rec, to->begin_rec, from->recsize,
                                old->numrecs,    from->recsize, to->recsize };
    if (from->recsize == to->recsize) { /* one block */
        all.length = from->recsize * old->numrecs;
        all.count = 1;
    }
    return add_segment(&m->segments, &all);
}

/* Only what the file holds can move: a header may promise records without end. */
void pcdf_mover_size(struct pcdf_mover *m, int64_t file_size, int64_t parts, int64_t chunk)
{
    struct pcdf_segments *s = &m->segments;
    s->nbytes = 0;
    for (size_t i = 0; i < s->list.n; i++) {
        struct pcdf_segment *x = &s->list.x[i];
        int64_t left = file_size - x->from;
        if (left <= 0)
            x->count = 0;
        else if (x->count > 1 && (left - 1) / x->from_step + 1 < x->count)
            x->count = (left - 1) / x->from_step + 1;
        /* Also where one block is left of many, so that a second call changes nothing. */
        if (x->count == 1 && x->length > left)
            x->length = left;
        s->nbytes += x->length * x->count;
    }
    m->file_size = file_size;
    m->parts = parts;
    m->chunk = chunk;
    m->window = chunk * parts;
    m->rounds = (s->nbytes + m->window - 1) / m->window;
}

/* By how much a byte moves at most. Shifts grow within a segment. */
static int64_t largest_shift(const struct pcdf_mover *m)
{
    int64_t largest = 0;
    for (size_t i = 0; i < m->segments.list.n; i++) {
        const struct pcdf_segment *s = &m->segments.list.x[i];
        int64_t last = s->to - s->from + (s->count - 1) * (s->to_step - s->from_step);
        if (s->count > 0 && last > largest)
            largest = last;
    }
    return largest;
}

static int64_t whole_blocks(int64_t bytes)
{
    const int64_t block = PCDF_JOURNAL_BLOCK;
    return bytes < block ? block : (bytes + block - 1) / block * block;
}

void pcdf_mover_choose(struct pcdf_mover *m, int64_t file_size, int nranks,
                       const struct pcdf_move_limits *limits)
{
    enum { PARTS_MOST = 1 << 16, FILE_SHARE = 32 };
    const int64_t journal_least = (int64_t)1 << 30, round_most = (int64_t)1 << 28; /* votes now and then */
    const int64_t vote_worth = (int64_t)1 << 20;
    int64_t parts = nranks < PARTS_MOST ? nranks : PARTS_MOST;
    pcdf_mover_size(m, file_size, parts, PCDF_JOURNAL_BLOCK);
    /* The last record may be written in part only: then more moves by the headers than the file holds. */
    int64_t total = pcdf_smaller(m->segments.nbytes, file_size), each = whole_blocks((total - 1) / parts + 1);
    int64_t journal = file_size / FILE_SHARE > journal_least ? file_size / FILE_SHARE : journal_least;
    int64_t slot_most = pcdf_smaller(journal / (2 * parts), each);
    int64_t step = whole_blocks(pcdf_smaller(limits->slot, slot_most));
    int64_t alone = whole_blocks((each - 1) / ((each - 1) / round_most + 1) + 1); /* without a vote */
    int64_t least = whole_blocks(pcdf_smaller(limits->slot, vote_worth)); /* also where the disk is full */
    m->step = 0;

    /* As much as no round writes over: nothing goes through the journal. */
    for (int64_t chunk = alone; chunk == alone || chunk >= least; chunk /= 2) {
        pcdf_mover_size(m, file_size, parts, whole_blocks(chunk));
        if (!pcdf_mover_needs_data(m))
            return;
    }
    bool goes_in_steps = limits->in_steps && step < alone && largest_shift(m) <= step;
    m->step = goes_in_steps ? step : 0;
    int64_t together = whole_blocks(pcdf_smaller(limits->together, slot_most));
    pcdf_mover_size(m, file_size, parts, goes_in_steps ? alone : together);
}

int64_t pcdf_mover_slot_room(const struct pcdf_mover *m)
{
    if (!pcdf_mover_needs_data(m))
        return 0;
    return m->step > 0 ? pcdf_smaller(whole_blocks(largest_shift(m)), m->chunk) : m->chunk;
}

bool pcdf_move_is_needed(const struct pcdf_meta *old, const struct pcdf_layout *from,
                         const struct pcdf_layout *to)
{
    for (int i = 0; i < old->nvars; i++)
        if (from->begin[i] != to->begin[i] && (!old->vars[i].is_record || old->numrecs > 0))
            return true;
    return old->nrecord_vars > 0 && old->numrecs > 1 && from->recsize != to->recsize;
}

/* ---- where bytes are, and go */

struct walk { /* through the segments, upwards: { 0 } begins */
    size_t i;
    int64_t passed; /* bytes of those before */
};

/* Where byte `index` of the segments, counted through all of them, is, or where it goes. w: a walk that has
 * not passed it yet, and comes to it; NULL: one from the start. */
static int64_t offset_of(const struct pcdf_mover *m, enum pcdf_dir dir, int64_t index, struct walk *w)
{
    struct walk start = { 0 };
    w = w ? w : &start;
    const struct pcdf_segment *s = &m->segments.list.x[w->i];
    while (index - w->passed >= s->length * s->count) {
        w->passed += s->length * s->count;
        s = &m->segments.list.x[++w->i];
        assert(w->i < m->segments.list.n);
    }
    index -= w->passed;
    return (dir == PCDF_GET ? s->from : s->to) +
           index / s->length * (dir == PCDF_GET ? s->from_step : s->to_step) + index % s->length;
}

/* Bytes [at, at + n) of the segments: read, or written. *there: of those to read, how many the file had; what
 * was never written does not move. */
static int transfer_range(struct pcdf_mover *m, enum pcdf_dir dir, unsigned char *bytes, int64_t at,
                          int64_t n, int64_t *there)
{
    int64_t done = 0, skipped = 0;
    for (size_t i = 0; i < m->segments.list.n && done < n; i++) {
        const struct pcdf_segment *s = &m->segments.list.x[i];
        int64_t base = dir == PCDF_GET ? s->from : s->to, step = dir == PCDF_GET ? s->from_step : s->to_step;
        int64_t total = s->length * s->count;
        while (done < n && at + done < skipped + total) {
            int64_t index = at + done - skipped, inside = index % s->length;
            int64_t run = step == s->length ? total - index : s->length - inside; /* without a gap */
            int64_t now = pcdf_smaller(run, n - done), got = 0;
            int64_t offset = base + index / s->length * step + inside, had = now;
            if (dir == PCDF_GET && had > m->file_size - offset) /* the file may have grown since */
                had = m->file_size > offset ? m->file_size - offset : 0;
            PCDF_TRY(pcdf_storage_move_at(m->ds->io->storage, dir, bytes + done, had, offset, &got));
            if (dir == PCDF_GET && got < now) { /* the file ends: nothing further up either */
                *there = done + got;
                return NC_NOERR;
            }
            done += now;
        }
        skipped += total;
    }
    if (there)
        *there = done;
    return NC_NOERR;
}

/* The bytes of a part in a round; false: it has none. Round m->rounds has none of any part. */
static bool range_of_part(const struct pcdf_mover *m, int64_t part, int64_t round, int64_t *begin, int64_t *n)
{
    int64_t high = m->segments.nbytes - round * m->window; /* the round's */
    *begin = (high > m->window ? high - m->window : 0) + m->chunk * part;
    *n = high - *begin < m->chunk ? high - *begin : m->chunk;
    return *n > 0;
}

/* Does what a round writes touch what it reads? Then its bytes must be in the journal before they go. w: as
 * above; it serves rounds one after another, the last one first. */
static bool overlaps(const struct pcdf_mover *m, int64_t round, struct walk *w)
{
    int64_t low, n, high = m->segments.nbytes - round * m->window;
    (void)range_of_part(m, 0, round, &low, &n);
    int64_t to = offset_of(m, PCDF_PUT, low, w);
    return to <= offset_of(m, PCDF_GET, high - 1, w);
}

bool pcdf_mover_needs_data(const struct pcdf_mover *m)
{
    struct walk w = { 0 };
    for (int64_t round = m->rounds - 1; round >= 0; round--) /* shifts are smallest at the end, mostly */
        if (overlaps(m, round, &w))
            return true;
    return false;
}

/* ---- what a part does in a round */

struct task {
    int64_t part, round, begin, n; /* bytes [begin, begin + n) of the segments */
    bool overlaps;                 /* the round writes over what it reads */
    int64_t saved;                 /* first bytes, in the slot before parts write */
    int64_t steps;                 /* steps for the bytes behind those */
};

/* False: the part has no bytes in the round. */
static bool task_of(const struct pcdf_mover *m, int64_t part, int64_t round, struct task *t)
{
    *t = (struct task){ .part = part, .round = round };
    bool has = range_of_part(m, part, round, &t->begin, &t->n);
    t->overlaps = has && overlaps(m, round, NULL);
    if (!t->overlaps)
        return has;
    t->saved = t->n;
    /* The parts below write over no more bytes than their last byte moves by. */
    if (m->step > 0) {
        int64_t shift = part == 0 ? 0
                                  : offset_of(m, PCDF_PUT, t->begin - 1, NULL) -
                                        offset_of(m, PCDF_GET, t->begin - 1, NULL);
        t->saved = pcdf_smaller(shift, t->n);
        t->steps = (t->n - t->saved + m->step - 1) / m->step;
    }
    return has;
}

static int64_t step_bytes(const struct pcdf_mover *m, const struct task *t, int64_t step, int64_t *begin)
{
    int64_t end = t->begin + t->n - (step - 1) * m->step, least = t->begin + t->saved;
    *begin = end - m->step > least ? end - m->step : least;
    return end - *begin;
}

/* ---- slots of the journal; without a journal the buffer is one */

static unsigned char *memory_of(const struct pcdf_mover *m, int64_t offset, bool takes)
{
    const struct pcdf_journalfile *f = m->change;
    bool is_mapped = m->sidecar && f->map && offset >= f->map_at && offset < f->map_at + f->map_size;
    return is_mapped && (f->map_takes || !takes) ? f->map + (offset - f->map_at) : m->buffer;
}

/* The disk works while the rank goes on. */
static int start_sync(const struct pcdf_mover *m, int fd, int64_t offset, int64_t bytes)
{
    return m->syncs ? pcdf_posix_start_sync(fd, offset, bytes, m->ds->path) : NC_NOERR;
}

/* Reads bytes [begin, begin + n) of the segments into a slot. */
static int fill_slot(struct pcdf_mover *m, int64_t slot, int64_t begin, int64_t n,
                     struct pcdf_journal_record *r)
{
    int64_t now, got = 0, data = slot + PCDF_JOURNAL_BLOCK;
    r->has_data = true;
    m->held = 0;
    do {
        now = pcdf_smaller(n - r->there, m->piece);
        unsigned char *bytes = memory_of(m, data + r->there, true);
        PCDF_TRY(transfer_range(m, PCDF_GET, bytes, begin + r->there, now, &got));
        r->is_unsummed = bytes != m->buffer; /* mapped, in memory alone */
        if (m->sidecar && !r->is_unsummed) {
            r->data_crc = pcdf_crc32c(r->data_crc, bytes, (size_t)got);
            PCDF_TRY(pcdf_sidecar_put(m->sidecar, bytes, got, data + r->there));
            PCDF_TRY(start_sync(m, m->sidecar->fd, data + r->there, got));
        }
        r->there += got;
    } while (got == now && r->there < n);
    if (n <= m->piece)
        m->held = slot;
    return NC_NOERR;
}

static int write_slot(struct pcdf_mover *m, int64_t slot, int64_t begin, int64_t there)
{
    int64_t now, data = slot + PCDF_JOURNAL_BLOCK;
    bool is_held = m->held == slot;
    for (int64_t done = 0; done < there; done += now) {
        now = pcdf_smaller(there - done, m->piece);
        unsigned char *bytes = memory_of(m, data + done, false);
        if (bytes == m->buffer && !is_held) {
            int64_t got = 0;
            m->held = 0;
            PCDF_TRY(pcdf_sidecar_get(m->sidecar, bytes, now, data + done, &got));
            if (got < now)
                return PCDF_FAIL(NC_ERECOVER, "somebody cut the journal %s", m->sidecar->path);
        }
        PCDF_TRY(transfer_range(m, PCDF_PUT, bytes, begin + done, now, NULL));
    }
    if (there > 0) {
        int64_t first = offset_of(m, PCDF_PUT, begin, NULL),
                last = offset_of(m, PCDF_PUT, begin + there - 1, NULL);
        PCDF_TRY(start_sync(m, pcdf_storage_bottom(m->ds->io->storage)->fd, first, last - first + 1));
    }
    return NC_NOERR;
}

static int put_record(struct pcdf_mover *m, int64_t slot, const struct pcdf_journal_record *r)
{
    unsigned char bytes[PCDF_JOURNAL_RECORD];
    pcdf_journal_record_encode(r, bytes);
    return pcdf_sidecar_put(m->sidecar, bytes, sizeof bytes, slot);
}

int pcdf_mover_read_record(struct pcdf_mover *m, int64_t slot, struct pcdf_journal_record *r)
{
    unsigned char bytes[PCDF_JOURNAL_RECORD];
    PCDF_TRY(pcdf_sidecar_get(m->sidecar, bytes, sizeof bytes, slot, NULL));
    if (!pcdf_journal_record_decode(bytes, m->journal->nonce, r) ||
        r->there > (r->step > 0 ? m->step : m->journal->room))
        *r = (struct pcdf_journal_record){ .round = -1 };
    return NC_NOERR;
}

int pcdf_mover_check_data(struct pcdf_mover *m, int64_t slot, struct pcdf_journal_record *r)
{
    int64_t now, size, data = slot + PCDF_JOURNAL_BLOCK;
    uint32_t crc = 0;
    if (!r->has_data)
        return NC_NOERR;
    PCDF_TRY(pcdf_sidecar_size(m->sidecar, &size));
    m->held = 0;
    for (int64_t done = 0; !r->is_unsummed && r->there <= size - data && done < r->there; done += now) {
        now = pcdf_smaller(r->there - done, m->piece);
        PCDF_TRY(pcdf_sidecar_get(m->sidecar, m->buffer, now, data + done, NULL));
        crc = pcdf_crc32c(crc, m->buffer, (size_t)now);
    }
    if (r->there > size - data || (!r->is_unsummed && crc != r->data_crc))
        *r = (struct pcdf_journal_record){ .round = -1 };
    return NC_NOERR;
}

/* ---- rounds */

int pcdf_move_sync(struct pcdf_dataset *ds, bool syncs)
{
    return syncs ? pcdf_storage_sync(ds->io->storage, false) : NC_NOERR;
}

/* Before the vote of a round. Round m->rounds has no bytes: it says that all is in its place, which matters
 * where the last round would be read once more from places that others get. Parts are dealt to ranks: one
 * each, but for a recovery, which may have fewer ranks than the change had. */
static int save_round(struct pcdf_mover *m, int64_t round)
{
    bool is_noted = false, is_needless = round == m->rounds && round > 0 && overlaps(m, round - 1, NULL);
    for (int64_t part = m->ds->ranks.rank; part < m->parts && !is_needless; part += m->ds->ranks.size) {
        struct pcdf_journal_record record = { .round = round };
        struct task t;
        (void)task_of(m, part, round, &t);
        int64_t slot = m->sidecar ? pcdf_journal_slot(m->journal, part, round) : 0;
        if (t.saved > 0)
            PCDF_TRY(fill_slot(m, slot, t.begin, t.saved, &record));
        m->there = record.there;
        if (!m->sidecar)
            continue;
        record.nonce = m->journal->nonce;
        PCDF_TRY(put_record(m, slot, &record));
        is_noted = true;
    }
    return is_noted && m->syncs ? pcdf_sidecar_sync(m->sidecar) : NC_NOERR;
}

/* No rank writes over any of it in this round. */
static int copy_range(struct pcdf_mover *m, int64_t begin, int64_t n)
{
    int64_t there = 0;
    m->held = 0;
    for (int64_t done = 0; done < n; done += there) {
        PCDF_TRY(
            transfer_range(m, PCDF_GET, m->buffer, begin + done, pcdf_smaller(n - done, m->piece), &there));
        if (there == 0)
            break;
        PCDF_TRY(transfer_range(m, PCDF_PUT, m->buffer, begin + done, there, NULL));
    }
    return NC_NOERR;
}

static void tell_progress(struct pcdf_mover *m, int64_t moved)
{
    if (m->ds->ranks.rank != 0)
        return;
    if (m->sidecar)
        pcdf_journalfile_heartbeat(m->change, false, false);
    pcdf_progress(m->ds->path, pcdf_smaller(moved, m->segments.nbytes), m->segments.nbytes);
}

/* A step behind the end of the file has nothing to move, and is not noted. */
static int move_step(struct pcdf_mover *m, const struct task *t, int64_t step)
{
    struct pcdf_journal_record record = { m->journal->nonce, t->round, step, 0, false, false, 0 };
    int64_t begin, n = step_bytes(m, t, step, &begin);
    int64_t slot = pcdf_journal_step_slot(m->journal, t->part, step);
    PCDF_TRY(fill_slot(m, slot, begin, n, &record));
    if (record.there == 0)
        return NC_NOERR;
    PCDF_TRY(step > 1 ? pcdf_move_sync(m->ds, m->syncs) : NC_NOERR); /* the step before is in its place */
    PCDF_TRY(put_record(m, slot, &record));
    PCDF_TRY(m->syncs ? pcdf_sidecar_sync(m->sidecar) : NC_NOERR);
    PCDF_TRY(write_slot(m, slot, begin, record.there));
    if (m->ds->ranks.size >= m->parts) /* as far as the others, about */
        tell_progress(m, t->round * m->window + pcdf_smaller(step * m->step, m->chunk) * m->parts);
    return NC_NOERR;
}

/* What was saved goes last. */
static int write_saved(struct pcdf_mover *m, const struct task *t)
{
    struct pcdf_journal_record saved;
    if (!m->sidecar)
        return write_slot(m, 0, t->begin, m->there);
    int64_t slot = pcdf_journal_slot(m->journal, t->part, t->round);
    PCDF_TRY(pcdf_mover_read_record(m, slot, &saved));
    if (!saved.has_data || saved.round != t->round || saved.there > t->saved)
        return PCDF_FAIL(NC_ERECOVER, "the journal lost part %lld of round %lld", (long long)t->part,
                         (long long)t->round);
    return write_slot(m, slot, t->begin, saved.there);
}

/* The steps behind `after`, and all else. */
static int finish_part(struct pcdf_mover *m, const struct task *t, int64_t after)
{
    if (!t->overlaps)
        return copy_range(m, t->begin, t->n);
    for (int64_t step = after + 1; step <= t->steps; step++)
        PCDF_TRY(move_step(m, t, step));
    return t->saved > 0 ? write_saved(m, t) : NC_NOERR;
}

/* The step that a part came to in a round that was interrupted; 0: none. */
static int latest_step(struct pcdf_mover *m, const struct task *t, struct pcdf_journal_record *latest)
{
    *latest = (struct pcdf_journal_record){ .step = 0 };
    for (int64_t i = 0; i < 2 && t->steps > 0; i++) {
        int64_t slot = pcdf_journal_step_slot(m->journal, t->part, i);
        struct pcdf_journal_record r;
        PCDF_TRY(pcdf_mover_read_record(m, slot, &r));
        PCDF_TRY(pcdf_mover_check_data(m, slot, &r));
        if (r.has_data && r.round == t->round && r.step > latest->step && r.step % 2 == i &&
            r.step <= t->steps)
            *latest = r;
    }
    return NC_NOERR;
}

int pcdf_mover_redo(struct pcdf_mover *m, int64_t round)
{
    for (int64_t part = m->ds->ranks.rank; part < m->parts; part += m->ds->ranks.size) {
        int64_t slot = pcdf_journal_slot(m->journal, part, round);
        struct pcdf_journal_record saved, latest;
        struct task t;
        if (!task_of(m, part, round, &t))
            continue;
        PCDF_TRY(pcdf_mover_read_record(m, slot, &saved));
        PCDF_TRY(pcdf_mover_check_data(m, slot, &saved));
        if (saved.round != round)
            return PCDF_FAIL(NC_ERECOVER, "the journal lost part %lld of round %lld", (long long)part,
                             (long long)round);
        PCDF_TRY(latest_step(m, &t, &latest));
        if (latest.step > 0) {
            int64_t begin, n = step_bytes(m, &t, latest.step, &begin);
            slot = pcdf_journal_step_slot(m->journal, part, latest.step);
            PCDF_TRY(write_slot(m, slot, begin, pcdf_smaller(latest.there, n)));
        }
        PCDF_TRY(finish_part(m, &t, latest.step));
    }
    return pcdf_move_sync(m->ds, m->syncs);
}

int pcdf_mover_run_all(struct pcdf_mover *m, int64_t round, int status)
{
    bool stop = false;                             /* the same on all ranks */
    for (; !stop && round <= m->rounds; round++) { /* the last one says that all moved */
        struct pcdf_vote vote = { .kind = PCDF_KIND_MOVE };
        if (!status)
            status = save_round(m, round);
        pcdf_first(&m->ds->io_error, status);
        pcdf_first_vote(m->ds, &status, pcdf_vote_all(m->ds, &vote));
        stop = vote.io_error || m->ds->poisoned;
        bool writes = !status && !stop && round < m->rounds;
        struct task t;
        for (int64_t part = m->ds->ranks.rank; part < m->parts && writes && !status;
             part += m->ds->ranks.size)
            status = task_of(m, part, round, &t) ? finish_part(m, &t, 0) : NC_NOERR;
        if (writes && !status)
            status = pcdf_move_sync(m->ds, m->syncs);
        pcdf_first(&m->ds->io_error, status);
        if (!stop)
            tell_progress(m, (round + 1) * m->window);
    }
    return status;
}

int pcdf_mover_room(struct pcdf_mover *m, int64_t piece)
{
    m->buffer = pcdf_malloc((size_t)piece);
    m->piece = piece;
    return m->buffer ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to move data");
}

void pcdf_mover_free(struct pcdf_mover *m)
{
    pcdf_free(m->buffer);
    pcdf_free(m->segments.list.x);
}
