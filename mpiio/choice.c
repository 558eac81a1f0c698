/* Which storage suits a file when nobody named one: doc/storages.md argues the rule. */

#include "sharedfile.h"
#include "filesystem.h"
#include "posixio.h"
#include <string.h>

static bool is_set(MPI_Info info, const char *name, const char *wanted)
{
    char value[MPI_MAX_INFO_VAL + 1];
    int found = 0;
    if (info != MPI_INFO_NULL)
        MPI_Info_get(info, name, MPI_MAX_INFO_VAL, value, &found);
    return found && strcmp(value, wanted) == 0;
}

const char *pcdf_storage_root_choose(const char *name, const char *path, MPI_Info info)
{
    if (strcmp(name, "auto") != 0)
        return name;
    /* A prefix is ROMIO's word. Hints that only speak to MPI-IO, such as romio_cb_write, do not ask for it:
     * programs set them for other machines. */
    bool asks = pcdf_path_posix(path) != path || is_set(info, "nc_driver", "mpiio") ||
                is_set(info, "pcdf_debug_strategy", "views");
    return asks || !pcdf_filesystem_at(path)->is_local ? "mpiio" : "auto";
}
