/* parcdf_def_var_chunking and its kin.
 *     stored_functions [FOLDER]      what they say of classic files
 *     stored_functions read FILE     prints what the inquiries tell of each variable of a file that is there
 */
#include "together.h"

/* ---- files that are classic */

struct answers {
    int storage, shuffle, deflate, level, zstd, zstd_level, options, pixels, sum;
    size_t chunk[8];
};

static void ask(int ncid, int varid, struct answers *a, int want)
{
    memset(a, 77, sizeof *a);
    CHECK_NC(parcdf_inq_var_chunking(ncid, varid, &a->storage, a->chunk), want);
    CHECK_NC(parcdf_inq_var_deflate(ncid, varid, &a->shuffle, &a->deflate, &a->level), want);
    CHECK_NC(parcdf_inq_var_zstd(ncid, varid, &a->zstd, &a->zstd_level), want);
    CHECK_NC(parcdf_inq_var_szip(ncid, varid, &a->options, &a->pixels), want);
    CHECK_NC(parcdf_inq_var_fletcher32(ncid, varid, &a->sum), want);
}

static void refuse_all(int ncid, int varid, int want)
{
    const size_t chunk[1] = { 2 };
    CHECK_NC(parcdf_def_var_chunking(ncid, varid, NC_CHUNKED, chunk), want);
    CHECK_NC(parcdf_def_var_chunking(ncid, varid, NC_CONTIGUOUS, NULL), want);
    CHECK_NC(parcdf_def_var_deflate(ncid, varid, 1, 1, 1), want);
    CHECK_NC(parcdf_def_var_zstd(ncid, varid, 3), want);
    CHECK_NC(parcdf_def_var_szip(ncid, varid, NC_SZIP_NN, 8), want);
    CHECK_NC(parcdf_def_var_fletcher32(ncid, varid, NC_FLETCHER32), want);
}

