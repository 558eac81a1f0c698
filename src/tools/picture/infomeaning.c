/* See infomeaning.h. */
#include "infomeaning.h"
#include "alloc.h"
#include "cdlvalue.h"
#include "toolmember.h"
#include "tooltime.h"
#include "status.h"
#include "tool.h"
#include "toolmeaning.h"

#include <math.h>
#include <string.h>

enum { AT_ONCE = 65536 }; /* values */

/* ---- attributes */

static const struct pcdf_att *attribute(const struct pcdf_atts *atts, const char *name)
{
    int id = pcdf_atts_find(atts, name);
    return id < 0 ? NULL : &atts->x[id];
}

bool pcdf_info_description(const struct pcdf_var *var, char text[PCDF_MEANING_TEXT])
{
    return pcdf_meaning_text(&var->atts, "long_name", text) ||
           pcdf_meaning_text(&var->atts, "standard_name", text);
}

static bool number(const struct pcdf_var *var, const char *name, int64_t i, int64_t n, double *to)
{
    return pcdf_tool_att_number(&var->atts, name, i, n, to);
}

static double unpacked(const struct pcdf_var *var, double value)
{
    const struct pcdf_tool_packing packing = pcdf_tool_packing_of(var);
    return pcdf_tool_unpack(&packing, value);
}

static struct pcdf_info_range ordered(enum pcdf_info_source source, double a, double b)
{
    return (struct pcdf_info_range){ source, a < b ? a : b, a < b ? b : a };
}

struct pcdf_info_range pcdf_info_range_of(const struct pcdf_var *var)
{
    double least, greatest;

    if (number(var, "actual_range", 0, 2, &least) && number(var, "actual_range", 1, 2, &greatest))
        return ordered(PCDF_INFO_ACTUAL, least, greatest); /* CF 2.5.1: of unpacked values */
    bool is_valid =
        (number(var, "valid_range", 0, 2, &least) && number(var, "valid_range", 1, 2, &greatest)) ||
        (number(var, "valid_min", 0, 1, &least) && number(var, "valid_max", 0, 1, &greatest));
    if (!is_valid)
        return (struct pcdf_info_range){ 0 };
    return ordered(PCDF_INFO_VALID, unpacked(var, least), unpacked(var, greatest)); /* of packed values */
}

/* ---- values */

struct holes { /* values that say "there is none" */
    struct pcdf_value x[2];
    int n;
};

static struct holes holes_of(const struct pcdf_var *var)
{
    const struct pcdf_att *missing = attribute(&var->atts, "missing_value");
    const unsigned char *fill = pcdf_tool_fill(var);
    const nc_type type = pcdf_tool_packing_of(var).type;
    struct holes holes = { 0 };

    if (fill)
        holes.x[holes.n++] = pcdf_value_load(type, fill);
    if (missing && missing->type == var->type && missing->nelems > 0)
        holes.x[holes.n++] = pcdf_value_load(type, missing->values);
    return holes;
}

static bool is_hole(const struct holes *holes, const struct pcdf_value *value)
{
    for (int i = 0; i < holes->n; i++)
        if (pcdf_value_equals(value, &holes->x[i]))
            return true;
    return false;
}

static void count_values(const struct pcdf_var *var, const unsigned char *bytes, int64_t n,
                         struct pcdf_info_range *range)
{
    const struct holes holes = holes_of(var);
    const nc_type type = pcdf_tool_packing_of(var).type;

    for (int64_t i = 0; i < n; i++) {
        struct pcdf_value value = pcdf_value_load(type, bytes + i * pcdf_type_size(type));
        double x = pcdf_value_as_real(&value);
        if (!isfinite(x) || is_hole(&holes, &value))
            continue;
        bool is_first = range->source == PCDF_INFO_UNKNOWN;
        range->least = is_first || x < range->least ? x : range->least;
        range->greatest = is_first || x > range->greatest ? x : range->greatest;
        range->source = PCDF_INFO_READ;
    }
}

int pcdf_info_range_read(struct pcdf_tool_dataset *ds, int varid, struct pcdf_info_range *range)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t n = pcdf_tool_count(&ds->meta, varid);
    int status = PCDF_TOOL_GOOD;

    *range = (struct pcdf_info_range){ 0 };
    if (var->type == NC_CHAR || n == 0)
        return PCDF_TOOL_GOOD;
    unsigned char *bytes = pcdf_malloc((size_t)AT_ONCE * (size_t)pcdf_type_size(var->type));
    if (!bytes) {
        pcdf_tool_say(ds->file.path, "%s", pcdf_fail_text());
        return PCDF_TOOL_UNUSABLE;
    }
    for (int64_t first = 0; first < n && !status; first += AT_ONCE) {
        int64_t some = n - first < AT_ONCE ? n - first : AT_ONCE;
        status = pcdf_tool_values(ds, varid, first, some, bytes);
        if (!status)
            count_values(var, bytes, some, range);
    }
    pcdf_free(bytes);
    if (range->source == PCDF_INFO_READ)
        *range = ordered(PCDF_INFO_READ, unpacked(var, range->least), unpacked(var, range->greatest));
    return status;
}

/* ---- coordinates */

static int read_value(struct pcdf_tool_dataset *ds, int varid, int64_t i, double *to)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    unsigned char bytes[8];
    int status = pcdf_tool_values(ds, varid, i, 1, bytes);

    if (status)
        return status;
    struct pcdf_value value = pcdf_value_load(pcdf_tool_packing_of(var).type, bytes);
    struct holes holes = holes_of(var);
    *to = is_hole(&holes, &value) ? NAN : unpacked(var, pcdf_value_as_real(&value));
    return status;
}

static bool date_of(const struct pcdf_tool_time *time, double value, char text[PCDF_INFO_DATE])
{
    size_t n = pcdf_tool_time_text(time, value, ' ', text);
    text[n] = '\0';
    if (n > 3 && n + 3 < PCDF_INFO_DATE && text[n - 3] == ' ') /* ncdump writes "12" for 12 o'clock */
        memcpy(text + n, ":00", 4);
    return n > 0;
}

int pcdf_info_coordinate_read(struct pcdf_tool_dataset *ds, int dimid, struct pcdf_info_coordinate *c)
{
    struct pcdf_tool_time time;

    *c = (struct pcdf_info_coordinate){ .varid = pcdf_tool_coordinate(&ds->meta, dimid) };
    if (c->varid < 0)
        return PCDF_TOOL_GOOD;
    const struct pcdf_var *var = &ds->meta.vars[c->varid];
    pcdf_meaning_text(&var->atts, "units", c->units);
    pcdf_meaning_text(&var->atts, "calendar", c->calendar);
    int64_t n = pcdf_tool_count(&ds->meta, c->varid);
    if (n == 0 || ds->behind > 0)
        return PCDF_TOOL_GOOD;
    int status = read_value(ds, c->varid, 0, &c->first);
    if (!status)
        status = read_value(ds, c->varid, n - 1, &c->last);
    if (status)
        return status;
    c->has_values = isfinite(c->first) && isfinite(c->last);
    c->is_time = c->has_values && pcdf_tool_time_parse(&time, c->units, c->calendar) &&
                 date_of(&time, c->first, c->first_date) && date_of(&time, c->last, c->last_date);
    return PCDF_TOOL_GOOD;
}
