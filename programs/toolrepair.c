/* `parcdf repair`: parcdf_repair() by hand; then logs of puts that a crash left on the nodes. */
#include "stagereplay.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"

#include <parcdf.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_ROOM = 8192 };

struct wish {
    const char *path, *journal, **stages; /* stages: folders */
    size_t nstages;
    int flags;
};

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

static void print_line(void *path, const char *sentence)
{
    pcdf_tool_print(stdout, path);
    fputs(": ", stdout);
    pcdf_tool_print(stdout, sentence);
    putchar('\n');
}

/* The file is whole, or would be. */
static int replay(const struct wish *w)
{
    const struct pcdf_stagereplay wish = { .path = w->path,
                                           .dirs = w->stages,
                                           .ndirs = w->nstages,
                                           .dry = w->flags & PARCDF_REPAIR_DRY_RUN,
                                           .force = w->flags & PARCDF_REPAIR_FORCE,
                                           .say = print_line,
                                           .context = (void *)w->path };
    if (pcdf_stagereplay(&wish) == NC_NOERR)
        return PCDF_TOOL_GOOD;
    pcdf_tool_say(w->path, "%s", pcdf_fail_text());
    return PCDF_TOOL_BAD;
}

static int repair(const struct wish *w)
{
    const char *path = w->path;
    char report[REPORT_ROOM];
    struct pcdf_tool_file file;
    int err;

    err = pcdf_tool_open_regular(&file, path); /* what cannot be read at all is not for the library to say */
    if (err)
        return err;
    bool is_other = file.n > 0 && (file.n < 3 || memcmp(file.bytes, "CDF", 3) != 0);
    const char *other = is_other ? pcdf_tool_why(path, NULL) : NULL;
    pcdf_tool_close(&file);
    if (other) {
        pcdf_tool_say(path, "%s", other);
        return PCDF_TOOL_BAD;
    }
    err = parcdf_repair_with(path, w->journal, w->flags, report, sizeof report);
    print_report(path, report);
    if (err)
        pcdf_tool_say(path, "%s", parcdf_last_error());
    if (err)
        return PCDF_TOOL_BAD;
    return w->nstages > 0 ? replay(w) : PCDF_TOOL_GOOD;
}

/* Which of the arguments are what. PCDF_TOOL_GOOD, or what the misuse gives. */
static int read_arguments(int argc, char **argv, struct wish *w)
{
    bool options = true;

    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && strcmp(argv[i], "--dry-run") == 0)
            w->flags |= PARCDF_REPAIR_DRY_RUN;
        else if (options && strcmp(argv[i], "--force") == 0)
            w->flags |= PARCDF_REPAIR_FORCE;
        else if (options && strcmp(argv[i], "--journal") == 0 && i + 1 < argc)
            w->journal = argv[++i];
        else if (options && strcmp(argv[i], "--stage") == 0 && i + 1 < argc)
            w->stages[w->nstages++] = argv[++i];
        else if (options && argv[i][0] == '-')
            return pcdf_tool_misused(&pcdf_tool_repair, "unknown option %s", argv[i]);
        else if (w->path)
            return pcdf_tool_misused(&pcdf_tool_repair, "one file at a time");
        else
            w->path = argv[i];
    }
    return w->path ? PCDF_TOOL_GOOD : pcdf_tool_misused(&pcdf_tool_repair, "no file given");
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    struct wish wish = { .stages = malloc((size_t)argc * sizeof(char *)) };
    (void)team;
    int code = wish.stages ? read_arguments(argc, argv, &wish) : pcdf_tool_unusable(NULL, "no memory");
    if (code == PCDF_TOOL_GOOD)
        code = repair(&wish);
    free(wish.stages);
    return code;
}

const struct pcdf_tool_command pcdf_tool_repair = {
    .name = "repair",
    .usage = "[--dry-run] [--force] [--journal FILE] [--stage DIR] FILE",
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
            "                  was renamed\n"
            "  --stage DIR     a folder of the hint pcdf_stage_dir, with logs of puts that\n"
            "                  were not in the file yet when the job crashed. Give the\n"
            "                  option once for the folder of each node, or for a copy of\n"
            "                  it; the logs of all ranks are needed. What ncmpi_sync had\n"
            "                  acknowledged is written to the file, and the logs are\n"
            "                  removed. They are found by the inode, if the file was\n"
            "                  renamed. With --force also if the file was made anew, or\n"
            "                  its definitions were changed, since the logs were written,\n"
            "                  or if the logs of some ranks are lost\n\n"
            "Exit status: 0 repaired, or nothing to do; 1 not repaired, the file has not\n"
            "been changed; 2 unusable.\n\n"
            "EXAMPLES\n"
            "  parcdf repair --dry-run run.nc\n"
            "  parcdf repair run.nc && parcdf check run.nc\n"
            "  parcdf repair --stage . run.nc\n",
    .needs_mpi = true,
    .run = run,
};
