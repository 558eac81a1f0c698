/* See move.h. Data only ever moves up (layout.h), so working from the end of the file down never overwrites a
 * byte that was not read: what a round writes lies above all that is still to be read, once every rank has
 * read its part of the round. One vote a round is that barrier, carries errors, and says that every rank's
 * part is in the journal and the round before in its place, both on the storage. */
#include <assert.h>
#include "alloc.h"
#include "move.h"
#include "ownjournal.h"
#include "crc32c.h"
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
    for (int i = 0; i < old->nvars;
         i++) { /* fixed ones: each may have its own shift. Padding travels along */
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
        else if (x->count == 1)
            x->length = x->length < left ? x->length : left;
        else if ((left - 1) / x->from_step + 1 < x->count)
            x->count = (left - 1) / x->from_step + 1;
        s->nbytes += x->length * x->count;
    }
    m->file_size = file_size;
    m->parts = parts;
    m->chunk = chunk;
    m->window = chunk * parts;
    m->rounds = (s->nbytes + m->window - 1) / m->window;
}

void pcdf_mover_choose(struct pcdf_mover *m, int64_t file_size, int nranks, int64_t wished)
{
    enum { PARTS_MOST = 4096 }; /* so that a part has 128 KiB of the journal */
    const int64_t block = PCDF_JOURNAL_BLOCK,
                  journal_most = (int64_t)1 << 30; /* slots of all parts together */
    int64_t parts = nranks < PARTS_MOST ? nranks : PARTS_MOST;
    pcdf_mover_size(m, file_size, parts, block);
    /* The last record may be written in part only: then more moves by the headers than the file holds. */
    int64_t total = m->segments.nbytes < file_size ? m->segments.nbytes : file_size;
    int64_t most = journal_most / (2 * parts), each = (total - 1) / parts + 1;
    int64_t chunk = wished < most ? wished : most;
    if (each < chunk)
        chunk = each;
    pcdf_mover_size(m, file_size, parts, chunk < block ? block : (chunk + block - 1) / block * block);
}

bool pcdf_move_is_needed(const struct pcdf_meta *old, const struct pcdf_layout *from,
                         const struct pcdf_layout *to)
{
    for (int i = 0; i < old->nvars; i++)
        if (from->begin[i] != to->begin[i] && (!old->vars[i].is_record || old->numrecs > 0))
            return true;
    return old->nrecord_vars > 0 && old->numrecs > 1 && from->recsize != to->recsize;
}

/* ---- rounds */

/* Where byte `index` of the segments, counted through all of them, is, or where it goes. */
static int64_t offset_of(const struct pcdf_mover *m, enum pcdf_dir dir, int64_t index)
{
    for (size_t i = 0; i < m->segments.list.n; i++) {
        const struct pcdf_segment *s = &m->segments.list.x[i];
        int64_t total = s->length * s->count;
        if (index < total)
            return (dir == PCDF_GET ? s->from : s->to) +
                   index / s->length * (dir == PCDF_GET ? s->from_step : s->to_step) + index % s->length;
        index -= total;
    }
    assert(!"a byte of some segment");
    return 0;
}

/* Bytes [at, at + n) of the segments: read into the buffer, or write from it. `there` is how many of the
 * bytes were in the file; what was never written is not written now. */
