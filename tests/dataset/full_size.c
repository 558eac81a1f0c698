/* Fixes that a file is closed at its full size, also when a sync before had written all there was to write:
 * a reader takes a shorter one for cut off. */
#include <sys/stat.h>
#include "together.h"

enum { ROW = 100, FIXED = 5000 };

static int64_t size_of_file(void)
{
    struct stat st = { 0 };
    MPI_Barrier(MPI_COMM_WORLD);
    stat(my_path, &st);
    return st.st_size;
}

/* One value of a record's first variable, by the last rank. */
static void put_one(int ncid, int varid, MPI_Offset record)
{
    const MPI_Offset start[2] = { record, 0 }, count[2] = { my_rank == my_size - 1, 1 };
    const int value = 7;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, start, count, &value), NC_NOERR);
}

static void look_at_end(int varid)
{
    const MPI_Offset start[2] = { 1, ROW - 1 }, count[2] = { 1, 1 };
    int ncid, value = 1;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, varid, start, count, &value), NC_NOERR);
    CHECK_INT(value, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    int ncid, dims[2], fixed_dim, first, second, fixed;
    together_begin(&argc, &argv, "full_size", 60);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", ROW, &dims[1]);
    ncmpi_def_dim(ncid, "n", FIXED, &fixed_dim);
    ncmpi_def_var(ncid, "fixed", NC_INT, 1, &fixed_dim, &fixed);
    CHECK_NC(ncmpi__enddef(ncid, 0, 4, 0, 4), NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    ncmpi_def_var(ncid, "first", NC_INT, 2, dims, &first);
    ncmpi_def_var(ncid, "second", NC_INT, 2, dims, &second);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put_one(ncid, first, 0);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    int64_t one = size_of_file(), record = 2 * ROW * (int64_t)sizeof(int);
    CHECK(one > FIXED * (int64_t)sizeof(int) + record, "%lld bytes", (long long)one);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    put_one(ncid, first, 1);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_INT(size_of_file(), one + record);
    look_at_end(second);
    return together_end("full_size");
}
