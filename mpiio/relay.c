/* Nodes forward what others have for windows (rounds.h, hops.h). The first ranks of all nodes go through
 * the levels together: each sorts what it has by the groups of the level, hears how much comes, and all
 * exchange it. After the last level everything is where its window is. A get's answers come back in the same
 * way.
 *
 * A node has room for a limited number of bytes (pcdf_nodes.relay). Where more would come to some node, only
 * half as many nodes begin, and the others wait for their turn. All that one node lists fits into any node,
 * so this ends. The lists stay until all of it has arrived: what was on the way is thrown away. */

#include <assert.h>
#include <string.h>
#include "rounds.h"
#include "sharedfile.h"
#include "status.h"

struct split { /* bytes to or from a column's nodes */
    char *bytes;
    int *lengths, *places;
};

struct section { /* a rank's list for a domain; data follows */
    int32_t node, rank, domain;
    uint32_t pieces, bytes;
};

struct relay {
    struct pcdf_rounds *r;
    bool answers;       /* they go back to the ranks that listed */
    char *held, *other; /* the node's bytes; room for those it sends */
    size_t bytes;       /* held */
};

static size_t padded(size_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

/* Bytes of a section, or, with its answer, as much room as both need. */
static size_t length_of(const struct relay *y, const struct section *s, bool with_answer)
{
    bool has_bytes = with_answer || y->answers || y->r->it->dir == PCDF_PUT;
    return sizeof *s + s->pieces * sizeof(struct pcdf_short_piece) + (has_bytes ? padded(s->bytes) : 0);
}

static const struct section *section_at(const struct relay *y, size_t at)
{
    assert(at + sizeof(struct section) <= y->bytes);
    return (const struct section *)(y->held + at);
}

/* What the ranks of this node listed for windows of other nodes. */
static void gather(struct relay *y)
{
    const struct pcdf_rounds *r = y->r;
    for (int rank = 0; rank < r->nodes->size; rank++) {
        const struct pcdf_list list = pcdf_nodes_list(r->nodes, r->buffer, rank);
        for (int o = 0; o < r->d.n; o++) {
            const struct pcdf_list_batch *batch = &list.batch[o];
            if (batch->n == 0 || pcdf_rounds_node(r, o) == r->nodes->index)
                continue;
            struct section *s = (struct section *)(y->held + y->bytes);
            *s = (struct section){ r->nodes->index, rank, o, batch->n, batch->bytes };
            y->bytes += length_of(y, s, false);
            assert(y->bytes <= r->nodes->relay);
            memcpy(s + 1, list.pieces + batch->first, batch->n * sizeof *list.pieces);
            if (r->it->dir == PCDF_PUT)
                memcpy((struct pcdf_short_piece *)(s + 1) + batch->n, list.bytes + batch->at, batch->bytes);
        }
    }
}

/* ---- a level */

/* Which node of its color a section goes to. */
static int member_for(const struct relay *y, const struct pcdf_hop *at, const struct section *s)
{
    int node = y->answers ? s->node : pcdf_rounds_node(y->r, s->domain);
    return y->r->nodes->post.members[pcdf_hops_group(at, node)];
}

static int64_t place_after_place(const struct split *split, const int64_t *volumes, int n)
{
    int64_t bytes = 0, volume = 0;
    for (int i = 0; i < n; i++) {
        split->lengths[i] = (int)volumes[2 * i];
        split->places[i] = (int)bytes;
        bytes += volumes[2 * i];
        volume += volumes[2 * i + 1];
    }
    return volume;
}

/* What is held goes to the other place, sorted by the nodes that it is for. */
static void sort_out(struct relay *y, const struct pcdf_hop *at, const struct split *out, int n)
{
    int64_t *volumes = y->r->nodes->post.volumes;
    memset(volumes, 0, 2 * (size_t)n * sizeof *volumes);
    for (size_t i = 0; i < y->bytes; i += length_of(y, section_at(y, i), false)) {
        int64_t *volume = volumes + 2 * member_for(y, at, section_at(y, i));
        volume[0] += (int64_t)length_of(y, section_at(y, i), false);
        volume[1] += (int64_t)length_of(y, section_at(y, i), true);
    }
    (void)place_after_place(out, volumes, n);
    for (size_t i = 0; i < y->bytes;) {
        const struct section *s = section_at(y, i);
        int *place = out->places + member_for(y, at, s);
        memcpy(out->bytes + *place, s, length_of(y, s, false));
        *place += (int)length_of(y, s, false);
        i += length_of(y, s, false);
    }
    for (int i = 0; i < n; i++)
        out->places[i] -= out->lengths[i];
}

/* Between the nodes of a column, only where there are bytes. What a node has for itself stays. */
static int swap(const struct relay *y, const struct pcdf_ranks *column, const struct split *out,
                const struct split *in)
{
    MPI_Request *requests = y->r->nodes->post.swaps;
    int err = MPI_SUCCESS, all = 0, own = column->rank;
    memcpy(in->bytes + in->places[own], out->bytes + out->places[own], (size_t)out->lengths[own]);
    for (int i = 0; i < column->size && !err; i++)
        if (i != own && in->lengths[i] > 0)
            err = MPI_Irecv(in->bytes + in->places[i], in->lengths[i], MPI_BYTE, i, 0, column->comm,
                            &requests[all++]);
    for (int i = 0; i < column->size && !err; i++)
        if (i != own && out->lengths[i] > 0)
            err = MPI_Isend(out->bytes + out->places[i], out->lengths[i], MPI_BYTE, i, 0, column->comm,
                            &requests[all++]);
    y->r->f->ranks.counts->exchange += all;
    for (int i = 0; i < all && !err; i++)
        err = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "forwarding pieces of", y->r->f->ranks.path) : NC_NOERR;
}

