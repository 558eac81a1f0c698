/* See faultstorage.h. */

#include "faultstorage.h"
#include <ctype.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "status.h"

enum op { OPEN, CLOSE, SIZE, RESIZE, SYNC, WRITE, READ, ANY, OPS };
enum how { NOTHING_MOVED, SHORT, LATE, LOST, HOWS };

static const struct {
    const char *name;
    int code;
} ops[OPS] = {
    [OPEN] = { "open", NC_EFILE },      [CLOSE] = { "close", NC_EWRITE }, [SIZE] = { "size", NC_EWRITE },
    [RESIZE] = { "resize", NC_EWRITE }, [SYNC] = { "sync", NC_EWRITE },   [WRITE] = { "write", NC_EWRITE },
    [READ] = { "read", NC_EREAD },      [ANY] = { "any", NC_NOERR },
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
    struct pcdf_piece *pieces;
    size_t n;
    char *bytes;
};

struct fault {
    struct pcdf_storage storage;
    PCDF_ARRAY(struct order) orders; /* those for this rank */
    long done[OPS];
    bool keeps;        /* a sync may lose what was written */
    struct kept *kept; /* since the last good sync, the latest first */
};

static _Atomic long carried_out;

long fault_carried_out(void)
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
        const char *name = pcdf_error_of(i)->name;
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
    long n = ++f->done[op], all = ++f->done[ANY];

    for (size_t i = 0; i < f->orders.n; i++) {
        const struct order *order = &f->orders.x[i];
        long now = order->op == op ? n : order->op == ANY ? all : -1;
        if (order->n != now && !(order->later_too && now > order->n))
            continue;
        if (how)
            *how = order->how;
        atomic_fetch_add(&carried_out, 1);
        return PCDF_FAIL(order->code ? order->code : ops[op].code, "the test fails %s %ld", ops[op].name, n);
    }
    return NC_NOERR;
}

/* --- what a lost sync takes back --- */

static void free_kept(struct kept *k)
{
    pcdf_free(k->bytes);
    pcdf_free(k->pieces);
    pcdf_free(k);
}

static void forget_kept(struct fault *f)
{
    while (f->kept) {
        struct kept *k = f->kept;
        f->kept = k->before;
        free_kept(k);
    }
}

static bool read_kept(struct fault *f, struct kept *k, const struct pcdf_piece *pieces)
{
    k->pieces = pcdf_malloc(k->n * sizeof *k->pieces);
    k->bytes = pcdf_malloc((size_t)pcdf_pieces_bytes(pieces, k->n));
    if (!k->pieces || !k->bytes)
        return false;
    char *bytes = k->bytes;
    for (size_t i = 0; i < k->n; bytes += pieces[i++].length)
        k->pieces[i] = (struct pcdf_piece){ pieces[i].offset, pieces[i].length, bytes };
    const struct pcdf_extents x = { .dir = PCDF_GET, .n = k->n, .pieces = k->pieces };
    return pcdf_storage_move(f->storage.below, &x, NULL) == NC_NOERR;
}

/* Before a put: reads what is there. Where it cannot, the put is not taken back, which a system may do, too.
 */
static void keep(struct fault *f, const struct pcdf_piece *pieces, size_t n)
{
    struct kept *k = f->keeps && n ? pcdf_calloc(1, sizeof *k) : NULL;

    if (!k)
        return;
    k->n = n;
    if (read_kept(f, k, pieces)) {
        k->before = f->kept;
        f->kept = k;
    } else {
        free_kept(k);
    }
}

static void lose_kept(struct fault *f)
{
    for (const struct kept *k = f->kept; k; k = k->before) {
        const struct pcdf_extents x = { .dir = PCDF_PUT, .n = k->n, .pieces = k->pieces };
        (void)pcdf_storage_move(f->storage.below, &x, NULL);
    }
    forget_kept(f);
}

/* ---- operations */

enum { SECTOR = 512 };

/* A put that is cut moves the first half of its bytes: whole pieces, or of one long piece whole sectors,
 * which no system cuts. */
static void put_half(struct fault *f, const struct pcdf_piece *pieces, size_t n)
{
    int64_t left = pcdf_pieces_bytes(pieces, n) / 2;
    size_t whole = 0;

    while (whole < n && pieces[whole].length <= left)
        left -= pieces[whole++].length;
    struct pcdf_piece cut = pieces[0];
    cut.length = (cut.offset + left) / SECTOR * SECTOR - cut.offset;
    bool is_cut = whole == 0 && cut.length > 0;
    if (is_cut)
        pieces = &cut;
    const struct pcdf_extents half = { .dir = PCDF_PUT, .n = is_cut ? 1 : whole, .pieces = pieces };
    if (half.n > 0) {
        keep(f, half.pieces, half.n);
        (void)pcdf_storage_move(f->storage.below, &half, NULL);
    }
}

/* A rank whose move fails takes part in one of all with nothing. What a lost sync takes back are puts at
 * offsets. */
static int fault_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    const struct pcdf_extents nothing = { .dir = x->dir, .together = x->together };
    struct fault *f = (struct fault *)s;
    bool puts_alone = x->dir == PCDF_PUT && !x->together;
    enum how how = LATE;
    int status = due(f, x->dir == PCDF_PUT ? WRITE : READ, &how);

    if (how == SHORT && puts_alone)
        put_half(f, x->pieces, x->n);
    if (how == LATE && puts_alone)
        keep(f, x->pieces, x->n);
    if (how == LATE || x->together)
        pcdf_first(&status, pcdf_storage_move(s->below, how == LATE ? x : &nothing, got));
    return status;
}

static int fault_size(struct pcdf_storage *s, int64_t *bytes)
{
    PCDF_TRY(due((struct fault *)s, SIZE, NULL));
    return pcdf_storage_size(s->below, bytes);
}

static int fault_resize(struct pcdf_storage *s, int64_t bytes)
{
    int status = due((struct fault *)s, RESIZE, NULL);
    pcdf_first(&status, pcdf_storage_resize(s->below, bytes));
    return status;
}

static int fault_sync(struct pcdf_storage *s, bool together)
{
    struct fault *f = (struct fault *)s;
    enum how how = NOTHING_MOVED;
    int status = due(f, SYNC, &how);

    pcdf_first(&status, pcdf_storage_sync(s->below, together));
    if (status && how == LOST)
        lose_kept(f);
    else if (!status)
        forget_kept(f);
    return status;
}

static void free_fault(struct fault *f)
{
    forget_kept(f);
    pcdf_free(f->orders.x);
}

static int fault_close(struct pcdf_storage *s)
{
    int status = due((struct fault *)s, CLOSE, NULL);
    pcdf_first(&status, pcdf_storage_close(s->below));
    free_fault((struct fault *)s);
    return status;
}

static const struct pcdf_storage_ops fault_ops = {
    .name = "fault",
    .by_system = true,
    .move = fault_move,
    .size = fault_size,
    .resize = fault_resize,
    .sync = fault_sync,
    .close = fault_close,
};

int fault_stack(const char *orders, int rank, struct pcdf_storage **top)
{
    struct fault *f = pcdf_storage_make(sizeof *f, &fault_ops, *top, NULL);

    if (!f)
        return NC_ENOMEM;
    int err = parse_orders(f, orders, rank);
    if (!err)
        err = due(f, OPEN, NULL);
    if (err) {
        free_fault(f);
        pcdf_storage_free(&f->storage);
        return err;
    }
    *top = &f->storage;
    return NC_NOERR;
}
