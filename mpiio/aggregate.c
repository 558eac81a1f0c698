/* See aggregate.h. One transfer is: how much goes to whom (MPI_Alltoall); unless all of it is small, whether
 * every rank can hold its part (MPI_Allreduce); the pieces, with their bytes in a put (MPI_Alltoallv); and
 * the owners' answers: of a put two numbers (MPI_Alltoall), of a get the bytes behind them (MPI_Alltoallv).
 * No rank leaves early; one whose storage fails goes on receiving and answers. What a rank owns itself is not
 * sent. */

#include "aggregate.h"
#include "alloc.h"
#include "engine.h"
#include <limits.h>
#include <string.h>

enum {
    STRIPE = 1 << 20,
    WINDOW = 1 << 20, /* bytes that an owner merges before it moves them */
    ROOM = 64 << 20,  /* an owner takes this much from all, and what it sends itself four times */
    KEPT = 64 << 10,  /* bytes kept with the handle, so that small transfers ask for no memory */
    PIECE = 40        /* a piece takes this in the memory of any rank that it passes through */
};
_Static_assert(sizeof(struct pcdf_placed) <= PIECE, "the order of pieces is part of what a piece takes");
_Static_assert(sizeof(struct pcdf_piece) + sizeof(struct pcdf_answer) + 8 <= PIECE, "so are its messages");

struct told { /* by one rank to another */
    int64_t pieces, bytes;
    int64_t all;       /* what the teller's pieces take, whoever owns them */
    int64_t too_large; /* for it to send */
};

/* What is kept by rank, in 64-bit numbers and in ints. Messages: their lengths, then where they begin. */
enum { TOLD = 0, HEARD = 4, ANSWERS = 8, ANSWERED = 10, AT_PIECE = 12, AT_BYTE, SUMS };
enum { OUT, IN, BACK_OUT, BACK_IN, MESSAGES };

struct exchange {
    struct pcdf_aggregate *a;
    const struct pcdf_extents *x;
    struct pcdf_owned owned;
    char *memory; /* allocated for this transfer; NULL when the kept one does */
    char *message[MESSAGES];
    int64_t pieces_in;
};

int pcdf_aggregate_init(struct pcdf_aggregate *a, int64_t stripe)
{
    MPI_Comm_rank(a->comm, &a->rank);
    MPI_Comm_size(a->comm, &a->size);
    a->stripes = (struct pcdf_stripes){ stripe >= 65536 && stripe <= 1 << 30 ? stripe : STRIPE, a->size };
    if (a->size == 1)
        return NC_NOERR;
    a->sums = pcdf_calloc((size_t)a->size, SUMS * sizeof *a->sums);
    a->ints = pcdf_calloc((size_t)a->size, 2 * MESSAGES * sizeof *a->ints);
    a->lanes = pcdf_calloc((size_t)a->size, sizeof *a->lanes);
    a->kept = pcdf_malloc(KEPT);
    return a->sums && a->ints && a->lanes && a->kept ? NC_NOERR : NC_ENOMEM;
}

void pcdf_aggregate_free(struct pcdf_aggregate *a)
{
    pcdf_free(a->kept);
    pcdf_free(a->lanes);
    pcdf_free(a->ints);
    pcdf_free(a->sums);
    a->kept = NULL;
    a->lanes = NULL;
    a->ints = NULL;
    a->sums = NULL;
}

static int64_t *sums(const struct exchange *e, int block)
{
    return e->a->sums + (size_t)block * (size_t)e->a->size;
}

static struct told *told(const struct exchange *e, int block)
{
    return (struct told *)sums(e, block);
}

static struct pcdf_answer *answers(const struct exchange *e, int block)
{
    return (struct pcdf_answer *)sums(e, block);
}

static int *lengths(const struct exchange *e, int message)
{
    return e->a->ints + (size_t)message * (size_t)e->a->size;
}

static int *shifts(const struct exchange *e, int message)
{
    return lengths(e, MESSAGES + message);
}

static int mpi_error(const struct exchange *e, int err, const char *what)
{
    return pcdf_error_from_mpi(err, NC_EMPI, what, e->a->path);
}

/* --- how much goes to whom */

