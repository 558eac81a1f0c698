/* See twophase.h. A round of a put: each rank packs what it has for each window; in the Allreduce of the next
 * round all learn that this is done, and where the next windows begin; then the aggregators write, while the
 * others pack into the other buffer. So a round costs one Allreduce, and a call one more at its end, of the
 * codes; where ranks overlap, all of it once more, in turn. A round of a get: each rank lists what it wants;
 * the node meets; the aggregators read; the node meets; each rank unpacks. */

#include "twophase.h"
#include "collective.h"
#include "status.h"
#include <string.h>

enum {
    NEAR = 4096, /* a get reads a gap up to this long rather than calling twice */
    SMALL_ALIGN = 1 << 16,
    LARGE_ALIGN = 1 << 20,
    LARGEST_STRIPE = 1 << 28
};

/* ---- domains and windows */

static int64_t begin_of(const struct pcdf_rounds *r, int o)
{
    return r->begin + o * r->domain;
}

static int64_t end_of(const struct pcdf_rounds *r, int o)
{
    int64_t begin = begin_of(r, o);
    return r->flow->end_all - begin > r->domain ? begin + r->domain : r->flow->end_all;
}

static int domains_of(const struct pcdf_rounds *r)
{
    int64_t n = (r->flow->end_all - r->begin - 1) / r->domain + 1;
    return n < r->nodes->total ? (int)n : r->nodes->total;
}

static void share_out(struct pcdf_rounds *r)
{
    const struct pcdf_flow *f = r->flow;
    int64_t stripe = r->x->stripe, each = (f->end_all - f->begin_all - 1) / r->nodes->total + 1;
    int64_t align = stripe >= SMALL_ALIGN && stripe <= LARGEST_STRIPE ? stripe
                    : each >= 16 * LARGE_ALIGN                        ? LARGE_ALIGN
                                                                      : SMALL_ALIGN;
    r->begin = f->begin_all / align * align;
    each = (f->end_all - r->begin - 1) / r->nodes->total + 1;
    r->domain = each > INT64_MAX - align ? INT64_MAX : (each + align - 1) / align * align;
}

static int64_t window_end(const struct pcdf_rounds *r, const int64_t *window, int o)
{
    int64_t end = end_of(r, o);
    return end - window[o] > r->nodes->window ? window[o] + r->nodes->window : end;
}

/* Where this rank's next element in a domain is, or that there is none. */
static int64_t next_in(const struct pcdf_rounds *r, int o, int64_t from)
{
    const struct pcdf_flow *f = r->flow;
    if (f->nbytes == 0 || from >= f->end || f->begin >= end_of(r, o))
        return INT64_MAX;
    int64_t next = f->next(f->context, from);
    return next < end_of(r, o) ? next : INT64_MAX;
}

/* This rank goes on with nothing. */
static void give_up(struct pcdf_rounds *r, int status)
{
    pcdf_first(&r->status, status);
    for (int o = 0; o < r->nodes->total; o++)
        r->next[o] = INT64_MAX;
}

static void start(struct pcdf_rounds *r, int64_t *numbers)
{
    size_t n = (size_t)r->nodes->total;
    int64_t **lists[] = {
        &r->next, &r->all_next, &r->window, &r->old_window, &r->from, &r->given, &r->failed
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = numbers + i * n;
    share_out(r);
    for (int o = 0; o < r->nodes->total; o++) {
        bool used = o < domains_of(r);
        r->given[o] = 0;
        r->next[o] = used ? next_in(r, o, begin_of(r, o)) : INT64_MAX;
        r->window[o] = used ? begin_of(r, o) : INT64_MAX;
    }
}

static int allreduce_all(struct pcdf_rounds *r, const int64_t *mine, int64_t *all, MPI_Op op)
{
    r->x->counts->allreduce++;
    pcdf_nodes_publish(r->nodes);
    int err = MPI_Allreduce(mine, all, domains_of(r), MPI_INT64_T, op, r->x->comm);
    pcdf_nodes_publish(r->nodes);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "agreeing on the windows of", r->x->path) : NC_NOERR;
}

/* Where the next windows begin; *any: some rank has something left. The same on all ranks. */
static int next_windows_all(struct pcdf_rounds *r, bool *any)
{
    *any = false;
    memcpy(r->old_window, r->window, (size_t)r->nodes->total * sizeof *r->window);
    int err = allreduce_all(r, r->next, r->all_next, MPI_MIN);
    for (int o = 0; !err && o < domains_of(r); o++) {
        int64_t next = r->all_next[o], begin = begin_of(r, o);
        r->window[o] =
            next == INT64_MAX ? next : begin + (next - begin) / r->nodes->window * r->nodes->window;
        *any |= next != INT64_MAX;
    }
    return err;
}

