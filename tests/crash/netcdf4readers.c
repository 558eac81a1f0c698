/* A job opens a netCDF-4 file for reading, again and again, while another one syncs records to it: each open
 * succeeds, and the last record that it counts is there. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "check.h"

enum { LENGTH = 5000, RECORDS = 25, BETWEEN = 150 }; /* milliseconds */

static int values[LENGTH];

static void must(int err, const char *what)
{
    CHECK(!err, "%s: %s %s", what, ncmpi_strerror(err), parcdf_last_error());
}

static void write_records(const char *path)
{
    int ncid, dims[2], var;
    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_NETCDF4, MPI_INFO_NULL, &ncid), "create");
    must(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), "t");
    must(ncmpi_def_dim(ncid, "x", LENGTH, &dims[1]), "x");
    must(ncmpi_def_var(ncid, "r", NC_INT, 2, dims, &var), "r");
    must(ncmpi_enddef(ncid), "enddef");
    for (int i = 0; i < RECORDS; i++) {
        const MPI_Offset start[] = { i, 0 }, count[] = { 1, LENGTH };
        for (int k = 0; k < LENGTH; k++)
            values[k] = i + k;
        must(ncmpi_put_vara_int_all(ncid, 0, start, count, values), "put");
        must(ncmpi_sync(ncid), "sync");
        nanosleep(&(struct timespec){ 0, BETWEEN * 1000000L }, NULL);
    }
    must(ncmpi_close(ncid), "close");
}

static MPI_Offset read_once(const char *path, MPI_Offset least)
{
    MPI_Offset records = 0;
    int ncid, err = ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
    CHECK(!err, "open: %s %s", ncmpi_strerror(err), parcdf_last_error());
    if (err)
        return least;
    must(ncmpi_inq_dimlen(ncid, 0, &records), "t");
    CHECK(records >= least, "%d records after %d", (int)records, (int)least);
    must(ncmpi_close(ncid), "close");
    return records;
}

/* The writer ran `program` with the name of the file. */
static void read_meanwhile(pid_t writer, const char *path)
{
    struct stat st;
    MPI_Offset records = 0;
    int opens = 0, status = -1;
    while ((stat(path, &st) || st.st_size == 0) && waitpid(writer, &status, WNOHANG) == 0)
        nanosleep(&(struct timespec){ 0, 1000000L }, NULL);
    nanosleep(&(struct timespec){ 0, 2 * BETWEEN * 1000000L }, NULL); /* for the first sync */
    for (; waitpid(writer, &status, WNOHANG) == 0; opens++)
        records = read_once(path, records);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the writer ends with %d", status);
    CHECK(opens > 3, "%d opens", opens);
    CHECK(read_once(path, records) == RECORDS, "records are missing");
    printf("%d opens\n", opens);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "netcdf4readers.nc";
    pid_t writer = 0;
    if (argc < 3) {
        (void)unlink(path);
        writer = fork();
        if (writer == 0) {
            execl(argv[0], argv[0], path, "write", (char *)NULL);
            _exit(1);
        }
    }
    MPI_Init(&argc, &argv);
    if (writer == 0)
        write_records(path);
    else
        read_meanwhile(writer, path);
    MPI_Finalize();
    return check_done("netcdf4readers");
}
