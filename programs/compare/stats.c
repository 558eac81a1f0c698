/* `parcdf stats`: smallest, largest, mean, deviation, fill values, NaNs and histograms of variables. What the
 * numbers are is stats.h's business; here: the values are shared out to ranks, and what they find comes
 * together. */
#include "statsjob.h"
#include "tool.h"
#include "toolpaths.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_BINS = 10000, USUAL_BINS = 20 };

static bool read_range(const char *text, double *lo, double *hi)
{
    char *end;

    *lo = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    const char *rest = end + 1;
    *hi = strtod(rest, &end);
    return end != rest && !*end && isfinite(*lo) && isfinite(*hi) && *lo < *hi;
}

static bool read_bins(const char *text, int *bins)
{
    char *end;
    long n = strtol(text, &end, 10);

    *bins = (int)n;
    return end != text && !*end && n >= 1 && n <= MOST_BINS;
}

static int read_options(struct pcdf_stats_options *o, int argc, char **argv)
{
    static const struct option words[] = { { "variables", required_argument, NULL, 'v' },
                                           { "bins", required_argument, NULL, 'b' },
                                           { "range", required_argument, NULL, 'r' },
                                           { "list", no_argument, NULL, 'l' },
                                           { "json", no_argument, NULL, 'j' },
                                           { "raw", no_argument, NULL, 'R' },
                                           { "along", required_argument, NULL, 'a' },
                                           { 0 } };
    const struct pcdf_tool_command *me = &pcdf_tool_stats;
    int c;

    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, ":v:b:r:lj", words, NULL)) != -1) {
        if (c == 'v' && o->nlists == PCDF_STATS_LISTS)
            return pcdf_tool_misused(me, "option -v is given more than %d times", PCDF_STATS_LISTS);
        if (c == 'v')
            o->lists[o->nlists++] = optarg;
        else if (c == 'b' && !read_bins(optarg, &o->bins))
            return pcdf_tool_misused(me, "--bins %s: a number from 1 to %d is needed", optarg, MOST_BINS);
        else if (c == 'r' && !read_range(optarg, &o->lo, &o->hi))
            return pcdf_tool_misused(me, "--range %s: LOW:HIGH is needed, two numbers, LOW below HIGH",
                                     optarg);
        else if (c == ':')
            return pcdf_tool_misused(me, "option %s needs an argument", argv[optind - 1]);
        else if (c == '?')
            return pcdf_tool_misused(me, "there is no option %s", argv[optind - 1]);
        o->has_range = o->has_range || c == 'r';
        o->is_list = o->is_list || c == 'l';
        o->is_json = o->is_json || c == 'j';
        o->is_raw = o->is_raw || c == 'R';
        o->along = c == 'a' ? optarg : o->along;
    }
    if (argc - optind < 1)
        return pcdf_tool_misused(me, "a file is needed");
    if (o->bins == 0 && (o->has_range || o->is_list))
        o->bins = USUAL_BINS;
    return PCDF_TOOL_GOOD;
}

static int run_all(const struct pcdf_tool_team *team, int argc, char **argv)
{
    struct pcdf_stats_options options = { 0 };
    int status = read_options(&options, argc, argv);
    struct pcdf_tool_paths paths;

    if (!status) /* arguments: the same on all ranks */
        status = pcdf_tool_paths_all(team, argc - optind, argv + optind, &paths);
    if (status)
        return status;
    options.paths = paths.x;
    options.npaths = paths.n;
    status = pcdf_stats_run_all(team, &options);
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
            "other in the order of time.\n\n"
            "  -v, --variables NAME[,NAME]  only these variables or parts of variables, such\n"
            "                               as T(0,:,10:20); may be repeated\n"
            "  -b, --bins BINS              add histograms with BINS bins from the minimum\n"
            "                               to the maximum; this reads the data twice\n"
            "  -r, --range LOW:HIGH         range of all histograms; this reads the data\n"
            "                               only once (default: 20 bins)\n"
            "  -l, --list                   print each bin in a row of its own\n"
            "  --raw                        numbers as they are stored, not unpacked\n"
            "  --along DIM                  dimension along which several files follow each\n"
            "                               other (default: the record dimension, or that of\n"
            "                               time)\n"
            "  --json                       print everything as JSON, with exact numbers\n\n"
            "A bin includes its lower edge; the last bin includes both edges.\n\n"
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