/* ---- a rank's own part */

static uint32_t list_pieces(const struct pcdf_extents *x, int64_t window, struct pcdf_short_piece *to)
{
    for (size_t i = 0; i < x->n; i++)
        to[i] = (struct pcdf_short_piece){ (uint32_t)(x->offset[i] - window), (uint32_t)x->length[i] };
    return (uint32_t)x->n;
}

static bool has_part(const struct pcdf_rounds *r, int o)
{
    return r->window[o] != INT64_MAX && r->next[o] < window_end(r, r->window, o);
}

/* What this rank has in one window: listed, at most `room` pieces, and of a put packed. *used: pieces listed
 * in this round so far. */
static int give(struct pcdf_rounds *r, int o, uint32_t *used, uint32_t room)
{
    const struct pcdf_nodes *n = r->nodes;
    const struct pcdf_flow *f = r->flow;
    struct pcdf_given *given = &pcdf_nodes_given(n, r->buffer, n->rank)[o];
    struct pcdf_extents x = { .dir = f->dir };
    int64_t next;

    *given = (struct pcdf_given){ *used, 0 };
    r->from[o] = INT64_MAX;
    if (!has_part(r, o) || room == 0)
        return NC_NOERR;
    PCDF_TRY(f->look(f->context, r->next[o], window_end(r, r->window, o), room, &x, &next));
    if (f->dir == PCDF_PUT && x.n > 0)
        PCDF_TRY(f->move(f->context, pcdf_nodes_window(n, r->buffer, o) + (r->next[o] - r->window[o])));
    given->n = list_pieces(&x, r->window[o], pcdf_nodes_pieces(n, r->buffer, n->rank) + *used);
    *used += given->n;
    r->given[o] += x.nbytes;
    r->from[o] = r->next[o];
    r->next[o] = next < end_of(r, o) ? next : INT64_MAX;
    return NC_NOERR;
}

/* Each begins with another window, so that they do not all write to the same lines of memory. The list is
 * shared out evenly: where it is too short, ranks with alike pieces end at the same place, and what is
 * written is whole. */
static void give_all_windows(struct pcdf_rounds *r)
{
    uint32_t used = 0, parts = 0;
    for (int o = 0; o < r->nodes->total; o++)
        parts += has_part(r, o);
    int total = r->nodes->total, first = r->nodes->mine < 0 ? r->nodes->rank % total : r->nodes->mine;
    for (int i = 0; i < total; i++) {
        int o = first + i < total ? first + i : first + i - total;
        bool has = has_part(r, o);
        int err = give(r, o, &used, has ? (r->nodes->room - used) / parts : 0);
        parts -= has;
        if (err) {
            pcdf_nodes_given(r->nodes, r->buffer, r->nodes->rank)[o].n = 0;
            give_up(r, err);
        }
    }
}

/* What was read for this rank, out of the windows. The same elements as were listed. */
static void take_all_windows(struct pcdf_rounds *r)
{
    const struct pcdf_flow *f = r->flow;
    for (int o = 0; o < r->nodes->total; o++) {
        struct pcdf_extents x;
        int64_t next;
        if (r->from[o] == INT64_MAX || r->status)
            continue;
        int64_t end = window_end(r, r->window, o), to = r->next[o] < end ? r->next[o] : end;
        int err = f->look(f->context, r->from[o], to, SIZE_MAX, &x, &next);
        if (!err && x.n > 0)
            err = f->move(f->context, pcdf_nodes_window(r->nodes, 0, o) + (r->from[o] - r->window[o]));
        if (err)
            give_up(r, err);
    }
}

/* ---- an aggregator's part */

void pcdf_rounds_map(struct pcdf_rounds *r, int buffer, int aggregator)
{
    for (int i = 0; i < r->nodes->size; i++) {
        const struct pcdf_given *g = &pcdf_nodes_given(r->nodes, buffer, i)[aggregator];
        pcdf_bytemap_measure(&r->cover, pcdf_nodes_pieces(r->nodes, buffer, i) + g->first, g->n);
    }
    pcdf_bytemap_begin(&r->cover);
    for (int i = 0; i < r->nodes->size; i++) {
        const struct pcdf_given *g = &pcdf_nodes_given(r->nodes, buffer, i)[aggregator];
        r->overlaps |= pcdf_bytemap_add(&r->cover, pcdf_nodes_pieces(r->nodes, buffer, i) + g->first, g->n);
    }
}

