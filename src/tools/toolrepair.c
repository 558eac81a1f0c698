/* `parcdf repair`: parcdf_repair() by hand. */
#include "tool.h"
#include "toolfile.h"

#include <parcdf.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_ROOM = 8192 };

/* The report's lines, each behind the file's name. */
static void print_report(const char *path, char *report)
{
    char *rest = NULL;

    for (char *line = strtok_r(report, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        pcdf_tool_print(stdout, path);
        fputs(": ", stdout);
        pcdf_tool_print(stdout, line);
        putchar('\n');
    }
}

static int repair(const char *path, const char *journal, int flags)
{
    char report[REPORT_ROOM];
    struct pcdf_tool_file file;
    int err;

    err = pcdf_tool_open(&file, path); /* what cannot be read at all is not for the library to say */
    if (err)
        return err;
    bool is_other = file.n > 0 && (file.n < 3 || memcmp(file.bytes, "CDF", 3) != 0);
    const char *other = is_other ? pcdf_tool_why(path, NULL) : NULL;
    pcdf_tool_close(&file);
    if (other) {
        pcdf_tool_say(path, "%s", other);
        return PCDF_TOOL_BAD;
    }
    err = parcdf_repair_with(path, journal, flags, report, sizeof report);
    print_report(path, report);
    if (err)
        pcdf_tool_say(path, "%s", parcdf_last_error());
    return err ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD;
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    (void)team;
    const char *path = NULL, *journal = NULL;
    bool options = true;
    int flags = 0;

    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && strcmp(argv[i], "--dry-run") == 0)
            flags |= PARCDF_REPAIR_DRY_RUN;
        else if (options && strcmp(argv[i], "--force") == 0)
            flags |= PARCDF_REPAIR_FORCE;
        else if (options && strcmp(argv[i], "--journal") == 0 && i + 1 < argc)
            journal = argv[++i];
        else if (options && argv[i][0] == '-')
            return pcdf_tool_misused(&pcdf_tool_repair, "unknown option %s", argv[i]);
        else if (path)
            return pcdf_tool_misused(&pcdf_tool_repair, "one file at a time");
        else
            path = argv[i];
    }
    if (!path)
        return pcdf_tool_misused(&pcdf_tool_repair, "no file given");
    return repair(path, journal, flags);
}

const struct pcdf_tool_command pcdf_tool_repair = {
    .name = "repair",
    .usage = "[--dry-run] [--force] [--journal FILE] FILE",
    .summary = "finish a change of a file that a crash interrupted",
    .help = "When a program changes the definitions of a file, the library keeps a journal\n"
            "beside it (.FILE.parcdf-journal) and marks the file, so that no program reads a\n"
            "file that is half changed. If the program crashes, the journal tells how to\n"
            "finish the change. This command prints what the journal says and finishes the\n"
            "change. The next open for writing does the same. If the journal is lost, the\n"
            "command prints what is known about the file.\n\n"
            "  --dry-run       change nothing; print what would be done\n"
            "  --force         repair also if it cannot be proved that the program that\n"
            "                  began the change has ended, or if the journal belongs to a\n"
            "                  copy of the file. Without a journal: remove the mark; the\n"
            "                  header is the old one, but some data may already have been\n"
            "                  moved\n"
            "  --journal FILE  the path of the journal, if it is in another folder than the\n"
            "                  file. In the file's own folder it is found, also if the file\n"
            "                  was renamed\n\n"
            "Exit status: 0 repaired, or nothing to do; 1 not repaired, the file has not\n"
            "been changed; 2 unusable.\n\n"
            "EXAMPLES\n"
            "  parcdf repair --dry-run run.nc\n"
            "  parcdf repair run.nc && parcdf check run.nc\n",
    .needs_mpi = true,
    .run = run,
};
