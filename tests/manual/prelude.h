/* What the C fragments of the manual find around them (blocks.py puts each into a function of its own):
 *
 *   rank, ranks     of MPI_COMM_WORLD
 *   TRY(call)       ends the program with the library's sentence when the call fails
 *   ROWS, COLUMNS   what a rank has of every layer; rows: room for it
 *   ncid            an open file, by the word behind ```c:
 *     define        a new file in define mode, empty
 *     data          ocean: dimensions time (unlimited, 3 records), y (ROWS * ranks), x (COLUMNS); variables
 *                   depth(y,x) float, temp and salt(time,y,x) double; in collective data mode, writable
 *     indep         the same in independent data mode
 *     path          nothing is open; ocean.nc lies there */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err_ = (call);                                                                                   \
        if (err_ != NC_NOERR) {                                                                              \
            fprintf(stderr, "%s:%d: %s: %s (%s)\n", __FILE__, __LINE__, #call, ncmpi_strerror(err_),         \
                    parcdf_last_error());                                                                    \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

/* A claim of the manual. */
#define HOLDS(claim)                                                                                         \
    do {                                                                                                     \
        if (!(claim)) {                                                                                      \
            fprintf(stderr, "%s:%d: does not hold on rank %d: %s\n", __FILE__, __LINE__, rank, #claim);      \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

enum { ROWS = 4, COLUMNS = 6 };

static int rank, ranks, ncid = -1;
static int depth, temp, salt, dim_time, dim_y, dim_x;
static float rows[ROWS][COLUMNS];

static void define_begin(void)
{
    TRY(ncmpi_create(MPI_COMM_WORLD, "define.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
}

static void data_begin(void)
{
    TRY(ncmpi_create(MPI_COMM_WORLD, "ocean.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim_time));
    TRY(ncmpi_def_dim(ncid, "y", (MPI_Offset)ROWS * ranks, &dim_y));
    TRY(ncmpi_def_dim(ncid, "x", COLUMNS, &dim_x));
    const int dims[3] = { dim_time, dim_y, dim_x };
    TRY(ncmpi_def_var(ncid, "depth", NC_FLOAT, 2, dims + 1, &depth));
    TRY(ncmpi_def_var(ncid, "temp", NC_DOUBLE, 3, dims, &temp));
    TRY(ncmpi_def_var(ncid, "salt", NC_DOUBLE, 3, dims, &salt));
    TRY(ncmpi_put_att_text(ncid, temp, "units", 7, "celsius"));
    TRY(ncmpi_enddef(ncid));
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            rows[y][x] = (float)(100 * (ROWS * rank + y) + x);
    for (int t = 0; t < 3; t++) {
        const MPI_Offset start[3] = { t, ROWS * rank, 0 }, count[3] = { 1, ROWS, COLUMNS };
        if (t == 0)
            TRY(ncmpi_put_vara_float_all(ncid, depth, start + 1, count + 1, &rows[0][0]));
        TRY(ncmpi_put_vara_float_all(ncid, temp, start, count, &rows[0][0]));
        TRY(ncmpi_put_vara_float_all(ncid, salt, start, count, &rows[0][0]));
    }
}

static void indep_begin(void)
{
    data_begin();
    TRY(ncmpi_begin_indep_data(ncid));
}

static void block_end(void)
{
    int format;
    if (ncmpi_inq_format(ncid, &format) == NC_NOERR)
        TRY(ncmpi_close(ncid));
    ncid = -1;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void path_begin(void)
{
    data_begin();
    block_end();
}
