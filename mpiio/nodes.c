/* See nodes.h. */

#include "status.h"
#include "nodes.h"
#include "alloc.h"
#include "collective.h"
#include "nodecomm.h"
#include "numbers.h"
#include "provesame.h"
#include "worldmodel.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4,              /* a node so small: all ranks are aggregators */
    RANKS_EACH = 8,       /* else one for so many, */
    MOST = 16,            /* and no more than these */
    WINDOW = 1 << 20,     /* fits a core's cache, with what is copied */
    EACH_NODE = 3 << 15,  /* bytes of a window of many nodes */
    LEAST_EACH = 9 << 13, /* with less, messages are forwarded */
    HOP_MESSAGE = 1 << 16,
    /* Ranks of a node: what the largest node lists in a step must fit into the smallest. */
    MOST_UNLIKE = 64,
    LARGEST = 1 << 30,
    GOOD_WINDOW = 1 << 18, /* fewer aggregators make windows as large as that */
    LEAST = 1 << 15,       /* smaller windows are not worth a round */
    LEAST_STAGING = 1 << 12,
    /* All ranks of a node together list so many in a step, and twice as many between nodes. */
    PIECES = 1 << 20,
    MOST_PIECES = 1 << 17,
    LEAST_PIECES = 1 << 9,
    MOST_MESSAGE = 1 << 22,
    LEAST_MESSAGE = 1 << 14,
    /* A process's share of all sets is at most so many times what the proposal gives to one. */
    SETS = 8,
    LINE = 64
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows; never held while waiting */
static int key = MPI_KEYVAL_INVALID;
static struct pcdf_nodes *all_sets;
static int64_t held;      /* this rank's share of all of them, bytes */
static int64_t last_made; /* last number given, as a set's first rank */
static int64_t last_left; /* counts how often one fell idle */

/* ---- where things lie in the node's memory */

static size_t lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Of a node, with `memory` bytes a rank, what its windows may take: on one node half, else 5/16; 9/16 are for
 * what ranks list and stage, the rest for messages. So a window has room for about what a node's ranks stage
 * in a step. Where nodes forward, messages that go directly are few. */
static int64_t for_windows(const struct pcdf_nodes *n, int64_t memory)
{
    return memory * n->fewest / 16 * (n->n == 1 ? 8 : n->hops.levels > 0 ? 6 : 5);
}

/* Where many nodes have bytes for a window, a message still has many bytes. */
static int64_t best_window(const struct pcdf_nodes *n)
{
    int64_t each = (int64_t)n->n * EACH_NODE;
    return each < WINDOW ? WINDOW : pcdf_smaller(each, LARGEST);
}

/* To so many aggregators a lane sends messages at a time. */
static int64_t most_of_lane(const struct pcdf_nodes *n)
{
    int most = pcdf_nodes_of_lane(n);
    return n->hops.levels > 0 ? pcdf_smaller(most, PCDF_NODES_NEIGHBOURS) : most;
}

/* Bytes a rank of what grows with the numbers of nodes and aggregators. */
static int64_t for_tables(const struct pcdf_nodes *n)
{
    int64_t message = PCDF_NODES_BUFFERS * (int64_t)(sizeof(struct pcdf_head) + sizeof(MPI_Request)) +
                      (int64_t)sizeof(MPI_Request),
            lane = n->n * (int64_t)sizeof(int64_t) + most_of_lane(n) * message,
            node = n->total * (int64_t)sizeof(int64_t);
    return PCDF_NODES_LISTS * n->total * (int64_t)sizeof(int64_t) + (n->lanes * lane + node) / n->fewest;
}

/* Where messages are forwarded, one buffer of lists is enough, and the others have what is forwarded. All
 * that a node lists fits into what any node can forward. */
