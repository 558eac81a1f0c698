/* What is in the file, for those who use its data: title, dimensions with their coordinates, variables with
 * their units. */
#include "infodrawing.h"
#include "infomeaning.h"
#include "infostrip.h"
#include "numbers.h"
#include "tool.h"
#include "toolcell.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TYPE = 6,
    SIZE = 10,
    NUMBER = 12, /* columns that a number takes at most */
    RANGE = 80,  /* bytes */
    LEAST_ROWS = 5,
    COORDINATES = 4, /* dimensions with a line of their own, without --all */
    LEAST_DESCRIPTION = 11,
    WIDEST_NAME = 32,
    WIDEST_UNITS = 14,
    MEASURED = 1000 /* rows that are looked at to choose the widths of columns */
};

/* ---- the top: what the file is */

/* "Conventions: CF-1.8" and what else there is, a line each. Gives the lines. */
static int draw_title(const struct pcdf_drawing *d)
{
    static const char *const names[] = { "Conventions", "institution", "source" };
    const struct pcdf_tool_dataset *ds = d->info->ds;
    const char *slash = strrchr(ds->file.path, '/');
    char text[PCDF_MEANING_TEXT];
    int lines = 1;

    fputs(pcdf_drawing_bold(d), stdout);
    pcdf_tool_print(stdout, slash && slash[1] ? slash + 1 : ds->file.path);
    fputs(pcdf_drawing_plain(d), stdout);
    if (pcdf_meaning_text(&ds->meta.gatts, "title", text)) {
        fputs(": ", stdout);
        pcdf_tool_cell(stdout, text,
                       pcdf_larger(20, d->columns - 2 - pcdf_tool_width(slash ? slash + 1 : ds->file.path)),
                       false);
    }
    putchar('\n');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!pcdf_meaning_text(&ds->meta.gatts, names[i], text))
            continue;
        printf("  %s%-11s%s ", pcdf_drawing_dim(d), names[i], pcdf_drawing_plain(d));
        pcdf_tool_cell(stdout, text, d->columns - 14, false);
        putchar('\n');
        lines++;
    }
    return lines;
}

/* ---- dimensions */

static const char *length_text(const struct pcdf_meta *meta, int dimid, char room[64])
{
    int64_t length = meta->dims[dimid].length;
    if (length == 0)
        snprintf(room, 64, "%" PRId64 " (unlimited)", meta->numrecs);
    else
        snprintf(room, 64, "%" PRId64, length);
    return room;
}

static void number_text(double x, char *room, size_t size)
{
    pcdf_tool_fit(x + 0.0, x == floor(x), NUMBER, room, size); /* + 0.0: no minus zero */
}

/* "2000-01-01 to 2000-12-31, calendar noleap", "-90 to 90 degrees_north" */
static void coordinate_text(const struct pcdf_info_coordinate *c, char *room, size_t size)
{
    char first[32], last[32];
    bool is_one = c->first == c->last;

    if (c->is_time) {
        snprintf(room, size, "%s%s%s%s%s", c->first_date, is_one ? "" : " to ", is_one ? "" : c->last_date,
                 c->calendar[0] ? ", calendar " : "", c->calendar);
        return;
    }
    number_text(c->first, first, sizeof first);
    number_text(c->last, last, sizeof last);
    snprintf(room, size, "%s%s%s%s%s", first, is_one ? "" : " to ", is_one ? "" : last,
             c->units[0] ? " " : "", c->units);
}

static bool has_coordinate(const struct pcdf_meta *meta, int dimid)
{
    int varid = pcdf_meta_find_var(meta, meta->dims[dimid].name);
    return varid >= 0 && meta->vars[varid].ndims == 1 && meta->vars[varid].dimids[0] == dimid;
}

/* Why its times have no dates, on a line of its own; how many lines that are. */
static int draw_why(const struct pcdf_info_coordinate *c)
{
    if (!*c->why)
        return 0;
    fputs("    no dates: ", stdout);
    pcdf_tool_print(stdout, c->why);
    putchar('\n');
    return 1;
}

