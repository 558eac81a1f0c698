/* `parcdf hints`: the table of hints, as the library reads it. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>
#include "hintrows.h"

static void print_row(const struct pcdf_hint_row *row)
{
    printf("%s\n    ", row->name);
    if (row->kind != PCDF_HINT_TEXT)
        printf("default %" PRId64 ", from %" PRId64 " to %" PRId64 "%s\n", row->number, row->low, row->high,
               row->is_bytes ? ", or as 64k, 32M, 1GiB" : "");
    else
        printf("default \"%s\", %s%s\n", row->text, row->words ? "one of " : "any text",
               row->words ? row->words : "");
    printf("    %s\n", row->help);
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    int shown = 0;

    (void)team;
    if (argc > 2)
        return pcdf_tool_misused(&pcdf_tool_hints, "one hint at a time");
    for (int i = 0; i < pcdf_hint_count; i++) {
        if (argc == 2 && strcmp(argv[1], pcdf_hint_rows[i].name) != 0)
            continue;
        print_row(&pcdf_hint_rows[i]);
        shown++;
    }
    if (shown == 0)
        return pcdf_tool_misused(&pcdf_tool_hints, "the library knows no hint of that name");
    return PCDF_TOOL_GOOD;
}

const struct pcdf_tool_command pcdf_tool_hints = {
    .name = "hints",
    .usage = "[NAME]",
    .summary = "the hints that a program may give, with defaults and what they do",
    .help =
        "Prints every hint that the library knows, or the one named. A program gives hints in an MPI_Info\n"
        "at create or open, anyone in the environment: PNETCDF_HINTS=\"name=value;name=value\", which wins\n"
        "over both MPI_Info and the arguments of ncmpi__enddef. Hints not listed here go to MPI-IO; one "
        "that\n"
        "begins with pcdf_ and is not listed does nothing, and the library says so on standard error, once\n"
        "(PARCDF_QUIET=1: not at all). k, M, G and T are powers of 1024, as are KiB, MiB, GiB and TiB.\n\n"
        "Exit status: 0 good, 2 a name that is not known.\n\n"
        "EXAMPLES\n"
        "  parcdf hints | less\n"
        "  parcdf hints nc_var_align_size\n",
    .run = run,
};
