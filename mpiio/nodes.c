/* See nodes.h. */

#include "nodes.h"
#include "alloc.h"
#include "engine.h"
#include <limits.h>
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
    PRETENDED = 256,
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
    char pretended[PRETENDED]; /* nodes, by PARCDF_NODES; empty: the real ones */
    struct pcdf_nodes_wish wish;
};

static int agreed_all(const struct making *m, int *ok)
{
    int mine = *ok;
    m->counts->allreduce++;
    return MPI_Allreduce(&mine, ok, 1, MPI_INT, MPI_MIN, m->comm);
}

/* PARCDF_NODES: a number of nodes, among which the ranks are shared out in order; or of each rank its node,
 * "0,1,1,0", the last for all that follow. */
static int pretended_node(const char *text, int rank, int size)
{
    int64_t number = strtoll(text, NULL, 10);
    if (!strchr(text, ','))
        return (int)(rank * (number < 1 ? 1 : number > size ? size : number) / size);
    for (const char *comma; rank > 0 && (comma = strchr(text, ',')); rank--)
        text = comma + 1;
    number = strtoll(text, NULL, 10);
    return number < 0 || number > INT_MAX ? 0 : (int)number;
}

/* The ranks of this node; the ranks of a pretended one are split from the others first. */
static int split_by_node_all(const struct making *m, struct pcdf_nodes *n)
{
    int rank, size, err;
    MPI_Comm group = MPI_COMM_NULL;
    MPI_Comm_rank(m->comm, &rank);
    MPI_Comm_size(m->comm, &size);
    err = MPI_Comm_split(m->comm, pretended_node(m->pretended, rank, size), rank, &group);
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

/* Numbers the nodes by their first ranks. *largest: ranks of one. */
static int count_nodes_all(const struct making *m, struct pcdf_nodes *n, int64_t *fewest, int64_t *largest)
{
    int64_t mine[3], all[3], before = 0, is_first;
    int rank;
    MPI_Comm_rank(m->comm, &rank);
    MPI_Comm_rank(n->node, &n->rank);
    MPI_Comm_size(n->node, &n->size);
    is_first = n->rank == 0;
    m->counts->allreduce += 2;
    m->counts->bcast++;
    int err = MPI_Exscan(&is_first, &before, 1, MPI_INT64_T, MPI_SUM, m->comm);
    n->index = rank == 0 ? 0 : (int)before;
    if (!err) /* the same on all ranks, as below */
        err = MPI_Bcast(&n->index, 1, MPI_INT, 0, n->node);
    mine[0] = -n->size;
    mine[1] = n->size;
    mine[2] = n->index + 1;
    if (!err) /* the same on all ranks */
        err = MPI_Allreduce(mine, all, 3, MPI_INT64_T, MPI_MAX, m->comm);
    if (err)
        all[0] = all[1] = all[2] = 1;
    *fewest = err ? 1 : -all[0];
    *largest = all[1];
    n->n = (int)all[2];
    n->per_node = (int)per_node_of(m, *fewest, n->n);
    n->total = n->n * n->per_node;
    return err;
}

/* In a lane a rank's number is its node's. */
static int make_lanes_all(const struct making *m, struct pcdf_nodes *n)
{
    n->mine = n->rank < n->per_node ? n->index * n->per_node + n->rank : -1;
    return MPI_Comm_split(m->comm, n->mine >= 0 ? n->rank : MPI_UNDEFINED, n->index, &n->lane);
}

/* Windows as large as the memory that a rank may give allows, the same on all ranks; a quarter is for lists.
 */
static void size_windows(const struct making *m, struct pcdf_nodes *n, int64_t fewest, int64_t largest)
{
    int64_t room = PIECES / largest, memory = m->wish.memory * fewest / 2;
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

static bool make_own_memory(struct pcdf_nodes *n, int64_t largest)
{
    n->numbers = calloc((size_t)n->total, PCDF_NODES_LISTS * sizeof *n->numbers);
    if (n->mine < 0)
        return n->numbers;
    n->bits = malloc(2 * pcdf_nodes_bits_bytes(n));
    int64_t pieces = (int64_t)n->room * largest; /* of one message, of the largest node */
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
static int make_windows_all(const struct making *m, struct pcdf_nodes *n, int64_t fewest, int64_t largest,
                            int *ok)
{
    size_windows(m, n, fewest, largest);
    *ok = n->window > 0 && make_own_memory(n, largest) && memory_is_there(n);
    int err = agreed_all(m, ok);
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
    int64_t fewest = 1, largest = 1;
    ok = !err;
    last = agreed_all(m, &ok);
    if (!last && ok) { /* the same on all ranks, as below */
        err = count_nodes_all(m, n, &fewest, &largest);
        if (!err) /* else MPI has failed, and nothing more can be agreed */
            err = make_lanes_all(m, n);
        ok = !err;
        last = agreed_all(m, &ok);
        if (!last && ok) /* the same on all ranks */
            last = make_windows_all(m, n, fewest, largest, &ok);
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
    int64_t said[3] = { m->wish.per_node, m->wish.total, m->wish.memory };
    const char *nodes = getenv("PARCDF_NODES");
    if (nodes && strlen(nodes) < sizeof m->pretended)
        memcpy(m->pretended, nodes, strlen(nodes) + 1);
    m->counts->bcast += 2;
    int err = MPI_Bcast(said, 3, MPI_INT64_T, 0, m->comm);
    if (!err) /* the same on all ranks */
        err = MPI_Bcast(m->pretended, (int)sizeof m->pretended, MPI_CHAR, 0, m->comm);
    m->wish = (struct pcdf_nodes_wish){ said[0], said[1], said[2] };
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
    *nodes = n; /* on all ranks, so that none looks again alone */
    err = make_all(&m, n);
    if (!err)
        return NC_NOERR;
    n->window = 0;
    return pcdf_error_from_mpi(err, NC_EMPI, "looking for the nodes of", "the communicator");
}
