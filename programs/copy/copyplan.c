/* See copyplan.h. */
#include "copyplan.h"
#include "copyedit.h"
#include "copyquantize.h"
#include "copyselect.h"
#include "alloc.h"
#include "crc32c.h"
#include "rules.h"
#include "status.h"
#include "tool.h"

#include <inttypes.h>
#include <string.h>

enum { DROPPED = -1 };

struct draft { /* of new definitions, in terms of the old ones */
    const struct pcdf_meta *in;
    const struct pcdf_alignment *align;
    bool *chosen;
    struct pcdf_copy_cut *cuts; /* by dimid of `in` */
    bool *is_cut;               /* by an option */
    bool selects_records;
    int64_t *length; /* by dimid of `in`: the new one, 0 of the record dimension, DROPPED */
    int *ids;        /* of the new dimensions, in the order of the old */
    int64_t numrecs; /* of the new file */
};

/* ---- definitions from a draft, for a kind of file */

static int add_dims(struct pcdf_meta *meta, const struct draft *d)
{
    for (int i = 0; i < d->in->ndims; i++) {
        if (d->length[i] == DROPPED)
            continue;
        PCDF_TRY(pcdf_rules_new_dim(meta, d->in->dims[i].name, d->length[i]));
        PCDF_TRY(pcdf_meta_add_dim(meta, d->in->dims[i].name, d->length[i], &d->ids[i]));
    }
    return NC_NOERR;
}

/* Of two attributes of one name the first is the one that readers find. */
static int add_atts(struct pcdf_meta *meta, int varid, const struct pcdf_atts *from)
{
    for (int i = 0; i < from->n; i++) {
        const struct pcdf_att *att = &from->x[i];
        struct pcdf_atts *to = pcdf_meta_atts(meta, varid);
        if (pcdf_atts_find(from, att->name) != i)
            continue;
        int err = pcdf_rules_type(meta, att->type);
        if (err)
            pcdf_fail_lead("attribute %.80s:%.80s", varid < 0 ? "" : meta->vars[varid].name, att->name);
        PCDF_TRY(err);
        PCDF_TRY(pcdf_atts_append(meta, to, att->name, att->type, att->nelems, att->values));
    }
    return NC_NOERR;
}

static int add_var(struct pcdf_meta *meta, const struct draft *d, const struct pcdf_var *var, int *dimids)
{
    int varid;
    for (int i = 0; i < var->ndims; i++)
        dimids[i] = d->ids[var->dimids[i]];
    int err = pcdf_rules_type(meta, var->type);
    if (err)
        pcdf_fail_lead("variable %.80s", var->name);
    PCDF_TRY(err);
    PCDF_TRY(pcdf_rules_new_var(meta, var->name, var->type, var->ndims, dimids));
    PCDF_TRY(pcdf_meta_add_var(meta, var->name, var->type, var->ndims, dimids, &varid));
    return add_atts(meta, varid, &var->atts);
}

static int add_vars(struct pcdf_meta *meta, const struct draft *d)
{
    for (int i = 0; i < d->in->nvars; i++) {
        if (!d->chosen[i])
            continue;
        int ndims = d->in->vars[i].ndims;
        int *dimids = pcdf_malloc((size_t)(ndims + 1) * sizeof *dimids);
        int err = dimids ? add_var(meta, d, &d->in->vars[i], dimids) : NC_ENOMEM;
        pcdf_free(dimids);
        PCDF_TRY(err);
    }
    return NC_NOERR;
}

static int fits(const struct pcdf_meta *meta, const struct pcdf_alignment *align)
{
    struct pcdf_layout layout;
    if (meta->numrecs > pcdf_rules_max_count(meta->version))
        return PCDF_FAIL(NC_EVARSIZE, "CDF-%d has up to %" PRId64 " records, not %" PRId64, meta->version,
                         pcdf_rules_max_count(meta->version), meta->numrecs);
    PCDF_TRY(pcdf_rules_sizes(meta));
    PCDF_TRY(pcdf_layout_build(&layout, meta, NULL, align));
    pcdf_layout_free(&layout);
    return NC_NOERR;
}

