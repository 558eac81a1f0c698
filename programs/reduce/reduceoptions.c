/* See reduceoptions.h. */
#include "reduceoptions.h"
#include "likeness.h"
#include "toolkind.h"
#include "toolmemory.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char sentence[512];

static const char *wrong(const char *what, const char *text)
{
    snprintf(sentence, sizeof sentence, "%s %.300s", what, text);
    return sentence;
}

/* ---- the operation */

static const struct {
    const char *word, *method; /* method: of CF, appendix E */
    enum pcdf_reduce_op op;
    bool of_sample;
    double quantile;
} operations[] = {
    { "mean", "mean", PCDF_REDUCE_MEAN, false, 0 },
    { "sum", "sum", PCDF_REDUCE_SUM, false, 0 },
    { "min", "minimum", PCDF_REDUCE_MIN, false, 0 },
    { "max", "maximum", PCDF_REDUCE_MAX, false, 0 },
    { "median", "median", PCDF_REDUCE_QUANTILE, false, 0.5 },
    { "var", "variance", PCDF_REDUCE_VAR, false, 0 },
    { "var1", "variance", PCDF_REDUCE_VAR, true, 0 },
    { "std", "standard_deviation", PCDF_REDUCE_STD, false, 0 },
    { "std1", "standard_deviation", PCDF_REDUCE_STD, true, 0 },
    { "rms", "root_mean_square", PCDF_REDUCE_RMS, false, 0 },
    { "count", NULL, PCDF_REDUCE_COUNT, false, 0 },
    { "any", NULL, PCDF_REDUCE_ANY, false, 0 },
    { "all", NULL, PCDF_REDUCE_ALL, false, 0 },
    { "first", "point", PCDF_REDUCE_FIRST, false, 0 },
    { "last", "point", PCDF_REDUCE_LAST, false, 0 },
};

static bool read_quantile(const char *word, double *quantile)
{
    char *end;
    *quantile = word[0] == 'p' && word[1] ? strtod(word + 1, &end) / 100 : -1;
    return word[0] == 'p' && word[1] && !*end && *quantile >= 0 && *quantile <= 1;
}

static const char *read_operation(struct pcdf_reduce_options *o, const char *word)
{
    o->word = word;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(word, operations[i].word) == 0) {
            o->op = operations[i].op;
            o->of_sample = operations[i].of_sample;
            o->quantile = operations[i].quantile;
            return NULL;
        }
    o->op = PCDF_REDUCE_QUANTILE;
    if (read_quantile(word, &o->quantile))
        return NULL;
    struct pcdf_likeness like = pcdf_like(word);
    char hint[PCDF_LIKE_HINT];
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        (void)pcdf_like_offer(&like, operations[i].word);
    snprintf(sentence, sizeof sentence, "there is no operation %.200s%s", word, pcdf_like_hint(&like, hint));
    return sentence;
}

const char *pcdf_reduce_method(const struct pcdf_reduce_options *o)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(o->word, operations[i].word) == 0)
            return operations[i].method;
    return NULL;
}

/* ---- groups */

static bool read_length(const char *text, int64_t *length)
{
    char *end;
    *length = strtoll(text, &end, 10);
    return end != text && !*end && *length > 0;
}

static const char *read_period(struct pcdf_reduce_options *o, const char *text, bool of_all_years)
{
    static const struct {
        const char *word;
        enum pcdf_reduce_period period;
        bool each, by;
    } periods[] = {
        { "year", PCDF_REDUCE_YEAR, true, false },     { "season", PCDF_REDUCE_SEASON, true, true },
        { "month", PCDF_REDUCE_MONTH, true, true },    { "day", PCDF_REDUCE_DAY, true, false },
        { "dayofyear", PCDF_REDUCE_DAY, false, true }, { "hour", PCDF_REDUCE_HOUR, true, true }
    };

    if (o->period)
        return "--each, --by and --window are given once, and only one of them";
    o->of_all_years = of_all_years;
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++)
        if (strcmp(text, periods[i].word) == 0 && (of_all_years ? periods[i].by : periods[i].each)) {
            o->period = periods[i].period;
            return NULL;
        }
    o->period = PCDF_REDUCE_INDICES;
    if (!of_all_years && read_length(text, &o->length))
        return NULL;
    return of_all_years ? wrong("--by takes month, season, dayofyear or hour, not", text)
                        : wrong("--each takes year, season, month, day, hour or a number, not", text);
}

