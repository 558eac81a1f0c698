/* Another input of the same definitions: how its variables are found, and what speaks against it. */
#include "copyplan.h"
#include "copyselect.h"
#include "meaningsame.h"
#include "tool.h"
#include "meaningtext.h"
#include "tooltime.h"

#include <inttypes.h>
#include <string.h>

/* Attributes that say what times mean: records under other ones would be misread. */
static const char *const meanings[] = { "units", "calendar" };

static int differs(const struct pcdf_tool_dataset *ds, const char *first, const char *kind, const char *name,
                   const char *how)
{
    return pcdf_tool_unusable(ds->file.path, "%s %.200s %s %.300s", kind, name, how, first);
}

static bool same_att(const struct pcdf_var *a, const struct pcdf_var *b, const char *name)
{
    int i = pcdf_atts_find(&a->atts, name), k = pcdf_atts_find(&b->atts, name);
    if (i < 0 || k < 0)
        return i == k;
    const struct pcdf_att *x = &a->atts.x[i], *y = &b->atts.x[k];
    return x->type == y->type && x->nelems == y->nelems &&
           (x->nelems == 0 ||
            memcmp(x->values, y->values, (size_t)x->nelems * (size_t)pcdf_type_size(x->type)) == 0);
}

/* is_plain: no time zone, nor what else a date may have. */
static bool time_of(const struct pcdf_var *var, struct pcdf_tool_time *time, bool *is_plain)
{
    char units[PCDF_MEANING_TEXT], calendar[PCDF_MEANING_TEXT];
    (void)pcdf_meaning_text(&var->atts, "calendar", calendar);
    if (!pcdf_meaning_text(&var->atts, "units", units) || !pcdf_tool_time_parse(time, units, calendar))
        return false;
    const char *since = strstr(units, " since ");
    *is_plain = since && strspn(since + 7, "0123456789-:. ") == strlen(since + 7) && !strstr(since, " -");
    return true;
}

/* "days since 2000-1-1" and "days since 2000-01-01 00:00". */
static bool is_same_time(const struct pcdf_tool_time *a, const struct pcdf_tool_time *b)
{
    const struct pcdf_instant *x = &a->base, *y = &b->base;
    return a->calendar == b->calendar && a->hours * b->parts == b->hours * a->parts &&
           a->months == b->months && x->year == y->year && x->month == y->month && x->day == y->day &&
           x->hour == y->hour;
}

/* What gives the numbers their meaning. */
static int match_meanings(const struct pcdf_var *want, const struct pcdf_tool_dataset *ds,
                          const struct pcdf_var *var, const char *first)
{
    struct pcdf_tool_time a, b;
    bool plain[2], are_times = time_of(want, &a, &plain[0]) && time_of(var, &b, &plain[1]);
    bool is_same = are_times && plain[0] && plain[1] && is_same_time(&a, &b);

    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        bool is_of_time = strcmp(meanings[i], "units") == 0 || strcmp(meanings[i], "calendar") == 0;
        if (!same_att(want, var, meanings[i]) && !(is_of_time && is_same))
            return pcdf_tool_unusable(
                ds->file.path, "attribute %.200s:%s is not as in %.300s: its numbers mean something else%s",
                var->name, meanings[i], first,
                is_of_time && are_times ? " (parcdf join converts times)" : "");
    }
    const char *att = pcdf_meaning_differs(want, var);
    return att ? pcdf_tool_unusable(
                     ds->file.path,
                     "attribute %.200s:%s is not as in %.300s: its numbers mean something else", var->name,
                     att, first)
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
    return status ? status : match_meanings(want, ds, var, first);
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
