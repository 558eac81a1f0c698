/* Which engine suits a file when nobody named one: doc/storages.md argues the rule. */

#include "sharedfile.h"
#include "filesystem.h"
#include "posixio.h"
#include <stdlib.h>
#include <string.h>

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool says(MPI_Info info, const char *key, const char *value)
{
    char text[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;

    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, text, &found);
    return found && strcmp(text, value) == 0;
}

/* Words that MPI-IO listens to: those of the MPI standard that matter here, ROMIO's, OMPIO's, Cray's. Write
 * sieving is off whatever is said of it, so a word on that says nothing. */
static bool speaks_to_mpi(const char *key)
{
    static const char *const starts[] = { "cb_",     "striping_", "romio_",      "ind_rd_",
                                          "ind_wr_", "direct_",   "collective_", "cray_" };
    bool speaks = false;

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        speaks |= begins_with(key, starts[i]);
    return speaks && strcmp(key, "romio_ds_write") != 0;
}

/* Hints that ask for MPI-IO or speak to it. One that nobody knows says nothing. */
static bool wants_mpi(MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1];
    int n = 0;

    if (getenv("ROMIO_HINTS"))
        return true;
    if (info == MPI_INFO_NULL)
        return false;
    if (says(info, "nc_driver", "mpiio") || says(info, "pcdf_strategy", "views"))
        return true;
    MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(info, i, key);
        if (speaks_to_mpi(key))
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
