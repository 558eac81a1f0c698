/* See twophase.h. A step of a node: each rank lists what it has for each window of the round, and packs it;
 * the ranks of the node meet; lanes send, aggregators take in what is there, and write the windows that are
 * complete, while the others pack the next step. A get's ranks list what they want; the node meets; lanes
 * ask, aggregators read and answer; the node meets; each rank unpacks. */

#include "twophase.h"
#include <assert.h>
#include <string.h>
#include "independent.h"
#include "provesame.h"
#include "rounds.h"
#include "sharedfile.h"
#include "sieve.h"
#include "status.h"
#include "tracestorage.h"

enum { LEAST_BYTES = 512 /* a domain's in each step, which so progresses */ };

/* An element of this rank begins at `at`: where the first one in the domain does, from there on. */
static int64_t next_in(const struct pcdf_rounds *r, int domain, int64_t at)
{
    while (at != INT64_MAX) {
        const struct pcdf_block b = pcdf_domains_from(&r->d, domain, at);
        if (b.from == INT64_MAX)
            return INT64_MAX;
        if (b.from <= at)
            return at;
        at = r->it->next(r->it->context, b.from);
    }
    return at;
}

static int64_t round_of(const struct pcdf_rounds *r, int domain)
{
    int64_t next = r->next[domain];
    return next == INT64_MAX ? INT64_MAX : pcdf_domains_at(&r->d, next).round;
}

/* All domains from their begin; in turn: those whose windows are on this node. */
static void start(struct pcdf_rounds *r)
{
    const struct pcdf_iterator *it = r->it;
    struct pcdf_nodes *n = r->nodes;
    int64_t **lists[] = { &r->next, &r->from, &r->packed, &r->due };
    size_t nlists = sizeof lists / sizeof *lists;
    assert(nlists == PCDF_NODES_LISTS);
    for (size_t i = 0; i < nlists; i++)
        *lists[i] = n->numbers + i * (size_t)n->total;
    assert(r->d.n <= n->total);
    for (int o = 0; o < r->d.n; o++) {
        int64_t begin = r->d.first + o / r->d.members * r->d.region;
        begin = begin < r->d.begin ? r->d.begin : begin;
        bool is_wanted = it->nbytes > 0 && !r->status && (!r->in_turn || pcdf_rounds_window(r, o) >= 0);
        r->next[o] = is_wanted ? next_in(r, o, it->next(it->context, begin)) : INT64_MAX;
        if (!r->in_turn)
            r->packed[o] = 0;
    }
    r->domain = n->mine < 0 ? -1 : pcdf_rounds_domain(r, n->mine);
    r->open = -1;
}

/* ---- what a rank does for itself */

struct listing { /* what a rank lists in this step */
    struct pcdf_list list;
    uint32_t pieces, bytes; /* used */
    char *window;           /* the domain's; NULL: it is on another node */
};

/* Of one block what there is room for. *next: where the next element of this rank begins. */
static int list_block(struct pcdf_rounds *r, int o, const struct pcdf_block *b, struct listing *l,
                      const struct pcdf_batch_limits *limits, int64_t *next)
{
    const struct pcdf_iterator *it = r->it;
    struct pcdf_list_batch *listed = &l->list.batch[o];
    struct pcdf_batch batch;
    int64_t place = pcdf_rounds_place(r, b->index) - b->from;
    PCDF_TRY(it->peek(it->context, limits, &batch));
    if (it->dir == PCDF_PUT)
        it->copy(it->context, l->window ? l->window + place + limits->from : limits->packed);
    if (it->dir == PCDF_PUT && !r->in_turn)
        r->packed[o] += batch.asked;
    for (size_t k = 0; k < batch.n; k++)
        l->list.pieces[l->pieces + k] = (struct pcdf_short_piece){ (uint32_t)(batch.pieces[k].offset + place),
                                                                   (uint32_t)batch.pieces[k].length };
    l->pieces += (uint32_t)batch.n;
    l->bytes += l->window ? 0 : (uint32_t)batch.nbytes;
    listed->n += (uint32_t)batch.n;
    listed->bytes += l->window ? 0 : (uint32_t)batch.nbytes;
    assert(l->pieces <= r->nodes->room && l->bytes <= r->nodes->staging);
    *next = batch.next;
    return NC_NOERR;
}

