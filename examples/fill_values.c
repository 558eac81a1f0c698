/* Fill values: what a file has where nobody wrote, for a whole variable and for new records.
 *
 *     mpicc fill_values.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * A file is created without filling, because most programs write everything. If a program leaves holes, it
 * switches on fill mode for the variable, with a fill value of its own or the default one of the type.
 * enddef fills fixed-size variables. ncmpi_fill_var_rec fills a record that is added later; call it once,
 * before the record is written. */

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

enum { LENGTH = 8 }; /* elements of each rank; it writes every second one */
static const float missing = -999;

static void define(int ncid, int ranks, int *oceanid, int *rainid)
{
    int dimids[2];

    TRY(ncmpi_def_dim(ncid, "day", NC_UNLIMITED, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "place", (MPI_Offset)LENGTH * ranks, &dimids[1]));
    TRY(ncmpi_def_var(ncid, "ocean", NC_FLOAT, 1, dimids + 1, oceanid));
    TRY(ncmpi_def_var(ncid, "rain", NC_INT, 2, dimids, rainid));
    TRY(ncmpi_def_var_fill(ncid, *oceanid, 0, &missing)); /* 0: mode on; becomes its attribute _FillValue */
    TRY(ncmpi_def_var_fill(ncid, *rainid, 0, NULL));      /* the default: NC_FILL_INT */
    TRY(ncmpi_enddef(ncid));
}

/* Each rank writes every second one of its elements, in one variable and in record 0 of the other. */
static void write_half(const char *path, int rank, int ranks)
{
    int ncid, oceanid, rainid, rain[LENGTH / 2];
    float ocean[LENGTH / 2];
    const MPI_Offset start[2] = { 0, (MPI_Offset)LENGTH * rank }, count[2] = { 1, LENGTH / 2 };
    const MPI_Offset stride[2] = { 1, 2 };

    for (int i = 0; i < LENGTH / 2; i++) {
        ocean[i] = (float)(start[1] + 2 * i);
        rain[i] = (int)(start[1] + 2 * i);
    }
    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    define(ncid, ranks, &oceanid, &rainid);
    TRY(ncmpi_put_vars_float_all(ncid, oceanid, start + 1, count + 1, stride + 1, ocean));
    TRY(ncmpi_fill_var_rec(ncid, rainid, 0)); /* the ranks share the work */
    TRY(ncmpi_put_vars_int_all(ncid, rainid, start, count, stride, rain));
    TRY(ncmpi_close(ncid));
}

/* A reader asks for the fill value of the file. */
static int check(const char *path, int rank)
{
    const MPI_Offset start[2] = { 0, (MPI_Offset)LENGTH * rank }, count[2] = { 1, LENGTH };
    int ncid, varid, rain[LENGTH], no_rain, no_fill, wrong = 0;
    float ocean[LENGTH], no_ocean;

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "ocean", &varid));
    TRY(ncmpi_inq_var_fill(ncid, varid, &no_fill, &no_ocean));
    TRY(ncmpi_get_vara_float_all(ncid, varid, start + 1, count + 1, ocean));
    TRY(ncmpi_inq_varid(ncid, "rain", &varid));
    TRY(ncmpi_inq_var_fill(ncid, varid, &no_fill, &no_rain));
    TRY(ncmpi_get_vara_int_all(ncid, varid, start, count, rain));
    TRY(ncmpi_close(ncid));

    wrong += no_ocean != missing;
    wrong += no_rain != NC_FILL_INT;
    for (int i = 0; i < LENGTH; i++) {
        wrong += ocean[i] != (i % 2 == 0 ? (float)(start[1] + i) : no_ocean);
        wrong += rain[i] != (i % 2 == 0 ? (int)start[1] + i : no_rain);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "fill_values.nc";
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    write_half(path, rank, ranks);

    int wrong = check(path, rank);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: every second place written, the others filled: %d values wrong\n", path, wrong);
    MPI_Finalize();
    return wrong != 0;
}
