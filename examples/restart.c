/* A simulation writes its state at each step, stops, and continues from the last record on another number
 * of ranks.
 *
 *     mpicc restart.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * The state is a row of CELLS numbers; each rank has a part of it. The first half of the run uses all
 * ranks, the second half one rank fewer (but at least one). So the parts are different: a file does not
 * depend on the number of ranks that wrote it. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err != NC_NOERR) {                                                                               \
            fprintf(stderr, "%s: %s (%s)\n", #call, ncmpi_strerror(err), parcdf_last_error());               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

enum { CELLS = 1000, STEPS = 6 };

struct part { /* this rank's cells */
    MPI_Offset first, n;
    double value[CELLS];
};

static struct part cut(MPI_Comm comm)
{
    struct part p = { 0 };
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    p.first = (MPI_Offset)CELLS * rank / ranks;
    p.n = (MPI_Offset)CELLS * (rank + 1) / ranks - p.first;
    return p;
}

static void step(struct part *p)
{
    for (MPI_Offset i = 0; i < p->n; i++)
        p->value[i] += (double)(p->first + i);
}

static void create(MPI_Comm comm, const char *path)
{
    int ncid, dimids[2], varid;
    TRY(ncmpi_create(comm, path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "step", NC_UNLIMITED, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "cell", CELLS, &dimids[1]));
    TRY(ncmpi_def_var(ncid, "state", NC_DOUBLE, 2, dimids, &varid));
    TRY(ncmpi_close(ncid));
}

/* Continues from the last record in the file, or from zero, and adds `steps` records. */
static void run(MPI_Comm comm, const char *path, int steps)
{
    struct part part = cut(comm);
    int ncid, varid, dimid;
    MPI_Offset records;

    TRY(ncmpi_open(comm, path, NC_WRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "state", &varid));
    TRY(ncmpi_inq_unlimdim(ncid, &dimid));
    TRY(ncmpi_inq_dimlen(ncid, dimid, &records));

    MPI_Offset start[2] = { records - 1, part.first }, count[2] = { 1, part.n };
    if (records > 0)
        TRY(ncmpi_get_vara_double_all(ncid, varid, start, count, part.value));
    for (int i = 0; i < steps; i++) {
        step(&part);
        start[0]++; /* the next record: writing it makes the file longer */
        TRY(ncmpi_put_vara_double_all(ncid, varid, start, count, part.value));
        TRY(ncmpi_sync(ncid)); /* now the step is on the disk */
    }
    TRY(ncmpi_close(ncid));
}

/* Each cell has increased by its own number at every step. */
static int check(MPI_Comm comm, const char *path)
{
    struct part part = cut(comm);
    int ncid, varid, wrong = 0;
    MPI_Offset start[2] = { STEPS - 1, part.first }, count[2] = { 1, part.n };

    TRY(ncmpi_open(comm, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "state", &varid));
    TRY(ncmpi_get_vara_double_all(ncid, varid, start, count, part.value));
    TRY(ncmpi_close(ncid));
    for (MPI_Offset i = 0; i < part.n; i++)
        wrong += part.value[i] != STEPS * (double)(part.first + i); /* small whole numbers are exact */
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "restart.nc";
    int rank, ranks;
    MPI_Comm fewer;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    create(MPI_COMM_WORLD, path);
    run(MPI_COMM_WORLD, path, STEPS / 2);

    MPI_Comm_split(MPI_COMM_WORLD, ranks > 1 && rank == ranks - 1 ? MPI_UNDEFINED : 0, rank, &fewer);
    if (fewer != MPI_COMM_NULL) {
        run(fewer, path, STEPS - STEPS / 2);
        MPI_Comm_free(&fewer);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    int wrong = check(MPI_COMM_WORLD, path);
    if (rank == 0)
        printf("%d steps in %s, stopped and restarted: %d cells wrong\n", STEPS, path, wrong);
    MPI_Finalize();
    return wrong != 0;
}
