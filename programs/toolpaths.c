/* See toolpaths.h. */
#include "toolpaths.h"
#include "alloc.h"
#include "filekind.h"
#include "status.h"
#include "tool.h"

#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct list { /* names one after another */
    char *text;
    int64_t n, room;
    bool is_short; /* there was no memory */
    bool is_other; /* than what was given */
};

static void add(struct list *list, const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    bool has_slash = !*folder || folder[strlen(folder) - 1] == '/';

    if (list->n + (int64_t)n > list->room) {
        int64_t room = 2 * (list->room + (int64_t)n);
        char *grown = room > INT_MAX ? NULL : pcdf_realloc(list->text, (size_t)room);
        list->is_short = list->is_short || !grown;
        if (!grown)
            return;
        list->text = grown;
        list->room = room;
    }
    list->n += snprintf(list->text + list->n, n, "%s%s%s", folder, has_slash ? "" : "/", name) + 1;
}

/* ---- folders and patterns */

static int is_netcdf(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && entry->d_name[0] != '.' && (strcmp(dot, ".nc") == 0 || strcmp(dot, ".nc4") == 0);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(struct list *list, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_netcdf, by_name);

    for (int i = 0; i < n; i++) {
        add(list, folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return n > 0;
}

static bool add_matches(struct list *list, const char *pattern)
{
    glob_t found;
    bool has_some = glob(pattern, 0, NULL, &found) == 0;

    for (size_t i = 0; has_some && i < found.gl_pathc; i++)
        add(list, "", found.gl_pathv[i]);
    globfree(&found);
    return has_some;
}

static void add_given(struct list *list, const char *given)
{
    struct stat st;
    bool is_there = stat(given, &st) == 0, is_found = false;

    if (is_there && S_ISDIR(st.st_mode) && pcdf_filekind_of(given) == PCDF_FILEKIND_FOLDER)
        is_found = add_folder(list, given);
    else if (!is_there && strpbrk(given, "*?[") && !strstr(given, "://"))
        is_found = add_matches(list, given);
    list->is_other = list->is_other || is_found;
    if (!is_found)
        add(list, "", given);
}

/* ---- the same on all ranks */

static int split(struct pcdf_tool_paths *paths, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++)
        paths->n += paths->text[i] == '\0';
    paths->x = pcdf_calloc((size_t)paths->n + 1, sizeof *paths->x);
    const char *at = paths->text;
    for (int i = 0; paths->x && i < paths->n; i++, at += strlen(at) + 1)
        paths->x[i] = at;
    return paths->x ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

static void make_room(struct list *list, int64_t n)
{
    pcdf_free(list->text);
    list->text = pcdf_malloc((size_t)n);
    list->is_short = !list->text;
}

/* What rank 0 found, where it found something; else the arguments, which each rank has. */
static void share_all(const struct pcdf_tool_ranks *ranks, struct list *list)
{
    int64_t n = list->is_other && !list->is_short ? list->n : 0;

    pcdf_tool_share_all(ranks, &n, sizeof n, 0);
    if (n > list->room)
        make_room(list, n);
    list->n = n > 0 ? n : list->n;
    bool is_short = pcdf_tool_worst_all(ranks, list->is_short) > 0;
    if (n > 0 && !is_short) /* the same on all ranks */
        pcdf_tool_share_all(ranks, list->text, (int)n, 0);
}

int pcdf_tool_paths_all(const struct pcdf_tool_ranks *ranks, int n, char *const *given,
                        struct pcdf_tool_paths *paths)
{
    struct list list = { 0 };

    *paths = (struct pcdf_tool_paths){ 0 };
    for (int i = 0; i < n; i++)
        if (ranks->rank == 0)
            add_given(&list, given[i]);
        else
            add(&list, "", given[i]);
    share_all(ranks, &list);
    paths->text = list.text;
    int status = list.is_short || !list.text
                     ? pcdf_tool_unusable(NULL, "there is no memory for the names of the files")
                     : split(paths, list.n);
    status = pcdf_tool_worst_all(ranks, status);
    if (status)
        pcdf_tool_paths_free(paths);
    return status;
}

void pcdf_tool_paths_free(struct pcdf_tool_paths *paths)
{
    pcdf_free(paths->x);
    pcdf_free(paths->text);
    *paths = (struct pcdf_tool_paths){ 0 };
}