/* Dimensions with a coordinate variable, a line each; -> drawn[dimid]. */
static int draw_coordinates(const struct pcdf_drawing *d, bool *drawn, int *lines)
{
    struct pcdf_tool_dataset *ds = d->info->ds;
    const struct pcdf_meta *meta = &ds->meta;
    int most = d->style->has_all ? meta->ndims : COORDINATES, n = 0, name = 0, length = 0;
    char room[64], text[2 * PCDF_MEANING_TEXT];

    for (int i = 0; i < meta->ndims && n < most; i++) {
        if (!has_coordinate(meta, i))
            continue;
        n++;
        name = pcdf_larger(name, pcdf_tool_width(meta->dims[i].name));
        length = pcdf_larger(length, (int)strlen(length_text(meta, i, room)));
    }
    name = pcdf_smaller(name, d->columns / 3);
    for (int i = 0; i < meta->ndims && n > 0; i++) {
        struct pcdf_info_coordinate c;
        if (!has_coordinate(meta, i))
            continue;
        int status = pcdf_info_coordinate_read(ds, i, &c);
        if (status)
            return status;
        drawn[i] = true;
        n--;
        ++*lines;
        fputs("  ", stdout);
        pcdf_tool_cell(stdout, meta->dims[i].name, name, true);
        printf(" %-*s", c.has_values ? length : 0, length_text(meta, i, room));
        if (c.has_values) {
            coordinate_text(&c, text, sizeof text);
            fputs("  ", stdout);
            pcdf_tool_cell(stdout, text, pcdf_larger(10, d->columns - name - length - 5), false);
        }
        putchar('\n');
        *lines += draw_why(&c);
    }
    return PCDF_TOOL_GOOD;
}

/* The others: in as many lines as they need; in two of them without --all. */
static int draw_other_dimensions(const struct pcdf_drawing *d, const bool *drawn)
{
    const struct pcdf_meta *meta = &d->info->ds->meta;
    int column = 0, lines = 0, left = 0;
    char length[64];

    for (int i = 0; i < meta->ndims; i++)
        left += !drawn[i];
    for (int i = 0; i < meta->ndims; i++) {
        if (drawn[i])
            continue;
        int width = pcdf_smaller(pcdf_tool_width(meta->dims[i].name), d->columns - 26) + 1 +
                    (int)strlen(length_text(meta, i, length));
        int room = d->columns - (lines == 2 && !d->style->has_all && left > 1 ? 14 : 1);
        if (column > 0 && column + 2 + width > room) {
            if (lines == 2 && !d->style->has_all) {
                printf(", %d more", left);
                break;
            }
            fputs(",\n", stdout);
            column = 0;
        } else if (column > 0) {
            fputs(", ", stdout);
        }
        lines += column == 0;
        column += column == 0 ? printf("  ") : 2;
        pcdf_tool_cell(stdout, meta->dims[i].name, d->columns - 26, false);
        printf(" %s", length);
        column += width;
        left--;
    }
    if (lines > 0)
        putchar('\n');
    return lines;
}

static int draw_dimensions(const struct pcdf_drawing *d, int *lines)
{
    int ndims = d->info->ds->meta.ndims;
    char words[64];

    if (ndims == 0)
        return PCDF_TOOL_GOOD;
    bool *drawn = calloc((size_t)ndims, sizeof *drawn);
    if (!drawn) {
        pcdf_tool_say(d->info->ds->file.path, "no memory");
        return PCDF_TOOL_UNUSABLE;
    }
    printf("%s%s%s\n", pcdf_drawing_dim(d), pcdf_drawing_some(ndims, "dimension", words),
           pcdf_drawing_plain(d));
    ++*lines;
    int status = draw_coordinates(d, drawn, lines);
    if (!status)
        *lines += draw_other_dimensions(d, drawn);
    free(drawn);
    return status;
}

/* ---- variables */

enum column { NAME, SHAPE, UNITS, VALUES, COLUMNS };

struct table {
    const struct pcdf_drawing *d;
    int widths[COLUMNS], description;
    struct pcdf_info_range *ranges; /* of the rows, where --ranges has read them; NULL otherwise */
    int64_t bytes_read;
};

