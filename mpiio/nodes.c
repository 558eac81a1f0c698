/* See nodes.h. */

#include "nodes.h"
#include "alloc.h"
#include "engine.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

enum {
    FEW = 4,          /* a node of so few ranks: each is an aggregator */
    RANKS_EACH = 8,   /* else one for so many, */
    MOST = 16,        /* and no more than these */
    WINDOW = 1 << 20, /* fits a core's cache beside what is copied into it */
    GOOD_WINDOW = 1 << 18,
    LEAST = 1 << 15,  /* smaller windows are not worth a round */
    PIECES = 1 << 20, /* listed by all ranks of a node in a round */
    MOST_PIECES = 1 << 17,
    LEAST_PIECES = 1 << 9,
    LINE = 64
};

static int key = MPI_KEYVAL_INVALID;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the key */

/* ---- where things lie in the node's memory */

static size_t lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static size_t window_bytes(const struct pcdf_nodes *n)
{
    return lines((size_t)n->window + PCDF_WINDOW_SLACK);
}

static size_t given_bytes(const struct pcdf_nodes *n)
{
    return lines((size_t)n->total * sizeof(struct pcdf_given));
}

static size_t list_bytes(const struct pcdf_nodes *n)
{
    return given_bytes(n) + lines(n->room * sizeof(struct pcdf_short_piece));
}

static size_t node_bytes(const struct pcdf_nodes *n)
{
    return 2 * ((size_t)n->total * window_bytes(n) + (size_t)n->size * list_bytes(n));
}

char *pcdf_nodes_window(const struct pcdf_nodes *n, int buffer, int aggregator)
{
    return n->memory + ((size_t)buffer * (size_t)n->total + (size_t)aggregator) * window_bytes(n);
}

static char *list_of(const struct pcdf_nodes *n, int buffer, int rank)
{
    return n->memory + 2 * (size_t)n->total * window_bytes(n) +
           ((size_t)buffer * (size_t)n->size + (size_t)rank) * list_bytes(n);
}

struct pcdf_given *pcdf_nodes_given(const struct pcdf_nodes *n, int buffer, int rank)
{
    return (struct pcdf_given *)list_of(n, buffer, rank);
}

struct pcdf_short_piece *pcdf_nodes_pieces(const struct pcdf_nodes *n, int buffer, int rank)
{
    return (struct pcdf_short_piece *)(list_of(n, buffer, rank) + given_bytes(n));
}

size_t pcdf_nodes_bits_bytes(const struct pcdf_nodes *n)
{
    return lines(((size_t)n->window + PCDF_WINDOW_SLACK) / 8 + 3 * sizeof(uint64_t));
}

/* ---- meeting */

void pcdf_nodes_publish(const struct pcdf_nodes *n)
{
    if (n->shared != MPI_WIN_NULL)
        MPI_Win_sync(n->shared);
}

int pcdf_nodes_meet_all(const struct pcdf_nodes *n, struct pcdf_counts *counts)
{
    if (n->size == 1) /* the same on all ranks of the node */
        return MPI_SUCCESS;
    pcdf_nodes_publish(n);
    counts->barrier++;
    int err = MPI_Barrier(n->node);
    pcdf_nodes_publish(n);
    return err;
}

/* ---- going */

static void free_nodes(struct pcdf_nodes *n)
{
    if (n->shared != MPI_WIN_NULL) {
        MPI_Win_unlock_all(n->shared);
        MPI_Win_free(&n->shared);
    }
    if (n->lane != MPI_COMM_NULL)
        MPI_Comm_free(&n->lane);
    if (n->node != MPI_COMM_NULL)
        MPI_Comm_free(&n->node);
    free(n->relayed[0]);
    free(n->bits);
    free(n->numbers);
    free(n);
}

static int comm_goes(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    free_nodes(value);
    return MPI_SUCCESS;
}

/* ---- making: each step is tried by all ranks, and what came of it is agreed */

struct making {
    MPI_Comm comm;
    struct pcdf_counts *counts;
    int64_t pretended; /* nodes, by PARCDF_NODES; 0: the real ones */
    struct pcdf_nodes_wish wish;
};

static int agreed_all(const struct making *m, int *ok)
{
    int mine = *ok;
    m->counts->allreduce++;
    return MPI_Allreduce(&mine, ok, 1, MPI_INT, MPI_MIN, m->comm);
}

/* The ranks of this node; PARCDF_NODES splits the ranks into so many groups first, as if each were a node. */
static int split_by_node_all(const struct making *m, struct pcdf_nodes *n)
{
    int rank, size, err;
    MPI_Comm group = MPI_COMM_NULL;
    MPI_Comm_rank(m->comm, &rank);
    MPI_Comm_size(m->comm, &size);
    int64_t groups = m->pretended < 1 ? 1 : m->pretended > size ? size : m->pretended;
    err = MPI_Comm_split(m->comm, (int)(rank * groups / size), rank, &group);
    if (!err) /* the same on all ranks: else MPI has failed, and nothing more can be agreed */
        err = MPI_Comm_split_type(group, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &n->node);
    if (group != MPI_COMM_NULL)
        MPI_Comm_free(&group);
    return err;
}

