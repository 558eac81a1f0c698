/* Which units and attributes results have: see doc/calc.md. */
#include "exprgraph.h"
#include "timeunits.h"

enum rule {
    NONE,
    SAME,  /* those of the first argument */
    SUM,   /* of the first, if all have the same units */
    LIKE,  /* the same; numbers may have any units; of where, its condition does not count */
    UNITS, /* units as SUM has them, and no more */
    RATIO  /* of the same units: 1 */
};

static const unsigned char rules[PCDF_EXPR_OPS] = {
#define PCDF_EXPR_OP(id, text, arguments, type, meaning) meaning,
#include "exproperations.def"
#undef PCDF_EXPR_OP
};

/* A sum of two instants is none, nor is their difference. */
static bool is_instant(const char *units)
{
    return units && pcdf_time_is_since(units);
}

static bool are_alike(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

static void copy_meaning(struct pcdf_expr_node *node, const struct pcdf_expr_node *from)
{
    node->units = from->units;
    node->keeper = from->keeper;
    node->is_same = from->is_same;
}

/* Those of all arguments, from number `first` on. */
static void unite(const struct pcdf_expr *e, struct pcdf_expr_node *node, int first, bool allows_numbers)
{
    const struct pcdf_expr_node *to = NULL;
    bool is_alike = true;
    for (int i = first; i < node->nargs; i++) {
        const struct pcdf_expr_node *arg = &e->nodes.x[node->args[i]];
        if (arg->op == PCDF_EXPR_NUMBER && allows_numbers)
            continue;
        is_alike &= arg->keeper >= 0 && (!to || are_alike(to->units, arg->units));
        to = to ? to : arg;
    }
    if (to && is_alike)
        copy_meaning(node, to);
    node->is_same = false;
}

void pcdf_expr_mean(const struct pcdf_expr *e, struct pcdf_expr_node *node)
{
    const struct pcdf_expr_node *a = &e->nodes.x[node->args[0]],
                                *b = &e->nodes.x[node->args[node->nargs > 1 ? 1 : 0]];
    enum rule rule = (enum rule)rules[node->op];
    int most = -1;
    node->units = NULL;
    node->keeper = node->lead = -1;
    node->is_same = false;
    for (int i = 0; i < node->nargs; i++) {
        const struct pcdf_expr_node *arg = &e->nodes.x[node->args[i]];
        if (arg->lead >= 0 && arg->ndims > most) {
            most = arg->ndims;
            node->lead = arg->lead;
        }
    }
    if (rule == SAME)
        copy_meaning(node, a);
    if ((rule == SUM || rule == UNITS) && !is_instant(a->units))
        unite(e, node, 0, false);
    if (rule == UNITS)
        node->keeper = -1;
    if (rule == LIKE)
        unite(e, node, node->op == PCDF_EXPR_WHERE, true);
    if (rule == RATIO && node->nargs == 2 && a->units && are_alike(a->units, b->units) &&
        !is_instant(a->units))
        node->units = "1";
    if (node->op != PCDF_EXPR_SHIFT && node->op != PCDF_EXPR_ROLL)
        node->is_same &= node->keeper >= 0 && node->type == e->nodes.x[node->keeper].type && rule == SAME &&
                         node->op == PCDF_EXPR_CAST;
}

void pcdf_expr_mean_variable(struct pcdf_expr *e, struct pcdf_expr_node *node, int id)
{
    char units[PCDF_MEANING_TEXT];
    const struct pcdf_var *var = &e->sources[node->source].meta->vars[node->varid];
    node->keeper = node->lead = id;
    node->is_same = true;
    if (pcdf_meaning_text(&var->atts, "units", units))
        node->units = pcdf_arena_text(&e->arena, units, strlen(units));
}