static void shape_text(const struct pcdf_meta *meta, const struct pcdf_var *var, char *room, size_t size)
{
    size_t n = 0;

    snprintf(room, size, "%s", var->ndims == 0 ? "scalar" : "");
    for (int i = 0; i < var->ndims && n < size; i++)
        n += (size_t)snprintf(room + n, size - n, "%s%s", i ? "," : "", meta->dims[var->dimids[i]].name);
}

static void range_text(const struct table *t, int row, int varid, char room[RANGE])
{
    struct pcdf_info_range range =
        t->ranges ? t->ranges[row] : pcdf_info_range_of(&t->d->info->ds->meta.vars[varid]);
    char low[32], high[32];

    room[0] = '\0';
    if (range.source == PCDF_INFO_UNKNOWN)
        return;
    number_text(range.least, low, sizeof low);
    number_text(range.greatest, high, sizeof high);
    snprintf(room, RANGE, "%s%s to %s", range.source == PCDF_INFO_VALID ? "valid " : "", low, high);
}

/* The text of a cell. */
static void cell_text(const struct table *t, int row, enum column column, char room[PCDF_MEANING_TEXT])
{
    int varid = t->d->info->by_size[row];
    const struct pcdf_var *var = &t->d->info->ds->meta.vars[varid];

    if (column == NAME)
        snprintf(room, PCDF_MEANING_TEXT, "%s", var->name);
    else if (column == SHAPE)
        shape_text(&t->d->info->ds->meta, var, room, PCDF_MEANING_TEXT);
    else if (column == UNITS)
        pcdf_meaning_text(&var->atts, "units", room);
    else
        range_text(t, row, varid, room);
}

/* Columns are as wide as their texts. Where that is too wide, shapes are cut first, then names; descriptions
 * take what is left. */
static void measure(struct table *t)
{
    static const int titles[COLUMNS] = { 8, 10, 5, 6 };
    int *w = t->widths, room = t->d->columns - 2 - TYPE - 1 - SIZE - 1, described = 0;
    char text[PCDF_MEANING_TEXT];

    for (int row = 0; row < pcdf_smaller(MEASURED, pcdf_drawing_shown(t->d)); row++) {
        for (enum column c = 0; c < COLUMNS; c++) {
            cell_text(t, row, c, text);
            int wide = pcdf_tool_width(text);
            w[c] = wide > 0 ? pcdf_larger(w[c], pcdf_larger(wide, titles[c])) : w[c];
        }
        if (pcdf_info_description(&t->d->info->ds->meta.vars[t->d->info->by_size[row]], text))
            described = pcdf_larger(described, pcdf_tool_width(text));
    }
    w[NAME] = pcdf_smaller(w[NAME], WIDEST_NAME);
    w[UNITS] = pcdf_smaller(w[UNITS], WIDEST_UNITS);
    for (enum column c = 0; c < COLUMNS; c++)
        room -= w[c] > 0;
    room -= w[UNITS] + w[VALUES];
    w[SHAPE] = pcdf_smaller(w[SHAPE], pcdf_larger(8, room - w[NAME]));
    w[NAME] = pcdf_smaller(w[NAME], pcdf_larger(8, room - w[SHAPE]));
    room -= w[NAME] + w[SHAPE] + 1;
    t->description = room >= LEAST_DESCRIPTION && described > 0
                         ? pcdf_smaller(room, pcdf_larger(described, LEAST_DESCRIPTION))
                         : 0;
}

static void draw_heading(const struct table *t)
{
    const int *w = t->widths;
    int nvars = t->d->info->ds->meta.nvars;
    char words[64];

    pcdf_drawing_some(nvars, "variable", words);
    printf("%s%-*s %-*s", pcdf_drawing_dim(t->d), 2 + w[NAME] + 1 + TYPE, words, w[SHAPE], "dimensions");
    if (w[UNITS] > 0)
        printf(" %-*s", w[UNITS], "units");
    if (w[VALUES] > 0)
        printf(" %-*s", w[VALUES], "values");
    printf(" %*s%s%s\n", SIZE, "size", t->description ? " description" : "", pcdf_drawing_plain(t->d));
}

