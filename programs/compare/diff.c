/* `parcdf diff`: two files, their definitions by name and their values, on any number of ranks. */
#include "diff.h"
#include "alloc.h"
#include "numbers.h"
#include "options.h"
#include "status.h"
#include "tool.h"
#include "toolshare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the two files */

/* A list of names, each of which at least one of the files must have, where that is asked for. */
static int choose(struct pcdf_diff *d, const char *list, bool value, bool needs_names)
{
    while (list) {
        char name[PCDF_TOOL_NAME];
        list = pcdf_tool_next_name(list, name);
        int i = pcdf_tool_find_variable(&d->a.meta, name), j = pcdf_tool_find_variable(&d->b.meta, name);
        if (i < 0 && j < 0 && needs_names)
            return pcdf_tool_unusable(NULL, "neither file has a variable %s", name);
        if (i >= 0)
            d->chosen_a[i] = value;
        if (j >= 0)
            d->chosen_b[j] = value;
    }
    return PCDF_TOOL_GOOD;
}

static int choose_variables(struct pcdf_diff *d, bool needs_names)
{
    const struct pcdf_diff_options *o = &d->options;
    int status;

    d->some_only = o->variables != NULL;
    memset(d->chosen_a, !d->some_only, (size_t)d->a.meta.nvars);
    memset(d->chosen_b, !d->some_only, (size_t)d->b.meta.nvars);
    status = choose(d, o->variables, true, needs_names);
    return status ? status : choose(d, o->without, false, needs_names);
}

/* How many values two variables have in common: all, where their shapes are equal; those of the records that
 * both have, where the first dimension of either is the record dimension; -1: their shapes have nothing to do
 * with each other. */
static int64_t values_in_common(const struct pcdf_diff *d, int i, int j)
{
    const struct pcdf_meta *a = &d->a.meta, *b = &d->b.meta;
    const struct pcdf_var *in_a = &a->vars[i], *in_b = &b->vars[j];

    if (in_a->ndims != in_b->ndims || !pcdf_diff_comparable(in_a->type, in_b->type))
        return -1;
    for (int k = 0; k < in_a->ndims; k++) {
        bool grows = k == 0 && (in_a->is_record || in_b->is_record);
        if (!grows && a->dims[in_a->dimids[k]].length != b->dims[in_b->dimids[k]].length)
            return -1;
    }
    return pcdf_smaller(pcdf_tool_count(a, i), pcdf_tool_count(b, j));
}

static void pair_variables(struct pcdf_diff *d)
{
    for (int i = 0; i < d->a.meta.nvars; i++) {
        int j = pcdf_meta_find_var(&d->b.meta, d->a.meta.vars[i].name);
        bool wanted = j >= 0 && d->chosen_a[i] && !d->options.header_only;
        d->pairs[i] = (struct pcdf_diff_pair){ .b = j, .n = wanted ? values_in_common(d, i, j) : -1 };
        pcdf_diff_tally_begin(&d->tallies[i]);
    }
}

/* Does a file end before the last value of its that is compared? Said once, here, so that it does not depend
 * on who reads it. */
static void look_for_ends(struct pcdf_diff *d, struct pcdf_tool_dataset *ds)
{
    bool is_b = ds == &d->b;

    for (int i = 0; i < d->a.meta.nvars && !ds->read_behind; i++) {
        if (d->pairs[i].n <= 0)
            continue;
        int varid = is_b ? d->pairs[i].b : i;
        const struct pcdf_var *var = &ds->meta.vars[varid];
        int64_t each = var->nbytes / pcdf_type_size(var->type), record = (d->pairs[i].n - 1) / each;
        int64_t in_record = (d->pairs[i].n - record * each) * pcdf_type_size(var->type);
        int64_t end =
            ds->layout.begin[varid] + (var->is_record ? record * ds->layout.recsize : 0) + in_record;
        ds->read_behind = end > ds->file.size; /* no overflow: what lies far behind is refused at open */
    }
    if (ds->read_behind)
        pcdf_tool_say(ds->file.path,
                      "the file ends at byte %" PRId64 ", values that lie behind it are taken as zero",
                      ds->file.size);
    d->is_short = d->is_short || ds->read_behind;
}

static int prepare(struct pcdf_diff *d, bool needs_names)
{
    size_t a = (size_t)d->a.meta.nvars + 1, b = (size_t)d->b.meta.nvars + 1;

    d->chosen_a = pcdf_calloc(a, sizeof *d->chosen_a);
    d->chosen_b = pcdf_calloc(b, sizeof *d->chosen_b);
    d->pairs = pcdf_calloc(a, sizeof *d->pairs);
    d->tallies = pcdf_calloc(a, sizeof *d->tallies);
    if (!d->chosen_a || !d->chosen_b || !d->pairs || !d->tallies)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    int status = choose_variables(d, needs_names);
    if (status)
        return status;
    pair_variables(d);
    look_for_ends(d, &d->a);
    look_for_ends(d, &d->b);
    return PCDF_TOOL_GOOD;
}

