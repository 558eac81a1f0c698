/* What nodes have for each other's windows (twophase.h). The j-th aggregators of all nodes form a lane; each
 * speaks for its node. First all tell each other how much there is (MPI_Alltoall); then each sends to the
 * node s further and hears from the one s before, s = 1, 2, ...: one message at a time bounds the memory, and
 * where there is nothing no message goes. A message is pieces, then their bytes. */

#include "sharedfile.h"
#include "status.h"
#include <string.h>

struct head { /* of a message: what it holds, and how its pieces lie */
    uint32_t pieces, bytes, measured, end;
};

struct internode {
    struct pcdf_rounds *r;
    const struct pcdf_nodes *n;
    struct head *out, *in; /* by node */
    int buffer;
};

static struct internode internode_of(struct pcdf_rounds *r, int buffer)
{
    int64_t *numbers = r->nodes->numbers + PCDF_ROUNDS_LISTS * (int64_t)r->nodes->total;
    return (struct internode){ .r = r,
                               .n = r->nodes,
                               .out = (struct head *)numbers,
                               .in = (struct head *)(numbers + 2 * (int64_t)r->nodes->total),
                               .buffer = buffer };
}

/* What this node has for, or wants of, another's window, in the second half of the bits. That window's bytes
 * here. */
static char *map_for(struct internode *y, int node, struct pcdf_bytemap *map)
{
    int aggregator = node * y->n->per_node + y->n->rank;
    *map = (struct pcdf_bytemap){ .bits = y->n->bits + y->n->bits_words };
    y->r->overlaps |= pcdf_bytemap_begin(map, y->n, y->buffer, aggregator);
    return pcdf_nodes_window(y->n, y->buffer, aggregator);
}

static int64_t length_of(const struct head *h, bool bytes)
{
    return h->pieces * (int64_t)sizeof(struct pcdf_short_piece) + (bytes ? h->bytes : 0);
}

/* Then this rank's own map has room for what comes, and holds what its node has. */
static int tell_all(struct internode *y)
{
    const struct pcdf_ranks lane = { y->n->lane, y->n->index, y->n->n, y->r->f->ranks.counts,
                                     y->r->f->ranks.path };
    struct pcdf_bytemap *own = &y->r->map, map;
    for (int node = 0; node < y->n->n; node++) {
        struct head *h = &y->out[node];
        struct pcdf_short_piece run = { 0, 0 };
        *h = (struct head){ 0, 0, 0, 0 };
        if (node == y->n->index)
            continue;
        map_for(y, node, &map);
        h->measured = map.measured;
        h->end = map.end;
        for (; pcdf_bytemap_run(&map, run.offset + run.length, 0, &run); h->pieces++)
            h->bytes += run.length;
    }
    int err = pcdf_ranks_alltoall_all(&lane, y->out, y->in, sizeof(struct head));
    for (int node = 0; !err && node < y->n->n; node++) {
        const struct head *h = &y->in[node];
        own->measured |= h->measured;
        own->end = h->end > own->end ? h->end : own->end;
    }
    y->r->overlaps |= pcdf_bytemap_begin(own, y->n, y->buffer, y->n->mine);
    for (int node = 0; !err && node < y->n->n; node++) /* nodes.c makes room for the largest */
        if (length_of(&y->in[node], true) > y->n->message_room ||
            length_of(&y->out[node], true) > y->n->message_room)
            err = PCDF_FAIL(NC_EINTERNAL, "a message between nodes is larger than its room");
    return err;
}

static int pass_all(struct internode *y, int64_t out, int to, int64_t in, int from)
{
    if (out == 0 && in == 0) /* the ends of each message know the same */
        return NC_NOERR;
    y->r->f->ranks.counts->exchange++;
    int err =
        MPI_Sendrecv(y->n->message[0], (int)out, MPI_BYTE, out ? to : MPI_PROC_NULL, 0, y->n->message[1],
                     (int)in, MPI_BYTE, in ? from : MPI_PROC_NULL, 0, y->n->lane, MPI_STATUS_IGNORE);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "exchanging pieces of", y->r->f->ranks.path) : NC_NOERR;
}

/* The pieces for a node into the message out, with their bytes where `bytes`. Its length. */
static int64_t write_message(struct internode *y, int node, bool bytes)
{
    struct pcdf_bytemap map;
    const char *window = map_for(y, node, &map);
    struct pcdf_short_piece *piece = (struct pcdf_short_piece *)y->n->message[0], run = { 0, 0 };
    char *to = y->n->message[0] + y->out[node].pieces * sizeof *piece;
    while (pcdf_bytemap_run(&map, run.offset + run.length, 0, &run)) {
        *piece++ = run;
        if (bytes)
            memcpy(to, window + run.offset, run.length);
        to += bytes ? run.length : 0;
    }
    return to - y->n->message[0];
}

int pcdf_internode_collect_all(struct pcdf_rounds *r, int buffer, bool with_bytes)
{
    struct internode y = internode_of(r, buffer);
    int n = y.n->n, err = tell_all(&y);
    for (int s = 1; !err && s < n; s++) { /* as many on all ranks */
        int to = (y.n->index + s) % n, from = (y.n->index - s + n) % n;
        int64_t length = y.out[to].pieces ? write_message(&y, to, with_bytes) : 0;
        err = pass_all(&y, length, to, length_of(&y.in[from], with_bytes), from);
        if (err)
            break;
        /* Takes in the message: its pieces to the map, its bytes, if any, to this rank's window. */
        const struct pcdf_short_piece *piece = (const struct pcdf_short_piece *)y.n->message[1];
        const char *bytes = y.n->message[1] + y.in[from].pieces * sizeof *piece;
        char *window = pcdf_nodes_window(y.n, buffer, y.n->mine);
        (void)pcdf_bytemap_add(&r->map, piece, y.in[from].pieces); /* nodes come one after the other */
        for (uint32_t i = 0; with_bytes && i < y.in[from].pieces; bytes += piece[i++].length)
            memcpy(window + piece[i].offset, bytes, piece[i].length);
    }
    return err;
}

int pcdf_internode_answer_all(struct pcdf_rounds *r, int buffer)
{
    struct internode y = internode_of(r, buffer);
    int n = y.n->n, err = NC_NOERR;
    for (int s = 1; !err && s < n; s++) { /* as many on all ranks */
        int to = (y.n->index + s) % n, from = (y.n->index - s + n) % n;
        if (y.out[to].pieces)
            write_message(&y, to, false);
        err = pass_all(&y, length_of(&y.out[to], false), to, length_of(&y.in[from], false), from);

        /* The answer to what the other wants: its bytes, over the message out. */
        const struct pcdf_short_piece *piece = (const struct pcdf_short_piece *)y.n->message[1];
        const char *own = pcdf_nodes_window(y.n, buffer, y.n->mine);
        char *bytes = y.n->message[0];
        for (uint32_t i = 0; !err && i < y.in[from].pieces; bytes += piece[i++].length)
            memcpy(bytes, own + piece[i].offset, piece[i].length);
        if (!err)
            err = pass_all(&y, y.in[from].bytes, from, y.out[to].bytes, to);
        if (err || !y.out[to].pieces)
            continue;

        /* And the answer that came, in the order of what was asked for. */
        struct pcdf_bytemap map;
        struct pcdf_short_piece run = { 0, 0 };
        char *window = map_for(&y, to, &map);
        for (bytes = y.n->message[1]; pcdf_bytemap_run(&map, run.offset + run.length, 0, &run);
             bytes += run.length)
            memcpy(window + run.offset, bytes, run.length);
    }
    return err;
}
