/* Fixes what parcdf_def_var_quantize does: definitions, attributes, errors, a file that is opened again,
 * ranks that define different things; and that every way to put rounds its values, numbered as they come in
 * the call, on all ranks, with and without deferral, queue, two-phase and conversion, of CDF-1, 2, 5 and
 * netCDF-4; that buffers stay as they were, and that other variables are left alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "together.h"
#include "convert.h"
#include "quantized.h"
#include "quantizer.h"

enum { ROWS = 2, COLS = 700, N = ROWS * COLS, DIGITS = 3 };

/* ---- what is expected */

/* Of a value that is `number` in its call. */
static uint64_t expected(double value, int number, int mode, bool is_double)
{
    const unsigned char fill[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }; /* no value is this one */
    const uint64_t all = is_double ? ~(uint64_t)0 : 0xffffffffu, bits = quantized_bits(value, is_double);
    struct pcdf_quantizer q;
    pcdf_quantizer_make(&q, (struct pcdf_quantize){ (unsigned char)mode, DIGITS },
                        is_double ? NC_DOUBLE : NC_FLOAT, fill);
    if (mode == NC_NOQUANTIZE || value == 0 || value == NC_FILL_FLOAT || isnan(value))
        return bits;
    if (mode == NC_QUANTIZE_GRANULARBR)
        return is_double ? pcdf_quantize_double(&q, bits) : pcdf_quantize_float(&q, (uint32_t)bits);
    if (mode == NC_QUANTIZE_BITGROOM)
        return number % 2 ? bits | (~q.kept & all) : bits & q.kept;
    return (bits + (~q.kept & q.kept >> 1)) & q.kept & all;
}

/* ---- ways to put */

struct put {
    int ncid, var;
    bool is_double;
    MPI_Offset start[2], count[2], stride[2], imap[2];
    void *buf;
    int place[N]; /* each value's, in the rank's rows */
    int memory[N];
    int n;
};

static void add(struct put *p, int place, int memory)
{
    p->place[p->n] = place;
    p->memory[p->n++] = memory;
}

static void add_block(struct put *p)
{
    for (int i = 0; i < N; i++)
        add(p, i, i);
}