/* NC_ code with its sentence; then there is nothing to free. */
static int build(struct pcdf_meta *meta, const struct draft *d, enum pcdf_version version)
{
    pcdf_meta_init(meta, version);
    meta->numrecs = d->numrecs;
    int err = add_dims(meta, d);
    pcdf_first(&err, err ? err : add_vars(meta, d));
    pcdf_first(&err, err ? err : add_atts(meta, NC_GLOBAL, &d->in->gatts));
    pcdf_first(&err, err ? err : fits(meta, d->align));
    if (err)
        pcdf_meta_free(meta);
    return err;
}

/* The sentence of the rule, and which kind has none against it. */
static int refuse(const char *path, const struct draft *d, enum pcdf_version version)
{
    static const struct {
        enum pcdf_version version;
        const char *kind;
    } others[] = { { PCDF_CDF2, "64-bit-offset" }, { PCDF_CDF5, "cdf5" } };
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", pcdf_fail_text());
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct pcdf_meta meta;
        if (others[i].version == version || build(&meta, d, others[i].version))
            continue;
        pcdf_meta_free(&meta);
        pcdf_tool_say(path, "%s; -k %s would do", sentence, others[i].kind);
        return PCDF_TOOL_UNUSABLE;
    }
    return pcdf_tool_unusable(path, "%s", sentence);
}

/* ---- the draft */

static void drop_unused(struct draft *d)
{
    for (int i = 0; i < d->in->ndims; i++)
        d->length[i] = DROPPED;
    for (int i = 0; i < d->in->nvars; i++)
        for (int k = 0; k < d->in->vars[i].ndims && d->chosen[i]; k++)
            d->length[d->in->vars[i].dimids[k]] = 0;
}

static int cut(struct draft *d, const struct pcdf_copy_range *range, const char *path)
{
    int dim = pcdf_copy_find_dim(d->in, range->name);
    if (dim < 0)
        return pcdf_tool_no_dimension(path, d->in, range->name);
    struct pcdf_copy_cut *c = &d->cuts[dim];
    int64_t low = range->has_low ? range->low : 0, high = range->has_high ? range->high : -1;
    if (d->is_cut[dim])
        return pcdf_tool_unusable(path, "dimension %.300s is cut twice", range->name);
    low += low < 0 ? c->length : 0;
    high += high < 0 ? c->length : 0;
    if (low < 0 || high >= c->length || low > high)
        return pcdf_tool_unusable(path,
                                  "dimension %.300s has indices from 0 to %" PRId64 ": %" PRId64
                                  " to %" PRId64 " is no part of it",
                                  range->name, c->length - 1, low, high);
    /* A longer stride takes the same index, and would not fit into products with it. */
    int64_t most = high - low + 1, stride = range->stride < most ? range->stride : most;
    d->is_cut[dim] = true;
    pcdf_copy_cut_to(c, c->length, low, (high - low) / stride + 1, stride);
    d->length[dim] = d->length[dim] == DROPPED ? DROPPED : c->n;
    return PCDF_TOOL_GOOD;
}

/* By the values of coordinates. */
static int select_dims(struct draft *d, const struct pcdf_copy_options *o, struct pcdf_tool_dataset *ds)
{
    struct pcdf_copy_select select;
    int status = pcdf_copy_select_begin(&select, o, ds);

    if (status)
        return status;
    for (int i = 0; i < d->in->ndims && !status; i++) {
        bool may_miss = i == d->in->record_dim && o->nfrom > 1;
        if (!pcdf_copy_select_has(&select, i))
            continue;
        if (d->is_cut[i])
            status = pcdf_tool_unusable(ds->file.path, "dimension %.300s is cut twice", d->in->dims[i].name);
        status = status ? status : pcdf_copy_select_cut(&select, ds, i, may_miss, &d->cuts[i]);
        d->is_cut[i] = true;
        d->selects_records |= i == d->in->record_dim;
        d->length[i] = d->length[i] == DROPPED || status ? d->length[i] : d->cuts[i].n;
    }
    pcdf_copy_select_end(&select);
    return status;
}

/* Which dimension is the record dimension: `of_input`, or none, or another. Leaves 0 as its length, and the
 * number of records in d->numrecs. */
