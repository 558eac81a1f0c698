/* Definitions of a STREAMING file (hint pcdf_streaming) change: the header stays STREAMING, the records and
 * their values stay, and an open counts them by the size; also if the new variable is the last one, with and
 * without fill mode, and has no values yet. Then records are added, filled, and put in independent mode. The
 * storage is one that ranks share. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>
#include "together.h"

enum { X = 8 };
static int rank, size;

static void check_bytes(const char *path, int version)
{
    unsigned char head[12] = { 0 };
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *f = fopen(path, "rb");
    CHECK(f && fread(head, 1, sizeof head, f) == sizeof head, "no header");
    for (int i = 4; i < (version == 5 ? 12 : 8); i++)
        CHECK(head[i] == 0xff, "byte %d of the header is %d", i, head[i]);
    CHECK(version == 5 || head[8] != 0xff, "too many bytes");
    if (f)
        fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void put(int ncid, int varid, MPI_Offset record, int all)
{
    int values[X];
    MPI_Offset start[2] = { record, X * rank / size },
               count[2] = { 1, X * (rank + 1) / size - X * rank / size };
    for (int i = 0; i < (int)count[1]; i++)
        values[i] = (int)(100 * record + start[1] + i);
    CHECK_INT(all ? ncmpi_put_vara_int_all(ncid, varid, start, count, values)
                  : ncmpi_put_vara_int(ncid, varid, start, count, values),
              NC_NOERR);
}

static void check_records(const char *path, MPI_Offset want)
{
    int ncid, values[X];
    MPI_Offset have;
    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_inq_dimlen(ncid, 0, &have), NC_NOERR);
    CHECK(have == want, "%lld records, not %lld", (long long)have, (long long)want);
    for (MPI_Offset r = 0; r < have; r++) {
        MPI_Offset start[2] = { r, 0 }, count[2] = { 1, X };
        CHECK_INT(ncmpi_get_vara_int_all(ncid, 0, start, count, values), NC_NOERR);
        for (int i = 0; i < X; i++)
            CHECK(values[i] == 100 * r + i, "record %lld, value %d is %d", (long long)r, i, values[i]);
    }
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

static void go(const char *path, int version, int fills)
{
    int ncid, dims[2], varid, more, old;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_streaming", "true");
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path,
                           version == 5   ? NC_64BIT_DATA
                           : version == 2 ? NC_64BIT_OFFSET
                                          : 0,
                           info, &ncid),
              NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "x", X, &dims[1]), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR);
    CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
    check_bytes(path, version);
    for (int r = 0; r < 3; r++)
        put(ncid, varid, r, 1);
    check_bytes(path, version);
    CHECK_INT(ncmpi_redef(ncid), NC_NOERR);
    CHECK_INT(ncmpi_set_fill(ncid, fills ? NC_FILL : NC_NOFILL, &old), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "last", NC_SHORT, 2, dims, &more), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 5, "hello"), NC_NOERR);
    CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
    check_bytes(path, version);
    check_records(path, 3);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    check_bytes(path, version);
    check_records(path, 3);

    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    put(ncid, varid, 3, 1);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 5, "HELLO"), NC_NOERR);
    CHECK_INT(ncmpi_sync(ncid), NC_NOERR);
    check_bytes(path, version);
    CHECK_INT(ncmpi_begin_indep_data(ncid), NC_NOERR);
    put(ncid, varid, 4, 0);
    CHECK_INT(ncmpi_end_indep_data(ncid), NC_NOERR);
    if (fills)
        CHECK_INT(ncmpi_fill_var_rec(ncid, more, 4), NC_NOERR);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    check_bytes(path, version);
    check_records(path, 5);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    char path[600];
    together_begin(&argc, &argv, "size_redef", 60);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(path, sizeof path, "%s/size_redef_%d.nc", argc > 1 ? argv[1] : ".", size);
    for (int i = 0; i < 6; i++)
        go(path, i % 3 == 2 ? 5 : 1 + i % 3, i / 3);
    if (rank == 0)
        (void)remove(path);
    return together_end("size_redef");
}
