/* Nodes: dimensions, types, what is the same, constants. See exprgraph.h. */
#include "exprloops.h"
#include "exprtypes.h"

#include <math.h>

enum { BUCKETS = 4096 };

/* ---- dimensions */

static bool has_dim(const struct pcdf_expr_node *node, int dim)
{
    bool has = false;
    for (int i = 0; i < node->ndims; i++)
        has |= node->dims[i] == dim;
    return has;
}

static bool add_dim(const struct pcdf_expr *e, struct pcdf_expr_node *node, int dim)
{
    int at = e->dims.x[dim].is_record ? 0 : node->ndims;
    if (has_dim(node, dim))
        return true;
    if (node->ndims == PCDF_EXPR_DIMS)
        return false;
    memmove(node->dims + at + 1, node->dims + at, (size_t)(node->ndims - at));
    node->dims[at] = (unsigned char)dim;
    node->ndims++;
    return true;
}

static bool join_dims(const struct pcdf_expr *e, struct pcdf_expr_node *node)
{
    bool has_room = true;
    for (int i = 0; i < node->nargs; i++) {
        const struct pcdf_expr_node *arg = &e->nodes.x[node->args[i]];
        for (int k = 0; k < arg->ndims && has_room; k++)
            has_room = add_dim(e, node, arg->dims[k]);
    }
    return has_room;
}

/* ---- constants */

static struct pcdf_expr_block block_of(const struct pcdf_expr_node *node)
{
    bool is_exact = pcdf_expr_is_integer(node->type);
    return (struct pcdf_expr_block){ &node->number, is_exact ? &node->exact : NULL, node->type };
}

static bool fold_wide(struct pcdf_expr_node *node, nc_type type, const struct pcdf_expr_block *args)
{
    double x;
    int64_t exact;
    if (pcdf_expr_loop_wide(node->op, type, 1, args, &x, &exact))
        return false;
    node->number = x;
    node->exact = exact;
    return true;
}

/* An integer without a type is as long as it must be; where 64 bits are too few, it is a double. */
static void fold_weak(struct pcdf_expr_node *node, const struct pcdf_expr_block *args)
{
    bool is_natural = !fold_wide(node, NC_INT64, args);
    if (!is_natural || fold_wide(node, NC_UINT64, args)) {
        node->type = pcdf_expr_type_of(is_natural ? (pcdf_expr_whole)(uint64_t)node->exact : node->exact);
        return;
    }
    node->type = NC_DOUBLE;
    pcdf_expr_loop(node->op, false, 1, args, &node->number);
}

/* false: the value does not fit its type. */
static bool compute(struct pcdf_expr_node *node, const struct pcdf_expr_block *args)
{
    int64_t lost = 0;
    bool is_comparison = node->op >= PCDF_EXPR_LESS && node->op <= PCDF_EXPR_UNEQUAL;
    if (is_comparison && args[0].exact && args[1].exact)
        pcdf_expr_compare_wide(node->op, 1, args, &node->number);
    else if (node->is_weak && pcdf_expr_is_integer(node->type))
        fold_weak(node, args);
    else if (node->is_wide)
        return fold_wide(node, node->type, args);
    else if (node->op == PCDF_EXPR_CAST)
        lost = pcdf_expr_cast(node->type, 1, args, &node->number);
    else
        pcdf_expr_loop(node->op, pcdf_expr_is_integer(node->type), 1, args, &node->number);
    if (pcdf_expr_is_integer(node->type) && !node->is_wide && !node->is_weak)
        node->exact = isfinite(node->number) && fabs(node->number) < 0x1p63 ? (int64_t)node->number : 0;
    return lost == 0;
}

static bool may_fold(const struct pcdf_expr *e, const struct pcdf_expr_node *node)
{
    bool may = node->nargs > 0;
    for (int i = 0; i < node->nargs; i++)
        may &= e->nodes.x[node->args[i]].op == PCDF_EXPR_NUMBER;
    return may;
}

static int fold(const struct pcdf_expr *e, struct pcdf_expr_node *node, const struct pcdf_expr_item *item,
                struct pcdf_expr_fault *fault)
{
    struct pcdf_expr_block args[3] = { 0 };
    bool was_missing = false;
    for (int i = 0; i < node->nargs; i++) {
        args[i] = block_of(&e->nodes.x[node->args[i]]);
        was_missing |= isnan(*args[i].x);
    }
    bool fits = compute(node, args);
    if (!fits && !was_missing)
        return pcdf_expr_wrong(fault, item->at, item->n, "this constant does not fit the type %s",
                               pcdf_type_cdl(node->type));
    node->op = PCDF_EXPR_NUMBER;
    node->nargs = 0;
    node->bound = fabs(node->number);
    node->is_wide = false;
    if (pcdf_expr_is_integer(node->type))
        pcdf_expr_type(e, node);
    return NC_NOERR;
}

/* ---- what is the same */

static bool is_same(const struct pcdf_expr_node *a, const struct pcdf_expr_node *b)
{
    bool is = a->op == b->op && a->nargs == b->nargs && a->type == b->type && a->is_weak == b->is_weak &&
              a->source == b->source && a->varid == b->varid && a->dim == b->dim && a->offset == b->offset &&
              a->exact == b->exact && memcmp(&a->number, &b->number, sizeof a->number) == 0;
    for (int i = 0; is && i < a->nargs; i++)
        is = a->args[i] == b->args[i];
    return is;
}

static size_t bucket_of(const struct pcdf_expr_node *node)
{
    uint64_t number, h = (uint64_t)node->op;
    memcpy(&number, &node->number, sizeof number);
    const uint64_t parts[] = { (uint64_t)node->type, (uint64_t)node->source, (uint64_t)node->varid,
                               (uint64_t)node->dim,  (uint64_t)node->offset, number,
                               (uint64_t)node->exact };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        h = (h ^ parts[i]) * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < node->nargs; i++)
        h = (h ^ (uint64_t)node->args[i]) * 0x9E3779B97F4A7C15u;
    return (size_t)(h >> 40) % BUCKETS;
}

static int add_node(struct pcdf_expr *e, const struct pcdf_expr_node *node, int *id)
{
    size_t bucket = bucket_of(node);
    if (!e->buckets) {
        e->buckets = pcdf_malloc(BUCKETS * sizeof *e->buckets);
        for (int i = 0; e->buckets && i < BUCKETS; i++)
            e->buckets[i] = -1;
    }
    if (!e->buckets)
        return NC_ENOMEM;
    for (*id = e->buckets[bucket]; *id >= 0; *id = e->nodes.x[*id].next)
        if (is_same(&e->nodes.x[*id], node))
            return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&e->nodes, e->nodes.n + 1));
    *id = (int)e->nodes.n++;
    e->nodes.x[*id] = *node;
    e->nodes.x[*id].next = e->buckets[bucket];
    e->buckets[bucket] = *id;
    return NC_NOERR;
}

int pcdf_expr_add_node(struct pcdf_expr *e, struct pcdf_expr_node node, const struct pcdf_expr_item *item,
                       struct pcdf_expr_fault *fault, int *id)
{
    if (!join_dims(e, &node))
        return pcdf_expr_wrong(fault, item->at, item->n, "the result has more than %d dimensions",
                               PCDF_EXPR_DIMS);
    pcdf_expr_type(e, &node);
    if (node.nargs > 0)
        pcdf_expr_mean(e, &node);
    if (may_fold(e, &node))
        PCDF_TRY(fold(e, &node, item, fault));
    return add_node(e, &node, id);
}
