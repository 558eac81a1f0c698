/* A time series that grows: each step adds one record to two variables. Only rank 0 writes one of them.
 *
 *     mpicc record_append.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * The record dimension `time` has no fixed length: writing record n makes the file n + 1 records long. In a
 * collective call every rank takes part; a rank that has nothing to write passes a count of 0. The file is
 * closed after half of the steps and opened again: to append, a program only needs the number of records. */

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

enum { STATIONS = 5, STEPS = 8 }; /* stations of each rank */

static double time_of(MPI_Offset step)
{
    return 0.5 * (double)step;
}

static float measured(MPI_Offset step, MPI_Offset station)
{
    return (float)(1000 * step + station);
}

static void define(const char *path, int ranks)
{
    int ncid, dimids[2], varid;

    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "station", (MPI_Offset)STATIONS * ranks, &dimids[1]));
    TRY(ncmpi_def_var(ncid, "time", NC_DOUBLE, 1, dimids, &varid));
    TRY(ncmpi_put_att_text(ncid, varid, "units", strlen("hours"), "hours"));
    TRY(ncmpi_def_var(ncid, "level", NC_FLOAT, 2, dimids, &varid));
    TRY(ncmpi_put_att_text(ncid, varid, "units", strlen("m"), "m"));
    TRY(ncmpi_close(ncid)); /* ends define mode, too */
}

/* Adds `steps` records after those in the file. */
static void append(const char *path, int rank, int steps)
{
    int ncid, timeid, levelid, dimid;
    MPI_Offset records;

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "time", &timeid));
    TRY(ncmpi_inq_varid(ncid, "level", &levelid));
    TRY(ncmpi_inq_unlimdim(ncid, &dimid));
    TRY(ncmpi_inq_dimlen(ncid, dimid, &records));

    for (MPI_Offset step = records; step < records + steps; step++) {
        const MPI_Offset start[2] = { step, (MPI_Offset)STATIONS * rank }, count[2] = { 1, STATIONS };
        const MPI_Offset one[1] = { rank == 0 ? 1 : 0 }; /* the other ranks take part without data */
        double now = time_of(step);
        float level[STATIONS];
        for (int i = 0; i < STATIONS; i++)
            level[i] = measured(step, start[1] + i);
        TRY(ncmpi_put_vara_double_all(ncid, timeid, start, one, &now));
        TRY(ncmpi_put_vara_float_all(ncid, levelid, start, count, level));
    }
    TRY(ncmpi_close(ncid));
}

/* Every rank reads the whole series of the stations of its right neighbour: a column through all records. */
static int check(const char *path, int rank, int ranks)
{
    int ncid, varid, wrong = 0;
    const MPI_Offset first = (MPI_Offset)STATIONS * ((rank + 1) % ranks);
    const MPI_Offset start[2] = { 0, first }, count[2] = { STEPS, STATIONS };
    float level[STEPS][STATIONS];
    double time[STEPS];

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "time", &varid));
    TRY(ncmpi_get_vara_double_all(ncid, varid, start, count, time));
    TRY(ncmpi_inq_varid(ncid, "level", &varid));
    TRY(ncmpi_get_vara_float_all(ncid, varid, start, count, &level[0][0]));
    TRY(ncmpi_close(ncid));
    for (int step = 0; step < STEPS; step++) {
        wrong += time[step] != time_of(step);
        for (int i = 0; i < STATIONS; i++)
            wrong += level[step][i] != measured(step, first + i);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "record_append.nc";
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    define(path, ranks);
    append(path, rank, STEPS / 2);
    append(path, rank, STEPS - STEPS / 2);

    int wrong = check(path, rank, ranks);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d records appended to %s in two runs: %d values wrong\n", STEPS, path, wrong);
    MPI_Finalize();
    return wrong != 0;
}
