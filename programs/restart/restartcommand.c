/* `parcdf restart`: from which files a job goes on. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "alloc.h"
#include "codes.h"
#include "options.h"
#include "restartlook.h"
#include "restartprint.h"
#include "setmaking.h"
#include "setnames.h"
#include "status.h"

struct options {
    struct pcdf_restart_options look;
    bool is_json, is_list, files_only, finishes, restores;
    const char *path;
};

#define GENERATION_TAKES "--generation takes a number from 1 on"

static const struct pcdf_option rows[] = {
    { "--quick", "compare sizes only", PCDF_FLAG(struct options, look.is_quick) },
    { "--generation N", "look at this generation alone",
      PCDF_NUMBER(struct options, look.generation, 1, INT64_MAX, GENERATION_TAKES) },
    { "--list", "print all generations, the newest first; compares sizes\nonly",
      PCDF_FLAG(struct options, is_list) },
    { "--files", "print nothing but the paths, one on each line", PCDF_FLAG(struct options, files_only) },
    { "--json", "print JSON", PCDF_FLAG(struct options, is_json) },
    { "--finish",
      "first finish what jobs that have ended left: commit what\nis complete, remove what can never become "
      "complete, and older generations that were being removed",
      PCDF_FLAG(struct options, finishes) },
    { "--restore",
      "give the names of the files that the program used to the generation that was found, if a newer or "
      "damaged one has them",
      PCDF_FLAG(struct options, restores) },
    { 0 }
};
static const struct pcdf_options options = { .rows = rows,
                                             .column = 20,
                                             .unknown = "unknown option %",
                                             .lacking = GENERATION_TAKES,
                                             .least = 1,
                                             .most = 1,
                                             .few = "no folder given",
                                             .many = "one folder, or one set" };

static int parse(int argc, char **argv, struct options *o)
{
    struct pcdf_arguments path;
    PCDF_TRY(pcdf_tool_options(&pcdf_tool_restart, o, argc, argv, &path));
    o->path = path.x[0];
    if (o->is_json + o->is_list + o->files_only > 1)
        return pcdf_tool_misused(&pcdf_tool_restart, "one of --json, --list and --files");
    return PCDF_TOOL_GOOD;
}

/* ---- the sets of a folder; rank 0 */

struct names {
    char **sets; /* paths DIR/NAME */
    size_t n;
    const char *dir;
};

static int note_name(void *context, const char *entry)
{
    struct names *names = context;
    struct pcdf_setentry e;
    pcdf_setname_parse(entry, &e);
    if (e.kind != PCDF_SET_MANIFEST && e.kind != PCDF_SET_PARTS)
        return NC_NOERR;
    char *path = pcdf_setname_in(names->dir, e.name);
    char **more = path ? pcdf_realloc(names->sets, (names->n + 1) * sizeof *more) : NULL;
    names->sets = more ? more : names->sets;
    for (size_t i = 0; more && i < names->n; i++)
        if (strcmp(names->sets[i], path) == 0) {
            pcdf_free(path);
            return NC_NOERR;
        }
    if (!more) {
        pcdf_free(path);
        return PCDF_FAIL(NC_ENOMEM, "no memory for the names of sets");
    }
    more[names->n++] = path;
    return NC_NOERR;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int root_find_sets(const struct options *o, struct names *names)
{
    struct stat st;
    *names = (struct names){ .dir = o->path };
    bool is_folder = stat(o->path, &st) == 0 && S_ISDIR(st.st_mode);
    if (!is_folder) {
        names->sets = pcdf_calloc(1, sizeof *names->sets);
        if (names->sets)
            names->sets[0] = pcdf_strndup(o->path, strlen(o->path));
        names->n = names->sets && names->sets[0];
        return names->n ? PCDF_TOOL_GOOD : pcdf_tool_unusable(o->path, "no memory");
    }
    char *real = realpath(o->path, NULL);
    int err = real ? pcdf_setfs_posix.ops->list(pcdf_setfs_posix.fs, real, note_name, names) : NC_ENOMEM;
    free(real);
    if (err)
        return pcdf_tool_unusable(o->path, "%s", pcdf_fail_text());
    if (names->n == 0) {
        if (!o->is_json && !o->files_only) {
            pcdf_tool_print(stdout, o->path);
            puts(": the folder has no set of files (hint pcdf_set makes them)");
        }
        return PCDF_TOOL_BAD;
    }
    qsort(names->sets, names->n, sizeof *names->sets, compare_names);
    return PCDF_TOOL_GOOD;
}

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        pcdf_free(names->sets[i]);
    pcdf_free(names->sets);
}

