/* A netCDF-4 file reaches the limit of file sizes, as a disk becomes full: the put fails, and close; what was
 * whole before counts. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "check.h"
#include "together.h"

enum { LENGTH = 100000, WHOLE = 5, OTHER = 40, CHUNK = 10 };

static int values[LENGTH];

static int value_of(int record, int i)
{
    return record * 1000003 + i;
}

static int put_record(int ncid, int record)
{
    const int each = LENGTH / my_size;
    const MPI_Offset start[] = { record, my_rank * each }, count[] = { 1, each };
    for (int i = 0; i < each; i++)
        values[i] = value_of(record, my_rank * each + i);
    return ncmpi_put_vara_int_all(ncid, 0, start, count, values);
}

/* Of `other`, so many values of a record: less than a chunk stays in memory. */
static void put_other(int ncid, int record, int n)
{
    const MPI_Offset start[] = { record, 0 }, count[] = { my_rank == 0, n };
    for (int i = 0; i < n; i++)
        values[i] = value_of(record, i);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 1, start, count, values), NC_NOERR);
}

static int make(void)
{
    const size_t chunk[] = { 1, LENGTH }, other[] = { 1, CHUNK };
    int ncid, dims[3], v;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", LENGTH, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "y", OTHER, &dims[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &v), NC_NOERR);
    CHECK_NC(parcdf_def_var_chunking(ncid, v, NC_CHUNKED, chunk), NC_NOERR);
    dims[1] = dims[2];
    CHECK_NC(ncmpi_def_var(ncid, "other", NC_INT, 2, dims, &v), NC_NOERR);
    CHECK_NC(parcdf_def_var_chunking(ncid, v, NC_CHUNKED, other), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    return ncid;
}

/* Nothing that is longer than the file is now, and a part of a record. */
static void limit(rlim_t more)
{
    struct rlimit r;
    struct stat st = { 0 };
    getrlimit(RLIMIT_FSIZE, &r);
    MPI_Barrier(MPI_COMM_WORLD);
    if (more != RLIM_INFINITY)
        CHECK(stat(my_path, &st) == 0, "%s", my_path);
    r.rlim_cur = more == RLIM_INFINITY ? r.rlim_max : (rlim_t)st.st_size + more;
    setrlimit(RLIMIT_FSIZE, &r);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check(int records, bool has_other)
{
    MPI_Offset found = -1;
    int ncid, bad = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &found), NC_NOERR);
    CHECK(found == records, "%d records, not %d", (int)found, records);
    for (int record = 0; record < records; record++) {
        const MPI_Offset start[] = { record, 0 }, count[] = { 1, LENGTH }, count_other[] = { 1, OTHER };
        CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, start, count, values), NC_NOERR);
        for (int i = 0; i < LENGTH; i++)
            bad += values[i] != value_of(record, i);
        CHECK_NC(ncmpi_get_vara_int_all(ncid, 1, start, count_other, values), NC_NOERR);
        for (int i = 0; i < OTHER && has_other; i++)
            bad += values[i] != value_of(record, i);
    }
    CHECK(bad == 0, "%d values are wrong", bad);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* synced: so many records first. Of `other`, record `half` has a chunk that is incomplete; -1: none. */
static void test(int synced, int half, int left)
{
    int ncid = make();
    for (int i = 0; i < WHOLE; i++) {
        CHECK_NC(put_record(ncid, i), NC_NOERR);
        put_other(ncid, i, i == half ? CHUNK / 2 : OTHER);
        if (i + 1 == synced)
            CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    }
    limit(LENGTH);
    int err = put_record(ncid, WHOLE);
    int worst = err;
    MPI_Allreduce(&err, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(worst != NC_NOERR, "the put did not fail");
    CHECK(ncmpi_close(ncid) != NC_NOERR, "close did not fail");
    limit(RLIM_INFINITY);
    check(left, half < 0 || half >= left);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "full_disk", 100);
    signal(SIGXFSZ, SIG_IGN);
    test(0, -1, WHOLE);
    test(3, -1, WHOLE);
    test(0, WHOLE - 1, WHOLE - 1);
    test(2, WHOLE - 2, WHOLE - 2);
    return together_end("full_disk");
}
