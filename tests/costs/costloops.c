/* The hot paths, each as a loop of n units, for costs_test.py, which counts instructions: it runs this under
 * callgrind, which writes what was counted in each call of `cost_measured` and nothing else. Each loop is
 * measured with n and with 2 n units, so that what a call costs once drops out. Files are in memory: what is
 * counted is the library's. One rank; on two ranks the loops that need messages.
 *
 *     costloops [NAME]     prints a line for each call of cost_measured: name, n */

#include <string.h>
#include "together.h"

enum { SIDE = 64, PIECE = 16, ROW = 64 };

struct loop {
    const char *name;
    int64_t n; /* of the first measurement */
    void (*make)(int64_t n);
    int (*run)(int64_t n); /* an NC_ code */
    bool pair;             /* on two ranks */
};

static int ncid, var;
static double *doubles;
static float *floats;
static MPI_Offset **starts, **counts, *numbers;
static char (*names)[16];

static void *room(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        exit(1);
    return p;
}

static void create(const char *engine)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", engine);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
}

/* One variable of floats, of rows x columns elements. */
static void make_floats(const char *engine, int64_t rows, int64_t columns, bool is_record)
{
    int dims[2];
    create(engine);
    CHECK_NC(ncmpi_def_dim(ncid, "row", is_record ? NC_UNLIMITED : rows, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "column", columns, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_FLOAT, 2, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    doubles = room((size_t)(rows * columns), sizeof *doubles);
    floats = room((size_t)(rows * columns), sizeof *floats);
    for (int64_t i = 0; i < rows * columns; i++)
        floats[i] = (float)(doubles[i] = (double)(i % 1000));
}

/* ---- elements: one call */

static void make_line(int64_t n)
{
    make_floats("memory", 1, n, false);
}

static int put_float(int64_t n)
{
    return ncmpi_put_vara_float_all(ncid, var, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, n }, floats);
}

static int get_float(int64_t n)
{
    return ncmpi_get_vara_float_all(ncid, var, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, n }, floats);
}

static int put_double(int64_t n)
{
    return ncmpi_put_vara_double_all(ncid, var, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, n }, doubles);
}

static int get_double(int64_t n)
{
    return ncmpi_get_vara_double_all(ncid, var, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, n }, doubles);
}

static void make_rows(int64_t n)
{
    make_floats("memory", n / SIDE, SIDE, false);
}

static int put_imap(int64_t n)
{
    MPI_Offset count[2] = { n / SIDE, SIDE }, imap[2] = { 1, n / SIDE };
    return ncmpi_put_varm_double_all(ncid, var, (MPI_Offset[]){ 0, 0 }, count, NULL, imap, doubles);
}

static int get_imap(int64_t n)
{
    MPI_Offset count[2] = { n / SIDE, SIDE }, imap[2] = { 1, n / SIDE };
    return ncmpi_get_varm_double_all(ncid, var, (MPI_Offset[]){ 0, 0 }, count, NULL, imap, doubles);
}

/* Every second element of the memory. */
static void make_spread(int64_t n)
{
    make_floats("memory", 2, n, false);
}

static int put_spread(int64_t n)
{
    MPI_Datatype every_second;
    MPI_Type_vector((int)n, 1, 2, MPI_FLOAT, &every_second);
    MPI_Type_commit(&every_second);
    int err = ncmpi_put_vara_all(ncid, var, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, n }, floats, 1,
                                 every_second);
    MPI_Type_free(&every_second);
    return err;
}

/* Enough of them for several rounds. */
static void make_sparse(int64_t n)
{
    make_floats("memory", n / SIDE, 2 * SIDE, false);
}

static int put_stride(int64_t n)
{
    MPI_Offset count[2] = { n / SIDE, SIDE }, stride[2] = { 1, 2 };
    return ncmpi_put_vars_float_all(ncid, var, (MPI_Offset[]){ 0, 0 }, count, stride, floats);
}

/* ---- pieces of 64 bytes, no two of which touch */

static void make_pieces(int64_t n)
{
    make_floats(my_size > 1 ? "mpiio" : "memory", 1, 2 * n * PIECE, false);
    starts = room((size_t)n, sizeof *starts);
    counts = room((size_t)n, sizeof *counts);
    numbers = room((size_t)(2 * n) + 2, sizeof *numbers);
    numbers[2 * n] = 1;
    numbers[2 * n + 1] = PIECE;
    for (int64_t i = 0; i < n; i++) {
        numbers[2 * i + 1] = 2 * i * PIECE;
        starts[i] = &numbers[2 * i];
        counts[i] = &numbers[2 * n];
    }
}

