/* See reducewrite.h. */
#include "reducewrite.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <math.h>
#include <pnetcdf.h>
#include <string.h>

/* ---- numbers */

/* Of results that are integers: those that an operation chose, counts. */
static uint64_t integer_of(nc_type type, const struct pcdf_reduce_result *r)
{
    if (type == NC_UINT64 && r->x >= 0x1p63)
        return (uint64_t)(r->x - 0x1p63) + ((uint64_t)1 << 63) + (uint64_t)(int64_t)r->rest;
    return (uint64_t)((int64_t)r->x + (int64_t)r->rest);
}

/* As the type has it in the memory of this machine. */
static void store(nc_type type, const struct pcdf_reduce_result *r, void *to)
{
    if (type == NC_FLOAT) {
        *(float *)to = (float)(r->x + r->rest);
    } else if (type == NC_DOUBLE) {
        *(double *)to = r->rest != 0 ? r->x + r->rest : r->x;
    } else {
        uint64_t integer = integer_of(type, r);
        switch (pcdf_type_size(type)) {
        case 1:
            *(uint8_t *)to = (uint8_t)integer;
            break;
        case 2:
            *(uint16_t *)to = (uint16_t)integer;
            break;
        case 4:
            *(uint32_t *)to = (uint32_t)integer;
            break;
        default:
            *(uint64_t *)to = integer;
        }
    }
}

/* 2^63 and 2^64 are what the largest integers are rounded to: their rest is negative. */
static struct pcdf_reduce_result within(nc_type type, struct pcdf_reduce_result r)
{
    double most = type == NC_INT64 ? 0x1p63 : 0x1p64;
    if ((type == NC_INT64 || type == NC_UINT64) && r.x >= most) {
        r.rest += 2048;
        r.x = most - 2048;
    }
    return r;
}

/* ---- boxes */

static void place(const struct pcdf_reduce_plan *p, const struct pcdf_reduce_unit *unit, int64_t *start,
                  int64_t *count)
{
    const struct pcdf_var *var = &p->input->meta.vars[unit->var];
    int n = 0;
    for (int i = 0; i < var->ndims; i++) {
        int dim = var->dimids[i];
        if (p->out_dim[dim] < 0)
            continue;
        bool is_gone = p->dims[dim] == PCDF_REDUCE_GONE; /* kept with a length of 1 */
        start[n] = is_gone ? 0 : unit->start[i];
        count[n++] = is_gone ? 1 : unit->count[i];
    }
}

int pcdf_reduce_put_all(const struct pcdf_reduce_plan *p, struct pcdf_tool_puts *puts,
                        const struct pcdf_reduce_unit *unit, const void *numbers)
{
    int ndims = p->input->meta.vars[unit->var].ndims, varid = p->vars[unit->var].out;
    int64_t *start = pcdf_calloc((size_t)ndims * 2 + 1, sizeof *start);
    if (!start)
        return pcdf_tool_unusable(p->options->to, "%s", pcdf_fail_text());
    place(p, unit, start, start + ndims);
    const struct pcdf_tool_put put = {
        .varid = varid, .start = start, .count = start + ndims, .values = numbers
    };
    int status = pcdf_tool_put_all(puts, &put);
    pcdf_free(start);
    return status;
}

/* A result that is the number of those that are none is written as the one beside it: nearer to 0, or above
 * it. */
static void avoid_fill_value(const struct pcdf_var *var, const unsigned char *fill, void *number)
{
    if ((var->type != NC_FLOAT && var->type != NC_DOUBLE) ||
        memcmp(number, fill, (size_t)pcdf_type_size(var->type)) != 0)
        return;
    if (var->type == NC_FLOAT)
        *(float *)number = nextafterf(*(float *)number, *(float *)number == 0);
    else
        *(double *)number = nextafter(*(double *)number, *(double *)number == 0);
}

