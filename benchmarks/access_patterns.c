/* The eight patterns of access: see patterns.h. */

#include <stdio.h>
#include <pnetcdf.h>
#include "patterns.h"

/* ---- float slabs: each rank has a contiguous half of one variable; double to float */

enum { SLAB_CALLS = 4 };

static void define_slabs(struct bench *b, int64_t mib)
{
    int dims[2];
    b->n = pattern_scaled(b, mib << 20) / 4 / b->nranks / SLAB_CALLS * SLAB_CALLS;
    pattern_check(ncmpi_def_dim(b->ncid, "part", b->nranks, &dims[0]), "dimension of");
    pattern_check(ncmpi_def_dim(b->ncid, "x", b->n, &dims[1]), "dimension of");
    pattern_check(ncmpi_def_var(b->ncid, "slabs", NC_FLOAT, 2, dims, b->vars), "variable of");
}

static void define_large(struct bench *b)
{
    define_slabs(b, 256);
}

static void define_converted(struct bench *b)
{
    define_slabs(b, 64);
}

static void move_slabs(struct bench *b, bool puts, bool doubles)
{
    MPI_Offset part = b->n / SLAB_CALLS, count[2] = { 1, part };
    for (int i = 0; i < SLAB_CALLS; i++) {
        MPI_Offset start[2] = { puts ? b->rank : b->peer, i * part };
        void *at = (char *)(puts ? b->values : b->others) + i * part * (doubles ? 8 : 4);
        if (doubles)
            pattern_check(puts ? ncmpi_put_vara_double_all(b->ncid, b->vars[0], start, count, at)
                               : ncmpi_get_vara_double_all(b->ncid, b->vars[0], start, count, at),
                          "moving slabs of");
        else
            pattern_check(puts ? ncmpi_put_vara_float_all(b->ncid, b->vars[0], start, count, at)
                               : ncmpi_get_vara_float_all(b->ncid, b->vars[0], start, count, at),
                          "moving slabs of");
    }
}

static void put_slabs(struct bench *b)
{
    move_slabs(b, true, false);
}

static void get_slabs(struct bench *b)
{
    move_slabs(b, false, false);
}

static void put_converted(struct bench *b)
{
    move_slabs(b, true, true);
}

static void get_converted(struct bench *b)
{
    move_slabs(b, false, true);
}

/* ---- 2-D blocks in a 3-D variable of doubles: rows of 256 values; ranks stand in a near-square grid */

enum { ROW = 256, ROWS = 256 };

static void grid_of(int nranks, int grid[2])
{
    grid[0] = grid[1] = 0;
    MPI_Dims_create(nranks, 2, grid);
}

static void define_blocks(struct bench *b)
{
    int grid[2], dims[3];
    grid_of(b->nranks, grid);
    int64_t levels = pattern_scaled(b, 128 << 20) / 8 / ROW / ROWS / b->nranks;
    levels = levels < 1 ? 1 : levels;
    pattern_check(ncmpi_def_dim(b->ncid, "z", levels, &dims[0]), "dimension of");
    pattern_check(ncmpi_def_dim(b->ncid, "y", (MPI_Offset)ROWS * grid[1], &dims[1]), "dimension of");
    pattern_check(ncmpi_def_dim(b->ncid, "x", (MPI_Offset)ROW * grid[0], &dims[2]), "dimension of");
    pattern_check(ncmpi_def_var(b->ncid, "block", NC_DOUBLE, 3, dims, b->vars), "variable of");
    b->n = levels * ROW * ROWS;
}

static void move_blocks(struct bench *b, bool puts)
{
    int grid[2], rank = puts ? b->rank : b->peer;
    grid_of(b->nranks, grid);
    MPI_Offset start[3] = { 0, (MPI_Offset)ROWS * (rank / grid[0]), (MPI_Offset)ROW * (rank % grid[0]) };
    MPI_Offset count[3] = { b->n / ROW / ROWS, ROWS, ROW };
    pattern_check(puts ? ncmpi_put_vara_double_all(b->ncid, b->vars[0], start, count, b->values)
                       : ncmpi_get_vara_double_all(b->ncid, b->vars[0], start, count, b->others),
                  "moving blocks of");
}

