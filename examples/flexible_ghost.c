/* Arrays with ghost cells are written and read in place: an MPI datatype describes where the inner cells
 * are.
 *
 *     mpicc flexible_ghost.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * A solver keeps a frame of GHOST cells around its part of the grid. The flexible functions, which have no
 * type in their names, take an MPI datatype that describes memory: here the inner rectangle of the local
 * array. So no packed copy is needed. bufcount is 1: one such datatype. The put does not read the frame,
 * and the get does not change it. */

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

enum { ROWS = 6, COLUMNS = 9, GHOST = 2, TALL = ROWS + 2 * GHOST, WIDE = COLUMNS + 2 * GHOST };

static int is_inner(int i, int j)
{
    return i >= GHOST && i < GHOST + ROWS && j >= GHOST && j < GHOST + COLUMNS;
}

/* The value of cell (i, j) of the local array, on the rank whose rows begin at `first`. */
static float inner(MPI_Offset first, int i, int j)
{
    return (float)(100 * (first + i - GHOST) + j - GHOST);
}

static void fill_array(float array[TALL][WIDE], MPI_Offset first, float frame, float shift)
{
    for (int i = 0; i < TALL; i++)
        for (int j = 0; j < WIDE; j++)
            array[i][j] = is_inner(i, j) ? inner(first, i, j) + shift : frame;
}

/* The inner rectangle of an array with its frame. */
static MPI_Datatype inner_type(void)
{
    const int whole[2] = { TALL, WIDE }, part[2] = { ROWS, COLUMNS }, at[2] = { GHOST, GHOST };
    MPI_Datatype type;

    MPI_Type_create_subarray(2, whole, part, at, MPI_ORDER_C, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    return type;
}

static void write_inner(const char *path, int ranks, const MPI_Offset start[2], const MPI_Offset count[2],
                        MPI_Datatype type)
{
    float array[TALL][WIDE];
    int ncid, dimids[2], varid;

    fill_array(array, start[0], -1, 0); /* -1 must not reach the file */
    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "y", (MPI_Offset)ROWS * ranks, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "x", COLUMNS, &dimids[1]));
    TRY(ncmpi_def_var(ncid, "pressure", NC_DOUBLE, 2, dimids,
                      &varid)); /* floats in memory, doubles in the file */
    TRY(ncmpi_enddef(ncid));
    TRY(ncmpi_put_vara_all(ncid, varid, start, count, array, 1, type));
    TRY(ncmpi_close(ncid));
}

/* A get into an array with -7 in its frame: the inner cells come from the file, the frame does not change. */
static int check_inner(int ncid, int varid, const MPI_Offset start[2], const MPI_Offset count[2],
                       MPI_Datatype type)
{
    float array[TALL][WIDE];
    int wrong = 0;

    fill_array(array, start[0], -7, 1);
    TRY(ncmpi_get_vara_all(ncid, varid, start, count, array, 1, type));
    for (int i = 0; i < TALL; i++)
        for (int j = 0; j < WIDE; j++)
            wrong += array[i][j] != (is_inner(i, j) ? inner(start[0], i, j) : -7);
    return wrong;
}

/* The same without a datatype, as another program would read the file. */
static int check_dense(int ncid, int varid, const MPI_Offset start[2], const MPI_Offset count[2])
{
    float dense[ROWS][COLUMNS];
    int wrong = 0;

    TRY(ncmpi_get_vara_float_all(ncid, varid, start, count, &dense[0][0]));
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            wrong += dense[i][j] != inner(start[0], i + GHOST, j + GHOST);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "flexible_ghost.nc";
    int rank, ranks, ncid, varid;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const MPI_Offset start[2] = { (MPI_Offset)ROWS * rank, 0 }, count[2] = { ROWS, COLUMNS };
    MPI_Datatype type = inner_type();
    write_inner(path, ranks, start, count, type);

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "pressure", &varid));
    int wrong = check_inner(ncid, varid, start, count, type) + check_dense(ncid, varid, start, count);
    TRY(ncmpi_close(ncid));
    MPI_Type_free(&type);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks wrote %s around their ghost cells: %d values wrong\n", ranks, path, wrong);
    MPI_Finalize();
    return wrong != 0;
}
