/* A session that writes a netCDF-4 file, for kills at any call (metaflushes_test.py).
 *
 *   netcdf4killed run FILE            on any number of ranks; prints the number of records after each sync
 *   netcdf4killed record FILE LOG     the same without values that change in their place, recorded by the
 *                                     shim; for `judge metadata 1`
 *   netcdf4killed check FILE LEAST    opens it for writing, which finishes what a kill left: at least so many
 *                                     records are there, and each has its values; prints how many
 */

#include <dlfcn.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdlib.h>
#include "check.h"
#include "shimlog.h"

enum { EACH = 700, STEPS = 7, MOST = 8 }; /* elements of a rank in a record */

static int rank, ranks;
static bool is_recorded, has_failed;
static shim_note_fn *note;

/* A session goes on to its close: what was put before a failure may count. */
static void must(int err, const char *what)
{
    if (err == NC_NOERR)
        return;
    fprintf(stderr, "%s: %s %s\n", what, ncmpi_strerror(err), parcdf_last_error());
    has_failed = true;
}

static int value_of(int record, int64_t i)
{
    return (int)(100000 * (record + 1) + i * 7 % 5003);
}

static void put(int ncid, int record)
{
    static int values[EACH];
    const MPI_Offset start[] = { record, (MPI_Offset)EACH * rank }, count[] = { 1, EACH };
    for (int i = 0; i < EACH; i++)
        values[i] = value_of(record, start[1] + i);
    must(ncmpi_put_vara_int_all(ncid, 0, start, count, values), "record");
    if (!is_recorded)
        must(ncmpi_put_vara_int_all(ncid, 1, start + 1, count + 1, values), "last");
}

/* From here on, neither a kill nor a power cut takes these records. */
static void say(int records)
{
    if (has_failed)
        return;
    if (is_recorded)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && is_recorded)
        note("d");
    else if (rank == 0)
        printf("%d\n", records);
    fflush(stdout);
    if (is_recorded)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void start_recording(const char *path, const char *log)
{
    shim_begin_fn *begin;
    char text[300];
    *(void **)&begin = dlsym(RTLD_DEFAULT, "pcdf_shim_begin");
    *(void **)&note = dlsym(RTLD_DEFAULT, "pcdf_shim_note");
    if (!begin || !note)
        MPI_Abort(MPI_COMM_WORLD, 2);
    is_recorded = true;
    begin(log);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(text, sizeof text, "name %s", strrchr(path, '/') + 1);
    if (rank == 0) {
        note("base 0");
        note(text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void add_variables(int ncid, int n)
{
    int dims[2] = { 0, 1 }, var;
    char name[20];
    must(ncmpi_redef(ncid), "redef");
    must(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 14, "more variables"), "attribute");
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "more%d", i);
        must(ncmpi_def_var(ncid, name, NC_FLOAT, 2, dims, &var), name);
    }
    must(ncmpi_enddef(ncid), "enddef");
}

static void run(const char *path)
{
    int ncid, dims[2], var;
    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_NETCDF4, MPI_INFO_NULL, &ncid), "create");
    must(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), "t");
    must(ncmpi_def_dim(ncid, "x", (MPI_Offset)ranks * EACH, &dims[1]), "x");
    must(ncmpi_def_var(ncid, "r", NC_INT, 2, dims, &var), "r");
    must(ncmpi_def_var(ncid, "last", NC_INT, 1, &dims[1], &var), "last");
    must(ncmpi_enddef(ncid), "enddef");
    for (int i = 0; i < STEPS; i++) {
        put(ncid, i);
        must(ncmpi_sync(ncid), "sync");
        say(i + 1);
        if (i == 3)
            add_variables(ncid, 12);
    }
    must(ncmpi_close(ncid), "close");
    int worst = has_failed, mine = has_failed;
    MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    has_failed = worst;
    if (has_failed)
        return;
    must(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid), "open");
    must(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 14, "an OTHER title"), "attribute");
    put(ncid, STEPS);
    must(ncmpi_close(ncid), "close");
    say(STEPS + 1);
}

/* Values are what they were put as; those of `last` also what a put that nobody had synced made of them. */
static void check(const char *path, int least)
{
    static int values[MOST * EACH];
    int ncid, err = ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid);
    MPI_Offset records = 0, n = 0;
    CHECK(!err, "%s: open %s %s", path, ncmpi_strerror(err), parcdf_last_error());
    if (err)
        return;
    must(ncmpi_inq_dimlen(ncid, 0, &records), "records");
    must(ncmpi_inq_dimlen(ncid, 1, &n), "x");
    CHECK(records >= least && records <= STEPS + 1, "%d records, %d were synced", (int)records, least);
    for (int i = 0; i < records; i++) {
        const MPI_Offset start[] = { i, 0 }, count[] = { 1, n };
        must(ncmpi_get_vara_int_all(ncid, 0, start, count, values), "get");
        int good = 0;
        while (good < n && values[good] == value_of(i, good))
            good++;
        CHECK(good == n, "record %d of %d: element %d is %d", i, (int)records, good, values[good]);
    }
    must(ncmpi_close(ncid), "close");
    printf("%d\n", (int)records);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc == 4 && strcmp(argv[1], "record") == 0)
        start_recording(argv[2], argv[3]);
    if (argc == 3 || is_recorded)
        run(argv[2]);
    else if (argc == 4)
        check(argv[2], atoi(argv[3]));
    MPI_Finalize();
    return check_bad != 0 || has_failed;
}
