/* What hint pcdf_commit=step costs a writer: records of four variables go in turn to a file without the hint
 * (pcdf_commit=none) and to one with it, so that both find the same machine. With --reader the last rank
 * refreshes both files at full speed, as fast as it can. Every value is compared at the end of a round.
 *
 *     mpiexec -n 2 bench_steps [--folder F] [--kib K] [--records N] [--rounds R] [--reader]
 */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VARS = 4, DONE = 1 };

static struct {
    const char *folder;
    long kib, records, rounds;
    int reader;
} options = { ".", 4096, 20, 5, 0 };

static MPI_Comm mine;
static int rank, size; /* of the writers */

static void must(int err, const char *what)
{
    if (err == NC_NOERR)
        return;
    fprintf(stderr, "bench_steps: %s: %s: %s\n", what, ncmpi_strerrno(err), parcdf_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void path_of(char path[512], int which)
{
    snprintf(path, 512, "%s/bench_steps_%d.nc", options.folder, which);
}

static float value_of(long record, int var, long i)
{
    return (float)((record * 31 + var * 7 + i) % 4093);
}

static int create(int which)
{
    char path[512], name[16];
    int ncid, dims[2], var;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_commit", which ? "step" : "none");
    path_of(path, which);
    if (rank == 0)
        unlink(path);
    MPI_Barrier(mine);
    must(ncmpi_create(mine, path, NC_64BIT_DATA, info, &ncid), "create");
    must(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]), "def_dim");
    must(ncmpi_def_dim(ncid, "x", options.kib * 256 * size, &dims[1]), "def_dim");
    for (int v = 0; v < VARS; v++) {
        snprintf(name, sizeof name, "v%d", v);
        must(ncmpi_def_var(ncid, name, NC_FLOAT, 2, dims, &var), "def_var");
    }
    must(ncmpi_enddef(ncid), "enddef");
    MPI_Info_free(&info);
    return ncid;
}

static double write_record(int ncid, long record, float *values)
{
    long n = options.kib * 256;
    const MPI_Offset start[2] = { record, n * rank }, count[2] = { 1, n };
    double spent = 0;
    for (int v = 0; v < VARS; v++) {
        for (long i = 0; i < n; i++)
            values[i] = value_of(record, v, n * rank + i);
        MPI_Barrier(mine);
        double begin = MPI_Wtime();
        must(ncmpi_put_vara_float_all(ncid, v, start, count, values), "put");
        MPI_Barrier(mine);
        spent += MPI_Wtime() - begin;
    }
    return spent;
}

static long wrong_values(int which, float *values)
{
    char path[512];
    int ncid;
    long n = options.kib * 256, wrong = 0;
    path_of(path, which);
    must(ncmpi_open(mine, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), "open");
    for (long r = 0; r < options.records; r++)
        for (int v = 0; v < VARS; v++) {
            const MPI_Offset start[2] = { r, n * rank }, count[2] = { 1, n };
            must(ncmpi_get_vara_float_all(ncid, v, start, count, values), "get");
            for (long i = 0; i < n; i++)
                wrong += values[i] != value_of(r, v, n * rank + i);
        }
    must(ncmpi_close(ncid), "close");
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, mine);
    return wrong;
}

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void write_all(void)
{
    long all = options.records * options.rounds, at = 0, wrong = 0;
    float *values = malloc((size_t)options.kib * 1024);
    double *spent[2] = { malloc((size_t)all * sizeof(double)), malloc((size_t)all * sizeof(double)) };
    double *more = malloc((size_t)all * sizeof *more);
    for (long round = 0; round < options.rounds; round++) {
        int ncid[2] = { create(0), create(1) };
        if (options.reader)
            MPI_Barrier(MPI_COMM_WORLD);
        for (long r = 0; r < options.records; r++, at++)
            for (int i = 0; i < 2; i++) { /* which comes first changes, too */
                int which = (int)(i + r) % 2;
                spent[which][at] = write_record(ncid[which], r, values);
            }
        if (options.reader && rank == 0)
            MPI_Send(NULL, 0, MPI_INT, size, DONE, MPI_COMM_WORLD);
        must(ncmpi_close(ncid[0]), "close");
        must(ncmpi_close(ncid[1]), "close");
        wrong += wrong_values(0, values) + wrong_values(1, values);
    }
    for (long i = 0; i < all; i++)
        more[i] = spent[1][i] - spent[0][i];
    for (int i = 0; i < 2; i++)
        qsort(spent[i], (size_t)all, sizeof(double), by_size);
    qsort(more, (size_t)all, sizeof *more, by_size);
    double without = spent[0][all / 2], with = spent[1][all / 2];
    if (rank == 0)
        printf("%d ranks, %ld records of %d variables, %ld KiB a rank and variable%s: without %.1f us, with "
               "step %.1f "
               "us a record (medians), %+.2f %%; median of the differences %+.2f us, %+.2f %%; %ld values "
               "wrong\n",
               size, all, VARS, options.kib, options.reader ? ", beside a reader" : "", without * 1e6,
               with * 1e6, (with / without - 1) * 100, more[all / 2] * 1e6, more[all / 2] / without * 100,
               wrong);
    if (wrong)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_all(void)
{
    long refreshes = 0, news = 0;
    for (long round = 0; round < options.rounds; round++) {
        char path[512];
        int ncid[2], done = 0, dim;
        MPI_Offset known[2] = { 0, 0 }, now;
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++) {
            path_of(path, i);
            must(ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, MPI_INFO_NULL, &ncid[i]), "open");
        }
        for (; !done; refreshes++) {
            int i = (int)(refreshes % 2);
            must(parcdf_refresh(ncid[i]), "refresh");
            must(ncmpi_inq_unlimdim(ncid[i], &dim), "inq_unlimdim");
            must(ncmpi_inq_dimlen(ncid[i], dim, &now), "inq_dimlen");
            news += now > known[i];
            known[i] = now;
            MPI_Iprobe(0, DONE, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        }
        MPI_Recv(NULL, 0, MPI_INT, 0, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++)
            must(ncmpi_close(ncid[i]), "close");
    }
    printf("the reader refreshed %ld times and was told of new records %ld times\n", refreshes, news);
}

int main(int argc, char **argv)
{
    int world, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--reader"))
            options.reader = 1;
        else if (!strcmp(argv[i], "--folder"))
            options.folder = next;
        else if (!strcmp(argv[i], "--kib"))
            options.kib = atol(next);
        else if (!strcmp(argv[i], "--records"))
            options.records = atol(next);
        else if (!strcmp(argv[i], "--rounds"))
            options.rounds = atol(next);
    }
    int reads = options.reader && world == all - 1;
    MPI_Comm_split(MPI_COMM_WORLD, reads, world, &mine);
    MPI_Comm_rank(mine, &rank);
    MPI_Comm_size(mine, &size);
    if (reads)
        read_all();
    else
        write_all();
    for (int i = 0; i < 2 && world == 0; i++) {
        char path[512];
        path_of(path, i);
        unlink(path);
    }
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