/* What this rank has in the window of a domain, as far as `pieces` and `bytes` allow, block by block. */
static int list_domain(struct pcdf_rounds *r, int o, struct listing *l, uint32_t pieces, uint32_t bytes)
{
    const uint32_t pieces_end = l->pieces + pieces, bytes_end = l->bytes + bytes;
    r->from[o] = r->next[o];
    while (r->next[o] != INT64_MAX && l->pieces < pieces_end) {
        const struct pcdf_block b = pcdf_domains_from(&r->d, o, r->next[o]);
        int64_t room = l->window ? INT64_MAX : (bytes_end - l->bytes) & -8, next;
        if (b.round != r->round || room == 0)
            break;
        const struct pcdf_batch_limits limits = { r->next[o],
                                                  b.to,
                                                  pieces_end - l->pieces,
                                                  room,
                                                  l->window ? NULL : l->list.bytes + l->bytes,
                                                  true,
                                                  r->in_pools && l->window,
                                                  0,
                                                  r->in_turn };
        PCDF_TRY(list_block(r, o, &b, l, &limits, &next));
        bool is_stuck = next == r->next[o];
        r->next[o] = next_in(r, o, next);
        if (is_stuck)
            break;
    }
    return NC_NOERR;
}

static uint32_t share(uint32_t left, uint32_t parts, uint32_t fewest)
{
    uint32_t each = left / parts;
    return each > fewest ? each : left < fewest ? left : fewest;
}

/* What this rank has in each window of the round: listed, and of a put packed. Each rank begins with another
 * window, so that they do not all write to the same lines of memory. The room is shared out evenly: where it
 * is too short, ranks with alike pieces end at the same place. What was listed for another node fits into a
 * message. */
static void list_step(struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    struct listing l = { pcdf_nodes_list(n, r->buffer, n->rank), 0, 0, NULL };
    const uint32_t room = r->forwards ? n->relay_room : n->room,
                   staging = r->forwards ? n->relay_staging : n->staging,
                   most_pieces = r->forwards
                                     ? room
                                     : (n->message / 2 - sizeof(struct pcdf_head)) / sizeof *l.list.pieces,
                   most_bytes = r->forwards ? staging : n->message / 2;
    uint32_t parts = 0;
    *l.list.next = INT64_MAX;
    for (int o = 0; o < r->d.n; o++) {
        parts += round_of(r, o) == r->round;
        r->from[o] = INT64_MAX;
    }
    int first = n->mine < 0 ? n->rank : r->domain < 0 ? 0 : r->domain;
    for (int i = 0; i < r->d.n; i++) {
        int o = (first + i) % r->d.n, number = pcdf_rounds_window(r, o);
        struct pcdf_list_batch *batch = &l.list.batch[o];
        *batch = (struct pcdf_list_batch){ .first = l.pieces, .at = l.bytes };
        if (r->status && round_of(r, o) == r->round)
            r->next[o] = INT64_MAX; /* promised to its aggregator, but nothing comes */
        if (round_of(r, o) == r->round) {
            l.window = number < 0 ? NULL : pcdf_rounds_bytes(r, number);
            uint32_t pieces = share(room - l.pieces, parts, 8),
                     bytes = l.window ? 0 : share(staging - l.bytes, parts, LEAST_BYTES);
            if (!l.window && pieces > most_pieces)
                pieces = most_pieces;
            if (!l.window && bytes > most_bytes)
                bytes = most_bytes;
            parts--;
            int err = list_domain(r, o, &l, pieces, bytes);
            if (err)
                r->next[o] = INT64_MAX;
            pcdf_first(&r->status, err);
        }
        batch->next = round_of(r, o);
        *l.list.next = batch->next < *l.list.next ? batch->next : *l.list.next;
    }
}

/* What was brought for this rank: the same elements as were listed. */
static int unpack_domain(struct pcdf_rounds *r, int o)
{
    const struct pcdf_iterator *it = r->it;
    const struct pcdf_list list = pcdf_nodes_list(r->nodes, r->buffer, r->nodes->rank);
    int number = pcdf_rounds_window(r, o);
    char *window = number < 0 ? NULL : pcdf_rounds_bytes(r, number),
         *packed = window ? NULL : list.bytes + list.batch[o].at;
    for (int64_t at = r->from[o]; at < r->next[o];) {
        const struct pcdf_block b = pcdf_domains_from(&r->d, o, at);
        const struct pcdf_batch_limits limits = {
            at, r->next[o] < b.to ? r->next[o] : b.to, SIZE_MAX, INT64_MAX, packed, true, false, 0, false
        };
        struct pcdf_batch batch;
        if (b.round != r->round)
            break;
        PCDF_TRY(it->peek(it->context, &limits, &batch));
        it->copy(it->context, window ? window + pcdf_rounds_place(r, b.index) + (at - b.from) : packed);
        if (!window)
            packed += batch.nbytes;
        r->packed[o] += batch.asked;
        at = next_in(r, o, batch.next);
    }
    return NC_NOERR;
}

