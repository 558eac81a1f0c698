/* `parcdf stats`: smallest, largest, mean, deviation, fill values, NaNs and histograms of variables. What the
 * numbers are is statspart.h's business; here: the values are shared out to ranks, and what they find comes
 * together. */
#include "options.h"
#include "statsjob.h"
#include "tool.h"
#include "toolpaths.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BINS = 10000, USUAL_BINS = 20 };

static const char *take_range(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_stats_options *o = into;
    char *end;
    (void)row;
    o->has_range = true;
    o->lo = strtod(text, &end);
    const char *rest = *end == ':' && end != text ? end + 1 : NULL;
    o->hi = rest ? strtod(rest, &end) : 0;
    if (rest && end != rest && !*end && isfinite(o->lo) && isfinite(o->hi) && o->lo < o->hi)
        return NULL;
    return pcdf_options_wrong("--range %: LOW:HIGH is needed, two numbers, LOW below HIGH", text);
}

static const char *take_bins(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_stats_options *o = into;
    int64_t bins = 0;
    (void)row;
    bool is_good = pcdf_options_number(text, 1, MOST_BINS, &bins);
    o->bins = (int)bins;
    return is_good ? NULL : pcdf_options_wrong("--bins %: a number from 1 to 10000 is needed", text);
}

static const struct pcdf_option rows[] = {
    { "-v, --variables NAME[,NAME]",
      "only these variables or parts of variables, such as T(0,:,10:20); may be repeated",
      PCDF_LIST(struct pcdf_stats_options, lists, nlists, PCDF_STATS_LISTS,
                "option -v is given more than 64 times") },
    { "-b, --bins BINS",
      "add histograms with BINS bins from the minimum\nto the maximum; this reads the data twice",
      PCDF_TAKEN(take_bins) },
    { "-r, --range LOW:HIGH", "range of all histograms; this reads the data\nonly once (default: 20 bins)",
      PCDF_TAKEN(take_range) },
    { "-l, --list", "print each bin in a row of its own", PCDF_FLAG(struct pcdf_stats_options, is_list) },
    { "--raw", "numbers as they are stored, not unpacked", PCDF_FLAG(struct pcdf_stats_options, is_raw) },
    { "--along DIM",
      "dimension along which several files follow each other (default: the record dimension, or that of "
      "time)",
      PCDF_WORD(struct pcdf_stats_options, along) },
    { "--json", "print everything as JSON, with exact numbers",
      PCDF_FLAG(struct pcdf_stats_options, is_json) },
    { "-j", NULL, PCDF_FLAG(struct pcdf_stats_options, is_json) },
    { 0 }
};
static const struct pcdf_options options = {
    .rows = rows, .column = 31, .least = 1, .few = "a file is needed"
};

static int run_all(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct pcdf_stats_options o = { 0 };
    struct pcdf_arguments files;
    struct pcdf_tool_paths paths;
    int status = pcdf_tool_options(&pcdf_tool_stats, &o, argc, argv, &files);

    if (!status) /* arguments: the same on all ranks */
        status = pcdf_tool_paths_all(ranks, files.n, files.x, &paths);
    if (status)
        return status;
    if (o.bins == 0 && (o.has_range || o.is_list))
        o.bins = USUAL_BINS;
    o.paths = paths.x;
    o.npaths = paths.n;
    status = pcdf_stats_run_all(ranks, &o);
    pcdf_tool_paths_free(&paths);
    return status;
}

const struct pcdf_tool_command pcdf_tool_stats = {
    .name = "stats",
    .usage = "[OPTION...] FILE...",
    .summary = "minimum, maximum, mean, deviation, histograms of each variable",
    .help = "Prints one row for each variable. Each value is counted as fill, NaN, infinite\n"
            "or valid. Fill values are those equal to _FillValue or missing_value, or outside\n"
            "of valid_range, valid_min and valid_max; without _FillValue, the default fill\n"
            "value of the type (types of one byte have none).\n"
            "The minimum, maximum, mean and standard deviation are those of the valid\n"
            "values; the standard deviation divides by their number. For char variables, NUL\n"
            "characters are counted. Packed numbers are unpacked first, as scale_factor,\n"
            "add_offset and _Unsigned say. Under mpiexec all ranks share the work; the\n"
            "result is the same to the last digit on any number of ranks.\n"
            "Several files, or a folder of them, are read as one: their records follow each\n"
            "other in the order of time.\n\n",
    .options = &options,
    .more_help = "\nA bin includes its lower edge; the last bin includes both edges.\n\n"
                 "Exit status: 0 good; 1 bad (not a netCDF classic file, or data is missing at\n"
                 "its end and was taken as zeros); 2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf stats run_1.nc\n"
                 "  parcdf stats -v temp,salt --bins 40 run_1.nc\n"
                 "  parcdf stats -v 'temp(0,:,2:5)' --range 200:320 --list run_1.nc\n"
                 "  parcdf stats run_1.nc run_2.nc\n"
                 "  mpiexec -n 2 parcdf stats --json run_1.nc > run_1.json\n",
    .is_parallel = true,
    .run = run_all,
};
