/* The C side of benchmarks/python: for each line that it reads, it reads a whole variable and prints the
 * seconds of the call, those of the processor, and how many values are wrong. The line: "new" (into memory
 * that is allocated for it, as Python allocates an array), or "again" (into memory that it had before), or
 * "small" (a thousand calls of 1000 values).
 *
 *     bench_python_peer FILE        (a variable "v" of floats, v[i] = i mod 4093)
 */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PERIOD = 4093, CALLS = 1000, FEW = 1000 };

static void must(int err, const char *what)
{
    if (err == NC_NOERR)
        return;
    fprintf(stderr, "python_peer: %s: %s\n", what, parcdf_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* As numpy takes memory: it asks the system for huge pages. So both sides touch memory of the same kind. */
static float *room_for(MPI_Offset n)
{
    const size_t page = 4096, size = (size_t)n * sizeof(float);
    float *values = malloc(size);
    if (values && size >= 4u << 20) {
        const size_t before = page - (size_t)values % page;
        (void)madvise((char *)values + before, size - before, MADV_HUGEPAGE);
    }
    if (values)
        return values;
    fprintf(stderr, "python_peer: no memory for %lld values\n", (long long)n);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return NULL;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long long wrong_values(const float *values, MPI_Offset first, MPI_Offset n)
{
    long long wrong = 0;
    for (MPI_Offset i = 0; i < n; i++)
        wrong += values[i] != (float)((first + i) % PERIOD);
    return wrong;
}

static void whole(int ncid, int var, float *values, MPI_Offset n)
{
    const MPI_Offset start = 0;
    double begin = MPI_Wtime(), cpu = processor_seconds();
    float *into = values ? values : room_for(n);
    must(ncmpi_get_vara_float_all(ncid, var, &start, &n, into), "get");
    const double seconds = MPI_Wtime() - begin, cpu_seconds = processor_seconds() - cpu;
    printf("%.9f %.9f %lld\n", seconds, cpu_seconds, wrong_values(into, 0, n));
    if (!values)
        free(into);
}

static void small(int ncid, int var, float *values, MPI_Offset n)
{
    long long wrong = 0;
    double seconds = 0, cpu_seconds = 0;
    const MPI_Offset count = FEW < n ? FEW : n;
    for (MPI_Offset i = 0; i < CALLS; i++) {
        const MPI_Offset start = i * 7919 % (n - count + 1);
        double begin = MPI_Wtime(), cpu = processor_seconds();
        must(ncmpi_get_vara_float_all(ncid, var, &start, &count, values), "get");
        cpu_seconds += processor_seconds() - cpu;
        seconds += MPI_Wtime() - begin;
        wrong += wrong_values(values, start, count);
    }
    printf("%.9f %.9f %lld\n", seconds, cpu_seconds, wrong);
}

int main(int argc, char **argv)
{
    int ncid, var, dim;
    MPI_Offset n;
    char line[64];
    MPI_Init(&argc, &argv);
    if (argc != 2) {
        fprintf(stderr, "usage: bench_python_peer FILE\n");
        return 2;
    }
    must(ncmpi_open(MPI_COMM_SELF, argv[1], NC_NOWRITE, MPI_INFO_NULL, &ncid), "open");
    must(ncmpi_inq_varid(ncid, "v", &var), "inq_varid");
    must(ncmpi_inq_vardimid(ncid, var, &dim), "inq_vardimid");
    must(ncmpi_inq_dimlen(ncid, dim, &n), "inq_dimlen");
    float *kept = room_for(n);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "small", 5) == 0)
            small(ncid, var, kept, n);
        else
            whole(ncid, var, strncmp(line, "again", 5) == 0 ? kept : NULL, n);
        fflush(stdout);
    }
    free(kept);
    must(ncmpi_close(ncid), "close");
    return MPI_Finalize();
}