static void test_classic(void)
{
    struct answers a;
    int ncid, x, v;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &x, &v), NC_NOERR);
    refuse_all(ncid, v, NC_ENOTNC4);
    CHECK(strstr(parcdf_last_error(), "pcdf_format=netcdf4") != NULL, "\"%s\"", parcdf_last_error());
    refuse_all(ncid, 9, NC_ENOTNC4);
    refuse_all(-1, v, NC_EBADID);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    refuse_all(ncid, v, NC_ENOTNC4);
    ask(ncid, v, &a, NC_NOERR);
    CHECK_INT(a.storage, NC_CONTIGUOUS);
    CHECK_INT(a.shuffle + a.deflate + a.level + a.zstd + a.zstd_level + a.options + a.pixels + a.sum, 0);
    ask(ncid, 9, &a, NC_ENOTVAR);
    ask(ncid, NC_GLOBAL, &a, NC_EGLOBAL);
    ask(-1, v, &a, NC_EBADID);
    CHECK_NC(parcdf_inq_var_chunking(ncid, v, NULL, NULL), NC_NOERR);
    CHECK_NC(parcdf_inq_var_deflate(ncid, v, NULL, NULL, NULL), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- a file that is netCDF-4 */

enum { X = 40, Y = 30, RECORDS = 3 };

struct made {
    int ncid, scalar, run, plain, v;
};

static void make(const char *path, int mode, MPI_Info info, struct made *m)
{
    int t, y, x;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | mode, info, &m->ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(m->ncid, "t", NC_UNLIMITED, &t), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(m->ncid, "y", Y, &y), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(m->ncid, "x", X, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(m->ncid, "scalar", NC_INT, 0, NULL, &m->scalar), NC_NOERR);
    CHECK_NC(ncmpi_def_var(m->ncid, "run", NC_DOUBLE, 2, (int[]){ y, x }, &m->run), NC_NOERR);
    CHECK_NC(ncmpi_def_var(m->ncid, "plain", NC_FLOAT, 2, (int[]){ t, y }, &m->plain), NC_NOERR);
    CHECK_NC(ncmpi_def_var(m->ncid, "v", NC_INT, 3, (int[]){ t, y, x }, &m->v), NC_NOERR);
}

/* As libnetcdf 4.9.0 answers, but for a length of 0, and for levels that it does not look at. */
static void refusals(const struct made *m)
{
    const struct {
        size_t chunk[3];
        int want;
    } rows[] = { { { 0, 1, 1 }, NC_EINVAL },
                 { { 1, Y + 1, 1 }, NC_EBADCHUNK },
                 { { (size_t)1 << 31, Y, 1 }, NC_EBADCHUNK },
                 { { SIZE_MAX, 1, 1 }, NC_EBADCHUNK },
                 { { 2, 10, 10 }, NC_NOERR } };
    int id = m->ncid;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_NC(parcdf_def_var_chunking(id, m->v, NC_CHUNKED, rows[i].chunk), rows[i].want);
    CHECK_NC(parcdf_def_var_chunking(id, m->v, NC_CONTIGUOUS, NULL), NC_EINVAL);
    CHECK_NC(parcdf_def_var_chunking(id, m->v, 7, NULL), NC_EINVAL);
    CHECK_NC(parcdf_def_var_chunking(id, m->scalar, NC_CHUNKED, rows[0].chunk), NC_EINVAL);
    CHECK_NC(parcdf_def_var_chunking(id, m->scalar, NC_CONTIGUOUS, NULL), NC_NOERR);
    CHECK_NC(parcdf_def_var_chunking(id, m->run, NC_COMPACT, NULL), NC_NOERR);
    CHECK_NC(parcdf_def_var_deflate(id, m->scalar, 1, 1, 1), NC_EINVAL);
    CHECK_NC(parcdf_def_var_fletcher32(id, m->scalar, NC_FLETCHER32), NC_EINVAL);
    CHECK_NC(parcdf_def_var_zstd(id, m->scalar, 1), NC_EINVAL);
    CHECK_NC(parcdf_def_var_deflate(id, m->run, 1, 1, 10), NC_EINVAL);
    CHECK_NC(parcdf_def_var_deflate(id, m->run, 1, 1, -1), NC_EINVAL);
    CHECK_NC(parcdf_def_var_deflate(id, m->run, 0, 0, 10), NC_NOERR);
    CHECK_NC(parcdf_def_var_zstd(id, m->run, 23), NC_EINVAL);
    CHECK_NC(parcdf_def_var_szip(id, m->run, 5, 8), NC_EINVAL);
    CHECK_NC(parcdf_def_var_szip(id, m->run, NC_SZIP_EC, 7), NC_EINVAL);
    CHECK_NC(parcdf_def_var_szip(id, m->run, NC_SZIP_EC, 34), NC_EINVAL);
    refuse_all(id, 9, NC_ENOTVAR);
    refuse_all(id, NC_GLOBAL, NC_EGLOBAL);
}

static void test_netcdf4(void)
{
    struct answers a;
    struct made m;
    make(my_path, NC_NETCDF4, MPI_INFO_NULL, &m);
    refusals(&m);
    ask(m.ncid, m.run, &a, NC_NOERR);
    CHECK_INT(a.storage, NC_CONTIGUOUS);
    CHECK_INT(a.shuffle + a.deflate + a.level + a.zstd + a.zstd_level + a.options + a.pixels + a.sum, 0);
    ask(m.ncid, m.v, &a, NC_NOERR);
    CHECK_INT(a.storage, NC_CHUNKED);
    CHECK(a.chunk[0] == 2 && a.chunk[1] == 10 && a.chunk[2] == 10, "chunks of %zu", a.chunk[1]);

    /* One compressor, and all of it off again. */
    CHECK_NC(parcdf_def_var_szip(m.ncid, m.run, NC_SZIP_NN, 8), NC_NOERR);
    CHECK_NC(parcdf_def_var_zstd(m.ncid, m.run, 0), NC_NOERR);
    ask(m.ncid, m.run, &a, NC_NOERR);
    CHECK_INT(a.storage, NC_CHUNKED);
    CHECK_INT(a.zstd_level, 3);
    CHECK_INT(a.options, 0);
    CHECK_NC(parcdf_def_var_chunking(m.ncid, m.run, NC_CONTIGUOUS, NULL), NC_EINVAL); /* filters */
    CHECK_NC(parcdf_def_var_deflate(m.ncid, m.run, 1, 1, 9), NC_NOERR);
    ask(m.ncid, m.run, &a, NC_NOERR);
    CHECK_INT(a.zstd, 0);
    CHECK_INT(a.shuffle + a.deflate + a.level, 11);
    CHECK_NC(parcdf_def_var_deflate(m.ncid, m.run, 0, 1, 4), NC_NOERR);
    ask(m.ncid, m.run, &a, NC_NOERR);
    CHECK(a.shuffle == 0 && a.deflate == 1 && a.level == 4, "%d %d %d", a.shuffle, a.deflate, a.level);
    CHECK_NC(parcdf_def_var_deflate(m.ncid, m.run, 0, 0, 0), NC_NOERR);
    CHECK_NC(parcdf_def_var_chunking(m.ncid, m.run, NC_CONTIGUOUS, NULL), NC_NOERR);

    CHECK_NC(ncmpi_enddef(m.ncid), NC_NOERR);
    refuse_all(m.ncid, m.v, NC_ELATEDEF);
    CHECK_NC(ncmpi_redef(m.ncid), NC_NOERR);
    refuse_all(m.ncid, m.v, NC_ELATEDEF);
    CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
}

/* Of chunks that nobody asked for, the first put decides: each rank fills its own. A call between enddef and
 * that put comes too late all the same. */
static void test_first_put(void)
{
    enum { N = 1024 };
    struct answers a;
    int ncid, dims[2], v;
    MPI_Offset start[2] = { 0, (MPI_Offset)N * my_rank / my_size };
    MPI_Offset count[2] = { N, (MPI_Offset)N * (my_rank + 1) / my_size - start[1] };
    int *values = calloc((size_t)(count[0] * count[1]), sizeof *values);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "y", N, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &v), NC_NOERR);
    CHECK_NC(parcdf_def_var_deflate(ncid, v, 1, 1, 1), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    refuse_all(ncid, v, NC_ELATEDEF);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    refuse_all(ncid, v, NC_ELATEDEF);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, v, start, count, values), NC_NOERR);
    ask(ncid, v, &a, NC_NOERR);
    CHECK(a.chunk[1] <= (size_t)(N / my_size), "chunks of %zu columns", a.chunk[1]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(values);
}

