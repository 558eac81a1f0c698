/* Several files as one: the lower half of the picture, and what JSON says of them. */
#include "infodrawing.h"
#include "infostrip.h"
#include "infotimes.h"
#include "numbers.h"
#include "tool.h"
#include "toolcell.h"
#include "meaningtext.h"

#include <inttypes.h>
#include <string.h>

enum { DATE = 64, WORDS = 400, SIZE = 10, COUNT = 10, WIDEST_PATH = 40, FINE = 1 << 30 };

/* ---- words */

/* "CDF-5", "netCDF-4" */
static void format_of(const struct pcdf_tool_member *m, char room[DATE])
{
    static const char noun[] = " file";
    size_t n = m->format ? strlen(m->format) : 0, k = sizeof noun - 1;

    n -= n > k && strcmp(m->format + n - k, noun) == 0 ? k : 0;
    if (m->format)
        snprintf(room, DATE, "%.*s", (int)n, m->format);
    else
        snprintf(room, DATE, "CDF-%d", m->version);
}

/* Of all files: "CDF-1", "CDF-1 and others" */
static void formats_of(const struct pcdf_tool_series *s, char room[2 * DATE])
{
    char first[DATE], other[DATE];
    bool is_one = true;

    format_of(&s->x[0], first);
    for (int i = 1; i < s->n; i++) {
        format_of(&s->x[i], other);
        is_one = is_one && strcmp(first, other) == 0;
    }
    snprintf(room, 2 * DATE, "%s%s", first, is_one ? "" : " and others");
}

/* "1 day", "28 to 31 days": the units' first word. */
static void step_text(const struct pcdf_info *info, const struct pcdf_info_times *t, char room[2 * DATE])
{
    const struct pcdf_tool_series *s = info->ds->series;
    char units[PCDF_MEANING_TEXT], least[16], most[16];

    pcdf_meaning_text(&info->ds->meta.vars[s->coordinate].atts, "units", units);
    size_t n = s->is_time ? strcspn(units, " ") : 0; /* without a factor, as in "6 hours since" */
    n = n > 0 && *units >= '0' && *units <= '9' ? 0 : n;
    n = n < 20 ? n : 20;
    pcdf_tool_fit(t->least, false, 10, least, sizeof least);
    pcdf_tool_fit(t->most, false, 10, most, sizeof most);
    bool is_one = strcmp(least, most) == 0;
    n -= n > 1 && is_one && strcmp(least, "1") == 0 && units[n - 1] == 's';
    snprintf(room, 2 * DATE, "%s%s%s%s%.*s", least, is_one ? "" : " to ", is_one ? "" : most, n ? " " : "",
             (int)n, units);
}

/* ---- the picture */

static void draw_stored(const struct pcdf_drawing *d)
{
    const struct pcdf_tool_series *s = d->info->ds->series;
    const char *dim = d->info->ds->meta.dims[s->dimid].name;
    int64_t least = INT64_MAX, most = 0, all = 0;
    char size[PCDF_TOOL_BYTES_ROOM], formats[2 * DATE], each[DATE];

    for (int i = 0; i < s->n; i++) {
        least = pcdf_smaller(least, s->x[i].length);
        most = pcdf_larger(most, s->x[i].length);
        all += s->x[i].length;
    }
    formats_of(s, formats);
    if (least == most)
        snprintf(each, sizeof each, "%" PRId64, most);
    else
        snprintf(each, sizeof each, "%" PRId64 " to %" PRId64, least, most);
    printf("%sstored%s in %d files, %s, %s: %" PRId64 " along ", pcdf_drawing_bold(d), pcdf_drawing_plain(d),
           s->n, formats, pcdf_tool_bytes_text(d->info->size, size), all);
    pcdf_tool_print(stdout, dim);
    printf(", %s a file\n", each);
}

/* A span of values without a gap. */
static void add_span(struct pcdf_strip *strip, const struct pcdf_info_times *t, double from, double to,
                     int colour)
{
    double all = t->last - t->first + t->step;
    pcdf_strip_add(strip, (int64_t)((from - t->first) / all * FINE),
                   (int64_t)((to + t->step - t->first) / all * FINE), '#', colour);
}

