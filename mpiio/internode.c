/* What nodes have for each other's windows (rounds.h). The j-th ranks of all nodes form a lane: they send
 * what their node has for the aggregators in it, and these receive. A message is a head, pieces, and of a put
 * their bytes, straight from where the ranks of the node listed them. The head says in which round the next
 * one comes, so an aggregator knows whom to wait for. Messages are sent without waiting; the lists that they
 * come from are used again some steps later. */

#include "rounds.h"
#include "sharedfile.h"
#include "status.h"
#include <assert.h>
#include <string.h>

enum {
    DATA, /* tags */
    ANSWER,
    /* Slots that messages come into. Then come one that keeps requests and one for an answer. */
    RECEIVED = 3,
    KEPT = RECEIVED,
    ANSWERED
};

struct request { /* kept: pieces follow */
    int32_t node;
    uint32_t pieces;
};

static bool has_lane(const struct pcdf_rounds *r)
{
    return r->nodes->n > 1 && r->nodes->lane != MPI_COMM_NULL && !r->broken;
}

static void check(struct pcdf_rounds *r, int err)
{
    if (err && !r->broken)
        r->broken = pcdf_error_from_mpi(err, NC_EMPI, "exchanging pieces of", r->f->ranks.path);
}

static struct pcdf_ranks lane_of(const struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    return (struct pcdf_ranks){ n->lane, n->index, n->n, r->f->ranks.counts, r->f->ranks.path };
}

static char *slot(const struct pcdf_nodes *n, int number)
{
    return n->post.slots + (size_t)number * n->message;
}

/* The domain that a node's aggregator in this rank's lane has; -1: none. */
static int domain_at(const struct pcdf_rounds *r, int node)
{
    int aggregator = pcdf_nodes_aggregator(r->nodes, node, r->nodes->rank);
    return aggregator < 0 ? -1 : pcdf_rounds_domain(r, aggregator);
}

void pcdf_internode_begin_all(struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    if (!has_lane(r)) /* the same on all ranks of a lane */
        return;
    const struct pcdf_ranks lane = lane_of(r);
    /* Number 1, since other ranks may list the first step where number 0 lies. */
    int64_t *out = pcdf_nodes_reports(n, 1);
    for (int node = 0; node < n->n; node++) {
        int o = domain_at(r, node);
        out[node] = o < 0 ? INT64_MAX : r->due[o];
    }
    int err = pcdf_ranks_alltoall_all(&lane, out, n->post.due, sizeof *out);
    pcdf_first(&r->broken, err);
    n->post.due[n->index] = INT64_MAX; /* own bytes need no message */
}

int64_t pcdf_internode_due(const struct pcdf_rounds *r)
{
    int64_t least = INT64_MAX;
    for (int node = 0; has_lane(r) && node < r->nodes->n; node++)
        least = r->nodes->post.due[node] < least ? r->nodes->post.due[node] : least;
    return least;
}

/* ---- sending */

struct message { /* being put together from this node's batches */
    struct pcdf_head *head;
    int first, behind; /* the ranks whose batches it has */
};

static MPI_Aint place_of(const void *at)
{
    MPI_Aint place;
    MPI_Get_address(at, &place);
    return place;
}

static int add_place(const struct pcdf_post *p, int n, const void *at, size_t bytes)
{
    p->places[n] = place_of(at);
    p->lengths[n] = (int)bytes;
    return n + (bytes > 0);
}

/* The memory of a message, or of its answer, as one datatype. */
static int type_of(struct pcdf_rounds *r, int domain, const struct message *m, bool is_answer,
                   MPI_Datatype *type)
{
    const struct pcdf_nodes *n = r->nodes;
    const struct pcdf_post *p = &n->post;
    int places = is_answer ? 0 : add_place(p, 0, m->head, sizeof *m->head);
    for (int rank = m->first; !is_answer && rank < m->behind; rank++) {
        const struct pcdf_list list = pcdf_nodes_list(n, r->buffer, rank);
        const struct pcdf_list_batch *batch = &list.batch[domain];
        places = add_place(p, places, list.pieces + batch->first, batch->n * sizeof *list.pieces);
    }
    for (int rank = m->first; (is_answer || r->it->dir == PCDF_PUT) && rank < m->behind; rank++) {
        const struct pcdf_list list = pcdf_nodes_list(n, r->buffer, rank);
        places = add_place(p, places, list.bytes + list.batch[domain].at, list.batch[domain].bytes);
    }
    int err = MPI_Type_create_hindexed(places, p->lengths, p->places, MPI_BYTE, type);
    return err ? err : MPI_Type_commit(type);
}