/* After a failure the rest is not tried: on a full disk that would be a wait for each piece. */
static void move_runs(struct pcdf_rounds *r, int buffer, const int64_t *window)
{
    struct pcdf_storage *storage = r->x->storage;
    int o = r->nodes->mine;
    char *bytes = pcdf_nodes_window(r->nodes, buffer, o);
    bool puts = r->flow->dir == PCDF_PUT;
    struct pcdf_short_piece run = { 0, 0 };

    while (!r->failed[o] && pcdf_bytemap_run(&r->cover, run.offset + run.length, puts ? 0 : NEAR, &run)) {
        int64_t at = window[o] + run.offset;
        int err = puts ? pcdf_storage_put_at(storage, bytes + run.offset, run.length, at)
                       : pcdf_storage_get_at(storage, bytes + run.offset, run.length, at, NULL);
        r->failed[o] = -(int64_t)err;
    }
}

static void fail_relay(struct pcdf_rounds *r, int err)
{
    if (err) /* what it had for others is lost as well: all hear of it */
        for (int o = 0; o < r->nodes->total; o++)
            r->failed[o] = -(int64_t)err;
}

static void write_windows_all(struct pcdf_rounds *r, int buffer, const int64_t *window)
{
    bool relays = r->nodes->n > 1; /* the same on all ranks */
    if (r->nodes->mine >= 0) {     /* the same on all ranks of a lane */
        pcdf_bytemap_start(&r->cover, r->nodes->bits);
        if (relays) /* the same on all ranks */
            fail_relay(r, pcdf_internode_put_all(r, buffer));
        else
            pcdf_rounds_map(r, buffer, r->nodes->mine);
        if (window[r->nodes->mine] != INT64_MAX)
            move_runs(r, buffer, window);
    }
}

static void read_windows_all(struct pcdf_rounds *r)
{
    bool relays = r->nodes->n > 1; /* the same on all ranks */
    if (r->nodes->mine >= 0) {     /* the same on all ranks of a lane */
        pcdf_bytemap_start(&r->cover, r->nodes->bits);
        if (relays) /* the same on all ranks */
            fail_relay(r, pcdf_internode_wants_all(r, 0));
        else
            pcdf_rounds_map(r, 0, r->nodes->mine);
        if (r->window[r->nodes->mine] != INT64_MAX)
            move_runs(r, 0, r->window);
        if (relays) /* the same on all ranks */
            fail_relay(r, pcdf_internode_get_all(r, 0));
    }
}

/* ---- rounds */

/* One rank of a node after the other. */
static int give_in_turn_all(struct pcdf_rounds *r)
{
    int err = MPI_SUCCESS;
    for (int turn = 0; !err && turn < r->nodes->size; turn++) { /* as many on all ranks of the node */
        if (turn == r->nodes->rank)
            give_all_windows(r);
        err = pcdf_nodes_meet_all(r->nodes, r->x->counts);
    }
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "meeting over the windows of", r->x->path) : NC_NOERR;
}

static int put_rounds_all(struct pcdf_rounds *r)
{
    for (bool any = true; any; r->buffer ^= 1) { /* until nobody has anything left: the same on all ranks */
        int err = NC_NOERR;
        if (r->in_turn) /* the same on all ranks */
            err = give_in_turn_all(r);
        else
            give_all_windows(r);
        if (!err) /* the same on all ranks */
            err = next_windows_all(r, &any);
        if (err)
            return err;
        write_windows_all(r, r->buffer, r->old_window);
    }
    return NC_NOERR;
}

static int get_rounds_all(struct pcdf_rounds *r)
{
    for (bool any = true; any;) { /* until nobody wants anything more: the same on all ranks */
        give_all_windows(r);
        int err = pcdf_nodes_meet_all(r->nodes, r->x->counts);
        if (!err)
            read_windows_all(r);
        if (!err)
            err = pcdf_nodes_meet_all(r->nodes, r->x->counts);
        if (err)
            return pcdf_error_from_mpi(err, NC_EMPI, "meeting over the windows of", r->x->path);
        take_all_windows(r);
        err = next_windows_all(r, &any);
        if (err)
            return err;
    }
    return NC_NOERR;
}