/* What a redef defined goes with its abort, and how it was to be stored. */
static void test_abort(void)
{
    struct made m;
    struct answers a;
    int nvars = 0, id, dims[2] = { 1, 2 };
    make(my_path, NC_NETCDF4, MPI_INFO_NULL, &m);
    CHECK_NC(parcdf_def_var_deflate(m.ncid, m.v, 1, 1, 1), NC_NOERR);
    CHECK_NC(ncmpi_enddef(m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_sync(m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(m.ncid), NC_NOERR);
    for (int i = 0; i < 40; i++) {
        char name[8];
        snprintf(name, sizeof name, "w%d", i);
        CHECK_NC(ncmpi_def_var(m.ncid, name, NC_INT, 2, dims, &id), NC_NOERR);
        CHECK_NC(parcdf_def_var_deflate(m.ncid, id, 1, 1, 9), NC_NOERR);
    }
    CHECK_NC(ncmpi_abort(m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_nvars(m.ncid, &nvars), NC_NOERR);
    CHECK_INT(nvars, 4);
    ask(m.ncid, m.v, &a, NC_NOERR);
    CHECK(a.deflate == 1 && a.level == 1, "%d %d", a.deflate, a.level);
    CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
}

/* 200 and -3 as unsigned char and NC_BYTE: of the classic model one byte both ways, as in CDF-1
 * (libnetcdf 4.9 agrees), else NC_ERANGE. range: what a file of this format says. */
static void check_bytes(int ncid, int varid, int range)
{
    enum { HIGH = 200 };
    const unsigned char high[2] = { HIGH, 1 };
    const signed char low[2] = { -3, 1 };
    const MPI_Offset start[1] = { 0 }, count[1] = { 2 };
    MPI_Offset *const starts[1] = { (MPI_Offset *)(uintptr_t)start }, *const counts[1] = { (
                                                                          MPI_Offset *)(uintptr_t)count };
    unsigned char got[2];
    signed char raw[2];
    int request, status = NC_NOERR;
    for (int form = 0; form < 4; form++) {
        int err = form == 0   ? ncmpi_put_vara_uchar_all(ncid, varid, start, count, high)
                  : form == 1 ? ncmpi_put_varn_uchar_all(ncid, varid, 1, starts, counts, high)
                  : form == 2 ? ncmpi_put_vara_all(ncid, varid, start, count, high, 2, MPI_UNSIGNED_CHAR)
                              : ncmpi_iput_vara_uchar(ncid, varid, start, count, high, &request);
        CHECK(err == range, "form %d: %d", form, err);
        if (form == 3)
            CHECK_NC(ncmpi_wait_all(ncid, 1, &request, &status), NC_NOERR);
        CHECK_NC(ncmpi_get_vara_schar_all(ncid, varid, start, count, raw), NC_NOERR);
        CHECK_INT(raw[0], range ? NC_FILL_BYTE : HIGH - 256);
    }
    CHECK_NC(ncmpi_put_vara_schar_all(ncid, varid, start, count, low), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_uchar_all(ncid, varid, start, count, got), range);
    CHECK_INT(got[0], range ? NC_FILL_UBYTE : 253);
    CHECK_INT(got[1], 1);
    CHECK_NC(ncmpi_get_att_uchar(ncid, varid, "low", got), range);
    CHECK_INT(got[0], range ? NC_FILL_UBYTE : 253);
}

static void put_byte_atts(int ncid, int varid, int range)
{
    const unsigned char high[2] = { 200, 1 };
    const signed char low[2] = { -3, 1 };
    CHECK_NC(ncmpi_put_att_uchar(ncid, varid, "high", NC_BYTE, 2, high), range);
    CHECK_NC(ncmpi_put_att_schar(ncid, varid, "low", NC_BYTE, 2, low), NC_NOERR);
}

/* Definitions of which rank 0's are taken, or that are copied to give memory back, do not change the rule. */
static void check_bytes_of_copies(const char *path, int mode, MPI_Info info, int range)
{
    static const char long_text[1 << 17];
    int ncid, x, v;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | mode, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 2, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, my_rank == 0 ? "a" : "b", NC_BYTE, 1, &x, &v), NC_NOERR);
    put_byte_atts(ncid, v, range);
    (void)ncmpi_enddef(ncid);
    check_bytes(ncid, v, range);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, v, "long", sizeof long_text, long_text), NC_NOERR);
    CHECK_NC(ncmpi_del_att(ncid, v, "long"), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    check_bytes(ncid, v, range);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Of the classic model there are six types; who says so, and what the file is then. */
static void check_model(const char *path, int mode, MPI_Info info, int format)
{
    const unsigned char byte = 1;
    const long long long_one = 1;
    const bool is_classic = format == NC_FORMAT_NETCDF4_CLASSIC;
    const int strict = is_classic ? NC_ESTRICTNC3 : NC_NOERR, range = is_classic ? NC_NOERR : NC_ERANGE;
    struct made m;
    int got = 0, id, bytes;
    unsigned char read[2];
    check_bytes_of_copies(path, mode, info, range);
    make(path, mode, info, &m);
    CHECK_NC(ncmpi_def_var(m.ncid, "bytes", NC_BYTE, 1, (int[]){ 2 }, &bytes), NC_NOERR);
    put_byte_atts(m.ncid, bytes, range);
    CHECK_NC(ncmpi_inq_format(m.ncid, &got), NC_NOERR);
    CHECK_INT(got, format);
    CHECK_NC(ncmpi_inq_version(m.ncid, &got), NC_NOERR);
    CHECK_INT(got, NC_NETCDF4);
    CHECK_NC(ncmpi_def_var(m.ncid, "long", NC_INT64, 0, NULL, &id), strict);
    CHECK_NC(ncmpi_def_var(m.ncid, "ubyte", NC_UBYTE, 0, NULL, &id), strict);
    CHECK_NC(ncmpi_def_var(m.ncid, "double", NC_DOUBLE, 0, NULL, &id), NC_NOERR);
    CHECK_NC(ncmpi_def_var(m.ncid, "none", 99, 0, NULL, &id), NC_EBADTYPE);
    CHECK_NC(ncmpi_put_att_uchar(m.ncid, NC_GLOBAL, "a", NC_UBYTE, 1, &byte), strict);
    CHECK_NC(ncmpi_put_att_longlong(m.ncid, m.v, "b", NC_INT64, 1, &long_one), strict);
    CHECK_NC(ncmpi_put_att_longlong(m.ncid, m.v, "c", NC_INT, 1, &long_one), NC_NOERR);
    CHECK_NC(ncmpi_enddef(m.ncid), NC_NOERR);
    check_bytes(m.ncid, bytes, range);
    CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_uchar_all(m.ncid, bytes, (MPI_Offset[]){ 0 }, (MPI_Offset[]){ 2 }, read), range);
    CHECK_INT(read[0], range ? NC_FILL_UBYTE : 253);
    CHECK_NC(ncmpi_get_att_uchar(m.ncid, bytes, "low", read), range);
    CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_format(m.ncid, &got), NC_NOERR);
    CHECK_INT(got, format);
    check_bytes(m.ncid, bytes, range);
    CHECK_NC(ncmpi_redef(m.ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_var(m.ncid, "late", NC_UINT, 0, NULL, &id), strict);
    CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
}

