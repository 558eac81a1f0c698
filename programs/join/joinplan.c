/* See joinplan.h. */
#include "joinplan.h"
#include "joinalong.h"
#include "joindefine.h"
#include "joinfiles.h"
#include "joinindex.h"
#include "jointiles.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "toolkind.h"
#include "meaningtext.h"

#include <string.h>

const char *pcdf_join_keep_text(struct pcdf_join_plan *plan, const char *text, size_t n)
{
    char *copy = NULL;
    if (plan->ntexts == (int)(sizeof plan->texts / sizeof *plan->texts))
        pcdf_tool_say(NULL, "more than %d dimensions cannot be joined", PCDF_JOIN_AXES);
    else if (!(copy = pcdf_strndup(text, n)))
        pcdf_tool_say(NULL, "%s", pcdf_fail_text());
    else
        plan->texts[plan->ntexts++] = copy;
    return copy;
}

int pcdf_join_add_axis(struct pcdf_join_plan *plan, int dim, const char *name, struct pcdf_join_axis **axis)
{
    if (plan->naxes == PCDF_JOIN_AXES)
        return pcdf_tool_unusable(NULL, "more than %d dimensions cannot be joined", PCDF_JOIN_AXES);
    if (dim >= 0 && plan->axis_of[dim] >= 0)
        return pcdf_tool_unusable(NULL, "dimension %.200s is named twice", name);
    if (dim >= 0)
        plan->axis_of[dim] = plan->naxes;
    *axis = &plan->axes[plan->naxes++];
    **axis = (struct pcdf_join_axis){ .name = name, .dim = dim };
    return PCDF_TOOL_GOOD;
}

int pcdf_join_bounds_of(const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    char name[PCDF_MEANING_TEXT];
    if (!pcdf_meaning_text(&var->atts, "bounds", name) && !pcdf_meaning_text(&var->atts, "climatology", name))
        return -1;
    return pcdf_meta_find_var(meta, name);
}

/* ---- the way */

static int find_way(struct pcdf_join_plan *plan)
{
    bool is_part = false;
    int status = PCDF_TOOL_GOOD;
    plan->way = plan->options->way;
    if (plan->way == PCDF_JOIN_LAYOUT)
        return pcdf_join_layout_begin(plan);
    if (plan->way == PCDF_JOIN_BY_FILES)
        status = pcdf_join_tiles_begin(plan, &plan->way);
    if (!status && (plan->way == PCDF_JOIN_INDEX || (plan->way == PCDF_JOIN_ALONG && !plan->options->way)))
        status = pcdf_join_index_begin(plan, &is_part);
    if (is_part)
        plan->way = PCDF_JOIN_INDEX;
    if (!status && (plan->way == PCDF_JOIN_ALONG || plan->way == PCDF_JOIN_NEW))
        status = pcdf_join_along_begin(plan);
    if (!status && plan->options->fill_missing && (plan->way <= PCDF_JOIN_NEW || is_part))
        status =
            pcdf_tool_unusable(plan->options->from[0], "it is no tile: --fill-missing has nothing to fill");
    return status;
}

/* ---- variables */

/* Coordinates and what belongs to them have no new dimension. */
static bool is_coordinate(const struct pcdf_meta *in, int id)
{
    const struct pcdf_var *var = &in->vars[id];
    bool is = pcdf_meta_find_dim(in, var->name) >= 0;
    for (int i = 0; i < in->nvars && !is; i++)
        is = pcdf_join_bounds_of(in, &in->vars[i]) == id ||
             pcdf_meaning_has_word(&in->vars[i].atts, "coordinates", var->name);
    return is;
}

static int set_time(struct pcdf_join_plan *plan, int id)
{
    struct pcdf_time time, *kept;
    if (pcdf_time_of(&time, &plan->in, id) == PCDF_TIME_NONE)
        return PCDF_TOOL_GOOD;
    kept = pcdf_arena_take(&plan->in.arena, sizeof *kept);
    if (!kept)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    *kept = time;
    plan->vars[id].time = kept;
    return PCDF_TOOL_GOOD;
}

static int set_vars(struct pcdf_join_plan *plan)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < plan->in.nvars && !status; i++) {
        const struct pcdf_var *var = &plan->in.vars[i];
        struct pcdf_join_var *v = &plan->vars[i];
        int scattered = 0;
        bool is_twice = false;
        *v = (struct pcdf_join_var){ .domain = -1 };
        v->has_new = plan->way == PCDF_JOIN_NEW && !is_coordinate(&plan->in, i);
        v->axes = v->has_new ? 1 : 0;
        for (int k = 0; k < var->ndims; k++)
            if (plan->axis_of[var->dimids[k]] >= 0) {
                is_twice |= (v->axes >> plan->axis_of[var->dimids[k]] & 1) != 0;
                v->axes |= UINT32_C(1) << plan->axis_of[var->dimids[k]];
                scattered += plan->axes[plan->axis_of[var->dimids[k]]].is_scattered;
            }
        if (is_twice)
            status = pcdf_tool_unusable(
                plan->options->from[0],
                "variable %.200s has a dimension twice, along which the files are joined", var->name);
        else if (scattered > 1)
            status = pcdf_tool_unusable(plan->options->from[0],
                                        "variable %.200s has elements in two dimensions", var->name);
        if (!status && plan->way == PCDF_JOIN_ALONG && v->axes)
            status = set_time(plan, i);
    }
    return status;
}

/* ---- the first file */

