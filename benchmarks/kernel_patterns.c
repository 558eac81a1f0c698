/* Three I/O kernels that file systems and libraries are measured with, as their descriptions say: the arrays,
 * the division among ranks, and the calls. The code is ours. */

#include <stdio.h>
#include <string.h>
#include <pnetcdf.h>
#include "patterns.h"

static void define_double(struct bench *b, const char *name, int ndims, const int *dims, int *varid)
{
    pattern_check(ncmpi_def_var(b->ncid, name, NC_DOUBLE, ndims, dims, varid), "variable of");
}

static int define_dim(struct bench *b, const char *name, int64_t length)
{
    int dim;
    pattern_check(ncmpi_def_dim(b->ncid, name, length, &dim), "dimension of");
    return dim;
}

/* ---- FLASH-IO: 24 variables of 80 blocks a rank. A block is 8 x 8 x 8 cells; in memory it stands amid four
 * guard cells on each side, which a subarray datatype leaves out. One blocking call a variable. */

enum {
    FLASH_VARS = 24,
    FLASH_BLOCKS = 80,
    EDGE = 8,
    GUARD = 4,
    FULL = EDGE + 2 * GUARD,
    FULL_BLOCK = FULL * FULL * FULL
};

static void define_flash(struct bench *b)
{
    int64_t blocks = pattern_scaled(b, FLASH_BLOCKS);
    int dims[4] = { define_dim(b, "blocks", blocks * b->nranks), define_dim(b, "z", EDGE),
                    define_dim(b, "y", EDGE), define_dim(b, "x", EDGE) };
    char name[16];
    for (int v = 0; v < FLASH_VARS; v++) {
        snprintf(name, sizeof name, "unk%02d", v);
        define_double(b, name, 4, dims, &b->vars[v]);
    }
    b->n = FLASH_VARS * blocks * FULL_BLOCK;
}

static bool is_inner(int64_t at)
{
    return at >= GUARD && at < GUARD + EDGE;
}

/* Guard cells are bytes 0xff: what the memory that is read to holds, so a get that touches one is found. */
static void make_flash(struct bench *b, int rank)
{
    double *v = b->values;
    memset(v, 0xff, (size_t)b->n * sizeof *v);
    for (int64_t i = 0; i < b->n; i++)
        if (is_inner(i % FULL) && is_inner(i / FULL % FULL) && is_inner(i / FULL / FULL % FULL))
            v[i] = pattern_value(rank, i);
}

static void move_flash(struct bench *b, bool puts)
{
    int64_t blocks = b->n / FLASH_VARS / FULL_BLOCK;
    const int full[4] = { (int)blocks, FULL, FULL, FULL }, inner[4] = { (int)blocks, EDGE, EDGE, EDGE };
    const int first[4] = { 0, GUARD, GUARD, GUARD };
    MPI_Offset start[4] = { blocks * (puts ? b->rank : b->peer) }, count[4] = { blocks, EDGE, EDGE, EDGE };
    MPI_Datatype cells;
    MPI_Type_create_subarray(4, full, inner, first, MPI_ORDER_C, MPI_DOUBLE, &cells);
    MPI_Type_commit(&cells);
    for (int v = 0; v < FLASH_VARS; v++) {
        double *at = (double *)(puts ? b->values : b->others) + v * blocks * FULL_BLOCK;
        pattern_check(puts ? ncmpi_put_vara_all(b->ncid, b->vars[v], start, count, at, 1, cells)
                           : ncmpi_get_vara_all(b->ncid, b->vars[v], start, count, at, 1, cells),
                      "moving blocks of");
    }
    MPI_Type_free(&cells);
}

static void put_flash(struct bench *b)
{
    move_flash(b, true);
}

static void get_flash(struct bench *b)
{
    move_flash(b, false);
}

/* ---- BTIO: five values a point of a cube, five steps. The largest square of ranks, q * q, works: the cube
 * is cut into q * q * q cells, of which each rank has q, one in each layer, so placed that each rank has one
 * in every row and column of cells too (diagonal multi-partitioning). One pending request a cell, one wait a
 * step. */

enum { POINT = 5, BT_STEPS = 5, BT_EDGE = 64 };

static int square_side(int nranks)
{
    int q = 1;
    while ((q + 1) * (q + 1) <= nranks)
        q++;
    return q;
}

/* Points along the edge of a cell. */
static int64_t cell_edge(const struct bench *b)
{
    int64_t q = square_side(b->nranks), points = pattern_scaled(b, BT_EDGE * BT_EDGE * BT_EDGE), edge = 1;
    while ((edge + 1) * q * (edge + 1) * q * (edge + 1) * q <= points)
        edge++;
    return edge;
}

