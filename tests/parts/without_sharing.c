/* Ranks of a node that cannot share memory: puts into contiguous variables of a netCDF-4 file are each rank's
 * own, and those into chunks are refused. */

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "check.h"
#include "together.h"

enum { LENGTH = 1000, CONTIGUOUS = 0, CHUNKED };

/* In the place of libc's: the MPI library gets what it asks for. */
int shm_open(const char *name, int flags, mode_t mode)
{
    char path[200];
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    if (strncmp(name, "/parcdf.", 8) != 0)
        return open(path, flags | O_CLOEXEC, mode);
    errno = ENOSYS;
    return -1;
}

/* Each rank has every my_size-th value. */
static int put(int ncid, int varid)
{
    const MPI_Offset start = my_rank, count = (LENGTH - my_rank + my_size - 1) / my_size, stride = my_size;
    int values[LENGTH];
    for (int i = 0; i < count; i++)
        values[i] = 100 * (my_rank + i * my_size);
    return ncmpi_put_vars_int_all(ncid, varid, &start, &count, &stride, values);
}

static void check_values(int ncid)
{
    int values[LENGTH] = { 0 }, bad = 0;
    CHECK_NC(ncmpi_get_var_int_all(ncid, CONTIGUOUS, values), NC_NOERR);
    for (int i = 0; i < LENGTH; i++)
        bad += values[i] != 100 * i;
    CHECK(bad == 0, "rank %d: %d values are wrong", my_rank, bad);
}

int main(int argc, char **argv)
{
    const size_t chunk = 100;
    int ncid, dim, v;
    MPI_Info info;
    together_begin(&argc, &argv, "without_sharing", 60);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", "two-phase");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "x", LENGTH, &dim), NC_NOERR);
    for (int i = CONTIGUOUS; i <= CHUNKED; i++) {
        CHECK_NC(ncmpi_def_var(ncid, i == CHUNKED ? "chunked" : "contiguous", NC_INT, 1, &dim, &v), NC_NOERR);
        CHECK_NC(parcdf_def_var_chunking(ncid, v, i == CHUNKED ? NC_CHUNKED : NC_CONTIGUOUS, &chunk),
                 NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(put(ncid, CONTIGUOUS), NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    check_values(ncid);
    CHECK_NC(put(ncid, CHUNKED), NC_ENOMEM);
    CHECK(strstr(parcdf_last_error(), "the ranks share no memory"), "%s", parcdf_last_error());
    check_values(ncid);
    CHECK(ncmpi_close(ncid) != NC_NOERR, "a put had failed");

    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    check_values(ncid);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return together_end("without_sharing");
}