static void send_message(struct pcdf_rounds *r, int domain, int node, const struct message *m)
{
    const struct pcdf_post *p = &r->nodes->post;
    size_t at = (size_t)r->buffer * r->nodes->most_messages + (size_t)r->sent[r->buffer];
    MPI_Datatype type;
    int err = type_of(r, domain, m, false, &type);
    if (!err)
        err = MPI_Isend(MPI_BOTTOM, 1, type, node, DATA, r->nodes->lane, &p->sends[at]);
    check(r, err);
    if (r->broken)
        return;
    MPI_Type_free(&type);
    r->f->ranks.counts->exchange++;
    r->sent[r->buffer]++;
    if (r->it->dir == PCDF_PUT || m->head->bytes == 0)
        return;
    err = type_of(r, domain, m, true, &type);
    if (!err)
        err = MPI_Irecv(MPI_BOTTOM, 1, type, node, ANSWER, r->nodes->lane, &p->answers[r->expected]);
    check(r, err);
    if (r->broken)
        return;
    MPI_Type_free(&type);
    r->expected++;
}

/* The batches of all ranks for one domain, in as many messages as they need. */
static void send_domain(struct pcdf_rounds *r, int domain, int node, int64_t next)
{
    const struct pcdf_nodes *n = r->nodes;
    struct message m = { NULL, 0, 0 };
    while (m.behind < n->size && !r->broken) {
        assert((uint32_t)r->sent[r->buffer] < n->most_messages);
        m.first = m.behind;
        m.head = &n->post.heads[(size_t)r->buffer * n->most_messages + (size_t)r->sent[r->buffer]];
        *m.head = (struct pcdf_head){ .next = next };
        for (; m.behind < n->size; m.behind++) {
            const struct pcdf_list_batch *batch = &pcdf_nodes_list(n, r->buffer, m.behind).batch[domain];
            size_t length = sizeof *m.head + (m.head->pieces + batch->n) * sizeof(struct pcdf_short_piece) +
                            m.head->bytes + batch->bytes;
            if (length > n->message)
                break;
            m.head->pieces += batch->n;
            m.head->bytes += batch->bytes;
        }
        assert(m.behind > m.first); /* a batch is not longer than a message */
        m.head->goes_on = m.behind < n->size;
        send_message(r, domain, node, &m);
    }
}

