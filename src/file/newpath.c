/* See newpath.h. */
#include "newpath.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "alloc.h"
#include "posixio.h"

enum { MOST = PATH_MAX + 64 }; /* no longer name can be opened */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Rank 0's name of the new file becomes this rank's. The folder may be reached by another path on this node,
 * such as where an automounter puts it: so it is looked for beside this rank's own path. Nobody else makes a
 * file of such a name. A folder that rank 0 names and that is not there leaves no choice. */
static void spell_own(const struct pcdf_dataset *ds, char name[MOST])
{
    const char *place = pcdf_dataset_name(ds);
    char own[MOST], folder[MOST];
    struct stat st;
    int n = snprintf(own, sizeof own, "%.*s%s", (int)folder_length(place), place, name + folder_length(name));
    if (ds->keeps_new_path || n >= (int)sizeof own || !strcmp(own, name))
        return;
    snprintf(folder, sizeof folder, "%.*s.", (int)folder_length(name), name);
    if (!stat(pcdf_path_posix(own), &st) || stat(pcdf_path_posix(folder), &st))
        strcpy(name, own);
}

int pcdf_newpath_share_all(struct pcdf_dataset *ds)
{
    char name[MOST] = "";
    if (ds->new_path)
        snprintf(name, sizeof name, "%s", ds->new_path);
    int status = pcdf_ranks_bcast_all(&ds->ranks, name, sizeof name);
    if (!ds->new_path && !status) {
        spell_own(ds, name);
        ds->new_path = pcdf_strndup(name, strlen(name));
        status = ds->new_path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to create %s", ds->path);
    }
    return pcdf_ranks_agree_all(&ds->ranks, status, "create the file");
}
