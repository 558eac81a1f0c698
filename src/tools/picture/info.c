/* `parcdf info`: a picture of a file, of one screen. */
#include "infofacts.h"
#include "infodraw.h"
#include "tool.h"

#include <getopt.h>

static int read_options(struct pcdf_info_style *style, int argc, char **argv)
{
    static const struct option words[] = { { "all", no_argument, NULL, 'a' },
                                           { "json", no_argument, NULL, 'j' },
                                           { 0 } };
    int c;

    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, "a", words, NULL)) != -1) {
        if (c == '?')
            return pcdf_tool_misused(&pcdf_tool_info, "there is no option %s", argv[optind - 1]);
        style->has_all = style->has_all || c == 'a';
        style->is_json = style->is_json || c == 'j';
    }
    if (argc - optind != 1)
        return pcdf_tool_misused(&pcdf_tool_info, "one file is needed");
    return PCDF_TOOL_GOOD;
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    struct pcdf_info_style style = { 0 };
    struct pcdf_tool_dataset ds;
    struct pcdf_info info;
    (void)team;

    int status = read_options(&style, argc, argv);
    if (status)
        return status;
    const char *path = argv[optind];
    status = pcdf_tool_dataset_open(&ds, path, false);
    if (status == PCDF_TOOL_BAD && pcdf_info_has_beside(path, ".parcdf-journal"))
        pcdf_tool_say(path, "a change of the file was interrupted: `parcdf repair` finishes it");
    if (status)
        return status;
    status = pcdf_info_begin(&info, &ds);
    if (!status) {
        pcdf_info_advise(&info);
        if (style.is_json)
            pcdf_info_json(&info);
        else
            pcdf_info_draw(&info, &style);
        pcdf_info_end(&info);
    }
    pcdf_tool_dataset_close(&ds);
    return status;
}

const struct pcdf_tool_command pcdf_tool_info = {
    .name = "info",
    .usage = "[-a] [--json] FILE",
    .summary = "a picture of a file: what takes the room, how it lies, what could be better",
    .help =
        "Dimensions; variables, largest first; the file and one of its records as strips, to scale; where\n"
        "the parts begin; and advice with its reason. Only the header is read.\n\n"
        "In the strip of the file H is the header, F fixed-size variables, R records, . room that is free,\n"
        "? data behind the end of the file. In that of a record each variable has the letter that stands\n"
        "before its name.\n\n"
        "  -a, --all  all variables and dimensions; otherwise as many as fit the screen\n"
        "  --json     all of it as JSON, in bytes\n\n"
        "Exit status: 0 good, whatever the advice; 1 not a file of the format; 2 unusable.\n\n"
        "EXAMPLES\n"
        "  parcdf info run_1.nc\n"
        "  parcdf info --all run_1.nc\n"
        "  parcdf info --json run_1.nc > run_1.json\n",
    .run = run,
};