static void unpack_step(struct pcdf_rounds *r)
{
    for (int o = 0; o < r->d.n && !r->status; o++) {
        int err = r->from[o] == INT64_MAX ? NC_NOERR : unpack_domain(r, o);
        pcdf_first(&r->status, err);
    }
}

/* ---- what an aggregator does */

/* What the ranks of this node listed in this step for this rank's window. */
static void take_own(struct pcdf_rounds *r)
{
    for (int rank = 0; rank < r->nodes->size; rank++) {
        const struct pcdf_list list = pcdf_nodes_list(r->nodes, r->buffer, rank);
        const struct pcdf_list_batch *batch = &list.batch[r->domain];
        r->overlaps |= pcdf_bytemap_add(&r->map, list.pieces + batch->first, batch->n);
    }
}

/* This node's step, as an aggregator sees it. Of a put its window stays open until nobody has more for it. */
static void serve_step(struct pcdf_rounds *r)
{
    if (r->domain < 0 || r->broken)
        return;
    pcdf_rounds_open(r, r->round, r->window);
    take_own(r);
    if (r->nodes->n > 1 && !r->in_turn)
        pcdf_internode_receive(r, r->round);
    else if (r->it->dir == PCDF_GET)
        pcdf_rounds_move(r);
    bool is_complete = r->ahead > r->round && (r->in_turn || pcdf_internode_due(r) > r->round);
    if (r->it->dir == PCDF_GET || is_complete)
        pcdf_rounds_close(r);
}

/* Rounds before `round` in which only other nodes have something, or have more than this one had. */
static void serve_others(struct pcdf_rounds *r, int64_t round)
{
    while (r->domain >= 0 && !r->in_turn && !r->broken) {
        int64_t due = pcdf_internode_due(r);
        if (due >= round)
            return;
        /* Other ranks may pack into the next one, or still unpack the last one. */
        int window = r->it->dir == PCDF_PUT ? r->window ^ 1 : r->window;
        if (r->open != due)
            pcdf_rounds_lend(r, window, due);
        pcdf_rounds_open(r, due, window);
        pcdf_internode_receive(r, due);
        if (r->it->dir == PCDF_GET || pcdf_internode_due(r) > due)
            pcdf_rounds_close(r);
    }
}

/* ---- rounds */

/* After a failure of MPI this rank leaves at once, and the others may wait for it: nothing can be agreed. */
static int meet_all(struct pcdf_rounds *r)
{
    int err = pcdf_nodes_meet_all(r->nodes, &r->f->ranks);
    pcdf_first(&r->broken, err);
    return r->broken;
}

/* in_turn: one rank of a node packs after the other. From the last meeting on ranks may pack the next step:
 * they learn there where its windows lie. */
static int list_all(struct pcdf_rounds *r)
{
    int err = NC_NOERR, turns = r->in_turn ? r->nodes->size : 1;
    for (int turn = 0; !err && turn < turns; turn++) { /* as many on all ranks of the node */
        if (!r->in_turn || turn == r->nodes->rank)
            list_step(r);
        if (turn + 1 == turns) {
            pcdf_internode_clear(r, (r->buffer + 1) % r->nodes->buffers);
            pcdf_rounds_lend(r, r->round < 0 ? r->window : r->window ^ 1, r->round + 1);
        }
        err = meet_all(r);
    }
    r->ahead = INT64_MAX;
    for (int rank = 0; !err && rank < r->nodes->size; rank++) {
        int64_t next = *pcdf_nodes_list(r->nodes, r->buffer, rank).next;
        r->ahead = next < r->ahead ? next : r->ahead;
    }
    return err;
}

