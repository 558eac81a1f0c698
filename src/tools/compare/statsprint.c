/* See statsprint.h. */
#include "statsprint.h"
#include "tool.h"
#include "toolcell.h"
#include "tooljson.h"

#include <inttypes.h>
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
    const char *name = part ? part : t->found->ds->meta.vars[varid].name;

    if (pcdf_tool_width(name) > NAME) { /* a line of its own */
        pcdf_tool_print(stdout, name);
        printf("\n%*s", NAME, "");
    } else {
        pcdf_tool_cell(stdout, name, NAME, true);
    }
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
    if (p->n == 0 || !is_integer(t->found->holes[varid].type))
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
    int64_t count = pcdf_stats_values(t->found->choice, &t->found->ds->meta, varid);
    bool whole = is_integer(t->found->holes[varid].type);
    char text[NUMBER];

    print_name(t, varid);
    pcdf_tool_fit((double)count, true, COUNT, text, sizeof text);
    printf(" %*s", COUNT, text);
    if (kind == PCDF_STATS_TEXT) {
        printf(" %*s char", FILL, "");
        if (p->fills > 0)
            printf(", %" PRId64 " NULs: %.1f %%", p->fills, 100 * ((double)p->fills / (double)count));
        putchar('\n');
        return;
    }
    print_share(p->fills, count, FILL);
    if (p->n > 0) {
        print_number(pcdf_stats_extreme(p, kind, false), whole);
        print_number(pcdf_stats_mean(p, kind), false);
        print_number(pcdf_stats_extreme(p, kind, true), whole);
        print_number(pcdf_stats_deviation(p, kind), false);
    } else {
        printf(" %*s %*s %*s %*s", VALUE, "-", VALUE, "-", VALUE, "-", VALUE, "-");
    }
    putchar('\n');
    print_remarks(t, varid);
}

/* ---- histograms */

static int64_t most_in_a_bin(const struct pcdf_stats_bins *b)
{
    int64_t most = 1;
    for (int i = 0; i < b->n; i++)
        most = b->counts[i] > most ? b->counts[i] : most;
    return most;
}

static void print_edge(double x, int width)
{
    char text[NUMBER];
    pcdf_tool_fit(x, false, VALUE, text, sizeof text);
    printf("%*s", width, text);
}

static int64_t sum_of(const struct pcdf_stats_bins *b, int from, int n)
{
    int64_t sum = 0;
    for (int i = from; i < from + n && i < b->n; i++)
        sum += b->counts[i];
    return sum;
}

/* All in one line, several bins to a column where they are many. */
static void print_columns(const struct table *t, const struct pcdf_stats_bins *b)
{
    int room = t->columns - EDGES, per = (b->n + room - 1) / room;
    int64_t most = 1;

    for (int i = 0; i < b->n; i += per)
        most = sum_of(b, i, per) > most ? sum_of(b, i, per) : most;
    print_edge(b->lo, VALUE + 2);
    fputs(t->utf8 ? " ▕" : " |", stdout);
    for (int i = 0; i < b->n; i += per)
        pcdf_tool_column(stdout, (double)sum_of(b, i, per) / (double)most, t->utf8);
    fputs(t->utf8 ? "▏ " : "| ", stdout);
    print_edge(b->hi, 0);
    putchar('\n');
}

static void print_list(const struct table *t, const struct pcdf_stats_bins *b)
{
    double most = (double)most_in_a_bin(b);

    for (int i = 0; i < b->n; i++) {
        print_edge(pcdf_stats_edge(b, i), VALUE + 2);
        fputs(" ..", stdout);
        print_edge(pcdf_stats_edge(b, i + 1), VALUE + 1);
        printf(" %12" PRId64 " ", b->counts[i]);
        pcdf_tool_bar(stdout, (double)b->counts[i] / most, t->columns - 42, t->utf8, false);
        putchar('\n');
    }
}

static void print_histogram(const struct table *t, int varid)
{
    const struct pcdf_stats_bins *b = t->found->bins ? &t->found->bins[varid] : NULL;

    if (!b || !b->counts)
        return;
    if (t->options->is_list)
        print_list(t, b);
    else
        print_columns(t, b);
    if (b->counts[b->n] + b->counts[b->n + 1] > 0)
        printf("  %" PRId64 " below the range, %" PRId64 " above it\n", b->counts[b->n], b->counts[b->n + 1]);
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

    pcdf_json_key(j, largest ? "max" : "min");
    if (p->n == 0)
        pcdf_json_null(j);
    else if (h->kind == PCDF_STATS_INT64)
        pcdf_json_integer(j, x);
    else if (h->kind == PCDF_STATS_UINT64)
        pcdf_json_unsigned(j, (uint64_t)x ^ (uint64_t)1 << 63);
    else if (is_integer(h->type))
        pcdf_json_integer(j, (int64_t)(largest ? p->hi : p->lo));
    else if (h->type == NC_FLOAT)
        pcdf_json_float(j, (float)(largest ? p->hi : p->lo));
    else
        pcdf_json_real(j, largest ? p->hi : p->lo);
}

static void json_numbers(struct pcdf_json *j, const struct pcdf_stats_found *f, int varid)
{
    const struct pcdf_stats_part *p = &f->whole[varid];
    enum pcdf_stats_kind kind = f->holes[varid].kind;

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
            pcdf_json_real(j, i == 0 ? pcdf_stats_mean(p, kind) : pcdf_stats_deviation(p, kind));
    }
}

static void json_histogram(struct pcdf_json *j, const struct pcdf_stats_bins *b)
{
    pcdf_json_key(j, "histogram");
    pcdf_json_open(j, '{', false);
    pcdf_json_key(j, "edges");
    pcdf_json_open(j, '[', true);
    for (int i = 0; i <= b->n; i++)
        pcdf_json_real(j, pcdf_stats_edge(b, i));
    pcdf_json_close(j, ']');
    pcdf_json_key(j, "counts");
    pcdf_json_open(j, '[', true);
    for (int i = 0; i < b->n; i++)
        pcdf_json_integer(j, b->counts[i]);
    pcdf_json_close(j, ']');
    json_count(j, "below", b->counts[b->n]);
    json_count(j, "above", b->counts[b->n + 1]);
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
    json_count(j, "values", pcdf_stats_values(f->choice, meta, varid));
    if (f->holes[varid].kind == PCDF_STATS_TEXT)
        json_count(j, "nul", f->whole[varid].fills);
    else
        json_numbers(j, f, varid);
    if (f->bins && f->bins[varid].counts)
        json_histogram(j, &f->bins[varid]);
    pcdf_json_close(j, '}');
}

static void print_json(const struct pcdf_stats_found *found, const struct pcdf_stats_options *options)
{
    struct pcdf_json json;

    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', false);
    pcdf_json_key(&json, "file");
    pcdf_json_text(&json, options->path);
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
        print_json(found, options);
    else
        print_table(found, options);
}
