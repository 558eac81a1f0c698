/* A netCDF-4 file is open for reading, and a writer adds to it before the reader's first get: what the reader
 * knows of it is still there. What lies elsewhere by then, or is another file, is an error. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>
#include "check.h"
#include "together.h"

enum { LENGTH = 1000, FIRST = 3, ROUNDS = 3 };

static char other[sizeof my_path + 10];

static int value_of(int record, int i)
{
    return record * 7919 + i % 50;
}

/* The ranks share it. */
static void put_record(int ncid, int record)
{
    const int each = (LENGTH + my_size - 1) / my_size;
    const MPI_Offset start[] = { record, my_rank * each }, count[] = { 1, each };
    int values[LENGTH + 1];
    for (int i = 0; i < each; i++)
        values[i] = value_of(record, my_rank * each + i);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, start, count, values), NC_NOERR);
}

static int make(const char *name, int records)
{
    int ncid, dims[2], v;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER | NC_NETCDF4, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", LENGTH, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &v), NC_NOERR);
    CHECK_NC(parcdf_def_var_deflate(ncid, v, 1, 1, 1), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < records; i++)
        put_record(ncid, i);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    return ncid;
}

static int open_to_read(const char *name, int records)
{
    MPI_Offset found = -1;
    int ncid;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, name, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &found), NC_NOERR);
    CHECK(found == records, "%d records, not %d", (int)found, records);
    return ncid;
}

static void check_records(int ncid, int records)
{
    int bad = 0;
    for (int record = 0; record < records; record++) {
        const MPI_Offset start[] = { record, 0 }, count[] = { 1, LENGTH };
        int values[LENGTH] = { 0 };
        CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, start, count, values), NC_NOERR);
        for (int i = 0; i < LENGTH; i++)
            bad += values[i] != value_of(record, i);
    }
    CHECK(bad == 0, "%d values are wrong", bad);
}

static void test_added(void)
{
    int writer = make(my_path, FIRST);
    for (int round = 0, records = FIRST; round < ROUNDS; round++) {
        int reader = open_to_read(my_path, records);
        for (int i = 0; i < FIRST; i++)
            put_record(writer, records + i);
        CHECK_NC(ncmpi_sync(writer), NC_NOERR);
        check_records(reader, records);
        CHECK_NC(ncmpi_close(reader), NC_NOERR);
        records += FIRST;
    }
    CHECK_NC(ncmpi_close(writer), NC_NOERR);
}

static void check_refused(int reader, const char *what)
{
    const MPI_Offset start[] = { 0, 0 }, count[] = { 1, LENGTH };
    int values[LENGTH];
    int err = ncmpi_get_vara_int_all(reader, 0, start, count, values);
    CHECK(err == NC_EREAD && strstr(parcdf_last_error(), "has been changed or replaced"), "%s: %d %s", what,
          err, parcdf_last_error());
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
}

/* A chunk that is put anew gets another place. */
static void test_moved(void)
{
    int writer = make(my_path, FIRST), reader = open_to_read(my_path, FIRST);
    const int changed = 12345;
    const MPI_Offset start[] = { 0, 0 }, count[] = { my_rank == 0, 1 };
    CHECK_NC(ncmpi_put_vara_int_all(writer, 0, start, count, &changed), NC_NOERR);
    CHECK_NC(ncmpi_sync(writer), NC_NOERR);
    check_refused(reader, "a chunk that lies elsewhere");
    CHECK_NC(ncmpi_close(writer), NC_NOERR);
}

/* The other file has the same bytes where the reader looks. */
static void test_replaced(void)
{
    CHECK_NC(ncmpi_close(make(my_path, FIRST)), NC_NOERR);
    int reader = open_to_read(my_path, FIRST);
    CHECK_NC(ncmpi_close(make(other, FIRST)), NC_NOERR);
    if (my_rank == 0)
        CHECK(rename(other, my_path) == 0, "%s", other);
    MPI_Barrier(MPI_COMM_WORLD);
    check_refused(reader, "another file");
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "grown_files", 60);
    snprintf(other, sizeof other, "%s.other", my_path);
    test_added();
    test_moved();
    test_replaced();
    return together_end("grown_files");
}