static int place_records(struct draft *d, const struct pcdf_copy_options *o, int64_t more, const char *path)
{
    int record = d->in->record_dim;

    if (record >= 0 && d->length[record] != DROPPED &&
        __builtin_add_overflow(d->length[record], more, &d->length[record]))
        return pcdf_tool_unusable(path, "the records of all files together are more than a file can have");
    if (record >= 0 && o->fix_records &&
        d->length[record] != 0) /* a fixed dimension of length 0 there is not */
        record = -1;
    if (o->unlimited) {
        int dim = pcdf_copy_find_dim(d->in, o->unlimited);
        if (dim < 0 || d->length[dim] == DROPPED)
            return pcdf_tool_unusable(path, "--unlimited: the copy has no dimension of that name");
        if (record >= 0 && record != dim && d->length[record] != DROPPED)
            return pcdf_tool_unusable(
                path, "--unlimited: there is a record dimension already; -u makes it a fixed one");
        record = dim;
    }
    if (record >= 0 && d->length[record] != DROPPED) {
        d->numrecs = o->header_only ? 0 : d->length[record];
        d->length[record] = 0;
    }
    return PCDF_TOOL_GOOD;
}

static int draft_definitions(struct draft *d, const struct pcdf_copy_options *o, struct pcdf_tool_dataset *ds,
                             int64_t more)
{
    int status = pcdf_copy_choose(o, ds, d->chosen), record = d->in->record_dim;
    status = status ? status : pcdf_copy_edit_choose(o, ds, d->chosen);
    if (status)
        return status;
    if (o->with_coordinates || o->only || o->excluded || pcdf_copy_edit_drops(o))
        drop_unused(d);
    for (int i = 0; i < d->in->ndims; i++) {
        int64_t length = i == d->in->record_dim ? d->in->numrecs : d->in->dims[i].length;
        pcdf_copy_cut_whole(&d->cuts[i], length);
        d->length[i] = d->length[i] == DROPPED ? DROPPED : length;
    }
    for (int i = 0; i < o->nranges && !status; i++)
        status = cut(d, &o->ranges[i], ds->file.path);
    if (!status && record >= 0 && d->is_cut[record] && o->nfrom > 1 && !o->merge)
        return pcdf_tool_unusable(ds->file.path,
                                  "-d cannot cut the record dimension of several files at once");
    status = status ? status : select_dims(d, o, ds);
    if (!status && record >= 0 && d->is_cut[record] && d->cuts[record].n + more == 0)
        return pcdf_tool_unusable(ds->file.path,
                                  "no record of this file, and of those behind it, was selected");
    return status ? status : place_records(d, o, more, ds->file.path);
}

/* ---- the plan */

static void keep_cuts(struct pcdf_copy_plan *plan, struct draft *d)
{
    int id = 0;
    plan->record_dim = -1;
    for (int i = 0; i < d->in->ndims; i++) {
        if (d->length[i] == DROPPED)
            continue;
        if (i == d->in->record_dim) {
            plan->record_dim = id;
            plan->selects_records = d->selects_records;
        }
        plan->cuts[id++] = d->cuts[i];
        d->cuts[i] = (struct pcdf_copy_cut){ 0 }; /* runs have one owner */
    }
}

/* The input's record dimension is gone through record by record, whatever it becomes. */
static int build_order(struct pcdf_copy_plan *plan, struct draft *d, int64_t more)
{
    int record = d->in->record_dim;
    if (record >= 0 && d->length[record] > 0) { /* it becomes fixed */
        for (int i = 0; i < d->in->ndims; i++)
            if (d->length[i] == 0)
                d->length[i] = d->numrecs;
        d->numrecs = d->length[record] - more;
        d->length[record] = 0;
    } else if (record >= 0 && d->length[record] == 0)
        d->numrecs -= d->numrecs ? more : 0;
    PCDF_TRY(build(&plan->order, d, PCDF_CDF5));
    if (plan->order.nrecord_vars == 0)
        plan->order.numrecs = 0;
    return NC_NOERR;
}

static int make(struct pcdf_copy_plan *plan, struct draft *d, const struct pcdf_copy_options *o,
                struct pcdf_tool_dataset *ds, int64_t more)
{
    enum pcdf_version version = o->version ? (enum pcdf_version)o->version : d->in->version;
    int status = draft_definitions(d, o, ds, more), next = 0;
    if (status)
        return status;
    if (build(&plan->out, d, version))
        return refuse(ds->file.path, d, version);
    keep_cuts(plan, d);
    for (int i = 0; i < d->in->nvars; i++)
        if (d->chosen[i])
            plan->source[next++] = i;
    if (build_order(plan, d, more)) {
        pcdf_meta_free(&plan->out);
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    }
    status = pcdf_copy_edit(o, ds->file.path, &plan->out);
    if (!status && o->quantize.mode && pcdf_copy_quantize(&plan->out, o->quantize))
        status = pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    if (!status && pcdf_copy_writes_history(o) && pcdf_tool_history_put(&o->history, &plan->out))
        status = pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    if (!status && fits(&plan->out, d->align))
        status = pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    if (status) {
        pcdf_meta_free(&plan->out);
        pcdf_meta_free(&plan->order);
    }
    return status;
}