static int open_both(struct pcdf_diff *d, bool needs_names)
{
    bool with_values = !d->options.header_only;
    int status = pcdf_tool_dataset_open(&d->a, d->options.paths[0], with_values);

    if (status)
        return status;
    status = pcdf_tool_dataset_open(&d->b, d->options.paths[1], with_values);
    if (status) {
        pcdf_tool_dataset_close(&d->a);
        return status;
    }
    status = prepare(d, needs_names);
    if (status)
        pcdf_diff_close(d);
    return status;
}

int pcdf_diff_open_all(struct pcdf_diff *d, bool needs_names)
{
    const struct pcdf_tool_sharing sharing = { 0 };
    int status = pcdf_tool_sources_share_all(d->ranks, sharing, 2, d->options.paths);
    return status ? status : open_both(d, needs_names);
}

void pcdf_diff_close(struct pcdf_diff *d)
{
    pcdf_tool_dataset_close(&d->a);
    pcdf_tool_dataset_close(&d->b);
    pcdf_free(d->chosen_a);
    pcdf_free(d->chosen_b);
    pcdf_free(d->pairs);
    pcdf_free(d->tallies);
}

struct pcdf_diff_totals pcdf_diff_totals(const struct pcdf_diff *d)
{
    struct pcdf_diff_totals totals = { 0 };

    for (int i = 0; i < d->a.meta.nvars; i++) {
        totals.variables += d->pairs[i].n >= 0;
        totals.values += d->pairs[i].n > 0 ? d->pairs[i].n : 0;
        totals.variables_apart += d->tallies[i].different > 0;
        totals.values_apart += d->tallies[i].different;
    }
    return totals;
}

bool pcdf_diff_is_same(const struct pcdf_diff *d)
{
    return d->nheader == 0 && !d->is_short && pcdf_diff_totals(d).values_apart == 0;
}

/* ---- the command */

static bool is_tolerance(const char *text, char **end, double *tolerance)
{
    *tolerance = strtod(text, end);
    return *end != text && *tolerance >= 0; /* so it is no NaN */
}

/* "ABS" or "ABS,REL" */
static bool take_tolerances(const char *text, struct pcdf_diff_rules *rules)
{
    char *end;

    rules->has_absolute = true;
    if (!is_tolerance(text, &end, &rules->absolute))
        return false;
    if (!*end)
        return true;
    rules->has_relative = true;
    return *end == ',' && is_tolerance(end + 1, &end, &rules->relative) && !*end;
}

static bool take_percent(const char *text, struct pcdf_diff_rules *rules)
{
    char *end;

    rules->has_relative = true;
    if (!is_tolerance(text, &end, &rules->relative) || *end)
        return false;
    rules->relative /= 100;
    return true;
}

struct arguments {
    struct pcdf_diff_options o;
    char *variables, *without, *attributes_without; /* of all -v, -x, -A together */
};

static void free_arguments(struct arguments *args)
{
    pcdf_free(args->variables);
    pcdf_free(args->without);
    pcdf_free(args->attributes_without);
}

static const char *add_names(void *into, const struct pcdf_option *row, const char *names)
{
    char **list = (char **)(void *)((char *)into + row->at);
    size_t old = *list ? strlen(*list) + 1 : 0, size = strlen(names) + 1;
    char *grown = pcdf_realloc(*list, old + size);

    if (!grown) {
        pcdf_tool_say(NULL, "%s", pcdf_fail_text());
        return "";
    }
    if (old > 0)
        grown[old - 1] = ',';
    memcpy(grown + old, names, size);
    *list = grown;
    return NULL;
}

static const char *take_tolerance(void *into, const struct pcdf_option *row, const char *text)
{
    struct arguments *args = into;
    (void)row;
    return take_tolerances(text, &args->o.rules) ? NULL
                                                 : pcdf_options_wrong("-t % is not ABS or ABS,REL", text);
}

static const char *take_relative(void *into, const struct pcdf_option *row, const char *text)
{
    struct arguments *args = into;
    (void)row;
    return take_percent(text, &args->o.rules) ? NULL
                                              : pcdf_options_wrong("-T % is not a number of percent", text);
}