static void test_models(void)
{
    enum { FOUR = NC_FORMAT_NETCDF4, CLASSIC = NC_FORMAT_NETCDF4_CLASSIC };
    static const struct {
        const char *hint;
        int mode, usual, format;
    } rows[] = { { "asked", NC_NETCDF4, NC_FORMAT_CLASSIC, FOUR },
                 { "asked", NC_NETCDF4 | NC_CLASSIC_MODEL, NC_FORMAT_CLASSIC, CLASSIC },
                 { "asked", 0, NC_FORMAT_NETCDF4, FOUR },
                 { "asked", 0, NC_FORMAT_NETCDF4_CLASSIC, CLASSIC },
                 { "netcdf4", 0, NC_FORMAT_CLASSIC, FOUR },
                 { "netcdf4", NC_64BIT_DATA, NC_FORMAT_CLASSIC, FOUR },
                 { "netcdf4-classic", NC_64BIT_DATA, NC_FORMAT_CLASSIC, CLASSIC } };
    int was = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "pcdf_format", rows[i].hint);
        CHECK_NC(ncmpi_set_default_format(rows[i].usual, &was), NC_NOERR);
        check_model(my_path, rows[i].mode, info, rows[i].format);
        MPI_Info_free(&info);
    }
    CHECK_NC(ncmpi_set_default_format(NC_FORMAT_CLASSIC, NULL), NC_NOERR);
}

