/* See joinoptions.h. */
#include "joinoptions.h"
#include "toolkind.h"

#include <string.h>

static const char *take_keep(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_join_options *o = into;
    (void)row;
    o->keep = strcmp(text, "first") == 0  ? PCDF_JOIN_KEEP_FIRST
              : strcmp(text, "last") == 0 ? PCDF_JOIN_KEEP_LAST
                                          : PCDF_JOIN_KEEP_NONE;
    return o->keep ? NULL : pcdf_options_wrong("--keep takes first or last, not %", text);
}

static const char *take_base(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_join_options *o = into;
    (void)row;
    o->base = strcmp(text, "0") == 0 ? 0 : strcmp(text, "1") == 0 ? 1 : -1;
    return o->base >= 0 ? NULL : pcdf_options_wrong("--base takes 0 or 1, not %", text);
}

static const char *take_way(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_join_options *o = into;
    if (o->way)
        return "--along, --new, --layout and --index are given once, and only one of them";
    o->way = (enum pcdf_join_way)row->low;
    if (o->way == PCDF_JOIN_ALONG || o->way == PCDF_JOIN_NEW)
        o->dim = text;
    else
        o->text = text;
    return *text ? NULL : "a name is needed";
}

static const struct pcdf_option rows[] = {
    { "--along DIM",
      "join along this dimension, sorted by its coordinate; times of other reference dates are converted",
      PCDF_TAKEN_AS(take_way, PCDF_JOIN_ALONG) },
    { "--keep WHICH", "of records that are there twice: first or last", PCDF_TAKEN(take_keep) },
    { "--new DIM", "join along a new dimension, which comes first", PCDF_TAKEN_AS(take_way, PCDF_JOIN_NEW) },
    { "--values N[,N...]", "values of its coordinate", PCDF_WORD(struct pcdf_join_options, values) },
    { "--layout DIM:N,...",
      "tiles in N rows along each dimension, in the order of the files; the first dimension runs fastest",
      PCDF_TAKEN_AS(take_way, PCDF_JOIN_LAYOUT) },
    { "--index DIM=VAR,...", "parts of a mesh: the variable has the number of each element in the whole",
      PCDF_TAKEN_AS(take_way, PCDF_JOIN_INDEX) },
    { "--base N", "these numbers begin with 0 or 1 (default: as they do)", PCDF_TAKEN(take_base) },
    { "--fill-missing", "what no tile has gets fill values; else it is an error",
      PCDF_FLAG(struct pcdf_join_options, fill_missing) },
    { "--files LIST", "more files: their names are the lines of this file",
      PCDF_WORD(struct pcdf_join_options, list) },
    { "--keep-first", "values of other variables are those of the first file",
      PCDF_FLAG(struct pcdf_join_options, keep_first) },
    { "-k KIND", "classic, 64-bit-offset, cdf5 (default), netcdf4 or netcdf4-classic",
      PCDF_FORMAT(struct pcdf_join_options, format) },
    { "--deflate N", "netCDF-4: compress with zlib, level 1 to 9",
      PCDF_NUMBER(struct pcdf_join_options, deflate, 1, 9, "--deflate takes a level from 1 to 9, not %") },
    { "-O, --replace", "replace OUT if it exists", PCDF_FLAG(struct pcdf_join_options, replace) },
    { "-n, --dry-run", "print what OUT would be, and how many bytes are read",
      PCDF_FLAG(struct pcdf_join_options, dry_run) },
    { "-v, --verbose", "tell of gaps, and of attributes that are dropped",
      PCDF_FLAG(struct pcdf_join_options, verbose) },
    { "--json", "print what was done", PCDF_FLAG(struct pcdf_join_options, json) },
    { "--kind KIND", NULL, PCDF_FORMAT(struct pcdf_join_options, format) },
    { 0 }
};
const struct pcdf_options pcdf_join_table = { .rows = rows,
                                              .column = 23,
                                              .lacking = "an argument is needed by option %" };

/* Options that belong to one way of joining. */
static const char *check(const struct pcdf_join_options *o)
{
    bool is_along = o->way == PCDF_JOIN_ALONG || o->way == PCDF_JOIN_BY_FILES;
    if (o->values && o->way != PCDF_JOIN_NEW)
        return "--values are those of a new dimension, for --new";
    if (o->base >= 0 && o->way != PCDF_JOIN_INDEX)
        return "--base is for --index";
    if (o->keep && !is_along)
        return "--keep is for records, with --along";
    if (o->fill_missing &&
        (o->way == PCDF_JOIN_ALONG || o->way == PCDF_JOIN_NEW || o->way == PCDF_JOIN_INDEX))
        return "--fill-missing is for tiles";
    if (o->deflate && !pcdf_tool_format_is_netcdf4(o->format))
        return "--deflate is for netCDF-4, with -k netcdf4";
    return NULL;
}

const char *pcdf_join_read_options(struct pcdf_join_options *o, int argc, char **argv)
{
    struct pcdf_arguments rest;

    *o = (struct pcdf_join_options){ .format = 5, .base = -1 };
    pcdf_tool_history_keep(&o->history, argc, argv);
    const char *what = pcdf_options_read(&pcdf_join_table, o, argc, argv, &rest);
    if (what)
        return what;
    if (rest.n < (o->list ? 1 : 2))
        return "a file and the name of the new one are needed";
    o->from = rest.x;
    o->nfrom = rest.n - 1;
    o->to = rest.x[rest.n - 1];
    return check(o);
}
