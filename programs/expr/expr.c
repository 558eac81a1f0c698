/* Trees become nodes: see expr.h. */
#include "expr.h"
#include "exprtypes.h"
#include "text.h"
#include "meaningvalues.h"
#include "toolfile.h"

#include <inttypes.h>
#include <math.h>

struct compiler {
    struct pcdf_expr *e;
    const struct pcdf_expr_tree *tree;
    struct pcdf_expr_fault *fault;
    int *ids; /* node of each item */
};

enum { MOST_DIMS = 250 };

/* ---- dimensions */

static const char *path_of(const struct compiler *c, int source)
{
    return c->e->sources[source].path;
}

static int tell_lengths(struct compiler *c, const struct pcdf_expr_item *item,
                        const struct pcdf_expr_dim *old, const struct pcdf_expr_dim *new)
{
    const struct pcdf_expr_source *s = c->e->sources;
    const char *first = old->varid < 0 ? "it" : s[old->source].meta->vars[old->varid].name;
    return pcdf_expr_wrong(
        c->fault, item->at, item->n,
        "dimension %.80s has %" PRId64 " indices in %.80s of %.120s, and %" PRId64 " in %.80s of %.120s",
        new->name, old->length, first, s[old->source].path, new->length,
        new->varid < 0 ? "it" : s[new->source].meta->vars[new->varid].name, s[new->source].path);
}

/* Dimensions of the same name are the same one, in all files. */
static int enter_dim(struct compiler *c, int source, int varid, int dimid, const struct pcdf_expr_item *item,
                     int *id)
{
    const struct pcdf_meta *meta = c->e->sources[source].meta;
    struct pcdf_expr_dim new = { .name = meta->dims[dimid].name,
                                 .length = pcdf_tool_dim_length(meta, dimid),
                                 .is_record = dimid == meta->record_dim,
                                 .source = source,
                                 .dimid = dimid,
                                 .varid = varid };
    for (*id = 0; *id < (int)c->e->dims.n; ++*id) {
        const struct pcdf_expr_dim *old = &c->e->dims.x[*id];
        if (strcmp(old->name, new.name) == 0)
            return old->length == new.length ? NC_NOERR : tell_lengths(c, item, old, &new);
    }
    if (c->e->dims.n == MOST_DIMS)
        return pcdf_expr_wrong(c->fault, item->at, item->n, "a program has up to %d dimensions", MOST_DIMS);
    PCDF_TRY(PCDF_RESERVE(&c->e->dims, c->e->dims.n + 1));
    c->e->dims.x[c->e->dims.n++] = new;
    return NC_NOERR;
}

/* By name, of the variables so far, or of any file. */
static int find_dim(struct compiler *c, const struct pcdf_expr_item *item, int *id)
{
    struct pcdf_expr_item at = *item;
    struct pcdf_name nfc;
    at.at = item->name_at;
    at.n = item->name_n;
    if (pcdf_name_lookup(item->name, &nfc))
        return pcdf_expr_wrong(c->fault, at.at, at.n, "this is not the name of a dimension");
    for (*id = 0; *id < (int)c->e->dims.n; ++*id)
        if (strcmp(c->e->dims.x[*id].name, nfc.text) == 0)
            return NC_NOERR;
    for (int i = 0; i < c->e->nsources; i++) {
        int dimid = pcdf_meta_find_dim(c->e->sources[i].meta, nfc.text);
        if (dimid >= 0)
            return enter_dim(c, i, -1, dimid, &at, id);
    }
    return pcdf_expr_wrong(c->fault, at.at, at.n, "no dimension named %.200s in %.200s", item->name,
                           c->e->nsources == 1 ? path_of(c, 0) : "the files");
}

/* ---- leaves */

static int add_number(struct compiler *c, const struct pcdf_expr_item *item, double number, bool is_integer,
                      uint64_t integer, int *id)
{
    struct pcdf_expr_node node = {
        .op = PCDF_EXPR_NUMBER, .is_weak = true, .number = number, .type = NC_DOUBLE, .keeper = -1, .lead = -1
    };
    if (is_integer) {
        node.type = pcdf_expr_type_of(integer);
        node.exact = (int64_t)integer;
        node.bound = number;
    }
    return pcdf_expr_add_node(c->e, node, item, c->fault, id);
}

