/* Fixes that parcdf_def_var_quantize does what nc_def_var_quantize of the installed netCDF-C does: the same
 * calls on a netCDF-4 file of netCDF-C's and on a CDF-5 file of ours give the same codes, attributes and
 * bits, also when the files are opened again; and each reads of the other's netCDF-4 file how it is
 * quantized. netCDF-C 4.9.0 changes -0 and NaN and takes 7 digits of floats, as 4.10.1 does not: these are
 * left out. */
#include <math.h>
#include <netcdf.h>
#include <string.h>
#include "quantized.h"
#include "together.h"

enum { N = 3000, FIRST = 1001 };

static char peer_path[1100];

/* ---- the same calls of both */

enum side { OURS, PEERS };

static int define_quantize(enum side side, int ncid, int var, int mode, int digits)
{
    return side == OURS ? parcdf_def_var_quantize(ncid, var, mode, digits)
                        : nc_def_var_quantize(ncid, var, mode, digits);
}

static int define_var(enum side side, int ncid, const char *name, nc_type type, int dim)
{
    int id = -1;
    CHECK_INT(side == OURS ? ncmpi_def_var(ncid, name, type, 1, &dim, &id)
                           : nc_def_var(ncid, name, type, 1, &dim, &id),
              0);
    return id;
}

static int put(enum side side, int ncid, int var, size_t first, size_t n, const void *values,
               bool are_doubles)
{
    MPI_Offset start = (MPI_Offset)first, count = (MPI_Offset)n;
    if (side == PEERS)
        return are_doubles ? nc_put_vara_double(ncid, var, &first, &n, values)
                           : nc_put_vara_float(ncid, var, &first, &n, values);
    return are_doubles ? ncmpi_put_vara_double_all(ncid, var, &start, &count, values)
                       : ncmpi_put_vara_float_all(ncid, var, &start, &count, values);
}

static int open_again(enum side side, int mode)
{
    int ncid = -1;
    CHECK_INT(side == OURS ? ncmpi_open(MPI_COMM_WORLD, my_path, mode, MPI_INFO_NULL, &ncid)
                           : nc_open(peer_path, mode, &ncid),
              0);
    return ncid;
}

static void close_file(enum side side, int ncid)
{
    CHECK_INT(side == OURS ? ncmpi_close(ncid) : nc_close(ncid), 0);
}

static int create(enum side side, int *dim)
{
    int ncid = -1;
    if (side == OURS) {
        CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_DATA, MPI_INFO_NULL, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_def_dim(ncid, "x", N, dim), NC_NOERR);
    } else {
        CHECK_INT(nc_create(peer_path, NC_NETCDF4, &ncid), 0);
        CHECK_INT(nc_def_dim(ncid, "x", N, dim), 0);
    }
    return ncid;
}

/* ---- values: usual ones, next to powers of ten, subnormal; the fill value and 0 */

static void make_values(double *values, bool is_double)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < N; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double value = (double)(int64_t)(state % 2000001) / 100 - 10000;
        if (state >> 40 & 1)
            value = pow(10, (double)(state >> 41 & 63) - 32) *
                    (1 + ((double)(state >> 50 & 7) - 3) * (is_double ? 0x1p-52 : 0x1p-23));
        if (i % 97 == 4)
            value = NC_FILL_FLOAT;
        if (i % 97 == 7)
            value = ldexp(3, is_double ? -1070 : -147);
        values[i] = is_double ? value : (double)(float)value;
    }
}

static void check_attribute(enum side side, int ncid, int var, int mode, int digits)
{
    nc_type type = NC_NAT;
    int value = -1;
    long long n = 0;
    if (side == OURS) {
        MPI_Offset length = 0;
        CHECK_NC(ncmpi_inq_att(ncid, var, quantized_att(mode), &type, &length), NC_NOERR);
        CHECK_NC(ncmpi_get_att_int(ncid, var, quantized_att(mode), &value), NC_NOERR);
        n = length;
    } else {
        size_t length = 0;
        CHECK_INT(nc_inq_att(ncid, var, quantized_att(mode), &type, &length), 0);
        CHECK_INT(nc_get_att_int(ncid, var, quantized_att(mode), &value), 0);
        n = (long long)length;
    }
    CHECK(type == NC_INT && n == 1 && value == digits, "side %d, %s: type %d, %lld values, %d", side,
          quantized_att(mode), type, n, value);
}