static int put_varn(int64_t n)
{
    return ncmpi_put_varn_float_all(ncid, var, (int)n, starts, counts, floats);
}

static int get_varn(int64_t n)
{
    return ncmpi_get_varn_float_all(ncid, var, (int)n, starts, counts, floats);
}

/* ---- requests and calls, of 16 floats each */

static int iput(int64_t n)
{
    int err = NC_NOERR;
    for (int64_t i = 0; i < n && !err; i++)
        err = ncmpi_iput_vara_float(ncid, var, starts[i], counts[i], floats + i * PIECE, NULL);
    return err ? err : ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL);
}

static int iget(int64_t n)
{
    int err = NC_NOERR;
    for (int64_t i = 0; i < n && !err; i++)
        err = ncmpi_iget_vara_float(ncid, var, starts[i], counts[i], floats + i * PIECE, NULL);
    return err ? err : ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL);
}

static int small_put_all(int64_t n)
{
    int err = NC_NOERR;
    for (int64_t i = 0; i < n && !err; i++)
        err = ncmpi_put_vara_float_all(ncid, var, starts[i], counts[i], floats);
    return err;
}

static void make_deferred(int64_t n)
{
    setenv("PNETCDF_HINTS", "pcdf_defer=67108864", 1);
    make_pieces(n);
    unsetenv("PNETCDF_HINTS");
}

/* Until they are written. */
static int deferred_put_all(int64_t n)
{
    int err = small_put_all(n);
    return err ? err : ncmpi_sync(ncid);
}

static void make_pieces_alone(int64_t n)
{
    make_pieces(n);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
}

static int small_put(int64_t n)
{
    int err = NC_NOERR;
    for (int64_t i = 0; i < n && !err; i++)
        err = ncmpi_put_vara_float(ncid, var, starts[i], counts[i], floats);
    return err;
}

static void make_deferred_alone(int64_t n)
{
    make_deferred(n);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
}

static int deferred_put(int64_t n)
{
    int err = small_put(n);
    return err ? err : ncmpi_flush(ncid);
}

static int small_get(int64_t n)
{
    int err = NC_NOERR;
    for (int64_t i = 0; i < n && !err; i++)
        err = ncmpi_get_vara_float(ncid, var, starts[i], counts[i], floats);
    return err;
}

static void make_records(int64_t n)
{
    make_floats("memory", n, ROW, true);
}

/* Each adds a record. */
static int put_record(int64_t n)
{
    int err = NC_NOERR;
    for (int64_t i = 0; i < n && !err; i++)
        err = ncmpi_put_vara_float_all(ncid, var, (MPI_Offset[]){ i, 0 }, (MPI_Offset[]){ 1, ROW }, floats);
    return err;
}

/* ---- definitions: variables with three attributes */

static void make_empty(int64_t n)
{
    create("memory");
    names = room((size_t)n, sizeof *names);
    for (int64_t i = 0; i < n; i++)
        snprintf(names[i], sizeof names[i], "variable%d", (int)i);
}

static int define(int64_t n)
{
    int dim, id, err = ncmpi_def_dim(ncid, "x", 4, &dim);
    for (int64_t i = 0; i < n && !err; i++) {
        err = ncmpi_def_var(ncid, names[i], NC_FLOAT, 1, &dim, &id);
        err = err ? err : ncmpi_put_att_text(ncid, id, "units", 5, "kg/m3");
        err = err ? err : ncmpi_put_att_text(ncid, id, "long_name", 16, "a long name of a");
        err = err ? err : ncmpi_put_att_float(ncid, id, "valid_range", NC_FLOAT, 2, (float[]){ 0, 1 });
    }
    return err;
}

static int enddef(int64_t n)
{
    (void)n;
    return ncmpi_enddef(ncid);
}

static void make_defined(int64_t n)
{
    make_empty(n);
    CHECK_NC(define(n), NC_NOERR);
}

static void make_closed(int64_t n)
{
    make_defined(n);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    ncid = -1;
}

static int reopen(int64_t n)
{
    MPI_Info info;
    (void)n;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "memory");
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid);
    MPI_Info_free(&info);
    return err;
}

static void make_opened(int64_t n)
{
    make_closed(n);
    CHECK_NC(reopen(n), NC_NOERR);
}