static void measure_relay(struct pcdf_nodes *n)
{
    int64_t relay = pcdf_smaller(n->fewest * (int64_t)n->list_bytes, LARGEST), each = relay / n->size;
    n->relay = (size_t)relay;
    n->relay_room = n->room;
    n->relay_staging = n->staging;
    /* A batch takes as much as three pieces, and its list goes along. */
    if (each < (int64_t)n->list_bytes) {
        n->relay_room = (uint32_t)(n->room * each / (int64_t)n->list_bytes / 4);
        n->relay_room += n->relay_room == 0;
        n->relay_staging = (uint32_t)(n->staging * each / (int64_t)n->list_bytes);
    }
    if (n->hops.levels > 0 && relay < n->n * (int64_t)sizeof(int64_t)) /* see pcdf_nodes_reports */
        n->window = 0;
}

/* What fits into `memory` bytes a rank, and where it lies. The window is 0 where that is too little. The same
 * on all ranks, but for node_bytes and what a node of more ranks can forward. */
static void measure(struct pcdf_nodes *n, int64_t memory)
{
    bool between_nodes = n->n > 1;
    n->buffers = between_nodes ? PCDF_NODES_BUFFERS : 2;
    int64_t fewest = n->fewest, most_here = (n->total + n->n - 1) / n->n;
    memory -= between_nodes ? for_tables(n) : 0;
    memory = memory < 0 ? 0 : memory;
    n->batches_bytes = lines((size_t)n->total * sizeof(struct pcdf_list_batch)) + LINE;
    n->codes_bytes = lines(((size_t)n->total + (size_t)most_here) * sizeof(int64_t)) + LINE;
    int64_t listed = memory / 8 / (between_nodes ? n->buffers : 1) - (int64_t)n->batches_bytes;
    listed = listed < memory / 64 ? memory / 64 : listed;
    int64_t room = pcdf_smaller(pcdf_smaller(PIECES * (1 + between_nodes) / n->largest, MOST_PIECES),
                                listed / (int64_t)sizeof(struct pcdf_short_piece));
    n->room = (uint32_t)(room < LEAST_PIECES ? LEAST_PIECES : room);
    n->list_bytes = n->batches_bytes + lines(n->room * sizeof(struct pcdf_short_piece));

    int64_t left = for_windows(n, memory) - (between_nodes ? 0 : fewest * (int64_t)n->list_bytes);
    int64_t each = (between_nodes ? left / 15 * 7 : left / 2) / most_here; /* two, and a bytemap */
    n->window = pcdf_smaller(each, best_window(n)) / 4096 * 4096;
    n->window = n->window < LEAST ? 0 : n->window;
    n->staging = 0;
    n->message = 0;
    if (between_nodes) {
        int64_t staging =
            pcdf_smaller(memory / 16 * 9 / n->buffers - (int64_t)n->list_bytes, n->window) / LINE * LINE;
        int64_t message =
            pcdf_smaller(memory * fewest / (n->hops.levels > 0 ? 16 : 8) / n->lanes / PCDF_NODES_SLOTS,
                         MOST_MESSAGE) /
            LINE * LINE;
        n->staging = (uint32_t)(staging < LEAST_STAGING ? LEAST_STAGING : staging);
        n->message = (uint32_t)(message < LEAST_MESSAGE ? LEAST_MESSAGE : message);
        /* Of two messages to one aggregator that follow each other one has half of the room at least. */
        int64_t listed_bytes = n->size * (int64_t)(n->staging + n->room * sizeof(struct pcdf_short_piece));
        n->most_messages = (uint32_t)(most_of_lane(n) + 4 * (listed_bytes / n->message + 1));
        n->list_bytes += n->staging;
        measure_relay(n);
    }
    n->window_bytes = lines((size_t)n->window + (size_t)n->window / 512 + PCDF_WINDOW_SLACK);
    n->node_bytes = 2 * (size_t)n->here * n->window_bytes +
                    (size_t)n->buffers * (size_t)n->size * n->list_bytes +
                    (size_t)n->here * lines(sizeof(struct pcdf_notice)) + n->codes_bytes;
    n->share = 2 * most_here * (int64_t)n->window_bytes / fewest + n->buffers * (int64_t)n->list_bytes;
}

