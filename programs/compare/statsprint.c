/* See statsprint.h. */
#include "statsprint.h"
#include "tool.h"
#include "meaningtext.h"
#include "toolcell.h"
#include "tooljson.h"
#include "toolseries.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAME = 17, COUNT = 10, FILL = 7, VALUE = 10, NUMBER = 32, EDGES = 26 };

struct table {
    const struct pcdf_stats_found *found;
    const struct pcdf_stats_options *options;
    bool utf8;
    int columns;
};

static bool is_integer(nc_type type)
{
    return type != NC_FLOAT && type != NC_DOUBLE;
}

/* Are the values integers, as they are shown? */
static bool shows_integers(const struct pcdf_stats_found *f, int varid)
{
    return is_integer(f->holes[varid].type) && !f->packing[varid].is_packed;
}

/* ---- values: unpacked, where they are packed */

static double extreme(const struct pcdf_stats_found *f, int varid, bool largest)
{
    const struct pcdf_meaning_packing *p = &f->packing[varid];
    bool is_largest = p->scale < 0 ? !largest : largest;
    double x = pcdf_meaning_unpack(p, pcdf_stats_extreme(&f->whole[varid], f->holes[varid].kind, is_largest));
    pcdf_meaning_round(p, 1, &x);
    return x;
}

static double mean(const struct pcdf_stats_found *f, int varid)
{
    return pcdf_meaning_unpack(&f->packing[varid], pcdf_stats_mean(&f->whole[varid], f->holes[varid].kind));
}

static double deviation(const struct pcdf_stats_found *f, int varid)
{
    return fabs(f->packing[varid].scale) * pcdf_stats_deviation(&f->whole[varid], f->holes[varid].kind);
}

/* A histogram as it is shown: the bins of a negative scale_factor in the other direction. */
struct shown {
    const struct pcdf_stats_bins *b;
    const struct pcdf_meaning_packing *p;
    bool is_turned;
};

static struct shown shown_of(const struct pcdf_stats_found *f, int varid)
{
    return (struct shown){ &f->bins[varid], &f->packing[varid], f->packing[varid].scale < 0 };
}

static double edge(const struct shown *s, int i)
{
    return pcdf_meaning_unpack(s->p, pcdf_stats_edge(s->b, s->is_turned ? s->b->n - i : i));
}

static int64_t count(const struct shown *s, int i)
{
    return s->b->counts[s->is_turned ? s->b->n - 1 - i : i];
}

static int64_t outside(const struct shown *s, bool above)
{
    return s->b->counts[s->b->n + (above != s->is_turned)];
}

/* The smallest or largest value with all its digits. */
static void exact(const struct pcdf_stats_found *f, int varid, bool largest, char text[NUMBER])
{
    const struct pcdf_stats_part *p = &f->whole[varid];
    const struct pcdf_stats_holes *h = &f->holes[varid];
    int64_t x = largest ? p->int_hi : p->int_lo;

    if (h->kind == PCDF_STATS_INT64)
        snprintf(text, NUMBER, "%" PRId64, x);
    else if (h->kind == PCDF_STATS_UINT64)
        snprintf(text, NUMBER, "%" PRIu64, (uint64_t)x ^ (uint64_t)1 << 63);
    else if (is_integer(h->type))
        snprintf(text, NUMBER, "%.0f", largest ? p->hi : p->lo);
    else
        pcdf_tool_shortest(largest ? p->hi : p->lo, h->type == NC_FLOAT, text, NUMBER);
}

/* ---- the table */

static void print_number(double x, bool whole)
{
    char text[NUMBER];
    pcdf_tool_fit(x, whole, VALUE, text, sizeof text);
    printf(" %*s", VALUE, text);
}

/* A share in percent that is 0 or 100 only where nothing, or everything, is meant. */
static void print_share(int64_t part, int64_t all, int width)
{
    double percent = all > 0 ? 100 * ((double)part / (double)all) : 0;
    char text[NUMBER];

    if (part == 0)
        snprintf(text, sizeof text, "-");
    else if (part == all)
        snprintf(text, sizeof text, "100 %%");
    else if (percent < 0.1)
        snprintf(text, sizeof text, "<0.1 %%");
    else
        snprintf(text, sizeof text, "%.1f %%", percent > 99.9 ? 99.9 : percent);
    printf(" %*s", width, text);
}

