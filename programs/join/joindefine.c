/* See joindefine.h. */
#include "joindefine.h"
#include "meaningatts.h"
#include "joinfiles.h"
#include "jointiles.h"
#include "alloc.h"
#include "rules.h"
#include "status.h"
#include "tool.h"
#include "toolkind.h"
#include "value.h"

#include <string.h>

/* ---- dimensions */

static int add_dim(struct pcdf_join_plan *p, const char *name, int64_t length, bool is_record)
{
    if (length == 0 && !is_record)
        return PCDF_FAIL(NC_EDIMSIZE, "dimension %s would have length 0", name);
    PCDF_TRY(pcdf_rules_new_dim(&p->out, name, is_record ? 0 : length));
    return pcdf_meta_add_dim(&p->out, name, is_record ? 0 : length, NULL);
}

/* A new dimension comes first, so that ids of the others are one more. */
static int add_dims(struct pcdf_join_plan *p)
{
    const struct pcdf_meta *in = &p->in;
    bool has_new = p->way == PCDF_JOIN_NEW;
    if (has_new)
        PCDF_TRY(add_dim(p, p->axes[0].name, p->axes[0].length, false));
    for (int i = 0; i < in->ndims; i++) {
        bool is_record = i == in->record_dim;
        int64_t length = is_record ? in->numrecs : in->dims[i].length;
        if (p->axis_of[i] >= 0)
            length = p->axes[p->axis_of[i]].length;
        if (is_record && !has_new)
            p->out.numrecs = length;
        PCDF_TRY(add_dim(p, in->dims[i].name, length, is_record && !has_new));
    }
    return NC_NOERR;
}

/* ---- attributes */

static void tell_dropped(const struct pcdf_join_plan *p, int varid, const char *name)
{
    if (p->options->verbose && p->ranks->rank == 0)
        pcdf_tool_say(NULL, "attribute %.200s:%.200s is not the same in all files, and is dropped",
                      varid == NC_GLOBAL ? "" : p->in.vars[varid].name, name);
}

/* Of tiles; records of several files keep the attributes of the first, and so do all those that were found to
 * mean the same though they are written in another way. */
static bool is_dropped(const struct pcdf_join_plan *p, int varid, const char *name, bool differs)
{
    if (pcdf_join_tiles_drop(p, varid, name))
        return true;
    bool keeps = p->way == PCDF_JOIN_ALONG || p->way == PCDF_JOIN_NEW || strcmp(name, "history") == 0 ||
                 (varid != NC_GLOBAL && pcdf_meaning_tells(name, PCDF_MEANING_GIVES));
    if (!differs || keeps)
        return false;
    tell_dropped(p, varid, name);
    return true;
}

static int copy_att(struct pcdf_join_plan *p, struct pcdf_atts *to, int varid, const struct pcdf_att *a)
{
    int64_t whole;
    unsigned char number[8];
    PCDF_TRY(pcdf_rules_type(&p->out, a->type));
    bool has_whole = varid == NC_GLOBAL && a->nelems == 1 && a->type != NC_CHAR &&
                     pcdf_join_tiles_whole(p, a->name, &whole);
    if (has_whole && pcdf_value_is_real(a->type))
        pcdf_value_store(&(struct pcdf_value){ .type = a->type, .is.real = (double)whole }, number);
    else if (has_whole)
        pcdf_value_store(&(struct pcdf_value){ .type = a->type, .is.integer = whole }, number);
    return pcdf_atts_append(&p->out, to, a->name, a->type, a->nelems, has_whole ? number : a->values);
}

static int copy_atts(struct pcdf_join_plan *p, struct pcdf_atts *to, int varid)
{
    const struct pcdf_atts *from = pcdf_meta_atts(&p->in, varid);
    const int64_t *differs = p->differs + pcdf_join_first_att(&p->in, varid);
    for (int i = 0; i < from->n; i++) {
        const struct pcdf_att *a = &from->x[i];
        int64_t whole;
        bool is_whole = varid == NC_GLOBAL && pcdf_join_tiles_whole(p, a->name, &whole);
        if (pcdf_atts_find(from, a->name) != i || (!is_whole && is_dropped(p, varid, a->name, differs[i])))
            continue;
        PCDF_TRY(copy_att(p, to, varid, a));
    }
    return NC_NOERR;
}

/* ---- variables */

static int add_var(struct pcdf_join_plan *p, int id)
{
    const struct pcdf_var *var = &p->in.vars[id];
    struct pcdf_join_var *v = &p->vars[id];
    int shift = p->way == PCDF_JOIN_NEW, n = 0;
    int *dimids = pcdf_malloc((size_t)(var->ndims + 1) * sizeof *dimids);
    if (!dimids)
        return NC_ENOMEM;
    if (v->has_new)
        dimids[n++] = 0;
    for (int i = 0; i < var->ndims; i++)
        dimids[n++] = var->dimids[i] + shift;
    int err = pcdf_rules_type(&p->out, var->type);
    pcdf_first(&err, err ? err : pcdf_rules_new_var(&p->out, var->name, var->type, n, dimids));
    pcdf_first(&err, err ? err : pcdf_meta_add_var(&p->out, var->name, var->type, n, dimids, &v->out));
    pcdf_free(dimids);
    PCDF_TRY(err);
    return copy_atts(p, &p->out.vars[v->out].atts, id);
}

/* The coordinate of a new dimension: integers where all values are. */
static int add_coordinate(struct pcdf_join_plan *p)
{
    const char *name = p->axes[0].name;
    int dim = 0;
    if (!p->options->values)
        return NC_NOERR;
    nc_type type = strpbrk(p->options->values, ".eEnN") ? NC_DOUBLE : NC_INT;
    PCDF_TRY(pcdf_rules_new_var(&p->out, name, type, 1, &dim));
    return pcdf_meta_add_var(&p->out, name, type, 1, &dim, NULL);
}

static int define(struct pcdf_join_plan *p)
{
    PCDF_TRY(add_dims(p));
    PCDF_TRY(copy_atts(p, &p->out.gatts, NC_GLOBAL));
    PCDF_TRY(pcdf_tool_history_put(&p->options->history, &p->out));
    for (int i = 0; i < p->in.nvars; i++)
        PCDF_TRY(add_var(p, i));
    PCDF_TRY(add_coordinate(p));
    PCDF_TRY(pcdf_rules_sizes(&p->out));
    if (p->out.numrecs > pcdf_rules_max_count(p->out.version))
        return PCDF_FAIL(NC_EDIMSIZE, "there are more records than a file of this kind can have");
    return pcdf_layout_build(&p->layout, &p->out, NULL, &(struct pcdf_alignment){ 0 });
}

int pcdf_join_define(struct pcdf_join_plan *plan)
{
    pcdf_meta_init(&plan->out, (enum pcdf_version)pcdf_tool_format_version(plan->options->format));
    return define(plan) ? pcdf_tool_unusable(plan->options->to, "%s", pcdf_fail_text()) : PCDF_TOOL_GOOD;
}
