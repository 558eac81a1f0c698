/* Fails operations by order. Stackable; for tests.
 *
 *   orders  = order { (" " | ";") order }
 *   order   = op ":" n ["+"] "@" ranks ["=" code] ["!" how]
 *   op      = open | close | size | resize | sync (together, and a rank's flush)
 *           | write | read        every put or get of this rank, alone or together
 *           | write* | read*      only those together (transfer_all), counted by themselves
 *           | any                 every operation of this rank, whatever it is
 *   n       = the n-th such operation on this rank, 1 the first; "3+" the third and all later ones
 *   ranks   = "*" | rank { "," rank }
 *   code    = a name (NC_ENO_SPACE); without it open NC_EFILE, read NC_EREAD, everything else NC_EWRITE
 *
 *   how     = short | late | lost; without it nothing of a failing transfer is moved
 *           short   a put moves the first half of its bytes, whole pieces or whole sectors, before it fails
 *           late    everything is moved, and then it fails
 *           lost    a failing sync takes back what this rank wrote since its last good one, as a system does
 *                   that throws away the pages it could not write
 *
 * "write:3@1=NC_ENO_SPACE", "write*:2@0,2", "sync:1@*", "open:1@0", "write:3+@1", "any:7@0!short"
 *
 * A failing rank takes part in the collective below, with no pieces in a transfer; so its own bytes are not
 * written, the other ranks' are. A failing sync, resize or close has happened below all the same. */

#include "engine.h"
#include "alloc.h"
#include "array.h"
#include "cutflow.h"
#include <ctype.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum op { OPEN, CLOSE, SIZE, RESIZE, SYNC, WRITE, READ, WRITE_ALL, READ_ALL, ANY, OPS };
enum how { NOTHING_MOVED, SHORT, LATE, LOST, HOWS };

static const struct {
    const char *name;
    int code;
} ops[OPS] = {
    [OPEN] = { "open", NC_EFILE },      [CLOSE] = { "close", NC_EWRITE },
    [SIZE] = { "size", NC_EWRITE },     [RESIZE] = { "resize", NC_EWRITE },
    [SYNC] = { "sync", NC_EWRITE },     [WRITE] = { "write", NC_EWRITE },
    [READ] = { "read", NC_EREAD },      [WRITE_ALL] = { "write*", NC_EWRITE },
    [READ_ALL] = { "read*", NC_EREAD }, [ANY] = { "any", NC_NOERR },
};
static const char *const hows[HOWS] = { "", "short", "late", "lost" };

struct order {
    enum op op;
    long n;
    bool later_too;
    int code; /* NC_NOERR: the operation's own */
    enum how how;
};

struct kept { /* what the file held where this rank wrote */
    struct kept *before;
    int64_t *place; /* n offsets, n lengths; then the bytes */
    size_t n;
    int64_t nbytes;
};

struct fault {
    struct pcdf_engine engine;
    PCDF_ARRAY(struct order) orders; /* those for this rank */
    long done[OPS];
    bool keeps;        /* a sync may lose what was written */
    struct kept *kept; /* since the last good sync, the latest first */
};

static _Atomic long carried_out;

long pcdf_fault_carried_out(void)
{
    return atomic_load(&carried_out);
}

/* --- orders --- */

static int bad_order(const char *order)
{
    return PCDF_FAIL(NC_EINVAL, "the fault order \"%.40s\" is not op:n[+]@ranks[=code][!how]", order);
}

static int parse_op(const char **text, enum op *op)
{
    size_t length = strcspn(*text, ":");

    for (int i = 0; i < OPS; i++)
        if (strlen(ops[i].name) == length && !strncmp(ops[i].name, *text, length) && (*text)[length]) {
            *op = (enum op)i;
            *text += length + 1;
            return NC_NOERR;
        }
    return NC_EINVAL;
}

static int parse_number(const char **text, long *n)
{
    char *end;

    if (!isdigit((unsigned char)**text))
        return NC_EINVAL;
    *n = strtol(*text, &end, 10);
    *text = end;
    return NC_NOERR;
}

