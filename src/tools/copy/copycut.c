/* Values as the new file numbers them, from where they are in the old one: see copymove.h. */
#include "copymove.h"
#include "tool.h"

#include <errno.h>
#include <unistd.h>

enum { WORTH_LOOKING = 64 * 1024 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

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
    int64_t place = (c->low + at * c->stride) * below, unit = below * c->length;
    for (int i = last - 1; i >= 0; i--) {
        c = &plan->cuts[var->dimids[i]];
        int64_t length = i > 0 ? length_of(plan, var, i) : INT64_MAX;
        place += (c->low + row % length * c->stride) * unit;
        row /= length;
        unit *= i > 0 ? c->length : 1;
    }
    return place;
}

int pcdf_copy_read(const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from, int varid,
                   int64_t first, int64_t n, void *bytes)
{
    const struct pcdf_var *var = &plan->order.vars[varid];
    int last = last_cut(plan, var), source = plan->source[varid], status = PCDF_TOOL_GOOD;
    int64_t below = 1, size = pcdf_type_size(var->type);
    unsigned char *to = bytes;

    if (last < 0)
        return pcdf_tool_values(from, source, first, n, bytes);
    for (int i = var->ndims - 1; i > last; i--)
        below *= length_of(plan, var, i);
    const struct pcdf_copy_cut *c = &plan->cuts[var->dimids[last]];
    int64_t length = length_of(plan, var, last);
    while (n > 0 && !status) {
        int64_t inner = first % below, at = first / below % length, row = first / below / length;
        int64_t run = least(n, c->stride == 1 ? (length - at) * below - inner : below - inner);
        status = pcdf_tool_values(from, source, place_of(plan, var, last, row, at, below) + inner, run, to);
        to += run * size;
        first += run;
        n -= run;
    }
    return status;
}

/* The stretch of the file from the first of the values to the last, others between them included. */
bool pcdf_copy_is_hole(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *from, int varid,
                       int64_t first, int64_t n)
{
    const struct pcdf_var *var = &from->meta.vars[plan->source[varid]];
    int64_t size = pcdf_type_size(var->type), each = var->nbytes / size, last = first + n - 1;
    int64_t at = from->layout.begin[plan->source[varid]], end = at;

    if (n * size < WORTH_LOOKING || last_cut(plan, &plan->order.vars[varid]) >= 0)
        return false;
    if (var->is_record) {
        at += first / each * from->layout.recsize + first % each * size;
        end += last / each * from->layout.recsize + (last % each + 1) * size;
    } else {
        at += first * size;
        end += (last + 1) * size;
    }
    if (end > from->file.size)
        return false;
    off_t data = lseek(from->file.fd, at, SEEK_DATA);
    return data < 0 ? errno == ENXIO : data >= end;
}