static void define_btio(struct bench *b)
{
    int q = square_side(b->nranks);
    int64_t edge = cell_edge(b);
    int dims[5] = { define_dim(b, "step", NC_UNLIMITED), define_dim(b, "z", edge * q),
                    define_dim(b, "y", edge * q), define_dim(b, "x", edge * q),
                    define_dim(b, "value", POINT) };
    define_double(b, "u", 5, dims, b->vars);
    b->n = BT_STEPS * q * edge * edge * edge * POINT;
    b->peer = (b->rank + 1) % (q * q);
}

static void move_btio(struct bench *b, bool puts)
{
    int q = square_side(b->nranks), rank = puts ? b->rank : b->peer;
    int64_t edge = cell_edge(b), row = rank / q, column = rank % q;
    double *at = puts ? b->values : b->others;
    for (int step = 0; step < BT_STEPS; step++) {
        for (int64_t cell = 0; cell < q && rank < q * q; cell++, at += edge * edge * edge * POINT) {
            MPI_Offset start[5] = { step, cell * edge, (row + q - cell) % q * edge,
                                    (column + cell) % q * edge };
            MPI_Offset count[5] = { 1, edge, edge, edge, POINT };
            pattern_check(puts ? ncmpi_iput_vara_double(b->ncid, b->vars[0], start, count, at, NULL)
                               : ncmpi_iget_vara_double(b->ncid, b->vars[0], start, count, at, NULL),
                          "posting cells of");
        }
        pattern_check(ncmpi_wait_all(b->ncid, NC_REQ_ALL, NULL, NULL), "waiting for cells of");
    }
}

static void put_btio(struct bench *b)
{
    move_btio(b, true);
}

static void get_btio(struct bench *b)
{
    move_btio(b, false);
}

/* ---- S3D-IO: a restart of 11 species, temperature, pressure and three velocities at the points of a 3-D
 * grid that is cut into blocks, one a rank; variables of four and of three dimensions. Four pending requests,
 * one wait. */

enum { S3D_VARS = 4, S3D_EDGE = 40 };

static const int s3d_parts[S3D_VARS] = { 11, 1, 1, 3 }; /* values a point */

/* The edge of a rank's block, in points. */
static int64_t block_edge(const struct bench *b)
{
    int64_t points = pattern_scaled(b, S3D_EDGE * S3D_EDGE * S3D_EDGE), edge = 1;
    while ((edge + 1) * (edge + 1) * (edge + 1) <= points)
        edge++;
    return edge;
}

static void define_s3d(struct bench *b)
{
    static const char *const names[S3D_VARS] = { "yspecies", "temp", "pressure", "u" };
    int grid[3] = { 0 }, dims[4];
    int64_t edge = block_edge(b);
    MPI_Dims_create(b->nranks, 3, grid);
    dims[1] = define_dim(b, "z", edge * grid[2]);
    dims[2] = define_dim(b, "y", edge * grid[1]);
    dims[3] = define_dim(b, "x", edge * grid[0]);
    for (int v = 0; v < S3D_VARS; v++) {
        if (s3d_parts[v] > 1)
            dims[0] = define_dim(b, v == 0 ? "species" : "component", s3d_parts[v]);
        define_double(b, names[v], s3d_parts[v] > 1 ? 4 : 3, s3d_parts[v] > 1 ? dims : dims + 1, &b->vars[v]);
        b->n = (v == 0 ? 0 : b->n) + s3d_parts[v] * edge * edge * edge;
    }
}

static void move_s3d(struct bench *b, bool puts)
{
    int grid[3] = { 0 }, rank = puts ? b->rank : b->peer;
    int64_t edge = block_edge(b);
    double *at = puts ? b->values : b->others;
    MPI_Dims_create(b->nranks, 3, grid);
    MPI_Offset start[4] = { 0, rank / (grid[0] * grid[1]) * edge, rank / grid[0] % grid[1] * edge,
                            rank % grid[0] * edge };
    MPI_Offset count[4] = { 0, edge, edge, edge };
    for (int v = 0; v < S3D_VARS; at += s3d_parts[v++] * edge * edge * edge) {
        int skip = s3d_parts[v] == 1;
        count[0] = s3d_parts[v];
        pattern_check(puts
                          ? ncmpi_iput_vara_double(b->ncid, b->vars[v], start + skip, count + skip, at, NULL)
                          : ncmpi_iget_vara_double(b->ncid, b->vars[v], start + skip, count + skip, at, NULL),
                      "posting blocks of");
    }
    pattern_check(ncmpi_wait_all(b->ncid, NC_REQ_ALL, NULL, NULL), "waiting for blocks of");
}

static void put_s3d(struct bench *b)
{
    move_s3d(b, true);
}

static void get_s3d(struct bench *b)
{
    move_s3d(b, false);
}

const struct pattern kernel_patterns[] = {
    { "flash", define_flash, make_flash, put_flash, get_flash, 8, NULL },
    { "btio", define_btio, pattern_doubles, put_btio, get_btio, 8, NULL },
    { "s3d", define_s3d, pattern_doubles, put_s3d, get_s3d, 8, NULL },
    { .name = NULL },
};