static const char *read_window(struct pcdf_reduce_options *o, const char *text)
{
    if (o->period)
        return "--each, --by and --window are given once, and only one of them";
    o->period = PCDF_REDUCE_WINDOW;
    return read_length(text, &o->length) ? NULL : wrong("--window takes a number, not", text);
}

/* ---- all of them */

static const char *read_kind(struct pcdf_reduce_options *o, const char *text)
{
    o->version = pcdf_tool_kind(text);
    return o->version ? NULL : wrong("-k takes classic, 64-bit-offset or cdf5, not", text);
}

static const char *read_keep(struct pcdf_reduce_options *o, enum pcdf_reduce_keep keep)
{
    if (o->keep != PCDF_REDUCE_KEEPS_RECORDS && o->keep != keep)
        return "--keep and --squeeze: only one of them can be done";
    o->keep = keep;
    return NULL;
}

static const char *take(struct pcdf_reduce_options *o, int c, char **argv)
{
    switch (c) {
    case 'v':
        o->only = optarg;
        return NULL;
    case 'w':
        o->weights = optarg;
        return NULL;
    case 'e':
        return read_period(o, optarg, false);
    case 'b':
        return read_period(o, optarg, true);
    case 'W':
        return read_window(o, optarg);
    case 'k':
        return read_kind(o, optarg);
    case 'M':
        o->masked_by = optarg;
        return NULL;
    case 'm':
        return pcdf_tool_memory_read(optarg, &o->memory)
                   ? NULL
                   : wrong("--memory takes a size of 4M or more, as 64M or 1GiB, not", optarg);
    case 'a':
        o->across = true;
        return NULL;
    case 'K':
        return read_keep(o, PCDF_REDUCE_KEEPS_ALL);
    case 's':
        return read_keep(o, PCDF_REDUCE_KEEPS_NONE);
    case 'O':
        o->replace = true;
        return NULL;
    case 'j':
        o->json = true;
        return NULL;
    case 'n':
        o->dry_run = true;
        return NULL;
    case 'd':
        o->is_double = true;
        return NULL;
    default:
        return wrong(c == ':' ? "an argument is needed by option" : "there is no option", argv[optind - 1]);
    }
}

static bool may_have_weights(enum pcdf_reduce_op op)
{
    return op == PCDF_REDUCE_MEAN || op == PCDF_REDUCE_SUM || op == PCDF_REDUCE_VAR ||
           op == PCDF_REDUCE_STD || op == PCDF_REDUCE_RMS;
}

const char *pcdf_reduce_read_options(struct pcdf_reduce_options *o, int argc, char **argv)
{
    static const struct option words[] = { { "variables", required_argument, NULL, 'v' },
                                           { "weights", required_argument, NULL, 'w' },
                                           { "each", required_argument, NULL, 'e' },
                                           { "by", required_argument, NULL, 'b' },
                                           { "window", required_argument, NULL, 'W' },
                                           { "masked-by", required_argument, NULL, 'M' },
                                           { "memory", required_argument, NULL, 'm' },
                                           { "across", no_argument, NULL, 'a' },
                                           { "keep", no_argument, NULL, 'K' },
                                           { "squeeze", no_argument, NULL, 's' },
                                           { "replace", no_argument, NULL, 'O' },
                                           { "kind", required_argument, NULL, 'k' },
                                           { "double", no_argument, NULL, 'd' },
                                           { "dry-run", no_argument, NULL, 'n' },
                                           { "json", no_argument, NULL, 'j' },
                                           { 0 } };
    const char *what = NULL;
    int c;

    *o = (struct pcdf_reduce_options){ .version = 5, .memory = PCDF_TOOL_MEMORY };
    pcdf_tool_history_keep(&o->history, argc, argv);
    opterr = 0;
    optind = 0;
    while (!what && (c = getopt_long(argc, argv, ":v:w:Ok:n", words, NULL)) != -1)
        what = take(o, c, argv);
    if (what)
        return what;
    if (argc - optind < (o->across ? 3 : 4))
        return "an operation, a dimension, a file and the name of the new one are needed";
    what = read_operation(o, argv[optind++]);
    if (!o->across)
        o->dims = argv[optind++];
    o->from = argv + optind;
    o->nfrom = argc - optind - 1;
    o->to = argv[argc - 1];
    if (!what && o->weights && (!may_have_weights(o->op) || o->of_sample))
        what = "weights are for mean, sum, var, std and rms";
    if (!what && o->across && o->period)
        what = "--across takes no --each, --by or --window";
    return what;
}
