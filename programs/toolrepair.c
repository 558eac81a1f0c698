/* `parcdf repair`: parcdf_repair() by hand; then logs of puts that a crash left on the nodes. */
#include "filekind.h"
#include "options.h"
#include "stagereplay.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"

#include <parcdf.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_ROOM = 8192 };

struct options {
    const char *path, *journal, **stages; /* stages: folders */
    size_t nstages;
    bool is_dry, is_forced;
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
static int replay(const struct options *w)
{
    const struct pcdf_stagereplay config = { .path = w->path,
                                             .dirs = w->stages,
                                             .ndirs = w->nstages,
                                             .dry = w->is_dry,
                                             .force = w->is_forced,
                                             .say = print_line,
                                             .context = (void *)w->path };
    if (pcdf_stagereplay(&config) == NC_NOERR)
        return PCDF_TOOL_GOOD;
    pcdf_tool_say(w->path, "%s", pcdf_fail_text());
    return PCDF_TOOL_BAD;
}

static int repair(const struct options *w)
{
    const char *path = w->path;
    char report[REPORT_ROOM];
    struct pcdf_tool_file file;
    int err;

    err = pcdf_tool_open_regular(&file, path); /* what cannot be read at all is not for the library to say */
    if (err)
        return err;
    enum pcdf_filekind kind = pcdf_filekind_of_bytes(file.bytes, file.n < 8 ? (size_t)file.n : 8);
    bool is_hdf5 = kind == PCDF_FILEKIND_HDF5 || kind == PCDF_FILEKIND_HDF5_MARKED;
    bool is_other = file.n > 0 && !is_hdf5 && (file.n < 3 || memcmp(file.bytes, "CDF", 3) != 0);
    const char *other = is_other ? pcdf_tool_why(path, NULL) : NULL;
    pcdf_tool_close(&file);
    if (other) {
        pcdf_tool_say(path, "%s", other);
        return PCDF_TOOL_BAD;
    }
    int flags = (w->is_dry ? PARCDF_REPAIR_DRY_RUN : 0) | (w->is_forced ? PARCDF_REPAIR_FORCE : 0);
    err = parcdf_repair_with(path, w->journal, flags, report, sizeof report);
    print_report(path, report);
    if (err)
        pcdf_tool_say(path, "%s", parcdf_last_error());
    if (err)
        return PCDF_TOOL_BAD;
    return w->nstages > 0 ? replay(w) : PCDF_TOOL_GOOD;
}

static const char *take_stage(void *into, const struct pcdf_option *row, const char *folder)
{
    struct options *w = into;
    (void)row;
    w->stages[w->nstages++] = folder; /* which has room for as many as there are arguments */
    return NULL;
}

static const struct pcdf_option rows[] = {
    { "--dry-run", "change nothing; print what would be done", PCDF_FLAG(struct options, is_dry) },
    { "--force",
      "repair also if it cannot be proved that the program that\nbegan the change has ended, or if the "
      "journal belongs to a copy of the file. Without a journal: remove the mark; the header is the old one, "
      "but some data may already have been moved",
      PCDF_FLAG(struct options, is_forced) },
    { "--journal FILE",
      "the path of the journal, if it is in another folder than the file. In the file's own folder it is "
      "found, also if the file was renamed",
      PCDF_WORD(struct options, journal) },
    { "--stage DIR",
      "a folder of the hint pcdf_stage_dir, with logs of puts that were not in the file yet when the job "
      "crashed. Give the\noption once for the folder of each node, or for a copy of\nit; the logs of all "
      "ranks are needed. What ncmpi_sync had acknowledged is written to the file, and the logs are\nremoved. "
      "They are found by the inode, if the file was\nrenamed. With --force also if the file was made anew, "
      "or\nits definitions were changed, since the logs were written,\nor if the logs of some ranks are lost",
      PCDF_TAKEN(take_stage) },
    { 0 }
};
static const struct pcdf_options options = { .rows = rows,
                                             .column = 18,
                                             .unknown = "unknown option %",
                                             .least = 1,
                                             .most = 1,
                                             .few = "no file given",
                                             .many = "one file at a time" };

static int read_arguments(int argc, char **argv, struct options *w)
{
    struct pcdf_arguments file;
    int status = pcdf_tool_options(&pcdf_tool_repair, w, argc, argv, &file);

    if (!status)
        w->path = file.x[0];
    return status;
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct options o = { .stages = malloc((size_t)argc * sizeof(char *)) };
    (void)ranks;
    int code = o.stages ? read_arguments(argc, argv, &o) : pcdf_tool_unusable(NULL, "no memory");
    if (code == PCDF_TOOL_GOOD)
        code = repair(&o);
    free(o.stages);
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
            "command prints what is known about the file.\n\n",
    .options = &options,
    .more_help = "\nExit status: 0 repaired, or nothing to do; 1 not repaired, the file has not\n"
                 "been changed; 2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf repair --dry-run run.nc\n"
                 "  parcdf repair run.nc && parcdf check run.nc\n"
                 "  parcdf repair --stage . run.nc\n",
    .needs_mpi = true,
    .run = run,
};