char *pcdf_nodes_window(const struct pcdf_nodes *n, int buffer, int number)
{
    return n->memory.at + ((size_t)buffer * (size_t)n->here + (size_t)number) * n->window_bytes;
}

struct pcdf_list pcdf_nodes_list(const struct pcdf_nodes *n, int buffer, int rank)
{
    size_t list = (size_t)buffer * (size_t)n->size + (size_t)rank;
    char *at = n->memory.at + 2 * (size_t)n->here * n->window_bytes + list * n->list_bytes;
    return (struct pcdf_list){ (int64_t *)at, (struct pcdf_list_batch *)(at + LINE),
                               (struct pcdf_short_piece *)(at + n->batches_bytes),
                               at + n->list_bytes - n->staging };
}

char *pcdf_nodes_relay(const struct pcdf_nodes *n, int number)
{
    return (char *)pcdf_nodes_list(n, 1 + number, 0).next;
}

/* Before the first message and after the last one nothing else is there. */
int64_t *pcdf_nodes_reports(const struct pcdf_nodes *n, int number)
{
    return n->hops.levels > 0 ? (int64_t *)pcdf_nodes_relay(n, number)
                              : (int64_t *)n->post.slots + (size_t)number * (size_t)n->n;
}

struct pcdf_notice *pcdf_nodes_notice(const struct pcdf_nodes *n, int number)
{
    size_t from_end = n->codes_bytes + (size_t)(n->here - number) * lines(sizeof(struct pcdf_notice));
    return (struct pcdf_notice *)(n->memory.at + n->node_bytes - from_end);
}

int64_t *pcdf_nodes_codes(const struct pcdf_nodes *n)
{
    return (int64_t *)(n->memory.at + n->node_bytes - n->codes_bytes);
}

int64_t *pcdf_nodes_decision(const struct pcdf_nodes *n)
{
    return (int64_t *)(n->memory.at + n->node_bytes - LINE);
}

/* ---- where aggregators are: spread evenly over the nodes */

static int first_of(const struct pcdf_nodes *n, int64_t node)
{
    return (int)((node * n->total + n->n - 1) / n->n);
}

int pcdf_nodes_first(const struct pcdf_nodes *n)
{
    return first_of(n, n->index);
}

int pcdf_nodes_node_of(const struct pcdf_nodes *n, int aggregator, int *number)
{
    int node = (int)((int64_t)aggregator * n->n / n->total);
    *number = aggregator - first_of(n, node);
    return node;
}

/* Where nodes have one at most, they are in lanes in turn: several ranks of a node speak to them. */
int pcdf_nodes_aggregator(const struct pcdf_nodes *n, int node, int lane)
{
    int first = first_of(n, node), here = first_of(n, node + 1) - first;
    if (n->total <= n->n)
        return here == 1 && first % n->lanes == lane ? first : -1;
    return lane < here ? first + lane : -1;
}

int pcdf_nodes_of_lane(const struct pcdf_nodes *n)
{
    return n->total <= n->n ? n->total / n->lanes + 1 : n->n;
}

int pcdf_nodes_meet_all(const struct pcdf_nodes *n, const struct pcdf_ranks *file)
{
    const struct pcdf_ranks node = { n->node, n->rank, n->size, file->counts, file->path };
    atomic_thread_fence(memory_order_seq_cst);
    int err = pcdf_ranks_barrier_all(&node);
    atomic_thread_fence(memory_order_seq_cst);
    return err;
}

/* ---- going */