/* What was reduced has one record; where another file has more, it is the same for all of them. */
static bool is_one_for_all(const struct compiler *c, int source, int dimid)
{
    const struct pcdf_meta *meta = c->e->sources[source].meta;
    bool is = false;
    if (dimid != meta->record_dim || meta->numrecs != 1)
        return false;
    for (int i = 0; i < c->e->nsources; i++) {
        int other = pcdf_meta_find_dim(c->e->sources[i].meta, meta->dims[dimid].name);
        is |= other >= 0 && pcdf_tool_dim_length(c->e->sources[i].meta, other) > 1;
    }
    return is;
}

static int put_dims(struct compiler *c, struct pcdf_expr_node *node, const struct pcdf_var *var,
                    const struct pcdf_expr_item *item)
{
    if (var->ndims > PCDF_EXPR_DIMS)
        return pcdf_expr_wrong(c->fault, item->at, item->n, "variable %.200s has more than %d dimensions",
                               var->name, PCDF_EXPR_DIMS);
    node->has_one = var->ndims > 0 && is_one_for_all(c, node->source, var->dimids[0]);
    for (int i = node->has_one; i < var->ndims; i++) {
        int dim;
        PCDF_TRY(enter_dim(c, node->source, node->varid, var->dimids[i], item, &dim));
        for (int k = 0; k < node->ndims; k++)
            if (node->dims[k] == dim)
                return pcdf_expr_wrong(c->fault, item->at, item->n,
                                       "variable %.200s has dimension %.200s twice", var->name,
                                       c->e->dims.x[dim].name);
        node->dims[node->ndims++] = (unsigned char)dim;
    }
    return NC_NOERR;
}

static nc_type type_of(const struct pcdf_var *var)
{
    struct pcdf_meaning_packing packing = pcdf_meaning_packing_of(var);
    return !packing.is_packed ? packing.type : packing.is_float ? NC_FLOAT : NC_DOUBLE;
}

static int add_variable(struct compiler *c, const struct pcdf_expr_item *item, int source, int varid, int *id)
{
    struct pcdf_expr_node node = { .op = PCDF_EXPR_VARIABLE, .source = source, .varid = varid };
    const struct pcdf_var *var = &c->e->sources[source].meta->vars[varid];
    if (var->type == NC_CHAR)
        return pcdf_expr_wrong(c->fault, item->at, item->n, "variable %.200s of %.200s is text", var->name,
                               path_of(c, source));
    node.type = type_of(var);
    PCDF_TRY(put_dims(c, &node, var, item));
    size_t before = c->e->nodes.n;
    PCDF_TRY(pcdf_expr_add_node(c->e, node, item, c->fault, id));
    if (c->e->nodes.n > before)
        pcdf_expr_mean_variable(c->e, &c->e->nodes.x[*id], *id);
    return NC_NOERR;
}

/* An earlier result, as its variable has it: rounded to its type. */
static int add_result(struct compiler *c, const struct pcdf_expr_item *item, int node, int *id)
{
    const struct pcdf_expr_node *n = &c->e->nodes.x[node];
    bool is_exact = n->type == NC_DOUBLE || n->op == PCDF_EXPR_VARIABLE || pcdf_type_size(n->type) == 8;
    struct pcdf_expr_node cast = { .op = PCDF_EXPR_CAST, .nargs = 1, .args = { node }, .type = n->type };
    *id = node;
    if (is_exact && !n->is_weak)
        return NC_NOERR;
    return pcdf_expr_add_node(c->e, cast, item, c->fault, id);
}

static int find_result(const struct pcdf_expr *e, const char *name)
{
    struct pcdf_name nfc;
    for (int i = 0; pcdf_name_lookup(name, &nfc) == NC_NOERR && i < (int)e->results.n; i++)
        if (e->results.x[i].name && strcmp(e->results.x[i].name, nfc.text) == 0)
            return i;
    return -1;
}

/* pi, e and missing, where no variable has that name. */
static bool constant_of(const struct pcdf_expr_item *item, double *to)
{
    bool is_pi = strcmp(item->name, "pi") == 0, is_e = strcmp(item->name, "e") == 0;
    *to = is_pi ? 3.14159265358979323846 : is_e ? 2.71828182845904523536 : (double)NAN;
    return !item->file && !item->is_quoted && (is_pi || is_e || strcmp(item->name, "missing") == 0);
}

