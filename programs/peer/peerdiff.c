/* See peerdiff.h. Both programs exit with 1 for all that is not "the same". */
#include "peerdiff.h"
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int usage(const struct pcdf_peerdiff *p)
{
    if (p->d.ranks->rank == 0)
        fprintf(stderr,
                "usage: %s [-b] [-q] [-h] [-v NAME,...] [-t ABS,REL] A B\n"
                "Compares two netCDF classic files.\n"
                "  -b             print what is the same, too\n"
                "  -q             print nothing\n"
                "  -h             compare only the headers\n"
                "  -v NAME,...    only these variables\n"
                "  -t ABS,REL     values differ only if |x - y| > ABS and\n"
                "                 |x - y| / max(|x|, |y|) > REL\n"
                "This is parcdf; `parcdf diff` does more.\n",
                p->name);
    return PCDF_TOOL_BAD;
}

static bool parse(struct pcdf_peerdiff *p, int argc, char **argv)
{
    struct pcdf_diff_options *o = &p->d.options;
    const char *comma;
    int c;

    opterr = 0;
    while ((c = getopt(argc, argv, "bqhv:t:")) != -1) {
        o->verbose = o->verbose || c == 'b';
        o->quiet = o->quiet || c == 'q';
        o->header_only = o->header_only || c == 'h';
        if (c == 'v') /* the last holds */
            o->variables = optarg;
        if (c == 't') { /* what is no number is 0, as the two have it */
            if (!(comma = strchr(optarg, ',')))
                return false;
            o->rules.has_absolute = o->rules.has_relative = true;
            o->rules.absolute = strtod(optarg, NULL);
            o->rules.relative = strtod(comma + 1, NULL);
            o->rules.nan_differs = true;
        }
        if (c == '?')
            return false;
    }
    p->wants_header = o->header_only || !o->variables;
    o->header_only = o->header_only && !o->variables;
    if (optind + 2 != argc)
        return false;
    o->paths[0] = argv[optind];
    o->paths[1] = argv[optind + 1];
    return true;
}

/* ---- values */

static void print_value(nc_type type, const unsigned char *value)
{
    char words[64];

    if (pcdf_value_is_real(type)) {
        printf("%g", pcdf_value_load_real(type, value));
        return;
    }
    pcdf_diff_value_words(type == NC_CHAR ? NC_UBYTE : type, value, words, sizeof words);
    fputs(words, stdout);
}

static void print_number(void *separator, int64_t index)
{
    const char **before = separator;
    printf("%s%" PRId64, *before, index);
    *before = ", ";
}

/* The line of a variable of which values differ. */
static void print_difference(const struct pcdf_peerdiff *p, int i)
{
    const struct pcdf_diff *d = &p->d;
    const struct pcdf_var *var = &d->a.meta.vars[i];
    const struct pcdf_diff_tally *tally = &d->tallies[i];
    const char *before = " at element [";

    printf("DIFF%s: %svariable \"", d->options.rules.has_absolute ? " (tolerance)" : "",
           var->ndims == 0 ? "scalar " : "");
    pcdf_tool_print(stdout, var->name);
    printf("\" of type \"%s\"", pcdf_type_name(var->type));
    pcdf_diff_index(&d->a.meta, var, tally->first, print_number, &before);
    fputs(var->ndims > 0 ? "] of value " : " of value ", stdout);
    print_value(var->type, tally->first_a);
    fputs(" vs ", stdout);
    print_value(var->type, tally->first_b);
    printf(" (difference = %e)\n",
           pcdf_value_load_real(var->type, tally->first_a) - pcdf_value_load_real(var->type, tally->first_b));
}

static void print_values(struct pcdf_peerdiff *p)
{
    const struct pcdf_diff *d = &p->d;

    for (int i = 0; i < d->a.meta.nvars; i++) {
        if (d->tallies[i].different > 0)
            p->nvariables++;
        if (d->options.quiet || d->pairs[i].n < 0)
            continue;
        if (d->tallies[i].different > 0) {
            print_difference(p, i);
        } else if (d->options.verbose) {
            fputs("\tSAME: variable \"", stdout);
            pcdf_tool_print(stdout, d->a.meta.vars[i].name);
            puts("\" contents");
        }
    }
}

/* Names of -v that one file lacks; without -v variables that only one file has, which the header told of. */
static void count_missing(struct pcdf_peerdiff *p)
{
    const struct pcdf_diff *d = &p->d;

    for (const char *list = d->options.variables; list;) {
        char name[PCDF_TOOL_NAME];
        list = pcdf_tool_next_name(list, name);
        int in_a = pcdf_tool_find_variable(&d->a.meta, name),
            in_b = pcdf_tool_find_variable(&d->b.meta, name);
        if (in_a >= 0 && in_b >= 0)
            continue;
        p->nvariables++;
        if (d->options.quiet)
            continue;
        fputs("WARN: variable \"", stdout);
        pcdf_tool_print(stdout, name);
        fputs("\" not found in ", stdout);
        pcdf_tool_print(stdout, d->options.paths[in_a < 0 ? 0 : 1]);
        putchar('\n');
    }
    for (int i = 0; !d->options.variables && i < d->a.meta.nvars; i++)
        p->nvariables += d->pairs[i].b < 0;
    for (int j = 0; !d->options.variables && j < d->b.meta.nvars; j++)
        p->nvariables += pcdf_meta_find_var(&d->a.meta, d->b.meta.vars[j].name) < 0;
}

