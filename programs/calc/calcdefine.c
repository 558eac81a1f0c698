/* The definitions of the new file: see calcplan.h. */
#include "calcplan.h"
#include "exprtypes.h"
#include "layout.h"
#include "meaningnames.h"
#include "rules.h"
#include "status.h"
#include "text.h"
#include "tool.h"
#include "meaningatts.h"
#include "meaningvalues.h"
#include "value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct pcdf_meta *meta_of(const struct pcdf_calc_plan *p, int source)
{
    return p->sources[source].meta;
}

static const struct pcdf_expr_node *node_of(const struct pcdf_calc_plan *p, int node)
{
    return &p->expr.nodes.x[node];
}

/* ---- dimensions */

static int add_dim(struct pcdf_calc_plan *p, const char *name, int64_t length, bool is_record, int *id)
{
    *id = pcdf_meta_find_dim(&p->out, name);
    if (*id >= 0) {
        int64_t old = pcdf_tool_dim_length(&p->out, *id);
        return old == length ? NC_NOERR
                             : PCDF_FAIL(NC_EDIMSIZE,
                                         "dimension %.200s has %" PRId64 " indices, and %" PRId64
                                         " in the first file, of which all is wanted",
                                         name, length, old);
    }
    is_record &= p->out.record_dim < 0;
    if (!is_record && length == 0)
        return PCDF_FAIL(NC_EDIMSIZE, "dimension %.200s has no indices", name);
    PCDF_TRY(pcdf_rules_new_dim(&p->out, name, is_record ? 0 : length));
    if (is_record)
        p->out.numrecs = length;
    return pcdf_meta_add_dim(&p->out, name, is_record ? 0 : length, id);
}

static int add_dim_of(struct pcdf_calc_plan *p, int source, int dimid, int *id)
{
    const struct pcdf_meta *meta = meta_of(p, source);
    bool is_record = dimid == meta->record_dim;
    return add_dim(p, meta->dims[dimid].name, pcdf_tool_dim_length(meta, dimid), is_record, id);
}

/* Has the new file this dimension with another length? */
static bool has_other_dim(const struct pcdf_calc_plan *p, int source, int dimid)
{
    const struct pcdf_meta *meta = meta_of(p, source);
    int id = pcdf_meta_find_dim(&p->out, meta->dims[dimid].name);
    return id >= 0 && pcdf_tool_dim_length(&p->out, id) != pcdf_tool_dim_length(meta, dimid);
}

/* ---- attributes */