static int add_named(struct compiler *c, const struct pcdf_expr_item *item, int *id)
{
    int source, varid, result = item->file ? -1 : find_result(c->e, item->name);
    double constant;
    if (result >= 0)
        return add_result(c, item, c->e->results.x[result].node, id);
    int err = pcdf_expr_find_variable(c->e, item, &source, &varid, c->fault);
    if (!err)
        return add_variable(c, item, source, varid, id);
    if (source < 0 && constant_of(item, &constant))
        return add_number(c, item, constant, false, 0, id);
    return err;
}

static int add_index(struct compiler *c, const struct pcdf_expr_item *item, int *id)
{
    struct pcdf_expr_node node = { .op = PCDF_EXPR_INDEX, .keeper = -1, .lead = -1 };
    PCDF_TRY(find_dim(c, item, &node.dim));
    int64_t length = c->e->dims.x[node.dim].length;
    if (item->op == PCDF_EXPR_LENGTH)
        return add_number(c, item, (double)length, true, (uint64_t)length, id);
    node.type = length > INT32_MAX ? NC_INT64 : NC_INT;
    node.ndims = 1;
    node.dims[0] = (unsigned char)node.dim;
    return pcdf_expr_add_node(c->e, node, item, c->fault, id);
}

/* ---- operations */

static int add_shift(struct compiler *c, const struct pcdf_expr_item *item, struct pcdf_expr_node *node,
                     int *id)
{
    const struct pcdf_expr_node *by = &c->e->nodes.x[node->args[1]], *what = &c->e->nodes.x[node->args[0]];
    const struct pcdf_expr_item *number = &c->tree->items.x[item->args[1]];
    bool has = false;
    if (by->op != PCDF_EXPR_NUMBER || !pcdf_expr_is_integer(by->type) || isnan(by->number) ||
        by->type == NC_UINT64)
        return pcdf_expr_wrong(c->fault, number->at, number->n,
                               "%s goes by a number of indices that is a constant integer",
                               pcdf_expr_op_text(item->op));
    PCDF_TRY(find_dim(c, item, &node->dim));
    for (int i = 0; i < what->ndims; i++)
        has |= what->dims[i] == node->dim;
    if (!has)
        return pcdf_expr_wrong(c->fault, item->name_at, item->name_n,
                               "what is to go along dimension %.200s does not have it", item->name);
    int64_t length = c->e->dims.x[node->dim].length, most = length > 0 ? length : 1;
    node->offset = by->exact % most;
    if (item->op == PCDF_EXPR_ROLL && node->offset < 0)
        node->offset += most;
    if (item->op == PCDF_EXPR_SHIFT)
        node->offset = by->exact > most ? most : by->exact < -most ? -most : by->exact;
    node->nargs = 1;
    *id = node->args[0];
    return node->offset == 0 ? NC_NOERR : pcdf_expr_add_node(c->e, *node, item, c->fault, id);
}

static int add_item(struct compiler *c, const struct pcdf_expr_item *item, int *id)
{
    struct pcdf_expr_node node = { .op = item->op, .nargs = item->nargs, .type = item->type };
    for (int i = 0; i < item->nargs; i++)
        node.args[i] = c->ids[item->args[i]];
    switch (item->op) {
    case PCDF_EXPR_NUMBER:
        return add_number(c, item, item->number, item->is_integer, item->integer, id);
    case PCDF_EXPR_VARIABLE:
        return add_named(c, item, id);
    case PCDF_EXPR_INDEX:
    case PCDF_EXPR_LENGTH:
        return add_index(c, item, id);
    case PCDF_EXPR_SHIFT:
    case PCDF_EXPR_ROLL:
        return add_shift(c, item, &node, id);
    default:
        return pcdf_expr_add_node(c->e, node, item, c->fault, id);
    }
}

/* ---- statements */

