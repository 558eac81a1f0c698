/* A box of cells is cut along three axes. The file has several variables of the box, and one step of a
 * field that changes in time.
 *
 *     mpicc block_3d.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 8 ./a.out [FILE]
 *
 * An MPI Cartesian communicator tells each rank its place; start and count follow from it. A variable over
 * (time, z, y, x) takes the same block with one more index in front. The blocks of two ranks never overlap,
 * so every byte of the file is written by exactly one rank. The file is read back in slabs of z, as a
 * program would do that draws each layer. */

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

enum { NZ = 9, NY = 14, NX = 11, STEPS = 2 };
static const MPI_Offset box[3] = { NZ, NY, NX };

/* [0] is time: one record. */
struct block {
    MPI_Offset start[4], count[4];
};

static size_t cells(const struct block *b)
{
    return (size_t)(b->count[1] * b->count[2] * b->count[3]);
}

static struct block block_at(const int coordinates[3], const int parts[3])
{
    struct block b = { .count = { 1 } };
    for (int d = 0; d < 3; d++) {
        b.start[d + 1] = box[d] * coordinates[d] / parts[d];
        b.count[d + 1] = box[d] * (coordinates[d] + 1) / parts[d] - b.start[d + 1];
    }
    return b;
}

/* The number of the i-th cell of a block in the whole box. */
static int cell_number(const struct block *b, size_t i)
{
    MPI_Offset at = (MPI_Offset)i, x = at % b->count[3], y = at / b->count[3] % b->count[2];
    MPI_Offset z = at / b->count[3] / b->count[2];
    return (int)(((b->start[1] + z) * NY + b->start[2] + y) * NX + b->start[3] + x);
}

static void write_box(const char *path, struct block b)
{
    int ncid, dimids[4], mask, heat;
    int *number = malloc(sizeof *number * (cells(&b) + 1));
    float *field = malloc(sizeof *field * (cells(&b) + 1));

    if (!number || !field)
        MPI_Abort(MPI_COMM_WORLD, 1);
    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dimids[0]));
    TRY(ncmpi_def_dim(ncid, "z", NZ, &dimids[1]));
    TRY(ncmpi_def_dim(ncid, "y", NY, &dimids[2]));
    TRY(ncmpi_def_dim(ncid, "x", NX, &dimids[3]));
    TRY(ncmpi_def_var(ncid, "number", NC_INT, 3, dimids + 1, &mask));
    TRY(ncmpi_def_var(ncid, "heat", NC_FLOAT, 4, dimids, &heat));
    TRY(ncmpi_enddef(ncid));

    for (size_t i = 0; i < cells(&b); i++)
        number[i] = cell_number(&b, i);
    TRY(ncmpi_put_vara_int_all(ncid, mask, b.start + 1, b.count + 1, number)); /* no time: three indices */
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < cells(&b); i++)
            field[i] = (float)(number[i] + 10000 * step);
        b.start[0] = step;
        TRY(ncmpi_put_vara_float_all(ncid, heat, b.start, b.count, field));
    }
    TRY(ncmpi_close(ncid));
    free(number);
    free(field);
}

static int check(const char *path, struct block b)
{
    int ncid, varid, wrong = 0;
    float *field = malloc(sizeof *field * (cells(&b) + 1));

    if (!field)
        MPI_Abort(MPI_COMM_WORLD, 1);
    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "number", &varid));
    TRY(ncmpi_get_vara_float_all(ncid, varid, b.start + 1, b.count + 1,
                                 field)); /* int in the file, float in memory */
    for (size_t i = 0; i < cells(&b); i++)
        wrong += field[i] != (float)cell_number(&b, i);
    TRY(ncmpi_inq_varid(ncid, "heat", &varid));
    for (int step = 0; step < STEPS; step++) {
        b.start[0] = step;
        TRY(ncmpi_get_vara_float_all(ncid, varid, b.start, b.count, field));
        for (size_t i = 0; i < cells(&b); i++)
            wrong += field[i] != (float)(cell_number(&b, i) + 10000 * step);
    }
    TRY(ncmpi_close(ncid));
    free(field);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "block_3d.nc";
    int rank, ranks, parts[3] = { 0, 0, 0 }, at[3];
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 3, parts);
    MPI_Cart_create(MPI_COMM_WORLD, 3, parts, (const int[]){ 0, 0, 0 }, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 3, at);
    write_box(path, block_at(at, parts));

    int wrong = check(path, block_at((const int[]){ rank, 0, 0 }, (const int[]){ ranks, 1, 1 }));
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s written as %d x %d x %d blocks, read as %d slabs: %d values wrong\n", path, parts[0],
               parts[1], parts[2], ranks, wrong);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return wrong != 0;
}
