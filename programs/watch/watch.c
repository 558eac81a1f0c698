/* `parcdf watch`: shows each new record of a file that another job writes. Its options. */
#include "tool.h"
#include "toolstop.h"
#include "watchloop.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static bool read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return end != text && !*end && *seconds > 0 && *seconds <= 1e6;
}

static bool read_number(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return end != text && !*end && !errno && *number >= 0;
}

static bool is_clean(const char *command)
{
    for (; *command; command++)
        if ((unsigned char)*command < ' ' && *command != '\n' && *command != '\t')
            return false;
    return true;
}

/* Is the argument of the option what it has to be? */
static bool read_option(struct pcdf_watch *w, int c, const char *text)
{
    switch (c) {
    case 'v':
        w->show.variables = text;
        return true;
    case 'x':
        w->command = text;
        return is_clean(text);
    case 'f':
        if (strcmp(text, "last") == 0)
            w->next = -1;
        return w->next == -1 || read_number(text, &w->next);
    case 'b':
        return read_number(text, &w->behind);
    case 'u':
        return read_number(text, &w->until);
    case 't':
        return read_seconds(text, &w->timeout);
    case 'i':
        return read_seconds(text, &w->interval);
    default:
        break;
    }
    w->show.is_json = w->show.is_json || c == 'j';
    w->is_once = w->is_once || c == 'o';
    w->show.is_quiet = w->show.is_quiet || c == 'q';
    w->waits = w->waits || c == 'w';
    return true;
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    static const struct option words[] = { { "variables", required_argument, NULL, 'v' },
                                           { "from", required_argument, NULL, 'f' },
                                           { "behind", required_argument, NULL, 'b' },
                                           { "until", required_argument, NULL, 'u' },
                                           { "timeout", required_argument, NULL, 't' },
                                           { "interval", required_argument, NULL, 'i' },
                                           { "exec", required_argument, NULL, 'x' },
                                           { "once", no_argument, NULL, 'o' },
                                           { "wait", no_argument, NULL, 'w' },
                                           { "json", no_argument, NULL, 'j' },
                                           { "quiet", no_argument, NULL, 'q' },
                                           { 0 } };
    struct pcdf_watch w = { .until = -1, .interval = 1 };
    int c;
    (void)team;

    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, ":v:q", words, NULL)) != -1) {
        if (c == ':')
            return pcdf_tool_misused(&pcdf_tool_watch, "option %s needs an argument", argv[optind - 1]);
        if (c == '?')
            return pcdf_tool_misused(&pcdf_tool_watch, "there is no option %s", argv[optind - 1]);
        if (!read_option(&w, c, optarg))
            return pcdf_tool_misused(&pcdf_tool_watch, "%s is not what this option takes", optarg);
    }
    if (argc - optind != 1)
        return pcdf_tool_misused(&pcdf_tool_watch, "one file is needed");
    w.path = argv[optind];
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
            "records: use --behind 1, or parcdf with the hint pcdf_commit=step.\n\n"
            "  -v, --variables NAME[,NAME]  only these variables\n"
            "  --from N         begin with record N (default 0), or with the last one:\n"
            "                   --from last\n"
            "  --behind N       show a record only when N later ones are there\n"
            "  --until N        end after record N\n"
            "  --timeout SECONDS  end, with status 3, when no record came for so long\n"
            "  --interval SECONDS  look at least so often (default 1)\n"
            "  --exec COMMAND   run by the shell for each record; {} is its number. The\n"
            "                   next record waits for its end\n"
            "  --once           show the records that there are, and end\n"
            "  --wait           for a file that is not there yet\n"
            "  --json           a line of JSON for each record and event\n"
            "  -q, --quiet      print nothing of the records\n\n"
            "Exit status: 0 good; 1 not a netCDF classic file, or data is missing; 2 the file\n"
            "cannot be read; 3 no record came for so long.\n\n"
            "EXAMPLES\n"
            "  parcdf watch --once run_1.nc\n"
            "  parcdf watch --once --json --from last run_1.nc\n",
    .run = run,
};