static int keep_result(struct compiler *c, const struct pcdf_expr_statement *s)
{
    struct pcdf_name nfc = { .text = NULL };
    struct pcdf_expr_result result = { .node = c->ids[s->item], .at = s->at, .n = s->n };
    if (s->name && pcdf_name_define(s->name, &nfc))
        return pcdf_expr_wrong(c->fault, s->at, s->n, "no variable can have this name");
    int old = s->name ? find_result(c->e, s->name) : -1;
    if (nfc.text) {
        result.name = pcdf_arena_text(&c->e->arena, nfc.text, nfc.length);
        if (!result.name)
            return NC_ENOMEM;
    }
    if (old >= 0) {
        c->e->results.x[old] = result;
        return NC_NOERR;
    }
    PCDF_TRY(PCDF_RESERVE(&c->e->results, c->e->results.n + 1));
    c->e->results.x[c->e->results.n++] = result;
    return NC_NOERR;
}

static int keep_constants(struct compiler *c, const struct pcdf_expr_statement *s, int statement)
{
    struct pcdf_expr_constants constants = { .statement = statement, .n = s->nitems };
    int *nodes = pcdf_arena_take(&c->e->arena, (size_t)(s->nitems + 1) * sizeof *nodes);
    if (!nodes)
        return NC_ENOMEM;
    for (int i = 0; i < s->nitems; i++) {
        const struct pcdf_expr_item *item = &c->tree->items.x[s->items[i]];
        nodes[i] = c->ids[s->items[i]];
        if (c->e->nodes.x[nodes[i]].op != PCDF_EXPR_NUMBER)
            return pcdf_expr_wrong(c->fault, item->at, item->n, "the numbers of an attribute are constants");
    }
    constants.nodes = nodes;
    PCDF_TRY(PCDF_RESERVE(&c->e->constants, c->e->constants.n + 1));
    c->e->constants.x[c->e->constants.n++] = constants;
    return NC_NOERR;
}

/* Items of a statement follow those of the statement before. */
static int compile(struct compiler *c)
{
    int done = 0;
    for (size_t i = 0; i < c->tree->statements.n; i++) {
        const struct pcdf_expr_statement *s = &c->tree->statements.x[i];
        int last = !s->att ? s->item : s->nitems > 0 ? s->items[s->nitems - 1] : -1;
        for (; done <= last; done++)
            PCDF_TRY(add_item(c, &c->tree->items.x[done], &c->ids[done]));
        if (!s->att)
            PCDF_TRY(keep_result(c, s));
        else if (s->nitems > 0)
            PCDF_TRY(keep_constants(c, s, (int)i));
    }
    return NC_NOERR;
}

int pcdf_expr_compile(struct pcdf_expr *e, const struct pcdf_expr_tree *tree,
                      const struct pcdf_expr_source *sources, int nsources, struct pcdf_expr_fault *fault)
{
    struct compiler c = { .e = e, .tree = tree, .fault = fault };
    *e = (struct pcdf_expr){ .sources = sources, .nsources = nsources };
    c.ids = pcdf_calloc(tree->items.n + 1, sizeof *c.ids);
    int err = c.ids ? compile(&c) : NC_ENOMEM;
    pcdf_free(c.ids);
    if (err)
        pcdf_expr_free(e);
    return err;
}

int pcdf_expr_of(struct pcdf_expr *e, const char *text, const struct pcdf_expr_source *sources, int nsources,
                 struct pcdf_expr_fault *fault)
{
    struct pcdf_expr_tree tree;
    PCDF_TRY(pcdf_expr_parse_one(&tree, text, strlen(text), fault));
    int err = pcdf_expr_compile(e, &tree, sources, nsources, fault);
    pcdf_expr_tree_free(&tree);
    return err;
}

void pcdf_expr_free(struct pcdf_expr *e)
{
    pcdf_free(e->nodes.x);
    pcdf_free(e->dims.x);
    pcdf_free(e->results.x);
    pcdf_free(e->constants.x);
    pcdf_free(e->buckets);
    pcdf_arena_free(&e->arena);
    *e = (struct pcdf_expr){ 0 };
}

int pcdf_expr_shape(const struct pcdf_expr *e, int node, struct pcdf_expr_dim dims[PCDF_EXPR_DIMS])
{
    const struct pcdf_expr_node *n = &e->nodes.x[node];
    for (int i = 0; i < n->ndims; i++)
        dims[i] = e->dims.x[n->dims[i]];
    return n->ndims;
}