static int parse_ranks(const char **text, int rank, bool *mine)
{
    long n;

    *mine = **text == '*';
    if (*mine) {
        ++*text;
        return NC_NOERR;
    }
    for (;;) {
        PCDF_TRY(parse_number(text, &n));
        *mine |= n == rank;
        if (**text != ',')
            return NC_NOERR;
        ++*text;
    }
}

static int parse_code(const char **text, int *code)
{
    size_t length = strcspn(*text, " ;!");

    for (int i = -1; i > -300; i--) {
        const char *name = pcdf_error_name(i);
        if (name && strlen(name) == length && !strncmp(name, *text, length)) {
            *code = i;
            *text += length;
            return NC_NOERR;
        }
    }
    return NC_EINVAL;
}

static int parse_how(const char **text, enum how *how)
{
    size_t length = strcspn(*text, " ;");

    for (int i = SHORT; i < HOWS; i++)
        if (strlen(hows[i]) == length && !strncmp(hows[i], *text, length)) {
            *how = (enum how)i;
            *text += length;
            return NC_NOERR;
        }
    return NC_EINVAL;
}

static int parse_order(const char **text, int rank, struct order *order, bool *mine)
{
    PCDF_TRY(parse_op(text, &order->op));
    PCDF_TRY(parse_number(text, &order->n));
    order->later_too = **text == '+';
    *text += order->later_too;
    if (*(*text)++ != '@')
        return NC_EINVAL;
    PCDF_TRY(parse_ranks(text, rank, mine));
    order->code = NC_NOERR;
    order->how = NOTHING_MOVED;
    if (**text == '=') {
        ++*text;
        PCDF_TRY(parse_code(text, &order->code));
    }
    if (**text == '!') {
        ++*text;
        PCDF_TRY(parse_how(text, &order->how));
    }
    return **text == '\0' || **text == ' ' || **text == ';' ? NC_NOERR : NC_EINVAL;
}

static int parse_orders(struct fault *f, const char *text, int rank)
{
    for (;;) {
        struct order order;
        const char *start;
        bool mine;

        text += strspn(text, " ;");
        start = text;
        if (!*text)
            return NC_NOERR;
        if (parse_order(&text, rank, &order, &mine))
            return bad_order(start);
        if (mine) {
            PCDF_TRY(PCDF_RESERVE(&f->orders, f->orders.n + 1));
            f->orders.x[f->orders.n++] = order;
            f->keeps |= order.how == LOST;
        }
    }
}

/* Counts one operation: the code that it must fail with, or NC_NOERR, and how (may be NULL). */
static int due(struct fault *f, enum op op, enum how *how)
{
    long n = ++f->done[op], all = op == WRITE_ALL || op == READ_ALL ? -1 : ++f->done[ANY];

    for (size_t i = 0; i < f->orders.n; i++) {
        const struct order *order = &f->orders.x[i];
        long now = order->op == op ? n : order->op == ANY ? all : -1;
        if (order->n != now && !(order->later_too && now > order->n))
            continue;
        if (how)
            *how = order->how;
        atomic_fetch_add(&carried_out, 1);
        return PCDF_FAIL(order->code ? order->code : ops[op].code, "the fault engine fails %s %ld",
                         ops[op].name, n);
    }
    return NC_NOERR;
}

/* --- what a lost sync takes back --- */

static void forget_kept(struct fault *f)
{
    while (f->kept) {
        struct kept *k = f->kept;
        f->kept = k->before;
        pcdf_free(k->place);
        pcdf_free(k);
    }
}

static struct pcdf_extents extents_of(const struct kept *k, enum pcdf_dir dir)
{
    return (struct pcdf_extents){ dir,      k->n, k->place, k->place + k->n, (char *)(k->place + 2 * k->n),
                                  k->nbytes };
}

/* Before a put: reads what is there. Where it cannot, the put is not taken back, which a system may do, too.
 */
