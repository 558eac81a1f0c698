/* A rank is killed while a file is closed in the background (hint pcdf_async_close), so many microseconds
 * after its close. The others open the file by themselves and wait for it; each that was not kept for ever
 * says "survived". survivors_test.py starts it, by a launcher that lets them live, and looks at the file.
 *
 *   survivors FILE VICTIM MICROSECONDS HOW   HOW: create: by another name first; append: to a file
 *
 * Before, the file has one record, whose values are all 1; then three of 2. */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ELEMENTS = 40000, RECORDS = 3, PATIENCE = 30 };

static int rank, size;

static void must(int err, int want, const char *what)
{
    if (err == want)
        return;
    printf("rank %d: %s: %s (%s), not %s\n", rank, what, ncmpi_strerrno(err), parcdf_last_error(),
           ncmpi_strerrno(want));
    fflush(stdout);
    _exit(1);
}

static void write_records(int ncid, int varid, int from, int n, int value)
{
    static int values[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++)
        values[i] = value;
    for (int r = from; r < n; r++) {
        const MPI_Offset start[] = { r, (MPI_Offset)rank * ELEMENTS }, count[] = { 1, ELEMENTS };
        must(ncmpi_put_vara_int_all(ncid, varid, start, count, values), NC_NOERR, "put");
    }
}

static int create(const char *path, MPI_Info info)
{
    int ncid, dims[2], varid;
    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR, "create");
    must(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR, "t");
    must(ncmpi_def_dim(ncid, "x", (MPI_Offset)size * ELEMENTS, &dims[1]), NC_NOERR, "x");
    must(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR, "v");
    must(ncmpi_enddef(ncid), NC_NOERR, "enddef");
    return ncid;
}

/* The last rank writes more slowly than the others. */
static void write_later(const char *path, bool creates)
{
    int ncid;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "8M");
    MPI_Info_set(info, "pcdf_async_close", "true");
    MPI_Info_set(info, "pcdf_watchdog_s", "2");
    MPI_Info_set(info, "pcdf_atomic_create", creates ? "true" : "false");
    MPI_Info_set(info, "pcdf_throttle", rank == size - 1 ? "0:1600000" : "0:3200000");
    if (creates)
        ncid = create(path, info);
    else
        must(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, info, &ncid), NC_NOERR, "open");
    MPI_Info_free(&info);
    write_records(ncid, 0, creates ? 0 : 1, RECORDS, 2);
    must(ncmpi_close(ncid), NC_NOERR, "close");
}

int main(int argc, char **argv)
{
    int ncid, err;
    if (argc != 5)
        return 2;
    const int victim = atoi(argv[2]), after = atoi(argv[3]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    alarm(PATIENCE);
    ncid = create(argv[1], MPI_INFO_NULL);
    write_records(ncid, 0, 0, 1, 1);
    must(ncmpi_close(ncid), NC_NOERR, "close");
    write_later(argv[1], strcmp(argv[4], "create") == 0);
    if (rank == victim) {
        usleep((useconds_t)after);
        raise(SIGKILL);
    }
    err = ncmpi_open(MPI_COMM_SELF, argv[1], NC_NOWRITE, MPI_INFO_NULL, &ncid);
    if (err)
        must(victim == 0 ? err : NC_NOERR, NC_EACCESS, "an open by one rank");
    else
        must(ncmpi_close(ncid), NC_NOERR, "close");
    must(parcdf_wait(argv[1]), NC_EMULTIDEFINE_FNC_ARGS, "parcdf_wait");
    printf("survived\n");
    fflush(stdout);
    _exit(0); /* MPI_Finalize would wait for the victim */
}