/* Where there are values, where there are none. */
static void draw_span(const struct pcdf_drawing *d, const struct pcdf_info_times *t)
{
    const struct pcdf_tool_series *s = d->info->ds->series;
    struct pcdf_strip strip;
    char first[DATE], last[DATE], steps[2 * DATE];
    int64_t at = 0;

    pcdf_tool_series_text(s, t->first, first);
    pcdf_tool_series_text(s, t->last, last);
    printf("%sfrom%s %s to %s", pcdf_drawing_bold(d), pcdf_drawing_plain(d), first, last);
    if (t->step > 0) {
        step_text(d->info, t, steps);
        fputs(", in steps of ", stdout);
        pcdf_tool_print(stdout, steps);
    }
    putchar('\n');
    if (t->step <= 0)
        return;
    pcdf_strip_begin(&strip, d->columns - 2, FINE, '-');
    for (int i = 0; i < s->n; i++) {
        int64_t n = t->is_whole ? s->x[i].length : (s->x[i].length > 0 ? 2 : 0);
        for (int64_t k = 0, from = 0; k < n; k++)
            if (k + 1 == n || (t->is_whole && pcdf_info_times_is_gap(t, t->x[at + k], t->x[at + k + 1]))) {
                add_span(&strip, t, t->x[at + from], t->x[at + k], i % PCDF_STRIP_COLOURS);
                from = k + 1;
            }
        at += n;
    }
    pcdf_strip_print(&strip, stdout, d->colours, d->utf8);
}

static void draw_faults(const struct pcdf_drawing *d, const struct pcdf_info_times *t)
{
    const struct pcdf_tool_series *s = d->info->ds->series;
    char text[2 * WORDS], a[DATE], b[DATE];
    int nlost = 0, lost = 0;

    for (int i = s->n - 1; i >= 0; i--)
        if (s->x[i].lost) {
            nlost++;
            lost = i;
        }
    pcdf_tool_series_text(s, t->from, a);
    pcdf_tool_series_text(s, t->to, b);
    snprintf(text, sizeof text, "%" PRId64 " %s: %snothing between %s and %s, behind %.*s.", t->ngaps,
             t->ngaps == 1 ? "gap" : "gaps", t->ngaps == 1 ? "" : "the largest, ", a, b, WORDS,
             s->x[t->file].path);
    if (t->ngaps > 0)
        pcdf_drawing_warning(d, text);
    pcdf_tool_series_text(s, t->twice, a);
    snprintf(text, sizeof text, "%" PRId64 " twice, the first of them %s.", t->ntwice, a);
    if (t->ntwice > 0)
        pcdf_drawing_warning(d, text);
    pcdf_tool_series_text(s, t->back, a);
    snprintf(text, sizeof text, "It goes back at %" PRId64 " %s, first to %s.", t->nback,
             t->nback == 1 ? "place" : "places", a);
    if (t->nback > 0)
        pcdf_drawing_warning(d, text);
    snprintf(text, sizeof text, "%d %s before the data does: %.*s%s.", nlost,
             nlost == 1 ? "file ends" : "files end", WORDS, s->x[lost].path, nlost > 1 ? ", and others" : "");
    if (nlost > 0)
        pcdf_drawing_warning(d, text);
}

static void draw_member(const struct pcdf_drawing *d, const struct pcdf_tool_member *m, int path)
{
    const struct pcdf_tool_series *s = d->info->ds->series;
    char size[PCDF_TOOL_BYTES_ROOM], format[DATE], first[DATE] = "", last[DATE] = "";

    format_of(m, format);
    if (m->has_ends && m->length > 0) {
        pcdf_tool_series_text(s, m->first, first);
        pcdf_tool_series_text(s, m->last, last);
    }
    pcdf_tool_cell(stdout, m->path, path, true);
    printf(" %*s %*" PRId64, SIZE, pcdf_tool_bytes_text(m->size, size), COUNT, m->length);
    printf(" %-18s %-18s %s\n", first, last, format);
}

static void draw_members(const struct pcdf_drawing *d)
{
    const struct pcdf_tool_series *s = d->info->ds->series;
    int path = 4;

    for (int i = 0; i < s->n; i++)
        path = pcdf_larger(path, pcdf_smaller(pcdf_tool_width(s->x[i].path), WIDEST_PATH));
    pcdf_drawing_space(d);
    printf("%s%-*s %*s %*s %-18s %-18s %s%s\n", pcdf_drawing_dim(d), path, "file", SIZE, "size", COUNT,
           "length", "from", "to", "format", pcdf_drawing_plain(d));
    for (int i = 0; i < s->n; i++)
        draw_member(d, &s->x[i], path);
}

int pcdf_drawing_series(const struct pcdf_drawing *d)
{
    struct pcdf_info_times times;
    int status = pcdf_info_times_of(d->info->ds->series, &times);

    if (status)
        return status;
    draw_stored(d);
    if (times.has_span)
        draw_span(d, &times);
    if (d->style->is_verbose)
        draw_members(d);
    draw_faults(d, &times);
    pcdf_info_times_free(&times);
    return PCDF_TOOL_GOOD;
}