static void print_name(const struct table *t, int varid)
{
    const char *part = t->found->choice->texts[varid];
    const struct pcdf_var *var = &t->found->ds->meta.vars[varid];
    const char *name = part ? part : var->name;
    char units[PCDF_MEANING_TEXT], said[PCDF_MEANING_TEXT + 4] = "";
    int width = pcdf_tool_width(name);

    if (pcdf_meaning_text(&var->atts, "units", units))
        snprintf(said, sizeof said, " (%s)", units);
    bool fits = width + pcdf_tool_width(said) <= NAME; /* else a line of its own */
    int left = fits ? NAME - width : t->columns - width;
    pcdf_tool_print(stdout, name);
    pcdf_tool_cell(stdout, said, left > NAME || fits ? left : NAME, fits);
    if (!fits)
        printf("\n%*s", NAME, "");
}

/* What has no column, or did not fit into its own. */
static void print_remarks(const struct table *t, int varid)
{
    const struct pcdf_stats_part *p = &t->found->whole[varid];
    char lo[NUMBER], hi[NUMBER];

    if (p->nans + p->above + p->below > 0) {
        const char *before = "  ";
        if (p->nans > 0)
            printf("%s%" PRId64 " NaN", before, p->nans);
        before = p->nans > 0 ? ", " : before;
        if (p->above > 0)
            printf("%s%" PRId64 " infinite", before, p->above);
        before = p->nans + p->above > 0 ? ", " : before;
        if (p->below > 0)
            printf("%s%" PRId64 " minus infinite", before, p->below);
        putchar('\n');
    }
    if (p->n == 0 || !shows_integers(t->found, varid))
        return;
    exact(t->found, varid, false, lo);
    exact(t->found, varid, true, hi);
    if (strlen(lo) > VALUE || strlen(hi) > VALUE)
        printf("  exactly: min %s, max %s\n", lo, hi);
}

static void print_row(const struct table *t, int varid)
{
    const struct pcdf_stats_part *p = &t->found->whole[varid];
    enum pcdf_stats_kind kind = t->found->holes[varid].kind;
    int64_t n = pcdf_stats_values(t->found->choice, &t->found->ds->meta, varid);
    bool whole = shows_integers(t->found, varid);
    char text[NUMBER];

    print_name(t, varid);
    pcdf_tool_fit((double)n, true, COUNT, text, sizeof text);
    printf(" %*s", COUNT, text);
    if (kind == PCDF_STATS_TEXT) {
        printf(" %*s char", FILL, "");
        if (p->fills > 0)
            printf(", %" PRId64 " NULs: %.1f %%", p->fills, 100 * ((double)p->fills / (double)n));
        putchar('\n');
        return;
    }
    print_share(p->fills, n, FILL);
    if (p->n > 0) {
        print_number(extreme(t->found, varid, false), whole);
        print_number(mean(t->found, varid), false);
        print_number(extreme(t->found, varid, true), whole);
        print_number(deviation(t->found, varid), false);
    } else {
        printf(" %*s %*s %*s %*s", VALUE, "-", VALUE, "-", VALUE, "-", VALUE, "-");
    }
    putchar('\n');
    print_remarks(t, varid);
}

/* ---- histograms */

static int64_t most_in_a_bin(const struct shown *s)
{
    int64_t most = 1;
    for (int i = 0; i < s->b->n; i++)
        most = count(s, i) > most ? count(s, i) : most;
    return most;
}

static void print_edge(double x, int width)
{
    char text[NUMBER];
    pcdf_tool_fit(x, false, VALUE, text, sizeof text);
    printf("%*s", width, text);
}

static int64_t sum_of(const struct shown *s, int from, int n)
{
    int64_t sum = 0;
    for (int i = from; i < from + n && i < s->b->n; i++)
        sum += count(s, i);
    return sum;
}

/* All in one line, several bins to a column where they are many. */
static void print_columns(const struct table *t, const struct shown *s)
{
    int n = s->b->n, room = t->columns - EDGES, per = (n + room - 1) / room;
    int64_t most = 1;

    for (int i = 0; i < n; i += per)
        most = sum_of(s, i, per) > most ? sum_of(s, i, per) : most;
    print_edge(edge(s, 0), VALUE + 2);
    fputs(t->utf8 ? " ▕" : " |", stdout);
    for (int i = 0; i < n; i += per)
        pcdf_tool_column(stdout, (double)sum_of(s, i, per) / (double)most, t->utf8);
    fputs(t->utf8 ? "▏ " : "| ", stdout);
    print_edge(edge(s, n), 0);
    putchar('\n');
}