/* ---- the run */

/* Variables of another type or shape are not compared by value. With -v alone that is told here. Ranks beside
 * rank 0 go through it silently, since they need the same pairs. */
static void settle_pairs(struct pcdf_peerdiff *p)
{
    struct pcdf_diff *d = &p->d;
    int64_t nheader = p->nheader, n = 0;
    bool quiet = d->options.quiet;

    for (int i = 0; i < d->a.meta.nvars; i++)
        n += d->chosen_a[i] && d->pairs[i].b >= 0 && !d->options.header_only;
    if (d->options.verbose && !quiet)
        printf("number of variables to be compared = %" PRId64 "\n", n);
    d->options.quiet = quiet || p->wants_header; /* then the header has told it already */
    for (int i = 0; i < d->a.meta.nvars; i++)
        if (d->chosen_a[i] && d->pairs[i].b >= 0 && !d->options.header_only &&
            !pcdf_peerdiff_shape(p, i, d->pairs[i].b)) {
            d->pairs[i].n = -1;
            p->nvariables += d->options.variables != NULL;
        }
    d->options.quiet = quiet;
    p->nheader = nheader;
}

static void print_header_verdict(const struct pcdf_peerdiff *p)
{
    if (p->nheader > 0)
        printf("Number of differences in header%s %" PRId64 "\n", p->colon, p->nheader);
    else
        puts("Headers of two files are the same");
}

static void print_verdict(const struct pcdf_peerdiff *p)
{
    const struct pcdf_diff_options *o = &p->d.options;

    if (o->quiet)
        return;
    if (p->wants_header)
        print_header_verdict(p);
    if (o->header_only)
        return;
    if (p->nvariables == 0)
        puts(o->variables ? "Compared variable(s) are the same" : "All variables of two files are the same");
    else if (o->variables)
        printf("Compared variables(s) has %" PRId64 " differences\n", p->nvariables);
    else
        printf("Number of differences in variables%s %" PRId64 "\n", p->colon, p->nvariables);
}

static void print_begin(const struct pcdf_peerdiff *p)
{
    const struct pcdf_diff_options *o = &p->d.options;

    if (!o->verbose || o->quiet)
        return;
    if (o->rules.has_absolute)
        printf("Tolerance absolute difference = %e\nTolerance ratio    difference = %e\n", o->rules.absolute,
               o->rules.relative);
    for (int i = 0; i < 2; i++) {
        fputs(i == 0 ? "First  file: " : "Second file: ", stdout);
        pcdf_tool_print(stdout, o->paths[i]);
        putchar('\n');
    }
}

/* Collective. Rank 0 has the verdict and prints; the others do as with -q. */
static int compare_all(struct pcdf_peerdiff *p)
{
    struct pcdf_diff *d = &p->d;
    bool quiet = d->options.quiet;
    int status = PCDF_TOOL_GOOD;

    d->options.quiet = quiet || d->ranks->rank > 0;
    print_begin(p);
    pcdf_peerdiff_format(p);
    if (p->wants_header)
        pcdf_peerdiff_header(p);
    settle_pairs(p);
    d->options.quiet = quiet;
    if (!d->options.header_only) /* the same on all ranks */
        status = pcdf_diff_data_all(d);
    if (status || d->ranks->rank > 0)
        return status ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD;
    if (!d->options.header_only) {
        print_values(p);
        count_missing(p);
    }
    print_verdict(p);
    return p->nheader > 0 || p->nvariables > 0 || d->is_short ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD;
}

static int run_all(struct pcdf_peerdiff *p, int argc, char **argv)
{
    if (!parse(p, argc, argv)) /* the same on all ranks, as the arguments are */
        return usage(p);
    int opened = pcdf_diff_open_all(&p->d, false);
    int status = pcdf_diff_agree_all(&p->d, opened ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD);
    if (!status) /* the same on all ranks */
        status = compare_all(p);
    if (!opened)
        pcdf_diff_close(&p->d);
    return status ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD;
}

int pcdf_tool_ncmpidiff(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct pcdf_peerdiff p = { .d.ranks = ranks, .name = "ncmpidiff", .colon = "" };
    p.d.options.rules = (struct pcdf_diff_rules){ .nan_differs = true, .text_as_numbers = true };
    return run_all(&p, argc, argv);
}

/* It compares bytes where it has no tolerance: a NaN equals itself, -0 and 0 differ. */
int pcdf_tool_cdfdiff(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static const struct pcdf_tool_ranks alone = { .size = 1 };
    struct pcdf_peerdiff p = { .d.ranks = &alone, .name = "cdfdiff", .colon = ":" };

    (void)ranks; /* rank 0 alone comes here */
    p.d.options.rules = (struct pcdf_diff_rules){ .by_bits = true, .text_as_numbers = true };
    return run_all(&p, argc, argv);
}
