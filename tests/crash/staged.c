/* A job that puts more than the memory of its write queue takes, with logs on its node (hint pcdf_stage_dir),
 * syncs now and then and notes each sync that returned. staged_test.py kills it anywhere.
 *
 *   staged SEED STEPS FILE DIR NOTES [later]   later: its close is in the background, then a file more is
 * made staged read FILE DIR       opens it with the same hints, closes it, and prints what open returned
 *   staged write FILE DIR      the same for writing
 *
 * Step s puts record s, each value 100 * s + rank, and to all elements of `last` the same; every
 * tenth step changes the definitions. NOTES has the number of steps before each sync, as text; "closed" at
 * the end. */
#include <fcntl.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ELEMENTS = 1 << 17 }; /* of a rank: 512 KiB */

static int rank, size, values[ELEMENTS];

static void must(int err, const char *what)
{
    if (!err)
        return;
    fprintf(stderr, "rank %d: %s: %s\n", rank, what, ncmpi_strerror(err));
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void note(const char *path, int step)
{
    char text[20];
    int n = step < 0 ? snprintf(text, sizeof text, "closed\n") : snprintf(text, sizeof text, "%d\n", step);
    int fd = rank == 0 ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (rank == 0 && (fd < 0 || write(fd, text, (size_t)n) != n))
        must(NC_EWRITE, path);
    if (fd >= 0)
        close(fd);
}

static MPI_Info hints(const char *dir, bool later)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "4194304");
    MPI_Info_set(info, "pcdf_debug_async_rate", "8000000");
    MPI_Info_set(info, "pcdf_stage_dir", dir);
    MPI_Info_set(info, "pcdf_async_close", later ? "true" : "false");
    return info;
}

static void only_open(const char *path, const char *dir, int mode)
{
    int ncid;
    MPI_Info info = hints(dir, false);
    int err = ncmpi_open(MPI_COMM_WORLD, path, mode, info, &ncid);
    MPI_Info_free(&info);
    if (rank == 0)
        printf("%s %s\n", ncmpi_strerrno(err), err ? parcdf_last_error() : "");
    if (!err)
        must(ncmpi_close(ncid), "close");
}

static int make(const char *path, const char *dir, bool later, int vars[2])
{
    int ncid, dims[2];
    MPI_Info info = hints(dir, later);
    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), "create");
    MPI_Info_free(&info);
    must(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), "t");
    must(ncmpi_def_dim(ncid, "x", (MPI_Offset)size * ELEMENTS, &dims[1]), "x");
    must(ncmpi_def_var(ncid, "r", NC_INT, 2, dims, &vars[0]), "r");
    must(ncmpi_def_var(ncid, "last", NC_INT, 1, &dims[1], &vars[1]), "last");
    must(ncmpi_enddef(ncid), "enddef");
    return ncid;
}

static void step(int ncid, const int vars[2], int number)
{
    const MPI_Offset start[] = { number, (MPI_Offset)rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    for (int i = 0; i < ELEMENTS; i++)
        values[i] = 100 * number + rank;
    must(ncmpi_put_vara_int_all(ncid, vars[0], start, count, values), "record");
    must(ncmpi_put_vara_int_all(ncid, vars[1], start + 1, count + 1, values), "last");
    if (number % 10 == 9) {
        must(ncmpi_redef(ncid), "redef");
        must(ncmpi_put_att_int(ncid, NC_GLOBAL, "redefined", NC_INT, 1, &number), "attribute");
        must(ncmpi_enddef(ncid), "enddef");
    }
}

/* It was closed in the background: the program goes on with another file, and waits at last. */
static int wait_for_it(const char *path, const char *dir, int milliseconds)
{
    char other[1100];
    int vars[2];
    snprintf(other, sizeof other, "%s.other", path);
    usleep((useconds_t)milliseconds * 1000);
    int ncid = make(other, dir, true, vars);
    step(ncid, vars, 0);
    must(ncmpi_close(ncid), "close of the other file");
    return parcdf_wait(NULL);
}

int main(int argc, char **argv)
{
    int vars[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 4) {
        only_open(argv[2], argv[3], strcmp(argv[1], "write") == 0 ? NC_WRITE : NC_NOWRITE);
        return MPI_Finalize();
    }
    if (argc != 6 && argc != 7)
        return 2;
    bool later = argc == 7;
    srand((unsigned)atoi(argv[1]));
    int steps = atoi(argv[2]), ncid = make(argv[3], argv[4], later, vars);
    for (int i = 0; i < steps; i++) {
        step(ncid, vars, i);
        if (rand() % 3 == 0) {
            must(ncmpi_sync(ncid), "sync");
            note(argv[5], i + 1);
        }
    }
    must(ncmpi_close(ncid), "close");
    if (later)
        must(wait_for_it(argv[3], argv[4], rand() % 200), "wait");
    note(argv[5], steps);
    note(argv[5], -1);
    return MPI_Finalize();
}
