/* See joingroups.h. */
#include "joingroups.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"

#include <stdlib.h>

int pcdf_join_slowest(const struct pcdf_join_plan *plan, int var)
{
    const struct pcdf_var *v = &plan->in.vars[var];
    if (plan->vars[var].has_new)
        return 0;
    for (int i = 0; i < v->ndims; i++) {
        int axis = plan->axis_of[v->dimids[i]];
        if (axis >= 0)
            return plan->axes[axis].is_scattered ? -1 : axis;
    }
    return -1;
}

struct placed { /* a tile on the main axis */
    int64_t first, end, tile;
};

static int compare(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->tile > y->tile) - (x->tile < y->tile);
}

/* The group of each tile: bands, between which no tile lies, are shared out evenly. */
static int64_t divide(const struct placed *x, int64_t n, int64_t wanted, int64_t *group_of)
{
    int64_t bands = 0, end = 0;
    for (int64_t i = 0; i < n; i++) {
        bands += i == 0 || x[i].first >= end;
        end = pcdf_larger(end, x[i].end);
        group_of[x[i].tile] = bands - 1;
    }
    int64_t groups = pcdf_larger(1, pcdf_smaller(wanted, bands));
    for (int64_t i = 0; i < n; i++)
        group_of[i] = group_of[i] * groups / bands;
    return groups;
}

/* Where the groups begin on an axis; false: they do not lie one behind the other. */
static bool bound(const struct pcdf_join_plan *plan, int axis, const int64_t *group_of, int64_t n,
                  int64_t *bounds, int64_t *ends)
{
    bool is_clean = true;
    for (int64_t g = 0; g <= n; g++) {
        bounds[g] = plan->axes[axis].length;
        ends[g] = 0;
    }
    for (int64_t i = 0; i < plan->ntiles; i++) {
        const struct pcdf_join_span *s = &plan->spans[i * plan->naxes + axis];
        int64_t g = group_of[i];
        bounds[g] = pcdf_smaller(bounds[g], s->first);
        ends[g] = pcdf_larger(ends[g], s->first + s->count);
    }
    for (int64_t g = 1; g < n; g++) {
        ends[g] = pcdf_larger(ends[g], ends[g - 1]);
        is_clean &= ends[g - 1] <= bounds[g];
    }
    bounds[0] = 0;
    return is_clean && !plan->axes[axis].is_scattered;
}

static int fill(struct pcdf_join_groups *groups, const struct pcdf_join_plan *plan, const int64_t *group_of)
{
    size_t each = (size_t)groups->n + 1;
    groups->bounds = pcdf_calloc(each * (size_t)plan->naxes, sizeof *groups->bounds);
    int64_t *ends = pcdf_calloc(each, sizeof *ends);
    for (int k = 0; k < plan->naxes && groups->bounds && ends; k++)
        groups->is_clean[k] = bound(plan, k, group_of, groups->n, groups->bounds + (size_t)k * each, ends);
    pcdf_free(ends);
    return groups->bounds && ends ? NC_NOERR : NC_ENOMEM;
}

int pcdf_join_groups_make(struct pcdf_join_groups *groups, const struct pcdf_join_plan *plan, int axis,
                          int64_t wanted)
{
    *groups = (struct pcdf_join_groups){ .n = 1 };
    if (axis < 0 || wanted < 2 || plan->ntiles < 2)
        return NC_NOERR;
    struct placed *x = pcdf_malloc((size_t)plan->ntiles * sizeof *x);
    int64_t *group_of = pcdf_calloc((size_t)plan->ntiles, sizeof *group_of);
    int err = x && group_of ? NC_NOERR : NC_ENOMEM;
    for (int64_t i = 0; i < plan->ntiles && !err; i++) {
        const struct pcdf_join_span *s = &plan->spans[i * plan->naxes + axis];
        x[i] = (struct placed){ s->first, s->first + s->count, i };
    }
    if (!err) {
        qsort(x, (size_t)plan->ntiles, sizeof *x, compare);
        groups->n = divide(x, plan->ntiles, wanted, group_of);
        err = groups->n > 1 ? fill(groups, plan, group_of) : NC_NOERR;
    }
    pcdf_free(x);
    pcdf_free(group_of);
    return err;
}

void pcdf_join_groups_free(struct pcdf_join_groups *groups)
{
    pcdf_free(groups->bounds);
    groups->bounds = NULL;
}
