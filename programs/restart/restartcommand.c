/* `parcdf restart`: from which files a job goes on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "alloc.h"
#include "codes.h"
#include "restartlook.h"
#include "restartprint.h"
#include "setmaking.h"
#include "setnames.h"
#include "status.h"

struct options {
    struct pcdf_restart_wish wish;
    bool is_json, is_list, files_only, finishes, restores;
    const char *path;
};

static int misused(const char *sentence, const char *what)
{
    return pcdf_tool_misused(&pcdf_tool_restart, sentence, what);
}

static int read_generation(const char *text, struct options *o)
{
    char *end = NULL;
    errno = 0;
    long long number = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || number < 1)
        return misused("--generation takes a number from 1 on%s", "");
    o->wish.generation = number;
    return PCDF_TOOL_GOOD;
}

static int parse(int argc, char **argv, struct options *o)
{
    bool options = true;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = { { "--quick", &o->wish.is_quick }, { "--json", &o->is_json },
                  { "--list", &o->is_list },        { "--files", &o->files_only },
                  { "--finish", &o->finishes },     { "--restore", &o->restores } };
    enum { NFLAGS = sizeof flags / sizeof *flags };
    for (int i = 1; i < argc; i++) {
        int f = 0;
        while (options && f < NFLAGS && strcmp(argv[i], flags[f].name) != 0)
            f++;
        if (options && f < NFLAGS)
            *flags[f].flag = true;
        else if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && strcmp(argv[i], "--generation") == 0)
            PCDF_TRY(read_generation(i + 1 < argc ? argv[++i] : NULL, o));
        else if (options && argv[i][0] == '-')
            return misused("unknown option %s", argv[i]);
        else if (o->path)
            return misused("one folder, or one set%s", "");
        else
            o->path = argv[i];
    }
    if (!o->path)
        return misused("no folder given%s", "");
    if (o->is_json + o->is_list + o->files_only > 1)
        return misused("one of --json, --list and --files%s", "");
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
    bool is_quick = o->wish.is_quick;
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

static int set_all(const struct pcdf_tool_team *team, const struct options *o, const char *path,
                   struct pcdf_json *json)
{
    struct pcdf_restart restart;
    int status = o->finishes && team->rank == 0 ? root_finish(path) : PCDF_TOOL_GOOD;
    int found = pcdf_restart_look_all(team, path, &o->wish, &restart);
    if (team->rank == 0)
        found = root_print(o, &restart, json, found);
    pcdf_restart_free(&restart);
    return found > status ? found : status;
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    struct options o = { 0 };
    struct names names = { 0 };
    struct pcdf_json json = { 0 };
    PCDF_TRY(parse(argc, argv, &o)); /* the same on all ranks */
    o.wish.is_quick |= o.is_list;    /* nobody asks for the data */
    int status = team->rank == 0 ? root_find_sets(&o, &names) : PCDF_TOOL_GOOD;
    int64_t n = (int64_t)names.n;
    pcdf_tool_share_all(team, &n, sizeof n, 0);
    if (team->rank == 0 && o.is_json) {
        pcdf_json_begin(&json, stdout);
        pcdf_json_open(&json, '[', false);
    }
    for (int64_t i = 0; i < n; i++) { /* the same on all ranks */
        int one = set_all(team, &o, team->rank == 0 ? names.sets[i] : NULL, &json);
        status = one > status ? one : status;
    }
    if (team->rank == 0 && o.is_json) {
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
            "set in it is looked at.\n\n"
            "  --quick           compare sizes only\n"
            "  --generation N    look at this generation alone\n"
            "  --list            print all generations, the newest first; compares sizes\n"
            "                    only\n"
            "  --files           print nothing but the paths, one on each line\n"
            "  --json            print JSON\n"
            "  --finish          first finish what jobs that have ended left: commit what\n"
            "                    is complete, remove what can never become complete, and\n"
            "                    older generations that were being removed\n"
            "  --restore         give the names of the files that the program used to the\n"
            "                    generation that was found, if a newer or damaged one has\n"
            "                    them\n\n"
            "Exit status: 0 found; 1 a set has no complete generation, or there is no set;\n"
            "2 unusable.\n\n"
            "EXAMPLES\n"
            "  parcdf restart . || echo none\n"
            "  parcdf restart --quick --json . || echo none\n",
    .is_parallel = true,
    .run = run,
};
