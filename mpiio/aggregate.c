/* See aggregate.h. One transfer is: how much goes to whom (MPI_Alltoall), can every rank hold its part
 * (MPI_Allreduce), the pieces (MPI_Alltoallv), their bytes (MPI_Alltoallv; of a get after the reading), the
 * answer (MPI_Alltoall). No rank leaves early; one whose storage fails goes on receiving and answers. */

#include "aggregate.h"
#include "alloc.h"
#include "engine.h"
#include <limits.h>
#include <string.h>

enum {
    STRIPE = 1 << 20,
    WINDOW = 1 << 20, /* bytes that an owner merges before it moves them */
    NEAR = 4096,      /* a get reads a gap up to this long rather than calling twice */
    ROOM = 64 << 20   /* an owner takes this much from all, and what it sends itself four times */
};

struct piece {
    int64_t offset, length;
};

/* What is kept by rank, one block of `size` numbers each. */
enum { SENT, ASKED = 2, ANSWERS = 4, ANSWERED = 6, AT = 8, SUMS = 10 }; /* pairs: pieces and bytes */
enum {
    OUT_PIECES,
    IN_PIECES,
    OUT_BYTES,
    IN_BYTES,
    SHIFTS,
    INTS = 2 * SHIFTS
}; /* counts, then their shifts */

struct exchange {
    struct pcdf_aggregate *a;
    const struct pcdf_extents *x;
    struct piece *out, *in;
    struct placed *order; /* all of `in`, rising */
    char *out_bytes, *in_bytes, *window;
    int64_t pieces_in, bytes_in, pieces_out;
    struct cursor *heap; /* of the ranks whose pieces here are not all moved, the lowest on top */
    int in_heap;
};

struct placed { /* a piece that came in */
    struct piece at;
    char *bytes;
    int rank;
};

struct cursor { /* in the pieces of one rank, which rise */
    const struct piece *now, *end;
    char *bytes;
    int rank;
};

int pcdf_aggregate_init(struct pcdf_aggregate *a, int64_t stripe)
{
    MPI_Comm_rank(a->comm, &a->rank);
    MPI_Comm_size(a->comm, &a->size);
    a->stripe = stripe >= 65536 && stripe <= 1 << 30 ? stripe : STRIPE;
    a->sums = pcdf_calloc((size_t)a->size, SUMS * sizeof *a->sums);
    a->ints = pcdf_calloc((size_t)a->size, INTS * sizeof *a->ints);
    return a->sums && a->ints ? NC_NOERR : NC_ENOMEM;
}

void pcdf_aggregate_free(struct pcdf_aggregate *a)
{
    pcdf_free(a->sums);
    pcdf_free(a->ints);
    a->sums = NULL;
    a->ints = NULL;
}

static int64_t *sums(struct exchange *e, int block)
{
    return e->a->sums + (size_t)block * (size_t)e->a->size;
}

static int *ints(struct exchange *e, int block)
{
    return e->a->ints + (size_t)block * (size_t)e->a->size;
}

static int mpi_error(struct exchange *e, int err, const char *what)
{
    return pcdf_error_from_mpi(err, NC_EMPI, what, e->a->path);
}

/* --- a rank's pieces, cut at the stripes */

struct walk {
    size_t i;
    int64_t inside; /* bytes of piece i that are done */
};

static bool next_piece(const struct exchange *e, struct walk *w, struct piece *p, int *owner)
{
    const struct pcdf_extents *x = e->x;
    if (w->i >= x->n)
        return false;
    p->offset = x->offset[w->i] + w->inside;
    int64_t left = x->length[w->i] - w->inside, stripe = p->offset / e->a->stripe;
    int64_t room = e->a->stripe - p->offset % e->a->stripe;
    p->length = left < room ? left : room;
    *owner = (int)(stripe % e->a->size);
    w->inside += p->length;
    if (w->inside == x->length[w->i])
        *w = (struct walk){ w->i + 1, 0 };
    return true;
}

