/* The array in memory is the transpose of the one in the file; varm transposes it during the call.
 *
 *     mpicc transpose_varm.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * The file has field(time, y, x); the program keeps its part as part[x][y], one time step at a time. For
 * each dimension of the variable, imap is the distance in memory between neighbours along this dimension,
 * in elements. Memory in the order of the file would have imap = { COUNT_Y * COUNT_X, COUNT_X, 1 }; the
 * transpose has { COUNT_Y * COUNT_X, 1, COUNT_Y }. stride selects every n-th element of the file; the last
 * part of this program reads every second column in this way. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err != NC_NOERR) {                                                                               \
            fprintf(stderr, "%s: %s (%s)\n", #call, ncmpi_strerror(err), parcdf_last_error());               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

enum { NY = 10, NX = 6, HALF = NX / 2, STEPS = 3 }; /* of each rank: NX columns of x */

static short value(MPI_Offset step, MPI_Offset y, MPI_Offset x)
{
    return (short)(1000 * step + 50 * y + x);
}

static void write_turned(const char *path, int ranks, MPI_Offset first)
{
    short part[NX][NY];
    int ncid, dimids[3], varid;

    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &ncid)); /* CDF-1, the oldest format */
    TRY(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "y", NY, &dimids[1]));
    TRY(ncmpi_def_dim(ncid, "x", (MPI_Offset)NX * ranks, &dimids[2]));
    TRY(ncmpi_def_var(ncid, "field", NC_SHORT, 3, dimids, &varid));
    TRY(ncmpi_enddef(ncid));

    for (int step = 0; step < STEPS; step++) {
        const MPI_Offset start[3] = { step, 0, first }, count[3] = { 1, NY, NX };
        const MPI_Offset imap[3] = { NY * NX, 1, NY }; /* y moves by one, x by a whole row of part */
        for (int x = 0; x < NX; x++)
            for (int y = 0; y < NY; y++)
                part[x][y] = value(step, y, first + x);
        TRY(ncmpi_put_varm_short_all(ncid, varid, start, count, NULL, imap, &part[0][0]));
    }
    TRY(ncmpi_close(ncid));
}

/* In the order of the file. */
static int check_straight(int ncid, int varid, MPI_Offset first)
{
    const MPI_Offset start[3] = { 0, 0, first }, count[3] = { STEPS, NY, NX };
    short all[STEPS][NY][NX];
    int wrong = 0;

    TRY(ncmpi_get_vara_short_all(ncid, varid, start, count, &all[0][0][0]));
    for (int step = 0; step < STEPS; step++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++)
                wrong += all[step][y][x] != value(step, y, first + x);
    return wrong;
}

/* Every second column of the last step, transposed again, as double. */
static int check_turned(int ncid, int varid, MPI_Offset first)
{
    const MPI_Offset start[3] = { STEPS - 1, 0, first }, count[3] = { 1, NY, HALF };
    const MPI_Offset stride[3] = { 1, 1, 2 }, imap[3] = { NY * HALF, 1, NY };
    double part[HALF][NY];
    int wrong = 0;

    TRY(ncmpi_get_varm_double_all(ncid, varid, start, count, stride, imap, &part[0][0]));
    for (int x = 0; x < HALF; x++)
        for (int y = 0; y < NY; y++)
            wrong += part[x][y] != value(STEPS - 1, y, first + 2 * x);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "transpose_varm.nc";
    int rank, ranks, ncid, varid;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const MPI_Offset first = (MPI_Offset)NX * rank;
    write_turned(path, ranks, first);

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "field", &varid));
    int wrong = check_straight(ncid, varid, first) + check_turned(ncid, varid, first);
    TRY(ncmpi_close(ncid));
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks turned %d steps into %s: %d values wrong\n", ranks, STEPS, path, wrong);
    MPI_Finalize();
    return wrong != 0;
}
