/* See watchshow.h. */
#include "watchshow.h"
#include "alloc.h"
#include "statspart.h"
#include "status.h"
#include "tool.h"
#include "toolcell.h"
#include "tooljson.h"
#include "toolstop.h"
#include "timevalue.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { BINS = 24, NAME = 16, CHUNK = 256 * 1024 };

struct pcdf_watch_values { /* of one variable of the record: what is kept of it, as little as is printed */
    int64_t n, missing;
    double lo, mean, hi;
    int nbins;
    float bins[BINS]; /* each part's mean, between lo and hi: 0 to 1; -1: it has no values */
};

/* ---- what there is to show */

static bool is_shown(const struct pcdf_var *var)
{
    return var->is_record && var->type != NC_CHAR && var->nbytes > 0;
}

static int choose(struct pcdf_watch_show *show, const struct pcdf_tool_dataset *ds, bool *chosen)
{
    int status = show->variables ? pcdf_tool_choose(ds, show->variables, chosen) : PCDF_TOOL_GOOD;

    for (int i = 0; i < ds->meta.nvars && !status; i++)
        if ((chosen[i] || !show->variables) && is_shown(&ds->meta.vars[i]))
            show->vars[show->nvars++] = i;
    return status;
}

int pcdf_watch_show_begin(struct pcdf_watch_show *show, const struct pcdf_tool_dataset *ds)
{
    size_t most = (size_t)ds->meta.nvars + 1;
    bool *chosen = pcdf_calloc(most, sizeof *chosen);

    show->nvars = 0;
    show->vars = pcdf_calloc(most, sizeof *show->vars);
    show->room = pcdf_malloc(CHUNK);
    int status = chosen && show->vars && show->room
                     ? choose(show, ds, chosen)
                     : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    pcdf_free(chosen);
    if (!status) {
        show->values = pcdf_calloc((size_t)show->nvars + 1, sizeof *show->values);
        status = show->values ? status : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    }
    if (status)
        pcdf_watch_show_end(show);
    return status;
}

void pcdf_watch_show_end(struct pcdf_watch_show *show)
{
    pcdf_free(show->vars);
    pcdf_free(show->values);
    pcdf_free(show->room);
    show->vars = NULL;
    show->values = NULL;
    show->room = NULL;
}

/* ---- a record is read */

struct seen { /* one variable of it */
    struct pcdf_stats_part all, bins[BINS];
    enum pcdf_stats_kind kind;
    struct pcdf_meaning_packing packing;
    int nbins;
};

static int count_values(struct pcdf_tool_dataset *ds, int varid, int64_t record, unsigned char *room,
                        struct seen *seen)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t size = pcdf_type_size(var->type), n = var->nbytes / size, done = 0;
    struct pcdf_stats_holes holes;
    int status = PCDF_TOOL_GOOD;

    const struct pcdf_meaning meaning = pcdf_meaning_of(var);
    *seen = (struct seen){ .packing = meaning.packing, .nbins = n < BINS ? (int)n : BINS };
    pcdf_stats_find_holes(&holes, &meaning);
    seen->kind = holes.kind;
    for (int bin = 0; bin < seen->nbins && !status; bin++) {
        int64_t end = bin + 1 == seen->nbins ? n : n / seen->nbins * (bin + 1);
        while (done < end && !status && !pcdf_tool_is_stopped()) {
            int64_t some = end - done < CHUNK / size ? end - done : CHUNK / size;
            status = pcdf_tool_values(ds, varid, record * n + done, some, room);
            if (!status)
                pcdf_stats_take(&seen->bins[bin], &holes, room, some);
            done += some;
        }
        pcdf_stats_merge(&seen->all, &seen->bins[bin], seen->kind);
    }
    return status;
}

