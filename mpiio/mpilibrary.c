/* See mpilibrary.h. */
#include "mpilibrary.h"
#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

/* A layer that translates may put its own name in front of the library's. */
bool pcdf_mpilibrary_is_open_mpi(void)
{
    enum { UNKNOWN, OPEN_MPI_RUNS, OTHER_RUNS };
    static atomic_int known = UNKNOWN;
    int which = atomic_load(&known);
    if (which == UNKNOWN) {
        char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
        int length = 0;
        bool is_open_mpi = !MPI_Get_library_version(text, &length) && strstr(text, "Open MPI");
        which = is_open_mpi ? OPEN_MPI_RUNS : OTHER_RUNS;
        atomic_store(&known, which);
    }
    return which == OPEN_MPI_RUNS;
}

bool pcdf_mpilibrary_reads_together(void)
{
    return !pcdf_mpilibrary_is_open_mpi();
}

bool pcdf_mpilibrary_takes_hint(const char *name, const char *value)
{
    size_t most_name = MPI_MAX_INFO_KEY, most_value = MPI_MAX_INFO_VAL; /* with the NUL */
    if (pcdf_mpilibrary_is_open_mpi()) {
        most_name = most_name < 36 ? most_name : 36;
        most_value = most_value < 256 ? most_value : 256;
    }
    return *name && *value && strlen(name) < most_name && strlen(value) < most_value;
}