static void keep(struct fault *f, const struct pcdf_extents *x)
{
    struct pcdf_engine *below = f->engine.below;
    struct kept *k = f->keeps && x->n ? pcdf_malloc(sizeof *k) : NULL;

    if (!k)
        return;
    k->n = x->n;
    k->nbytes = x->nbytes;
    k->place = pcdf_malloc(2 * x->n * sizeof *k->place + (size_t)x->nbytes);
    if (k->place) {
        memcpy(k->place, x->offset, x->n * sizeof *k->place);
        memcpy(k->place + x->n, x->length, x->n * sizeof *k->place);
        struct pcdf_extents old = extents_of(k, PCDF_GET);
        if (below->ops->transfer(below, &old, NULL) == NC_NOERR) {
            k->before = f->kept;
            f->kept = k;
            return;
        }
    }
    pcdf_free(k->place);
    pcdf_free(k);
}

static void lose_kept(struct fault *f)
{
    for (const struct kept *k = f->kept; k; k = k->before) {
        struct pcdf_extents old = extents_of(k, PCDF_PUT);
        (void)f->engine.below->ops->transfer(f->engine.below, &old, NULL);
    }
    forget_kept(f);
}

static void end_sync(struct fault *f, int status, enum how how)
{
    if (status && how == LOST)
        lose_kept(f);
    else if (!status)
        forget_kept(f);
}

enum { SECTOR = 512 };

/* The first half of x: whole pieces, or of one long piece whole sectors, which no system cuts. */
static struct pcdf_extents first_half(const struct pcdf_extents *x, int64_t *length)
{
    struct pcdf_extents half = *x;
    int64_t left = x->nbytes / 2;

    for (half.n = 0; half.n < x->n && x->length[half.n] <= left; half.n++)
        left -= x->length[half.n];
    half.nbytes = x->nbytes / 2 - left;
    if (half.n == 0 && x->n > 0) {
        *length = (x->offset[0] + left) / SECTOR * SECTOR - x->offset[0];
        half.n = *length > 0;
        half.length = length;
        half.nbytes = *length;
    }
    return half;
}

static void free_fault(struct fault *f)
{
    forget_kept(f);
    pcdf_free(f->orders.x);
    pcdf_free(f);
}

static int fault_close_all(struct pcdf_engine *e)
{
    struct fault *f = (struct fault *)e;
    int status = due(f, CLOSE, NULL);

    e->below->poisoned |= e->poisoned;
    pcdf_first(&status, e->below->ops->close_all(e->below));
    free_fault(f);
    return status;
}

static int fault_size(struct pcdf_engine *e, int64_t *bytes)
{
    PCDF_TRY(due((struct fault *)e, SIZE, NULL));
    return e->below->ops->size(e->below, bytes);
}

static int fault_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    int status = due((struct fault *)e, RESIZE, NULL);
    pcdf_first(&status, e->below->ops->resize_all(e->below, bytes));
    return status;
}

static int fault_sync_all(struct pcdf_engine *e)
{
    struct fault *f = (struct fault *)e;
    enum how how = NOTHING_MOVED;
    int status = due(f, SYNC, &how);
    pcdf_first(&status, e->below->ops->sync_all(e->below));
    end_sync(f, status, how);
    return status;
}

static int fault_flush(struct pcdf_engine *e)
{
    struct fault *f = (struct fault *)e;
    enum how how = NOTHING_MOVED;
    int status = due(f, SYNC, &how);
    pcdf_first(&status, e->below->ops->flush(e->below));
    end_sync(f, status, how);
    return status;
}

/* What of x is moved below, when it fails in that way. */
static struct pcdf_extents moved_of(const struct pcdf_extents *x, enum how how, int64_t *length)
{
    if (how == LATE)
        return *x;
    if (how == SHORT && x->dir == PCDF_PUT)
        return first_half(x, length);
    return (struct pcdf_extents){ .dir = x->dir };
}

