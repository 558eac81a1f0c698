/* Fixes: what a call needs beside the user's arrays, whatever its shape: at most 48 MiB, and 32 bytes a piece
 * of a list. 256 MiB in one piece, with and without conversion, a strided block of two million rows, a list
 * of two million pieces, put and got, each rank with its own part; pending requests take what inq_malloc_size
 * says of them, and their wait no more than a list; a header of 200,000 variables at most 4 bytes for each
 * of its own and 16 MiB. Measured twice: the growth of the peak resident set (VmHWM, which has MPI's part in
 * it), and the peak of what the library counts (inq_malloc_max_size).
 *
 *     memory_shapes [DIR [PERCENT]] */

#include <malloc.h>
#include "residency.h"
#include "together.h"

enum {
    MIB = 1 << 20,
    BOUND = 48,
    A_PIECE = 32,
    DEPTH = 1000,
    VARIABLES = 200000,
    NAME = 40,
    HEADER_MIB = 16,
    A_BYTE = 4
};

struct need {
    int64_t resident, counted;
};

static int64_t percent = 100;
static struct need base;

/* False where the kernel does not let us. */
static bool begin(void)
{
    MPI_Offset held = 0;
    malloc_trim(0); /* or what was freed before would be used again unseen */
    bool good = residency_reset_peak();
    base.resident = residency_bytes("VmRSS:");
    CHECK_NC(ncmpi_inq_malloc_size(&held), NC_NOERR);
    base.counted = held;
    MPI_Barrier(MPI_COMM_WORLD);
    return together_all(good && base.resident > 0);
}

/* The library's peak is of all its life: rising bounds keep an earlier call from being blamed on a later. */
static struct need end(const char *what, int64_t most)
{
    MPI_Offset peak = 0;
    CHECK_NC(ncmpi_inq_malloc_max_size(&peak), NC_NOERR);
    struct need need = { residency_bytes("VmHWM:") - base.resident, peak - base.counted };
    CHECK(need.resident <= most, "%s: rank %d needed %lld bytes, more than %lld", what, my_rank,
          (long long)need.resident, (long long)most);
    CHECK(need.counted <= most, "%s: rank %d allocated %lld bytes, more than %lld", what, my_rank,
          (long long)need.counted, (long long)most);
    if (my_rank == 0)
        printf("%-28s %6.1f MiB resident, %6.1f allocated, at most %.1f\n", what, (double)need.resident / MIB,
               (double)need.counted / MIB, (double)most / MIB);
    return need;
}

static int64_t scaled(int64_t n)
{
    return n * percent / 100;
}