static int begin(struct pcdf_join_plan *plan, uint32_t *sum)
{
    struct pcdf_tool_dataset *ds;
    int status = pcdf_tool_files_get(plan->files, 0, &ds);
    if (status)
        return status;
    *sum = pcdf_tool_dataset_sum(ds, 0);
    if (pcdf_meta_copy(&plan->in, &ds->meta))
        return pcdf_tool_unusable(plan->options->from[0], "%s", pcdf_fail_text());
    plan->axis_of = pcdf_malloc((size_t)(plan->in.ndims + 1) * sizeof *plan->axis_of);
    plan->vars = pcdf_calloc((size_t)plan->in.nvars + 1, sizeof *plan->vars);
    if (!plan->axis_of || !plan->vars)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    for (int i = 0; i < plan->in.ndims; i++)
        plan->axis_of[i] = -1;
    status = find_way(plan);
    return status ? status : set_vars(plan);
}

/* ---- do the tiles cover it? */

static int cover(struct pcdf_join_plan *plan, struct pcdf_join_domain *d)
{
    int chosen[PCDF_JOIN_AXES], n = 0;
    int64_t lengths[PCDF_JOIN_AXES], hole[2 * PCDF_JOIN_AXES];
    struct pcdf_join_cover c = { .hole = hole };
    const struct pcdf_join_boxes boxes = { plan->ntiles, plan->naxes, plan->spans };
    for (int k = 0; k < plan->naxes; k++)
        if (d->axes >> k & 1) {
            lengths[n] = plan->axes[k].length;
            chosen[n++] = k;
        }
    if (pcdf_join_cover(&boxes, n, chosen, lengths, &c))
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    d->has_overlap = c.has_overlap;
    d->has_hole = c.has_hole;
    return c.has_hole && !plan->options->fill_missing ? pcdf_join_tiles_missing(plan, chosen, n, hole)
                                                      : PCDF_TOOL_GOOD;
}

static int add_domain(struct pcdf_join_plan *plan, uint32_t axes, int *domain)
{
    for (*domain = 0; *domain < plan->ndomains; ++*domain)
        if (plan->domains[*domain].axes == axes)
            return PCDF_TOOL_GOOD;
    struct pcdf_join_domain *d = &plan->domains[plan->ndomains++];
    *d = (struct pcdf_join_domain){ .axes = axes };
    bool is_tiled = plan->way >= PCDF_JOIN_FMS || plan->way == PCDF_JOIN_LAYOUT;
    return is_tiled ? cover(plan, d) : PCDF_TOOL_GOOD;
}

/* Variables with most axes come first: what is missing is told in all of them. */
static int add_domains(struct pcdf_join_plan *plan)
{
    int status = PCDF_TOOL_GOOD;
    plan->domains = pcdf_calloc((size_t)plan->in.nvars + 1, sizeof *plan->domains);
    if (!plan->domains)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    for (int most = PCDF_JOIN_AXES; most > 0 && !status; most--)
        for (int i = 0; i < plan->in.nvars && !status; i++)
            if (plan->vars[i].axes && __builtin_popcount(plan->vars[i].axes) == most)
                status = add_domain(plan, plan->vars[i].axes, &plan->vars[i].domain);
    return status;
}

/* ---- all of it */

static int place_all(struct pcdf_join_plan *plan)
{
    int status = PCDF_TOOL_GOOD;
    if (plan->way == PCDF_JOIN_ALONG) /* the same on all ranks */
        return pcdf_join_along_place_all(plan);
    if (plan->way == PCDF_JOIN_INDEX)
        return pcdf_join_index_place_all(plan);
    if (plan->way == PCDF_JOIN_NEW)
        status = pcdf_join_new_place(plan);
    if (plan->way == PCDF_JOIN_LAYOUT)
        status = pcdf_join_layout_place(plan);
    return pcdf_tool_worst_all(plan->ranks, status);
}

static int make_all(struct pcdf_join_plan *plan)
{
    uint32_t sum = 0;
    int status = begin(plan, &sum);
    status = pcdf_tool_agree_all(plan->ranks, plan->options->from[0], sum, status);
    if (!status) /* the same on all ranks, as is what follows */
        status = pcdf_join_files_all(plan);
    if (!status)
        status = place_all(plan);
    if (!status)
        status = add_domains(plan);
    if (!status)
        status = pcdf_join_define(plan);
    return pcdf_tool_worst_all(plan->ranks, status);
}

int pcdf_join_plan_all(struct pcdf_join_plan *plan, const struct pcdf_tool_ranks *ranks,
                       const struct pcdf_join_options *options, struct pcdf_tool_files *files)
{
    *plan = (struct pcdf_join_plan){ .ranks = ranks, .options = options, .files = files };
    pcdf_meta_init(&plan->in, PCDF_CDF5);
    pcdf_meta_init(&plan->out, (enum pcdf_version)pcdf_tool_format_version(options->format));
    int status = make_all(plan);
    if (status)
        pcdf_join_plan_free(plan);
    return status;
}

void pcdf_join_plan_free(struct pcdf_join_plan *plan)
{
    pcdf_layout_free(&plan->layout);
    pcdf_meta_free(&plan->out);
    pcdf_meta_free(&plan->in);
    pcdf_free(plan->axis_of);
    pcdf_free(plan->vars);
    pcdf_free(plan->facts);
    pcdf_free(plan->tile_file);
    pcdf_free(plan->spans);
    pcdf_free(plan->domains);
    pcdf_free(plan->differs);
    for (int i = 0; i < plan->ntexts; i++)
        pcdf_free(plan->texts[i]);
}