/* True: every node had room for what came. The same on all ranks, but where MPI fails. */
static bool hop_all(struct relay *y, int level)
{
    struct pcdf_rounds *r = y->r;
    const struct pcdf_nodes *n = r->nodes;
    const struct pcdf_hop at = pcdf_hops_at(&n->hops, level, n->index);
    const struct pcdf_ranks column = pcdf_ranks_of(n->hop[level], r->f->ranks.counts, r->f->ranks.path),
                            lane = { n->lane, n->index, n->n, column.counts, column.path };
    int members = pcdf_hops_members(&at, n->post.members), *splits = n->post.splits;
    const struct split out = { y->other, splits, splits + members },
                       in = { y->held, splits + 2 * members, splits + 3 * members };
    int64_t *coming = n->post.volumes + 2 * members;
    assert(members == column.size);

    sort_out(y, &at, &out, members);
    int err = pcdf_ranks_alltoall_all(&column, n->post.volumes, coming, 2 * sizeof *coming);
    int64_t fits = !err && place_after_place(&in, coming, members) <= (int64_t)n->relay;
    int last = pcdf_ranks_reduce_all(&lane, MPI_MIN, &fits, 1);
    pcdf_first(&err, last);
    if (!err && fits) { /* the same on all ranks of the lane: else MPI has failed */
        err = swap(y, &column, &out, &in);
        y->bytes = (size_t)(in.places[members - 1] + in.lengths[members - 1]);
    }
    pcdf_first(&r->broken, err);
    return !err && fits;
}

static bool travel_all(struct relay *y)
{
    bool fits = true;
    for (int level = 0; fits && level < y->r->nodes->hops.levels; level++) /* the same on all ranks */
        fits = hop_all(y, level);
    return fits;
}

/* ---- arrived */

static void take_in(struct relay *y)
{
    for (size_t i = 0; i < y->bytes;) {
        const struct section *s = section_at(y, i);
        const struct pcdf_short_piece *piece = (const struct pcdf_short_piece *)(s + 1);
        assert(s->domain == y->r->domain);
        pcdf_rounds_take(y->r, piece, s->pieces, (const char *)(piece + s->pieces));
        i += length_of(y, s, false);
    }
}

/* The window is read. Each request becomes its answer. */
static void answer(struct relay *y)
{
    char *to = y->other;
    pcdf_rounds_move(y->r);
    for (size_t i = 0; i < y->bytes;) {
        const struct section *s = section_at(y, i);
        *(struct section *)to = (struct section){ s->node, s->rank, s->domain, 0, s->bytes };
        pcdf_rounds_answer(y->r, (const struct pcdf_short_piece *)(s + 1), s->pieces, to + sizeof *s);
        to += sizeof *s + padded(s->bytes);
        i += length_of(y, s, false);
    }
    y->bytes = (size_t)(to - y->other);
    y->other = y->held;
    y->held = to - y->bytes;
    assert(y->bytes <= y->r->nodes->relay);
    pcdf_bytemap_clear(&y->r->map, y->r->map.end);
}

