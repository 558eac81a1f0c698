/* The program under the names ncdump and ncmpidump: their options, output and exit statuses. `parcdf dump`
 * says more. */
#include "dump.h"
#include "tool.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char shared_help[] = "  -c          of the values only those of coordinate variables\n"
                                  "  -h          the header alone\n"
                                  "  -v NAMES    of the values only those of these variables: a,b,c\n"
                                  "  -b c|f      a comment with the indices before each row\n"
                                  "  -f c|f      a comment with the indices behind each value\n"
                                  "  -l N        characters of a line of values (80)\n"
                                  "  -n NAME     what stands behind `netcdf`\n"
                                  "  -p N[,N]    digits of floats and doubles (7,15)\n"
                                  "  -k          the kind of the file and no more\n";

/* Both take no argument at all, and ncmpidump any wrong one, for a question. */
static int usage(const char *program, const char *more, int status)
{
    fprintf(stderr, "usage: %s [OPTION...] FILE\n%s%s'parcdf dump' does more.\n", program, shared_help, more);
    return status;
}

static int run(const struct pcdf_dump_options *options)
{
    return pcdf_dump_run(options) != PCDF_TOOL_GOOD;
}

int pcdf_tool_ncdump(const struct pcdf_tool_team *team, int argc, char **argv)
{
    static const char more[] = "  -s          special attributes, too: _Format\n"
                               "  -t, -i      times as dates, -i with a T before the hour\n";
    struct pcdf_dump_options o = pcdf_dump_defaults();
    int c;

    (void)team;
    opterr = 0;
    o.takes_short = true;
    while ((c = getopt(argc, argv, "b:cd:f:g:hikl:n:p:stv:wxFL:X:")) != -1) {
        if (c == 'x' || c == 'g') {
            pcdf_tool_say(NULL,
                          c == 'x' ? "NcML is not printed here" : "files of this format have no groups");
            return PCDF_TOOL_BAD;
        }
        if (c == '?')
            return usage("ncdump", more, PCDF_TOOL_BAD);
        if (strchr("wFLX", c)) /* of netCDF-4 and of servers */
            continue;
        if (!pcdf_dump_take(&o, c == 'd' ? 'p' : c, optarg))
            return PCDF_TOOL_BAD;
    }
    if (argc - optind != 1)
        return usage("ncdump", more, argc > 1);
    o.path = argv[optind];
    return run(&o);
}

int pcdf_tool_ncmpidump(const struct pcdf_tool_team *team, int argc, char **argv)
{
    static const char more[] = "  -V          the version of the format and no more\n";
    struct pcdf_dump_options o = pcdf_dump_defaults();
    int c;

    (void)team;
    opterr = 0;
    o.takes_short = true;
    o.dialect = PCDF_DUMP_AS_NCMPIDUMP;
    while ((c = getopt(argc, argv, "b:cd:f:hkl:n:p:v:V")) != -1) {
        if (c == '?')
            return usage("ncmpidump", more, PCDF_TOOL_GOOD);
        if (c == 'V')
            o.cdf_version = true;
        else if (!pcdf_dump_take(&o, c == 'd' ? 'p' : c, optarg))
            return PCDF_TOOL_BAD;
    }
    if (argc == 1)
        return usage("ncmpidump", more, PCDF_TOOL_GOOD);
    if (argc - optind != 1) {
        pcdf_tool_say(NULL, "one file is needed");
        return PCDF_TOOL_BAD;
    }
    o.path = argv[optind];
    return run(&o);
}
