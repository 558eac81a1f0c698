/* See reduceplan.h. */
#include "reduceplan.h"
#include "alloc.h"
#include "meaningnames.h"
#include "reducedefine.h"
#include "rules.h"
#include "status.h"
#include "tool.h"
#include "toolkind.h"
#include "toolfile.h"

#include <inttypes.h>
#include <string.h>

enum { AT_ONCE = 1 << 20 }; /* numbers that go to all ranks */

static const char *path_of(const struct pcdf_reduce_plan *p)
{
    return p->options->from[0];
}

int64_t pcdf_reduce_length(const struct pcdf_reduce_plan *p, int dim)
{
    return pcdf_tool_dim_length(&p->input->meta, dim);
}

int64_t pcdf_reduce_new_length(const struct pcdf_reduce_plan *p, int dim)
{
    return p->dims[dim] == PCDF_REDUCE_KEPT      ? pcdf_reduce_length(p, dim)
           : p->dims[dim] == PCDF_REDUCE_GROUPED ? p->groups.n
                                                 : 1;
}

/* ---- which dimensions */

static int mark_dims(struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *meta = &p->input->meta;
    const struct pcdf_reduce_options *o = p->options;
    char name[PCDF_TOOL_NAME];
    for (const char *at = o->dims; at;) {
        at = pcdf_tool_next_name(at, name);
        int dim = pcdf_meta_find_dim(meta, name);
        struct pcdf_time time;
        if (dim < 0)
            return pcdf_tool_no_dimension(path_of(p), meta, name);
        if (p->dims[dim] != PCDF_REDUCE_KEPT)
            return pcdf_tool_unusable(path_of(p), "dimension %.200s is named twice", name);
        p->dims[dim] = PCDF_REDUCE_GONE;
        bool may_be = p->grouped < 0 && o->period &&
                      (!pcdf_reduce_is_of_time(o->period) ||
                       pcdf_time_of(&time, meta, pcdf_tool_coordinate(meta, dim)) != PCDF_TIME_NONE);
        if (may_be) {
            p->dims[dim] = PCDF_REDUCE_GROUPED;
            p->grouped = dim;
        }
    }
    if (o->period && p->grouped < 0)
        return pcdf_tool_unusable(path_of(p),
                                  "none of the dimensions has a coordinate variable with units of time");
    return PCDF_TOOL_GOOD;
}

/* ---- axes: reduced dimensions that have coordinates */

static int bounds_of(const struct pcdf_meta *meta, int var)
{
    char name[PCDF_MEANING_TEXT];
    bool has_name = pcdf_meaning_text(&meta->vars[var].atts, "bounds", name) ||
                    pcdf_meaning_text(&meta->vars[var].atts, "climatology", name);
    int id = has_name ? pcdf_meta_find_var(meta, name) : -1;
    const struct pcdf_var *b = id < 0 ? NULL : &meta->vars[id];
    bool is_one = b && b->ndims == 2 && b->dimids[0] == meta->vars[var].dimids[0] &&
                  meta->dims[b->dimids[1]].length == 2 && b->type != NC_CHAR;
    return is_one ? id : -1;
}

static bool make_axis(struct pcdf_reduce_plan *p, int dim)
{
    const struct pcdf_meta *meta = &p->input->meta;
    int var = pcdf_tool_coordinate(meta, dim);
    struct pcdf_reduce_axis *a = &p->axes[p->naxes];
    size_t n = (size_t)pcdf_reduce_length(p, dim) + 1;
    if (p->dims[dim] == PCDF_REDUCE_KEPT || var < 0)
        return true;
    *a = (struct pcdf_reduce_axis){ dim, var, bounds_of(meta, var), -1, -1, NULL, NULL, NULL };
    a->values = pcdf_calloc(n, sizeof *a->values);
    a->low = pcdf_calloc(n, sizeof *a->low);
    a->high = pcdf_calloc(n, sizeof *a->high);
    p->naxes++;
    return a->values && a->low && a->high;
}

