/* Every rank writes its rows of one matrix in one collective call, and reads them back.
 *
 *     mpicc collective_write.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE] */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

/* Prints the call that failed and ends the program. Most programs with this interface do the same. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err != NC_NOERR) {                                                                               \
            fprintf(stderr, "%s: %s (%s)\n", #call, ncmpi_strerror(err), parcdf_last_error());               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

enum { ROWS = 3, COLUMNS = 10 }; /* of each rank */

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "collective_write.nc";
    int rank, ranks, ncid, dimids[2], varid;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    /* Define: all ranks make the same calls. */
    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "y", (MPI_Offset)ROWS * ranks, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "x", COLUMNS, &dimids[1]));
    TRY(ncmpi_def_var(ncid, "height", NC_FLOAT, 2, dimids, &varid));
    TRY(ncmpi_put_att_text(ncid, varid, "units", strlen("m"), "m"));
    TRY(ncmpi_enddef(ncid));

    /* Write: each rank writes its own block. The values are doubles in memory and floats in the file. */
    const MPI_Offset start[2] = { (MPI_Offset)ROWS * rank, 0 }, count[2] = { ROWS, COLUMNS };
    double block[ROWS][COLUMNS];
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            block[y][x] = 100.0 * (ROWS * rank + y) + x;
    TRY(ncmpi_put_vara_double_all(ncid, varid, start, count, &block[0][0]));
    TRY(ncmpi_close(ncid));

    /* Read it back, into another type. */
    int again[ROWS][COLUMNS], wrong = 0;
    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "height", &varid));
    TRY(ncmpi_get_vara_int_all(ncid, varid, start, count, &again[0][0]));
    TRY(ncmpi_close(ncid));
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            wrong += again[y][x] != (int)block[y][x];

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks wrote and read %s: %d values wrong\n", ranks, path, wrong);
    MPI_Finalize();
    return wrong != 0;
}