static void draw_row(const struct table *t, int row)
{
    const struct pcdf_info *info = t->d->info;
    int varid = info->by_size[row];
    const struct pcdf_var *var = &info->ds->meta.vars[varid];
    char text[PCDF_MEANING_TEXT], size[PCDF_TOOL_BYTES_ROOM];

    pcdf_strip_letter(stdout, pcdf_drawing_letter(t->d, row), pcdf_drawing_colour(t->d, row), t->d->colours);
    putchar(' ');
    for (enum column c = 0; c < COLUMNS; c++) {
        if (t->widths[c] == 0)
            continue;
        cell_text(t, row, c, text);
        pcdf_tool_cell(stdout, text, t->widths[c], true);
        putchar(' ');
        if (c == NAME)
            printf("%-*s ", TYPE, pcdf_type_cdl(var->type));
    }
    printf("%*s", SIZE, pcdf_tool_bytes_text(info->bytes[varid], size));
    if (t->description && pcdf_info_description(var, text)) {
        putchar(' ');
        pcdf_tool_cell(stdout, text, t->description, false);
    }
    putchar('\n');
}

static void draw_rest(const struct table *t)
{
    const struct pcdf_info *info = t->d->info;
    int shown = pcdf_drawing_shown(t->d), nvars = info->ds->meta.nvars,
        left = 2 + t->widths[NAME] + 1 + TYPE + 1;
    char words[64], size[PCDF_TOOL_BYTES_ROOM];
    int64_t rest = 0;

    if (shown == nvars)
        return;
    for (int k = shown; k < nvars; k++)
        rest = pcdf_info_sum(rest, 1, info->bytes[info->by_size[k]]);
    snprintf(words, sizeof words, "%d more with --all", nvars - shown);
    for (enum column c = SHAPE; c < COLUMNS; c++)
        left += t->widths[c] + (t->widths[c] > 0);
    printf("  %s%-*s%s%*s\n", pcdf_drawing_dim(t->d), left - 2, words, pcdf_drawing_plain(t->d), SIZE,
           pcdf_tool_bytes_text(rest, size));
}

static int read_ranges(struct table *t)
{
    const struct pcdf_info *info = t->d->info;
    int n = pcdf_drawing_shown(t->d), status = PCDF_TOOL_GOOD;

    t->ranges = calloc((size_t)n + 1, sizeof *t->ranges);
    if (!t->ranges) {
        pcdf_tool_say(info->ds->file.path, "no memory");
        return PCDF_TOOL_UNUSABLE;
    }
    for (int row = 0; row < n && !status; row++) {
        int varid = info->by_size[row];
        status = pcdf_info_range_read(info->ds, varid, &t->ranges[row]);
        if (info->ds->meta.vars[varid].type != NC_CHAR)
            t->bytes_read = pcdf_info_sum(t->bytes_read, 1, info->bytes[varid]);
    }
    return status;
}

static int draw_variables(const struct pcdf_drawing *d)
{
    struct table t = { .d = d };
    int status = d->style->has_ranges ? read_ranges(&t) : PCDF_TOOL_GOOD;
    char size[PCDF_TOOL_BYTES_ROOM];

    if (!status) {
        measure(&t);
        draw_heading(&t);
        for (int row = 0; row < pcdf_drawing_shown(d); row++)
            draw_row(&t, row);
        draw_rest(&t);
        if (t.ranges)
            printf("  %s%s were read; fill values and NaN do not count%s\n", pcdf_drawing_dim(d),
                   pcdf_tool_bytes_text(t.bytes_read, size), pcdf_drawing_plain(d));
    }
    free(t.ranges);
    return status;
}

int pcdf_drawing_contents(struct pcdf_drawing *d, int below)
{
    int nvars = d->info->ds->meta.nvars, lines = draw_title(d);
    int status = draw_dimensions(d, &lines);

    if (status)
        return status;
    int heads = d->style->has_ranges ? 3 : 2; /* heading, what is not shown */
    d->rows = d->style->has_all ? nvars : pcdf_larger(LEAST_ROWS, d->lines - 1 - lines - heads - below);
    if (nvars > 0)
        status = draw_variables(d);
    else
        puts("no variables");
    return status;
}