/* n numbers of a variable, from number `first` of the file that is open on. */
static int read_numbers(struct pcdf_reduce_plan *p, int var, int64_t first, int64_t n, double *to)
{
    enum { SOME = 4096 };
    unsigned char bytes[SOME * 8];
    double rest[SOME];
    struct pcdf_stored_form values;
    int status = PCDF_TOOL_GOOD;
    pcdf_stored_of(&values, &p->input->meta.vars[var], false);
    for (int64_t done = 0; done < n && !status; done += SOME) {
        int64_t some = n - done < SOME ? n - done : SOME;
        status = pcdf_reduce_input_values(p->input, var, first + done, some, bytes);
        if (!status)
            pcdf_stored_decode(&values, bytes, some, to + done, rest);
    }
    return status;
}

/* low and high of each index: of its bounds, or the value itself. */
static int read_axis(struct pcdf_reduce_plan *p, struct pcdf_reduce_axis *a, int64_t from, int64_t to)
{
    int64_t n = to - from;
    double *both = pcdf_malloc((size_t)(2 * n + 1) * sizeof *both);
    int status = both ? read_numbers(p, a->var, 0, n, a->values + from)
                      : pcdf_tool_unusable(path_of(p), "%s", pcdf_fail_text());
    if (!status && a->bounds >= 0)
        status = read_numbers(p, a->bounds, 0, 2 * n, both);
    for (int64_t i = 0; !status && i < n; i++) {
        bool has = a->bounds >= 0 && both[2 * i] == both[2 * i] && both[2 * i + 1] == both[2 * i + 1];
        double x = a->values[from + i], low = has ? both[2 * i] : x, high = has ? both[2 * i + 1] : x;
        a->low[from + i] = low < high ? low : high;
        a->high[from + i] = low < high ? high : low;
    }
    pcdf_free(both);
    return status;
}

static int root_read_axes(struct pcdf_reduce_plan *p)
{
    int status = PCDF_TOOL_GOOD, record = p->input->meta.record_dim;
    int nfiles = p->options->across ? 1 : p->options->nfrom;
    for (int file = 0; file < nfiles && p->naxes > 0 && !status; file++) {
        int64_t from, to;
        status = pcdf_reduce_input_turn(p->input, file);
        pcdf_reduce_input_records(p->input, file, &from, &to);
        for (int i = 0; i < p->naxes && !status; i++) {
            struct pcdf_reduce_axis *a = &p->axes[i];
            if (a->dim == record)
                status = read_axis(p, a, from, to);
            else if (file == 0)
                status = read_axis(p, a, 0, pcdf_reduce_length(p, a->dim));
        }
    }
    return status;
}

static void share_numbers_all(const struct pcdf_tool_ranks *ranks, double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i += AT_ONCE) /* the same on all ranks */
        pcdf_tool_share_all(ranks, x + i, (int)((n - i < AT_ONCE ? n - i : AT_ONCE) * 8), 0);
}

static int read_axes_all(struct pcdf_reduce_plan *p, const struct pcdf_tool_ranks *ranks)
{
    int status = pcdf_tool_worst_all(ranks, ranks->rank == 0 ? root_read_axes(p) : PCDF_TOOL_GOOD);
    for (int i = 0; i < p->naxes && !status; i++) { /* the same on all ranks */
        int64_t n = pcdf_reduce_length(p, p->axes[i].dim);
        share_numbers_all(ranks, p->axes[i].values, n);
        share_numbers_all(ranks, p->axes[i].low, n);
        share_numbers_all(ranks, p->axes[i].high, n);
    }
    return status;
}

/* ---- which variables */

