/* `parcdf hints`: the table of hints, as the library reads it. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>
#include "hintrows.h"

/* In lines of 80 columns, indented. */
static void print_filled(const char *text)
{
    enum { INDENT = 4, COLUMNS = 80 };
    int column = 0;

    while (*text) {
        int n = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + n > COLUMNS) {
            putchar('\n');
            column = 0;
        }
        column += printf("%*s%.*s", column > 0 ? 1 : INDENT, "", n, text);
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

static void print_row(const struct pcdf_hint_row *row)
{
    printf("%s\n    ", row->name);
    if (!row->text)
        printf("default %" PRId64 ", from %" PRId64 " to %" PRId64 "%s\n", row->number, row->low, row->high,
               row->is_bytes ? ", or as 64k, 32M, 1GiB" : "");
    else
        printf("default \"%s\", %s%s\n", row->text, row->words ? "one of " : "any text",
               row->words ? row->words : "");
    print_filled(row->help);
}

static void print_other(const struct pcdf_other_hint *other)
{
    static const char *const effects[] = { "understood", "passed on to MPI-IO", "without effect" };
    printf("%s\n    a hint of %s, %s\n", other->name, other->whose, effects[other->effect]);
    print_filled(other->help);
}

/* Those of the table, all or the named one. Returns how many. */
static int print_rows(bool promised, const char *name)
{
    int shown = 0;
    for (int i = 0; i < pcdf_hint_count; i++) {
        const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
        if (pcdf_hint_is_promised(row) != promised || (name && strcmp(name, row->name) != 0))
            continue;
        print_row(row);
        shown++;
    }
    return shown;
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : NULL;
    int shown;

    (void)ranks;
    if (argc > 2)
        return pcdf_tool_misused(&pcdf_tool_hints, "one hint at a time");
    shown = print_rows(true, name);
    for (int i = 0; i < pcdf_other_hint_count; i++) {
        if (name && strcmp(name, pcdf_other_hints[i].name) != 0)
            continue;
        print_other(&pcdf_other_hints[i]);
        shown++;
    }
    if (!name)
        puts("\nNot promised, for tests and experiments; any version may change or drop them:\n");
    shown += print_rows(false, name);
    if (shown == 0)
        return pcdf_tool_misused(&pcdf_tool_hints, "the library knows no hint of that name");
    return PCDF_TOOL_GOOD;
}

const struct pcdf_tool_command pcdf_tool_hints = {
    .name = "hints",
    .usage = "[NAME]",
    .summary = "list the hints: their defaults and what they do",
    .help = "Prints all hints that the library knows, or the named one. A program passes\n"
            "hints in an MPI_Info to create or open. You can also set them in the\n"
            "environment: PNETCDF_HINTS=\"name=value;name=value\". These win over the MPI_Info\n"
            "and over the arguments of ncmpi__enddef. The hints of other libraries come after\n"
            "ours and PnetCDF's. These, and all that are not in the list, are passed to\n"
            "MPI-IO, if it moves the bytes (pcdf_engine). Those named pcdf_debug_* come last;\n"
            "a program should not rely on them. A hint that begins with pcdf_ and is not in\n"
            "the list has no effect; the library says so once on standard error, unless\n"
            "PARCDF_QUIET=1 is set. In numbers, k, M, G and T mean powers of 1024; KiB, MiB,\n"
            "GiB and TiB mean the same.\n\n"
            "Exit status: 0 good, 2 the hint does not exist.\n\n"
            "EXAMPLES\n"
            "  parcdf hints | less\n"
            "  parcdf hints nc_var_align_size\n",
    .run = run,
};