/* Bytes given = bytes that the aggregators moved, or why not. */
static int verdict(struct pcdf_rounds *r, int64_t *moved)
{
    const struct pcdf_flow *f = r->flow;
    int code = NC_NOERR;
    *moved = 0;
    for (int o = 0; o < domains_of(r); o++) {
        if (!r->failed[o])
            *moved += r->given[o];
        else if (r->given[o] > 0)
            pcdf_first(&code, (int)-r->failed[o]);
    }
    if (!code)
        return NC_NOERR;
    return PCDF_FAIL(code, "%s %s: %lld of this rank's %lld bytes were moved",
                     f->dir == PCDF_PUT ? "writing" : "reading", r->x->path, (long long)*moved,
                     (long long)f->nbytes);
}

/* All learn what failed, and whether ranks of one node had the same bytes for a put. */
static int hear_failures_all(struct pcdf_rounds *r, bool *overlap)
{
    int n = domains_of(r);
    for (int o = 0; o < n; o++)
        r->next[o] = 2 * r->failed[o] + r->overlaps;
    int err = allreduce_all(r, r->next, r->failed, MPI_MAX);
    *overlap = false;
    for (int o = 0; !err && o < n; o++) {
        *overlap |= r->failed[o] % 2;
        r->failed[o] /= 2;
    }
    return err;
}

/* Ranks that packed the same element at the same time may have mixed its bytes (one store of eight bytes lies
 * across two lines of the cache). Then all of it is packed and written once more, in turn: each element is
 * what one rank gave. It costs time where programs overlap, which they do by mistake or with equal values. */
static int put_again_all(struct pcdf_rounds *r)
{
    const struct pcdf_flow *f = r->flow;
    r->in_turn = true;
    r->x->counts->puts_again++;
    if (f->nbytes > 0 && f->again)
        f->again(f->context);
    start(r, r->nodes->numbers);
    int err = put_rounds_all(r);
    bool overlap;
    if (!err) /* on all ranks */
        err = hear_failures_all(r, &overlap);
    return err;
}

static int rounds_all(struct pcdf_rounds *r, int64_t *moved)
{
    start(r, r->nodes->numbers);
    memset(r->failed, 0, (size_t)r->nodes->total * sizeof *r->failed);
    bool puts = r->flow->dir == PCDF_PUT,
         overlap = false; /* the same on all ranks, as is whether MPI works */
    int err = puts ? put_rounds_all(r) : get_rounds_all(r);
    if (!err) /* on all ranks */
        err = hear_failures_all(r, &overlap);
    if (!err && puts && overlap) /* on all ranks */
        err = put_again_all(r);
    if (err)
        return err;
    err = verdict(r, moved);
    pcdf_first(&r->status, err);
    return r->status;
}

/* Before the first transfer. Domains follow from the stripe: rank 0's holds. What is not there is not used.
 */
static int look_around_all(struct pcdf_twophase *x)
{
    int rank;
    bool is_ready;
    struct pcdf_nodes *n = pcdf_nodes_enter(x->comm, &is_ready);
    MPI_Comm_rank(x->comm, &rank);
    int64_t mine[2] = { rank == 0 ? x->stripe : INT64_MIN, !is_ready }, all[2] = { 0, 0 };
    x->counts->allreduce++;
    int err = MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_MAX, x->comm);
    x->stripe = all[0];
    if (!err && all[1]) /* the same on all ranks */
        (void)pcdf_nodes_complete_all(x->comm, &x->wish, x->counts, &n);
    if (err && n)
        pcdf_nodes_leave(n);
    x->nodes = err ? NULL : n;
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "sharing out", x->path) : NC_NOERR;
}

void pcdf_twophase_end(struct pcdf_twophase *x)
{
    if (x->nodes)
        pcdf_nodes_leave(x->nodes);
    x->nodes = NULL;
}

int pcdf_twophase_all(struct pcdf_twophase *x, const struct pcdf_flow *flow, bool *done, int64_t *moved)
{
    *moved = 0;
    *done = false;
    if (!x->nodes) /* the same on all ranks */
        PCDF_TRY(look_around_all(x));
    if (!x->nodes || x->nodes->window == 0) /* the same on all ranks */
        return NC_NOERR;
    x->counts->nodes = x->nodes->n;
    x->counts->aggregators = x->nodes->total;
    x->counts->window = x->nodes->window;
    *done = true;
    if (flow->begin_all >= flow->end_all) /* the same on all ranks */
        return NC_NOERR;
    struct pcdf_rounds r = { .x = x, .nodes = x->nodes, .flow = flow };
    return rounds_all(&r, moved);
}
