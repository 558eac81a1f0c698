/* Fails operations by order. Stackable; for tests.
 *
 *   orders  = order { (" " | ";") order }
 *   order   = op ":" n ["+"] "@" ranks ["=" code]
 *   op      = open | close | size | resize | sync (together, and a rank's flush)
 *           | write | read        every put or get of this rank, alone or together
 *           | write* | read*      only those together (transfer_all), counted by themselves
 *   n       = the n-th such operation on this rank, 1 the first; "3+" the third and all later ones
 *   ranks   = "*" | rank { "," rank }
 *   code    = a name (NC_ENO_SPACE); without it open NC_EFILE, read NC_EREAD, everything else NC_EWRITE
 *
 * "write:3@1=NC_ENO_SPACE", "write*:2@0,2", "sync:1@*", "open:1@0", "write:3+@1"
 *
 * A failing rank takes part in the collective below, with no pieces in a transfer; so its own bytes are not
 * written, the other ranks' are. A failing sync, resize or close has happened below all the same. */

#include "engine.h"
#include "alloc.h"
#include "array.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum op { OPEN, CLOSE, SIZE, RESIZE, SYNC, WRITE, READ, WRITE_ALL, READ_ALL, OPS };

static const struct {
    const char *name;
    int code;
} ops[OPS] = {
    [OPEN] = { "open", NC_EFILE },      [CLOSE] = { "close", NC_EWRITE },
    [SIZE] = { "size", NC_EWRITE },     [RESIZE] = { "resize", NC_EWRITE },
    [SYNC] = { "sync", NC_EWRITE },     [WRITE] = { "write", NC_EWRITE },
    [READ] = { "read", NC_EREAD },      [WRITE_ALL] = { "write*", NC_EWRITE },
    [READ_ALL] = { "read*", NC_EREAD },
};

struct order {
    enum op op;
    long n;
    bool later_too;
    int code;
};

struct fault {
    struct pcdf_engine engine;
    PCDF_ARRAY(struct order) orders; /* those for this rank */
    long done[OPS];
};

/* --- orders --- */

static int bad_order(const char *order)
{
    return PCDF_FAIL(NC_EINVAL, "the fault order \"%.40s\" is not op:n[+]@ranks[=code]", order);
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
    size_t length = strcspn(*text, " ;");

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

static int parse_order(const char **text, int rank, struct order *order, bool *mine)
{
    PCDF_TRY(parse_op(text, &order->op));
    PCDF_TRY(parse_number(text, &order->n));
    order->later_too = **text == '+';
    *text += order->later_too;
    if (*(*text)++ != '@')
        return NC_EINVAL;
    PCDF_TRY(parse_ranks(text, rank, mine));
    order->code = ops[order->op].code;
    if (**text == '=') {
        ++*text;
        PCDF_TRY(parse_code(text, &order->code));
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
        }
    }
}

/* Counts one operation: the code that it must fail with, or NC_NOERR. */
static int due(struct fault *f, enum op op)
{
    long n = ++f->done[op];

    for (size_t i = 0; i < f->orders.n; i++) {
        const struct order *order = &f->orders.x[i];
        if (order->op == op && (order->n == n || (order->later_too && n > order->n)))
            return PCDF_FAIL(order->code, "the fault engine fails %s %ld", ops[op].name, n);
    }
    return NC_NOERR;
}

/* --- the engine --- */

static void free_fault(struct fault *f)
{
    pcdf_free(f->orders.x);
    pcdf_free(f);
}

static int fault_close_all(struct pcdf_engine *e)
{
    struct fault *f = (struct fault *)e;
    int status = due(f, CLOSE);

    e->below->poisoned |= e->poisoned;
    pcdf_first(&status, e->below->ops->close_all(e->below));
    free_fault(f);
    return status;
}

static int fault_size(struct pcdf_engine *e, int64_t *bytes)
{
    PCDF_TRY(due((struct fault *)e, SIZE));
    return e->below->ops->size(e->below, bytes);
}

static int fault_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    int status = due((struct fault *)e, RESIZE);
    pcdf_first(&status, e->below->ops->resize_all(e->below, bytes));
    return status;
}

static int fault_sync_all(struct pcdf_engine *e)
{
    int status = due((struct fault *)e, SYNC);
    pcdf_first(&status, e->below->ops->sync_all(e->below));
    return status;
}

static int fault_flush(struct pcdf_engine *e)
{
    int status = due((struct fault *)e, SYNC);
    pcdf_first(&status, e->below->ops->flush(e->below));
    return status;
}

static int fault_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    PCDF_TRY(due((struct fault *)e, x->dir == PCDF_PUT ? WRITE : READ));
    return e->below->ops->transfer(e->below, x, got);
}

static int fault_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct fault *f = (struct fault *)e;
    struct pcdf_extents nothing = { .dir = x->dir };
    int status = due(f, x->dir == PCDF_PUT ? WRITE : READ);

    pcdf_first(&status, due(f, x->dir == PCDF_PUT ? WRITE_ALL : READ_ALL));
    pcdf_first(&status, e->below->ops->transfer_all(e->below, status ? &nothing : x, status ? NULL : got));
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
        err = due(f, OPEN);
    if (err) {
        free_fault(f);
        return err;
    }
    *e = &f->engine;
    return NC_NOERR;
}