static void free_cuts(struct pcdf_copy_cut *cuts, int n)
{
    for (int i = 0; cuts && i < n; i++)
        pcdf_copy_cut_free(&cuts[i]);
    pcdf_free(cuts);
}

int pcdf_copy_plan_make(struct pcdf_copy_plan *plan, const struct pcdf_copy_options *options,
                        struct pcdf_tool_dataset *ds, int64_t more_records)
{
    size_t nvars = (size_t)ds->meta.nvars + 1, ndims = (size_t)ds->meta.ndims + 1;
    struct draft d = { .in = &ds->meta, .align = &plan->align };

    *plan = (struct pcdf_copy_plan){ .takes_all = !options->with_coordinates && !options->only &&
                                                  !options->excluded && !pcdf_copy_edit_drops(options),
                                     .options = options };
    plan->align = (struct pcdf_alignment){ .h_minfree = options->reserve,
                                           .v_align = options->align,
                                           .r_align = options->record_align };
    plan->source = pcdf_calloc(nvars, sizeof *plan->source);
    plan->cuts = pcdf_calloc(ndims, sizeof *plan->cuts);
    d.chosen = pcdf_calloc(nvars, sizeof *d.chosen);
    d.length = pcdf_calloc(ndims, sizeof *d.length);
    d.ids = pcdf_calloc(ndims, sizeof *d.ids);
    d.cuts = pcdf_calloc(ndims, sizeof *d.cuts);
    d.is_cut = pcdf_calloc(ndims, sizeof *d.is_cut);
    bool has_memory = plan->source && plan->cuts && d.chosen && d.length && d.ids && d.cuts && d.is_cut;
    int status = has_memory ? make(plan, &d, options, ds, more_records)
                            : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    pcdf_free(d.chosen);
    pcdf_free(d.length);
    pcdf_free(d.ids);
    pcdf_free(d.is_cut);
    free_cuts(d.cuts, (int)ndims);
    if (status) {
        pcdf_free(plan->source);
        free_cuts(plan->cuts, (int)ndims);
    }
    return status;
}

void pcdf_copy_plan_free(struct pcdf_copy_plan *plan)
{
    free_cuts(plan->cuts, plan->out.ndims);
    pcdf_meta_free(&plan->out);
    pcdf_meta_free(&plan->order);
    pcdf_free(plan->source);
}

int pcdf_copy_plan_records(const struct pcdf_copy_options *options, struct pcdf_tool_dataset *ds,
                           int64_t *records)
{
    struct pcdf_copy_select select;
    struct pcdf_copy_cut cut;
    int record = ds->meta.record_dim, status = pcdf_copy_select_begin(&select, options, ds);

    *records = ds->meta.numrecs;
    if (!status && record >= 0 && pcdf_copy_select_has(&select, record)) {
        status = pcdf_copy_select_cut(&select, ds, record, true, &cut);
        *records = status ? 0 : cut.n;
        if (!status)
            pcdf_copy_cut_free(&cut);
    }
    if (select.n > 0)
        pcdf_copy_select_end(&select);
    return status;
}

uint32_t pcdf_copy_plan_sum(const struct pcdf_copy_plan *plan, uint32_t sum)
{
    sum = pcdf_crc32c(sum, &plan->out.numrecs, sizeof plan->out.numrecs);
    for (int i = 0; i < plan->out.ndims; i++) {
        const struct pcdf_copy_cut *c = &plan->cuts[i];
        const int64_t what[] = { c->length, c->n, c->nruns, c->one.low, c->one.stride, c->one.n };
        sum = pcdf_crc32c(sum, what, sizeof what);
        if (c->nruns > 0)
            sum = pcdf_crc32c(sum, c->runs, (size_t)c->nruns * sizeof *c->runs);
    }
    return sum;
}