static int count_all(struct exchange *e)
{
    int64_t *sent = sums(e, SENT);
    struct walk w = { 0 };
    struct piece p;
    int owner;

    memset(e->a->sums, 0, (size_t)e->a->size * SUMS * sizeof *e->a->sums);
    while (next_piece(e, &w, &p, &owner)) {
        sent[2 * owner]++;
        sent[2 * owner + 1] += p.length;
        e->pieces_out++;
    }
    e->a->counts->gather++;
    int err = MPI_Alltoall(sent, 2, MPI_INT64_T, sums(e, ASKED), 2, MPI_INT64_T, e->a->comm);
    return err ? mpi_error(e, err, "sharing out the pieces of") : NC_NOERR;
}

/* --- memory: all ranks have theirs, or none goes on */

static int allocate(struct exchange *e)
{
    const int64_t *asked = sums(e, ASKED), most = ROOM + 4 * e->x->nbytes;

    for (int r = 0; r < e->a->size; r++) {
        e->pieces_in += asked[2 * r];
        e->bytes_in += asked[2 * r + 1];
    }
    if (e->bytes_in > most || e->bytes_in > INT_MAX || e->x->nbytes > INT_MAX ||
        e->pieces_in > INT_MAX / (int)sizeof *e->in || e->pieces_out > INT_MAX / (int)sizeof *e->in)
        return NC_ENOMEM;
    e->out = pcdf_malloc((size_t)e->pieces_out * sizeof *e->out);
    e->in = pcdf_malloc((size_t)e->pieces_in * sizeof *e->in);
    e->order = pcdf_malloc((size_t)e->pieces_in * sizeof *e->order);
    e->out_bytes = pcdf_malloc((size_t)e->x->nbytes);
    e->in_bytes = pcdf_malloc((size_t)e->bytes_in);
    e->window = pcdf_malloc(WINDOW);
    e->heap = pcdf_malloc((size_t)e->a->size * sizeof *e->heap);
    bool all = e->out && e->in && e->order && e->out_bytes && e->in_bytes && e->window && e->heap;
    return all ? NC_NOERR : NC_ENOMEM;
}

static int agree_on_memory_all(struct exchange *e, int status, int *all_have)
{
    int have = status == NC_NOERR;

    e->a->counts->allreduce++;
    int err = MPI_Allreduce(&have, all_have, 1, MPI_INT, MPI_MIN, e->a->comm);
    if (!err)
        return NC_NOERR;
    *all_have = false;
    return mpi_error(e, err, "agreeing on memory to move the pieces of");
}

static void release(struct exchange *e)
{
    pcdf_free(e->heap);
    pcdf_free(e->window);
    pcdf_free(e->in_bytes);
    pcdf_free(e->out_bytes);
    pcdf_free(e->order);
    pcdf_free(e->in);
    pcdf_free(e->out);
}

/* --- to the owners and back */

/* Counts of MPI_Alltoallv from the pairs of a block, and where each rank's part begins. */
static void lay_out(struct exchange *e, int pairs, int which, int block, int unit)
{
    int *count = ints(e, block), *shift = ints(e, SHIFTS + block), at = 0;
    for (int r = 0; r < e->a->size; r++) {
        count[r] = (int)sums(e, pairs)[2 * r + which] * unit;
        shift[r] = at;
        at += count[r];
    }
}

/* This rank's pieces by owner, and their bytes to where they go in out_bytes, or from there. */
static void sort_out(struct exchange *e, bool back)
{
    int64_t *at = sums(e, AT), inside = 0;
    struct walk w = { 0 };
    struct piece p;
    int owner;

    memset(at, 0, 2 * (size_t)e->a->size * sizeof *at);
    while (next_piece(e, &w, &p, &owner)) {
        size_t unit = sizeof p, first = (size_t)ints(e, SHIFTS + OUT_PIECES)[owner] / unit;
        char *bytes = e->out_bytes + ints(e, SHIFTS + OUT_BYTES)[owner] + at[2 * owner + 1];
        e->out[first + (size_t)at[2 * owner]] = p;
        if (back)
            memcpy(e->x->data + inside, bytes, (size_t)p.length);
        else if (e->x->dir == PCDF_PUT)
            memcpy(bytes, e->x->data + inside, (size_t)p.length);
        at[2 * owner]++;
        at[2 * owner + 1] += p.length;
        inside += p.length;
    }
}