/* With -v: these, and what they need. */
static int choose(struct pcdf_reduce_plan *p, bool *chosen)
{
    const struct pcdf_meta *meta = &p->input->meta;
    for (int i = 0; i < meta->nvars; i++)
        chosen[i] = !p->options->only;
    if (!p->options->only)
        return PCDF_TOOL_GOOD;
    int status = pcdf_reduce_input_turn(p->input, 0);
    status = status ? status : pcdf_tool_choose(p->input->ds, p->options->only, chosen);
    if (!status && pcdf_meaning_bring(meta, chosen))
        status = pcdf_tool_unusable(path_of(p), "%s", pcdf_fail_text());
    return status;
}

static bool is_of_axis(const struct pcdf_reduce_plan *p, int var)
{
    bool is_one = false;
    for (int i = 0; i < p->naxes; i++)
        is_one |= p->axes[i].var == var || p->axes[i].bounds == var;
    return is_one;
}

static bool has_reduced(const struct pcdf_reduce_plan *p, const struct pcdf_var *var)
{
    bool has = false;
    for (int i = 0; i < var->ndims; i++)
        has |= p->dims[var->dimids[i]] != PCDF_REDUCE_KEPT;
    return has;
}

/* Members of an ensemble have their coordinates in common. */
static bool is_common(const struct pcdf_reduce_plan *p, int var)
{
    const struct pcdf_meta *meta = &p->input->meta;
    const struct pcdf_var *v = &meta->vars[var];
    bool is_one = v->ndims == 0 || v->type == NC_CHAR;
    for (int i = 0; i < v->ndims; i++)
        is_one |= v->ndims == 1 && strcmp(v->name, meta->dims[v->dimids[i]].name) == 0;
    for (int i = 0; i < meta->nvars; i++)
        is_one |= pcdf_meaning_has_word(&meta->vars[i].atts, "bounds", v->name) ||
                  pcdf_meaning_has_word(&meta->vars[i].atts, "coordinates", v->name);
    return is_one;
}

static bool chooses(enum pcdf_reduce_op op)
{
    return op == PCDF_REDUCE_MIN || op == PCDF_REDUCE_MAX || op == PCDF_REDUCE_FIRST ||
           op == PCDF_REDUCE_LAST;
}

static void decide(struct pcdf_reduce_plan *p, int id, bool is_chosen)
{
    const struct pcdf_var *var = &p->input->meta.vars[id];
    struct pcdf_reduce_var *v = &p->vars[id];
    bool is_reduced = p->options->across ? !is_common(p, id) : has_reduced(p, var);
    bool is_out =
        !is_chosen || is_of_axis(p, id) || (is_reduced && p->weights.are_given && id == p->weights.own);
    v->keeps_packed = chooses(p->options->op);
    v->treatment = is_out ? PCDF_REDUCE_LEFT : is_reduced ? PCDF_REDUCE_REDUCED : PCDF_REDUCE_COPIED;
    if (v->treatment == PCDF_REDUCE_REDUCED && var->type == NC_CHAR) {
        pcdf_tool_say(path_of(p), "variable %.200s is text, and is left out", var->name);
        v->treatment = PCDF_REDUCE_LEFT;
    }
    pcdf_stored_of(&v->values, var, v->keeps_packed);
}

/* ---- weights */

static bool has_dim(const struct pcdf_var *var, int dim)
{
    bool has = false;
    for (int i = 0; i < var->ndims; i++)
        has |= var->dimids[i] == dim;
    return has;
}

/* A variable has all dimensions of the weights, or none that is reduced. */
static int weigh(struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *meta = &p->input->meta;
    const struct pcdf_reduce_weights *w = &p->weights;
    for (int i = 0; w->are_given && i < meta->nvars; i++) {
        bool has_all = true, has_some = false;
        int missing = -1;
        for (int k = 0; k < w->ndims; k++) {
            bool has = has_dim(&meta->vars[i], w->dimids[k]);
            has_all &= has;
            has_some |= has && p->dims[w->dimids[k]] != PCDF_REDUCE_KEPT;
            missing = has ? missing : w->dimids[k];
        }
        p->vars[i].is_weighted = has_all && p->vars[i].treatment == PCDF_REDUCE_REDUCED;
        if (!has_all && has_some && p->vars[i].treatment == PCDF_REDUCE_REDUCED)
            return pcdf_tool_unusable(
                path_of(p),
                "variable %.200s has no dimension %.200s, which the weights have; -v leaves "
                "it out",
                meta->vars[i].name, meta->dims[missing].name);
    }
    return PCDF_TOOL_GOOD;
}

