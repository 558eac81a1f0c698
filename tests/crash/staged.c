/* A job that puts more than the memory of its write queue takes, with logs on its node (hint pcdf_stage_dir),
 * syncs now and then and notes each sync that returned. staged_test.py kills it anywhere.
 *
 *   staged SEED STEPS FILE DIR NOTES
 *   staged open FILE DIR       opens it for writing with the same hints, closes it, and prints what open
 * returned Step s puts record s, each value 100 * s + rank, and to all elements of `last` the same; every
 * tenth step changes the definitions. NOTES has the number of steps before each sync, as text; "closed" at
 * the end. */
#include <fcntl.h>
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
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

static MPI_Info hints(const char *dir)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "4194304");
    MPI_Info_set(info, "pcdf_async_rate", "8000000");
    MPI_Info_set(info, "pcdf_stage_dir", dir);
    return info;
}

static void only_open(const char *path, const char *dir)
{
    int ncid;
    MPI_Info info = hints(dir);
    int err = ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, info, &ncid);
    MPI_Info_free(&info);
    puts(ncmpi_strerrno(err));
    if (!err)
        must(ncmpi_close(ncid), "close");
}

static int make(const char *path, const char *dir, int vars[2])
{
    int ncid, dims[2];
    MPI_Info info = hints(dir);
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

int main(int argc, char **argv)
{
    int vars[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 4) {
        only_open(argv[2], argv[3]);
        return MPI_Finalize();
    }
    if (argc != 6)
        return 2;
    srand((unsigned)atoi(argv[1]));
    int steps = atoi(argv[2]), ncid = make(argv[3], argv[4], vars);
    for (int i = 0; i < steps; i++) {
        step(ncid, vars, i);
        if (rand() % 3 == 0) {
            must(ncmpi_sync(ncid), "sync");
            note(argv[5], i + 1);
        }
    }
    must(ncmpi_close(ncid), "close");
    note(argv[5], steps);
    note(argv[5], -1);
    return MPI_Finalize();
}
