/* `parcdf stats`: smallest, largest, mean, deviation, fill values, NaNs and histograms of variables. What the
 * numbers are is stats.h's business; here: the values are shared out to ranks, and what they find comes
 * together. */
#include "statsjob.h"
#include "tool.h"

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
    }
    if (argc - optind != 1)
        return pcdf_tool_misused(me, "one file is needed");
    o->path = argv[optind];
    if (o->bins == 0 && (o->has_range || o->is_list))
        o->bins = USUAL_BINS;
    return PCDF_TOOL_GOOD;
}

static int run_all(const struct pcdf_tool_team *team, int argc, char **argv)
{
    struct pcdf_stats_options options = { 0 };
    int status = read_options(&options, argc, argv);
    return status ? status : pcdf_stats_run_all(team, &options); /* arguments: the same on all ranks */
}

const struct pcdf_tool_command pcdf_tool_stats = {
    .name = "stats",
    .usage = "[-v NAME[,NAME]] [-b BINS] [-r LOW:HIGH] [-l] [--json] FILE",
    .summary = "smallest, largest, mean, deviation, fill values and histograms of the variables",
    .help =
        "A row a variable. Each value counts as one of: fill (it equals _FillValue, or the type's default\n"
        "fill value where there is none, or missing_value), NaN, infinite, valid; min, max, mean and std, "
        "the\n"
        "standard deviation (of all values, not of a sample), are of the valid ones. Bytes have no default\n"
        "fill value. Of char variables NULs are counted. Under mpiexec all ranks work, and the result is "
        "the\n"
        "same to the last digit on any number of them.\n\n"
        "  -v, --variables NAME[,NAME]  only these, or parts: T(0,:,10:20) as in Python; may be repeated\n"
        "  -b, --bins BINS              histograms of so many bins, from min to max: the data is read "
        "twice;\n"
        "                               a bin has its lower edge, the last one both\n"
        "  -r, --range LOW:HIGH         of all histograms: the data is read once; usually 20 bins\n"
        "  -l, --list                   each bin of the histograms in a row of its own, with its number\n"
        "  --json                       all as JSON, numbers exact\n\n"
        "Exit status: 0 good, 1 bad (not a file of the format, or it lacks data, which reads as zeros), 2\n"
        "unusable.\n\n"
        "EXAMPLES\n"
        "  parcdf stats run_1.nc\n"
        "  parcdf stats -v temp,salt --bins 40 run_1.nc\n"
        "  parcdf stats -v 'temp(0,:,2:5)' --range 200:320 --list run_1.nc\n"
        "  mpiexec -n 2 parcdf stats --json run_1.nc > run_1.json\n",
    .is_parallel = true,
    .run = run_all,
};