/* The windows and what is this rank's own of them. The lock is held. */
static void drop_memory(struct pcdf_nodes *n)
{
    if (n->memory.at)
        held -= n->share;
    pcdf_nodemem_free(&n->memory);
    pcdf_poolmap_drop(n);
    free(n->pools);
    free(n->post.due);
    free(n->bits);
    free(n->numbers);
    n->numbers = NULL;
    n->bits = NULL;
    n->pools = NULL;
    n->post = (struct pcdf_post){ 0 };
}

/* The lock is held. Lets go what lay idle longest until at most `most` bytes of this rank lie idle. */
static void drop_idle(int64_t most)
{
    for (;;) {
        struct pcdf_nodes *oldest = NULL;
        int64_t idle = 0;
        for (struct pcdf_nodes *n = all_sets; n; n = n->next) {
            if (n->files > 0 || !n->memory.at)
                continue;
            idle += n->share;
            oldest = oldest && oldest->left < n->left ? oldest : n;
        }
        if (idle <= most)
            return;
        assert(oldest);
        drop_memory(oldest);
    }
}

static void free_nodes(struct pcdf_nodes *n)
{
    if (n->files > 0) /* MPI failed: it may still use the memory */
        return;
    pthread_mutex_lock(&lock);
    drop_memory(n);
    pthread_mutex_unlock(&lock);
    for (int level = 0; level < PCDF_HOPS_MOST; level++)
        if (n->hop[level] != MPI_COMM_NULL)
            MPI_Comm_free(&n->hop[level]);
    if (n->lane != MPI_COMM_NULL)
        MPI_Comm_free(&n->lane);
    if (n->node != MPI_COMM_NULL)
        MPI_Comm_free(&n->node);
    if (n->group != MPI_GROUP_NULL)
        MPI_Group_free(&n->group);
    free(n);
}

/* A communicator goes, on all ranks, and with the last one what stood beside it. */
static int comm_goes(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct pcdf_nodes *n = value;
    (void)comm, (void)keyval, (void)extra;
    pthread_mutex_lock(&lock);
    assert(n->beside > 0);
    bool last = --n->beside == 0;
    struct pcdf_nodes **slot = &all_sets;
    while (last && *slot && *slot != n)
        slot = &(*slot)->next;
    if (last && *slot)
        *slot = n->next;
    pthread_mutex_unlock(&lock);
    if (last)
        free_nodes(n);
    return MPI_SUCCESS;
}

