/* See twophase.h. A round of a put: each rank packs what it has for each window; in the Allreduce of the next
 * round all learn that this is done, and where the next windows begin; then the aggregators write, while the
 * others pack into the other buffer. So a round costs one Allreduce, and a call one more at its end, of the
 * codes; where ranks overlap, all of it once more, in turn. A round of a get: each rank lists what it wants;
 * the node meets; the aggregators read; the node meets; each rank unpacks. */

#include "twophase.h"
#include <assert.h>
#include <stdatomic.h>
#include <string.h>
#include "independent.h"
#include "provesame.h"
#include "sieve.h"
#include "status.h"
#include "tracestorage.h"

enum { SMALL_ALIGN = 1 << 16, LARGE_ALIGN = 1 << 20, LARGEST_STRIPE = 1 << 28 };

/* ---- domains and windows */

/* The window of a domain in which its next byte lies; INT64_MAX: there is none. */
static void set_window(struct pcdf_rounds *r, int o, int64_t next)
{
    int64_t size = r->nodes->window, window = next;
    assert(next >= r->begin[o]);
    if (next != INT64_MAX)
        window = r->begin[o] + (next - r->begin[o]) / size * size;
    r->window[o] = window;
    r->window_end[o] = next == INT64_MAX ? INT64_MIN : r->end[o] - window > size ? window + size : r->end[o];
}

/* All domains from their begin. */
static void start(struct pcdf_rounds *r)
{
    const struct pcdf_iterator *it = r->it;
    int64_t **lists[] = { &r->begin,      &r->end,  &r->next,   &r->window, &r->window_end,
                          &r->old_window, &r->from, &r->packed, &r->failed };
    size_t nlists = sizeof lists / sizeof *lists;
    assert(nlists == PCDF_ROUNDS_LISTS);
    for (size_t i = 0; i < nlists; i++)
        *lists[i] = r->nodes->numbers + i * (size_t)r->nodes->total;

    /* Equal domains whose borders suit the file system. The last ones are empty where there are few bytes. */
    int64_t stripe = r->f->twophase.stripe, total = r->nodes->total,
            each = (r->all.end - r->all.begin - 1) / total + 1;
    int64_t align = stripe >= SMALL_ALIGN && stripe <= LARGEST_STRIPE ? stripe
                    : each >= 16 * LARGE_ALIGN                        ? LARGE_ALIGN
                                                                      : SMALL_ALIGN;
    int64_t begin = r->all.begin / align * align;
    each = (r->all.end - begin - 1) / total + 1;
    int64_t domain = each > INT64_MAX - align ? INT64_MAX : (each + align - 1) / align * align;
    r->domains = (int)((r->all.end - begin - 1) / domain + 1);
    assert(r->domains <= total);

    for (int o = 0; o < r->domains; o++) {
        r->begin[o] = begin + o * domain;
        r->end[o] = r->all.end - r->begin[o] > domain ? r->begin[o] + domain : r->all.end;
        bool is_here = it->nbytes > 0 && r->begin[o] < it->end && it->begin < r->end[o];
        int64_t next = is_here ? it->next(it->context, r->begin[o]) : INT64_MAX;
        r->next[o] = next < r->end[o] ? next : INT64_MAX;
        r->packed[o] = 0;
        set_window(r, o, r->begin[o]);
    }
}

/* This rank goes on with nothing. */
static void give_up(struct pcdf_rounds *r, int status)
{
    pcdf_first(&r->status, status);
    for (int o = 0; o < r->domains; o++)
        r->next[o] = INT64_MAX;
}

/* Where the next windows begin; *any: some rank has something left. The same on all ranks. What the ranks of
 * a node stored before, all of them see after. */
static int next_windows_all(struct pcdf_rounds *r, bool *any)
{
    size_t bytes = (size_t)r->domains * sizeof *r->window;
    *any = false;
    memcpy(r->old_window, r->window, bytes);
    memcpy(r->window, r->next, bytes);
    atomic_thread_fence(memory_order_seq_cst);
    int err = pcdf_ranks_reduce_all(&r->f->ranks, MPI_MIN, r->window, r->domains);
    atomic_thread_fence(memory_order_seq_cst);
    for (int o = 0; !err && o < r->domains; o++) {
        *any |= r->window[o] != INT64_MAX;
        set_window(r, o, r->window[o]);
    }
    return err;
}

/* ---- a rank's own part */

/* What this rank has in each window: listed, and of a put packed. Each rank begins with another window, so
 * that they do not all write to the same lines of memory. The list is shared out evenly: where it is too
 * short, ranks with alike pieces end at the same place, and what is written is whole. */