static void print_list(const struct table *t, const struct shown *s)
{
    double most = (double)most_in_a_bin(s);

    for (int i = 0; i < s->b->n; i++) {
        print_edge(edge(s, i), VALUE + 2);
        fputs(" ..", stdout);
        print_edge(edge(s, i + 1), VALUE + 1);
        printf(" %12" PRId64 " ", count(s, i));
        pcdf_tool_bar(stdout, (double)count(s, i) / most, t->columns - 42, t->utf8, false);
        putchar('\n');
    }
}

static void print_histogram(const struct table *t, int varid)
{
    if (!t->found->bins || !t->found->bins[varid].counts)
        return;
    const struct shown s = shown_of(t->found, varid);
    if (t->options->is_list)
        print_list(t, &s);
    else
        print_columns(t, &s);
    if (outside(&s, false) + outside(&s, true) > 0)
        printf("  %" PRId64 " below the range, %" PRId64 " above it\n", outside(&s, false),
               outside(&s, true));
}

static void print_table(const struct pcdf_stats_found *found, const struct pcdf_stats_options *options)
{
    const struct table t = { found, options, pcdf_tool_has_utf8(), pcdf_tool_columns(stdout) };
    bool bold = pcdf_tool_has_colours(stdout);

    fputs(bold ? "\033[1m" : "", stdout);
    printf("%-*s %*s %*s %*s %*s %*s %*s", NAME, "variable", COUNT, "values", FILL, "fill", VALUE, "min",
           VALUE, "mean", VALUE, "max", VALUE, "std");
    puts(bold ? "\033[0m" : "");
    for (int i = 0; i < found->ds->meta.nvars; i++) {
        if (!pcdf_stats_is_chosen(found->choice, i))
            continue;
        print_row(&t, i);
        print_histogram(&t, i);
    }
}

/* ---- JSON */

static void json_count(struct pcdf_json *j, const char *key, int64_t n)
{
    pcdf_json_key(j, key);
    pcdf_json_integer(j, n);
}

static void json_extreme(struct pcdf_json *j, const struct pcdf_stats_found *f, int varid, bool largest)
{
    const struct pcdf_stats_part *p = &f->whole[varid];
    const struct pcdf_stats_holes *h = &f->holes[varid];
    int64_t x = largest ? p->int_hi : p->int_lo;
    bool is_packed = f->packing[varid].is_packed;

    pcdf_json_key(j, largest ? "max" : "min");
    if (p->n == 0)
        pcdf_json_null(j);
    else if (!is_packed && h->kind == PCDF_STATS_INT64)
        pcdf_json_integer(j, x);
    else if (!is_packed && h->kind == PCDF_STATS_UINT64)
        pcdf_json_unsigned(j, (uint64_t)x ^ (uint64_t)1 << 63);
    else if (shows_integers(f, varid))
        pcdf_json_integer(j, (int64_t)(largest ? p->hi : p->lo));
    else if (is_packed ? f->packing[varid].is_float : h->type == NC_FLOAT)
        pcdf_json_float(j, (float)extreme(f, varid, largest));
    else
        pcdf_json_real(j, extreme(f, varid, largest));
}

static void json_numbers(struct pcdf_json *j, const struct pcdf_stats_found *f, int varid)
{
    const struct pcdf_stats_part *p = &f->whole[varid];

    json_count(j, "valid", p->n);
    json_count(j, "fill", p->fills);
    json_count(j, "nan", p->nans);
    json_count(j, "infinite", p->above);
    json_count(j, "minus_infinite", p->below);
    json_extreme(j, f, varid, false);
    json_extreme(j, f, varid, true);
    for (int i = 0; i < 2; i++) {
        pcdf_json_key(j, i == 0 ? "mean" : "std");
        if (p->n == 0)
            pcdf_json_null(j);
        else
            pcdf_json_real(j, i == 0 ? mean(f, varid) : deviation(f, varid));
    }
}

static void json_histogram(struct pcdf_json *j, const struct shown *s)
{
    pcdf_json_key(j, "histogram");
    pcdf_json_open(j, '{', false);
    pcdf_json_key(j, "edges");
    pcdf_json_open(j, '[', true);
    for (int i = 0; i <= s->b->n; i++)
        pcdf_json_real(j, edge(s, i));
    pcdf_json_close(j, ']');
    pcdf_json_key(j, "counts");
    pcdf_json_open(j, '[', true);
    for (int i = 0; i < s->b->n; i++)
        pcdf_json_integer(j, count(s, i));
    pcdf_json_close(j, ']');
    json_count(j, "below", outside(s, false));
    json_count(j, "above", outside(s, true));
    pcdf_json_close(j, '}');
}

