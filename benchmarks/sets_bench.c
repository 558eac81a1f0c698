/* What a checkpoint set costs: a checkpoint of three files is written in three ways, in turn, so that all
 * find the same machine: each file by pcdf_atomic_create; the same with checksums, which a set keeps, too; as
 * a generation of a set (pcdf_set), with two generations kept. A checkpoint is timed from the first create to
 * the end of the last close. After each, every value is read by the files' names and compared.
 *
 *     mpiexec -n 2 bench_sets [--folder F] [--kib K] [--steps N]      K: of a rank, in each file
 */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum way { ATOMIC, SUMMED, SET, WAYS };
enum { FILES = 3 };

static const char *const way_names[WAYS] = { "atomic create", "atomic create, checksums", "set" };
static struct {
    const char *folder;
    long kib, steps;
} options = { ".", 4096, 10 };
static int rank, size;
static char dirs[WAYS][512];

static void must(int err, const char *what)
{
    if (err == NC_NOERR)
        return;
    fprintf(stderr, "bench_sets: %s: %s: %s\n", what, ncmpi_strerrno(err), parcdf_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static float value_of(long step, int file, long i)
{
    return (float)((step * 31 + file * 7 + i) % 4093);
}

static MPI_Info hints_of(enum way way, long step)
{
    char text[2048];
    MPI_Info info;
    MPI_Info_create(&info);
    if (way == SET) {
        snprintf(text, sizeof text, "%s/ckpt files=3 step=%ld keep=2", dirs[way], step);
        MPI_Info_set(info, "pcdf_set", text);
    } else {
        MPI_Info_set(info, "pcdf_atomic_create", "true");
        if (way == SUMMED)
            MPI_Info_set(info, "pcdf_checksum", "crc32c");
    }
    return info;
}

static void path_of(char path[2048], enum way way, int file)
{
    snprintf(path, 2048, "%s/part%d.nc", dirs[way], file);
}

static void write_file(enum way way, long step, int file, float *values)
{
    char path[2048];
    int ncid, dim, var;
    const long n = options.kib * 256;
    const MPI_Offset start = n * rank, count = n;
    MPI_Info info = hints_of(way, step);
    path_of(path, way, file);
    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), "create");
    MPI_Info_free(&info);
    must(ncmpi_def_dim(ncid, "x", n * size, &dim), "def_dim");
    must(ncmpi_def_var(ncid, "v", NC_FLOAT, 1, &dim, &var), "def_var");
    must(ncmpi_enddef(ncid), "enddef");
    for (long i = 0; i < n; i++)
        values[i] = value_of(step, file, start + i);
    must(ncmpi_put_vara_float_all(ncid, var, &start, &count, values), "put");
    must(ncmpi_close(ncid), "close");
}

static double write_step(enum way way, long step, float *values)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int file = 0; file < FILES; file++)
        write_file(way, step, file, values);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - begin;
}

static long wrong_values(enum way way, long step, float *values)
{
    char path[2048];
    int ncid;
    long n = options.kib * 256, wrong = 0;
    const MPI_Offset start = n * rank, count = n;
    for (int file = 0; file < FILES; file++) {
        path_of(path, way, file);
        must(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), "open");
        must(ncmpi_get_vara_float_all(ncid, 0, &start, &count, values), "get");
        for (long i = 0; i < n; i++)
            wrong += values[i] != value_of(step, file, start + i);
        must(ncmpi_close(ncid), "close");
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void make_folders(void)
{
    for (int way = 0; way < WAYS; way++) {
        snprintf(dirs[way], sizeof dirs[way], "%s/bench_sets.XXXXXX", options.folder);
        if (rank == 0 && !mkdtemp(dirs[way]))
            must(NC_EFILE, dirs[way]);
        MPI_Bcast(dirs[way], sizeof dirs[way], MPI_CHAR, 0, MPI_COMM_WORLD);
    }
}

static void remove_folders(void)
{
    char command[2048];
    for (int way = 0; rank == 0 && way < WAYS; way++) {
        snprintf(command, sizeof command, "rm -rf '%s'", dirs[way]);
        if (system(command))
            fprintf(stderr, "bench_sets: %s is left\n", dirs[way]);
    }
}

/* Returns the number of wrong values. */
static long run(void)
{
    long wrong = 0;
    float *values = malloc((size_t)options.kib * 1024);
    double *spent[WAYS];
    for (int way = 0; way < WAYS; way++)
        spent[way] = malloc((size_t)options.steps * sizeof(double));
    for (long step = 0; step < options.steps; step++)
        for (int i = 0; i < WAYS; i++) { /* which comes first changes, too */
            enum way way = (enum way)((i + step) % WAYS);
            spent[way][step] = write_step(way, step, values);
            wrong += wrong_values(way, step, values);
        }
    for (int way = 0; way < WAYS; way++) {
        qsort(spent[way], (size_t)options.steps, sizeof(double), by_size);
        double median = spent[way][options.steps / 2], plain = spent[ATOMIC][options.steps / 2];
        if (rank == 0)
            printf("%-26s %9.3f ms a checkpoint (median of %ld), least %9.3f, %5.2f x\n", way_names[way],
                   median * 1e3, options.steps, spent[way][0] * 1e3, median / plain);
    }
    for (int way = 0; way < WAYS; way++)
        free(spent[way]);
    free(values);
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--folder") == 0)
            options.folder = argv[i + 1];
        else if (strcmp(argv[i], "--kib") == 0)
            options.kib = atol(argv[i + 1]);
        else if (strcmp(argv[i], "--steps") == 0)
            options.steps = atol(argv[i + 1]);
        else
            must(NC_EINVAL, argv[i]);
    }
    if (options.kib < 1 || options.steps < 1)
        must(NC_EINVAL, "--kib and --steps begin at 1");
    make_folders();
    long wrong = run();
    remove_folders();
    if (rank == 0)
        printf("%d ranks, %d files of %ld KiB a rank; %ld values wrong\n", size, FILES, options.kib, wrong);
    MPI_Finalize();
    return wrong != 0;
}