static void list_windows(struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    const struct pcdf_iterator *it = r->it;
    const struct pcdf_list list = pcdf_nodes_list(n, r->buffer, n->rank);
    uint32_t used = 0, parts = 0;
    memset(list.part, 0, (size_t)n->total * sizeof *list.part);
    for (int o = 0; o < r->domains; o++) {
        parts += r->next[o] < r->window_end[o];
        r->from[o] = INT64_MAX;
    }
    int first = n->mine < 0 ? n->rank : n->mine;
    for (int i = 0; i < r->domains; i++) {
        int o = (first + i) % r->domains;
        if (r->next[o] >= r->window_end[o])
            continue;
        uint32_t room = (n->room - used) / parts--;
        const struct pcdf_look look = { r->next[o], r->window_end[o], room, INT64_MAX, NULL };
        struct pcdf_part part;
        int err = room > 0 ? it->peek(it->context, &look, &part) : NC_NOERR;
        if (err)
            give_up(r, err);
        if (err || room == 0)
            continue;
        if (it->dir == PCDF_PUT) {
            it->copy(it->context, pcdf_nodes_window(n, r->buffer, o) + (look.from - r->window[o]));
            r->packed[o] += part.asked;
        }
        for (size_t k = 0; k < part.n; k++)
            list.pieces[used + k] =
                (struct pcdf_short_piece){ (uint32_t)(part.pieces[k].offset - r->window[o]),
                                           (uint32_t)part.pieces[k].length };
        list.part[o] = (struct pcdf_list_part){ used, (uint32_t)part.n };
        used += (uint32_t)part.n;
        assert(used <= n->room);
        r->from[o] = look.from;
        r->next[o] = part.next < r->end[o] ? part.next : INT64_MAX;
    }
}

/* What was read for this rank, out of the windows. The same elements as were listed. */
static void unpack_windows(struct pcdf_rounds *r)
{
    const struct pcdf_iterator *it = r->it;
    for (int o = 0; o < r->domains; o++) {
        struct pcdf_part part;
        if (r->from[o] == INT64_MAX || r->status)
            continue;
        int64_t to = r->next[o] < r->window_end[o] ? r->next[o] : r->window_end[o];
        const struct pcdf_look look = { r->from[o], to, SIZE_MAX, INT64_MAX, NULL };
        int err = it->peek(it->context, &look, &part);
        if (err) {
            give_up(r, err);
            return;
        }
        it->copy(it->context, pcdf_nodes_window(r->nodes, r->buffer, o) + (look.from - r->window[o]));
        r->packed[o] += part.asked;
    }
}

/* ---- an aggregator's part */

/* What the ranks listed for this rank's window, which begins at window[mine]: its runs of bytes, between the
 * window and the storage. */
static void move_windows_all(struct pcdf_rounds *r, int buffer, const int64_t *window)
{
    const struct pcdf_nodes *n = r->nodes;
    bool between_nodes = n->n > 1, puts = r->it->dir == PCDF_PUT; /* the same on all ranks */
    int mine = n->mine, err = NC_NOERR;
    if (mine < 0) /* the same on all ranks of a lane */
        return;
    r->map = (struct pcdf_bytemap){ .bits = n->bits };
    if (between_nodes) /* the same on all ranks */
        err = pcdf_internode_collect_all(r, buffer, puts);
    else if (mine < r->domains)
        r->overlaps |= pcdf_bytemap_begin(&r->map, n, buffer, mine);

    if (!err && mine < r->domains && window[mine] != INT64_MAX && !r->failed[mine])
        r->failed[mine] = -(int64_t)pcdf_sieve_window(&r->sieve, r->it->dir, &r->map,
                                                      pcdf_nodes_window(n, buffer, mine), window[mine]);

    if (between_nodes && !puts) /* the same on all ranks */
        pcdf_first(&err, pcdf_internode_answer_all(r, buffer));
    for (int o = 0; err && o < r->domains; o++) /* what nodes had for each other is lost as well */
        r->failed[o] = -(int64_t)err;
}

/* ---- rounds */

/* in_turn: one rank of a node packs after the other. */
static int put_rounds_all(struct pcdf_rounds *r)
{
    for (bool any = true; any; r->buffer ^= 1) { /* until nobody has anything left: the same on all ranks */
        int err = NC_NOERR, turns = r->in_turn ? r->nodes->size : 1;
        for (int turn = 0; !err && turn < turns; turn++) { /* as many on all ranks of the node */
            if (!r->in_turn || turn == r->nodes->rank)
                list_windows(r);
            if (r->in_turn) /* the same on all ranks */
                err = pcdf_nodes_meet_all(r->nodes, &r->f->ranks);
        }
        if (!err) /* the same on all ranks */
            err = next_windows_all(r, &any);
        if (err)
            return err;
        move_windows_all(r, r->buffer, r->old_window);
    }
    return NC_NOERR;
}

static int get_rounds_all(struct pcdf_rounds *r)
{
    for (bool any = true; any;) { /* until nobody wants anything more: the same on all ranks */
        list_windows(r);
        int err = pcdf_nodes_meet_all(r->nodes, &r->f->ranks);
        if (!err)
            move_windows_all(r, r->buffer, r->window);
        if (!err)
            err = pcdf_nodes_meet_all(r->nodes, &r->f->ranks);
        if (err)
            return err;
        unpack_windows(r);
        err = next_windows_all(r, &any);
        if (err)
            return err;
    }
    return NC_NOERR;
}

