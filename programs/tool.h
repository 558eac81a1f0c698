#ifndef PCDF_TOOL_H
#define PCDF_TOOL_H
/* What the commands of the `parcdf` program share: the table's row. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "toolranks.h"
#include "toolsay.h"

struct pcdf_options;
struct pcdf_arguments;

struct pcdf_tool_command {
    const char *name, *usage, *summary; /* usage: after "parcdf name " */
    /* What `parcdf help name` prints after the usage: `help`, the options, `more_help`. Manual pages are made
     * from it: the last paragraph but the examples begins with "Exit status"; a line EXAMPLES comes before
     * the examples, which begin with two spaces and are run by tests/tools/help_test.py (it makes the files
     * x.nc and x.cdl that they name). Without a table, options are the lines of the help that begin with two
     * spaces and a dash, two spaces before their meaning. */
    const char *help;
    const struct pcdf_options *options; /* NULL: the command reads its arguments itself */
    const char *more_help;              /* may be NULL */
    bool is_parallel;                   /* runs on all ranks; otherwise on rank 0 alone */
    bool needs_mpi;                     /* MPI is started where no mpiexec did, too */
    /* argv[0] is the command's name; gives an exit status. `parcdf name --help` does not come here. */
    int (*run)(const struct pcdf_tool_ranks *ranks, int argc, char **argv);
};
#define PCDF_TOOL(name) extern const struct pcdf_tool_command pcdf_tool_##name;
#include "commands.def"
#undef PCDF_TOOL

/* Another program's name that this one answers to, with that program's options and exit statuses. */
struct pcdf_tool_alias {
    const char *name;
    bool is_parallel, needs_mpi;
    int (*run)(const struct pcdf_tool_ranks *ranks, int argc, char **argv);
};

/* Says on standard error what was wrong with the arguments, and gives PCDF_TOOL_UNUSABLE. */
int pcdf_tool_misused(const struct pcdf_tool_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the command's options into `into`; rest: what is left of argv. PCDF_TOOL_GOOD, or PCDF_TOOL_UNUSABLE,
 * and it was said what is wrong. */
int pcdf_tool_options(const struct pcdf_tool_command *command, void *into, int argc, char **argv,
                      struct pcdf_arguments *rest);

/* May `to` have colours? It is a terminal, the environment has no NO_COLOR, and no MPI is started. */
bool pcdf_tool_has_colours(FILE *to);

/* `parcdf check --data` (tooldata.c). Collective: the data of a file against the checksums beside it; rank 0
 * prints and has the verdict. PCDF_TOOL_UNUSABLE: there is none, the reason goes to standard error. max: as
 * for findings, -1 all. */
int pcdf_tool_check_data_all(const struct pcdf_tool_ranks *ranks, const char *path, bool quiet, int64_t max);
/* Collective: the same of far files and of those of other formats, whose values are all read
 * (toolsourcedata.c). *is_source false: it is none of these, and nothing was done. */
int pcdf_tool_check_source_all(const struct pcdf_tool_ranks *ranks, const char *path, bool quiet, int64_t max,
                               bool *is_source);
#endif