static void wait_for(struct pcdf_rounds *r, MPI_Request *requests, int *n)
{
    /* gcc warns of MPI_Waitall with the MPI_STATUSES_IGNORE of MPICH. */
    for (int i = 0; i < *n; i++)
        check(r, MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    *n = 0;
}

void pcdf_internode_send(struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    if (!has_lane(r))
        return;
    r->expected = 0;
    for (int i = 1; i < n->n && !r->broken; i++) { /* each node begins with another one */
        int node = (n->index + i) % n->n, o = domain_at(r, node);
        if (o < 0 || r->due[o] != r->round)
            continue;
        int64_t next = pcdf_rounds_due(r, o);
        send_domain(r, o, node, next);
        r->due[o] = next;
    }
}

void pcdf_internode_clear(struct pcdf_rounds *r, int buffer)
{
    if (has_lane(r))
        wait_for(r, r->nodes->post.sends + (size_t)buffer * r->nodes->most_messages, &r->sent[buffer]);
}

void pcdf_internode_await_answers(struct pcdf_rounds *r)
{
    if (has_lane(r))
        wait_for(r, r->nodes->post.answers, &r->expected);
}

/* ---- receiving */

/* Reads what is wanted, and answers who wants it: the bytes of each request in the order of its pieces. */
static void answer(struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    const char *kept = slot(n, KEPT);
    pcdf_rounds_move(r);
    for (uint32_t at = 0; at < r->kept && !r->broken;) {
        const struct request *q = (const struct request *)(kept + at);
        const struct pcdf_short_piece *piece = (const struct pcdf_short_piece *)(q + 1);
        char *bytes = slot(n, ANSWERED);
        size_t length = pcdf_rounds_answer(r, piece, q->pieces, bytes);
        assert(length <= n->message);
        if (length > 0)
            check(r, MPI_Send(bytes, (int)length, MPI_BYTE, q->node, ANSWER, n->lane));
        at += (uint32_t)(sizeof *q + q->pieces * sizeof *piece);
    }
    r->kept = 0;
    pcdf_bytemap_clear(&r->map, r->map.end);
}

/* A request of a get stays until the window was read. */
static void keep_request(struct pcdf_rounds *r, int node, const struct pcdf_short_piece *pieces, uint32_t n)
{
    size_t bytes = n * sizeof *pieces, need = sizeof(struct request) + bytes;
    if (r->kept + need > r->nodes->message)
        answer(r);
    struct request *q = (struct request *)(slot(r->nodes, KEPT) + r->kept);
    *q = (struct request){ node, n };
    memcpy(q + 1, pieces, bytes);
    r->kept += (uint32_t)need;
    pcdf_rounds_take(r, pieces, n, NULL);
}

static void take_in(struct pcdf_rounds *r, int node, const char *message)
{
    const struct pcdf_head *head = (const struct pcdf_head *)message;
    const struct pcdf_short_piece *piece = (const struct pcdf_short_piece *)(head + 1);
    if (r->it->dir == PCDF_GET)
        keep_request(r, node, piece, head->pieces);
    else
        pcdf_rounds_take(r, piece, head->pieces, (const char *)(piece + head->pieces));
}

/* The next node, of those behind *at in this rank's order, with a message in this round; -1: none. */
static int next_source(const struct pcdf_nodes *n, int64_t round, int *at)
{
    while (++*at < n->n) {
        int node = (n->index + n->n - *at) % n->n;
        if (n->post.due[node] == round)
            return node;
    }
    return -1;
}

void pcdf_internode_receive(struct pcdf_rounds *r, int64_t round)
{
    const struct pcdf_nodes *n = r->nodes;
    if (!has_lane(r))
        return;
    MPI_Request coming[RECEIVED];
    int sources[RECEIVED], at = 0, most = n->n - 1 < RECEIVED ? n->n - 1 : RECEIVED;
    for (int i = 0; i < most; i++) {
        coming[i] = MPI_REQUEST_NULL;
        sources[i] = next_source(n, round, &at);
        if (sources[i] >= 0)
            check(r, MPI_Irecv(slot(n, i), (int)n->message, MPI_BYTE, sources[i], DATA, n->lane, &coming[i]));
    }
    while (!r->broken) {
        int i;
        check(r, MPI_Waitany(most, coming, &i, MPI_STATUS_IGNORE));
        if (r->broken || i == MPI_UNDEFINED)
            break;
        const struct pcdf_head *head = (const struct pcdf_head *)slot(n, i);
        take_in(r, sources[i], slot(n, i));
        if (!head->goes_on) {
            n->post.due[sources[i]] = head->next;
            sources[i] = next_source(n, round, &at);
        }
        if (sources[i] >= 0)
            check(r, MPI_Irecv(slot(n, i), (int)n->message, MPI_BYTE, sources[i], DATA, n->lane, &coming[i]));
    }
    if (r->it->dir == PCDF_GET && !r->broken)
        answer(r);
}

/* ---- the end */

void pcdf_internode_end_all(struct pcdf_rounds *r)
{
    const struct pcdf_nodes *n = r->nodes;
    for (int buffer = 0; buffer < n->buffers; buffer++)
        pcdf_internode_clear(r, buffer);
    if (!has_lane(r)) /* the same on all ranks of a lane: else MPI has failed */
        return;
    const struct pcdf_ranks lane = lane_of(r);
    int64_t *out = pcdf_nodes_reports(n, 0), *in = pcdf_nodes_reports(n, 1);
    for (int node = 0; node < n->n; node++)
        out[node] = r->failed;
    int err = pcdf_ranks_alltoall_all(&lane, out, in, sizeof *out);
    pcdf_first(&r->broken, err);
    for (int node = 0; node < n->n && !err; node++) {
        int o = domain_at(r, node);
        if (o >= 0)
            pcdf_nodes_codes(n)[o] = in[node];
    }
}
