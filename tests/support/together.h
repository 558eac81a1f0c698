#ifndef TOGETHER_H
#define TOGETHER_H
/* What the collective tests share: ranks, a file name that all ranks know, a watchdog, checks that all ranks
 * count. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"

/* One for all files of a program. */
__attribute__((weak)) int my_rank, my_size;
__attribute__((weak)) char my_path[1024];

/* args[1]: a folder for files, or none: the working one. `seconds`: a test that hangs is killed by a signal.
 */
static inline void together_begin(int *argc, char ***argv, const char *name, unsigned seconds)
{
    int id = (int)getpid();
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(my_path, sizeof my_path, "%s/%s_%d.nc", *argc > 1 ? (*argv)[1] : ".", name, id);
    alarm(seconds);
}

/* True on every rank when it is true on all. */
static inline bool together_all(bool mine)
{
    int in = mine, out = 0;
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return out != 0;
}

/* With hint pcdf_async what was put is in the file from now on, and its records are counted: before a test
 * looks there itself, or through another handle. What failed is told by later calls. Collective. */
static inline void together_written(void)
{
    (void)parcdf_wait(NULL);
}

/* May puts to this file wait in a queue? */
static inline bool together_queues(int ncid)
{
    char value[MPI_MAX_INFO_VAL + 1] = "0";
    int found = 0;
    MPI_Info info = MPI_INFO_NULL;
    if (ncmpi_inq_file_info(ncid, &info))
        return false;
    MPI_Info_get(info, "pcdf_async", MPI_MAX_INFO_VAL, value, &found);
    MPI_Info_free(&info);
    return found && atoll(value) > 0;
}

static inline int together_end(const char *name)
{
    int bad = together_all(check_bad == 0) ? 0 : 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
    if (my_rank == 0 || check_bad)
        check_done(name);
    MPI_Finalize();
    return bad;
}

#define CHECK_NC(call, want)                                                                                 \
    do {                                                                                                     \
        int nc_got_ = (call), nc_want_ = (want);                                                             \
        CHECK(nc_got_ == nc_want_, "rank %d: %s, not %s", my_rank, ncmpi_strerrno(nc_got_),                  \
              ncmpi_strerrno(nc_want_));                                                                     \
    } while (0)

/* A hint in force is what it should be; "": there is none. */
static inline void together_check_hint(int ncid, const char *hint, const char *want)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    MPI_Info info;
    CHECK_NC(ncmpi_inq_file_info(ncid, &info), NC_NOERR);
    MPI_Info_get(info, hint, MPI_MAX_INFO_VAL, value, &found);
    CHECK(strcmp(value, want) == 0, "rank %d: %s is %s, not %s", my_rank, hint, value, want);
    MPI_Info_free(&info);
}
#endif