static void make_values(const struct seen *s, struct pcdf_watch_values *v)
{
    *v =
        (struct pcdf_watch_values){ .n = s->all.n, .missing = s->all.fills + s->all.nans, .nbins = s->nbins };
    if (v->n == 0)
        return;
    double a = pcdf_meaning_unpack(&s->packing, pcdf_stats_extreme(&s->all, s->kind, false));
    double b = pcdf_meaning_unpack(&s->packing, pcdf_stats_extreme(&s->all, s->kind, true));
    v->lo = a < b ? a : b;
    v->hi = a < b ? b : a;
    v->mean = pcdf_meaning_unpack(&s->packing, pcdf_stats_mean(&s->all, s->kind));
    for (int i = 0; i < s->nbins; i++) {
        const struct pcdf_stats_part *bin = &s->bins[i];
        double mean = bin->n ? pcdf_meaning_unpack(&s->packing, pcdf_stats_mean(bin, s->kind)) : 0;
        v->bins[i] = !bin->n ? -1 : v->hi > v->lo ? (float)((mean - v->lo) / (v->hi - v->lo)) : 0.5F;
    }
}

/* The first variable of the record whose values are dates, or else are times that have none; -1. */
static int find_time(const struct pcdf_meta *meta, struct pcdf_time *time)
{
    int found = -1;

    for (int i = 0; i < meta->nvars; i++) {
        bool is_one = meta->vars[i].is_record && meta->vars[i].ndims == 1;
        enum pcdf_time_kind kind = is_one ? pcdf_time_of(time, meta, i) : PCDF_TIME_NONE;
        if (kind == PCDF_TIME_DATES)
            return i;
        if (kind == PCDF_TIME_UNREADABLE && found < 0)
            found = i;
    }
    if (found >= 0)
        pcdf_time_of(time, meta, found);
    return found;
}

/* The record's time. Without a date it is a number with its units, as `info` writes it; JSON has it among the
 * values. */
static int time_of(struct pcdf_tool_dataset *ds, int64_t record, bool is_json, char text[PCDF_WATCH_WHEN])
{
    struct pcdf_time time;
    double when;
    int id = find_time(&ds->meta, &time);

    *text = '\0';
    int status = id < 0 ? PCDF_TOOL_GOOD : pcdf_tool_numbers(ds, id, record, 1, &when);
    if (status || id < 0)
        return status;
    size_t n = isfinite(when) ? pcdf_time_text(&time, when, ' ', text) : 0;
    text[n] = '\0';
    if (n == 0 && isfinite(when) && !is_json)
        snprintf(text, PCDF_WATCH_WHEN, "%.10g %s", when, time.units);
    return PCDF_TOOL_GOOD;
}

int pcdf_watch_show_read(struct pcdf_watch_show *show, struct pcdf_tool_dataset *ds, int64_t record)
{
    int status = time_of(ds, record, show->is_json, show->when);

    show->record = record;
    for (int i = 0; i < show->nvars && !status && (show->is_json || !show->is_quiet); i++) {
        struct seen seen;
        status = count_values(ds, show->vars[i], record, show->room, &seen);
        if (!status)
            make_values(&seen, &show->values[i]);
    }
    return status;
}

/* ---- it is printed */

static bool is_written(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}

/* Several parts of the picture as one, where the line has no room for all. */
static double height(const struct pcdf_watch_values *v, int first, int last)
{
    double sum = 0;
    int n = 0;
    for (int i = first; i < last; i++)
        if (v->bins[i] >= 0) {
            sum += v->bins[i];
            n++;
        }
    return n ? fmax(sum / n, 0.01) : 0;
}

/* columns: of the picture. */
static void print_picture(const struct pcdf_watch_values *v, int columns)
{
    bool utf8 = pcdf_tool_has_utf8();
    int n = v->nbins < columns ? v->nbins : columns;

    for (int i = 0; i < n; i++)
        pcdf_tool_column(stdout, height(v, i * v->nbins / n, (i + 1) * v->nbins / n), utf8);
    if (columns > 0)
        printf("%*s ", columns - n, "");
}