int pcdf_reduce_put_cells_all(struct pcdf_reduce_plan *p, struct pcdf_tool_puts *puts,
                              const struct pcdf_reduce_unit *unit, struct pcdf_reduce_cells *cells)
{
    const struct pcdf_var *var = &p->out.vars[p->vars[unit->var].out];
    size_t size = (size_t)pcdf_type_size(var->type);
    const struct pcdf_reduce_var *v = &p->vars[unit->var];
    const nc_type type =
        v->keeps_packed ? v->values.type : var->type; /* with or without a sign, as it was read */
    unsigned char fill[8], *numbers = pcdf_malloc((size_t)cells->n * size + 8);
    if (!numbers)
        return pcdf_tool_unusable(p->options->to, "%s", pcdf_fail_text());
    pcdf_meaning_missing(var, fill);
    pcdf_values_swap(fill, 1, (int)size);
    for (int64_t i = 0; i < cells->n; i++) {
        struct pcdf_reduce_result r =
            pcdf_reduce_result_of(cells, i, p->options->of_sample, p->options->quantile);
        r = within(type, r);
        if (var->type == NC_INT && p->options->op == PCDF_REDUCE_COUNT && r.x > INT32_MAX) {
            pcdf_free(numbers);
            return pcdf_tool_unusable(p->options->to,
                                      "a count of %.200s is too large for an int: -k cdf5 has longer ones",
                                      var->name);
        }
        if (r.is_value)
            store(type, &r, numbers + (size_t)i * size);
        else
            memcpy(numbers + (size_t)i * size, fill, size);
        if (r.is_value && !p->vars[unit->var].keeps_packed)
            avoid_fill_value(var, fill, numbers + (size_t)i * size);
    }
    int status = pcdf_reduce_put_all(p, puts, unit, numbers);
    pcdf_free(numbers);
    return status;
}

/* ---- coordinates */

struct span {
    double low, high, first;
    bool is_value;
};

static void widen(struct span *s, const struct pcdf_reduce_axis *a, int64_t i)
{
    if (a->values[i] != a->values[i])
        return;
    s->low = !s->is_value || a->low[i] < s->low ? a->low[i] : s->low;
    s->high = !s->is_value || a->high[i] > s->high ? a->high[i] : s->high;
    s->first = s->is_value ? s->first : a->values[i];
    s->is_value = true;
}

static struct span span_of(const struct pcdf_reduce_plan *p, const struct pcdf_reduce_axis *a, int64_t group)
{
    struct span s = { 0 };
    if (a->dim == p->grouped)
        for (int64_t i = 0; i < pcdf_reduce_group_size(&p->groups, group); i++)
            widen(&s, a, pcdf_reduce_group_item(&p->groups, group, i));
    else
        for (int64_t i = 0; i < pcdf_reduce_length(p, a->dim); i++)
            widen(&s, a, i);
    return s;
}

/* Over all years the coordinate is the first one of the group; else the middle. */
static int put_axis_all(const struct pcdf_reduce_plan *p, struct pcdf_tool_puts *puts,
                        const struct pcdf_reduce_axis *a)
{
    bool has_dim = p->out_dim[a->dim] >= 0, is_climate = p->options->of_all_years && a->dim == p->grouped;
    int64_t n = pcdf_reduce_new_length(p, a->dim);
    int status = PCDF_TOOL_GOOD;
    for (int64_t g = 0; g < n && !status; g++) {
        struct span s = span_of(p, a, g);
        if (!s.is_value)
            s = (struct span){ NC_FILL_DOUBLE, NC_FILL_DOUBLE, NC_FILL_DOUBLE, false };
        double middle = is_climate ? s.first : s.low + (s.high - s.low) / 2, both[2] = { s.low, s.high };
        int64_t start[2] = { has_dim ? g : 0, 0 }, count[2] = { has_dim ? 1 : 2, 2 }, one[1] = { 1 };
        const struct pcdf_tool_put
            value = { .varid = a->out, .start = start, .count = one, .values = &middle, .are_doubles = true },
            bounds = {
                .varid = a->out_bounds, .start = start, .count = count, .values = both, .are_doubles = true
            };
        status = pcdf_tool_put_all(puts, &value);
        status = status ? status : pcdf_tool_put_all(puts, &bounds);
    }
    return status;
}

int pcdf_reduce_put_axes_all(const struct pcdf_reduce_plan *p, struct pcdf_tool_puts *puts)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < p->naxes && !status; i++)
        if (p->axes[i].out >= 0)
            status = put_axis_all(p, puts, &p->axes[i]);
    return status;
}