/* ---- where the CDF-5 file would have it */

enum { HEADER, EXTENT, RECORD, BEGINS, SIZES = BEGINS + 5 };
enum { DEFINED, PUT_TO, READ_ONLY, REDEFINED, STATES };

static void ask_sizes(int ncid, MPI_Offset *sizes)
{
    int nvars = 0;
    CHECK_NC(ncmpi_inq_header_size(ncid, &sizes[HEADER]), NC_NOERR);
    CHECK_NC(ncmpi_inq_header_extent(ncid, &sizes[EXTENT]), NC_NOERR);
    CHECK_NC(ncmpi_inq_recsize(ncid, &sizes[RECORD]), NC_NOERR);
    CHECK_NC(ncmpi_inq_nvars(ncid, &nvars), NC_NOERR);
    for (int i = 0; i < nvars && BEGINS + i < SIZES; i++)
        CHECK_NC(ncmpi_inq_varoffset(ncid, i, &sizes[BEGINS + i]), NC_NOERR);
}

static void test_sizes(void)
{
    MPI_Offset sizes[2][STATES][SIZES] = { { { 0 } } };
    for (int k = 0; k < 2; k++) {
        struct made m;
        int last;
        make(my_path, k == 0 ? NC_64BIT_DATA : NC_NETCDF4, MPI_INFO_NULL, &m);
        ask_sizes(m.ncid, sizes[k][DEFINED]);
        CHECK_NC(ncmpi_enddef(m.ncid), NC_NOERR);
        CHECK_NC(ncmpi_put_var_int_all(m.ncid, m.scalar, &k), NC_NOERR);
        ask_sizes(m.ncid, sizes[k][PUT_TO]);
        CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &m.ncid), NC_NOERR);
        ask_sizes(m.ncid, sizes[k][READ_ONLY]);
        CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &m.ncid), NC_NOERR);
        CHECK_NC(ncmpi_redef(m.ncid), NC_NOERR);
        CHECK_NC(ncmpi_def_var(m.ncid, "last", NC_SHORT, 0, NULL, &last), NC_NOERR);
        CHECK_NC(ncmpi_enddef(m.ncid), NC_NOERR);
        ask_sizes(m.ncid, sizes[k][REDEFINED]);
        CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
    }
    CHECK(sizes[0][REDEFINED][SIZES - 1] > 0, "the last variable begins nowhere");
    for (int state = 0; state < STATES; state++)
        for (int i = 0; i < SIZES; i++)
            CHECK(sizes[1][state][i] == sizes[0][state][i], "state %d, size %d: %lld, in a CDF-5 file %lld",
                  state, i, (long long)sizes[1][state][i], (long long)sizes[0][state][i]);
}

/* ---- hints */

/* A new file with a variable of 4 MiB. *said: what went to standard error. */
static int create_hinted(const char *format, const char *chunks, const char *compress, const char *commit,
                         char *said, size_t room)
{
    enum { N = 1024 };
    int ncid, dims[2], v;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_format", format);
    MPI_Info_set(info, "pcdf_chunks", chunks);
    MPI_Info_set(info, "pcdf_compress", compress);
    MPI_Info_set(info, "pcdf_commit", commit);
    FILE *file = tmpfile();
    int there = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    dup2(there, STDERR_FILENO);
    close(there);
    rewind(file);
    said[fread(said, 1, room - 1, file)] = '\0';
    fclose(file);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "y", N, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &v), NC_NOERR);
    return ncid;
}

