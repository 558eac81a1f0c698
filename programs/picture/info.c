/* `parcdf info`: what a file, or several as one, holds and how it is stored, on one screen. */
#include "infofacts.h"
#include "infodraw.h"
#include "options.h"
#include "tool.h"
#include "toolpaths.h"
#include "toolseries.h"
#include "toolshare.h"

struct options {
    struct pcdf_info_style style;
    const char *along;
};

static const struct pcdf_option rows[] = {
    { "-r, --ranges",
      "read all values and show the smallest and the largest one of each variable; fill values and NaN do "
      "not count",
      PCDF_FLAG(struct options, style.has_ranges) },
    { "-v, --verbose",
      "more on storage: where each variable begins, its share of the file, alignment, and notes on what "
      "could be better; of\nseveral files, a line for each",
      PCDF_FLAG(struct options, style.is_verbose) },
    { "-a, --all", "all variables and dimensions; otherwise as many as fit the screen",
      PCDF_FLAG(struct options, style.has_all) },
    { "--along DIM",
      "dimension along which several files follow each other\n(default: the record dimension, or that of "
      "time)",
      PCDF_WORD(struct options, along) },
    { "--json", "everything as JSON, sizes in bytes", PCDF_FLAG(struct options, style.is_json) },
    { 0 }
};
static const struct pcdf_options options = {
    .rows = rows, .column = 17, .least = 1, .few = "a file is needed"
};

static int show(const struct pcdf_tool_paths *paths, const struct pcdf_info_style *style, const char *along)
{
    const struct pcdf_tool_series_choice choice = {
        .n = paths->n, .paths = paths->x, .along = along, .keeps_coordinate = true
    };
    struct pcdf_tool_dataset ds;
    struct pcdf_info info;
    int status = pcdf_tool_series_open(&ds, &choice);

    if (status == PCDF_TOOL_BAD && paths->n == 1 && pcdf_info_has_beside(paths->x[0], ".parcdf-journal"))
        pcdf_tool_say(paths->x[0], "a change of the file was interrupted: `parcdf repair` finishes it");
    if (status)
        return status;
    status = pcdf_info_begin(&info, &ds);
    if (!status) {
        if (!ds.series)
            pcdf_info_advise(&info);
        status = style->is_json ? pcdf_info_json(&info, style) : pcdf_info_draw(&info, style);
        if (!status && ds.read_behind)
            status = PCDF_TOOL_BAD;
        pcdf_info_end(&info);
    }
    pcdf_tool_dataset_close(&ds);
    return status;
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static const struct pcdf_tool_ranks alone = { .size = 1 };
    struct options o = { 0 };
    struct pcdf_arguments files;
    struct pcdf_tool_paths paths;
    (void)ranks;

    int status = pcdf_tool_options(&pcdf_tool_info, &o, argc, argv, &files);
    if (!status)
        status = pcdf_tool_paths_all(&alone, files.n, files.x, &paths);
    if (status)
        return status;
    if (paths.n > 1 && o.style.has_ranges) /* may open one more than once */
        status = pcdf_tool_sources_share_all(&alone, (struct pcdf_tool_sharing){ 0 }, paths.n, paths.x);
    if (!status)
        status = show(&paths, &o.style, o.along);
    pcdf_tool_paths_free(&paths);
    return status;
}

const struct pcdf_tool_command pcdf_tool_info = {
    .name = "info",
    .usage = "[-arv] [--along DIM] [--json] FILE...",
    .summary = "show what a file holds, and how it is stored",
    .help = "First, what the file holds: its title and conventions; the dimensions, with the\n"
            "first and last coordinate (dates where the units are \"days since ...\"); the\n"
            "variables, largest first, with dimensions, units and values. The values come\n"
            "from the attributes actual_range or valid_range (\"valid\").\n\n"
            "Then, how the file is stored: format, size, header, records, and a strip that\n"
            "shows the whole file to scale. In the strip, H is the header, R the records,\n"
            "a letter the variable with this letter, . free room, ? data that is missing at\n"
            "the end of the file. A second strip shows one record.\n\n"
            "The command reads the header, and the first and last value of each coordinate\n"
            "variable. Only -r reads all data.\n\n"
            "Several files, or a folder of them, are shown as one: their records follow each\n"
            "other in the order of time. Instead of how it is stored, the command shows\n"
            "which time they cover, and says what is missing or there twice.\n\n",
    .options = &options,
    .more_help = "\nLines that begin with ! say that something is wrong.\n\n"
                 "Exit status: 0 good, also with lines that begin with !; 1 not a netCDF classic\n"
                 "file, or -r met missing data; 2 the file cannot be read.\n\n"
                 "EXAMPLES\n"
                 "  parcdf info run_1.nc\n"
                 "  parcdf info --ranges run_1.nc\n"
                 "  parcdf info --all -v run_1.nc\n"
                 "  parcdf info run_1.nc run_2.nc\n"
                 "  parcdf info --json run_1.nc > run_1.json\n",
    .run = run,
};