/* ---- a mask */

static int check_mask(const struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *meta = &p->input->meta;
    for (int i = 0; p->mask.is_given && i < meta->nvars; i++) {
        int missing = pcdf_reduce_mask_foreign(&p->mask, &meta->vars[i]);
        if (p->vars[i].treatment != PCDF_REDUCE_REDUCED)
            continue;
        if (missing >= 0)
            return pcdf_tool_unusable(
                path_of(p),
                "variable %.200s has no dimension %.200s, which the mask has; -v leaves "
                "it out",
                meta->vars[i].name, meta->dims[missing].name);
        if (meta->vars[i].ndims > PCDF_REDUCE_MASK_DIMS)
            return pcdf_tool_unusable(path_of(p),
                                      "variable %.200s has more than %d dimensions, too many for a mask",
                                      meta->vars[i].name, PCDF_REDUCE_MASK_DIMS);
    }
    return PCDF_TOOL_GOOD;
}

/* ---- all of it */

/* Groups of dates that are guessed would be wrong. */
static int check_dates(const struct pcdf_reduce_plan *p, const struct pcdf_time *time)
{
    if (!pcdf_reduce_is_of_time(p->options->period))
        return PCDF_TOOL_GOOD;
    if (time->kind == PCDF_TIME_UNREADABLE)
        return pcdf_tool_unusable(path_of(p), "variable %.200s: %s", p->input->meta.dims[p->grouped].name,
                                  time->why);
    return PCDF_TOOL_GOOD;
}

static int make_groups(struct pcdf_reduce_plan *p)
{
    struct pcdf_time time = { 0 };
    const double *values = NULL;
    if (p->grouped < 0)
        return PCDF_TOOL_GOOD;
    for (int i = 0; i < p->naxes; i++)
        if (p->axes[i].dim == p->grouped) {
            values = p->axes[i].values;
            pcdf_time_of(&time, &p->input->meta, p->axes[i].var);
            if (check_dates(p, &time))
                return PCDF_TOOL_UNUSABLE;
        }
    int64_t length = pcdf_reduce_length(p, p->grouped), dateless;
    if (!pcdf_reduce_groups_make(&p->groups, p->options, length, &time, values))
        return pcdf_tool_unusable(path_of(p), "%s", pcdf_fail_text());
    dateless = p->groups.items ? length - p->groups.begins[p->groups.n] : 0;
    if (dateless > 0)
        pcdf_tool_say(path_of(p),
                      "%" PRId64 " of %" PRId64 " values of %.200s are no dates, and are in no group",
                      dateless, length, p->input->meta.dims[p->grouped].name);
    return p->groups.n > 0 ? PCDF_TOOL_GOOD
                           : pcdf_tool_unusable(path_of(p), "no group is left of dimension %.200s",
                                                p->input->meta.dims[p->grouped].name);
}

static int begin(struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *meta = &p->input->meta;
    size_t ndims = (size_t)meta->ndims + 1;
    p->dims = pcdf_calloc(ndims, sizeof *p->dims);
    p->out_dim = pcdf_calloc(ndims, sizeof *p->out_dim);
    p->axes = pcdf_calloc(ndims, sizeof *p->axes);
    p->vars = pcdf_calloc((size_t)meta->nvars + 1, sizeof *p->vars);
    if (!p->dims || !p->out_dim || !p->axes || !p->vars)
        return pcdf_tool_unusable(path_of(p), "%s", pcdf_fail_text());
    int status = mark_dims(p);
    status = status ? status : pcdf_reduce_weights_open(&p->weights, p->input);
    for (int i = 0; i < meta->ndims && !status; i++) {
        if (p->dims[i] == PCDF_REDUCE_GONE && pcdf_reduce_length(p, i) == 0)
            status = pcdf_tool_unusable(path_of(p), "dimension %.200s has no indices", meta->dims[i].name);
        else if (!make_axis(p, i))
            status = pcdf_tool_unusable(path_of(p), "%s", pcdf_fail_text());
    }
    return status;
}