/* One of this node. */
static void step_all(struct pcdf_rounds *r)
{
    serve_others(r, r->round);
    if (list_all(r)) /* on all ranks of the node: MPI failed */
        return;
    if (!r->in_turn)
        pcdf_internode_send(r);
    serve_step(r);
    if (r->it->dir == PCDF_GET) { /* the same on all ranks */
        pcdf_internode_await_answers(r);
        if (!meet_all(r)) /* the same on all ranks of the node */
            unpack_step(r);
    }
    r->window ^= r->ahead != r->round;
    r->round = r->ahead;
    r->buffer = (r->buffer + 1) % r->nodes->buffers;
}

/* One of all nodes. The ranks pack the next one while the aggregator writes this one's window. */
static void forwarded_step_all(struct pcdf_rounds *r)
{
    const bool is_put = r->it->dir == PCDF_PUT;
    if (list_all(r)) /* on all ranks of the node: MPI failed */
        return;
    if (r->domain >= 0) {
        pcdf_rounds_open(r, r->round, r->window);
        take_own(r);
    }
    pcdf_relay_all(r);
    int64_t next = pcdf_relay_next_all(r, r->ahead);
    if (r->domain >= 0 && !r->broken && (!is_put || next > r->round))
        pcdf_rounds_close(r);
    if (!is_put && !r->broken)
        unpack_step(r);
    r->window ^= next != r->round;
    r->round = next;
}

/* The first step between nodes has no data: each rank tells in which round it begins. */
static void begin_all(struct pcdf_rounds *r)
{
    r->round = -1;
    if (list_all(r)) /* on all ranks of the node: MPI failed */
        return;
    for (int o = 0; o < r->d.n; o++)
        r->due[o] = pcdf_rounds_due(r, o);
    if (r->nodes->hops.levels > 0) { /* the same on all ranks */
        int64_t round = pcdf_relay_begin_all(r);
        r->forwards = round >= 0;
        if (r->forwards)
            r->round = round;
    }
    r->f->ranks.counts->forwarded += r->forwards;
    if (r->forwards || r->broken) /* the same on all ranks, but where MPI has failed */
        return;
    pcdf_internode_begin_all(r);
    r->round = r->ahead;
    r->buffer = (r->buffer + 1) % r->nodes->buffers;
}

/* The rounds of this node, or, where nodes forward, of all of them. */
static int rounds_all(struct pcdf_rounds *r)
{
    start(r);
    r->round = 0;
    if (r->nodes->n > 1 && !r->in_turn) { /* the same on all ranks */
        begin_all(r);
    } else if (r->in_pools) { /* the same on all ranks of the node */
        pcdf_rounds_lend(r, r->window, 0);
        meet_all(r);
    }
    while (!r->broken && r->round != INT64_MAX) /* the same on all ranks of the node */
        if (r->forwards && !r->in_turn)         /* the same on all ranks */
            forwarded_step_all(r);
        else
            step_all(r);
    if (!r->forwards)
        serve_others(r, INT64_MAX);
    if (!r->broken) /* else other ranks may still pack there */
        pcdf_rounds_give(r);
    return r->broken;
}

/* The ranks of the node hear how its aggregators fared, and whether they saw ranks overlap. */
static int report_in_node_all(struct pcdf_rounds *r, bool *overlaps)
{
    int64_t *codes = pcdf_nodes_codes(r->nodes), *flags = codes + r->d.n;
    if (r->domain >= 0)
        codes[r->domain] = r->failed;
    if (r->nodes->mine >= 0)
        flags[r->nodes->mine - pcdf_nodes_first(r->nodes)] = r->overlaps;
    int err = meet_all(r);
    *overlaps = false;
    for (int i = 0; i < r->nodes->here; i++)
        *overlaps |= flags[i];
    return err;
}

/* Bytes packed = bytes that the aggregators moved, or why not. */
static int result_of(const struct pcdf_rounds *r, int64_t *moved)
{
    const int64_t *codes = pcdf_nodes_codes(r->nodes);
    bool puts = r->it->dir == PCDF_PUT;
    int code = NC_NOERR;
    for (int o = 0; o < r->d.n; o++) {
        if (!codes[o])
            *moved += r->packed[o];
        else if (r->packed[o] > 0)
            pcdf_first(&code, (int)codes[o]);
    }
    if (!code || r->status)
        return r->status;
    return PCDF_FAIL(code, "%s %s: %lld of this rank's %lld bytes were moved", puts ? "writing" : "reading",
                     r->f->ranks.path, (long long)*moved, (long long)r->it->nbytes);
}

