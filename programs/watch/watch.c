/* `parcdf watch`: shows each new record of a file that another job writes. Its options. */
#include "options.h"
#include "tool.h"
#include "toolstop.h"
#include "watchloop.h"

#include <string.h>

#define WRONG_VALUE "% is not what this option takes"

static const char *take_first(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_watch *w = into;
    bool is_last = strcmp(text, "last") == 0;
    (void)row;
    if (is_last)
        w->next = -1;
    bool is_good = is_last || pcdf_options_number(text, 0, INT64_MAX, &w->next);
    return is_good ? NULL : pcdf_options_wrong(WRONG_VALUE, text);
}

static const char *take_command(void *into, const struct pcdf_option *row, const char *command)
{
    struct pcdf_watch *w = into;
    (void)row;
    w->command = command;
    for (const char *c = command; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t')
            return pcdf_options_wrong(WRONG_VALUE, command);
    return NULL;
}

static const struct pcdf_option rows[] = {
    { "-v, --variables NAME[,NAME]", "only these variables", PCDF_WORD(struct pcdf_watch, show.variables) },
    { "--from N", "begin with record N (default 0), or with the last one:\n--from last",
      PCDF_TAKEN(take_first) },
    { "--behind N", "show a record only when N later ones are there",
      PCDF_NUMBER(struct pcdf_watch, behind, 0, INT64_MAX, WRONG_VALUE) },
    { "--until N", "end after record N", PCDF_NUMBER(struct pcdf_watch, until, 0, INT64_MAX, WRONG_VALUE) },
    { "--timeout SECONDS", "end, with status 3, when no record came for so long",
      PCDF_SECONDS(struct pcdf_watch, timeout, WRONG_VALUE) },
    { "--interval SECONDS", "look at least so often (default 1)",
      PCDF_SECONDS(struct pcdf_watch, interval, WRONG_VALUE) },
    { "--exec COMMAND",
      "run by the shell for each record; {} is its number. The\nnext record waits for its end",
      PCDF_TAKEN(take_command) },
    { "--once", "show the records that there are, and end", PCDF_FLAG(struct pcdf_watch, is_once) },
    { "--wait", "for a file that is not there yet", PCDF_FLAG(struct pcdf_watch, waits) },
    { "--json", "a line of JSON for each record and event", PCDF_FLAG(struct pcdf_watch, show.is_json) },
    { "-q, --quiet", "print nothing of the records", PCDF_FLAG(struct pcdf_watch, show.is_quiet) },
    { 0 }
};
static const struct pcdf_options options = { .rows = rows,
                                             .column = 19,
                                             .least = 1,
                                             .most = 1,
                                             .few = "one file is needed",
                                             .many = "one file is needed" };

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct pcdf_watch w = { .until = -1, .interval = 1 };
    struct pcdf_arguments file;
    (void)ranks;

    int status = pcdf_tool_options(&pcdf_tool_watch, &w, argc, argv, &file);
    if (status)
        return status;
    w.path = file.x[0];
    pcdf_tool_stop_begin();
    return w.is_once ? pcdf_watch_once(&w) : pcdf_watch_follow(&w);
}

const struct pcdf_tool_command pcdf_tool_watch = {
    .name = "watch",
    .usage = "[OPTION...] FILE",
    .summary = "show each new record of a file that is being written",
    .help = "Shows each record of a file as a job writes it: its time, and for each record\n"
            "variable a picture, the minimum, mean and maximum, and how many values are\n"
            "missing. The command only reads, and takes no locks: it does not disturb the\n"
            "job. A file that takes its place, and definitions that change, are told.\n"
            "Ctrl-C ends it, with status 0.\n"
            "A writer that counts a record before all its data is written shows half\n"
            "records: use --behind 1, or parcdf with the hint pcdf_commit=step.\n\n",
    .options = &options,
    .more_help = "\nExit status: 0 good; 1 not a netCDF classic file, or data is missing; 2 the file\n"
                 "cannot be read; 3 no record came for so long.\n\n"
                 "EXAMPLES\n"
                 "  parcdf watch --once run_1.nc\n"
                 "  parcdf watch --once --json --from last run_1.nc\n",
    .run = run,
};
