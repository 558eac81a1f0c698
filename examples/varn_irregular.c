/* Cells of an irregular grid: each rank owns short runs of cells in many places, and writes all of them in
 * one call.
 *
 *     mpicc varn_irregular.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * A partitioner gives each rank cells that are anywhere in the file. A varn call takes a list of blocks,
 * each with a start and a count; in memory, their elements follow each other, block after block. The ranks
 * may have different numbers of blocks, also none. This program joins cells that follow each other into
 * runs, so that the lists are short; every program should do this before a varn call. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stddef.h>
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

enum { CELLS = 2000, LAYERS = 3, RUN = 7 };

/* The cells of a rank as runs: starts[i] and counts[i] point to two numbers, cell and layer. */
struct cells {
    int runs, n; /* n: cells */
    MPI_Offset *numbers, **starts, **counts;
};

/* The rank that owns a cell; in a real program, a graph partitioner decides. Runs of RUN cells are spread
 * over the ranks. */
static int owner(int cell, int ranks)
{
    unsigned run = (unsigned)(cell / RUN);
    return (int)((run * 2654435761u >> 7) % (unsigned)ranks);
}

static void *room(size_t n, size_t size)
{
    void *p = malloc(n * size);
    if (!p)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p;
}

static struct cells cells_of(int rank, int ranks)
{
    struct cells c = { 0 };

    c.numbers = room(4 * CELLS, sizeof *c.numbers);
    c.starts = room(CELLS, sizeof *c.starts);
    c.counts = room(CELLS, sizeof *c.counts);
    for (int cell = 0; cell < CELLS; cell++) {
        if (owner(cell, ranks) != rank)
            continue;
        if (c.runs > 0 && c.starts[c.runs - 1][0] + c.counts[c.runs - 1][0] == cell) {
            c.counts[c.runs - 1][0]++; /* the run continues */
        } else {
            MPI_Offset *at = c.numbers + (ptrdiff_t)4 * c.runs;
            at[0] = cell, at[1] = 0;   /* from this cell, layer 0 */
            at[2] = 1, at[3] = LAYERS; /* one cell so far, all layers */
            c.starts[c.runs] = at;
            c.counts[c.runs++] = at + 2;
        }
        c.n++;
    }
    return c;
}

static void release(struct cells *c)
{
    free(c->numbers);
    free(c->starts);
    free(c->counts);
}

/* The values of the cells in the order of the runs. */
static void compute(const struct cells *c, double *values)
{
    for (int run = 0; run < c->runs; run++)
        for (MPI_Offset i = 0; i < c->counts[run][0]; i++)
            for (int layer = 0; layer < LAYERS; layer++)
                *values++ = (double)(c->starts[run][0] + i) + 0.125 * layer;
}

static void write_cells(const char *path, const struct cells *c, const double *values)
{
    int ncid, dimids[2], varid;

    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "cell", CELLS, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "layer", LAYERS, &dimids[1]));
    TRY(ncmpi_def_var(ncid, "salt", NC_DOUBLE, 2, dimids, &varid));
    TRY(ncmpi_enddef(ncid));
    TRY(ncmpi_put_varn_double_all(ncid, varid, c->runs, c->starts, c->counts, values));
    TRY(ncmpi_close(ncid));
}

/* Reads the same cells by their runs; rank 0 also reads the whole variable in the order of the file. */
static int check(const char *path, int rank, const struct cells *c, const double *values)
{
    int ncid, varid, wrong = 0;
    double *again = room((size_t)c->n * LAYERS + 1, sizeof *again), *all = room(CELLS, LAYERS * sizeof *all);
    const MPI_Offset start[2] = { 0, 0 }, count[2] = { rank == 0 ? CELLS : 0, rank == 0 ? LAYERS : 0 };

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "salt", &varid));
    TRY(ncmpi_get_varn_double_all(ncid, varid, c->runs, c->starts, c->counts, again));
    TRY(ncmpi_get_vara_double_all(ncid, varid, start, count, all));
    TRY(ncmpi_close(ncid));
    for (int i = 0; i < c->n * LAYERS; i++)
        wrong += again[i] != values[i];
    for (int i = 0; i < (rank == 0 ? CELLS * LAYERS : 0); i++)
        wrong += all[i] != i / LAYERS + 0.125 * (i % LAYERS);
    free(again);
    free(all);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "varn_irregular.nc";
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct cells cells = cells_of(rank, ranks);
    double *values = room((size_t)cells.n * LAYERS + 1, sizeof *values);
    compute(&cells, values);
    write_cells(path, &cells, values);

    int wrong = check(path, rank, &cells, values), runs = cells.runs;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &runs, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d cells in %d runs on %d ranks, in %s: %d values wrong\n", CELLS, runs, ranks, path, wrong);
    free(values);
    release(&cells);
    MPI_Finalize();
    return wrong != 0;
}