static void check_values(nc_type type, int mode, int digits, bool from_double)
{
    static double values[N], results[2][N];
    static float floats[N];
    int wrong = 0;
    make_values(values, type == NC_DOUBLE);
    for (int i = 0; i < N; i++)
        floats[i] = (float)values[i];
    const char *memory = from_double ? (const char *)values : (const char *)floats;
    const size_t size = from_double ? sizeof *values : sizeof *floats;
    memset(results, 0, sizeof results);
    for (enum side side = OURS; side <= PEERS; side++) {
        int dim, ncid = create(side, &dim), var = define_var(side, ncid, "v", type, dim);
        CHECK_INT(define_quantize(side, ncid, var, mode, digits), NC_NOERR);
        CHECK_INT(side == OURS ? ncmpi_enddef(ncid) : nc_enddef(ncid), 0);
        CHECK_INT(put(side, ncid, var, 0, FIRST, memory, from_double), NC_NOERR);
        CHECK_INT(define_quantize(side, ncid, var, mode, digits), NC_ELATEDEF);
        close_file(side, ncid);
        ncid = open_again(side, NC_WRITE); /* the attribute is what they know */
        CHECK_INT(put(side, ncid, var, FIRST, N - FIRST, memory + FIRST * size, from_double), NC_NOERR);
        check_attribute(side, ncid, var, mode, digits);
        if (side == OURS)
            CHECK_NC(type == NC_DOUBLE ? ncmpi_get_var_double_all(ncid, var, results[side])
                                       : ncmpi_get_var_float_all(ncid, var, (float *)results[side]),
                     NC_NOERR);
        else
            CHECK_INT(nc_get_var(ncid, var, results[side]), 0);
        close_file(side, ncid);
    }
    const size_t width = type == NC_DOUBLE ? 8 : 4;
    for (size_t i = 0; i < N; i++)
        wrong += memcmp((char *)results[OURS] + i * width, (char *)results[PEERS] + i * width, width) != 0;
    CHECK(wrong == 0, "type %d, mode %d, %d digits, from %s: %d of %d values differ", type, mode, digits,
          from_double ? "double" : "float", wrong, N);
}

/* Both answer alike, whatever is asked. */
static void check_codes(void)
{
    static const struct {
        int var, mode, digits;
    } calls[] = { { 0, 1, 0 },  { 0, 1, 8 },  { 0, 2, 8 },  { 0, 3, 24 }, { 0, 4, 3 },
                  { 0, -1, 3 }, { 0, 1, -1 }, { 1, 1, 16 }, { 1, 2, 16 }, { 1, 3, 53 },
                  { 1, 3, 0 },  { 2, 1, 3 },  { 2, 3, 3 },  { 2, 0, 3 },  { 9, 1, 3 },
                  { 1, 1, 15 }, { 1, 0, 77 }, { 1, 3, 52 }, { 0, 2, 6 },  { 0, 0, 0 } };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int codes[2], modes[2], digits[2];
        for (enum side side = OURS; side <= PEERS; side++) {
            int dim, ncid = create(side, &dim);
            (void)define_var(side, ncid, "f", NC_FLOAT, dim);
            (void)define_var(side, ncid, "d", NC_DOUBLE, dim);
            (void)define_var(side, ncid, "i", NC_INT, dim);
            codes[side] = define_quantize(side, ncid, calls[i].var, calls[i].mode, calls[i].digits);
            modes[side] = digits[side] = -1;
            (void)(side == OURS ? parcdf_inq_var_quantize(ncid, calls[i].var, &modes[side], &digits[side])
                                : nc_inq_var_quantize(ncid, calls[i].var, &modes[side], &digits[side]));
            close_file(side, ncid);
        }
        CHECK(codes[OURS] == codes[PEERS] && modes[OURS] == modes[PEERS] && digits[OURS] == digits[PEERS],
              "variable %d, mode %d, %d digits: code %d, mode %d, %d digits; netCDF-C: %d, %d, %d",
              calls[i].var, calls[i].mode, calls[i].digits, codes[OURS], modes[OURS], digits[OURS],
              codes[PEERS], modes[PEERS], digits[PEERS]);
    }
}

/* How a file of netCDF-C is quantized, as we read it. */
static void check_reading(void)
{
    int dim, ncid = create(PEERS, &dim), var = define_var(PEERS, ncid, "v", NC_FLOAT, dim), mode = -1,
             digits = -1;
    CHECK_INT(define_quantize(PEERS, ncid, var, NC_QUANTIZE_BITROUND, 9), NC_NOERR);
    close_file(PEERS, ncid);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, peer_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(parcdf_inq_var_quantize(ncid, var, &mode, &digits), NC_NOERR);
    CHECK_INT(mode, NC_QUANTIZE_BITROUND);
    CHECK_INT(digits, 9);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* How netCDF-C reads what we wrote as netCDF-4. */
static void check_writing(void)
{
    int ncid, dim, var, err = ncmpi_create(MPI_COMM_WORLD, my_path, NC_NETCDF4, MPI_INFO_NULL, &ncid);
    int mode = -1, digits = -1;
    if (err == NC_ENOTBUILT)
        return;
    CHECK_NC(err, NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_DOUBLE, 1, &dim, &var), NC_NOERR);
    CHECK_NC(parcdf_def_var_quantize(ncid, var, NC_QUANTIZE_GRANULARBR, 7), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_INT(nc_open(my_path, NC_NOWRITE, &ncid), 0);
    CHECK_INT(nc_inq_var_quantize(ncid, var, &mode, &digits), 0);
    CHECK_INT(mode, NC_QUANTIZE_GRANULARBR);
    CHECK_INT(digits, 7);
    check_attribute(PEERS, ncid, var, mode, digits);
    CHECK_INT(nc_close(ncid), 0);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "quantized_peer", 120);
    snprintf(peer_path, sizeof peer_path, "%s.peer", my_path);
    check_codes();
    for (int mode = 1; mode < 4; mode++)
        for (int digits = 1; digits <= 52; digits++) {
            if (digits <= quantized_most(mode, false))
                check_values(NC_FLOAT, mode, digits, digits % 2);
            if (digits <= quantized_most(mode, true))
                check_values(NC_DOUBLE, mode, digits, digits % 3 > 0);
        }
    check_reading();
    check_writing();
    (void)unlink(peer_path);
    return together_end("quantized_peer");
}