static void test_hints(void)
{
    struct answers a;
    char said[2000];
    bool is_root = my_rank == 0;
    int ncid = create_hinted(is_root ? "netcdf4" : "asked", is_root ? "x:100" : "auto",
                             is_root ? "deflate:2,shuffle" : "zstd:1", "auto", said, sizeof said);
    CHECK(*said == '\0', "rank %d said \"%s\"", my_rank, said);
    together_check_hint(ncid, "pcdf_format", "netcdf4");
    together_check_hint(ncid, "pcdf_chunks", "x:100");
    together_check_hint(ncid, "pcdf_compress", "deflate:2,shuffle");
    ask(ncid, 0, &a, NC_NOERR);
    CHECK_INT(a.storage, NC_CHUNKED);
    CHECK_INT(a.chunk[1], 100);
    CHECK(a.shuffle == 1 && a.deflate == 1 && a.level == 2 && a.zstd == 0, "%d %d %d %d", a.shuffle,
          a.deflate, a.level, a.zstd);
    CHECK_NC(parcdf_def_var_chunking(ncid, 0, NC_CONTIGUOUS, NULL), NC_NOERR); /* a hint wanted codecs */
    ask(ncid, 0, &a, NC_NOERR);
    CHECK_INT(a.storage, NC_CONTIGUOUS);
    CHECK_INT(a.shuffle + a.deflate, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    ncid = create_hinted("netcdf4-classic", "x", "gzip:1", "auto", said, sizeof said);
    together_check_hint(ncid, "pcdf_format", "netcdf4-classic");
    together_check_hint(ncid, "pcdf_chunks", "auto");
    together_check_hint(ncid, "pcdf_compress", "none");
    CHECK(is_root ? strstr(said, "hint pcdf_chunks: \"x\" is not understood") &&
                        strstr(said, "hint pcdf_compress: \"gzip:1\" is not understood")
                  : *said == '\0',
          "rank %d said \"%s\"", my_rank, said);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    ncid = create_hinted("asked", "auto", "zstd:7", "auto", said, sizeof said);
    together_check_hint(ncid, "pcdf_format", "asked");
    together_check_hint(ncid, "pcdf_compress", "none");
    CHECK(is_root ? strstr(said, "pcdf_compress: the new file is a classic one (pcdf_format=netcdf4") != NULL
                  : *said == '\0',
          "rank %d said \"%s\"", my_rank, said);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    ncid = create_hinted("netcdf4", "auto", "none", "record", said, sizeof said);
    together_check_hint(ncid, "pcdf_commit", "close");
    CHECK(is_root
              ? strstr(said, "pcdf_commit: a netCDF-4 file counts its records at sync and close, close is "
                             "used") != NULL
              : *said == '\0',
          "rank %d said \"%s\"", my_rank, said);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- what nobody puts */

/* A part of the first of two chunks is put, with NC_NOFILL, which is the mode of a new file. */
static void check_unput(int mode, int rest)
{
    enum { N = 20, CHUNK = 10, PUT = 4 };
    const MPI_Offset start = 0, count = my_rank == 0 ? PUT : 0;
    const size_t chunk = CHUNK;
    int ncid, dim, v, values[N] = { 1, 2, 3, 4 }, bad = 0;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | mode, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &v), NC_NOERR);
    if (mode)
        CHECK_NC(parcdf_def_var_chunking(ncid, v, NC_CHUNKED, &chunk), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, v, &start, &count, values), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(ncid, v, values), NC_NOERR);
    for (int i = 0; i < N; i++)
        bad += values[i] != (i < PUT ? i + 1 : i < CHUNK ? rest : 0);
    CHECK(bad == 0, "mode %d: %d values are wrong, the last is %d", mode, bad, values[N - 1]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void test_unput(void)
{
    check_unput(NC_NETCDF4, NC_FILL_INT);
    check_unput(0, 0);
}

static void put_one(int ncid, int varid, MPI_Offset at)
{
    const MPI_Offset count = my_rank == 0;
    const int value = 1;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, &at, &count, &value), NC_NOERR);
}

static void check_ones(int varid, const char *right)
{
    enum { N = 6 };
    int ncid, values[N];
    char got[N + 1] = "";
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(ncid, varid, values), NC_NOERR);
    for (int i = 0; i < N; i++)
        got[i] = values[i] == 1 ? '1' : values[i] == 7 ? '7' : '?';
    CHECK(strcmp(got, right) == 0, "%s, not %s", got, right);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* What enddef filled with stays, whatever becomes of _FillValue: in chunks that are put in part, before and
 * after the file was closed, and in those that nobody puts. */