/* units, and how the numbers were unpacked. */
static void json_meaning(struct pcdf_json *j, const struct pcdf_stats_found *f, int varid)
{
    const struct pcdf_meaning_packing *p = &f->packing[varid];
    char units[PCDF_MEANING_TEXT];

    if (pcdf_meaning_text(&f->ds->meta.vars[varid].atts, "units", units)) {
        pcdf_json_key(j, "units");
        pcdf_json_text(j, units);
    }
    if (!p->is_packed)
        return;
    pcdf_json_key(j, "unpacked");
    pcdf_json_open(j, '{', true);
    pcdf_json_key(j, "scale_factor");
    pcdf_json_real(j, p->scale);
    pcdf_json_key(j, "add_offset");
    pcdf_json_real(j, p->offset);
    pcdf_json_close(j, '}');
}

static void json_slice(struct pcdf_json *j, const struct pcdf_tool_slice *slice)
{
    const char *const keys[] = { "start", "count", "stride" };
    const int64_t *const numbers[] = { slice->start, slice->count, slice->stride };

    pcdf_json_key(j, "slice");
    pcdf_json_open(j, '{', true);
    for (int k = 0; k < 3; k++) {
        pcdf_json_key(j, keys[k]);
        pcdf_json_open(j, '[', true);
        for (int i = 0; i < slice->ndims; i++)
            pcdf_json_integer(j, numbers[k][i]);
        pcdf_json_close(j, ']');
    }
    pcdf_json_close(j, '}');
}

static void json_variable(struct pcdf_json *j, const struct pcdf_stats_found *f, int varid)
{
    const struct pcdf_meta *meta = &f->ds->meta;
    const struct pcdf_var *var = &meta->vars[varid];

    pcdf_json_open(j, '{', false);
    pcdf_json_key(j, "name");
    pcdf_json_text(j, var->name);
    pcdf_json_key(j, "type");
    pcdf_json_text(j, pcdf_type_cdl(var->type));
    pcdf_json_key(j, "shape");
    pcdf_json_open(j, '[', true);
    for (int i = 0; i < var->ndims; i++) {
        int64_t length = meta->dims[var->dimids[i]].length;
        pcdf_json_integer(j, length == 0 ? meta->numrecs : length);
    }
    pcdf_json_close(j, ']');
    if (f->choice->texts[varid])
        json_slice(j, &f->choice->slices[varid]);
    json_meaning(j, f, varid);
    json_count(j, "values", pcdf_stats_values(f->choice, meta, varid));
    if (f->holes[varid].kind == PCDF_STATS_TEXT)
        json_count(j, "nul", f->whole[varid].fills);
    else
        json_numbers(j, f, varid);
    if (f->bins && f->bins[varid].counts) {
        const struct shown s = shown_of(f, varid);
        json_histogram(j, &s);
    }
    pcdf_json_close(j, '}');
}

static void json_files(struct pcdf_json *j, const struct pcdf_tool_dataset *ds)
{
    const struct pcdf_tool_series *s = ds->series;

    pcdf_json_key(j, s ? "files" : "file");
    if (!s) {
        pcdf_json_text(j, ds->file.path);
        return;
    }
    pcdf_json_open(j, '[', false);
    for (int i = 0; i < s->n; i++)
        pcdf_json_text(j, s->x[i].path);
    pcdf_json_close(j, ']');
    pcdf_json_key(j, "along");
    pcdf_json_text(j, ds->meta.dims[s->dimid].name);
}

static void print_json(const struct pcdf_stats_found *found)
{
    struct pcdf_json json;

    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', false);
    json_files(&json, found->ds);
    pcdf_json_key(&json, "variables");
    pcdf_json_open(&json, '[', false);
    for (int i = 0; i < found->ds->meta.nvars; i++)
        if (pcdf_stats_is_chosen(found->choice, i))
            json_variable(&json, found, i);
    pcdf_json_close(&json, ']');
    pcdf_json_close(&json, '}');
    pcdf_json_end(&json);
}

void pcdf_stats_print(const struct pcdf_stats_found *found, const struct pcdf_stats_options *options)
{
    if (options->is_json)
        print_json(found);
    else
        print_table(found, options);
}