static int transfer_range(struct pcdf_mover *m, enum pcdf_dir dir, int64_t at, int64_t n, int64_t *there)
{
    int64_t done = 0, skipped = 0;
    if (dir == PCDF_PUT && n > *there)
        n = *there;
    struct pcdf_storage *storage = m->ds->io->storage;
    for (size_t i = 0; i < m->segments.list.n && done < n; i++) {
        const struct pcdf_segment *s = &m->segments.list.x[i];
        int64_t base = dir == PCDF_GET ? s->from : s->to, step = dir == PCDF_GET ? s->from_step : s->to_step;
        int64_t total = s->length * s->count;
        while (done < n && at + done < skipped + total) {
            int64_t index = at + done - skipped, inside = index % s->length;
            int64_t run = step == s->length ? total - index : s->length - inside; /* without a gap */
            int64_t now = run < n - done ? run : n - done, got = now;
            int64_t offset = base + index / s->length * step + inside;
            PCDF_TRY(pcdf_storage_move_at(storage, dir, m->buffer + done, now, offset, &got));
            if (dir == PCDF_GET && got < now) { /* the end of the file: nothing further up either */
                *there = done + got;
                return NC_NOERR;
            }
            done += now;
        }
        skipped += total;
    }
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

/* Does what a round writes touch what it reads? Then its bytes must be in the journal before they go. */
static bool overlaps(const struct pcdf_mover *m, int64_t round)
{
    int64_t low, n, high = m->segments.nbytes - round * m->window;
    (void)range_of_part(m, 0, round, &low, &n);
    return offset_of(m, PCDF_PUT, low) <= offset_of(m, PCDF_GET, high - 1);
}

bool pcdf_mover_needs_data(const struct pcdf_mover *m)
{
    for (int64_t round = m->rounds - 1; round >= 0; round--) /* shifts are smallest at the end, mostly */
        if (overlaps(m, round))
            return true;
    return false;
}

/* Before the vote of a round. Round m->rounds has no bytes: it says that all is in its place. Parts are dealt
 * to ranks: one each, but for a recovery, which may have fewer ranks than the change had. A rank with several
 * must read all of them before the vote, and has one buffer: then every part of an overlapping round comes
 * back from the journal. */
static int read_round(struct pcdf_mover *m, int64_t round, int64_t *there)
{
    for (int64_t part = m->ds->comm.rank; part < m->parts; part += m->ds->comm.size) {
        int64_t begin, n;
        bool has = range_of_part(m, part, round, &begin, &n);
        *there = has ? n : 0;
        if (has)
            PCDF_TRY(transfer_range(m, PCDF_GET, begin, n, there));
        if (!m->sidecar)
            continue;

        /* Into the journal: what this part read, or only that it comes to this round. */
        bool with_data = has && overlaps(m, round);
        struct pcdf_journal_record record = { m->journal->nonce, round, *there, with_data, 0 };
        unsigned char bytes[PCDF_JOURNAL_RECORD];
        if (with_data) {
            int64_t offset = pcdf_journal_slot(m->journal, part, round) + PCDF_JOURNAL_BLOCK;
            record.data_crc = pcdf_crc32c(0, m->buffer, (size_t)*there);
            PCDF_TRY(pcdf_sidecar_put(m->sidecar, m->buffer, *there, offset));
        }
        pcdf_journal_record_encode(&record, bytes);
        PCDF_TRY(
            pcdf_sidecar_put(m->sidecar, bytes, sizeof bytes, pcdf_journal_slot(m->journal, part, round)));
    }
    return m->sidecar && m->ds->on_storage ? pcdf_sidecar_sync(m->sidecar) : NC_NOERR;
}

int pcdf_move_sync(struct pcdf_dataset *ds)
{
    return ds->on_storage ? pcdf_storage_sync(ds->io->storage, false) : NC_NOERR;
}

int pcdf_mover_redo(struct pcdf_mover *m, int64_t round)
{
    for (int64_t part = m->ds->comm.rank; part < m->parts; part += m->ds->comm.size) {
        struct pcdf_journal_record record;
        unsigned char bytes[PCDF_JOURNAL_RECORD];
        int64_t begin, n, there, slot = pcdf_journal_slot(m->journal, part, round);
        if (!range_of_part(m, part, round, &begin, &n))
            continue;
        PCDF_TRY(pcdf_sidecar_get(m->sidecar, bytes, sizeof bytes, slot, NULL));
        if (!pcdf_journal_record_decode(bytes, m->journal->nonce, &record) || record.round != round ||
            record.there > n)
            return PCDF_FAIL(NC_ERECOVER, "the journal lost part %lld of round %lld", (long long)part,
                             (long long)round);
        there = record.there;
        if (record.has_data)
            PCDF_TRY(pcdf_sidecar_get(m->sidecar, m->buffer, there, slot + PCDF_JOURNAL_BLOCK, NULL));
        else
            PCDF_TRY(transfer_range(m, PCDF_GET, begin, n, &there));
        if (record.has_data && pcdf_crc32c(0, m->buffer, (size_t)there) != record.data_crc)
            return PCDF_FAIL(NC_ERECOVER, "the journal's bytes of part %lld of round %lld are damaged",
                             (long long)part, (long long)round);
        PCDF_TRY(transfer_range(m, PCDF_PUT, begin, n, &there));
    }
    return pcdf_move_sync(m->ds);
}

static int write_round(struct pcdf_mover *m, int64_t round, int64_t there)
{
    int64_t begin, n, part = m->ds->comm.rank;
    if (m->ds->comm.size < m->parts)
        return round < m->rounds ? pcdf_mover_redo(m, round) : NC_NOERR;
    if (part < m->parts && range_of_part(m, part, round, &begin, &n))
        PCDF_TRY(transfer_range(m, PCDF_PUT, begin, n, &there));
    return round < m->rounds ? pcdf_move_sync(m->ds) : NC_NOERR;
}

int pcdf_mover_run_all(struct pcdf_mover *m, int64_t round, int status)
{
    bool stop = false;                             /* the same on all ranks */
    for (; !stop && round <= m->rounds; round++) { /* the last one says that all is in its place */
        struct pcdf_vote vote = { .kind = PCDF_KIND_MOVE };
        int64_t there = 0;
        if (!status)
            status = read_round(m, round, &there);
        pcdf_first(&m->ds->io_error, status);
        pcdf_first_vote(m->ds, &status, pcdf_vote_all(m->ds, &vote));
        stop = vote.io_error || m->ds->poisoned;
        if (!status && !stop)
            status = write_round(m, round, there);
        pcdf_first(&m->ds->io_error, status);
        if (!stop && m->ds->comm.rank == 0 && m->sidecar)
            pcdf_journalfile_beat(m->change, false, false);
        if (!stop && m->ds->comm.rank == 0)
            pcdf_progress(m->ds->path, round < m->rounds ? (round + 1) * m->window : m->segments.nbytes,
                          m->segments.nbytes);
    }
    return status;
}

int pcdf_mover_room(struct pcdf_mover *m, int64_t chunk)
{
    m->buffer = pcdf_malloc((size_t)chunk);
    return m->buffer ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to move data");
}

void pcdf_mover_free(struct pcdf_mover *m)
{
    pcdf_free(m->buffer);
    pcdf_free(m->segments.list.x);
}