/* At a file's first put: in whose write queues the windows of this node may lie. */
static int find_pools_all(struct pcdf_rounds *r)
{
    struct pcdf_twophase *x = &r->f->twophase;
    if (!x->has_asked) { /* the same on all ranks of the node */
        if (r->nodes->mine >= 0)
            pcdf_poolmap_tell(r->nodes);
        if (meet_all(r)) /* on all ranks of the node: MPI failed */
            return r->broken;
        pcdf_poolmap_map(r->nodes);
        if (meet_all(r)) /* on all ranks of the node: MPI failed */
            return r->broken;
        x->in_pools = pcdf_poolmap_has_any(r->nodes);
        x->has_asked = true;
    }
    r->in_pools = x->in_pools;
    return NC_NOERR;
}

/* Ranks of a node that packed the same element at the same time may have mixed its bytes (one store of eight
 * bytes lies across two lines of the cache). Then they pack what they have for the windows of their node once
 * more, in turn: each element is what one rank gave. It costs time where programs overlap, which they do by
 * mistake or with equal values. */
static int transfer_all(struct pcdf_rounds *r, int64_t *moved)
{
    bool puts = r->it->dir == PCDF_PUT, overlaps; /* the same on all ranks */
    int err = NC_NOERR;
    if (puts && r->f->queues) /* the same on all ranks */
        err = find_pools_all(r);
    if (!err) /* the same on all ranks: else MPI has failed, as below */
        err = rounds_all(r);
    if (!err) /* the same on all ranks */
        err = report_in_node_all(r, &overlaps);
    if (!err && puts && overlaps) { /* the same on all ranks of the node, which are alone in this */
        r->in_turn = true;
        r->f->ranks.counts->puts_again++;
        err = rounds_all(r);
        if (!err) /* the same on all ranks of the node */
            err = report_in_node_all(r, &overlaps);
    }
    if (!err && r->nodes->n > 1) { /* the same on all ranks */
        pcdf_internode_end_all(r);
        err = meet_all(r);
    }
    return err ? err : result_of(r, moved);
}

/* Before the first transfer. What is not there is not used, and is not asked for again: the ranks would try
 * in vain before each transfer. */
static int look_around_all(struct pcdf_sharedfile *f)
{
    struct pcdf_twophase *x = &f->twophase;
    bool is_ready;
    struct pcdf_nodes *n = pcdf_nodes_enter(f->ranks.comm, &is_ready);
    int64_t lacks = !is_ready;
    int err = pcdf_ranks_reduce_all(&f->ranks, MPI_MAX, &lacks, 1);
    if (!err && lacks) /* the same on all ranks */
        (void)pcdf_nodes_complete_all(&f->ranks, &x->proposal, &n);
    if (err && n)
        pcdf_nodes_leave(n);
    if (err)
        return err;
    x->nodes = n;
    x->has_looked = true;
    return NC_NOERR;
}

int pcdf_twophase_look_all(struct pcdf_sharedfile *f)
{
    return PCDF_SAME(&f->ranks, f->twophase.has_looked) ? NC_NOERR : look_around_all(f);
}

int pcdf_twophase_count(const struct pcdf_twophase *x)
{
    return pcdf_twophase_is_alone(x) || !x->has_looked ? 0 : x->nodes->total;
}

int pcdf_twophase_number(const struct pcdf_twophase *x)
{
    return pcdf_twophase_count(x) > 0 ? x->nodes->mine : -1;
}

bool pcdf_twophase_is_alone(const struct pcdf_twophase *x)
{
    return x->has_looked && (!x->nodes || x->nodes->window == 0);
}

void pcdf_twophase_end(struct pcdf_twophase *x)
{
    if (x->nodes && !x->is_broken)
        pcdf_nodes_leave(x->nodes);
    x->nodes = NULL;
}

/* Where transfers go through; without a window each rank moves its own pieces. */
static void log_nodes(struct pcdf_sharedfile *f, double begin)
{
    const struct pcdf_nodes *n = f->twophase.nodes;
    pcdf_tracestorage_tell(
        f->storage, begin,
        &(struct pcdf_trace_line){ "nodes", n ? n->n : 0, n ? n->total : 0, n ? n->window : 0, NC_NOERR });
}

