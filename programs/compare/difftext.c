/* What `parcdf diff` prints for people: a line a difference, the first file's side before the bar, the
 * second's behind it. See diff.h. */
#include "diff.h"
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct printing {
    struct pcdf_diff *d;
    bool coloured;
};

static void coloured(const struct printing *p, const char *colour, const char *words)
{
    if (p->coloured)
        fputs(colour, stdout);
    pcdf_tool_print(stdout, words);
    if (p->coloured)
        fputs("\033[m", stdout);
}

static void sides(const struct printing *p, const char *a, const char *b)
{
    coloured(p, "\033[31m", a);
    fputs(" | ", stdout);
    coloured(p, "\033[32m", b);
    putchar('\n');
}

/* What it is about: "dimension x", "attribute v:units", "variables" for all of a kind. */
static void print_subject(const struct pcdf_diff_finding *f)
{
    fputs(f->is_note ? "note: " : "", stdout);
    fputs(f->kind, stdout);
    if (!f->name) {
        fputs(strcmp(f->kind, "file") == 0 ? "" : "s", stdout);
        fputs(f->of && *f->of ? " of " : "", stdout);
        pcdf_tool_print(stdout, f->of ? f->of : "");
        return;
    }
    putchar(' ');
    pcdf_tool_print(stdout, f->of ? f->of : "");
    fputs(f->of ? ":" : "", stdout);
    pcdf_tool_print(stdout, f->name);
}

/* "dimension x: length 4 | 5", "variable b: only in a.nc: int (x)", "note: file: format CDF-1 | CDF-2" */
static void print_finding(void *context, const struct pcdf_diff_finding *f)
{
    const struct printing *p = context;
    bool is_missing = strcmp(f->what, "missing") == 0;

    if (p->d->options.quiet)
        return;
    print_subject(f);
    if (strcmp(f->what, "order") == 0) {
        puts(": in another order");
    } else if (is_missing) {
        fputs(": only in ", stdout);
        coloured(p, f->a ? "\033[31m" : "\033[32m", p->d->options.paths[f->a ? 0 : 1]);
        fputs(": ", stdout);
        pcdf_tool_print(stdout, f->a ? f->a : f->b);
        putchar('\n');
    } else {
        printf(": %s ", f->what);
        sides(p, f->a, f->b);
    }
}

void pcdf_diff_text_header(struct pcdf_diff *d)
{
    struct printing p = { .d = d, .coloured = pcdf_tool_has_colours(stdout) };
    pcdf_diff_header(d, print_finding, &p);
}

/* ---- data */

static void print_number(void *separator, int64_t index)
{
    const char **before = separator;
    printf("%s%" PRId64, *before, index);
    *before = ", ";
}

/* " at (1, 2)"; nothing for a scalar. */
static void print_index(const struct pcdf_diff *d, int varid, int64_t number)
{
    const struct pcdf_var *var = &d->a.meta.vars[varid];
    const char *before = " at (";

    pcdf_diff_index(&d->a.meta, var, number, print_number, &before);
    fputs(var->ndims > 0 ? ")" : "", stdout);
}

static void print_most(const struct pcdf_diff *d, int varid, const char *what, double most, int64_t number)
{
    char words[32];

    if (most < 0)
        return;
    if (isinf(most))
        strcpy(words, "Infinity");
    else
        pcdf_tool_shortest(most, false, words, sizeof words);
    printf("  %s %s", what, words);
    print_index(d, varid, number);
    putchar('\n');
}

static void print_variable(const struct printing *p, int varid)
{
    const struct pcdf_diff *d = p->d;
    const struct pcdf_diff_tally *tally = &d->tallies[varid];
    const struct pcdf_var *a = &d->a.meta.vars[varid], *b = &d->b.meta.vars[d->pairs[varid].b];
    char first_a[64], first_b[64];

    fputs("variable ", stdout);
    pcdf_tool_print(stdout, a->name);
    printf(": %" PRId64 " of %" PRId64 " values differ", tally->different, tally->n);
    if (tally->lone_nans > 0)
        printf(", in %" PRId64 " only one side is NaN", tally->lone_nans);
    pcdf_diff_value_words(a->type, tally->first_a, first_a, sizeof first_a);
    pcdf_diff_value_words(b->type, tally->first_b, first_b, sizeof first_b);
    fputs("\n  first", stdout);
    print_index(d, varid, tally->first);
    fputs(": ", stdout);
    sides(p, first_a, first_b);
    if (a->type == NC_CHAR)
        return;
    print_most(d, varid, "largest difference", tally->most_absolute, tally->absolute_at);
    print_most(d, varid, "largest relative difference", tally->most_relative, tally->relative_at);
}

/* A variable of both files without a difference, where that was asked for or where it was not looked at. */
static void print_other(const struct pcdf_diff *d, int varid)
{
    const struct pcdf_diff_pair *pair = &d->pairs[varid];

    if (!d->chosen_a[varid] || pair->b < 0 || (pair->n >= 0 && !d->options.verbose))
        return;
    fputs(pair->n < 0 ? "note: variable " : "variable ", stdout);
    pcdf_tool_print(stdout, d->a.meta.vars[varid].name);
    if (pair->n < 0)
        puts(": its values were not compared, since shape or kind differ");
    else
        printf(": %" PRId64 " values, none differs\n", pair->n);
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void print_verdict(const struct pcdf_diff *d, const struct pcdf_diff_totals *totals)
{
    bool same = pcdf_diff_is_same(d);

    pcdf_tool_print(stdout, d->options.paths[0]);
    fputs(" and ", stdout);
    pcdf_tool_print(stdout, d->options.paths[1]);
    if (same)
        fputs(d->options.header_only ? " have the same header" : " are the same", stdout);
    else
        printf(" differ: %" PRId64 " difference%s in the header", d->nheader, plural(d->nheader));
    if (!d->options.header_only && same)
        printf(": %" PRId64 " value%s of %" PRId64 " variable%s", totals->values, plural(totals->values),
               totals->variables, plural(totals->variables));
    if (!d->options.header_only && !same)
        printf(", %" PRId64 " value%s in %" PRId64 " of %" PRId64 " variable%s", totals->values_apart,
               plural(totals->values_apart), totals->variables_apart, totals->variables,
               plural(totals->variables));
    if (d->is_short)
        fputs(", and values are missing", stdout);
    putchar('\n');
}

void pcdf_diff_text_data(struct pcdf_diff *d)
{
    struct printing p = { .d = d, .coloured = pcdf_tool_has_colours(stdout) };
    struct pcdf_diff_totals totals = pcdf_diff_totals(d);

    if (d->options.quiet)
        return;
    for (int i = 0; i < d->a.meta.nvars && !d->options.header_only; i++) {
        if (d->tallies[i].different > 0)
            print_variable(&p, i);
        else
            print_other(d, i);
    }
    print_verdict(d, &totals);
}