void pcdf_nodes_leave(struct pcdf_nodes *n)
{
    pthread_mutex_lock(&lock);
    assert(n->files > 0);
    if (--n->files == 0) {
        n->left = ++last_left;
        drop_idle(n->proposal.memory);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- making: each step is tried by all ranks, and what came of it is agreed */

struct making {
    struct pcdf_ranks ranks;
    struct pcdf_nodes_proposal proposal;
    char pretended[PCDF_NODES_PRETENDED];
    int64_t number; /* the set's number at rank 0 */
    bool is_shared;
};

static int agreed_all(const struct making *m, int *ok)
{
    int64_t all = *ok;
    int err = pcdf_ranks_reduce_all(&m->ranks, MPI_MIN, &all, 1);
    *ok = (int)all;
    return err;
}

/* A rank or two of each node write well enough for all of them; few ranks all do. Then there are no more than
 * their windows have good room for; the user's proposal may make them smaller. In all: the lists of a rank
 * know each of them. */
static int total_of(const struct making *m, const struct pcdf_nodes *n)
{
    int64_t each = (n->fewest + RANKS_EACH - 1) / RANKS_EACH, nodes = n->n;
    each = each < FEW ? FEW : pcdf_smaller(each, MOST);
    bool is_proposed = m->proposal.per_node > 0 || m->proposal.total > 0;
    int64_t can =
        for_windows(n, m->proposal.memory) / 2 / (is_proposed || nodes == 1 ? GOOD_WINDOW : best_window(n));
    if (is_proposed)
        each = m->proposal.per_node > 0 ? m->proposal.per_node : n->fewest;
    can = can < 1 ? 1 : pcdf_smaller(pcdf_smaller(each, n->fewest), can);
    int64_t total = can * nodes;
    int64_t most = m->proposal.memory / 14 / (int64_t)sizeof(struct pcdf_list_batch);
    if (m->proposal.per_node <= 0 && m->proposal.total > 0)
        total = pcdf_smaller(m->proposal.total, (nodes == 1 ? can : n->fewest) * nodes);
    return (int)pcdf_smaller(total, most);
}

/* Where each node's share of a window is short, messages are forwarded: by one rank of each node, which is
 * its aggregator, too. A rank's share of a window that all nodes have bytes for may be less than its room. */
static void choose_hops(const struct making *m, struct pcdf_nodes *n)
{
    measure(n, m->proposal.memory);
    if (n->n < 4 || n->total > n->n || n->window == 0 || n->window / n->n >= LEAST_EACH ||
        n->largest > MOST_UNLIKE * n->fewest || n->relay < (size_t)n->n * sizeof(int64_t))
        return;
    n->lanes = 1;
    n->hops.levels = 1; /* which changes the size of tables */
    measure(n, m->proposal.memory);
    int64_t bytes = pcdf_smaller(n->total * n->window / n->n, n->fewest * (int64_t)n->staging);
    pcdf_hops_make(&n->hops, n->n, bytes / 10 * 9, HOP_MESSAGE);
}

/* Numbers the nodes by their first ranks. *largest: ranks of one. */
static int count_nodes_all(const struct making *m, struct pcdf_nodes *n)
{
    struct pcdf_ranks node = pcdf_ranks_of(n->node, m->ranks.counts, m->ranks.path);
    int64_t before = 0;
    n->rank = node.rank;
    n->size = node.size;
    int err = pcdf_ranks_sum_before_all(&m->ranks, n->rank == 0, &before);
    n->index = (int)before;
    if (!err) /* the same on all ranks, as below */
        err = pcdf_ranks_bcast_all(&node, &n->index, sizeof n->index);
    int64_t all[3] = { -n->size, n->size, n->index + 1 };
    if (!err) /* the same on all ranks */
        err = pcdf_ranks_reduce_all(&m->ranks, MPI_MAX, all, 3);
    if (err)
        all[0] = all[1] = all[2] = 1;
    n->fewest = err ? 1 : -all[0];
    n->largest = all[1];
    n->n = (int)all[2];
    n->total = total_of(m, n);
    n->lanes = n->total <= n->n ? (int)pcdf_smaller(FEW, n->fewest) : (n->total + n->n - 1) / n->n;
    if (n->n > 1)
        choose_hops(m, n);
    n->here = first_of(n, n->index + 1) - first_of(n, n->index);
    n->mine = n->rank < n->lanes ? pcdf_nodes_aggregator(n, n->index, n->rank) : -1;
    return err;
}

/* By the first ranks of nodes. */
static int make_hop_all(const struct making *m, struct pcdf_nodes *n, int level)
{
    const struct pcdf_hop at = pcdf_hops_at(&n->hops, level, n->index);
    int err = MPI_Comm_split(n->lane, at.color, n->index, &n->hop[level]);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_split", m->ranks.path) : NC_NOERR;
}

/* Who is where. *ok: all know. */
static int make_places_all(const struct making *m, struct pcdf_nodes *n, int *ok)
{
    const struct pcdf_ranks *ranks = &m->ranks;
    int err = pcdf_nodecomm_split_all(ranks, m->pretended, &n->node), last;
    *ok = !err;
    last = agreed_all(m, ok);
    if (last || !*ok) /* the same on all ranks */
        return err ? err : last;

    err = count_nodes_all(m, n);
    if (!err) { /* the same on all ranks: else MPI has failed. In a lane a rank's number is its node's */
        err = MPI_Comm_split(ranks->comm, n->rank < n->lanes ? n->rank : MPI_UNDEFINED, n->index, &n->lane);
        if (err)
            err = pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_split", ranks->path);
    }
    for (int level = 0; !err && n->rank == 0 && level < n->hops.levels; level++) /* on all ranks of a lane */
        err = make_hop_all(m, n, level);
    *ok = !err;
    last = agreed_all(m, ok);
    return err ? err : last;
}

/* ---- its memory */

/* Takes n things of `size` bytes off the memory at *at; counts them where that is NULL. */
static void *carve_array(char **at, size_t *bytes, size_t n, size_t size)
{
    char *taken = *at ? *at + *bytes : NULL;
    *bytes += lines(n * size);
    return taken;
}

static size_t lay_out_post(const struct pcdf_nodes *n, struct pcdf_post *p, char *at)
{
    size_t bytes = 0, nodes = (size_t)n->n, messages = n->most_messages, parts = 2 * (size_t)n->size + 1;
    size_t slots = PCDF_NODES_SLOTS * (size_t)n->message, told = 2 * nodes * sizeof(int64_t),
           width = (size_t)pcdf_hops_width(&n->hops);
    p->due = carve_array(&at, &bytes, nodes, sizeof *p->due);
    p->heads = carve_array(&at, &bytes, (size_t)n->buffers * messages, sizeof *p->heads);
    p->sends = carve_array(&at, &bytes, (size_t)n->buffers * messages, sizeof *p->sends);
    p->answers = carve_array(&at, &bytes, messages, sizeof *p->answers);
    p->lengths = carve_array(&at, &bytes, parts, sizeof *p->lengths);
    p->places = carve_array(&at, &bytes, parts, sizeof *p->places);
    p->volumes = carve_array(&at, &bytes, 4 * width, sizeof *p->volumes);
    p->splits = carve_array(&at, &bytes, 4 * width, sizeof *p->splits);
    p->members = carve_array(&at, &bytes, width, sizeof *p->members);
    p->swaps = carve_array(&at, &bytes, 2 * width, sizeof *p->swaps);
    p->slots = carve_array(&at, &bytes, slots > told || n->hops.levels > 0 ? slots : told, 1);
    return bytes;
}

static bool make_own_memory(struct pcdf_nodes *n)
{
    n->numbers = calloc((size_t)n->total, PCDF_NODES_LISTS * sizeof *n->numbers);
    if (n->mine >= 0)
        n->bits = malloc(n->window_bytes / 8 + LINE);
    n->pools = calloc((size_t)n->here + 1, sizeof *n->pools);
    bool made = n->numbers && n->pools && (n->mine < 0 || n->bits);
    if (n->n > 1 && n->rank < n->lanes) {
        char *memory = malloc(lay_out_post(n, &n->post, NULL));
        if (memory)
            lay_out_post(n, &n->post, memory);
        return made && memory;
    }
    return made;
}

/* Memory for windows of this size, on all ranks or on none. NC_EMPI: nothing more can be agreed. */
static int try_memory_all(const struct making *m, struct pcdf_nodes *n, int *ok)
{
    const struct pcdf_ranks node = { n->node, n->rank, n->size, m->ranks.counts, m->ranks.path };
    struct pcdf_nodemem memory = { NULL, 0 };
    /* It is counted before it is made, since threads may make sets at the same time. */
    pthread_mutex_lock(&lock);
    bool counted = held + n->share <= SETS * n->proposal.memory;
    held += counted ? n->share : 0;
    pthread_mutex_unlock(&lock);
    *ok = counted && make_own_memory(n);
    int err = agreed_all(m, ok);
    if (!err && *ok) { /* the same on all ranks */
        *ok = pcdf_nodemem_make_all(&node, n->node_bytes, &memory);
        err = agreed_all(m, ok);
    }
    pthread_mutex_lock(&lock);
    if (err || !*ok) { /* on all ranks */
        held -= counted ? n->share : 0;
        pcdf_nodemem_free(&memory);
        drop_memory(n);
    }
    n->memory = memory;
    pthread_mutex_unlock(&lock);
    return err;
}

/* Windows as large as the memory that a rank may give allows. What can't be had is tried again without what
 * lies idle, then with half of it, down to none: that is no error. */
static int make_windows_all(const struct making *m, struct pcdf_nodes *n)
{
    bool tidied = false;
    int64_t memory = m->proposal.memory;
    int ok = 0, err = NC_NOERR;
    pthread_mutex_lock(&lock);
    drop_memory(n); /* some ranks may have theirs yet */
    pthread_mutex_unlock(&lock);
    measure(n, memory);
    while (PCDF_SAME(&m->ranks, !err && !ok && n->window > 0)) {
        err = try_memory_all(m, n, &ok);
        if (!ok && tidied) {
            memory = pcdf_smaller(memory, n->share) / 2;
            measure(n, memory);
        }
        pthread_mutex_lock(&lock);
        if (!ok)
            drop_idle(0);
        pthread_mutex_unlock(&lock);
        tidied = true;
    }
    if (err)
        n->window = 0;
    return err;
}

/* ---- beside communicators */

void pcdf_nodes_end(void)
{
    if (key != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(&key);
    pcdf_nodecomm_end();
}

/* The lock is held. The set of these ranks in this order, which were asked for in the same way. Rank 0: any;
 * the others: with rank 0's number. */
static struct pcdf_nodes *congruent(const struct making *m, MPI_Group group)
{
    for (struct pcdf_nodes *n = all_sets; n; n = n->next) {
        int same = MPI_UNEQUAL;
        if (!n->is_shared || (m->number && n->number != m->number) ||
            n->proposal.per_node != m->proposal.per_node || n->proposal.total != m->proposal.total ||
            n->proposal.memory != m->proposal.memory || strcmp(n->pretended, m->pretended) != 0)
            continue;
        MPI_Group_compare(n->group, group, &same);
        if (same == MPI_IDENT)
            return n;
    }
    return NULL;
}

/* Rank 0 says how, and which set it has in mind: threads of ranks may make theirs in different orders. Where
 * one thread at a time is in MPI, the files of congruent communicators share one. */
static int broadcast_proposal_all(struct making *m, MPI_Group group)
{
    const char *nodes = getenv("PARCDF_NODES");
    bool is_too_long = nodes && strlen(nodes) >= sizeof m->pretended;
    if (nodes && !is_too_long)
        memcpy(m->pretended, nodes, strlen(nodes) + 1);
    bool may_share = !pcdf_world_has_threads();
    pthread_mutex_lock(&lock);
    struct pcdf_nodes *known = m->ranks.rank == 0 && may_share ? congruent(m, group) : NULL;
    int64_t said[] = { m->proposal.per_node,
                       m->proposal.total,
                       m->proposal.memory,
                       known ? known->number : ++last_made,
                       may_share,
                       is_too_long };
    pthread_mutex_unlock(&lock);
    int err = pcdf_ranks_bcast_all(&m->ranks, said, sizeof said);
    if (!err) /* the same on all ranks */
        err = pcdf_ranks_bcast_all(&m->ranks, m->pretended, sizeof m->pretended);
    m->proposal = (struct pcdf_nodes_proposal){ said[0], said[1], said[2] };
    m->number = said[3];
    m->is_shared = said[4];
    if (!err && said[5])
        err = PCDF_FAIL(NC_EINVAL, "PARCDF_NODES has more than %zu characters", sizeof m->pretended - 1);
    return err;
}

/* Beside the communicator and entered, on all ranks or on none. n: NULL where there was no memory for it. */
static int attach_all(const struct making *m, struct pcdf_nodes *n, bool is_new)
{
    MPI_Comm comm = m->ranks.comm;
    pthread_mutex_lock(&lock);
    if (n && key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_goes, &key, NULL);
    bool is_beside = n && key != MPI_KEYVAL_INVALID;
    pthread_mutex_unlock(&lock);
    is_beside = is_beside && !MPI_Comm_set_attr(comm, key, n);
    pthread_mutex_lock(&lock);
    if (n) {
        n->beside += is_beside;
        n->files++;
    }
    pthread_mutex_unlock(&lock);

    int ok = is_beside, places = 1, err = agreed_all(m, &ok);
    if (!err && ok && is_new) /* the same on all ranks */
        err = make_places_all(m, n, &places);
    if (!err && ok && places)
        return NC_NOERR;

    /* It is as if it had not been joined, on all ranks. */
    pthread_mutex_lock(&lock);
    if (n)
        n->files--;
    bool is_unused = n && n->beside == 0;
    pthread_mutex_unlock(&lock);
    if (is_beside)
        MPI_Comm_delete_attr(comm, key); /* which frees a new one */
    else if (is_unused)
        free_nodes(n);
    return err ? err : PCDF_FAIL(NC_EMPI, "some rank cannot tell where the others are");
}

/* A new set, or the one that a congruent communicator has. */
static int join_all(struct making *m, struct pcdf_nodes **joined)
{
    MPI_Group group;
    MPI_Comm_group(m->ranks.comm, &group);
    int err = broadcast_proposal_all(m, group), found;
    pthread_mutex_lock(&lock);
    struct pcdf_nodes *n = !err && m->is_shared ? congruent(m, group) : NULL;
    pthread_mutex_unlock(&lock);
    found = n != NULL;
    if (!err) /* the same on all ranks, as below */
        err = agreed_all(m, &found);
    if (!err && !found && (n = calloc(1, sizeof *n))) {
        *n = (struct pcdf_nodes){ .node = MPI_COMM_NULL,
                                  .lane = MPI_COMM_NULL,
                                  .group = group,
                                  .proposal = m->proposal,
                                  .number = m->number,
                                  .is_shared = m->is_shared,
                                  .size = 1 };
        for (int level = 0; level < PCDF_HOPS_MOST; level++)
            n->hop[level] = MPI_COMM_NULL;
        memcpy(n->pretended, m->pretended, sizeof n->pretended);
    }
    if (err || found || !n)
        MPI_Group_free(&group);
    if (err) /* on all ranks */
        return err;
    err = attach_all(m, n, !found);
    if (err) /* on all ranks */
        return err;
    if (!found) {
        pthread_mutex_lock(&lock);
        n->next = all_sets;
        all_sets = n;
        pthread_mutex_unlock(&lock);
    }
    *joined = n;
    return NC_NOERR;
}

struct pcdf_nodes *pcdf_nodes_enter(MPI_Comm comm, bool *is_ready)
{
    struct pcdf_nodes *n = NULL;
    int found = 0;
    pthread_mutex_lock(&lock);
    int known = key;
    pthread_mutex_unlock(&lock);
    if (known != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(comm, known, &n, &found);
    if (!found)
        n = NULL;
    pthread_mutex_lock(&lock);
    if (n)
        n->files++;
    *is_ready = n && n->memory.at;
    pthread_mutex_unlock(&lock);
    return n;
}

int pcdf_nodes_complete_all(const struct pcdf_ranks *ranks, const struct pcdf_nodes_proposal *proposal,
                            struct pcdf_nodes **nodes)
{
    struct making m = { .ranks = *ranks, .proposal = *proposal };
    int have, err;
    if (!*nodes)                       /* the same on all ranks: it was attached on all or on none */
        PCDF_TRY(join_all(&m, nodes)); /* fails on all ranks or on none */
    have = (*nodes)->memory.at != NULL;
    err = agreed_all(&m, &have);
    if (!err && !have) /* the same on all ranks */
        err = make_windows_all(&m, *nodes);
    if (!(*nodes)->memory.at)
        (*nodes)->window = 0;
    return err;
}