static int look_up(int64_t n)
{
    int err = NC_NOERR, id = 0;
    for (int64_t i = 0; i < n && !err; i++)
        err = ncmpi_inq_varid(ncid, names[i], &id);
    return err;
}

/* ---- two ranks whose pieces lie between each other: one call together */

static void make_dealt(int64_t n)
{
    make_pieces(n);
    for (int64_t i = 0; i < n; i++)
        numbers[2 * i + 1] = (2 * i + my_rank) * PIECE;
}

static void make_dealt_file(int64_t n)
{
    make_dealt(n);
    CHECK_NC(ncmpi_put_varn_float_all(ncid, var, (int)n, starts, counts, floats), NC_NOERR);
}

/* Rows of a block beside the other rank's. */
static void make_block(int64_t n)
{
    make_floats("mpiio", n, 2 * PIECE, false);
}

static int put_block(int64_t n)
{
    MPI_Offset start[2] = { 0, my_rank * PIECE }, count[2] = { n, PIECE };
    return ncmpi_put_vara_float_all(ncid, var, start, count, floats);
}

static void make_block_file(int64_t n)
{
    make_block(n);
    CHECK_NC(put_block(n), NC_NOERR);
}

static int get_block(int64_t n)
{
    MPI_Offset start[2] = { 0, my_rank * PIECE }, count[2] = { n, PIECE };
    return ncmpi_get_vara_float_all(ncid, var, start, count, floats);
}

static const struct loop loops[] = {
    { "put_float", 1 << 18, make_line, put_float, false },
    { "get_float", 1 << 18, make_line, get_float, false },
    { "put_double_to_float", 1 << 18, make_line, put_double, false },
    { "get_float_to_double", 1 << 18, make_line, get_double, false },
    { "put_imap", 1 << 17, make_rows, put_imap, false },
    { "get_imap", 1 << 17, make_rows, get_imap, false },
    { "put_spread", 1 << 17, make_spread, put_spread, false },
    { "put_stride", 1 << 17, make_sparse, put_stride, false },
    { "put_varn_piece", 8000, make_pieces, put_varn, false },
    { "get_varn_piece", 8000, make_pieces, get_varn, false },
    { "iput_request", 4000, make_pieces, iput, false },
    { "iget_request", 4000, make_pieces, iget, false },
    { "small_put_all_call", 1000, make_pieces, small_put_all, false },
    { "deferred_put_all_call", 1000, make_deferred, deferred_put_all, false },
    { "small_put_call", 1000, make_pieces_alone, small_put, false },
    { "deferred_put_call", 1000, make_deferred_alone, deferred_put, false },
    { "small_get_call", 1000, make_pieces_alone, small_get, false },
    { "put_record_call", 1000, make_records, put_record, false },
    { "define_variable", 1000, make_empty, define, false },
    { "enddef_variable", 1000, make_defined, enddef, false },
    { "open_variable", 2000, make_closed, reopen, false },
    { "look_up_name", 1000, make_opened, look_up, false },
    { "together_put_piece", 10000, make_dealt, put_varn, true },
    { "together_get_piece", 10000, make_dealt_file, get_varn, true },
    { "together_put_row", 20000, make_block, put_block, true },
    { "together_get_row", 20000, make_block_file, get_block, true },
};

/* Callgrind knows this name. */
__attribute__((noinline)) int cost_measured(const struct loop *loop, int64_t n);
int cost_measured(const struct loop *loop, int64_t n)
{
    int err = loop->run(n);
    __asm__ volatile("" ::: "memory"); /* no tail call, which would leave early */
    return err;
}

static void forget(void)
{
    if (ncid >= 0)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(doubles);
    free(floats);
    free(starts);
    free(counts);
    free(numbers);
    free(names);
    doubles = NULL;
    floats = NULL;
    starts = counts = NULL;
    numbers = NULL;
    names = NULL;
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    int none = 1;
    together_begin(&none, &argv, "costloops", 110);
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        const struct loop *loop = &loops[i];
        if ((*only && strcmp(only, loop->name) != 0) || loop->pair != (my_size == 2))
            continue;
        for (int64_t n = loop->n; n <= 2 * loop->n; n *= 2) {
            loop->make(n);
            MPI_Barrier(MPI_COMM_WORLD);
            CHECK_NC(cost_measured(loop, n), NC_NOERR);
            if (my_rank == 0)
                printf("%s %lld\n", loop->name, (long long)n);
            forget();
        }
    }
    return together_end("costloops");
}