/* ---- a set */

static int root_finish(const char *path)
{
    struct pcdf_set set;
    int err = pcdf_set_open(path, &set);
    if (err)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    err = pcdf_set_recover(&set, PCDF_RECOVER_FINISH, "");
    pcdf_set_close(&set);
    return err ? pcdf_tool_unusable(path, "%s", pcdf_fail_text()) : PCDF_TOOL_GOOD;
}

static int root_print(const struct options *o, const struct pcdf_restart *restart, struct pcdf_json *json,
                      int status)
{
    bool is_quick = o->look.is_quick;
    if (status == PCDF_TOOL_UNUSABLE)
        return status;
    if (status == PCDF_TOOL_GOOD && o->restores && pcdf_set_restore(&restart->set, &restart->newest))
        status = pcdf_tool_unusable(o->path, "%s", pcdf_fail_text());
    if (o->is_json)
        pcdf_restart_print_json(restart, is_quick, json);
    else if (o->is_list)
        pcdf_restart_print_list(restart);
    else if (o->files_only)
        pcdf_restart_print_files(restart);
    else
        pcdf_restart_print(restart, is_quick);
    return status;
}

static int set_all(const struct pcdf_tool_ranks *ranks, const struct options *o, const char *path,
                   struct pcdf_json *json)
{
    struct pcdf_restart restart;
    int status = o->finishes && ranks->rank == 0 ? root_finish(path) : PCDF_TOOL_GOOD;
    int found = pcdf_restart_look_all(ranks, path, &o->look, &restart);
    if (ranks->rank == 0)
        found = root_print(o, &restart, json, found);
    pcdf_restart_free(&restart);
    return found > status ? found : status;
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct options o = { 0 };
    struct names names = { 0 };
    struct pcdf_json json = { 0 };
    PCDF_TRY(parse(argc, argv, &o)); /* the same on all ranks */
    o.look.is_quick |= o.is_list;    /* nobody asks for the data */
    int status = ranks->rank == 0 ? root_find_sets(&o, &names) : PCDF_TOOL_GOOD;
    int64_t n = (int64_t)names.n;
    pcdf_tool_share_all(ranks, &n, sizeof n, 0);
    if (ranks->rank == 0 && o.is_json) {
        pcdf_json_begin(&json, stdout);
        pcdf_json_open(&json, '[', false);
    }
    for (int64_t i = 0; i < n; i++) { /* the same on all ranks */
        int one = set_all(ranks, &o, ranks->rank == 0 ? names.sets[i] : NULL, &json);
        status = one > status ? one : status;
    }
    if (ranks->rank == 0 && o.is_json) {
        pcdf_json_close(&json, ']');
        pcdf_json_end(&json);
    }
    free_names(&names);
    return status;
}

const struct pcdf_tool_command pcdf_tool_restart = {
    .name = "restart",
    .usage = "[OPTION...] DIR|DIR/NAME",
    .summary = "find the newest complete set of checkpoint files",
    .help = "With hint pcdf_set=DIR/NAME, the files of a checkpoint become visible together,\n"
            "as a generation of the set. This command finds the newest generation whose\n"
            "files are all there and as they were written, prints the paths of its files,\n"
            "and says why newer ones are not complete. It reads all files and compares\n"
            "their checksums; under mpiexec the ranks share the reading. Of a folder, each\n"
            "set in it is looked at.\n\n",
    .options = &options,
    .more_help = "\nExit status: 0 found; 1 a set has no complete generation, or there is no set;\n"
                 "2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf restart . || echo none\n"
                 "  parcdf restart --quick --json . || echo none\n",
    .is_parallel = true,
    .run = run,
};
