/* Fixes that a profiler sees every call of the user once, and none of the library's own: a program that calls
 * some forty public functions, the ones that share code beside each other, runs with counting interposers, by
 * LD_PRELOAD against the shared library and by --wrap against the static one, and compares their counts with
 * its own.
 *
 *   interposed FILE */
#include "check.h"
#include "counted.h"
#include <dlfcn.h>

static int made[COUNTED_FUNCTIONS], rank, ranks;
#define CALL(name, ...)                                                                                      \
    do {                                                                                                     \
        made[AT_##name]++;                                                                                   \
        CHECK_INT(name(__VA_ARGS__), NC_NOERR);                                                              \
    } while (0)

static void define(const char *path, int *ncid, int *fixed, int *record)
{
    int dimids[2], seven = 7;

    CALL(ncmpi_create, MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, ncid);
    CALL(ncmpi_def_dim, *ncid, "t", NC_UNLIMITED, &dimids[0]);
    CALL(ncmpi_def_dim, *ncid, "x", ranks, &dimids[1]);
    CALL(ncmpi_def_var, *ncid, "fixed", NC_INT, 1, &dimids[1], fixed);
    CALL(ncmpi_enddef, *ncid);
    CALL(ncmpi_redef, *ncid);
    CALL(ncmpi_def_var, *ncid, "record", NC_INT, 2, dimids, record);
    CALL(ncmpi_put_att_int, *ncid, *record, "a", NC_INT, 1, &seven);
    CALL(ncmpi_put_att, *ncid, *record, "b", NC_INT, 1, &seven);
    CHECK_INT(ncmpi_def_var_fill(*ncid, *record, 0, &seven), NC_NOERR);
    CALL(ncmpi__enddef, *ncid, 0, 4, 0, 4);
}

static void inquire(int ncid, int varid)
{
    int n, more[3], dimids[2];
    char name[NC_MAX_NAME + 1];
    MPI_Offset length;
    nc_type type;

    CALL(ncmpi_inq, ncid, &n, &more[0], &more[1], &more[2]);
    CALL(ncmpi_inq_ndims, ncid, &n);
    CALL(ncmpi_inq_nvars, ncid, &n);
    CALL(ncmpi_inq_natts, ncid, &n);
    CALL(ncmpi_inq_dim, ncid, 0, name, &length);
    CALL(ncmpi_inq_dimlen, ncid, 0, &length);
    CALL(ncmpi_inq_var, ncid, varid, name, &type, &n, dimids, &more[0]);
    CALL(ncmpi_inq_var, ncid, NC_GLOBAL, NULL, NULL, NULL, NULL, &n);
    CALL(ncmpi_inq_varnatts, ncid, varid, &n);
    CALL(ncmpi_inq_att, ncid, varid, "a", &type, &length);
    CALL(ncmpi_inq_attlen, ncid, varid, "a", &length);
}

static void blocking(int ncid, int fixed, int record)
{
    MPI_Offset start[] = { 0, rank }, count[] = { 1, 1 }, second[] = { 1, rank };
    MPI_Offset *starts[] = { start, second }, *counts[] = { count, count };
    int one = rank, whole[64] = { 0 }, pair[] = { 1, 2 }, *bufs[] = { pair, pair + 1 };
    int varids[] = { record, record };

    CALL(ncmpi_fill_var_rec, ncid, record, 0);
    CALL(ncmpi_put_var_int_all, ncid, fixed, whole);
    CALL(ncmpi_put_vara_int_all, ncid, record, start, count, &one);
    CALL(ncmpi_put_vara_all, ncid, record, start, count, &one, 1, MPI_INT);
    CALL(ncmpi_put_varn_int_all, ncid, record, 2, starts, counts, pair);
    CALL(ncmpi_mput_vara_int_all, ncid, 2, varids, starts, counts, bufs);
    CALL(ncmpi_get_vara_int_all, ncid, record, start, count, &one);
    CHECK_INT(one, 1);
}

static void posted(int ncid, int record)
{
    MPI_Offset start[] = { 1, rank }, count[] = { 1, 1 };
    int one = 5, two = 6, got = 0, requests[3], statuses[3];

    CALL(ncmpi_buffer_attach, ncid, 64);
    CALL(ncmpi_bput_vara_int, ncid, record, start, count, &one, &requests[0]);
    CALL(ncmpi_iput_vara_int, ncid, record, start, count, &two, &requests[1]);
    CALL(ncmpi_iget_vara_int, ncid, record, start, count, &got, &requests[2]);
    CALL(ncmpi_wait_all, ncid, 3, requests, statuses);
    CHECK_INT(got, 6);
    CALL(ncmpi_begin_indep_data, ncid);
    CALL(ncmpi_put_vara_int, ncid, record, start, count, &one);
    CALL(ncmpi_iget_vara_int, ncid, record, start, count, &got, &requests[0]);
    CALL(ncmpi_wait, ncid, 1, requests, statuses);
    CALL(ncmpi_end_indep_data, ncid);
    CHECK_INT(got, 5);
    CALL(ncmpi_buffer_detach, ncid);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {
#define NAME(name, params, args) #name,
        COUNTED(NAME)
    };
    union {
        void *found;
        const int *(*calls)(void);
    } counter = { .found = dlsym(RTLD_DEFAULT, "counted_calls") };
    int ncid, fixed, record;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *path = argc > 1 ? argv[1] : "interposed.nc";
    define(path, &ncid, &fixed, &record);
    inquire(ncid, record);
    blocking(ncid, fixed, record);
    posted(ncid, record);
    CALL(ncmpi_sync, ncid);
    CALL(ncmpi_sync_numrecs, ncid);
    CALL(ncmpi_close, ncid);
    CALL(ncmpi_open, MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
    CALL(ncmpi_close, ncid);

    CHECK(counter.found, "no interposer is there");
    for (int i = 0; counter.found && i < COUNTED_FUNCTIONS; i++) {
        CHECK(made[i] > 0, "%s is not called", names[i]);
        CHECK(counter.calls()[i] == made[i], "%s: called %d times, seen %d times", names[i], made[i],
              counter.calls()[i]);
    }
    MPI_Finalize();
    return check_done("interposed");
}
