/* See reducedefine.h. */
#include "reducedefine.h"
#include "alloc.h"
#include "meaningatts.h"
#include "meaningtext.h"
#include "rules.h"
#include "layout.h"
#include "status.h"
#include "tool.h"
#include "toolkind.h"
#include "value.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 8192 };

/* ---- dimensions */

static int add_dim(struct pcdf_reduce_plan *p, const char *name, int64_t length, int *id)
{
    PCDF_TRY(pcdf_rules_new_dim(&p->out, name, length));
    return pcdf_meta_add_dim(&p->out, name, length, id);
}

static bool is_used(const struct pcdf_reduce_plan *p, int dim)
{
    const struct pcdf_meta *in = &p->input->meta;
    bool is = !p->options->only;
    for (int i = 0; i < in->nvars; i++)
        for (int k = 0; k < in->vars[i].ndims && p->vars[i].treatment != PCDF_REDUCE_LEFT; k++)
            is |= in->vars[i].dimids[k] == dim;
    return is;
}

/* With length 1, though it is reduced. */
static bool stays(const struct pcdf_reduce_plan *p, int dim)
{
    enum pcdf_reduce_keep keep = p->options->keep;
    return keep == PCDF_REDUCE_KEEPS_ALL ||
           (keep == PCDF_REDUCE_KEEPS_RECORDS && dim == p->input->meta.record_dim);
}

static int add_dims(struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *in = &p->input->meta;
    for (int i = 0; i < in->ndims; i++) {
        p->out_dim[i] = -1;
        if ((p->dims[i] == PCDF_REDUCE_GONE && !stays(p, i)) || !is_used(p, i))
            continue;
        int64_t length = pcdf_reduce_new_length(p, i);
        if (i == in->record_dim)
            p->out.numrecs = length;
        PCDF_TRY(add_dim(p, in->dims[i].name, i == in->record_dim ? 0 : length, &p->out_dim[i]));
    }
    return NC_NOERR;
}

/* A name that nothing of that kind has. */
static void free_name(const struct pcdf_meta *meta, bool is_dim, const char *wanted, char *name, size_t room)
{
    snprintf(name, room, "%s", wanted);
    for (int i = 2; (is_dim ? pcdf_meta_find_dim(meta, name) : pcdf_meta_find_var(meta, name)) >= 0; i++)
        snprintf(name, room, "%.200s_%d", wanted, i);
}

/* ---- attributes */

/* What new numbers make wrong. id: of the variable in the input; -1: global attributes. */
static bool goes(const struct pcdf_reduce_plan *p, int id, const char *name)
{
    const struct pcdf_reduce_var *v = id < 0 ? NULL : &p->vars[id];
    return v && v->treatment == PCDF_REDUCE_REDUCED &&
           (strcmp(name, "cell_methods") == 0 || pcdf_meaning_tells(name, PCDF_MEANING_OF_VALUES) ||
            (!v->keeps_packed && pcdf_meaning_tells(name, PCDF_MEANING_OF_STORED)));
}

/* The same of coordinates, which have new bounds, too. */
static bool goes_of_axis(const char *name)
{
    return strcmp(name, "bounds") == 0 || strcmp(name, "climatology") == 0 ||
           pcdf_meaning_tells(name, PCDF_MEANING_OF_STORED | PCDF_MEANING_OF_VALUES);
}

static int copy_atts(struct pcdf_reduce_plan *p, int out, const struct pcdf_atts *from, int id, bool is_axis)
{
    for (int i = 0; i < from->n; i++) {
        const struct pcdf_att *a = &from->x[i];
        if (pcdf_atts_find(from, a->name) != i || (is_axis ? goes_of_axis(a->name) : goes(p, id, a->name)))
            continue;
        PCDF_TRY(pcdf_rules_type(&p->out, a->type));
        PCDF_TRY(
            pcdf_atts_append(&p->out, pcdf_meta_atts(&p->out, out), a->name, a->type, a->nelems, a->values));
    }
    return NC_NOERR;
}

static int put_text(struct pcdf_reduce_plan *p, int out, const char *name, const char *text)
{
    return pcdf_atts_put(&p->out, pcdf_meta_atts(&p->out, out), name, NC_CHAR, (int64_t)strlen(text), text);
}

