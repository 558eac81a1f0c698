/* A matrix is cut into rectangles, one for each rank, for any number of ranks. It is read back in other
 * rectangles.
 *
 *     mpicc block_2d.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * MPI_Dims_create chooses the number of cuts. The parts differ by at most one row or column, so the sizes
 * need not be divisible. The file has the matrix as a single process would have written it: it does not
 * depend on the cuts, and any other program may read it with cuts of its own. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err != NC_NOERR) {                                                                               \
            fprintf(stderr, "%s: %s (%s)\n", #call, ncmpi_strerror(err), parcdf_last_error());               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

enum { ROWS = 37, COLUMNS = 53 };

struct block {
    MPI_Offset start[2], count[2];
};

/* Part `i` of `n` of `length` elements. */
static void cut(MPI_Offset length, int i, int n, MPI_Offset *start, MPI_Offset *count)
{
    *start = length * i / n;
    *count = length * (i + 1) / n - *start;
}

/* This rank's rectangle, if the rows are cut into parts[0] parts and the columns into parts[1]. */
static struct block rectangle(int rank, const int parts[2])
{
    struct block b;
    cut(ROWS, rank / parts[1], parts[0], &b.start[0], &b.count[0]);
    cut(COLUMNS, rank % parts[1], parts[1], &b.start[1], &b.count[1]);
    return b;
}

static double value(MPI_Offset row, MPI_Offset column)
{
    return (double)(row * COLUMNS + column) + 0.25;
}

/* Memory for a block; at least one element, because malloc(0) may return NULL. */
static double *room(const struct block *b)
{
    double *values = malloc(sizeof *values * (size_t)(b->count[0] * b->count[1] + 1));
    if (!values)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return values;
}

static void write_matrix(const char *path, struct block b)
{
    int ncid, dimids[2], varid;
    double *values = room(&b);

    for (MPI_Offset i = 0; i < b.count[0]; i++)
        for (MPI_Offset j = 0; j < b.count[1]; j++)
            values[i * b.count[1] + j] = value(b.start[0] + i, b.start[1] + j);

    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "row", ROWS, &dimids[0])); /* the slowest dimension first */
    TRY(ncmpi_def_dim(ncid, "column", COLUMNS, &dimids[1]));
    TRY(ncmpi_def_var(ncid, "matrix", NC_DOUBLE, 2, dimids, &varid));
    TRY(ncmpi_enddef(ncid));
    TRY(ncmpi_put_vara_double_all(ncid, varid, b.start, b.count, values));
    TRY(ncmpi_close(ncid));
    free(values);
}

static int check(const char *path, struct block b)
{
    int ncid, varid, wrong = 0;
    double *values = room(&b);

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "matrix", &varid));
    TRY(ncmpi_get_vara_double_all(ncid, varid, b.start, b.count, values));
    TRY(ncmpi_close(ncid));
    for (MPI_Offset i = 0; i < b.count[0]; i++)
        for (MPI_Offset j = 0; j < b.count[1]; j++)
            wrong += values[i * b.count[1] + j] != value(b.start[0] + i, b.start[1] + j);
    free(values);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "block_2d.nc";
    int rank, ranks, parts[2] = { 0, 0 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, parts);
    const int turned[2] = { parts[1], parts[0] };
    write_matrix(path, rectangle(rank, parts));

    int wrong = check(path, rectangle(rank, turned));
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s written as %d x %d blocks, read as %d x %d: %d values wrong\n", path, parts[0], parts[1],
               turned[0], turned[1], wrong);
    MPI_Finalize();
    return wrong != 0;
}