static bool is_among(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

enum kept { ALL, MEANING, PLACE };

static bool stays(const char *name, enum kept kept)
{
    static const char *const of_place[] = { "coordinates", "grid_mapping", "cell_measures", NULL };
    if (kept == PLACE)
        return is_among(name, of_place);
    return kept == ALL || !pcdf_meaning_tells(name, PCDF_MEANING_OF_STORED | PCDF_MEANING_OF_VALUES);
}

static int copy_atts(struct pcdf_calc_plan *p, int out, const struct pcdf_atts *from, enum kept kept)
{
    for (int i = 0; i < from->n; i++) {
        const struct pcdf_att *a = &from->x[i];
        if (pcdf_atts_find(from, a->name) != i || !stays(a->name, kept))
            continue;
        PCDF_TRY(pcdf_rules_type(&p->out, a->type));
        PCDF_TRY(
            pcdf_atts_append(&p->out, pcdf_meta_atts(&p->out, out), a->name, a->type, a->nelems, a->values));
    }
    return NC_NOERR;
}

static int put_text(struct pcdf_calc_plan *p, int out, const char *name, const char *text, size_t n)
{
    return pcdf_atts_put(&p->out, pcdf_meta_atts(&p->out, out), name, NC_CHAR, (int64_t)n, text);
}

static const struct pcdf_var *keeper_of(const struct pcdf_calc_plan *p, int node)
{
    int keeper = node_of(p, node)->keeper;
    return keeper < 0 ? NULL : &meta_of(p, node_of(p, keeper)->source)->vars[node_of(p, keeper)->varid];
}

/* Are the stored numbers of the result numbers as its keeper stores them? */
static bool is_as_stored(const struct pcdf_calc_plan *p, int node)
{
    const struct pcdf_var *var = keeper_of(p, node);
    return var && node_of(p, node)->is_same && var->type == node_of(p, node)->type &&
           !pcdf_meaning_packing_of(var).is_packed && pcdf_meaning_packing_of(var).type == var->type;
}

static int put_fill(struct pcdf_calc_plan *p, int out, int node)
{
    const struct pcdf_var *var = keeper_of(p, node);
    nc_type type = p->out.vars[out].type;
    unsigned char fill[8];
    memcpy(fill, pcdf_type_fill(type), (size_t)pcdf_type_size(type));
    if (is_as_stored(p, node))
        pcdf_meaning_missing(var, fill);
    return pcdf_atts_put(&p->out, &p->out.vars[out].atts, "_FillValue", type, 1, fill);
}

static int put_atts(struct pcdf_calc_plan *p, int out, int node)
{
    const struct pcdf_expr_node *n = node_of(p, node);
    const struct pcdf_var *var = keeper_of(p, node);
    struct pcdf_atts *atts = &p->out.vars[out].atts;
    if (var)
        PCDF_TRY(copy_atts(p, out, &var->atts, is_as_stored(p, node) ? ALL : MEANING));
    else if (n->lead >= 0 && node_of(p, n->lead)->ndims == n->ndims)
        PCDF_TRY(copy_atts(
            p, out, &meta_of(p, node_of(p, n->lead)->source)->vars[node_of(p, n->lead)->varid].atts, PLACE));
    PCDF_TRY(put_fill(p, out, node));
    if (!var && n->units && pcdf_atts_find(atts, "units") < 0)
        PCDF_TRY(put_text(p, out, "units", n->units, strlen(n->units)));
    return NC_NOERR;
}

/* ---- variables */

static int add_var(struct pcdf_calc_plan *p, const char *name, nc_type type, int ndims, const int *dimids,
                   struct pcdf_calc_var var, int *out)
{
    PCDF_TRY(pcdf_rules_type(&p->out, type));
    PCDF_TRY(pcdf_rules_new_var(&p->out, name, type, ndims, dimids));
    PCDF_TRY(pcdf_meta_add_var(&p->out, name, type, ndims, dimids, out));
    struct pcdf_calc_var *vars = pcdf_realloc(p->vars, (size_t)p->out.nvars * sizeof *vars);
    if (!vars)
        return NC_ENOMEM;
    p->vars = vars;
    p->vars[*out] = var;
    return NC_NOERR;
}

/* As it is stored, under this name. */
static int copy_var(struct pcdf_calc_plan *p, int source, int varid, const char *name)
{
    const struct pcdf_var *var = &meta_of(p, source)->vars[varid];
    struct pcdf_calc_var copy = { .node = -1, .source = source, .varid = varid };
    int *dimids = pcdf_malloc((size_t)(var->ndims + 1) * sizeof *dimids), err = dimids ? NC_NOERR : NC_ENOMEM,
        out;
    for (int i = 0; i < var->ndims && !err; i++)
        err = add_dim_of(p, source, var->dimids[i], &dimids[i]);
    err = err ? err : add_var(p, name, var->type, var->ndims, dimids, copy, &out);
    err = err ? err : copy_atts(p, out, &var->atts, ALL);
    pcdf_free(dimids);
    return err;
}

static bool sets_fill(const struct pcdf_calc_plan *p, const char *name)
{
    bool sets = false;
    for (size_t i = 0; i < p->tree.statements.n; i++) {
        const struct pcdf_expr_statement *s = &p->tree.statements.x[i];
        sets |= s->att && s->name && strcmp(s->name, name) == 0 && strcmp(s->att, "_FillValue") == 0;
    }
    return sets;
}

/* What is a variable and nothing else stays as it is stored. */
static int add_result(struct pcdf_calc_plan *p, const struct pcdf_expr_result *result)
{
    const struct pcdf_expr_node *n = node_of(p, result->node);
    struct pcdf_calc_var var = { .node = result->node };
    int dimids[PCDF_EXPR_DIMS], out;
    if (pcdf_meta_find_var(&p->out, result->name) >= 0)
        return NC_NOERR;
    if (n->op == PCDF_EXPR_VARIABLE && !n->has_one && is_as_stored(p, result->node) &&
        !sets_fill(p, result->name))
        return copy_var(p, n->source, n->varid, result->name);
    for (int i = 0; i < n->ndims; i++) {
        const struct pcdf_expr_dim *dim = &p->expr.dims.x[n->dims[i]];
        PCDF_TRY(add_dim(p, dim->name, dim->length, dim->is_record, &dimids[i]));
    }
    PCDF_TRY(add_var(p, result->name, n->type, n->ndims, dimids, var, &out));
    return put_atts(p, out, result->node);
}

static const struct pcdf_expr_result *result_named(const struct pcdf_calc_plan *p, const char *name)
{
    for (size_t i = 0; i < p->expr.results.n; i++)
        if (strcmp(p->expr.results.x[i].name, name) == 0)
            return &p->expr.results.x[i];
    return NULL;
}

/* ---- what comes along: coordinates, their bounds, what attributes name */

static int come_along(struct pcdf_calc_plan *p, int source, const char *name)
{
    int id = pcdf_meta_find_var(meta_of(p, source), name);
    bool is_other = false;
    if (id < 0 || pcdf_meta_find_var(&p->out, name) >= 0 || result_named(p, name))
        return NC_NOERR;
    const struct pcdf_var *var = &meta_of(p, source)->vars[id];
    for (int i = 0; i < var->ndims; i++)
        is_other |= has_other_dim(p, source, var->dimids[i]);
    return is_other ? NC_NOERR : copy_var(p, source, id, name);
}

/* The variables that the attributes of variable `out` name. */
static int names_come_along(struct pcdf_calc_plan *p, int source, int out)
{
    const struct pcdf_meta *from = meta_of(p, source);
    for (int i = 0; i < p->out.vars[out].atts.n; i++) {
        const struct pcdf_att *att = &p->out.vars[out].atts.x[i];
        const char *name = att->name; /* of the arena: it stays while variables are added */
        struct pcdf_meaning_slice rest = pcdf_meaning_slice_of(att), word;
        while ((word = pcdf_meaning_next_variable(name, &rest)).length > 0) {
            int id = pcdf_meaning_variable(from, &p->out.vars[out], word);
            if (id >= 0)
                PCDF_TRY(come_along(p, source, from->vars[id].name));
        }
    }
    return NC_NOERR;
}

static int source_of(const struct pcdf_calc_plan *p, int out)
{
    const struct pcdf_calc_var *v = &p->vars[out];
    int lead = v->node < 0 ? -1 : node_of(p, v->node)->lead;
    return v->node < 0 ? v->source : lead < 0 ? 0 : node_of(p, lead)->source;
}

static int bring_along(struct pcdf_calc_plan *p)
{
    for (size_t i = 0; i < p->expr.dims.n; i++) {
        const struct pcdf_expr_dim *dim = &p->expr.dims.x[i];
        if (pcdf_meta_find_dim(&p->out, dim->name) >= 0)
            PCDF_TRY(come_along(p, dim->source, dim->name));
    }
    for (int i = 0; i < p->out.nvars; i++) /* it grows: coordinates have bounds */
        PCDF_TRY(names_come_along(p, source_of(p, i), i));
    return NC_NOERR;
}

/* ---- statements that set attributes */

static int wrong(const struct pcdf_expr_statement *s, struct pcdf_expr_fault *fault, const char *what)
{
    return pcdf_expr_wrong(fault, s->at, s->n, what, s->name ? s->name : "");
}

static const struct pcdf_expr_constants *constants_of(const struct pcdf_calc_plan *p, int statement)
{
    for (size_t i = 0; i < p->expr.constants.n; i++)
        if (p->expr.constants.x[i].statement == statement)
            return &p->expr.constants.x[i];
    return NULL;
}

/* Numbers that stand beside values have their type; others that of what is written. */
static nc_type type_of(const struct pcdf_calc_plan *p, int out, const char *name,
                       const struct pcdf_expr_constants *c)
{
    nc_type type = node_of(p, c->nodes[0])->type;
    if (out >= 0 && pcdf_meaning_tells(name, PCDF_MEANING_HAS_TYPE))
        return p->out.vars[out].type;
    for (int i = 1; i < c->n; i++)
        type = pcdf_expr_promote(type, node_of(p, c->nodes[i])->type);
    return type;
}

/* false: it does not fit. */
static bool store_constant(const struct pcdf_expr_node *n, nc_type type, unsigned char *to)
{
    struct pcdf_value value = { .type = type };
    if (pcdf_value_is_real(type)) {
        value.is.real = n->number;
    } else {
        bool is_whole = pcdf_expr_is_integer(n->type);
        pcdf_expr_whole x = !is_whole ? (pcdf_expr_whole)(fabs(n->number) < 0x1p64 ? n->number : 0)
                            : n->type == NC_UINT64 ? (pcdf_expr_whole)(uint64_t)n->exact
                                                   : n->exact;
        if ((!is_whole && (double)x != n->number) || x < pcdf_expr_least(type) || x > pcdf_expr_most(type))
            return false;
        value.is.integer = (int64_t)(uint64_t)x;
    }
    pcdf_value_store(&value, to);
    return true;
}

static int put_numbers(struct pcdf_calc_plan *p, int out, const struct pcdf_expr_statement *s,
                       const struct pcdf_expr_constants *c, struct pcdf_expr_fault *fault)
{
    nc_type type = type_of(p, out < 0 ? -1 : out, s->att, c);
    size_t size = (size_t)pcdf_type_size(type);
    unsigned char *values = pcdf_malloc((size_t)c->n * size + 1);
    int err = values ? pcdf_rules_type(&p->out, type) : NC_ENOMEM;
    for (int i = 0; i < c->n && !err; i++)
        if (!store_constant(node_of(p, c->nodes[i]), type, values + (size_t)i * size))
            err = pcdf_expr_wrong(fault, s->from_at, s->from_n, "this does not fit the type %s",
                                  pcdf_type_cdl(type));
    if (!err)
        err = pcdf_atts_put(&p->out, pcdf_meta_atts(&p->out, out < 0 ? NC_GLOBAL : out), s->att, type, c->n,
                            values);
    pcdf_free(values);
    return err;
}

static int copy_att(struct pcdf_calc_plan *p, int out, const struct pcdf_expr_statement *s,
                    struct pcdf_expr_fault *fault)
{
    struct pcdf_expr_item item = {
        .file = s->from_file, .name = s->from_name, .at = s->from_at, .n = s->from_n
    };
    int source = 0, varid = NC_GLOBAL;
    if (s->from_name)
        PCDF_TRY(pcdf_expr_find_variable(&p->expr, &item, &source, &varid, fault));
    const struct pcdf_meta *meta = meta_of(p, source);
    const struct pcdf_atts *atts = varid < 0 ? &meta->gatts : &meta->vars[varid].atts;
    int i = pcdf_atts_find(atts, s->from_att);
    if (i < 0)
        return pcdf_expr_wrong(fault, s->from_at, s->from_n, "there is no attribute %.200s there",
                               s->from_att);
    PCDF_TRY(pcdf_rules_type(&p->out, atts->x[i].type));
    return pcdf_atts_put(&p->out, pcdf_meta_atts(&p->out, out < 0 ? NC_GLOBAL : out), s->att, atts->x[i].type,
                         atts->x[i].nelems, atts->x[i].values);
}

static int set_attribute(struct pcdf_calc_plan *p, int statement, struct pcdf_expr_fault *fault)
{
    const struct pcdf_expr_statement *s = &p->tree.statements.x[statement];
    struct pcdf_name nfc;
    int out = -1;
    if (s->name) {
        out = pcdf_name_lookup(s->name, &nfc) ? -1 : pcdf_meta_find_var(&p->out, nfc.text);
        if (out < 0)
            return wrong(s, fault, "the new file has no variable named %.200s");
    }
    if (pcdf_name_define(s->att, &nfc))
        return wrong(s, fault, "no attribute can have this name%.0s");
    bool is_fill = out >= 0 && strcmp(s->att, "_FillValue") == 0;
    if (is_fill && (p->vars[out].node < 0 || s->nitems != 1))
        return wrong(s, fault,
                     p->vars[out].node < 0 ? "%.200s is copied as it is, with the fill value that it has"
                                           : "the fill value of %.200s is one number");
    if (s->text)
        return put_text(p, out < 0 ? NC_GLOBAL : out, s->att, s->text, s->text_n);
    return s->nitems > 0 ? put_numbers(p, out, s, constants_of(p, statement), fault)
                         : copy_att(p, out, s, fault);
}

/* ---- all of it */

static int add_all(struct pcdf_calc_plan *p)
{
    const struct pcdf_meta *meta = meta_of(p, 0);
    int id;
    for (int i = 0; i < meta->ndims; i++)
        PCDF_TRY(add_dim_of(p, 0, i, &id));
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_expr_result *result = result_named(p, meta->vars[i].name);
        PCDF_TRY(result ? add_result(p, result) : copy_var(p, 0, i, meta->vars[i].name));
    }
    return NC_NOERR;
}

int pcdf_calc_define(struct pcdf_calc_plan *p, struct pcdf_expr_fault *fault)
{
    struct pcdf_layout layout;
    PCDF_TRY(copy_atts(p, NC_GLOBAL, &meta_of(p, 0)->gatts, ALL));
    if (p->options->has_all)
        PCDF_TRY(add_all(p));
    for (size_t i = 0; i < p->expr.results.n; i++)
        PCDF_TRY(add_result(p, &p->expr.results.x[i]));
    PCDF_TRY(bring_along(p));
    for (size_t i = 0; i < p->tree.statements.n; i++)
        if (p->tree.statements.x[i].att)
            PCDF_TRY(set_attribute(p, (int)i, fault));
    PCDF_TRY(pcdf_tool_history_put(&p->options->history, &p->out));
    PCDF_TRY(pcdf_rules_sizes(&p->out));
    PCDF_TRY(pcdf_layout_build(&layout, &p->out, NULL, &(struct pcdf_alignment){ 0 }));
    pcdf_layout_free(&layout);
    return NC_NOERR;
}
