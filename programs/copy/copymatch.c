/* Another input of the same definitions: how its variables are found, and what speaks against it. */
#include "copyplan.h"
#include "copyselect.h"
#include "toolfit.h"
#include "toolsay.h"

static int64_t length_of(const void *plan, int dimid)
{
    const struct pcdf_copy_plan *p = plan;
    return dimid == p->record_dim ? -1 : p->cuts[dimid].length;
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
    static const char *const words[PCDF_FIT_MISFITS] = {
        [PCDF_FIT_ABSENT] = "variable $v is not there, as it is in $f",
        [PCDF_FIT_TYPE] = "variable $v has another type than in $f",
        [PCDF_FIT_NDIMS] = "variable $v has another number of dimensions than in $f",
        [PCDF_FIT_DIM] = "variable $v has other dimensions than in $f",
        [PCDF_FIT_UNLIMITED] = "dimension $d is the record dimension, but not in $f",
        [PCDF_FIT_FIXED] = "dimension $d is not the record dimension, as it is in $f",
        [PCDF_FIT_LENGTH] = "dimension $d has another length than in $f",
        [PCDF_FIT_DATES] =
            "attribute $v:$a is not as in $f: its numbers mean something else (parcdf join converts times)",
        [PCDF_FIT_MEANING] = "attribute $v:$a is not as in $f: its numbers mean something else",
        [PCDF_FIT_MORE] = "variable $v is not in $f",
    };
    const struct pcdf_tool_fit fit = { words,     &plan->order,  &ds->meta,
                                       first,     ds->file.path, plan->record_dim,
                                       length_of, plan,          false };
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < plan->out.nvars && !status; i++) {
        plan->source[i] = pcdf_meta_find_var(&ds->meta, plan->order.vars[i].name);
        status = pcdf_tool_fit_variable(&fit, i);
    }
    if (!status && plan->takes_all)
        status = pcdf_tool_fit_no_more(&fit);
    if (status)
        return status;
    int record = plan->record_dim;
    if (plan->selects_records)
        return select_records(plan, ds);
    if (record >= 0 && record == plan->order.record_dim && plan->cuts[record].is_whole)
        plan->order.numrecs = plan->order.nrecord_vars > 0 ? ds->meta.numrecs : 0;
    return PCDF_TOOL_GOOD;
}