static void old_text(const struct pcdf_atts *atts, const char *name, char text[TEXT])
{
    struct pcdf_meaning_slice part = pcdf_meaning_slice_of(pcdf_meaning_att(atts, name));
    snprintf(text, TEXT, "%.*s", (int)(part.length < TEXT / 2 ? part.length : TEXT / 2), part.text);
}

/* "time: mean", behind what is there; over all years: "time: mean within years time: mean over years". */
static int put_methods(struct pcdf_reduce_plan *p, int out, const struct pcdf_var *var)
{
    const struct pcdf_reduce_options *o = p->options;
    const char *method = pcdf_reduce_method(o), *within = o->period == PCDF_REDUCE_HOUR ? "days" : "years";
    char text[TEXT];
    old_text(&var->atts, "cell_methods", text);
    size_t n = strlen(text);
    for (int i = 0; i < var->ndims && method && n < TEXT - 1024; i++) {
        int dim = var->dimids[i];
        const char *name = p->input->meta.dims[dim].name;
        if (p->dims[dim] == PCDF_REDUCE_KEPT)
            continue;
        if (o->of_all_years && dim == p->grouped) {
            n += (size_t)snprintf(text + n, TEXT - n, "%s%.200s: %s within %s %.200s: %s over %s",
                                  n ? " " : "", name, method, within, name, method, within);
            continue;
        }
        n += (size_t)snprintf(text + n, TEXT - n, "%s%.200s:", n ? " " : "", name);
        bool is_last = true; /* dimensions of one method stand together */
        for (int k = i + 1; k < var->ndims; k++)
            is_last &= p->dims[var->dimids[k]] != PCDF_REDUCE_GONE;
        if (is_last || dim == p->grouped)
            n += (size_t)snprintf(text + n, TEXT - n, " %s", method);
    }
    return n > 0 ? put_text(p, out, "cell_methods", text) : NC_NOERR;
}