static int times_of(const struct pcdf_var *var, int dim)
{
    int n = 0;
    for (int i = 0; i < var->ndims; i++)
        n += var->dimids[i] == dim;
    return n;
}

/* Groups and weights go by the place of their dimension: there is one. */
static int check_twice(const struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *meta = &p->input->meta;
    for (int i = 0; i < meta->nvars; i++) {
        int dim = times_of(&meta->vars[i], p->grouped) > 1 ? p->grouped : -1;
        for (int k = 0; p->vars[i].is_weighted && k < p->weights.ndims; k++)
            if (times_of(&meta->vars[i], p->weights.dimids[k]) > 1)
                dim = p->weights.dimids[k];
        if (dim >= 0 && p->vars[i].treatment == PCDF_REDUCE_REDUCED)
            return pcdf_tool_unusable(path_of(p),
                                      "variable %.200s has dimension %.200s twice; -v leaves it out",
                                      meta->vars[i].name, meta->dims[dim].name);
    }
    return PCDF_TOOL_GOOD;
}

static int finish(struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *meta = &p->input->meta;
    bool *chosen = pcdf_calloc((size_t)meta->nvars + 1, sizeof *chosen);
    int status = chosen ? make_groups(p) : pcdf_tool_unusable(path_of(p), "%s", pcdf_fail_text());
    status = status ? status : choose(p, chosen);
    for (int i = 0; i < meta->nvars && !status; i++)
        decide(p, i, chosen[i]);
    status = status ? status : weigh(p);
    status = status ? status : check_twice(p);
    status = status ? status : check_mask(p);
    pcdf_free(chosen);
    return status ? status : pcdf_reduce_define(p);
}

int pcdf_reduce_plan_all(struct pcdf_reduce_plan *p, const struct pcdf_tool_ranks *ranks,
                         const struct pcdf_reduce_options *options, struct pcdf_reduce_input *input)
{
    *p = (struct pcdf_reduce_plan){ .options = options, .input = input, .grouped = -1 };
    pcdf_meta_init(&p->out, (enum pcdf_version)pcdf_tool_format_version(options->format));
    int status = begin(p);
    status = status ? status : pcdf_reduce_mask_open(&p->mask, input, ranks->rank == 0);
    uint32_t sum = p->weights.is_open ? pcdf_tool_dataset_sum(&p->weights.ds, 0) : 0;
    status = pcdf_tool_agree_all(ranks, NULL, sum, status);
    if (!status) /* the same on all ranks, as is what follows */
        status = read_axes_all(p, ranks);
    if (!status)
        status = pcdf_tool_worst_all(ranks, finish(p));
    if (status)
        pcdf_reduce_plan_free(p);
    return status;
}

void pcdf_reduce_plan_free(struct pcdf_reduce_plan *p)
{
    for (int i = 0; p->axes && i < p->naxes; i++) {
        pcdf_free(p->axes[i].values);
        pcdf_free(p->axes[i].low);
        pcdf_free(p->axes[i].high);
    }
    pcdf_reduce_weights_close(&p->weights);
    pcdf_reduce_mask_close(&p->mask);
    pcdf_reduce_groups_free(&p->groups);
    pcdf_free(p->dims);
    pcdf_free(p->out_dim);
    pcdf_free(p->axes);
    pcdf_free(p->vars);
    pcdf_meta_free(&p->out);
}