static int make_file(int type, int ndims, const MPI_Offset *shape)
{
    int ncid = -1, dims[3], var;
    char name[8];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
             NC_NOERR);
    for (int d = 0; d < ndims; d++) {
        snprintf(name, sizeof name, "d%d", d);
        CHECK_NC(ncmpi_def_dim(ncid, name, shape[d], &dims[d]), NC_NOERR);
    }
    CHECK_NC(ncmpi_def_var(ncid, "v", type, ndims, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "first", NC_INT, 1, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    /* what MPI allocates once is not this call's */
    MPI_Offset start[1] = { my_rank }, count[1] = { 4 }, stride[1] = { my_size };
    int four[4] = { 0 };
    CHECK_NC(ncmpi_put_vars_int_all(ncid, var, start, count, stride, four), NC_NOERR);
    return ncid;
}

/* ---- 256 MiB a rank in one piece */

static bool one_piece(bool is_converted)
{
    int64_t n = scaled((int64_t)256 * MIB) / (is_converted ? 8 : 4), bad = 0;
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, n }, shape[2] = { my_size, n };
    double *doubles = is_converted ? malloc((size_t)n * sizeof *doubles) : NULL;
    float *floats = is_converted ? NULL : malloc((size_t)n * sizeof *floats);
    for (int64_t i = 0; i < n; i++)
        if (is_converted)
            doubles[i] = (double)(i % 1000 + my_rank);
        else
            floats[i] = (float)(i % 1000 + my_rank);
    shape[1] = n < 4 * my_size ? 4 * my_size : n;
    int ncid = make_file(NC_FLOAT, 2, (MPI_Offset[]){ shape[0] * 8, shape[1] });
    bool possible = begin();
    CHECK_NC(is_converted ? ncmpi_put_vara_double_all(ncid, 0, start, count, doubles)
                          : ncmpi_put_vara_float_all(ncid, 0, start, count, floats),
             NC_NOERR);
    end(is_converted ? "doubles into floats, put" : "floats, put", (int64_t)BOUND * MIB);
    begin();
    CHECK_NC(is_converted ? ncmpi_get_vara_double_all(ncid, 0, start, count, doubles)
                          : ncmpi_get_vara_float_all(ncid, 0, start, count, floats),
             NC_NOERR);
    end(is_converted ? "floats as doubles, got" : "floats, got", (int64_t)BOUND * MIB);
    for (int64_t i = 0; i < n; i++)
        bad += (is_converted ? doubles[i] : (double)floats[i]) != (double)(i % 1000 + my_rank);
    CHECK_INT(bad, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(doubles);
    free(floats);
    return possible;
}

/* ---- every second row of a block, two million rows of 16 bytes that lie between the other ranks' */

static void many_rows(void)
{
    MPI_Offset rows = scaled(2000), shape[3] = { DEPTH, 2 * rows, 4 * my_size },
               count[3] = { DEPTH, rows, 4 };
    MPI_Offset start[3] = { 0, 0, 4 * my_rank }, stride[3] = { 1, 2, 1 };
    int64_t n = DEPTH * rows * 4, bad = 0;
    int *values = malloc((size_t)n * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        values[i] = (int)i * 3 + my_rank;
    int ncid = make_file(NC_INT, 3, shape);
    begin();
    CHECK_NC(ncmpi_put_vars_int_all(ncid, 0, start, count, stride, values), NC_NOERR);
    end("two million rows, put", (int64_t)BOUND * MIB);
    begin();
    CHECK_NC(ncmpi_get_vars_int_all(ncid, 0, start, count, stride, values), NC_NOERR);
    end("two million rows, got", (int64_t)BOUND * MIB);
    for (int64_t i = 0; i < n; i++)
        bad += values[i] != (int)i * 3 + my_rank;
    CHECK_INT(bad, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(values);
}

/* ---- two million pieces of 4 bytes, as a list and as requests */

struct list {
    int64_t n;
    MPI_Offset *starts, **at;
    int *values;
};

static struct list make_list(int64_t n)
{
    struct list l = { n, malloc((size_t)n * sizeof *l.starts), malloc((size_t)n * sizeof *l.at),
                      malloc((size_t)n * sizeof *l.values) };
    for (int64_t i = 0; i < n; i++) {
        l.starts[i] = i * (my_size + (my_size == 1)) + my_rank; /* no two of one rank touch */
        l.at[i] = &l.starts[i];
        l.values[i] = (int)i * 5 + my_rank;
    }
    return l;
}

static void check_list(struct list *l)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < l->n; i++)
        bad += l->values[i] != (int)i * 5 + my_rank;
    CHECK_INT(bad, 0);
    free(l->starts);
    free(l->at);
    free(l->values);
}

static void many_pieces(void)
{
    struct list l = make_list(scaled(2000000));
    int64_t most = (int64_t)BOUND * MIB + A_PIECE * l.n;
    int ncid = make_file(NC_INT, 1, (MPI_Offset[]){ 2 * l.n * my_size });
    begin();
    CHECK_NC(ncmpi_put_varn_int_all(ncid, 0, (int)l.n, l.at, NULL, l.values), NC_NOERR);
    end("two million pieces, put", most);
    memset(l.values, 0xff, (size_t)l.n * sizeof *l.values);
    begin();
    CHECK_NC(ncmpi_get_varn_int_all(ncid, 0, (int)l.n, l.at, NULL, l.values), NC_NOERR);
    end("two million pieces, got", most);
    check_list(&l);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* What pending requests hold is what inq_malloc_size says; their wait is a call like any other. */
static void many_requests(void)
{
    struct list l = make_list(scaled(500000));
    MPI_Offset held = 0;
    int ncid = make_file(NC_INT, 1, (MPI_Offset[]){ 2 * l.n * my_size }), bad = 0;
    begin();
    for (int64_t i = 0; i < l.n; i++)
        bad += ncmpi_iput_var1_int(ncid, 0, l.at[i], &l.values[i], NULL) != NC_NOERR;
    CHECK_INT(bad, 0);
    CHECK_NC(ncmpi_inq_malloc_size(&held), NC_NOERR);
    int64_t counted = held - base.counted, resident = residency_bytes("VmRSS:") - base.resident;
    CHECK(resident <= counted + counted / 4 + 4 * MIB, "rank %d: %lld bytes of requests take %lld", my_rank,
          (long long)counted, (long long)resident);
    CHECK(counted <= 112 * l.n + MIB, "rank %d: %lld bytes for %lld requests", my_rank, (long long)counted,
          (long long)l.n);
    if (my_rank == 0)
        printf("%-28s %6.1f bytes each, %.1f resident\n", "pending requests", (double)counted / (double)l.n,
               (double)resident / (double)l.n);
    begin();
    CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    end("their wait", (int64_t)BOUND * MIB + A_PIECE * l.n);
    CHECK_NC(ncmpi_get_varn_int_all(ncid, 0, (int)l.n, l.at, NULL, l.values), NC_NOERR);
    check_list(&l);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- a large header */

static void define(int ncid, int64_t n)
{
    int dim, var, bad = 0;
    char name[NAME];
    CHECK_NC(ncmpi_def_dim(ncid, "x", 1, &dim), NC_NOERR);
    for (int64_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "a_variable_of_many_%08d", (int)i);
        bad += ncmpi_def_var(ncid, name, NC_INT, 1, &dim, &var) != NC_NOERR;
        bad += ncmpi_put_att_text(ncid, var, "units", 5, "kg/m3") != NC_NOERR;
    }
    CHECK_INT(bad, 0);
}

static void large_header(void)
{
    int ncid = -1, n = 0;
    int64_t variables = scaled(VARIABLES);
    MPI_Offset bytes = 100 * (MPI_Offset)variables, size = 0;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
             NC_NOERR);
    begin();
    define(ncid, variables);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_header_size(ncid, &size), NC_NOERR);
    CHECK(size >= bytes, "a header of %lld bytes", (long long)size);
    end("a large header, defined", HEADER_MIB * (int64_t)MIB + A_BYTE * size);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    begin();
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    struct need need = end("a large header, opened", HEADER_MIB * (int64_t)MIB + A_BYTE * size);
    CHECK_NC(ncmpi_inq_nvars(ncid, &n), NC_NOERR);
    CHECK_INT(n, variables);
    if (my_rank == 0)
        printf("%-28s %6.1f bytes resident a byte of %lld\n", "", (double)need.resident / (double)size,
               (long long)size);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    MPI_Offset held = 0;
    together_begin(&argc, &argv, "memory_shapes", 110);
    percent = argc > 2 ? atoll(argv[2]) : 100;
    bool possible = one_piece(false) && one_piece(true);
    if (possible) {
        many_rows();
        many_pieces();
        many_requests();
        large_header();
        CHECK_NC(ncmpi_inq_malloc_size(&held), NC_NOERR);
        CHECK_INT(held, 0);
    }
    int bad = together_end("memory_shapes");
    return !possible && !bad ? CHECK_SKIP : bad;
}