static void check_settled_fill(int mode)
{
    const size_t chunk = 2;
    const int seven = 7;
    int ncid, dim, v, old;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | mode, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, &old), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 6, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &v), NC_NOERR);
    CHECK_NC(ncmpi_put_att_int(ncid, v, "_FillValue", NC_INT, 1, &seven), NC_NOERR);
    if (mode)
        CHECK_NC(parcdf_def_var_chunking(ncid, v, NC_CHUNKED, &chunk), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_del_att(ncid, v, "_FillValue"), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put_one(ncid, v, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_ones(v, "177777");
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    put_one(ncid, v, 3);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_ones(v, "177177");
}

static void test_settled_fill(void)
{
    check_settled_fill(NC_NETCDF4);
    check_settled_fill(0);
}

/* Chunks of one byte: the smallest that a chunk put anew can have. */
static void test_one_byte(void)
{
    const MPI_Offset start = 0, count = my_rank == 0;
    const size_t chunk = 1;
    char got = 0;
    int ncid, dim, v;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 1, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_CHAR, 1, &dim, &v), NC_NOERR);
    CHECK_NC(parcdf_def_var_chunking(ncid, v, NC_CHUNKED, &chunk), NC_NOERR);
    CHECK_NC(parcdf_def_var_deflate(ncid, v, 1, 0, 0), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < 3; i++) {
        CHECK_NC(ncmpi_put_vara_text_all(ncid, v, &start, &count, &"abc"[i]), NC_NOERR);
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var_text_all(ncid, v, &got), NC_NOERR);
    CHECK_INT(got, 'c');
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- safe mode: arguments that differ are nobody's */

static void test_safe_mode(void)
{
    struct answers a;
    struct made m;
    const int want = my_size > 1 ? NC_EMULTIDEFINE_FNC_ARGS : NC_NOERR, last = my_rank == my_size - 1;
    const size_t chunk[3] = { 1, 10, last ? 20 : 10 };
    setenv("PNETCDF_SAFE_MODE", "1", 1);
    make(my_path, NC_NETCDF4, MPI_INFO_NULL, &m);
    CHECK_NC(parcdf_def_var_chunking(m.ncid, m.v, NC_CHUNKED, chunk), want);
    CHECK_NC(parcdf_def_var_deflate(m.ncid, m.v, 0, 1, last ? 2 : 1), want);
    CHECK_NC(parcdf_def_var_deflate(m.ncid, last ? m.v : m.run, 0, 1, 1), want);
    if (my_size > 1) {
        ask(m.ncid, m.v, &a, NC_NOERR);
        CHECK(a.deflate == 0 && a.chunk[1] == Y, "%d, chunks of %zu", a.deflate, a.chunk[1]);
    }
    CHECK_NC(parcdf_def_var_chunking(m.ncid, last ? m.v : 9, NC_CHUNKED, NULL),
             my_size > 1 ? NC_ENOTVAR : NC_NOERR);
    CHECK_NC(parcdf_def_var_zstd(m.ncid, m.v, 2), NC_NOERR);
    CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
    unsetenv("PNETCDF_SAFE_MODE");
}

/* ---- files that are there */

/* What the inquiries tell, a line a variable. */
static void describe(int ncid, char *text, size_t room)
{
    int nvars = 0;
    size_t n = 0;
    CHECK_NC(ncmpi_inq_nvars(ncid, &nvars), NC_NOERR);
    for (int v = 0; v < nvars; v++) {
        char name[NC_MAX_NAME + 1];
        struct answers a;
        int ndims;
        CHECK_NC(ncmpi_inq_varname(ncid, v, name), NC_NOERR);
        CHECK_NC(ncmpi_inq_varndims(ncid, v, &ndims), NC_NOERR);
        ask(ncid, v, &a, NC_NOERR);
        n += (size_t)snprintf(text + n, room - n, "%s %s", name,
                              a.storage == NC_CHUNKED ? "chunked" : "contiguous");
        for (int i = 0; i < ndims && a.storage == NC_CHUNKED; i++)
            n += (size_t)snprintf(text + n, room - n, " %zu", a.chunk[i]);
        n += (size_t)snprintf(text + n, room - n,
                              " | shuffle %d deflate %d %d zstd %d %d szip %d %d fletcher32 %d\n", a.shuffle,
                              a.deflate, a.level, a.zstd, a.zstd_level, a.options, a.pixels, a.sum);
    }
}

static void print_file(const char *path, int omode)
{
    int ncid;
    char text[8000];
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, omode, MPI_INFO_NULL, &ncid), NC_NOERR);
    describe(ncid, text, sizeof text);
    if (my_rank == 0)
        printf("%s", text);
    refuse_all(ncid, 0, omode == NC_NOWRITE ? NC_EPERM : NC_ELATEDEF);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Each rank puts a band of the fastest dimension; value k of variable v is (k + v) % 100. */
