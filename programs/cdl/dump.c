/* `parcdf dump`: opens the file, chooses what is printed, prints it as CDL or JSON. */
#include "dump.h"
#include "alloc.h"
#include "options.h"
#include "status.h"
#include "tool.h"
#include "toolpaths.h"
#include "toolseries.h"
#include "toolshare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pcdf_dump_options pcdf_dump_defaults(void)
{
    return (struct pcdf_dump_options){
        .float_digits = 7, .double_digits = 15, .line_length = 80, .date_separator = ' '
    };
}

/* --- arguments that all have ------------------------------------------------------------------------------
 */

static bool take_number(const char *text, long least, long most, const char *what, int *number)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);

    if (end == text || (*end && *end != ',') || errno || value < least || value > most) {
        pcdf_tool_say(NULL, "%s are a number from %ld to %ld, not '%s'", what, least, most, text);
        return false;
    }
    *number = (int)value;
    return true;
}

const char *pcdf_dump_take_digits(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_dump_options *o = into;
    const char *comma = strchr(text, ',');

    (void)row;
    if (!take_number(text, 1, 20, "digits of floats", &o->float_digits) ||
        (comma && !take_number(comma + 1, 1, 20, "digits of doubles", &o->double_digits)))
        return "";
    o->has_float_digits = true;
    o->has_double_digits = o->has_double_digits || comma;
    return NULL;
}

const char *pcdf_dump_take_notes(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_dump_options *o = into;
    char language = *text;

    if (language != 'c' && language != 'C' && language != 'f' && language != 'F') {
        pcdf_tool_say(NULL, "indices are those of c or of f (Fortran), not of '%s'", text);
        return "";
    }
    o->notes = (enum pcdf_dump_notes)row->low;
    o->is_fortran = language == 'f' || language == 'F';
    return NULL;
}

const char *pcdf_dump_take_length(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_dump_options *o = into;
    (void)row;
    return take_number(text, 10, 1000000000, "characters of a line", &o->line_length) ? NULL : "";
}

const char *pcdf_dump_take_times(void *into, const struct pcdf_option *row, const char *none)
{
    struct pcdf_dump_options *o = into;
    (void)none;
    o->times = true;
    o->date_separator = (char)row->low;
    return NULL;
}

/* --- what is printed --------------------------------------------------------------------------------------
 */

/* A slice goes behind those of variables that come before its own, and of the same one. */
static int insert(struct pcdf_dump *dump, const struct pcdf_tool_slice *slice)
{
    int at = dump->nslices;
    struct pcdf_tool_slice *grown =
        pcdf_realloc(dump->slices, ((size_t)dump->nslices + 1) * sizeof *dump->slices);

    if (!grown)
        return pcdf_tool_unusable(dump->ds.file.path, "%s", pcdf_fail_text());
    dump->slices = grown;
    while (at > 0 && grown[at - 1].varid > slice->varid)
        at--;
    memmove(grown + at + 1, grown + at, (size_t)(dump->nslices - at) * sizeof *grown);
    grown[at] = *slice;
    dump->nslices++;
    return PCDF_TOOL_GOOD;
}

static int add(struct pcdf_dump *dump, struct pcdf_tool_slice *slice)
{
    bool is_wanted = !dump->options->coordinates || pcdf_tool_is_coordinate(&dump->ds.meta, slice->varid);
    int status = is_wanted ? insert(dump, slice) : PCDF_TOOL_GOOD;

    if (!is_wanted || status)
        pcdf_tool_slice_free(slice);
    return status;
}

static int choose_all(struct pcdf_dump *dump)
{
    int status = PCDF_TOOL_GOOD;

    dump->slices = pcdf_calloc((size_t)dump->ds.meta.nvars + 1, sizeof *dump->slices);
    if (!dump->slices)
        return pcdf_tool_unusable(dump->ds.file.path, "%s", pcdf_fail_text());
    for (int i = 0; i < dump->ds.meta.nvars && !status; i++) {
        if (dump->options->coordinates && !pcdf_tool_is_coordinate(&dump->ds.meta, i))
            continue;
        status = pcdf_tool_slice_whole(&dump->ds, i, &dump->slices[dump->nslices]);
        dump->nslices += !status;
    }
    return status;
}

