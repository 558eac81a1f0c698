/* What nodes have for each other's windows (twophase.h). The j-th aggregators of all nodes form a lane; each
 * speaks for its node. First all tell each other how much there is (MPI_Alltoall); then each sends to the
 * node s further and hears from the one s before, s = 1, 2, ...: one message at a time bounds the memory, and
 * where there is nothing no message goes. A message is pieces, then their bytes. */

#include "sharedfile.h"
#include "status.h"
#include <string.h>

struct head { /* of a message: what it holds, and how its pieces lie */
    uint32_t pieces, bytes, shift, high;
};

struct relay {
    struct pcdf_rounds *r;
    const struct pcdf_nodes *n;
    struct head *out, *in; /* by node */
    int buffer;
};

static struct relay relay_of(struct pcdf_rounds *r, int buffer)
{
    int64_t *numbers = r->nodes->numbers + PCDF_ROUNDS_LISTS * (int64_t)r->nodes->total;
    return (struct relay){ .r = r,
                           .n = r->nodes,
                           .out = (struct head *)numbers,
                           .in = (struct head *)(numbers + 2 * (int64_t)r->nodes->total),
                           .buffer = buffer };
}

static int aggregator_of(const struct relay *y, int node)
{
    return node * y->n->per_node + y->n->rank;
}

/* What this node has for, or wants of, another's window, in the second half of the bits. */
static struct pcdf_bytemap cover_for(struct relay *y, int node)
{
    struct pcdf_bytemap own = y->r->cover, other;
    pcdf_bytemap_start(&y->r->cover, y->n->bits + pcdf_nodes_bits_bytes(y->n) / sizeof *y->n->bits);
    pcdf_rounds_map(y->r, y->buffer, aggregator_of(y, node));
    other = y->r->cover;
    y->r->cover = own;
    return other;
}

static struct head head_for(struct relay *y, int node)
{
    struct pcdf_bytemap c = cover_for(y, node);
    struct pcdf_short_piece run = { 0, 0 };
    struct head h = { .shift = (uint32_t)c.shift, .high = c.high };
    while (pcdf_bytemap_run(&c, run.offset + run.length, 0, &run)) {
        h.pieces++;
        h.bytes += run.length;
    }
    return h;
}

static int64_t length_of(const struct head *h, bool bytes)
{
    return h->pieces * (int64_t)sizeof(struct pcdf_short_piece) + (bytes ? h->bytes : 0);
}

/* Then this rank's own cover has room for what comes, and holds what its node has. */
static int tell_all(struct relay *y)
{
    struct pcdf_bytemap *c = &y->r->cover;
    for (int node = 0; node < y->n->n; node++)
        y->out[node] = node == y->n->index ? (struct head){ 0, 0, 0, 0 } : head_for(y, node);
    struct pcdf_ranks lane = pcdf_nodes_lane(y->n, &y->r->f->ranks);
    int err = pcdf_ranks_alltoall_all(&lane, y->out, y->in, sizeof(struct head));
    for (int node = 0; !err && node < y->n->n; node++) {
        const struct head *h = &y->in[node];
        if (h->pieces == 0)
            continue;
        c->shift = (int)h->shift < c->shift ? (int)h->shift : c->shift;
        c->high = h->high > c->high ? h->high : c->high;
        c->low = 0;
        c->pieces += h->pieces;
    }
    pcdf_rounds_map(y->r, y->buffer, y->n->mine);
    for (int node = 0; !err && node < y->n->n; node++) /* nodes.c makes room for the largest */
        if (length_of(&y->in[node], true) > y->n->relay_room ||
            length_of(&y->out[node], true) > y->n->relay_room)
            err = PCDF_FAIL(NC_EINTERNAL, "a message between nodes is larger than its room");
    return err;
}

static int pass_all(struct relay *y, int64_t out, int to, int64_t in, int from)
{
    if (out == 0 && in == 0) /* the ends of each message know the same */
        return NC_NOERR;
    y->r->f->ranks.counts->exchange++;
    int err =
        MPI_Sendrecv(y->n->relayed[0], (int)out, MPI_BYTE, out ? to : MPI_PROC_NULL, 0, y->n->relayed[1],
                     (int)in, MPI_BYTE, in ? from : MPI_PROC_NULL, 0, y->n->lane, MPI_STATUS_IGNORE);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "exchanging pieces of", y->r->f->ranks.path) : NC_NOERR;
}