/* A rank or two of each node write well enough for all of them; few ranks all do. */
static int64_t per_node_of(const struct making *m, int64_t fewest, int64_t nodes)
{
    int64_t most = m->wish.per_node, memory = m->wish.memory * fewest / (nodes > 1 ? 4 : 2);
    int64_t can = memory / nodes / GOOD_WINDOW; /* more of them would have windows too small to be worth it */
    if (most <= 0 && m->wish.total > 0)
        most = (m->wish.total + nodes - 1) / nodes;
    if (most <= 0) {
        most = (fewest + RANKS_EACH - 1) / RANKS_EACH;
        most = most < FEW ? FEW : most > MOST ? MOST : most;
    }
    most = most < fewest ? most : fewest;
    return most <= can ? most : can < 1 ? 1 : can;
}

static int count_nodes_all(const struct making *m, struct pcdf_nodes *n)
{
    int64_t mine[2], all[2], is_first;
    MPI_Comm_rank(n->node, &n->rank);
    MPI_Comm_size(n->node, &n->size);
    mine[0] = -n->size;
    is_first = n->rank == 0;
    m->counts->allreduce += 2;
    int err = MPI_Allreduce(&is_first, &mine[1], 1, MPI_INT64_T, MPI_SUM, m->comm);
    if (!err) /* the same on all ranks */
        err = MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_MAX, m->comm);
    if (err)
        return err;
    n->n = (int)all[1];
    n->per_node = (int)per_node_of(m, -all[0], all[1]);
    n->total = n->n * n->per_node;
    return MPI_SUCCESS;
}

static int make_lanes_all(const struct making *m, struct pcdf_nodes *n)
{
    int rank;
    MPI_Comm_rank(m->comm, &rank);
    int err = MPI_Comm_split(m->comm, n->rank < n->per_node ? n->rank : MPI_UNDEFINED, rank, &n->lane);
    if (!err && n->lane != MPI_COMM_NULL) /* of rank 0 of every node there is one */
        MPI_Comm_rank(n->lane, &n->index);
    m->counts->bcast++;
    if (!err) /* the same on all ranks */
        err = MPI_Bcast(&n->index, 1, MPI_INT, 0, n->node);
    n->mine = n->rank < n->per_node ? n->index * n->per_node + n->rank : -1;
    return err;
}

/* Windows as large as the memory that a rank may give allows, the same on all ranks; a quarter is for lists.
 */
static void size_windows(const struct making *m, struct pcdf_nodes *n, int64_t fewest)
{
    int64_t room = PIECES / n->size, memory = m->wish.memory * fewest / 2;
    int64_t can_list =
        (m->wish.memory / 8 - (int64_t)given_bytes(n)) / (int64_t)sizeof(struct pcdf_short_piece);
    room = room > MOST_PIECES ? MOST_PIECES : room;
    room = room > can_list ? can_list : room;
    n->room = (uint32_t)(room < LEAST_PIECES ? LEAST_PIECES : room);
    memory -= fewest * (int64_t)list_bytes(n);
    int64_t window = memory / (n->n > 1 ? 2 : 1) / n->total / 4096 * 4096;
    n->window = window > WINDOW ? WINDOW : window < LEAST ? 0 : window;
}

/* What MPI allocates without reserving it ends in SIGBUS where /dev/shm is full: asked before. */
static bool memory_is_there(const struct pcdf_nodes *n)
{
    struct statvfs fs;
    if (statvfs("/dev/shm", &fs))
        return true; /* MPI has other ways then */
    return (double)fs.f_bavail * (double)fs.f_frsize > 1.25 * (double)node_bytes(n);
}

static bool make_own_memory(struct pcdf_nodes *n)
{
    n->numbers = calloc((size_t)n->total, PCDF_NODES_LISTS * sizeof *n->numbers);
    if (n->mine < 0)
        return n->numbers;
    n->bits = malloc(2 * pcdf_nodes_bits_bytes(n));
    int64_t pieces = (int64_t)n->room * n->size;
    if (pieces > n->window)
        pieces = n->window; /* neighbours are one */
    n->relay_room = n->window + PCDF_WINDOW_SLACK + pieces * (int64_t)sizeof(struct pcdf_short_piece);
    if (n->n > 1) {
        n->relayed[0] = malloc(2 * (size_t)n->relay_room);
        n->relayed[1] = n->relayed[0] ? n->relayed[0] + n->relay_room : NULL;
    }
    return n->numbers && n->bits && (n->n == 1 || n->relayed[0]);
}

