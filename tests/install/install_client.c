/* Fixes that a program which found an installed library in whatever way compiles, links and runs: the ranks
 * write one file by blocking, varn and posted calls, and read each other's values back. NETCDF_H=1 includes
 * netcdf.h before pnetcdf.h, NETCDF_H=2 after it, and netCDF-C is linked to beside us. */
#include <stdio.h>
#include <string.h>
#include <mpi.h>

#ifndef NETCDF_H
#define NETCDF_H 0
#endif
#if NETCDF_H == 1
#include <netcdf.h>
#endif
#include <pnetcdf.h>
#if NETCDF_H == 2
#include <netcdf.h>
#endif
#if NETCDF_H
#define NETCDF_VERSION nc_inq_libvers()
#else
#define NETCDF_VERSION "no netCDF-C"
#endif

static int failed;

static void check(int err, const char *what)
{
    if (err != NC_NOERR) {
        fprintf(stderr, "%s: %s\n", what, ncmpi_strerror(err));
        failed = 1;
    }
}
#define TRY(call) check(call, #call)

static void write_file(const char *path, int rank, int ranks)
{
    int ncid, dimid, blocking, pieces, posted, request, status;
    MPI_Offset start = rank, count = 1, first[1] = { rank }, one[1] = { 1 };
    MPI_Offset *starts[1] = { first }, *counts[1] = { one };
    double value = rank + 0.5;

    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "rank", ranks, &dimid));
    TRY(ncmpi_def_var(ncid, "blocking", NC_DOUBLE, 1, &dimid, &blocking));
    TRY(ncmpi_def_var(ncid, "pieces", NC_INT, 1, &dimid, &pieces));
    TRY(ncmpi_def_var(ncid, "posted", NC_UINT64, 1, &dimid, &posted));
    TRY(ncmpi_put_att_text(ncid, NC_GLOBAL, "name\303\251", 3, "abc")); /* not ASCII: goes through utf8proc */
    TRY(ncmpi_enddef(ncid));
    TRY(ncmpi_put_vara_double_all(ncid, blocking, &start, &count, &value));
    TRY(ncmpi_put_varn_int_all(ncid, pieces, 1, starts, counts, &rank));
    TRY(ncmpi_iput_vara_int(ncid, posted, &start, &count, &rank, &request));
    TRY(ncmpi_wait_all(ncid, 1, &request, &status));
    TRY(status);
    TRY(ncmpi_close(ncid));
}

static void read_file(const char *path, int rank, int ranks)
{
    int ncid, got[3];
    MPI_Offset start = (rank + 1) % ranks, count = 1; /* what another rank wrote */

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    for (int varid = 0; varid < 3; varid++) {
        TRY(ncmpi_get_vara_int_all(ncid, varid, &start, &count, &got[varid]));
        if (got[varid] != start) {
            fprintf(stderr, "variable %d, element %d is %d\n", varid, (int)start, got[varid]);
            failed = 1;
        }
    }
    TRY(ncmpi_close(ncid));
}

int main(int argc, char **argv)
{
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *path = argc > 1 ? argv[1] : "client.nc";
    write_file(path, rank, ranks);
    read_file(path, rank, ranks);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("client: %s with %s and %s on %d ranks\n", failed ? "bad" : "good", ncmpi_inq_libvers(),
               NETCDF_VERSION, ranks);
    MPI_Finalize();
    return failed;
}
