/* The program under the names ncdump and ncmpidump: their options, output and exit statuses. `parcdf dump`
 * says more. */
#include "dump.h"
#include "options.h"
#include "tool.h"

#include <stdio.h>

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

static int run_dump(const struct pcdf_dump_options *options)
{
    return pcdf_dump_run(options) != PCDF_TOOL_GOOD;
}

static const char *refuse(void *into, const struct pcdf_option *row, const char *value)
{
    (void)into, (void)value;
    pcdf_tool_say(NULL, "%s", row->fault);
    return "";
}

/* Of netCDF-4 and of servers. */
static const char *ignore(void *into, const struct pcdf_option *row, const char *value)
{
    (void)into, (void)row, (void)value;
    return NULL;
}

#define SHARED_ROWS                                                                                          \
    { "-c", NULL, PCDF_FLAG(struct pcdf_dump_options, coordinates) },                                        \
        { "-h", NULL, PCDF_FLAG(struct pcdf_dump_options, header_only) },                                    \
        { "-v NAMES", NULL, PCDF_WORD(struct pcdf_dump_options, variables) },                                \
        { "-b c|f", NULL, PCDF_TAKEN_AS(pcdf_dump_take_notes, PCDF_DUMP_BRIEF) },                            \
        { "-f c|f", NULL, PCDF_TAKEN_AS(pcdf_dump_take_notes, PCDF_DUMP_FULL) },                             \
        { "-l N", NULL, PCDF_TAKEN(pcdf_dump_take_length) },                                                 \
        { "-n NAME", NULL, PCDF_WORD(struct pcdf_dump_options, name) },                                      \
        { "-p N[,N]", NULL, PCDF_TAKEN(pcdf_dump_take_digits) },                                             \
        { "-d N[,N]", NULL, PCDF_TAKEN(pcdf_dump_take_digits) },                                             \
    {                                                                                                        \
        "-k", NULL, PCDF_FLAG(struct pcdf_dump_options, kind)                                                \
    }

static const struct pcdf_option ncdump_rows[] = {
    SHARED_ROWS,
    { "-s", NULL, PCDF_FLAG(struct pcdf_dump_options, specials) },
    { "-t", NULL, PCDF_TAKEN_AS(pcdf_dump_take_times, ' ') },
    { "-i", NULL, PCDF_TAKEN_AS(pcdf_dump_take_times, 'T') },
    { "-x", NULL, PCDF_TAKEN(refuse), .fault = "NcML is not printed here" },
    { "-g GROUPS", NULL, PCDF_TAKEN(refuse), .fault = "files of this format have no groups" },
    { "-w", NULL, PCDF_TAKEN(ignore) },
    { "-F", NULL, PCDF_TAKEN(ignore) },
    { "-L LEVEL", NULL, PCDF_TAKEN(ignore) },
    { "-X WORD", NULL, PCDF_TAKEN(ignore) },
    { 0 }
};
static const struct pcdf_options ncdump_options = { .rows = ncdump_rows };

int pcdf_tool_ncdump(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static const char more[] = "  -s          special attributes, too: _Format\n"
                               "  -t, -i      times as dates, -i with a T before the hour\n";
    struct pcdf_dump_options o = pcdf_dump_defaults();
    struct pcdf_arguments files;

    (void)ranks;
    o.takes_short = true;
    const char *wrong = pcdf_options_read(&ncdump_options, &o, argc, argv, &files);
    if (wrong)
        return *wrong ? usage("ncdump", more, PCDF_TOOL_BAD) : PCDF_TOOL_BAD;
    if (files.n != 1)
        return usage("ncdump", more, argc > 1);
    o.path = files.x[0];
    return run_dump(&o);
}

static const struct pcdf_option ncmpidump_rows[] = {
    SHARED_ROWS, { "-V", NULL, PCDF_FLAG(struct pcdf_dump_options, cdf_version) }, { 0 }
};
static const struct pcdf_options ncmpidump_options = { .rows = ncmpidump_rows };

int pcdf_tool_ncmpidump(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static const char more[] = "  -V          the version of the format and no more\n";
    struct pcdf_dump_options o = pcdf_dump_defaults();
    struct pcdf_arguments files;

    (void)ranks;
    o.takes_short = true;
    o.dialect = PCDF_DUMP_AS_NCMPIDUMP;
    const char *wrong = pcdf_options_read(&ncmpidump_options, &o, argc, argv, &files);
    if (wrong)
        return *wrong ? usage("ncmpidump", more, PCDF_TOOL_GOOD) : PCDF_TOOL_BAD;
    if (argc == 1)
        return usage("ncmpidump", more, PCDF_TOOL_GOOD);
    if (files.n != 1) {
        pcdf_tool_say(NULL, "one file is needed");
        return PCDF_TOOL_BAD;
    }
    o.path = files.x[0];
    return run_dump(&o);
}