/* Answers, to where the ranks of this node unpack them. */
static void deliver(const struct relay *y)
{
    for (size_t i = 0; i < y->bytes;) {
        const struct section *s = section_at(y, i);
        const struct pcdf_list list = pcdf_nodes_list(y->r->nodes, y->r->buffer, s->rank);
        assert(s->node == y->r->nodes->index && list.batch[s->domain].bytes == s->bytes);
        memcpy(list.bytes + list.batch[s->domain].at, s + 1, s->bytes);
        i += length_of(y, s, false);
    }
}

/* What some nodes listed, to where it belongs. False: some node has no room for so much. */
static bool pass_all(struct pcdf_rounds *r, bool begins_here)
{
    const struct pcdf_nodes *n = r->nodes;
    struct relay y = { .r = r, .held = pcdf_nodes_relay(n, 0), .other = pcdf_nodes_relay(n, 1) };
    if (begins_here)
        gather(&y);
    bool fits = travel_all(&y);
    if (fits)
        take_in(&y);
    if (fits && r->it->dir == PCDF_GET) { /* the same on all ranks */
        if (r->domain >= 0)
            answer(&y);
        y.answers = true;
        fits = travel_all(&y);
        if (fits)
            deliver(&y);
    }
    return fits;
}

/* ---- a step */

static bool speaks(const struct pcdf_rounds *r)
{
    return r->nodes->rank == 0 && !r->broken;
}

void pcdf_relay_all(struct pcdf_rounds *r)
{
    const int nodes = r->nodes->n;
    for (int first = 0; first < nodes && speaks(r);) { /* the same on all ranks of the lane */
        int behind = nodes - first < r->begin ? nodes : first + r->begin;
        if (pass_all(r, r->nodes->index >= first && r->nodes->index < behind))
            first = behind;
        else if (r->begin > 1)
            r->begin = (r->begin + 1) / 2;
        else /* never: but it would never end */
            pcdf_first(&r->broken, PCDF_FAIL(NC_EINTERNAL, "a node has no room for what one node of %s lists",
                                             r->f->ranks.path));
    }
}

/* The first rank of a node tells the others a number. A failure of MPI there is one of all of them. */
static int64_t broadcast_in_node_all(struct pcdf_rounds *r, int64_t number)
{
    int64_t *decision = pcdf_nodes_decision(r->nodes);
    if (r->nodes->rank == 0)
        *decision = r->broken ? INT64_MIN : number;
    pcdf_first(&r->broken, pcdf_nodes_meet_all(r->nodes, &r->f->ranks));
    if (*decision == INT64_MIN && !r->broken)
        r->broken = PCDF_FAIL(NC_EMPI, "exchanging pieces of %s: the first rank of the node failed",
                              r->f->ranks.path);
    return *decision;
}

/* Of the first ranks of all nodes. */
static void reduce_all(struct pcdf_rounds *r, MPI_Op op, int64_t *numbers, int n)
{
    const struct pcdf_ranks lane = { r->nodes->lane, r->nodes->index, r->nodes->n, r->f->ranks.counts,
                                     r->f->ranks.path };
    if (speaks(r)) /* the same on all ranks of the lane */
        pcdf_first(&r->broken, pcdf_ranks_reduce_all(&lane, op, numbers, n));
}

int64_t pcdf_relay_next_all(struct pcdf_rounds *r, int64_t ahead)
{
    reduce_all(r, MPI_MIN, &ahead, 1);
    return broadcast_in_node_all(r, ahead);
}

int64_t pcdf_relay_begin_all(struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    enum { TOUCHED, ACTIVE, TOO_MANY, NUMBERS };
    int64_t sums[NUMBERS] = { 0 };
    for (int o = 0; n->rank == 0 && o < r->d.n; o++)
        sums[TOUCHED] += r->due[o] != INT64_MAX && pcdf_rounds_node(r, o) != n->index;
    sums[ACTIVE] = sums[TOUCHED] > 0;
    sums[TOO_MANY] = sums[TOUCHED] > PCDF_NODES_NEIGHBOURS;
    reduce_all(r, MPI_SUM, sums, NUMBERS);
    bool is_spread = sums[TOUCHED] > 2 * sums[ACTIVE] * pcdf_hops_messages(&n->hops),
         meets = sums[TOUCHED] > (int64_t)PCDF_NODES_NEIGHBOURS * r->d.n;
    int64_t first = -1;
    if (is_spread || meets || sums[TOO_MANY] > 0) { /* the same on all ranks of the lane */
        first = r->ahead;
        reduce_all(r, MPI_MIN, &first, 1);
    }
    r->begin = n->n;
    return broadcast_in_node_all(r, first);
}