#define OF_TYPE(p, call, ...)                                                                                \
    ((p)->is_double ? ncmpi_##call##_double_all(__VA_ARGS__, (p)->buf)                                       \
                    : ncmpi_##call##_float_all(__VA_ARGS__, (p)->buf))
#define POST(p, call, ...)                                                                                   \
    ((p)->is_double ? ncmpi_##call##_double(__VA_ARGS__, (p)->buf, &id)                                      \
                    : ncmpi_##call##_float(__VA_ARGS__, (p)->buf, &id))

static int put_vara(struct put *p)
{
    add_block(p);
    return OF_TYPE(p, put_vara, p->ncid, p->var, p->start, p->count);
}

static int put_vars(struct put *p)
{
    p->stride[1] = 2;
    p->count[1] = COLS / 2;
    for (int i = 0; i < N / 2; i++)
        add(p, 2 * i, i);
    return OF_TYPE(p, put_vars, p->ncid, p->var, p->start, p->count, p->stride);
}

static int put_varm(struct put *p)
{
    p->imap[0] = 1;
    p->imap[1] = ROWS;
    for (int i = 0; i < N; i++)
        add(p, i, i % COLS * ROWS + i / COLS);
    return OF_TYPE(p, put_varm, p->ncid, p->var, p->start, p->count, p->stride, p->imap);
}

/* Its second block begins with an odd number. */
static int put_varn(struct put *p)
{
    MPI_Offset starts[2][2] = { { p->start[0], 0 }, { p->start[0] + 1, 100 } };
    MPI_Offset counts[2][2] = { { 1, 301 }, { 1, 600 } };
    MPI_Offset *start[] = { starts[0], starts[1] }, *count[] = { counts[0], counts[1] };
    for (int i = 0; i < 901; i++)
        add(p, i < 301 ? i : COLS + 100 + i - 301, i);
    return OF_TYPE(p, put_varn, p->ncid, p->var, 2, start, count);
}

static int put_var1(struct put *p)
{
    add(p, 0, 0);
    return OF_TYPE(p, put_var1, p->ncid, p->var, p->start);
}

/* Every second value of memory, by a datatype. */
static int put_flexible(struct put *p)
{
    MPI_Datatype type;
    MPI_Type_vector(N / 2, 1, 2, p->is_double ? MPI_DOUBLE : MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    p->count[1] = COLS / 2;
    for (int i = 0; i < N / 2; i++)
        add(p, i / (COLS / 2) * COLS + i % (COLS / 2), 2 * i);
    int err = ncmpi_put_vara_all(p->ncid, p->var, p->start, p->count, p->buf, 1, type);
    MPI_Type_free(&type);
    return err;
}

static int wait_for(struct put *p, int id, int err)
{
    int status = NC_NOERR, all = ncmpi_wait_all(p->ncid, 1, &id, &status);
    return err ? err : all ? all : status;
}

static int put_iput(struct put *p)
{
    int id, err = (add_block(p), POST(p, iput_vara, p->ncid, p->var, p->start, p->count));
    return wait_for(p, id, err);
}

static int put_iput_var1(struct put *p)
{
    int id, err = (add(p, 0, 0), POST(p, iput_var1, p->ncid, p->var, p->start));
    return wait_for(p, id, err);
}

static int put_bput(struct put *p)
{
    int id = 0, err = ncmpi_buffer_attach(p->ncid, N * 8);
    add_block(p);
    if (!err)
        err = POST(p, bput_vara, p->ncid, p->var, p->start, p->count);
    err = wait_for(p, id, err);
    int detached = ncmpi_buffer_detach(p->ncid);
    return err ? err : detached;
}

static int put_mput(struct put *p)
{
    MPI_Offset second[2] = { p->start[0] + 1, 0 }, count[2] = { 1, COLS };
    MPI_Offset *starts[] = { p->start, second }, *counts[] = { count, count };
    int vars[] = { p->var, p->var };
    double *doubles[] = { p->buf, (double *)p->buf + COLS };
    float *floats[] = { p->buf, (float *)p->buf + COLS };
    add_block(p); /* COLS is even, so the numbers go on */
    return p->is_double ? ncmpi_mput_vara_double_all(p->ncid, 2, vars, starts, counts, doubles)
                        : ncmpi_mput_vara_float_all(p->ncid, 2, vars, starts, counts, floats);
}

static int put_independently(struct put *p)
{
    add_block(p);
    int err = ncmpi_begin_indep_data(p->ncid);
    int put = p->is_double ? ncmpi_put_vara_double(p->ncid, p->var, p->start, p->count, p->buf)
                           : ncmpi_put_vara_float(p->ncid, p->var, p->start, p->count, p->buf);
    int end = ncmpi_end_indep_data(p->ncid);
    return err ? err : put ? put : end;
}

/* All ranks put the whole variable, which is as many rows of a rank as there are. */
static int put_var(struct put *p)
{
    add_block(p);
    return my_size > 1 ? OF_TYPE(p, put_vara, p->ncid, p->var, p->start, p->count)
                       : OF_TYPE(p, put_var, p->ncid, p->var);
}

static const struct way {
    const char *name;
    int (*put)(struct put *);
} ways[] = { { "vara", put_vara },
             { "vars", put_vars },
             { "varm", put_varm },
             { "varn", put_varn },
             { "var1", put_var1 },
             { "flexible", put_flexible },
             { "iput", put_iput },
             { "iput_var1", put_iput_var1 },
             { "bput", put_bput },
             { "mput", put_mput },
             { "independent", put_independently },
             { "var", put_var } };

static const char *const hints[] = { NULL, "pcdf_defer=1048576", "pcdf_async=1048576",
                                     "pcdf_debug_strategy=twophase", "pcdf_debug_pack_size=0" };

static int create(int format, const char *hint)
{
    int ncid = -1;
    MPI_Info info = MPI_INFO_NULL;
    if (hint) {
        char name[64];
        snprintf(name, sizeof name, "%s", hint);
        char *value = strchr(name, '=');
        *value++ = '\0';
        MPI_Info_create(&info);
        MPI_Info_set(info, name, value);
    }
    int err = ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | format, info, &ncid);
    if (err == NC_ENOTBUILT && format == NC_NETCDF4)
        err = ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid);
    CHECK_NC(err, NC_NOERR);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return ncid;
}

/* A fill value, zeros and NaN among usual ones. */
static void make_values(double *values)
{
    for (int i = 0; i < N; i++) {
        values[i] = (double)((i * 7919 + my_rank * 104729) % 100003) / 77 - 300;
        if (i % 61 == 5)
            values[i] = NC_FILL_FLOAT;
        else if (i % 67 == 3)
            values[i] = i % 2 ? 0.0 : -0.0;
        else if (i % 71 == 7)
            values[i] = NAN;
    }
}

static void check_way(const struct way *way, int ncid, int var, int mode, nc_type type, bool from_double)
{
    static double values[N], before[N], result[N];
    static float floats[N], floats_before[N];
    const bool is_double = type == NC_DOUBLE;
    struct put p = { .ncid = ncid,
                     .var = var,
                     .is_double = from_double,
                     .buf = from_double ? (void *)values : floats,
                     .start = { my_rank * ROWS, 0 },
                     .count = { ROWS, COLS },
                     .stride = { 1, 1 } };
    MPI_Offset start[2] = { my_rank * ROWS, 0 }, count[2] = { ROWS, COLS };
    int wrong = 0;
    make_values(values);
    for (int i = 0; i < N; i++)
        floats[i] = (float)values[i];
    memcpy(before, values, sizeof before);
    memcpy(floats_before, floats, sizeof floats);
    CHECK_NC(way->put(&p), NC_NOERR);
    CHECK(!memcmp(before, values, sizeof before) && !memcmp(floats_before, floats, sizeof floats),
          "%s: the buffer changed", way->name);
    CHECK_NC(is_double ? ncmpi_get_vara_double_all(ncid, var, start, count, result)
                       : ncmpi_get_vara_float_all(ncid, var, start, count, (float *)result),
             NC_NOERR);
    for (int i = 0; i < p.n; i++) {
        double value = from_double ? values[p.memory[i]] : (double)floats[p.memory[i]];
        uint64_t want = expected(value, i, mode, is_double);
        uint64_t got = quantized_load(
            is_double ? (void *)&result[p.place[i]] : (void *)&((float *)result)[p.place[i]], is_double);
        bool good = got == want || (isnan(value) && is_double != from_double);
        if (!good && ++wrong == 1)
            CHECK(good, "rank %d: %s, mode %d, %s from %s, value %d: %.17g became %016llx, not %016llx",
                  my_rank, way->name, mode, is_double ? "double" : "float", from_double ? "double" : "float",
                  i, value, (unsigned long long)got, (unsigned long long)want);
    }
    CHECK(wrong == 0, "rank %d: %s: %d of %d values", my_rank, way->name, wrong, p.n);
}

/* A file with a variable for each type of file and memory; plain ones between them. */
static void check_ways(int format, const char *hint, int mode)
{
    static const struct {
        nc_type type;
        bool from_double;
    } types[] = { { NC_FLOAT, false }, { NC_FLOAT, true }, { NC_DOUBLE, true }, { NC_DOUBLE, false } };
    enum { TYPES = sizeof types / sizeof *types, WAYS = sizeof ways / sizeof *ways };
    int ncid = create(format, hint), dims[2], vars[TYPES], plain;
    CHECK_NC(
        ncmpi_def_dim(ncid, "row", mode == NC_QUANTIZE_BITROUND ? NC_UNLIMITED : my_size * ROWS, &dims[0]),
        NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "col", COLS, &dims[1]), NC_NOERR);
    for (int i = 0; i < TYPES; i++) {
        char name[] = "v0";
        name[1] = (char)('0' + i);
        CHECK_NC(ncmpi_def_var(ncid, name, types[i].type, 2, dims, &vars[i]), NC_NOERR);
        CHECK_NC(parcdf_def_var_quantize(ncid, vars[i], mode, DIGITS), NC_NOERR);
    }
    CHECK_NC(ncmpi_def_var(ncid, "plain", NC_FLOAT, 2, dims, &plain), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int w = 0; w < WAYS; w++)
        for (int i = 0; i < TYPES; i++)
            check_way(&ways[w], ncid, vars[i], mode, types[i].type, types[i].from_double);
    check_way(&ways[0], ncid, plain, NC_NOQUANTIZE, NC_FLOAT, false);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    together_written();

    /* The attribute tells whoever opens the file; values that were copied stay. */
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    for (int i = 0; i < TYPES; i++)
        check_way(&ways[0], ncid, vars[i], mode, types[i].type, types[i].from_double);
    check_way(&ways[0], ncid, plain, NC_NOQUANTIZE, NC_FLOAT, false);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- definitions */

static void check_setting(int ncid, int var, int mode, int digits)
{
    int got_mode = -1, got_digits = -1, value = -1;
    nc_type type = NC_NAT;
    MPI_Offset n = 0;
    CHECK_NC(parcdf_inq_var_quantize(ncid, var, &got_mode, &got_digits), NC_NOERR);
    CHECK_INT(got_mode, mode);
    CHECK_INT(got_digits, digits);
    for (int m = 1; m < 4; m++) {
        int err = ncmpi_inq_att(ncid, var, quantized_att(m), &type, &n);
        CHECK_NC(err, m == mode ? NC_NOERR : NC_ENOTATT);
        if (m != mode)
            continue;
        CHECK(type == NC_INT && n == 1, "%s has type %d, %lld values", quantized_att(m), type, (long long)n);
        CHECK_NC(ncmpi_get_att_int(ncid, var, quantized_att(m), &value), NC_NOERR);
        CHECK_INT(value, digits);
    }
}

static void check_errors(int ncid, int f, int d, int i)
{
    for (int mode = 1; mode < 4; mode++) {
        CHECK_NC(parcdf_def_var_quantize(ncid, f, mode, 0), NC_EINVAL);
        CHECK_NC(parcdf_def_var_quantize(ncid, f, mode, -1), NC_EINVAL);
        CHECK_NC(parcdf_def_var_quantize(ncid, f, mode, quantized_most(mode, false) + 1), NC_EINVAL);
        CHECK_NC(parcdf_def_var_quantize(ncid, d, mode, quantized_most(mode, true) + 1), NC_EINVAL);
        CHECK_NC(parcdf_def_var_quantize(ncid, i, mode, 3), NC_EINVAL);
    }
    CHECK_NC(parcdf_def_var_quantize(ncid, f, 4, 3), NC_EINVAL);
    CHECK_NC(parcdf_def_var_quantize(ncid, f, -1, 3), NC_EINVAL);
    CHECK_NC(parcdf_def_var_quantize(ncid, 99, 1, 3), NC_ENOTVAR);
    CHECK_NC(parcdf_def_var_quantize(ncid, NC_GLOBAL, 1, 3), NC_EGLOBAL);
    CHECK_NC(parcdf_inq_var_quantize(ncid, 99, NULL, NULL), NC_ENOTVAR);
    CHECK_NC(parcdf_def_var_quantize(-1, f, 1, 3), NC_EBADID);
    CHECK_NC(parcdf_def_var_quantize(ncid, i, NC_NOQUANTIZE, 77), NC_NOERR);
    check_setting(ncid, f, NC_NOQUANTIZE, 0);
    for (int mode = 1; mode < 4; mode++) {
        CHECK_NC(parcdf_def_var_quantize(ncid, f, mode, quantized_most(mode, false)), NC_NOERR);
        check_setting(ncid, f, mode, quantized_most(mode, false));
        CHECK_NC(parcdf_def_var_quantize(ncid, d, mode, quantized_most(mode, true)), NC_NOERR);
        check_setting(ncid, d, mode, quantized_most(mode, true));
    }
}

static void check_definitions(void)
{
    int ncid = create(0, NULL), dim, f, d, i, later, copied;
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "f", NC_FLOAT, 1, &dim, &f), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "d", NC_DOUBLE, 1, &dim, &d), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "i", NC_INT, 1, &dim, &i), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "copied", NC_FLOAT, 1, &dim, &copied), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, f, "units", 1, "m"), NC_NOERR);
    check_errors(ncid, f, d, i);
    CHECK_NC(parcdf_def_var_quantize(ncid, d, NC_NOQUANTIZE, 5), NC_NOERR);
    CHECK_NC(ncmpi_copy_att(ncid, f, quantized_att(3), ncid, copied),
             NC_NOERR); /* quantizes nothing in this handle */
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    check_setting(ncid, f, 3, 23);
    check_setting(ncid, d, 0, 0);
    int mode = -1;
    CHECK_NC(parcdf_inq_var_quantize(ncid, copied, &mode, NULL), NC_NOERR);
    CHECK_INT(mode, NC_NOQUANTIZE);
    CHECK_NC(parcdf_def_var_quantize(ncid, d, 1, 3), NC_ELATEDEF);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(parcdf_def_var_quantize(ncid, d, 1, 3), NC_ELATEDEF);
    CHECK_NC(ncmpi_def_var(ncid, "later", NC_DOUBLE, 1, &dim, &later), NC_NOERR);
    CHECK_NC(parcdf_def_var_quantize(ncid, later, 2, 7), NC_NOERR);
    CHECK_NC(ncmpi_put_att_int(ncid, d, quantized_att(1), NC_INT, 1, &(int){ 99 }),
             NC_NOERR); /* too many digits */
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    check_setting(ncid, f, 3, 23);
    check_setting(ncid, later, 2, 7);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(parcdf_def_var_quantize(ncid, f, 1, 3), NC_EPERM);
    check_setting(ncid, f, 3, 23);
    check_setting(ncid, copied, 3, 23);
    check_setting(ncid, later, 2, 7);
    CHECK_NC(parcdf_inq_var_quantize(ncid, d, &mode, NULL), NC_NOERR);
    CHECK_INT(mode, NC_NOQUANTIZE);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Ranks that say different things: rank 0 is right, as in all definitions; also where the headers are equal.
 */
static void check_disagreement(bool by_attribute)
{
    int ncid = create(0, NULL), f, rank0 = my_rank == 0;
    CHECK_NC(ncmpi_def_var(ncid, "f", NC_FLOAT, 0, NULL, &f), NC_NOERR);
    if (by_attribute && !rank0)
        CHECK_NC(ncmpi_put_att_int(ncid, f, quantized_att(1), NC_INT, 1, &(int){ 3 }), NC_NOERR);
    else
        CHECK_NC(parcdf_def_var_quantize(ncid, f, 1, rank0 ? 3 : 4), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    check_setting(ncid, f, 1, 3);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    static const int formats[] = { 0, NC_64BIT_OFFSET, NC_64BIT_DATA, NC_NETCDF4 };
    together_begin(&argc, &argv, "quantized_puts", 120);
    check_definitions();
    if (my_size > 1) {
        check_disagreement(false);
        check_disagreement(true);
    }
    for (int h = 0; h < (int)(sizeof hints / sizeof *hints); h++)
        for (int mode = 1; mode < 4; mode++)
            check_ways(formats[(h + mode) % 4], hints[h], mode);
    return together_end("quantized_puts");
}