static int share_memory_all(struct pcdf_nodes *n)
{
    MPI_Aint size = n->rank == 0 ? (MPI_Aint)node_bytes(n) : 0;
    int unit;
    void *base = NULL;
    int err = MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, n->node, &base, &n->shared);
    if (err)
        n->shared = MPI_WIN_NULL;
    else
        err = MPI_Win_set_errhandler(n->shared, MPI_ERRORS_RETURN);
    if (!err)
        err = MPI_Win_shared_query(n->shared, 0, &size, &unit, &base);
    n->memory = base;
    if (!err)
        err = MPI_Win_lock_all(MPI_MODE_NOCHECK, n->shared);
    return err;
}

/* *ok: windows can be had. An MPI error of a step before is no reason to stop: some ranks may have gone on.
 */
static int make_windows_all(const struct making *m, struct pcdf_nodes *n, int *ok)
{
    int64_t fewest = -n->size, all;
    m->counts->allreduce++;
    int err = MPI_Allreduce(&fewest, &all, 1, MPI_INT64_T, MPI_MAX, m->comm);
    if (!err)
        size_windows(m, n, -all);
    *ok = !err && n->window > 0 && make_own_memory(n) && memory_is_there(n);
    err = agreed_all(m, ok);
    if (err || !*ok) /* the same on all ranks */
        return err;
    *ok = share_memory_all(n) == MPI_SUCCESS;
    err = agreed_all(m, ok);
    if (!err && !*ok)
        n->shared = MPI_WIN_NULL; /* some ranks of a node may have theirs: left to MPI_Finalize */
    return err;
}

static int make_all(const struct making *m, struct pcdf_nodes *n)
{
    int ok, err = split_by_node_all(m, n), last;
    ok = !err;
    last = agreed_all(m, &ok);
    if (!last && ok) { /* the same on all ranks, as below */
        err = count_nodes_all(m, n);
        if (!err) /* else MPI has failed, and nothing more can be agreed */
            err = make_lanes_all(m, n);
        ok = !err;
        last = agreed_all(m, &ok);
        if (!last && ok) /* the same on all ranks */
            last = make_windows_all(m, n, &ok);
    }
    if (!ok || last)
        n->window = 0;
    return err ? err : last;
}

static int make_key(void)
{
    pthread_mutex_lock(&lock);
    int err = key == MPI_KEYVAL_INVALID ? MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_goes, &key, NULL)
                                        : MPI_SUCCESS;
    pthread_mutex_unlock(&lock);
    return err;
}

void pcdf_nodes_end(void)
{
    if (key != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(&key);
}

/* Rank 0 says how. */
static int hear_wish_all(struct making *m)
{
    int64_t said[4] = { 0, m->wish.per_node, m->wish.total, m->wish.memory };
    const char *nodes = getenv("PARCDF_NODES");
    said[0] = nodes ? strtoll(nodes, NULL, 10) : 0;
    m->counts->bcast++;
    int err = MPI_Bcast(said, 4, MPI_INT64_T, 0, m->comm);
    m->pretended = said[0];
    m->wish = (struct pcdf_nodes_wish){ said[1], said[2], said[3] };
    return err;
}

int pcdf_nodes_of_all(MPI_Comm comm, const struct pcdf_nodes_wish *wish, struct pcdf_counts *counts,
                      struct pcdf_nodes **nodes)
{
    struct making m = { .comm = comm, .counts = counts, .wish = *wish };
    int found = 0, ok, err;

    *nodes = NULL;
    if (key != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(comm, key, nodes, &found);
    if (found) /* the same on all ranks */
        return NC_NOERR;
    struct pcdf_nodes *n = calloc(1, sizeof *n);
    if (n)
        *n = (struct pcdf_nodes){ .node = MPI_COMM_NULL, .lane = MPI_COMM_NULL, .shared = MPI_WIN_NULL };
    ok = n && !make_key() && !MPI_Comm_set_attr(comm, key, n);
    err = hear_wish_all(&m);
    if (!err) /* the same on all ranks */
        err = agreed_all(&m, &ok);
    if (err || !ok) { /* on all ranks */
        int mine = 0;
        struct pcdf_nodes *set;
        if (key != MPI_KEYVAL_INVALID)
            MPI_Comm_get_attr(comm, key, &set, &mine);
        if (mine)
            MPI_Comm_delete_attr(comm, key); /* which frees it */
        else
            free(n);
        return err ? pcdf_error_from_mpi(err, NC_EMPI, "looking for the nodes of", "the communicator")
                   : PCDF_FAIL(NC_ENOMEM, "no memory on some rank to exchange pieces of files");
    }
    err = make_all(&m, n);
    if (err) {
        n->window = 0;
        return pcdf_error_from_mpi(err, NC_EMPI, "looking for the nodes of", "the communicator");
    }
    *nodes = n;
    return NC_NOERR;
}