/* The pieces for a node into the message out, with their bytes where `bytes`. Its length. */
static int64_t write_message(struct relay *y, int node, bool bytes)
{
    struct pcdf_bytemap c = cover_for(y, node);
    struct pcdf_short_piece *piece = (struct pcdf_short_piece *)y->n->relayed[0], run = { 0, 0 };
    char *to = y->n->relayed[0] + y->out[node].pieces * sizeof *piece;
    const char *window = pcdf_nodes_window(y->n, y->buffer, aggregator_of(y, node));
    while (pcdf_bytemap_run(&c, run.offset + run.length, 0, &run)) {
        *piece++ = run;
        if (bytes)
            memcpy(to, window + run.offset, run.length);
        to += bytes ? run.length : 0;
    }
    return to - y->n->relayed[0];
}

/* Takes in a message: its pieces to the cover, its bytes, if any, to this rank's window. */
static void read_message(struct relay *y, int node, bool bytes)
{
    const struct pcdf_short_piece *piece = (const struct pcdf_short_piece *)y->n->relayed[1];
    const char *from = y->n->relayed[1] + y->in[node].pieces * sizeof *piece;
    char *window = pcdf_nodes_window(y->n, y->buffer, y->n->mine);
    (void)pcdf_bytemap_add(&y->r->cover, piece, y->in[node].pieces); /* nodes come one after the other */
    for (uint32_t i = 0; bytes && i < y->in[node].pieces; i++) {
        memcpy(window + piece[i].offset, from, piece[i].length);
        from += piece[i].length;
    }
}

int pcdf_internode_collect_all(struct pcdf_rounds *r, int buffer, bool bytes)
{
    struct relay y = relay_of(r, buffer);
    int n = y.n->n, err = tell_all(&y);
    for (int s = 1; !err && s < n; s++) { /* as many on all ranks */
        int to = (y.n->index + s) % n, from = (y.n->index - s + n) % n;
        int64_t length = y.out[to].pieces ? write_message(&y, to, bytes) : 0;
        err = pass_all(&y, length, to, length_of(&y.in[from], bytes), from);
        if (!err && y.in[from].pieces)
            read_message(&y, from, bytes);
    }
    return err;
}

/* The answer to a message of wants: their bytes, over the message out. */
static void write_answer(struct relay *y, int node)
{
    const struct pcdf_short_piece *piece = (const struct pcdf_short_piece *)y->n->relayed[1];
    const char *window = pcdf_nodes_window(y->n, y->buffer, y->n->mine);
    char *to = y->n->relayed[0];
    for (uint32_t i = 0; i < y->in[node].pieces; i++) {
        memcpy(to, window + piece[i].offset, piece[i].length);
        to += piece[i].length;
    }
}

static void read_answer(struct relay *y, int node)
{
    struct pcdf_bytemap c = cover_for(y, node);
    struct pcdf_short_piece run = { 0, 0 };
    const char *from = y->n->relayed[1];
    char *window = pcdf_nodes_window(y->n, y->buffer, aggregator_of(y, node));
    while (pcdf_bytemap_run(&c, run.offset + run.length, 0, &run)) {
        memcpy(window + run.offset, from, run.length);
        from += run.length;
    }
}

int pcdf_internode_answer_all(struct pcdf_rounds *r, int buffer)
{
    struct relay y = relay_of(r, buffer);
    int n = y.n->n, err = NC_NOERR;
    for (int s = 1; !err && s < n; s++) { /* as many on all ranks */
        int to = (y.n->index + s) % n, from = (y.n->index - s + n) % n;
        if (y.out[to].pieces)
            write_message(&y, to, false);
        err = pass_all(&y, length_of(&y.out[to], false), to, length_of(&y.in[from], false), from);
        if (!err && y.in[from].pieces)
            write_answer(&y, from);
        if (!err)
            err = pass_all(&y, y.in[from].bytes, from, y.out[to].bytes, to);
        if (!err && y.out[to].pieces)
            read_answer(&y, to);
    }
    return err;
}