static void put(int ncid, int varid)
{
    enum { MOST = 3 * RECORDS * Y * X };
    static int values[MOST];
    MPI_Offset start[3] = { 0 }, count[3], length = 1;
    int ndims, dimids[3], n = 0;
    CHECK_NC(ncmpi_inq_var(ncid, varid, NULL, NULL, &ndims, dimids, NULL), NC_NOERR);
    for (int i = 0; i < ndims; i++) {
        CHECK_NC(ncmpi_inq_dimlen(ncid, dimids[i], &count[i]), NC_NOERR);
        count[i] = dimids[i] == 0 ? RECORDS : count[i];
        length *= count[i];
    }
    MPI_Offset row = ndims > 0 ? count[ndims - 1] : 1, from = row * my_rank / my_size,
               to = row * (my_rank + 1) / my_size;
    for (MPI_Offset k = 0; k < length; k++)
        if (k % row >= from && k % row < to)
            values[n++] = (int)((k + varid) % 100);
    if (ndims > 0) {
        start[ndims - 1] = from;
        count[ndims - 1] = to - from;
    }
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, start, count, values), NC_NOERR);
}

static int define(int ncid, const char *name, nc_type type, int ndims, const int *dimids)
{
    int id = -1;
    CHECK_NC(ncmpi_def_var(ncid, name, type, ndims, dimids, &id), NC_NOERR);
    return id;
}

static void define_more(int ncid)
{
    const int all[3] = { 0, 1, 2 };
    const size_t chunk[3] = { 2, 10, 40 };
    int id = define(ncid, "chunks", NC_FLOAT, 2, all + 1);
    CHECK_NC(parcdf_def_var_chunking(ncid, id, NC_CHUNKED, chunk + 1), NC_NOERR);
    id = define(ncid, "deflated", NC_SHORT, 3, all);
    CHECK_NC(parcdf_def_var_chunking(ncid, id, NC_CHUNKED, chunk), NC_NOERR);
    CHECK_NC(parcdf_def_var_deflate(ncid, id, 0, 1, 4), NC_NOERR);
    id = define(ncid, "summed", NC_INT64, 2, all + 1);
    CHECK_NC(parcdf_def_var_deflate(ncid, id, 1, 1, 9), NC_NOERR);
    CHECK_NC(parcdf_def_var_fletcher32(ncid, id, NC_FLETCHER32), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, id, "CLASS", 1, "x"), NC_ENAMEINUSE); /* it would break dimensions */
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "_NCProperties", 1, "x"), NC_ENAMEINUSE);
    id = define(ncid, "pixels", NC_INT, 3, all);
    CHECK_NC(parcdf_def_var_szip(ncid, id, NC_SZIP_EC, 16), NC_NOERR);
    id = define(ncid, "shuffled", NC_DOUBLE, 3, all);
    CHECK_NC(parcdf_def_var_deflate(ncid, id, 1, 0, 0), NC_NOERR);
    id = define(ncid, "zstd", NC_DOUBLE, 3, all);
    CHECK_NC(parcdf_def_var_zstd(ncid, id, 5), NC_NOERR);
}

static void write_file(const char *path)
{
    char before[8000], after[8000];
    struct made m;
    int nvars;
    make(path, NC_NETCDF4, MPI_INFO_NULL, &m);
    define_more(m.ncid);
    describe(m.ncid, before, sizeof before);
    CHECK_NC(ncmpi_enddef(m.ncid), NC_NOERR);
    describe(m.ncid, after, sizeof after);
    CHECK(strcmp(before, after) == 0, "before enddef\n%sand behind it\n%s", before, after);
    CHECK_NC(ncmpi_inq_nvars(m.ncid, &nvars), NC_NOERR);
    for (int v = 0; v < nvars; v++)
        put(m.ncid, v);
    CHECK_NC(ncmpi_close(m.ncid), NC_NOERR);
    print_file(path, NC_WRITE);
}

int main(int argc, char **argv)
{
    const char *how = argc == 3 ? argv[1] : "", *file = argc == 3 ? argv[2] : NULL;
    if (file)
        argc = 1;
    together_begin(&argc, &argv, "stored_functions", 60);
    if (strcmp(how, "read") == 0) {
        print_file(file, NC_NOWRITE);
    } else if (strcmp(how, "write") == 0) {
        write_file(file);
    } else {
        test_classic();
        test_netcdf4();
        test_sizes();
        test_first_put();
        test_abort();
        test_models();
        test_hints();
        test_unput();
        test_settled_fill();
        test_one_byte();
        test_safe_mode();
    }
    return together_end("stored_functions");
}
