/* Operations on integers of up to 64 bits, exactly: see exprloops.h. What does not fit is missing, and
 * counted. */
#include "exprloops.h"
#include "exprtypes.h"

#include <math.h>

#define MISSING ((double)NAN)

struct number {
    bool is_missing, is_lost; /* lost: it does not fit */
    pcdf_expr_whole x;
};

static struct number whole(pcdf_expr_whole x)
{
    return (struct number){ .x = x };
}

static struct number missing(bool is_lost)
{
    return (struct number){ .is_missing = true, .is_lost = is_lost };
}

static struct number load(const struct pcdf_expr_block *block, int i)
{
    double x = block->x[i];
    if (x != x)
        return missing(false);
    if (block->exact)
        return whole(block->type == NC_UINT64 ? (pcdf_expr_whole)(uint64_t)block->exact[i] : block->exact[i]);
    return fabs(x) < 0x1p64 ? whole((pcdf_expr_whole)trunc(x)) : missing(true);
}

/* ---- two numbers */

static struct number multiply(pcdf_expr_whole a, pcdf_expr_whole b)
{
    return fabs((double)a * (double)b) < 0x1p65 ? whole(a * b) : missing(true);
}

static struct number power(pcdf_expr_whole a, pcdf_expr_whole n)
{
    struct number to = whole(1);
    if (n < 0)
        return missing(true);
    for (; n > 0; n >>= 1) {
        if (n & 1)
            to = multiply(to.x, a);
        bool is_beyond = n > 1 && fabs((double)a) > 0x1p32; /* a * a, and more, is to come */
        if (to.is_missing || is_beyond)
            return missing(true);
        a = n > 1 ? a * a : a;
    }
    return to;
}

static struct number divide(bool wants_remainder, pcdf_expr_whole a, pcdf_expr_whole b)
{
    if (b == 0)
        return missing(false);
    pcdf_expr_whole rest = a % b, quotient = a / b;
    bool is_before = rest != 0 && (rest < 0) != (b < 0);
    return whole(wants_remainder ? rest + (is_before ? b : 0) : quotient - is_before);
}

static struct number two(enum pcdf_expr_op op, struct number a, struct number b)
{
    if (op == PCDF_EXPR_FILL)
        return a.is_missing ? b : a;
    if (a.is_missing || b.is_missing)
        return missing(a.is_lost || b.is_lost);
    switch (op) {
    case PCDF_EXPR_ADD:
        return whole(a.x + b.x);
    case PCDF_EXPR_SUBTRACT:
        return whole(a.x - b.x);
    case PCDF_EXPR_MULTIPLY:
        return multiply(a.x, b.x);
    case PCDF_EXPR_FLOOR_DIVIDE:
    case PCDF_EXPR_REMAINDER:
        return divide(op == PCDF_EXPR_REMAINDER, a.x, b.x);
    case PCDF_EXPR_POWER:
        return power(a.x, b.x);
    case PCDF_EXPR_MIN:
        return a.x < b.x ? a : b;
    default: /* MAX */
        return a.x > b.x ? a : b;
    }
}

static struct number one(enum pcdf_expr_op op, struct number a)
{
    if (a.is_missing)
        return a;
    switch (op) {
    case PCDF_EXPR_NEGATE:
        return whole(-a.x);
    case PCDF_EXPR_ABS:
        return whole(a.x < 0 ? -a.x : a.x);
    case PCDF_EXPR_SIGN:
        return whole((a.x > 0) - (a.x < 0));
    default: /* casts; floor, ceil, round, trunc of integers */
        return a;
    }
}

/* ---- blocks */

static bool has_two(enum pcdf_expr_op op)
{
    return op == PCDF_EXPR_FILL || op == PCDF_EXPR_MIN || op == PCDF_EXPR_MAX ||
           (op >= PCDF_EXPR_ADD && op <= PCDF_EXPR_POWER);
}

static struct number compute(enum pcdf_expr_op op, const struct pcdf_expr_block *args, int i)
{
    if (op == PCDF_EXPR_WHERE) {
        double c = args[0].x[i];
        return c != c ? missing(false) : load(c != 0 ? &args[1] : &args[2], i);
    }
    return has_two(op) ? two(op, load(&args[0], i), load(&args[1], i)) : one(op, load(&args[0], i));
}

int64_t pcdf_expr_loop_wide(enum pcdf_expr_op op, nc_type type, int n, const struct pcdf_expr_block *args,
                            double *x, int64_t *exact)
{
    nc_type held =
        type == NC_UINT64 ? NC_UINT64 : NC_INT64; /* shorter types are checked when they are stored */
    pcdf_expr_whole least = pcdf_expr_least(held), most = pcdf_expr_most(held);
    int64_t lost = 0;
    for (int i = 0; i < n; i++) {
        struct number to = compute(op, args, i);
        bool is_lost = to.is_missing ? to.is_lost : to.x < least || to.x > most;
        lost += is_lost;
        exact[i] = to.is_missing || is_lost ? 0 : (int64_t)(uint64_t)to.x;
        x[i] = to.is_missing || is_lost ? MISSING : (double)to.x;
    }
    return lost;
}

static bool holds(enum pcdf_expr_op op, pcdf_expr_whole a, pcdf_expr_whole b)
{
    switch (op) {
    case PCDF_EXPR_LESS:
        return a < b;
    case PCDF_EXPR_LESS_EQUAL:
        return a <= b;
    case PCDF_EXPR_GREATER:
        return a > b;
    case PCDF_EXPR_GREATER_EQUAL:
        return a >= b;
    case PCDF_EXPR_EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

void pcdf_expr_compare_wide(enum pcdf_expr_op op, int n, const struct pcdf_expr_block *args, double *to)
{
    for (int i = 0; i < n; i++) {
        struct number a = load(&args[0], i), b = load(&args[1], i);
        to[i] = a.is_missing || b.is_missing ? MISSING : (double)holds(op, a.x, b.x);
    }
}