static int send_all(struct exchange *e, const void *from, int out, void *to, int in)
{
    e->a->counts->gather++;
    int err = MPI_Alltoallv(from, ints(e, out), ints(e, SHIFTS + out), MPI_BYTE, to, ints(e, in),
                            ints(e, SHIFTS + in), MPI_BYTE, e->a->comm);
    return err ? mpi_error(e, err, "exchanging pieces of") : NC_NOERR;
}

/* --- the owner: all ranks' pieces in rising order */

static bool is_before(const struct cursor *a, const struct cursor *b)
{
    return a->now->offset < b->now->offset || (a->now->offset == b->now->offset && a->rank < b->rank);
}

static void sift(struct exchange *e, int i)
{
    for (;;) {
        int low = i;
        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < e->in_heap; child++)
            if (is_before(&e->heap[child], &e->heap[low]))
                low = child;
        if (low == i)
            return;
        struct cursor t = e->heap[i];
        e->heap[i] = e->heap[low];
        e->heap[low] = t;
        i = low;
    }
}

static void fill_heap(struct exchange *e)
{
    e->in_heap = 0;
    for (int r = 0; r < e->a->size; r++) {
        const struct piece *first = e->in + ints(e, SHIFTS + IN_PIECES)[r] / (int)sizeof *first;
        const struct piece *end = first + ints(e, IN_PIECES)[r] / (int)sizeof *first;
        if (first < end)
            e->heap[e->in_heap++] =
                (struct cursor){ first, end, e->in_bytes + ints(e, SHIFTS + IN_BYTES)[r], r };
    }
    for (int i = e->in_heap / 2 - 1; i >= 0; i--)
        sift(e, i);
}

/* All pieces in rising order. */
static void merge(struct exchange *e)
{
    fill_heap(e);
    for (struct placed *to = e->order; e->in_heap > 0; to++) {
        struct cursor *top = e->heap;
        *to = (struct placed){ *top->now, top->bytes, top->rank };
        top->bytes += top->now->length;
        if (++top->now == top->end)
            *top = e->heap[--e->in_heap];
        sift(e, 0);
    }
}

/* How many pieces from `first` on one call moves: neighbours that fit in the window, or one. *end: of theirs.
 */
static int64_t run_of(const struct exchange *e, int64_t first, int64_t *end)
{
    const struct placed *p = e->order;
    int64_t n = 1, near = e->x->dir == PCDF_PUT ? 0 : NEAR;

    *end = p[first].at.offset + p[first].at.length;
    for (; first + n < e->pieces_in; n++) {
        int64_t gap = p[first + n].at.offset - *end, next = *end + gap + p[first + n].at.length;
        bool overlaps = gap < 0; /* of two ranks: who puts wins is not defined, a get reads both alike */
        if (gap > near || (overlaps && e->x->dir == PCDF_PUT) || next - p[first].at.offset > WINDOW)
            break;
        *end = next > *end ? next : *end;
    }
    return n;
}

static void copy_run(const struct exchange *e, const struct placed *run, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        char *inside = e->window + (run[i].at.offset - run[0].at.offset);
        if (e->x->dir == PCDF_PUT)
            memcpy(inside, run[i].bytes, (size_t)run[i].at.length);
        else
            memcpy(run[i].bytes, inside, (size_t)run[i].at.length);
    }
}