static int choose(struct pcdf_dump *dump)
{
    const char *list = dump->options->variables;
    int status = PCDF_TOOL_GOOD;

    if (!list)
        return choose_all(dump);
    for (bool more = true; more && !status;) {
        size_t n = pcdf_tool_slice_length(&dump->ds, list);
        struct pcdf_tool_slice slice;
        status = pcdf_tool_slice_parse(&dump->ds, list, n, &slice);
        if (!status)
            status = add(dump, &slice);
        more = list[n] == ',';
        list += n + more;
    }
    return status;
}

static int prepare(struct pcdf_dump *dump)
{
    int rank = 0;

    for (int i = 0; i < dump->ds.meta.nvars; i++)
        rank = dump->ds.meta.vars[i].ndims > rank ? dump->ds.meta.vars[i].ndims : rank;
    dump->out = pcdf_malloc(sizeof *dump->out);
    dump->values = pcdf_malloc(PCDF_DUMP_PIECE);
    dump->index = pcdf_calloc((size_t)rank + 1, sizeof *dump->index);
    if (!dump->out || !dump->values || !dump->index)
        return pcdf_tool_unusable(dump->ds.file.path, "%s", pcdf_fail_text());
    dump->out->to = stdout;
    dump->out->has_colours = pcdf_tool_has_colours(stdout);
    dump->out->has_plain_names = dump->options->dialect == PCDF_DUMP_AS_NCMPIDUMP;
    dump->out->n = 0;
    dump->out->column = 0;
    dump->out->limit = dump->options->line_length - 2;
    return choose(dump);
}

static int print_cdl(struct pcdf_dump *dump)
{
    int status = PCDF_TOOL_GOOD;

    pcdf_dump_header(dump);
    if (!dump->options->header_only && dump->ds.meta.nvars > 0)
        status = pcdf_dump_data(dump);
    if (!status)
        pcdf_dump_text(dump->out, "}\n");
    pcdf_dump_flush(dump->out);
    return status;
}

static const char *kind_name(enum pcdf_version version, enum pcdf_dump_dialect dialect)
{
    if (version == PCDF_CDF5 && dialect == PCDF_DUMP_AS_NCDUMP)
        return "cdf5";
    return version == PCDF_CDF1 ? "classic" : version == PCDF_CDF2 ? "64-bit offset" : "64-bit data";
}

const char *pcdf_dump_format_name(enum pcdf_version version)
{
    return version == PCDF_CDF1   ? "CDF-1"
           : version == PCDF_CDF2 ? "CDF-2 (large file)"
                                  : "CDF-5 (big variables)";
}

const char *pcdf_dump_path(const struct pcdf_dump *dump)
{
    return dump->ds.series ? dump->ds.series->x[0].path : dump->options->path;
}

/* -V of ncmpidump. */
static void print_version(const struct pcdf_dump *dump)
{
    char title[4096];

    pcdf_dump_title(pcdf_dump_path(dump), title, sizeof title);
    pcdf_tool_print(stdout, dump->options->name ? dump->options->name : title);
    printf(" file format: %s\n", pcdf_dump_format_name(dump->ds.meta.version));
}

static int print(struct pcdf_dump *dump)
{
    int status = prepare(dump);

    if (!status)
        status = dump->options->json ? pcdf_dump_json(dump) : print_cdl(dump);
    for (int i = 0; i < dump->nslices; i++)
        pcdf_tool_slice_free(&dump->slices[i]);
    pcdf_free(dump->slices);
    pcdf_free(dump->index);
    pcdf_free(dump->values);
    pcdf_free(dump->out);
    return status;
}

int pcdf_dump_run(const struct pcdf_dump_options *options)
{
    struct pcdf_dump dump = { .options = options };
    bool with_values = !options->header_only && !options->kind && !options->cdf_version;
    const struct pcdf_tool_series_choice choice = { .n = options->paths ? options->npaths : 1,
                                                    .paths = options->paths ? options->paths : &options->path,
                                                    .along = options->along,
                                                    .with_values = with_values };
    int status = pcdf_tool_series_open(&dump.ds, &choice);

    if (status)
        return status;
    if (options->kind)
        puts(kind_name(dump.ds.meta.version, options->dialect));
    else if (options->cdf_version)
        print_version(&dump);
    else
        status = print(&dump);
    if (!status && dump.ds.read_behind && !options->takes_short)
        status = PCDF_TOOL_BAD;
    pcdf_tool_dataset_close(&dump.ds);
    return status;
}

/* --- the command ------------------------------------------------------------------------------------------
 */

