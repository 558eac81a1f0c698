/* See owned.h. */

#include "owned.h"
#include "status.h"
#include <string.h>

enum {
    NEAR = 4096,   /* a get reads a gap up to this long rather than calling twice */
    LARGE = 65536, /* a piece from which on a call of its own is cheaper than copying it to the window */
};

bool pcdf_walk_next(const struct pcdf_extents *x, const struct pcdf_stripes *s, struct pcdf_walk *w,
                    struct pcdf_piece *p)
{
    if (w->i >= x->n)
        return false;
    p->offset = x->offset[w->i] + w->inside;
    if (p->offset >= w->end) {
        int64_t stripe = p->offset / s->width, room = s->width - p->offset % s->width;
        w->end = p->offset > INT64_MAX - room ? INT64_MAX : p->offset + room;
        w->owner = (int)(stripe % s->ranks);
    }
    int64_t left = x->length[w->i] - w->inside, room = w->end - p->offset;
    p->length = left < room ? left : room;
    w->inside += p->length;
    w->at += p->length;
    if (p->length == left) {
        w->i++;
        w->inside = 0;
    }
    return true;
}

/* --- all ranks' pieces in rising order */

static bool is_before(const struct pcdf_lane_in *a, const struct pcdf_lane_in *b)
{
    return a->now.at.offset < b->now.at.offset ||
           (a->now.at.offset == b->now.at.offset && a->now.rank < b->now.rank);
}

static void sift(struct pcdf_owned *o, int i)
{
    for (;;) {
        int low = i;
        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < o->nlanes; child++)
            if (is_before(&o->lanes[child], &o->lanes[low]))
                low = child;
        if (low == i)
            return;
        struct pcdf_lane_in t = o->lanes[i];
        o->lanes[i] = o->lanes[low];
        o->lanes[low] = t;
        i = low;
    }
}

static bool advance_own(const struct pcdf_owned *o, struct pcdf_lane_in *lane)
{
    while (pcdf_walk_next(o->x, &o->stripes, &lane->walk, &lane->now.at))
        if (lane->walk.owner == o->me) {
            lane->now.bytes = o->x->data + lane->walk.at - lane->now.at.length;
            return true;
        }
    return false;
}

static bool advance(const struct pcdf_owned *o, struct pcdf_lane_in *lane)
{
    if (lane->now.rank == o->me)
        return advance_own(o, lane);
    if (lane->next == lane->end)
        return false;
    lane->now.at = *lane->next++;
    lane->now.bytes = lane->bytes;
    lane->bytes += lane->now.at.length;
    return true;
}

void pcdf_owned_add(struct pcdf_owned *o, int rank, const struct pcdf_piece *pieces, int64_t n, char *bytes)
{
    struct pcdf_lane_in lane = { .next = pieces, .end = pieces ? pieces + n : NULL, .bytes = bytes };
    lane.now.rank = rank;
    if (advance(o, &lane))
        o->lanes[o->nlanes++] = lane;
}

static void merge(struct pcdf_owned *o)
{
    for (int i = o->nlanes / 2 - 1; i >= 0; i--)
        sift(o, i);
    for (o->n = 0; o->nlanes > 0; o->n++) {
        struct pcdf_lane_in *top = o->lanes;
        o->order[o->n] = top->now;
        if (!advance(o, top))
            *top = o->lanes[--o->nlanes];
        sift(o, 0);
    }
}

/* --- neighbours in one call */

/* How many pieces from `first` on one call moves: neighbours that fit in the window, or one. *end: of theirs.
 */
static int64_t run_of(const struct pcdf_owned *o, int64_t first, int64_t *end)
{
    const struct pcdf_placed *p = o->order;
    bool puts = o->x->dir == PCDF_PUT;
    int64_t n = 1;

    *end = p[first].at.offset + p[first].at.length;
    if (p[first].at.length >= LARGE)
        return n;
    for (; first + n < o->n; n++) {
        int64_t gap = p[first + n].at.offset - *end;
        if (gap > (puts ? 0 : NEAR) || p[first + n].at.length >= LARGE)
            break;
        if (gap < 0 && puts) /* of two ranks: who wins is not defined; a get reads both alike */
            break;
        int64_t next = p[first + n].at.offset + p[first + n].at.length;
        if (next - p[first].at.offset > o->window_size)
            break;
        *end = next > *end ? next : *end;
    }
    return n;
}

static void copy_run(const struct pcdf_owned *o, const struct pcdf_placed *run, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        char *inside = o->window + (run[i].at.offset - run[0].at.offset);
        if (o->x->dir == PCDF_PUT)
            memcpy(inside, run[i].bytes, (size_t)run[i].at.length);
        else
            memcpy(run[i].bytes, inside, (size_t)run[i].at.length);
    }
}

static int move_run(const struct pcdf_owned *o, const struct pcdf_mover *mover, const struct pcdf_placed *run,
                    int64_t n, int64_t end)
{
    int64_t got = 0, length = end - run[0].at.offset;
    char *bytes = n == 1 ? run[0].bytes : o->window;

    if (o->x->dir == PCDF_PUT) {
        if (n > 1)
            copy_run(o, run, n);
        return mover->put(mover->file, bytes, length, run[0].at.offset);
    }
    PCDF_TRY(mover->get(mover->file, bytes, length, run[0].at.offset, &got));
    if (n > 1)
        copy_run(o, run, n);
    return NC_NOERR;
}

void pcdf_owned_move(struct pcdf_owned *o, const struct pcdf_mover *mover, struct pcdf_answer *answers)
{
    int failed = NC_NOERR;
    int64_t end;

    if (o->nlanes > 0)
        merge(o);
    for (int64_t at = 0, n; at < o->n; at += n) {
        n = run_of(o, at, &end);
        if (!failed)
            failed = move_run(o, mover, o->order + at, n, end);
        for (int64_t i = at; i < at + n; i++) {
            struct pcdf_answer *answer = &answers[o->order[i].rank];
            answer->failed = failed ? -(int64_t)failed : answer->failed;
            answer->moved += failed ? 0 : o->order[i].at.length;
        }
    }
}
