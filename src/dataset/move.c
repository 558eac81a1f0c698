/* See move.h. Data only ever moves up (layout.h), so working from the end of the file down never overwrites a
 * byte that was not read: what a round writes lies above all that is still to be read, once every rank has
 * read its part of the round. One vote a round is that barrier and carries errors. */
#include "alloc.h"
#include "array.h"
#include "move.h"
#include "vote.h"

struct segment { /* `count` blocks of `length` bytes, `from_step` apart where they are and `to_step` where
                    they go */
    int64_t from, to, length, count, from_step, to_step;
};

struct segments {
    PCDF_ARRAY(struct segment) list; /* rising in the file */
    int64_t nbytes;                  /* of all, known once they are limited */
};

/* ---- what moves */

static int add_segment(struct segments *s, const struct segment *segment)
{
    struct segment *last = s->list.n ? &s->list.x[s->list.n - 1] : NULL;
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

/* Fixed variables one by one: each may have its own shift. Padding travels along. */
static int add_fixed(struct segments *s, const struct pcdf_meta *old, const struct pcdf_layout *from,
                     const struct pcdf_layout *to)
{
    for (int i = 0; i < old->nvars; i++) {
        const struct pcdf_var *var = &old->vars[i];
        if (var->is_record || from->begin[i] == to->begin[i])
            continue;
        struct segment segment = { from->begin[i], to->begin[i], pcdf_layout_padded(var->nbytes), 1, 0, 0 };
        PCDF_TRY(add_segment(s, &segment));
    }
    return NC_NOERR;
}

/* Whole records: old variables keep their place inside the record, since a redef only adds variables behind.
 */
static int add_records(struct segments *s, const struct pcdf_meta *old, const struct pcdf_layout *from,
                       const struct pcdf_layout *to)
{
    bool stays = from->begin_rec == to->begin_rec && from->recsize == to->recsize;
    struct segment all = { from->begin_rec, to->begin_rec, from->recsize,
                           old->numrecs,    from->recsize, to->recsize };
    if (old->nrecord_vars == 0 || stays)
        return NC_NOERR;
    if (from->recsize == to->recsize) { /* one block */
        all.length = from->recsize * old->numrecs;
        all.count = 1;
    }
    return add_segment(s, &all);
}

/* Only what the file holds can move: a header may promise records without end. */
static void limit_segments(struct segments *s, int64_t file_size)
{
    for (size_t i = 0; i < s->list.n; i++) {
        struct segment *x = &s->list.x[i];
        int64_t left = file_size - x->from;
        if (left <= 0)
            x->count = 0;
        else if (x->count == 1)
            x->length = x->length < left ? x->length : left;
        else if ((left - 1) / x->from_step + 1 < x->count)
            x->count = (left - 1) / x->from_step + 1;
        s->nbytes += x->length * x->count;
    }
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

struct mover {
    struct pcdf_dataset *ds;
    struct segments segments;
    unsigned char *buffer;
    int64_t chunk;
};

static int transfer_piece(struct mover *m, enum pcdf_dir dir, int64_t offset, int64_t length,
                          unsigned char *bytes, int64_t *got)
{
    struct pcdf_extents x = { dir, 1, &offset, &length, (char *)bytes, length };
    if (length == 0)
        return NC_NOERR;
    return m->ds->io->ops->transfer(m->ds->io, &x, got);
}

/* Bytes [at, at + n) of the segments, counted through all of them: read into the buffer, or write from it.
 * `there` is how many of the bytes were in the file; what was never written is not written now. */
static int transfer_range(struct mover *m, enum pcdf_dir dir, int64_t at, int64_t n, int64_t *there)
{
    int64_t done = 0, skipped = 0;
    if (dir == PCDF_PUT && n > *there)
        n = *there;
    for (size_t i = 0; i < m->segments.list.n && done < n; i++) {
        const struct segment *s = &m->segments.list.x[i];
        int64_t base = dir == PCDF_GET ? s->from : s->to, step = dir == PCDF_GET ? s->from_step : s->to_step;
        int64_t total = s->length * s->count;
        while (done < n && at + done < skipped + total) {
            int64_t index = at + done - skipped, inside = index % s->length;
            int64_t run = step == s->length ? total - index : s->length - inside; /* without a gap */
            int64_t now = run < n - done ? run : n - done, got = now;
            PCDF_TRY(transfer_piece(m, dir, base + index / s->length * step + inside, now, m->buffer + done,
                                    &got));
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

/* Reads and writes bytes [low, high) of the segments, a part on each rank; a vote between the two. *stop:
 * some rank failed, the same on all ranks. */
static int move_round_all(struct mover *m, int64_t low, int64_t high, int status, bool *stop)
{
    const struct pcdf_comm *comm = &m->ds->comm;
    int64_t begin = low + m->chunk * comm->rank, n = high - begin < m->chunk ? high - begin : m->chunk;
    int64_t there = n > 0 ? n : 0;
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_MOVE };
    struct pcdf_agreed agreed;
    if (!status && n > 0)
        status = transfer_range(m, PCDF_GET, begin, n, &there);
    pcdf_first(&m->ds->io_error, status);
    pcdf_first_vote(m->ds, &status, pcdf_vote_all(m->ds, &ballot, &agreed));
    *stop = agreed.io_error || agreed.mismatch || m->ds->poisoned;
    if (!status && !*stop && n > 0)
        status = transfer_range(m, PCDF_PUT, begin, n, &there);
    pcdf_first(&m->ds->io_error, status);
    return status;
}

/* All that can fail on this rank before a byte moves. */
static int prepare(struct mover *m, const struct pcdf_meta *old_meta, const struct pcdf_layout *old_layout,
                   int64_t *file_size)
{
    const struct pcdf_layout *layout = &m->ds->layout;
    PCDF_TRY(add_fixed(&m->segments, old_meta, old_layout, layout));
    PCDF_TRY(add_records(&m->segments, old_meta, old_layout, layout));
    PCDF_TRY(m->ds->io->ops->size(m->ds->io, file_size));
    m->buffer = pcdf_malloc((size_t)m->chunk);
    return m->buffer ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to move data");
}

static int move_rounds_all(struct mover *m)
{
    int status = NC_NOERR;
    bool stop = false; /* the same on all ranks */
    for (int64_t high = m->segments.nbytes; !stop && high > 0;) {
        int64_t window = m->chunk * m->ds->comm.size, low = high > window ? high - window : 0;
        pcdf_first_vote(m->ds, &status, move_round_all(m, low, high, status, &stop));
        high = low;
    }
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_MOVE }; /* how the last round's writing went */
    struct pcdf_agreed agreed;
    if (!stop)
        pcdf_first_vote(m->ds, &status, pcdf_vote_all(m->ds, &ballot, &agreed));
    return status;
}

int pcdf_move_data_all(struct pcdf_dataset *ds, const struct pcdf_meta *old_meta,
                       const struct pcdf_layout *old_layout, bool *untouched)
{
    struct mover m = { .ds = ds, .chunk = ds->hints.move_chunk };
    int64_t file_size = 0;
    int status = prepare(&m, old_meta, old_layout, &file_size);
    /* The smallest chunk that any rank asked for is everybody's; the largest size that any rank sees, too. */
    struct pcdf_ballot ballot = {
        .kind = PCDF_KIND_MOVE, .error = status, .rounds = -m.chunk, .numrecs = file_size
    };
    struct pcdf_agreed agreed;
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &ballot, &agreed));
    *untouched = agreed.error || ds->poisoned; /* the same on all ranks */
    if (!status && agreed.error)
        status = PCDF_FAIL(agreed.error, "another rank cannot move data");
    if (!*untouched) {
        m.chunk = -agreed.rounds;
        limit_segments(&m.segments, agreed.numrecs);
        status = move_rounds_all(&m);
    }
    pcdf_free(m.buffer);
    pcdf_free(m.segments.list.x);
    return status;
}
