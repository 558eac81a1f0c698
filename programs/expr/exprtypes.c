/* See exprtypes.h. */
#include "exprtypes.h"
#include "value.h"

#include <math.h>

enum { RULES = PCDF_EXPR_OPS };
static const unsigned char rules[RULES] = {
#define PCDF_EXPR_OP(id, text, arguments, type, meaning) PCDF_TYPE_##type,
#include "exproperations.def"
#undef PCDF_EXPR_OP
};

#define EXACT_IN_DOUBLES 0x1p53

bool pcdf_expr_is_integer(nc_type type)
{
    return !pcdf_value_is_real(type);
}

pcdf_expr_whole pcdf_expr_most(nc_type type)
{
    int bits = 8 * pcdf_type_size(type) - !pcdf_value_is_unsigned(type);
    return ((pcdf_expr_whole)1 << bits) - 1;
}

pcdf_expr_whole pcdf_expr_least(nc_type type)
{
    return pcdf_value_is_unsigned(type) ? 0 : -pcdf_expr_most(type) - 1;
}

static bool fits(pcdf_expr_whole x, nc_type type)
{
    return x >= pcdf_expr_least(type) && x <= pcdf_expr_most(type);
}

nc_type pcdf_expr_type_of(pcdf_expr_whole x)
{
    return fits(x, NC_INT) ? NC_INT : fits(x, NC_INT64) ? NC_INT64 : NC_UINT64;
}

static nc_type shortest(pcdf_expr_whole x)
{
    return fits(x, NC_BYTE) ? NC_BYTE : fits(x, NC_SHORT) ? NC_SHORT : pcdf_expr_type_of(x);
}

/* Of an integer with another kind of sign: the next longer type with a sign; there is none beyond int64. */
static nc_type promote_signs(nc_type is_signed, nc_type is_unsigned)
{
    static const nc_type longer[] = { NC_SHORT, NC_INT, NC_INT64, NC_INT64 };
    int n = pcdf_type_size(is_unsigned);
    nc_type least = longer[n == 1 ? 0 : n == 2 ? 1 : n == 4 ? 2 : 3];
    return pcdf_type_size(least) > pcdf_type_size(is_signed) ? least : is_signed;
}

nc_type pcdf_expr_promote(nc_type a, nc_type b)
{
    bool a_real = pcdf_value_is_real(a), b_real = pcdf_value_is_real(b);
    int a_size = pcdf_type_size(a), b_size = pcdf_type_size(b);
    if (a_real || b_real) { /* floats hold short integers */
        bool is_float = a_size <= (a_real ? 4 : 2) && b_size <= (b_real ? 4 : 2);
        return is_float ? NC_FLOAT : NC_DOUBLE;
    }
    bool a_unsigned = pcdf_value_is_unsigned(a);
    if (a_unsigned == pcdf_value_is_unsigned(b))
        return a_size >= b_size ? a : b;
    return a_unsigned ? promote_signs(b, a) : promote_signs(a, b);
}

static pcdf_expr_whole whole_of(const struct pcdf_expr_node *constant)
{
    return constant->type == NC_UINT64 ? (pcdf_expr_whole)(uint64_t)constant->exact : constant->exact;
}

static nc_type meet_weak(const struct pcdf_expr_node *weak, nc_type type)
{
    if (!pcdf_expr_is_integer(type) || isnan(weak->number))
        return type;
    if (!pcdf_expr_is_integer(weak->type))
        return NC_DOUBLE;
    return fits(whole_of(weak), type) ? type : pcdf_expr_promote(type, shortest(whole_of(weak)));
}

static nc_type meet(const struct pcdf_expr_node *a, const struct pcdf_expr_node *b)
{
    if (a->is_weak != b->is_weak)
        return a->is_weak ? meet_weak(a, b->type) : meet_weak(b, a->type);
    if (a->is_weak && (isnan(a->number) || isnan(b->number)))
        return isnan(a->number) ? b->type : a->type;
    return pcdf_expr_promote(a->type, b->type);
}

static nc_type real_of(nc_type type)
{
    return type == NC_FLOAT || pcdf_type_size(type) <= 2 ? NC_FLOAT : NC_DOUBLE;
}

static bool has_whole_power(const struct pcdf_expr_node *a, const struct pcdf_expr_node *b)
{
    return pcdf_expr_is_integer(a->type) && b->op == PCDF_EXPR_NUMBER && pcdf_expr_is_integer(b->type) &&
           b->number >= 0;
}

static double bound_of(const struct pcdf_expr_node *node, const struct pcdf_expr_node *const *args)
{
    double a = args[0]->bound, b = node->nargs > 1 ? args[1]->bound : 0;
    switch (node->op) {
    case PCDF_EXPR_ADD:
    case PCDF_EXPR_SUBTRACT:
        return a + b;
    case PCDF_EXPR_MULTIPLY:
        return a * b;
    case PCDF_EXPR_REMAINDER:
        return b;
    case PCDF_EXPR_POWER:
        return args[1]->op == PCDF_EXPR_NUMBER ? pow(a, fabs(args[1]->number)) : INFINITY;
    case PCDF_EXPR_WHERE:
        return fmax(b, args[2]->bound);
    case PCDF_EXPR_FILL:
    case PCDF_EXPR_MIN:
    case PCDF_EXPR_MAX:
        return fmax(a, b);
    default:
        return a;
    }
}

static nc_type type_by(enum pcdf_expr_type_rule rule, const struct pcdf_expr_node *const *args, int nargs)
{
    const struct pcdf_expr_node *a = args[0], *b = nargs > 1 ? args[1] : args[0];
    nc_type both = rule == PCDF_TYPE_CHOICE ? meet(b, args[2]) : nargs > 1 ? meet(a, b) : a->type;
    switch (rule) {
    case PCDF_TYPE_TRUTH:
        return NC_BYTE;
    case PCDF_TYPE_REAL:
        return real_of(both);
    case PCDF_TYPE_DIVIDE:
        return pcdf_expr_is_integer(both) ? NC_DOUBLE : both;
    case PCDF_TYPE_POWER:
        return has_whole_power(a, b) ? a->type : pcdf_expr_is_integer(both) ? NC_DOUBLE : both;
    case PCDF_TYPE_SAME:
        return a->type;
    default:
        return both;
    }
}

void pcdf_expr_type(const struct pcdf_expr *expr, struct pcdf_expr_node *node)
{
    const struct pcdf_expr_node *args[3] = { 0 };
    enum pcdf_expr_type_rule rule = (enum pcdf_expr_type_rule)rules[node->op];
    bool is_weak = rule != PCDF_TYPE_LEAF && rule != PCDF_TYPE_TRUTH;
    for (int i = 0; i < node->nargs; i++) {
        args[i] = &expr->nodes.x[node->args[i]];
        is_weak &= args[i]->is_weak;
    }
    if (rule != PCDF_TYPE_LEAF) {
        node->type = type_by(rule, args, node->nargs);
        node->is_weak = is_weak;
        node->bound = rule == PCDF_TYPE_TRUTH ? 1 : bound_of(node, args);
    } else if (node->op != PCDF_EXPR_NUMBER && pcdf_expr_is_integer(node->type)) {
        node->bound = (double)pcdf_expr_most(node->type) + 1;
    }
    node->is_wide = pcdf_expr_is_integer(node->type) &&
                    (pcdf_type_size(node->type) == 8 || node->bound > EXACT_IN_DOUBLES);
}
