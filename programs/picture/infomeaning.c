/* See infomeaning.h. */
#include "infomeaning.h"
#include "cdlvalue.h"
#include "toolmember.h"
#include "timevalue.h"
#include "tool.h"
#include "meaningtext.h"
#include "meaningvalues.h"

#include <math.h>

enum { AT_ONCE = 4096 }; /* values */

/* ---- attributes */

bool pcdf_info_description(const struct pcdf_var *var, char text[PCDF_MEANING_TEXT])
{
    return pcdf_meaning_text(&var->atts, "long_name", text) ||
           pcdf_meaning_text(&var->atts, "standard_name", text);
}

struct pcdf_info_range pcdf_info_range_of(const struct pcdf_var *var)
{
    const struct pcdf_meaning meaning = pcdf_meaning_of(var);
    struct pcdf_info_range range = { 0 };

    if (pcdf_meaning_actual_range(var, &range.least, &range.greatest))
        range.source = PCDF_INFO_ACTUAL;
    else if (pcdf_meaning_valid_range(&meaning, &range.least, &range.greatest))
        range.source = PCDF_INFO_VALID;
    else
        range = (struct pcdf_info_range){ 0 };
    return range;
}

/* ---- values */

static void count_values(const double *x, int64_t n, struct pcdf_info_range *range)
{
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            continue;
        bool is_first = range->source == PCDF_INFO_UNKNOWN;
        range->least = is_first || x[i] < range->least ? x[i] : range->least;
        range->greatest = is_first || x[i] > range->greatest ? x[i] : range->greatest;
        range->source = PCDF_INFO_READ;
    }
}

int pcdf_info_range_read(struct pcdf_tool_dataset *ds, int varid, struct pcdf_info_range *range)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t n = pcdf_tool_count(&ds->meta, varid);
    double x[AT_ONCE];
    int status = PCDF_TOOL_GOOD;

    *range = (struct pcdf_info_range){ 0 };
    if (var->type == NC_CHAR)
        return PCDF_TOOL_GOOD;
    for (int64_t first = 0; first < n && !status; first += AT_ONCE) {
        int64_t some = n - first < AT_ONCE ? n - first : AT_ONCE;
        status = pcdf_tool_numbers(ds, varid, first, some, x);
        count_values(x, status ? 0 : some, range);
    }
    return status;
}

/* ---- coordinates */

int pcdf_info_coordinate_read(struct pcdf_tool_dataset *ds, int dimid, struct pcdf_info_coordinate *c)
{
    struct pcdf_time time;

    *c = (struct pcdf_info_coordinate){ .varid = pcdf_tool_coordinate(&ds->meta, dimid) };
    if (c->varid < 0)
        return PCDF_TOOL_GOOD;
    const struct pcdf_var *var = &ds->meta.vars[c->varid];
    pcdf_meaning_text(&var->atts, "units", c->units);
    pcdf_meaning_text(&var->atts, "calendar", c->calendar);
    int64_t n = pcdf_tool_count(&ds->meta, c->varid);
    if (n == 0 || ds->behind > 0)
        return PCDF_TOOL_GOOD;
    int status = pcdf_tool_numbers(ds, c->varid, 0, 1, &c->first);
    if (!status)
        status = pcdf_tool_numbers(ds, c->varid, n - 1, 1, &c->last);
    if (status)
        return status;
    c->has_values = isfinite(c->first) && isfinite(c->last);
    enum pcdf_time_kind kind = pcdf_time_of(&time, &ds->meta, c->varid);
    if (kind == PCDF_TIME_UNREADABLE)
        snprintf(c->why, sizeof c->why, "%s", time.why);
    c->is_time = c->has_values && kind == PCDF_TIME_DATES && pcdf_tool_date(&time, c->first, c->first_date) &&
                 pcdf_tool_date(&time, c->last, c->last_date);
    return PCDF_TOOL_GOOD;
}