static const struct pcdf_option rows[] = {
    { "-t, --tolerance ABS[,REL]", "values differ only if |x-y| > ABS, and |x-y| / max(|x|,|y|) > REL",
      PCDF_TAKEN(take_tolerance) },
    { "-T, --percent PERCENT", "REL in percent; without -t, ABS does not count", PCDF_TAKEN(take_relative) },
    { "-v, --variables NAMES",
      "only these variables, with their attributes, separated by commas; may be repeated; write \\, for a "
      "comma in a name",
      PCDF_TAKEN_AT(add_names, struct arguments, variables, char *) },
    { "-x, --exclude NAMES", "all variables except these",
      PCDF_TAKEN_AT(add_names, struct arguments, without, char *) },
    { "-A, --ignore NAMES", "ignore attributes with these names",
      PCDF_TAKEN_AT(add_names, struct arguments, attributes_without, char *) },
    { "-h, --header", "compare only the headers", PCDF_FLAG(struct arguments, o.header_only) },
    { "-q, --quiet", "print nothing, and stop at the first difference",
      PCDF_FLAG(struct arguments, o.quiet) },
    { "-b, --verbose", "print also which variables are equal", PCDF_FLAG(struct arguments, o.verbose) },
    { "-s, --strict",
      "the format, the order of definitions, the sign of zero and the bits of NaN must be equal, too",
      PCDF_FLAG(struct arguments, o.strict) },
    { "--nan-differs", "NaN differs from NaN", PCDF_FLAG(struct arguments, o.rules.nan_differs) },
    { "--json", "print one JSON object", PCDF_FLAG(struct arguments, o.json) },
    { 0 }
};
static const struct pcdf_options options = { .rows = rows,
                                             .column = 29,
                                             .unknown = "unknown option, or one without its argument: %",
                                             .least = 2,
                                             .most = 2,
                                             .few = "takes two files",
                                             .many = "takes two files" };

static int parse(int argc, char **argv, struct arguments *args)
{
    struct pcdf_diff_options *o = &args->o;
    struct pcdf_arguments files;

    int status = pcdf_tool_options(&pcdf_tool_diff, args, argc, argv, &files);
    if (status)
        return status;
    if (o->quiet && o->json)
        return pcdf_tool_misused(&pcdf_tool_diff, "-q and --json: one prints nothing, the other all");
    o->rules.by_bits = o->strict;
    o->variables = args->variables;
    o->without = args->without;
    o->attributes_without = args->attributes_without;
    o->paths[0] = files.x[0];
    o->paths[1] = files.x[1];
    return PCDF_TOOL_GOOD;
}

/* Collective. Rank 0 prints and has the verdict. */
static int compare_all(struct pcdf_diff *d)
{
    const struct pcdf_diff_options *o = &d->options;
    bool prints = d->ranks->rank == 0;
    int status = PCDF_TOOL_GOOD;

    if (prints && !o->json)
        pcdf_diff_text_header(d);
    int64_t is_known = o->quiet && d->nheader > 0; /* then the data tells nothing more */
    pcdf_tool_max_all(d->ranks, &is_known, 1);
    if (!o->header_only && !is_known) /* the same on all ranks */
        status = pcdf_diff_data_all(d);
    if (status || !prints)
        return status;
    if (o->json) {
        struct pcdf_json json;
        pcdf_json_begin(&json, stdout);
        pcdf_diff_json_header(d, &json);
        pcdf_diff_json_data(d, &json);
    } else {
        pcdf_diff_text_data(d);
    }
    return pcdf_diff_is_same(d) ? PCDF_TOOL_GOOD : PCDF_TOOL_BAD;
}

/* Collective. */
static int open_and_compare_all(struct pcdf_diff *d)
{
    int opened = pcdf_diff_open_all(d, true);
    int status = pcdf_diff_agree_all(d, opened ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD);

    if (!status) /* the same on all ranks */
        status = compare_all(d);
    if (!opened)
        pcdf_diff_close(d);
    return status;
}

static int run_all(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct arguments args = { 0 };
    int status = parse(argc, argv, &args);
    struct pcdf_diff d = { .ranks = ranks, .options = args.o };

    if (!status) /* the same on all ranks, as the arguments are */
        status = open_and_compare_all(&d);
    free_arguments(&args);
    return status;
}

const struct pcdf_tool_command pcdf_tool_diff = {
    .name = "diff",
    .usage = "[OPTION...] A B",
    .summary = "compare the definitions and values of two files",
    .help = "Compares definitions by name and values by index; types, formats and places in\n"
            "the files may differ. Prints one line for each difference, with A on the left\n"
            "of `|` and B on the right: for each variable the first value that differs, how\n"
            "many values differ, and the largest difference. Indices begin at 0. If the\n"
            "numbers of records differ, the records that both files have are compared. NaN\n"
            "equals NaN, and -0 equals 0. A number differs from NaN and from infinity with\n"
            "any tolerance. Tolerances do not apply to text. Under mpiexec all ranks share\n"
            "the work.\n\n",
    .options = &options,
    .more_help = "\nExit status: 0 no difference, 1 they differ (or values are missing in a file),\n"
                 "2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf diff run_1.nc run_2.nc\n"
                 "  parcdf diff -q run_1.nc run_2.nc && echo the same\n"
                 "  parcdf diff -t 1e-6,1e-3 -A history -x time run_1.nc run_2.nc\n"
                 "  mpiexec -n 2 parcdf diff --json run_1.nc run_2.nc\n",
    .is_parallel = true,
    .run = run_all,
};
