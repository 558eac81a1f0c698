/* Values as the new file numbers them, from where they are in the old one: see copymove.h. */
#include "copymove.h"
#include "numbers.h"
#include "tool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { WORTH_LOOKING = 64 * 1024 };

struct pcdf_copy_row {     /* where a read stands */
    int last;              /* the innermost dimension that is cut */
    int64_t first;         /* the next value of the new variable */
    int64_t below, length; /* values in one index of `last`; its new length */
};

/* The innermost dimension that is cut, -1: none. */
static int last_cut(const struct pcdf_copy_plan *plan, const struct pcdf_var *var)
{
    int i = var->ndims - 1;
    while (i >= 0 && plan->cuts[var->dimids[i]].is_whole)
        i--;
    return i;
}

/* Length of dimension i of a variable of the new file. */
static int64_t length_of(const struct pcdf_copy_plan *plan, const struct pcdf_var *var, int i)
{
    const struct pcdf_dim *dim = &plan->order.dims[var->dimids[i]];
    return var->dimids[i] == plan->order.record_dim ? plan->order.numrecs : dim->length;
}

/* Where in the old variable a run of values begins that is number `row` of the outer dimensions and `at` of
 * dimension `last`, whose values have `below` values each. */
static int64_t place_of(const struct pcdf_copy_plan *plan, const struct pcdf_var *var, int last, int64_t row,
                        int64_t at, int64_t below)
{
    const struct pcdf_copy_cut *c = &plan->cuts[var->dimids[last]];
    int64_t place = pcdf_copy_cut_at(c, at).low * below, unit = below * c->length;
    for (int i = last - 1; i >= 0; i--) {
        c = &plan->cuts[var->dimids[i]];
        int64_t length = i > 0 ? length_of(plan, var, i) : INT64_MAX;
        place += pcdf_copy_cut_at(c, row % length).low * unit;
        row /= length;
        unit *= i > 0 ? c->length : 1;
    }
    return place;
}

/* Values of one row of the innermost cut dimension. Gives how many values of n it took. */
static int64_t read_row(const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from, int varid,
                        struct pcdf_copy_row *r, int64_t n, unsigned char *to, int *status)
{
    const struct pcdf_var *var = &plan->order.vars[varid];
    int64_t inner = r->first % r->below, at = r->first / r->below % r->length,
            row = r->first / r->below / r->length;
    int64_t place = place_of(plan, var, r->last, row, at, r->below), picks = 1;
    struct pcdf_copy_span s = pcdf_copy_cut_at(&plan->cuts[var->dimids[r->last]], at);
    int64_t together = pcdf_smaller(s.n, r->length - at);

    if (s.stride > 1 && inner == 0 && n >= r->below)
        picks = pcdf_smaller(together, n / r->below);
    int64_t run = s.stride == 1 ? together * r->below - inner : r->below - inner;
    const struct pcdf_tool_runs runs = {
        .first = place + inner, .run = pcdf_smaller(n, run), .step = s.stride * r->below, .n = picks
    };
    *status = pcdf_tool_runs_values(from, plan->source[varid], &runs, to);
    return picks * runs.run;
}

int pcdf_copy_read(const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from, int varid,
                   int64_t first, int64_t n, void *bytes)
{
    const struct pcdf_var *var = &plan->order.vars[varid];
    struct pcdf_copy_row r = { .last = last_cut(plan, var), .first = first, .below = 1 };
    int64_t size = pcdf_type_size(var->type);
    unsigned char *to = bytes;
    int status = PCDF_TOOL_GOOD;

    if (r.last < 0)
        return pcdf_tool_values(from, plan->source[varid], first, n, bytes);
    for (int i = var->ndims - 1; i > r.last; i--)
        r.below *= length_of(plan, var, i);
    r.length = length_of(plan, var, r.last);
    while (n > 0 && !status) {
        int64_t run = read_row(plan, from, varid, &r, n, to, &status);
        to += run * size;
        r.first += run;
        n -= run;
    }
    return status;
}

/* The span of the file from the first of the values to the last, others between them included. */
bool pcdf_copy_is_hole(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *from, int varid,
                       int64_t first, int64_t n)
{
    int source = plan->source[varid];
    int64_t size = pcdf_type_size(from->meta.vars[source].type);

    if (n * size < WORTH_LOOKING || last_cut(plan, &plan->order.vars[varid]) >= 0)
        return false;
    int64_t at = pcdf_layout_value_at(&from->layout, &from->meta, source, first);
    int64_t last = pcdf_layout_value_at(&from->layout, &from->meta, source, first + n - 1);
    int64_t end = last > INT64_MAX - size ? INT64_MAX : last + size;
    if (end > from->file.size || from->file.fd < 0)
        return false;
    off_t data = lseek(from->file.fd, at, SEEK_DATA);
    return data < 0 ? errno == ENXIO : data >= end;
}