/* One line for all of it. */
static void log_transfer(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, double begin,
                         bool is_first, int status)
{
    if (is_first)
        log_nodes(f, begin);
    pcdf_tracestorage_tell(f->storage, begin,
                           &(struct pcdf_trace_line){ it->dir == PCDF_PUT ? "put_two_phase" : "get_two_phase",
                                                      it->pieces, it->nbytes ? it->begin : 0, it->nbytes,
                                                      status });
}

/* Of gets that are compared with checksums: a block is read whole by one rank alone, and in short calls
 * always by the same one, so that the next call need not read it again. In a long one each aggregator reads a
 * range in order, which file systems like better. */
static struct pcdf_stripe_piece stripes_of_blocks(const struct pcdf_rounds *r, const struct pcdf_span *all,
                                                  struct pcdf_stripe_piece stripes)
{
    /* Blocks of an aggregator; domains.c cuts such calls at multiples of a MiB. */
    enum { LONG = 16 };
    const int64_t block = r->f->sieve.within;
    if (r->it->dir == PCDF_PUT || block == 0 || (stripes.bytes > 0 && stripes.bytes % block == 0))
        return stripes;
    if ((all->end - all->begin) / r->nodes->total >= LONG * block)
        return (struct pcdf_stripe_piece){ 0 };
    return (struct pcdf_stripe_piece){ .bytes = block, .count = r->nodes->total };
}

/* The bytes of all ranks, among as many aggregators as there are. Those that the user asked for may all write
 * to one target of the file system. */
static void divide(struct pcdf_rounds *r, const struct pcdf_span *all)
{
    /* A storage that has a domain is always dealt alike, so that a rank goes on where it read. */
    const int64_t domain = r->f->kind->domain;
    const int64_t dealt = r->f->dealt > 0 ? r->f->dealt : domain;
    const struct pcdf_stripe_piece of_file = pcdf_stripes_at(&r->f->stripes, all->begin, all->end),
                                   in_turn = { .bytes = dealt, .count = r->nodes->total },
                                   stripes = dealt > 0 ? in_turn : stripes_of_blocks(r, all, of_file);
    const struct pcdf_domains_config config = { .begin = all->begin,
                                                .end = all->end,
                                                .aggregators = r->nodes->total,
                                                .window = r->nodes->window,
                                                .stripe = stripes.bytes,
                                                .stripe_count = stripes.count,
                                                .writers = r->nodes->proposal.total > 0 || r->f->dealt > 0
                                                               ? 0
                                                               : PCDF_DOMAINS_WRITERS,
                                                .deals_any = r->f->dealt > 0 };
    pcdf_domains_make(&r->d, &config);
    r->sieve.call_end = r->it->dir == PCDF_GET ? all->end : 0;
}

int pcdf_twophase_all(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, const struct pcdf_span *all,
                      const struct pcdf_stage *stage, int64_t *moved)
{
    struct pcdf_counts *counts = f->ranks.counts;
    int status = pcdf_twophase_look_all(f);
    *moved = 0;
    if (status) /* on all ranks */
        return status;
    struct pcdf_nodes *n = f->twophase.nodes;
    bool is_first = counts->nodes == 0;
    if (PCDF_SAME(&f->ranks, pcdf_twophase_is_alone(&f->twophase))) {
        counts->nodes = n ? n->n : 1;
        if (is_first && f->is_traced)
            log_nodes(f, pcdf_tracestorage_mute(f->storage));
        if (f->dealt > 0)
            return PCDF_FAIL(NC_ENOMEM,
                             "%s: the ranks share no memory, by which bytes reach the rank that "
                             "assembles their chunk",
                             f->ranks.path);
        return pcdf_independent(f, it, stage, false, moved);
    }
    double begin = f->is_traced ? pcdf_tracestorage_mute(f->storage) : 0;
    struct pcdf_rounds r = { .f = f, .nodes = n, .it = it, .sieve = pcdf_sieve_begin(f->storage, &f->sieve) };
    counts->nodes = n->n;
    counts->aggregators = n->total;
    counts->window = n->window;
    if (PCDF_SAME(&f->ranks, all->begin < all->end)) {
        divide(&r, all);
        status = transfer_all(&r, moved);
        f->twophase.is_broken |= r.broken != NC_NOERR;
    }
    if (f->is_traced)
        log_transfer(f, it, begin, is_first, status);
    pcdf_sieve_end(&r.sieve);
    return status;
}