/* One of several files may be opened more than once: what it is, is looked at once. */
static int dump_files(struct pcdf_dump_options *o, int n, char *const *given)
{
    static const struct pcdf_tool_ranks alone = { .size = 1 };
    struct pcdf_tool_paths paths;
    int status = pcdf_tool_paths_all(&alone, n, given, &paths);

    if (status)
        return status;
    o->paths = paths.x;
    o->npaths = paths.n;
    o->path = paths.x[0];
    if (paths.n > 1)
        status = pcdf_tool_sources_share_all(&alone, (struct pcdf_tool_sharing){ 0 }, paths.n, paths.x);
    if (!status)
        status = pcdf_dump_run(o);
    pcdf_tool_paths_free(&paths);
    return status;
}

static const struct pcdf_option rows[] = {
    { "-h", "only the header: dimensions, variables and attributes",
      PCDF_FLAG(struct pcdf_dump_options, header_only) },
    { "-c", "of the values, only those of coordinate variables",
      PCDF_FLAG(struct pcdf_dump_options, coordinates) },
    { "-v LIST",
      "of the values, only those of these variables or parts of variables, such as T,'P(0,:,10:20)'. Ranges "
      "a:b and a:b:step\nwork as in Python: b is excluded, negative numbers count from\nthe end",
      PCDF_WORD(struct pcdf_dump_options, variables) },
    { "-b c|f", "before each row, print a comment with its indices, counted as in C or as in Fortran",
      PCDF_TAKEN_AS(pcdf_dump_take_notes, PCDF_DUMP_BRIEF) },
    { "-f c|f", "after each value, print a comment with its indices",
      PCDF_TAKEN_AS(pcdf_dump_take_notes, PCDF_DUMP_FULL) },
    { "-l N", "length of lines of values, in characters (default 80)", PCDF_TAKEN(pcdf_dump_take_length) },
    { "-n NAME", "name to print after `netcdf` (default: the name of the file)",
      PCDF_WORD(struct pcdf_dump_options, name) },
    { "-p N[,N]", "digits of floats (default 7) and of doubles (default 15); 9,17 keep every bit",
      PCDF_TAKEN(pcdf_dump_take_digits) },
    { "-k", "print only the kind of the file: classic, 64-bit offset or cdf5",
      PCDF_FLAG(struct pcdf_dump_options, kind) },
    { "-s", "print the special attribute _Format, too", PCDF_FLAG(struct pcdf_dump_options, specials) },
    { "-t", "print values in units of time as dates", PCDF_TAKEN_AS(pcdf_dump_take_times, ' ') },
    { "-i", "the same, with a T between day and hour", PCDF_TAKEN_AS(pcdf_dump_take_times, 'T') },
    { "--along DIM",
      "dimension along which several files follow each other (default: the record dimension, or that of "
      "time)",
      PCDF_WORD(struct pcdf_dump_options, along) },
    { "--json", "print JSON, with types and exact numbers (the manual's page on dump describes it)",
      PCDF_FLAG(struct pcdf_dump_options, json) },
    { 0 }
};
static const struct pcdf_options options = {
    .rows = rows, .column = 15, .least = 1, .few = "a file is needed"
};

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct pcdf_dump_options o = pcdf_dump_defaults();
    struct pcdf_arguments files;

    (void)ranks;
    int status = pcdf_tool_options(&pcdf_tool_dump, &o, argc, argv, &files);
    return status ? status : dump_files(&o, files.n, files.x);
}

const struct pcdf_tool_command pcdf_tool_dump = {
    .name = "dump",
    .usage = "[OPTION...] FILE...",
    .summary = "print a file as text: CDL (as ncdump does) or JSON",
    .help = "Prints the definitions and values of a file as text, with little memory for\n"
            "files of any size. A value that is the fill value is printed as `_`. Several\n"
            "files, or a folder of them, are printed as one file: their records follow each\n"
            "other in the order of time.\n\n",
    .options = &options,
    .more_help = "\nExit status: 0 good; 1 bad (not a netCDF classic file; or data is missing at\n"
                 "its end, and zeros are printed; or, with --json, a name is not UTF-8); 2\n"
                 "unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf dump -h run_1.nc\n"
                 "  parcdf dump -v 'temp(-1,:,2:4)' -b c run_1.nc\n"
                 "  parcdf dump -t -v time run_1.nc\n"
                 "  parcdf dump -p 9,17 run_1.nc > run_1.cdl\n"
                 "  parcdf dump -v 'temp(2:5)' run_1.nc run_2.nc\n"
                 "  parcdf dump --json -h run_1.nc\n",
    .run = run,
};