/* Saturates: more than any rank can take is too large, however much it is. */
static int64_t add(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void count(struct exchange *e)
{
    struct told *to = told(e, TOLD);
    struct pcdf_walk walk = { 0 };
    struct pcdf_piece p;
    int64_t pieces = 0;

    memset(e->a->sums, 0, (size_t)e->a->size * SUMS * sizeof *e->a->sums);
    while (pcdf_walk_next(e->x, &e->a->stripes, &walk, &p)) {
        to[walk.owner].pieces++;
        to[walk.owner].bytes += p.length;
        pieces++;
    }
    int64_t all = pieces > INT_MAX / PIECE ? INT64_MAX : add(pieces * PIECE, e->x->nbytes);
    for (int r = 0; r < e->a->size; r++) {
        to[r].all = all;
        to[r].too_large = all > INT_MAX;
    }
}

/* *all: what the pieces of all ranks take; *too_large: one rank cannot send its own. The same on all ranks.
 */
static int tell_all(struct exchange *e, int64_t *all, bool *too_large)
{
    const struct told *heard = told(e, HEARD);

    count(e);
    e->a->counts->exchange++;
    int err = MPI_Alltoall(sums(e, TOLD), 4, MPI_INT64_T, sums(e, HEARD), 4, MPI_INT64_T, e->a->comm);
    for (int r = 0; r < e->a->size; r++) {
        *all = add(*all, heard[r].all);
        *too_large = *too_large || heard[r].too_large;
        e->pieces_in += heard[r].pieces;
    }
    return err ? mpi_error(e, err, "sharing out the pieces of") : NC_NOERR;
}

/* --- memory: all ranks have theirs, or none goes on */

/* The length of the message of `n` pieces, so that the next begins where a number may. */
static int64_t message_of(const struct exchange *e, int message, const struct told *n)
{
    bool has_bytes = (message == OUT || message == IN) == (e->x->dir == PCDF_PUT);
    int64_t length = has_bytes ? n->bytes : 0;
    bool back = message == BACK_OUT || message == BACK_IN;

    if (n->pieces == 0 || (back && !has_bytes)) /* of a put the answers go in another way */
        return 0;
    length += back ? (int64_t)sizeof(struct pcdf_answer) : n->pieces * (int64_t)sizeof(struct pcdf_piece);
    return (length + 7) / 8 * 8;
}

/* Where the messages to or from each rank begin. The bytes of all. */
static int64_t lay_out(struct exchange *e, int message)
{
    const struct told *n = told(e, message == OUT || message == BACK_IN ? TOLD : HEARD);
    int64_t at = 0;

    for (int r = 0; r < e->a->size; r++) {
        int64_t length = r == e->a->rank ? 0 : message_of(e, message, &n[r]);
        if (length > INT_MAX - at)
            return INT64_MAX;
        lengths(e, message)[r] = (int)length;
        shifts(e, message)[r] = (int)at;
        at += length;
    }
    return at;
}

/* Local. `kept`: the memory that the handle keeps is enough. */
static int allocate(struct exchange *e, bool kept)
{
    int64_t size[MESSAGES], order, window = WINDOW, need = 0;

    for (int m = 0; m < MESSAGES; m++) {
        size[m] = lay_out(e, m);
        need = add(need, size[m]);
    }
    if (need > ROOM + 4 * e->x->nbytes || e->pieces_in > INT_MAX)
        return NC_ENOMEM;
    order = e->pieces_in * (int64_t)sizeof *e->owned.order;
    if (kept)
        window = KEPT - need - order;
    else if (!(e->memory = pcdf_malloc((size_t)(need + order + window))))
        return NC_ENOMEM;
    char *at = kept ? e->a->kept : e->memory;
    for (int m = 0; m < MESSAGES; m++) {
        e->message[m] = at;
        at += size[m];
    }
    e->owned = (struct pcdf_owned){ .x = e->x,
                                    .stripes = e->a->stripes,
                                    .me = e->a->rank,
                                    .lanes = e->a->lanes,
                                    .order = (struct pcdf_placed *)at,
                                    .window = at + order,
                                    .window_size = window };
    return NC_NOERR;
}

static int agree_on_memory_all(struct exchange *e, int *all_have)
{
    int have = allocate(e, false) == NC_NOERR;

    e->a->counts->allreduce++;
    int err = MPI_Allreduce(&have, all_have, 1, MPI_INT, MPI_MIN, e->a->comm);
    if (!err)
        return NC_NOERR;
    *all_have = false;
    return mpi_error(e, err, "agreeing on memory to move the pieces of");
}

/* --- to the owners and back */

static int send_all(struct exchange *e, int out, int in)
{
    e->a->counts->exchange++;
    int err = MPI_Alltoallv(e->message[out], lengths(e, out), shifts(e, out), MPI_BYTE, e->message[in],
                            lengths(e, in), shifts(e, in), MPI_BYTE, e->a->comm);
    return err ? mpi_error(e, err, "exchanging pieces of") : NC_NOERR;
}

/* This rank's pieces into the messages to their owners, with their bytes in a put. */
static void write_messages(struct exchange *e)
{
    int64_t *piece = sums(e, AT_PIECE), *byte = sums(e, AT_BYTE);
    struct pcdf_walk walk = { 0 };
    struct pcdf_piece p;

    for (int r = 0; r < e->a->size; r++) {
        piece[r] = shifts(e, OUT)[r];
        byte[r] = piece[r] + told(e, TOLD)[r].pieces * (int64_t)sizeof p;
    }
    while (pcdf_walk_next(e->x, &e->a->stripes, &walk, &p)) {
        int to = walk.owner;
        if (to == e->a->rank)
            continue;
        memcpy(e->message[OUT] + piece[to], &p, sizeof p);
        piece[to] += (int64_t)sizeof p;
        if (e->x->dir == PCDF_PUT)
            memcpy(e->message[OUT] + byte[to], e->x->data + walk.at - p.length, (size_t)p.length);
        byte[to] += p.length;
    }
}

/* The bytes of a get, from the owners' messages to where they were asked for. */
static void read_messages(struct exchange *e)
{
    int64_t *byte = sums(e, AT_BYTE);
    struct pcdf_walk walk = { 0 };
    struct pcdf_piece p;

    for (int r = 0; r < e->a->size; r++)
        byte[r] = shifts(e, BACK_IN)[r] + (int64_t)sizeof(struct pcdf_answer);
    while (pcdf_walk_next(e->x, &e->a->stripes, &walk, &p)) {
        if (walk.owner == e->a->rank)
            continue;
        memcpy(e->x->data + walk.at - p.length, e->message[BACK_IN] + byte[walk.owner], (size_t)p.length);
        byte[walk.owner] += p.length;
    }
}

/* What came in, and what is this rank's own, between memory and file. */
static void move(struct exchange *e)
{
    const struct told *heard = told(e, HEARD);
    bool puts = e->x->dir == PCDF_PUT;

    for (int r = 0; r < e->a->size; r++) {
        char *in = e->message[IN] + shifts(e, IN)[r];
        char *back = e->message[BACK_OUT] + shifts(e, BACK_OUT)[r] + sizeof(struct pcdf_answer);
        if (r == e->a->rank)
            pcdf_owned_add(&e->owned, r, NULL, 0, NULL);
        else
            pcdf_owned_add(&e->owned, r, (struct pcdf_piece *)in, heard[r].pieces,
                           puts ? in + heard[r].pieces * (int64_t)sizeof(struct pcdf_piece) : back);
    }
    pcdf_owned_move(&e->owned, &e->a->mover, answers(e, ANSWERS));
}

/* Every rank hears what became of its pieces. */
static int answer_all(struct exchange *e)
{
    const int *length = lengths(e, BACK_OUT), *from = lengths(e, BACK_IN);

    if (e->x->dir == PCDF_PUT) { /* the same on all ranks */
        e->a->counts->exchange++;
        int err =
            MPI_Alltoall(sums(e, ANSWERS), 2, MPI_INT64_T, sums(e, ANSWERED), 2, MPI_INT64_T, e->a->comm);
        return err ? mpi_error(e, err, "hearing how the pieces fared of") : NC_NOERR;
    }
    for (int r = 0; r < e->a->size; r++)
        if (length[r])
            memcpy(e->message[BACK_OUT] + shifts(e, BACK_OUT)[r], &answers(e, ANSWERS)[r],
                   sizeof(struct pcdf_answer));
    int status = send_all(e, BACK_OUT, BACK_IN);
    answers(e, ANSWERED)[e->a->rank] = answers(e, ANSWERS)[e->a->rank];
    for (int r = 0; r < e->a->size; r++)
        if (from[r])
            memcpy(&answers(e, ANSWERED)[r], e->message[BACK_IN] + shifts(e, BACK_IN)[r],
                   sizeof(struct pcdf_answer));
    return status;
}

/* Bytes asked = bytes that the owners moved, or why not. */
static int verdict(const struct exchange *e)
{
    const struct pcdf_answer *answer = answers(e, ANSWERED);
    bool puts = e->x->dir == PCDF_PUT;
    int64_t moved = 0, code = 0;

    for (int r = 0; r < e->a->size; r++) {
        code = code ? code : answer[r].failed;
        moved += answer[r].moved;
    }
    if (moved == e->x->nbytes)
        return NC_NOERR;
    return PCDF_FAIL(code   ? (int)-code
                     : puts ? NC_EWRITE
                            : NC_EREAD,
                     "%s %s: %lld of this rank's %lld bytes were moved", puts ? "writing" : "reading",
                     e->a->path, (long long)moved, (long long)e->x->nbytes);
}

static int exchange_all(struct exchange *e, int status)
{
    write_messages(e);
    pcdf_first(&status, send_all(e, OUT, IN));
    if (!status)
        move(e);
    else /* what came in is not known: nobody's pieces are moved here */
        for (int r = 0; r < e->a->size; r++)
            answers(e, ANSWERS)[r].failed = -(int64_t)status;
    pcdf_first(&status, answer_all(e));
    if (!status)
        status = verdict(e);
    if (!status && e->x->dir == PCDF_GET)
        read_messages(e);
    return status;
}

int pcdf_aggregate_all(struct pcdf_aggregate *a, const struct pcdf_extents *x, bool *done)
{
    struct exchange e = { .a = a, .x = x };
    int64_t all = 0;
    bool too_large = false;
    int goes = true, status = tell_all(&e, &all, &too_large);

    /* Three times: messages to the owners and back, their order, a window. The same on all ranks, and so is
     * what follows. */
    bool kept = all <= KEPT / 4;
    if (too_large)
        goes = false;
    else if (kept)
        pcdf_first(&status, allocate(&e, true));
    else
        pcdf_first(&status, agree_on_memory_all(&e, &goes));
    *done = goes || status;
    if (goes)
        status = exchange_all(&e, status);
    pcdf_free(e.memory);
    return status;
}
