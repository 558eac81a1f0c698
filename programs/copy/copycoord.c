/* See copycoord.h. */
#include "copycoord.h"
#include "alloc.h"
#include "meaningtext.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_WIDTH = 64,
    DAY = PCDF_CALENDAR_DAY,
    MONTH = 31 * DAY,
    YEAR = 12 * MONTH
}; /* seconds of a date as a number */

static bool begins_with(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

static bool is_longitude(const struct pcdf_var *var)
{
    char name[PCDF_MEANING_TEXT], units[PCDF_MEANING_TEXT];

    (void)pcdf_meaning_text(&var->atts, "standard_name", name);
    (void)pcdf_meaning_text(&var->atts, "units", units);
    bool is_east = begins_with(units, "degree") && strpbrk(units, "eE") && /* degrees_east, degreeE */
                   (strstr(units, "east") || units[strlen(units) - 1] == 'E');
    return is_east || (begins_with(units, "degree") && strcmp(name, "longitude") == 0);
}

bool pcdf_copy_coord_of(const struct pcdf_meta *meta, int varid, struct pcdf_copy_coord *coord)
{
    const struct pcdf_var *var = &meta->vars[varid];
    bool is_text = var->type == NC_CHAR && var->ndims == 2 && var->dimids[1] != meta->record_dim;

    if (!is_text && (var->type == NC_CHAR || var->ndims != 1))
        return false;
    *coord = (struct pcdf_copy_coord){ .varid = varid, .dimid = var->dimids[0], .type = var->type };
    coord->meaning = pcdf_meaning_of(var);
    if (is_text)
        coord->width = meta->dims[var->dimids[1]].length;
    if (is_text)
        return coord->width >= 10 && coord->width <= MOST_WIDTH;
    coord->is_longitude = is_longitude(var);
    coord->has_time = pcdf_time_of(&coord->time, meta, varid) == PCDF_TIME_DATES;
    return true;
}

bool pcdf_copy_coord_of_records(const struct pcdf_meta *meta, struct pcdf_copy_coord *coord)
{
    int record = meta->record_dim;
    int named = record < 0 ? -1 : pcdf_meta_find_var(meta, meta->dims[record].name);

    if (named >= 0 && pcdf_copy_coord_of(meta, named, coord) && coord->dimid == record)
        return true;
    for (int i = 0; i < meta->nvars && record >= 0; i++)
        if (pcdf_copy_coord_of(meta, i, coord) && coord->dimid == record && (coord->has_time || coord->width))
            return true;
    return false;
}

/* ---- values */

double pcdf_copy_coord_number(const struct pcdf_instant *t)
{
    return (double)t->year * YEAR + (t->month - 1) * MONTH + (t->day - 1) * DAY + t->second;
}

/* "2001-01-31_06:00:00": the separators between day and clock differ from program to program. */
static double date_of(const char *text)
{
    int64_t year;
    int month, day, hour = 0, minute = 0;
    double second = 0;

    if (sscanf(text, "%10" SCNd64 "-%2d-%2d%*[_T ]%2d:%2d:%lf", &year, &month, &day, &hour, &minute,
               &second) < 3)
        return NAN;
    bool is_date = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour >= 0 && hour < 24;
    bool is_clock = minute >= 0 && minute < 60 && second >= 0 && second < 61;
    if (!is_date || !is_clock)
        return NAN;
    return pcdf_copy_coord_number(
        &(struct pcdf_instant){ year, month, day, hour * 3600 + minute * 60 + second });
}

static double value_of(const struct pcdf_copy_coord *c, const unsigned char *bytes)
{
    char text[MOST_WIDTH + 1];
    if (c->width > 0) {
        snprintf(text, sizeof text, "%.*s", (int)c->width, (const char *)bytes);
        return date_of(text);
    }
    return pcdf_meaning_value(&c->meaning, bytes);
}

int pcdf_copy_coord_read(const struct pcdf_copy_coord *coord, struct pcdf_tool_dataset *ds, int64_t first,
                         int64_t n, double *values)
{
    int64_t each = coord->width > 0 ? coord->width : 1, size = each * pcdf_type_size(coord->type);
    unsigned char *bytes = pcdf_malloc((size_t)(n * size) + 1);

    if (!bytes)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    int status = pcdf_tool_values(ds, coord->varid, first * each, n * each, bytes);
    for (int64_t i = 0; i < n && !status; i++)
        values[i] = value_of(coord, bytes + i * size);
    pcdf_free(bytes);
    return status;
}

bool pcdf_copy_coord_instant(const struct pcdf_copy_coord *coord, double value, struct pcdf_instant *t)
{
    if (coord->width == 0)
        return coord->has_time && pcdf_time_instant(&coord->time, value, t);
    if (!isfinite(value))
        return false;
    double year = floor(value / YEAR), left = value - year * YEAR;
    *t = (struct pcdf_instant){ (int64_t)year, (int)(left / MONTH) + 1, (int)(fmod(left, MONTH) / DAY) + 1,
                                fmod(left, DAY) };
    return true;
}

/* ---- words */

static void number_text(double value, bool is_float, char text[PCDF_COPY_COORD_TEXT])
{
    for (int digits = is_float ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, PCDF_COPY_COORD_TEXT, "%.*g", digits, value);
        double back = strtod(text, NULL);
        if (back == value || (is_float && (float)back == (float)value) || isnan(value))
            return;
    }
}

void pcdf_copy_coord_text(const struct pcdf_copy_coord *coord, double value, char text[PCDF_COPY_COORD_TEXT])
{
    struct pcdf_instant t;

    if (coord->has_time && isfinite(value) && pcdf_time_text(&coord->time, value, 'T', text) > 0)
        return;
    if (coord->width > 0 && pcdf_copy_coord_instant(coord, value, &t)) {
        int second = (int)t.second;
        snprintf(text, PCDF_COPY_COORD_TEXT, "%.4" PRId64 "-%02d-%02dT%02d:%02d:%02d", t.year, t.month, t.day,
                 second / 3600, second / 60 % 60, second % 60);
        return;
    }
    number_text(value, coord->type == NC_FLOAT || coord->meaning.packing.is_float, text);
}
