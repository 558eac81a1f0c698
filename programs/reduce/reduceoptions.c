/* See reduceoptions.h. */
#include "reduceoptions.h"
#include "likeness.h"
#include "toolmemory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    static char sentence[300 + PCDF_LIKE_HINT];
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

#define ONE_PERIOD "--each, --by and --window are given once, and only one of them"
enum { EACH, BY };

/* --each or --by, as the row says. */
static const char *take_period(void *into, const struct pcdf_option *row, const char *text)
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

    struct pcdf_reduce_options *o = into;
    bool of_all_years = row->low == BY;

    if (o->period)
        return ONE_PERIOD;
    o->of_all_years = of_all_years;
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++)
        if (strcmp(text, periods[i].word) == 0 && (of_all_years ? periods[i].by : periods[i].each)) {
            o->period = periods[i].period;
            return NULL;
        }
    o->period = PCDF_REDUCE_INDICES;
    if (!of_all_years && pcdf_options_number(text, 1, INT64_MAX, &o->length))
        return NULL;
    return pcdf_options_wrong(row->fault, text);
}

static const char *take_window(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_reduce_options *o = into;
    (void)row;
    if (o->period)
        return ONE_PERIOD;
    o->period = PCDF_REDUCE_WINDOW;
    return pcdf_options_number(text, 1, INT64_MAX, &o->length)
               ? NULL
               : pcdf_options_wrong("--window takes a number, not %", text);
}

/* ---- all of them */

static const char *take_keep(void *into, const struct pcdf_option *row, const char *none)
{
    struct pcdf_reduce_options *o = into;
    enum pcdf_reduce_keep keep = (enum pcdf_reduce_keep)row->low;
    (void)none;
    if (o->keep != PCDF_REDUCE_KEEPS_RECORDS && o->keep != keep)
        return "--keep and --squeeze: only one of them can be done";
    o->keep = keep;
    return NULL;
}

static const struct pcdf_option rows[] = {
    { "-v NAME[,NAME]",
      "only these variables and what they need: coordinates, and what attributes such as grid_mapping name",
      PCDF_WORD(struct pcdf_reduce_options, only) },
    { "--each PERIOD",
      "one value for each year, season, month, day, hour of the time coordinate, or for every N indices",
      PCDF_TAKEN_AS(take_period, EACH),
      .fault = "--each takes year, season, month, day, hour or a number, not %" },
    { "--by PERIOD", "one value for each month, season, dayofyear or hour, all years together",
      PCDF_TAKEN_AS(take_period, BY), .fault = "--by takes month, season, dayofyear or hour, not %" },
    { "--window N", "one value for every N indices that follow each other", PCDF_TAKEN(take_window) },
    { "-w, --weights NAME",
      "weigh with this variable of the first file; NAME@FILE: of another one, which has dimensions of the "
      "same names",
      PCDF_WORD(struct pcdf_reduce_options, weights) },
    { "--masked-by EXPR",
      "values count only where this is true, in the language of `parcdf calc`: 'mask == 1', 'T > 273.15 && "
      "depth < 100'",
      PCDF_WORD(struct pcdf_reduce_options, masked_by) },
    { "--across", "over files, value by value; no DIM is given",
      PCDF_FLAG(struct pcdf_reduce_options, across) },
    { "--memory SIZE",
      "for data on each rank (default 64M); quantiles read files several times if their values do not fit in",
      PCDF_MEMORY(struct pcdf_reduce_options, memory,
                  "--memory takes a size of 4M or more, as 64M or 1GiB, not %") },
    { "--keep", "keep all reduced dimensions, with length 1; otherwise the record dimension alone is kept",
      PCDF_TAKEN_AS(take_keep, PCDF_REDUCE_KEEPS_ALL) },
    { "--squeeze", "keep none of them", PCDF_TAKEN_AS(take_keep, PCDF_REDUCE_KEEPS_NONE) },
    { "--double", "results that are real numbers are doubles",
      PCDF_FLAG(struct pcdf_reduce_options, is_double) },
    { "-k KIND", "classic, 64-bit-offset, cdf5 (default), netcdf4 or netcdf4-classic",
      PCDF_FORMAT(struct pcdf_reduce_options, format) },
    { "--deflate N", "netCDF-4: compress with zlib, level 1 to 9",
      PCDF_NUMBER(struct pcdf_reduce_options, deflate, 1, 9, "--deflate takes a level from 1 to 9, not %") },
    { "-O, --replace", "replace OUT if it exists", PCDF_FLAG(struct pcdf_reduce_options, replace) },
    { "-n, --dry-run", "print what OUT would be, and how many bytes are read",
      PCDF_FLAG(struct pcdf_reduce_options, dry_run) },
    { "--json", "print what was done", PCDF_FLAG(struct pcdf_reduce_options, json) },
    { "--variables NAMES", NULL, PCDF_WORD(struct pcdf_reduce_options, only) },
    { "--kind KIND", NULL, PCDF_FORMAT(struct pcdf_reduce_options, format) },
    { 0 }
};
const struct pcdf_options pcdf_reduce_table = { .rows = rows,
                                                .column = 23,
                                                .lacking = "an argument is needed by option %" };

static bool may_have_weights(enum pcdf_reduce_op op)
{
    return op == PCDF_REDUCE_MEAN || op == PCDF_REDUCE_SUM || op == PCDF_REDUCE_VAR ||
           op == PCDF_REDUCE_STD || op == PCDF_REDUCE_RMS;
}

const char *pcdf_reduce_read_options(struct pcdf_reduce_options *o, int argc, char **argv)
{
    struct pcdf_arguments rest;

    *o = (struct pcdf_reduce_options){ .format = 5, .memory = PCDF_TOOL_MEMORY };
    pcdf_tool_history_keep(&o->history, argc, argv);
    const char *what = pcdf_options_read(&pcdf_reduce_table, o, argc, argv, &rest);
    if (what)
        return what;
    if (rest.n < (o->across ? 3 : 4))
        return "an operation, a dimension, a file and the name of the new one are needed";
    o->to = rest.x[--rest.n];
    what = read_operation(o, *rest.x++);
    rest.n--;
    if (!o->across) {
        o->dims = *rest.x++;
        rest.n--;
    }
    o->from = rest.x;
    o->nfrom = rest.n;
    if (!what && o->weights && (!may_have_weights(o->op) || o->of_sample))
        what = "weights are for mean, sum, var, std and rms";
    if (!what && o->across && o->period)
        what = "--across takes no --each, --by or --window";
    return what;
}