static void put_blocks(struct bench *b)
{
    move_blocks(b, true);
}

static void get_blocks(struct bench *b)
{
    move_blocks(b, false);
}

/* ---- record variables: 100 of them, 20 steps, 4 KiB a rank and variable and step */

enum { RECORD_VARS = 100, STEPS = 20, RECORD = 1024 };

static void define_records(struct bench *b)
{
    int dims[2];
    char name[16];
    pattern_check(ncmpi_def_dim(b->ncid, "time", NC_UNLIMITED, &dims[0]), "dimension of");
    pattern_check(ncmpi_def_dim(b->ncid, "x", (MPI_Offset)RECORD * b->nranks, &dims[1]), "dimension of");
    for (int v = 0; v < RECORD_VARS; v++) {
        snprintf(name, sizeof name, "field%d", v);
        pattern_check(ncmpi_def_var(b->ncid, name, NC_FLOAT, 2, dims, &b->vars[v]), "variable of");
    }
    b->n = (int64_t)RECORD * RECORD_VARS * pattern_scaled(b, STEPS);
}

static void move_records(struct bench *b, bool puts, bool pending)
{
    int64_t steps = pattern_scaled(b, STEPS);
    float *at = puts ? b->values : b->others;
    MPI_Offset start[2] = { 0, (MPI_Offset)RECORD * (puts ? b->rank : b->peer) }, count[2] = { 1, RECORD };
    for (; start[0] < steps; start[0]++) {
        for (int v = 0; v < RECORD_VARS; v++, at += RECORD) {
            if (pending)
                pattern_check(puts ? ncmpi_iput_vara_float(b->ncid, b->vars[v], start, count, at, NULL)
                                   : ncmpi_iget_vara_float(b->ncid, b->vars[v], start, count, at, NULL),
                              "posting records of");
            else
                pattern_check(puts ? ncmpi_put_vara_float_all(b->ncid, b->vars[v], start, count, at)
                                   : ncmpi_get_vara_float_all(b->ncid, b->vars[v], start, count, at),
                              "moving records of");
        }
        if (pending)
            pattern_check(ncmpi_wait_all(b->ncid, NC_REQ_ALL, NULL, NULL), "waiting for records of");
    }
}

static void put_records(struct bench *b)
{
    move_records(b, true, false);
}

static void get_records(struct bench *b)
{
    move_records(b, false, false);
}

static void put_pending_records(struct bench *b)
{
    move_records(b, true, true);
}

static void get_pending_records(struct bench *b)
{
    move_records(b, false, true);
}

/* ---- lists: pieces of 64 bytes (8 doubles, or --width) dealt round to the ranks */

static void define_list(struct bench *b)
{
    int dim;
    b->n = pattern_scaled(b, b->s->pieces) * b->s->width;
    pattern_check(ncmpi_def_dim(b->ncid, "x", b->n * b->nranks, &dim), "dimension of");
    pattern_check(ncmpi_def_var(b->ncid, "list", NC_DOUBLE, 1, &dim, b->vars), "variable of");
}

static void make_list(struct bench *b, int rank)
{
    int64_t pieces = b->n / b->s->width;
    pattern_doubles(b, rank);
    if (!b->starts) {
        b->starts = bench_alloc(2 * (size_t)pieces, sizeof *b->starts);
        b->counts = b->starts + pieces;
        b->numbers = bench_alloc((size_t)pieces + 1, sizeof *b->numbers);
    }
    b->numbers[pieces] = b->s->width;
    for (int64_t i = 0; i < pieces; i++) {
        b->numbers[i] = (i * b->nranks + rank) * b->s->width;
        b->starts[i] = &b->numbers[i];
        b->counts[i] = &b->numbers[pieces];
    }
}

static void put_list(struct bench *b)
{
    pattern_check(ncmpi_put_varn_double_all(b->ncid, b->vars[0], (int)(b->n / b->s->width), b->starts,
                                            b->counts, b->values),
                  "writing a list to");
}

