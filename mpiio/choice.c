/* Which engine suits a file when nobody named one: doc/storages.md argues the rule. */

#include "sharedfile.h"
#include "filesystem.h"
#include "posixio.h"
#include <stdlib.h>
#include <string.h>

/* Words that MPI-IO listens to: those of the MPI standard that matter here, ROMIO's, OMPIO's, Cray's. Write
 * sieving is off whatever is said of it, so a word on that says nothing. */
static bool speaks_to_mpi(const char *key)
{
    static const char *const starts[] = { "cb_",     "striping_", "romio_",      "ind_rd_",
                                          "ind_wr_", "direct_",   "collective_", "cray_" };

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(key, starts[i], strlen(starts[i])) == 0)
            return strcmp(key, "romio_ds_write") != 0;
    return false;
}

/* Hints that ask for MPI-IO or speak to it. One that nobody knows says nothing. */
static bool wants_mpi(MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int n = 0, found;

    if (getenv("ROMIO_HINTS"))
        return true;
    if (info != MPI_INFO_NULL)
        MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(info, i, key);
        found = 0;
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
        if (speaks_to_mpi(key) || (found && strcmp(key, "nc_driver") == 0 && strcmp(value, "mpiio") == 0) ||
            (found && strcmp(key, "pcdf_strategy") == 0 && strcmp(value, "views") == 0))
            return true;
    }
    return false;
}

const char *pcdf_engine_root_choose(const char *engine, const char *path, MPI_Info info)
{
    if (strcmp(engine, "auto") != 0)
        return engine;
    bool has_prefix = pcdf_path_posix(path) != path; /* which is ROMIO's word */
    return has_prefix || wants_mpi(info) || !pcdf_filesystem_is_local(path) ? "mpiio" : "auto";
}