/* Bytes packed = bytes that the aggregators moved, or why not.
 *
 * Ranks that packed the same element at the same time may have mixed its bytes (one store of eight bytes lies
 * across two lines of the cache). Then all of it is packed and written once more, in turn: each element is
 * what one rank gave. It costs time where programs overlap, which they do by mistake or with equal values. */
static int rounds_all(struct pcdf_rounds *r, int64_t *moved)
{
    bool puts = PCDF_SAME(&r->f->ranks, r->it->dir == PCDF_PUT), overlap = true;
    int code = NC_NOERR;
    for (; overlap; r->in_turn = true) { /* the same on all ranks */
        start(r);
        if (!r->in_turn)
            memset(r->failed, 0, (size_t)r->domains * sizeof *r->failed);
        else
            r->f->ranks.counts->puts_again++;
        int err = puts ? put_rounds_all(r) : get_rounds_all(r); /* the same on all ranks */

        /* All learn what failed, and whether ranks of one node had the same bytes for a put. */
        for (int o = 0; o < r->domains; o++)
            r->failed[o] = 2 * r->failed[o] + r->overlaps;
        if (!err) /* on all ranks, as is whether MPI works */
            err = pcdf_ranks_reduce_all(&r->f->ranks, MPI_MAX, r->failed, r->domains);
        if (err)
            return err;
        overlap = false;
        for (int o = 0; o < r->domains; o++) {
            overlap |= puts && !r->in_turn && r->failed[o] % 2;
            r->failed[o] /= 2;
        }
    }
    for (int o = 0; o < r->domains; o++) {
        if (!r->failed[o])
            *moved += r->packed[o];
        else if (r->packed[o] > 0)
            pcdf_first(&code, (int)-r->failed[o]);
    }
    if (!code || r->status)
        return r->status;
    return PCDF_FAIL(code, "%s %s: %lld of this rank's %lld bytes were moved", puts ? "writing" : "reading",
                     r->f->ranks.path, (long long)*moved, (long long)r->it->nbytes);
}

/* Before the first transfer. Domains follow from the stripe: rank 0's holds. What is not there is not used,
 * and is not asked for again: the ranks would try in vain before each transfer. */
static int look_around_all(struct pcdf_sharedfile *f)
{
    struct pcdf_twophase *x = &f->twophase;
    bool is_ready;
    struct pcdf_nodes *n = pcdf_nodes_enter(f->ranks.comm, &is_ready);
    int64_t agreed[2] = { f->ranks.rank == 0 ? x->stripe : INT64_MIN, !is_ready };
    int err = pcdf_ranks_reduce_all(&f->ranks, MPI_MAX, agreed, 2);
    if (!err && agreed[1]) /* the same on all ranks */
        (void)pcdf_nodes_complete_all(&f->ranks, &x->wish, &n);
    if (err && n)
        pcdf_nodes_leave(n);
    if (err)
        return err;
    x->stripe = agreed[0];
    x->nodes = n;
    x->has_looked = true;
    return NC_NOERR;
}

void pcdf_twophase_end(struct pcdf_twophase *x)
{
    if (x->nodes)
        pcdf_nodes_leave(x->nodes);
    x->nodes = NULL;
}

/* One line for all of it; before the first one, where it goes through. */
static void log_transfer(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, double begin,
                         bool is_first, int status)
{
    const struct pcdf_nodes *n = f->twophase.nodes;
    if (is_first)
        pcdf_tracestorage_tell(f->storage, begin,
                               &(struct pcdf_trace_line){ "nodes", n->n, n->total, n->window, NC_NOERR });
    pcdf_tracestorage_tell(f->storage, begin,
                           &(struct pcdf_trace_line){ it->dir == PCDF_PUT ? "put_exchange" : "get_exchange",
                                                      it->pieces, it->nbytes ? it->begin : 0, it->nbytes,
                                                      status });
}

int pcdf_twophase_all(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, const struct pcdf_span *all,
                      const struct pcdf_stage *stage, int64_t *moved)
{
    struct pcdf_counts *counts = f->ranks.counts;
    int status = NC_NOERR;
    *moved = 0;
    if (!PCDF_SAME(&f->ranks, f->twophase.has_looked))
        status = look_around_all(f);
    if (status) /* on all ranks */
        return status;
    struct pcdf_nodes *n = f->twophase.nodes;
    if (PCDF_SAME(&f->ranks, !n || n->window == 0))
        return pcdf_independent(f, it, stage, false, moved);
    bool is_first = counts->nodes == 0;
    double begin = f->is_traced ? pcdf_tracestorage_hush(f->storage) : 0;
    struct pcdf_rounds r = {
        .f = f, .nodes = n, .it = it, .all = *all, .sieve = pcdf_sieve_begin(f->storage, &f->sieve)
    };
    counts->nodes = n->n;
    counts->aggregators = n->total;
    counts->window = n->window;
    if (PCDF_SAME(&f->ranks, all->begin < all->end))
        status = rounds_all(&r, moved);
    if (f->is_traced)
        log_transfer(f, it, begin, is_first, status);
    pcdf_sieve_end(&r.sieve);
    return status;
}