static void get_list(struct bench *b)
{
    pattern_check(ncmpi_get_varn_double_all(b->ncid, b->vars[0], (int)(b->n / b->s->width), b->starts,
                                            b->counts, b->others),
                  "reading a list from");
}

/* ---- pending requests of 16 bytes (2 doubles), dealt round to the ranks */

enum { REQUEST = 2 };

static void define_requests(struct bench *b)
{
    int dim;
    b->n = pattern_scaled(b, b->s->requests) * REQUEST;
    pattern_check(ncmpi_def_dim(b->ncid, "x", b->n * b->nranks, &dim), "dimension of");
    pattern_check(ncmpi_def_var(b->ncid, "requests", NC_DOUBLE, 1, &dim, b->vars), "variable of");
}

static void move_requests(struct bench *b, bool puts)
{
    MPI_Offset count = REQUEST;
    for (int64_t i = 0; i < b->n / REQUEST; i++) {
        MPI_Offset start = (i * b->nranks + (puts ? b->rank : b->peer)) * REQUEST;
        double *at = (double *)(puts ? b->values : b->others) + i * REQUEST;
        pattern_check(puts ? ncmpi_iput_vara_double(b->ncid, b->vars[0], &start, &count, at, NULL)
                           : ncmpi_iget_vara_double(b->ncid, b->vars[0], &start, &count, at, NULL),
                      "posting to");
    }
    pattern_check(ncmpi_wait_all(b->ncid, NC_REQ_ALL, NULL, NULL), "waiting for");
}

static void put_requests(struct bench *b)
{
    move_requests(b, true);
}

static void get_requests(struct bench *b)
{
    move_requests(b, false);
}

/* ---- independent calls of 1 KiB (128 doubles) */

enum { SMALL = 128, SMALL_CALLS = 20000 };

static void define_small(struct bench *b)
{
    int dims[2];
    b->n = pattern_scaled(b, SMALL_CALLS) * SMALL;
    pattern_check(ncmpi_def_dim(b->ncid, "part", b->nranks, &dims[0]), "dimension of");
    pattern_check(ncmpi_def_dim(b->ncid, "x", b->n, &dims[1]), "dimension of");
    pattern_check(ncmpi_def_var(b->ncid, "small", NC_DOUBLE, 2, dims, b->vars), "variable of");
}

static void move_small(struct bench *b, bool puts)
{
    MPI_Offset start[2] = { puts ? b->rank : b->peer, 0 }, count[2] = { 1, SMALL };
    pattern_check(ncmpi_begin_indep_data(b->ncid), "leaving collective mode of");
    for (; start[1] < b->n; start[1] += SMALL) {
        double *at = (double *)(puts ? b->values : b->others) + start[1];
        pattern_check(puts ? ncmpi_put_vara_double(b->ncid, b->vars[0], start, count, at)
                           : ncmpi_get_vara_double(b->ncid, b->vars[0], start, count, at),
                      "moving a little of");
    }
    pattern_check(ncmpi_end_indep_data(b->ncid), "returning to collective mode of");
}

static void put_small(struct bench *b)
{
    move_small(b, true);
}

static void get_small(struct bench *b)
{
    move_small(b, false);
}

const struct pattern access_patterns[] = {
    { "slabs", define_large, pattern_floats, put_slabs, get_slabs, 4, NULL },
    { "converted", define_converted, pattern_doubles, put_converted, get_converted, 8, NULL },
    { "blocks", define_blocks, pattern_doubles, put_blocks, get_blocks, 8, NULL },
    { "records", define_records, pattern_floats, put_records, get_records, 4, NULL },
    { "pending", define_records, pattern_floats, put_pending_records, get_pending_records, 4, NULL },
    { "list", define_list, make_list, put_list, get_list, 8, NULL },
    { "requests", define_requests, pattern_doubles, put_requests, get_requests, 8, NULL },
    { "small", define_small, pattern_doubles, put_small, get_small, 8, NULL },
    { .name = NULL },
};
