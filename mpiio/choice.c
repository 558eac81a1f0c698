/* Which engine suits a file when nobody named one: doc/storages.md argues the rule. */

#include "sharedfile.h"
#include "filesystem.h"
#include "posixio.h"
#include <stdlib.h>
#include <string.h>

/* Hints that ask for MPI-IO or speak to it: those of the MPI standard that matter here, ROMIO's, OMPIO's,
 * Cray's. Write sieving is off whatever is said of it, so a hint on that says nothing, nor does one that
 * nobody knows. */
static bool wants_mpi(MPI_Info info)
{
    static const char *const starts[] = { "cb_",     "striping_", "romio_",      "ind_rd_",
                                          "ind_wr_", "direct_",   "collective_", "cray_" };
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int n = 0, found;
    bool wants = getenv("ROMIO_HINTS") != NULL;

    if (info != MPI_INFO_NULL)
        MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n && !wants; i++) {
        MPI_Info_get_nthkey(info, i, key);
        found = 0;
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
        wants = found && ((strcmp(key, "nc_driver") == 0 && strcmp(value, "mpiio") == 0) ||
                          (strcmp(key, "pcdf_strategy") == 0 && strcmp(value, "views") == 0));
        for (size_t k = 0; k < sizeof starts / sizeof *starts && !wants; k++)
            wants = strncmp(key, starts[k], strlen(starts[k])) == 0 && strcmp(key, "romio_ds_write") != 0;
    }
    return wants;
}

const char *pcdf_engine_root_choose(const char *engine, const char *path, MPI_Info info)
{
    if (strcmp(engine, "auto") != 0)
        return engine;
    bool has_prefix = pcdf_path_posix(path) != path; /* which is ROMIO's word */
    return has_prefix || wants_mpi(info) || !pcdf_filesystem_at(path)->is_local ? "mpiio" : "auto";
}