static int fault_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct fault *f = (struct fault *)e;
    enum how how = NOTHING_MOVED;
    int64_t length;
    int status = due(f, x->dir == PCDF_PUT ? WRITE : READ, &how);
    struct pcdf_extents some = status ? moved_of(x, how, &length) : *x;

    if (x->dir == PCDF_PUT)
        keep(f, &some);
    if (some.n > 0 || !status)
        pcdf_first(&status, e->below->ops->transfer(e->below, &some, got));
    return status;
}

static int fault_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct fault *f = (struct fault *)e;
    enum how how = NOTHING_MOVED;
    int64_t length, there;
    int status = due(f, x->dir == PCDF_PUT ? WRITE : READ, &how);

    pcdf_first(&status, due(f, x->dir == PCDF_PUT ? WRITE_ALL : READ_ALL, status ? NULL : &how));
    struct pcdf_extents some = status ? moved_of(x, how, &length) : *x;
    if (x->dir == PCDF_PUT)
        keep(f, &some);
    pcdf_first(&status, e->below->ops->transfer_all(e->below, &some, status ? &there : got));
    return status;
}

/* What of a flow is moved below, when it fails in that way. */
static struct pcdf_flow flow_of(const struct pcdf_flow *flow, enum how how, struct pcdf_cut *cut)
{
    struct pcdf_flow some = *flow;
    if (how == LATE)
        return some;
    if (how != SHORT || flow->dir != PCDF_PUT) {
        some.nbytes = 0;
        return some;
    }
    return pcdf_cutflow(cut, flow, (flow->begin + (flow->end - flow->begin) / 2) / SECTOR * SECTOR);
}

enum { KEPT_PIECES = 4096 };

static void keep_flow(struct fault *f, const struct pcdf_flow *flow)
{
    int64_t at = f->keeps && flow->nbytes > 0 ? flow->begin : INT64_MAX;
    while (at != INT64_MAX) {
        struct pcdf_extents x = { .dir = PCDF_PUT };
        if (flow->look(flow->context, at, flow->end, KEPT_PIECES, &x, &at))
            return;
        keep(f, &x);
    }
}

static int fault_exchange_all(struct pcdf_engine *e, const struct pcdf_flow *flow, bool *done, int64_t *moved)
{
    struct fault *f = (struct fault *)e;
    enum how how = NOTHING_MOVED;
    struct pcdf_cut cut;
    int status = due(f, flow->dir == PCDF_PUT ? WRITE : READ, &how);

    pcdf_first(&status, due(f, flow->dir == PCDF_PUT ? WRITE_ALL : READ_ALL, status ? NULL : &how));
    struct pcdf_flow some = status ? flow_of(flow, how, &cut) : *flow;
    if (flow->dir == PCDF_PUT)
        keep_flow(f, &some);
    pcdf_first(&status, e->below->ops->exchange_all(e->below, &some, done, moved));
    return status;
}

static int fault_info(struct pcdf_engine *e, MPI_Info *info)
{
    return e->below->ops->info(e->below, info);
}

static const struct pcdf_engine_ops fault_ops = {
    .name = "fault",
    .close_all = fault_close_all,
    .size = fault_size,
    .resize_all = fault_resize_all,
    .sync_all = fault_sync_all,
    .flush = fault_flush,
    .transfer = fault_transfer,
    .transfer_all = fault_transfer_all,
    .exchange_all = fault_exchange_all,
    .info = fault_info,
};

int pcdf_fault_stack(const struct pcdf_engine_config *config, struct pcdf_engine *below,
                     struct pcdf_engine **e)
{
    struct fault *f = pcdf_calloc(1, sizeof *f);
    int rank = 0, err;

    if (!f)
        return NC_ENOMEM;
    f->engine.ops = &fault_ops;
    f->engine.below = below;
    f->engine.counts = below->counts;
    MPI_Comm_rank(config->comm, &rank);
    err = parse_orders(f, config->fault, rank);
    if (!err)
        err = due(f, OPEN, NULL);
    if (err) {
        free_fault(f);
        return err;
    }
    *e = &f->engine;
    return NC_NOERR;
}