/* Of counts "1", of variances the square. */
static int put_units(struct pcdf_reduce_plan *p, int out)
{
    enum pcdf_reduce_op op = p->options->op;
    char units[PCDF_MEANING_TEXT], text[PCDF_MEANING_TEXT + 8];
    if (op == PCDF_REDUCE_COUNT || op == PCDF_REDUCE_ANY || op == PCDF_REDUCE_ALL)
        return put_text(p, out, "units", "1");
    if (op != PCDF_REDUCE_VAR || !pcdf_meaning_text(&p->out.vars[out].atts, "units", units))
        return NC_NOERR;
    bool is_word = strspn(units, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(units);
    snprintf(text, sizeof text, is_word ? "%s2" : "(%s)2", units);
    return put_text(p, out, "units", strcmp(units, "1") ? text : "1");
}

/* ---- variables */

/* Means of floats and of short integers are floats, as in other tools; of what is finer, doubles. */
static nc_type type_of(const struct pcdf_reduce_plan *p, const struct pcdf_var *var,
                       const struct pcdf_reduce_var *v)
{
    enum pcdf_reduce_op op = p->options->op;
    bool has_wide = p->options->format == PCDF_CDF5 || p->options->format == PCDF_TOOL_NETCDF4;
    bool is_short = pcdf_type_size(var->type) <= 2 || var->type == NC_FLOAT;
    if (op == PCDF_REDUCE_ANY || op == PCDF_REDUCE_ALL)
        return NC_BYTE;
    if (op == PCDF_REDUCE_COUNT)
        return has_wide ? NC_INT64 : NC_INT;
    if (v->keeps_packed)
        return var->type;
    if (p->options->is_double || op == PCDF_REDUCE_SUM)
        return NC_DOUBLE;
    return v->values.unpacks ? (v->values.meaning.packing.is_float ? NC_FLOAT : NC_DOUBLE)
                             : (is_short ? NC_FLOAT : NC_DOUBLE);
}

static bool had_fill(const struct pcdf_var *var)
{
    return pcdf_atts_find(&var->atts, "_FillValue") >= 0 || pcdf_atts_find(&var->atts, "missing_value") >= 0;
}

/* Types of one byte have no fill value by default; results that are none need one. */
static bool needs_fill(const struct pcdf_var *var, const struct pcdf_reduce_var *v, bool is_masked)
{
    return (pcdf_meaning_has_limits(&v->values.meaning) || is_masked) && !pcdf_meaning_has_missing(var);
}

/* A byte that is no value already, if there is one: limits leave some out. */
static unsigned char free_byte(const struct pcdf_meaning *m, nc_type type)
{
    unsigned char fill = *pcdf_type_fill(type), byte = fill;
    for (int i = 0; i < 256 && pcdf_meaning_is_value(m, &byte); i++)
        byte = (unsigned char)i;
    return pcdf_meaning_is_value(m, &byte) ? fill : byte;
}

/* Number 0 of an attribute of the variable as a number of that type, if it is one exactly: of floats and
 * doubles that are not packed. Not 0, which results often are. */
static bool number_of(const struct pcdf_var *var, const struct pcdf_reduce_var *v, const char *name,
                      nc_type type, unsigned char bytes[8])
{
    const struct pcdf_att *a = pcdf_meaning_att(&var->atts, name);
    unsigned char own[8];
    bool widens = var->type == NC_FLOAT && type == NC_DOUBLE;
    return a && a->nelems > 0 && !v->values.unpacks && (widens || type == var->type) &&
           pcdf_meaning_convert(a->type, a->values, var->type, own) &&
           pcdf_value_load_real(var->type, own) != 0 && pcdf_meaning_convert(var->type, own, type, bytes);
}

/* The variable's own, where it is a number of the new type; else the type's. missing_value becomes the same.
 */
static int put_fill(struct pcdf_reduce_plan *p, const struct pcdf_var *var, const struct pcdf_reduce_var *v,
                    nc_type type)
{
    struct pcdf_atts *atts = &p->out.vars[v->out].atts;
    unsigned char fill[8], missing[8];
    bool has_missing = number_of(var, v, "missing_value", type, missing);
    const unsigned char *value = number_of(var, v, "_FillValue", type, fill) ? fill
                                 : has_missing                               ? missing
                                                                             : pcdf_type_fill(type);
    PCDF_TRY(pcdf_atts_put(&p->out, atts, "_FillValue", type, 1, value));
    return has_missing ? pcdf_atts_put(&p->out, atts, "missing_value", type, 1, value) : NC_NOERR;
}

static int add_var(struct pcdf_reduce_plan *p, int id)
{
    const struct pcdf_var *var = &p->input->meta.vars[id];
    struct pcdf_reduce_var *v = &p->vars[id];
    nc_type type = v->treatment == PCDF_REDUCE_REDUCED ? type_of(p, var, v) : var->type;
    int *dimids = pcdf_malloc((size_t)(var->ndims + 1) * sizeof *dimids), n = 0;
    if (!dimids)
        return NC_ENOMEM;
    for (int i = 0; i < var->ndims; i++)
        if (p->out_dim[var->dimids[i]] >= 0)
            dimids[n++] = p->out_dim[var->dimids[i]];
    int err = pcdf_rules_type(&p->out, type);
    pcdf_first(&err, err ? err : pcdf_rules_new_var(&p->out, var->name, type, n, dimids));
    pcdf_first(&err, err ? err : pcdf_meta_add_var(&p->out, var->name, type, n, dimids, &v->out));
    pcdf_free(dimids);
    PCDF_TRY(err);
    PCDF_TRY(copy_atts(p, v->out, &var->atts, id, false));
    if (v->treatment != PCDF_REDUCE_REDUCED)
        return NC_NOERR;
    if (!v->keeps_packed && had_fill(var) && type != NC_BYTE)
        PCDF_TRY(put_fill(p, var, v, type));
    if (v->keeps_packed && needs_fill(var, v, p->mask.is_given)) {
        const unsigned char fill = free_byte(&v->values.meaning, type);
        PCDF_TRY(pcdf_atts_put(&p->out, &p->out.vars[v->out].atts, "_FillValue", type, 1, &fill));
    }
    PCDF_TRY(put_units(p, v->out));
    return put_methods(p, v->out, var);
}

/* ---- coordinates of what is reduced, and their bounds */

static int nv_dim(struct pcdf_reduce_plan *p, const struct pcdf_reduce_axis *a, int *id)
{
    const struct pcdf_meta *in = &p->input->meta;
    char name[PCDF_MEANING_TEXT];
    *id = a->bounds >= 0 ? p->out_dim[in->vars[a->bounds].dimids[1]] : -1;
    for (int i = 0; *id < 0 && i < p->out.ndims; i++)
        if (p->out.dims[i].length == 2 && strcmp(p->out.dims[i].name, "bnds") == 0)
            *id = i;
    if (*id >= 0)
        return NC_NOERR;
    free_name(&p->out, true, "bnds", name, sizeof name);
    return add_dim(p, name, 2, id);
}

static int add_axis(struct pcdf_reduce_plan *p, struct pcdf_reduce_axis *a)
{
    const struct pcdf_var *var = &p->input->meta.vars[a->var];
    bool is_climate = p->options->of_all_years && a->dim == p->grouped, has_dim = p->out_dim[a->dim] >= 0;
    nc_type type = var->type == NC_FLOAT ? NC_FLOAT : NC_DOUBLE;
    char wanted[PCDF_MEANING_TEXT], name[PCDF_MEANING_TEXT];
    int dims[2], nv;
    PCDF_TRY(nv_dim(p, a, &nv));
    dims[0] = has_dim ? p->out_dim[a->dim] : nv;
    dims[has_dim] = nv;
    PCDF_TRY(pcdf_meta_add_var(&p->out, var->name, type, has_dim, dims, &a->out));
    PCDF_TRY(copy_atts(p, a->out, &var->atts, -1, true));
    snprintf(wanted, sizeof wanted, "%.200s_bnds", is_climate ? "climatology" : var->name);
    if (a->bounds >= 0 && !is_climate)
        snprintf(wanted, sizeof wanted, "%.200s", p->input->meta.vars[a->bounds].name);
    free_name(&p->out, false, wanted, name, sizeof name);
    PCDF_TRY(put_text(p, a->out, is_climate ? "climatology" : "bounds", name));
    return pcdf_meta_add_var(&p->out, name, type, 1 + has_dim, dims, &a->out_bounds);
}

/* What is reduced has the coordinate as a scalar then, and says so. */
static int name_scalars(struct pcdf_reduce_plan *p, int id)
{
    const struct pcdf_var *var = &p->input->meta.vars[id];
    const struct pcdf_reduce_var *v = &p->vars[id];
    char text[TEXT];
    if (v->treatment != PCDF_REDUCE_REDUCED)
        return NC_NOERR;
    old_text(&var->atts, "coordinates", text);
    size_t n = strlen(text), before = n;
    for (int i = 0; i < p->naxes && n < TEXT - 512; i++)
        for (int k = 0; k < var->ndims; k++)
            if (var->dimids[k] == p->axes[i].dim && p->out_dim[p->axes[i].dim] < 0)
                n += (size_t)snprintf(text + n, TEXT - n, "%s%.300s", n ? " " : "",
                                      p->out.vars[p->axes[i].out].name);
    return n > before ? put_text(p, v->out, "coordinates", text) : NC_NOERR;
}

/* ---- all of it */

static int define(struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *in = &p->input->meta;
    struct pcdf_layout layout;
    PCDF_TRY(add_dims(p));
    PCDF_TRY(copy_atts(p, NC_GLOBAL, &in->gatts, -1, false));
    PCDF_TRY(pcdf_tool_history_put(&p->options->history, &p->out));
    for (int i = 0; i < p->naxes; i++)
        PCDF_TRY(add_axis(p, &p->axes[i]));
    for (int i = 0; i < in->nvars; i++)
        if (p->vars[i].treatment != PCDF_REDUCE_LEFT)
            PCDF_TRY(add_var(p, i));
    for (int i = 0; i < in->nvars; i++)
        PCDF_TRY(name_scalars(p, i));
    PCDF_TRY(pcdf_rules_sizes(&p->out));
    PCDF_TRY(pcdf_layout_build(&layout, &p->out, NULL, &(struct pcdf_alignment){ 0 }));
    pcdf_layout_free(&layout);
    return NC_NOERR;
}

int pcdf_reduce_define(struct pcdf_reduce_plan *p)
{
    return define(p) ? pcdf_tool_unusable(p->options->to, "%s", pcdf_fail_text()) : PCDF_TOOL_GOOD;
}