static int move_run(const struct exchange *e, const struct placed *run, int64_t n, int64_t end)
{
    struct pcdf_aggregate *a = e->a;
    int64_t got = 0, length = end - run[0].at.offset;
    char *bytes = n == 1 ? run[0].bytes : e->window;

    if (e->x->dir == PCDF_GET) {
        PCDF_TRY(a->get(a->file, bytes, length, run[0].at.offset, &got));
        if (n > 1)
            copy_run(e, run, n);
        return NC_NOERR;
    }
    if (n > 1)
        copy_run(e, run, n);
    return a->put(a->file, bytes, length, run[0].at.offset);
}

/* Moves what this rank owns, and notes for each rank how many of its bytes were moved, and the first failure.
 * After one the rest is not tried: on a full disk that would be a wait for each piece. */
static void move_owned(struct exchange *e)
{
    int64_t *answers = sums(e, ANSWERS), end;
    int failed = NC_NOERR;

    for (int64_t at = 0, n; at < e->pieces_in; at += n) {
        n = run_of(e, at, &end);
        if (!failed)
            failed = move_run(e, e->order + at, n, end);
        for (int64_t i = at; i < at + n; i++) {
            int64_t *answer = answers + 2 * e->order[i].rank;
            answer[0] = failed ? -(int64_t)failed : answer[0];
            answer[1] += failed ? 0 : e->order[i].at.length;
        }
    }
}

/* Bytes asked = bytes that the owners moved, or why not. */
static int hear_answers_all(struct exchange *e)
{
    int64_t moved = 0, code = 0;

    e->a->counts->gather++;
    int err = MPI_Alltoall(sums(e, ANSWERS), 2, MPI_INT64_T, sums(e, ANSWERED), 2, MPI_INT64_T, e->a->comm);
    if (err)
        return mpi_error(e, err, "hearing how the pieces fared of");
    for (int r = 0; r < e->a->size; r++) {
        code = code ? code : sums(e, ANSWERED)[2 * r];
        moved += sums(e, ANSWERED)[2 * r + 1];
    }
    if (moved == e->x->nbytes)
        return NC_NOERR;
    return PCDF_FAIL(code                    ? (int)-code
                     : e->x->dir == PCDF_PUT ? NC_EWRITE
                                             : NC_EREAD,
                     "%s %s: %lld of this rank's %lld bytes were moved",
                     e->x->dir == PCDF_PUT ? "writing" : "reading", e->a->path, (long long)moved,
                     (long long)e->x->nbytes);
}

static int exchange_all(struct exchange *e)
{
    bool puts = e->x->dir == PCDF_PUT;

    lay_out(e, SENT, 0, OUT_PIECES, (int)sizeof *e->out);
    lay_out(e, ASKED, 0, IN_PIECES, (int)sizeof *e->in);
    lay_out(e, SENT, 1, OUT_BYTES, 1);
    lay_out(e, ASKED, 1, IN_BYTES, 1);
    sort_out(e, false);
    int status = send_all(e, e->out, OUT_PIECES, e->in, IN_PIECES);
    if (puts) /* the same on all ranks */
        pcdf_first(&status, send_all(e, e->out_bytes, OUT_BYTES, e->in_bytes, IN_BYTES));
    if (!status) {
        merge(e);
        move_owned(e);
    }
    if (!puts) { /* the same on all ranks */
        pcdf_first(&status, send_all(e, e->in_bytes, IN_BYTES, e->out_bytes, OUT_BYTES));
        if (!status)
            sort_out(e, true);
    }
    pcdf_first(&status, hear_answers_all(e));
    return status;
}

int pcdf_aggregate_all(struct pcdf_aggregate *a, const struct pcdf_extents *x, bool *done)
{
    struct exchange e = { .a = a, .x = x };
    int all_have = false, status = count_all(&e);

    int have = status ? status : allocate(&e);
    pcdf_first(&status, agree_on_memory_all(&e, have, &all_have));
    *done = all_have || status;
    if (all_have) /* the same on all ranks */
        status = exchange_all(&e);
    release(&e);
    return status;
}
