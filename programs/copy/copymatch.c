/* Another input of the same definitions: how its variables are found, and what speaks against it. */
#include "copyplan.h"
#include "copyselect.h"
#include "tool.h"
#include "meaningsame.h"
#include "timevalue.h"

#include <inttypes.h>
#include <string.h>

static int differs(const struct pcdf_tool_dataset *ds, const char *first, const char *kind, const char *name,
                   const char *how)
{
    return pcdf_tool_unusable(ds->file.path, "%s %.200s %s %.300s", kind, name, how, first);
}

/* What gives the numbers their meaning. */
static int match_meanings(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *ds, int varid,
                          const char *first)
{
    const struct pcdf_var *want = &plan->order.vars[varid], *var = &ds->meta.vars[plan->source[varid]];
    struct pcdf_time a, b;
    const char *att = pcdf_time_differs(&plan->order, varid, &ds->meta, plan->source[varid]);
    bool are_times = att && pcdf_time_of(&a, &plan->order, varid) == PCDF_TIME_DATES &&
                     pcdf_time_of(&b, &ds->meta, plan->source[varid]) == PCDF_TIME_DATES;

    att = att ? att : pcdf_meaning_differs(want, var);
    return att ? pcdf_tool_unusable(
                     ds->file.path,
                     "attribute %.200s:%s is not as in %.300s: its numbers mean something else%s", var->name,
                     att, first, are_times ? " (parcdf join converts times)" : "")
               : PCDF_TOOL_GOOD;
}

static int match_dims(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *ds,
                      const struct pcdf_var *want, const struct pcdf_var *var, const char *first)
{
    if (want->ndims != var->ndims)
        return differs(ds, first, "variable", var->name, "has another number of dimensions than in");
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_dim *dim = &ds->meta.dims[var->dimids[i]];
        bool is_record = var->dimids[i] == ds->meta.record_dim;
        if (strcmp(plan->order.dims[want->dimids[i]].name, dim->name) != 0)
            return differs(ds, first, "variable", var->name, "has other dimensions than in");
        if (is_record != (want->dimids[i] == plan->record_dim))
            return differs(ds, first, "dimension", dim->name,
                           is_record ? "is the record dimension, but not in"
                                     : "is not the record dimension, as it is in");
        if (!is_record && dim->length != plan->cuts[want->dimids[i]].length)
            return differs(ds, first, "dimension", dim->name, "has another length than in");
    }
    return PCDF_TOOL_GOOD;
}

static int match_var(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *ds, int varid,
                     const char *first)
{
    const struct pcdf_var *want = &plan->order.vars[varid], *var = &ds->meta.vars[plan->source[varid]];
    if (want->type != var->type)
        return differs(ds, first, "variable", var->name, "has another type than in");
    int status = match_dims(plan, ds, want, var, first);
    return status ? status : match_meanings(plan, ds, varid, first);
}

/* Those of its records that were selected. */
static int select_records(struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *ds)
{
    struct pcdf_copy_select select;
    struct pcdf_copy_cut *cut = &plan->cuts[plan->record_dim], made = { 0 };
    int status = pcdf_copy_select_begin(&select, plan->options, ds);

    if (status)
        return status;
    status = pcdf_copy_select_cut(&select, ds, ds->meta.record_dim, true, &made);
    pcdf_copy_select_end(&select);
    if (status)
        return status;
    pcdf_copy_cut_free(cut);
    *cut = made;
    plan->order.numrecs = plan->order.nrecord_vars > 0 ? made.n : 0;
    return PCDF_TOOL_GOOD;
}

int pcdf_copy_plan_match(struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *ds, const char *first)
{
    for (int i = 0; i < plan->out.nvars; i++) {
        plan->source[i] = pcdf_meta_find_var(&ds->meta, plan->order.vars[i].name);
        if (plan->source[i] < 0)
            return differs(ds, first, "variable", plan->order.vars[i].name, "is not there, as it is in");
        int status = match_var(plan, ds, i, first);
        if (status)
            return status;
    }
    for (int i = 0; i < ds->meta.nvars && plan->takes_all; i++)
        if (pcdf_meta_find_var(&plan->order, ds->meta.vars[i].name) < 0)
            return differs(ds, first, "variable", ds->meta.vars[i].name, "is not in");
    int record = plan->record_dim;
    if (plan->selects_records)
        return select_records(plan, ds);
    if (record >= 0 && record == plan->order.record_dim && plan->cuts[record].is_whole)
        plan->order.numrecs = plan->order.nrecord_vars > 0 ? ds->meta.numrecs : 0;
    return PCDF_TOOL_GOOD;
}