/* The numbers, shorter with each level. */
static int print_numbers(const struct pcdf_watch_values *v, int level, char *to, size_t size)
{
    int digits = level == 0 ? 6 : 3;
    bool has_missing = level < 2 || v->missing > 0;
    int n =
        snprintf(to, size, "min %.*g  mean %.*g  max %.*g", digits, v->lo, digits, v->mean, digits, v->hi);

    return has_missing ? n + snprintf(to + n, size - (size_t)n, "  missing %" PRId64, v->missing) : n;
}

/* On a terminal a line has as many columns as it has now: where it is narrow, first the picture becomes so,
 * then numbers and name. */
static void print_line(const char *name, const struct pcdf_watch_values *v)
{
    int columns = isatty(STDOUT_FILENO) ? pcdf_tool_columns(stdout) : INT32_MAX, width = NAME, left = 0;
    char numbers[128];

    for (int level = 0; level < 3 && left <= 0; level++) {
        width = level < 2 ? NAME : NAME / 2;
        left = columns - (width + 4) - print_numbers(v, level, numbers, sizeof numbers);
    }
    fputs("  ", stdout);
    pcdf_tool_cell(stdout, name, width, true);
    fputc(' ', stdout);
    if (v->n == 0) {
        printf("no values, %" PRId64 " missing\n", v->missing);
        return;
    }
    print_picture(v, left < 0 ? 0 : left < BINS ? left : BINS);
    printf("%s\n", numbers);
}

static void print(const struct pcdf_watch_show *show, const struct pcdf_meta *meta)
{
    printf("record %" PRId64 "%s", show->record, *show->when ? "  " : "");
    pcdf_tool_print(stdout, show->when);
    printf("\n");
    for (int i = 0; i < show->nvars; i++)
        print_line(meta->vars[show->vars[i]].name, &show->values[i]);
}

static void print_json(struct pcdf_json *json, const char *name, const struct pcdf_watch_values *v)
{
    pcdf_json_key(json, name);
    pcdf_json_open(json, '{', true);
    if (v->n > 0) {
        pcdf_json_key(json, "min");
        pcdf_json_real(json, v->lo);
        pcdf_json_key(json, "mean");
        pcdf_json_real(json, v->mean);
        pcdf_json_key(json, "max");
        pcdf_json_real(json, v->hi);
    }
    pcdf_json_key(json, "missing");
    pcdf_json_integer(json, v->missing);
    pcdf_json_close(json, '}');
}

static void print_as_json(const struct pcdf_watch_show *show, const struct pcdf_meta *meta)
{
    struct pcdf_json json;

    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', true);
    pcdf_json_key(&json, "event");
    pcdf_json_text(&json, "record");
    pcdf_json_key(&json, "record");
    pcdf_json_integer(&json, show->record);
    if (*show->when) {
        pcdf_json_key(&json, "time");
        pcdf_json_text(&json, show->when);
    }
    pcdf_json_key(&json, "variables");
    pcdf_json_open(&json, '{', true);
    for (int i = 0; i < show->nvars; i++)
        print_json(&json, meta->vars[show->vars[i]].name, &show->values[i]);
    pcdf_json_close(&json, '}');
    pcdf_json_close(&json, '}');
    pcdf_json_end(&json);
}

bool pcdf_watch_show_print(const struct pcdf_watch_show *show, const struct pcdf_meta *meta)
{
    if (show->is_json)
        print_as_json(show, meta);
    else if (!show->is_quiet)
        print(show, meta);
    return is_written();
}

bool pcdf_watch_show_event(const struct pcdf_watch_show *show, const char *event, const char *sentence)
{
    struct pcdf_json json;

    if (show->is_json) {
        pcdf_json_begin(&json, stdout);
        pcdf_json_open(&json, '{', true);
        pcdf_json_key(&json, "event");
        pcdf_json_text(&json, event);
        pcdf_json_close(&json, '}');
        pcdf_json_end(&json);
    } else if (!show->is_quiet) {
        printf("%s\n", sentence);
    }
    return is_written();
}
