/* See stored.h. */
#include "stored.h"
#include "stats.h"
#include "value.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- what stands for no value */

static void split(nc_type type, const unsigned char *bytes, double *x, double *rest)
{
    const struct pcdf_value v = pcdf_value_load(type, bytes);
    *x = pcdf_value_as_real(&v);
    *rest = 0;
    if (type == NC_INT64)
        *rest = *x < 0x1p63 ? (double)(v.is.integer - (int64_t)*x) : -(double)(INT64_MAX - v.is.integer) - 1;
    else if (type == NC_UINT64)
        *rest = *x < 0x1p64 ? (double)(int64_t)(v.is.natural - (uint64_t)*x)
                            : -(double)(UINT64_MAX - v.is.natural) - 1;
}

static void add_hole(struct pcdf_stored_form *v, nc_type type, const unsigned char *bytes)
{
    if (v->nholes == PCDF_STORED_HOLES)
        return;
    double *hole = &v->holes[v->nholes];
    split(type, bytes, hole, &v->hole_rests[v->nholes]);
    if (v->type == NC_FLOAT && fabs(*hole) <= (double)FLT_MAX) /* 1.e20 of a double is 1.e20f */
        *hole = (double)(float)*hole;
    v->nholes++;
}

static const struct pcdf_att *attribute(const struct pcdf_var *var, const char *name)
{
    int i = pcdf_atts_find(&var->atts, name);
    return i < 0 || var->atts.x[i].type == NC_CHAR ? NULL : &var->atts.x[i];
}

/* As the variable's numbers are read, where it has their type. */
static nc_type read_as(const struct pcdf_stored_form *v, const struct pcdf_var *var,
                       const struct pcdf_att *att)
{
    return att->type == var->type ? v->type : att->type;
}

static void find_holes(struct pcdf_stored_form *v, const struct pcdf_var *var)
{
    const struct pcdf_att *missing = attribute(var, "missing_value");
    const unsigned char *fill = pcdf_tool_fill(var);
    if (fill)
        add_hole(v, v->type, fill);
    for (int64_t i = 0; missing && i < missing->nelems; i++)
        add_hole(v, read_as(v, var, missing), missing->values + i * pcdf_type_size(missing->type));
}

static bool bound(struct pcdf_stored_form *v, const struct pcdf_var *var, const char *name, int64_t i,
                  int64_t n, double *to)
{
    const struct pcdf_att *att = attribute(var, name);
    if (!att || att->nelems != n)
        return false;
    *to = pcdf_value_load_real(read_as(v, var, att), att->values + i * pcdf_type_size(att->type));
    bool is_real = att->type == NC_FLOAT || att->type == NC_DOUBLE;
    v->are_of_values |= v->packing.is_packed && is_real && var->type != NC_FLOAT && var->type != NC_DOUBLE;
    return !isnan(*to);
}

void pcdf_stored_of(struct pcdf_stored_form *v, const struct pcdf_var *var, bool keeps_packed)
{
    *v = (struct pcdf_stored_form){ .packing = pcdf_tool_packing_of(var) };
    v->type = v->packing.type;
    v->has_rest = v->type == NC_INT64 || v->type == NC_UINT64;
    find_holes(v, var);
    v->has_least =
        bound(v, var, "valid_range", 0, 2, &v->least) || bound(v, var, "valid_min", 0, 1, &v->least);
    v->has_most = bound(v, var, "valid_range", 1, 2, &v->most) || bound(v, var, "valid_max", 0, 1, &v->most);
    if (keeps_packed)
        v->packing.is_packed = false;
    if (v->packing.is_packed)
        v->has_rest = false;
}

/* ---- numbers */

static void decode64(nc_type type, const unsigned char *bytes, int64_t n, double *x, double *rest)
{
    for (int64_t i = 0; i < n; i++)
        split(type, bytes + i * 8, &x[i], &rest[i]);
}

static void take_out_holes(const struct pcdf_stored_form *v, int64_t n, double *x, const double *rest)
{
    for (int k = 0; k < v->nholes; k++) {
        double hole = v->holes[k], hole_rest = v->hole_rests[k];
        for (int64_t i = 0; !rest && i < n; i++)
            x[i] = x[i] == hole ? (double)NAN : x[i];
        for (int64_t i = 0; rest && i < n; i++)
            x[i] = x[i] == hole && rest[i] == hole_rest ? (double)NAN : x[i];
    }
}

/* Values are x * scale + offset. */
static void take_out_of_range(const struct pcdf_stored_form *v, int64_t n, double *x, double scale,
                              double offset)
{
    for (int64_t i = 0; v->has_least && i < n; i++)
        x[i] = x[i] * scale + offset < v->least ? (double)NAN : x[i];
    for (int64_t i = 0; v->has_most && i < n; i++)
        x[i] = x[i] * scale + offset > v->most ? (double)NAN : x[i];
}

void pcdf_stored_decode(const struct pcdf_stored_form *v, const unsigned char *bytes, int64_t n, double *x,
                        double *rest)
{
    bool is_wide = v->type == NC_INT64 || v->type == NC_UINT64;
    if (is_wide)
        decode64(v->type, bytes, n, x, rest);
    else
        pcdf_stats_best_loops()->decode(v->type, bytes, (int)n, x);
    take_out_holes(v, n, x, is_wide ? rest : NULL);
    if (v->are_of_values)
        take_out_of_range(v, n, x, v->packing.scale, v->packing.offset);
    else
        take_out_of_range(v, n, x, 1, 0);
    for (int64_t i = 0; v->packing.is_packed && i < n; i++)
        x[i] = x[i] * v->packing.scale + v->packing.offset;
}
