/* Fixes what can be done with files that are odd and sound enough: data that is where the header says is
 * read, whatever the order; what may be written can be written, defined anew and read again, its names as
 * they were, byte for byte; records of a STREAMING file are counted by its size; and the open says what is
 * odd. */
#include "together.h"
#include "headertext.h"
#include "parcdf.h"

static struct headertext h;

/* The header, and at 200 the bytes 1, 2, 3, ... up to `size`. */
static void make_file(const char *header, int64_t size)
{
    headertext_make(&h, header);
    if (my_rank == 0) {
        FILE *f = fopen(my_path, "wb");
        CHECK(f && fwrite(h.bytes, 1, h.n, f) == h.n, "%s cannot be written", my_path);
        for (int64_t at = (int64_t)h.n; f && at < size; at++)
            fputc(at < 200 ? 0 : (int)(at - 199), f);
        if (f)
            fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int open_file(int mode, const char *odd)
{
    int ncid = -1;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, mode, MPI_INFO_NULL, &ncid), NC_NOERR);
    if (odd && my_rank == 0)
        CHECK(strncmp(parcdf_last_error(), "warning: offset ", 16) == 0 && strstr(parcdf_last_error(), odd),
              "\"%s\" says nothing of \"%s\"", parcdf_last_error(), odd);
    return ncid;
}

static void cannot_be_written(int code)
{
    int ncid = -1;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), code);
    CHECK_INT(ncid, -1);
}

static void close_file(int ncid)
{
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Four bytes from 200 + k on, as the file holds them. */
static int value_at(int k)
{
    return (int)(((uint32_t)k + 1) << 24 | (uint32_t)(k + 2) << 16 | (uint32_t)(k + 3) << 8 |
                 (uint32_t)(k + 4));
}

static void check_int(int ncid, int varid, MPI_Offset record, int want)
{
    int got = -1;
    CHECK_NC(ncmpi_get_var1_int_all(ncid, varid, &record, &got), NC_NOERR);
    CHECK(got == want, "variable %d, record %lld: 0x%x, not 0x%x", varid, (long long)record, got, want);
}

/* ---- for reading only */

static void other_orders(void)
{
    make_file("M1 c0 z z w11 c3 su c0 z w4 c4 o208 sv c0 z w4 c4 o200 sw c0 z w4 c4 o204", 212);
    cannot_be_written(NC_ENOTNC);
    int ncid = open_file(NC_NOWRITE, "begins at 200");
    check_int(ncid, 0, 0, value_at(8));
    check_int(ncid, 1, 0, value_at(0));
    check_int(ncid, 2, 0, value_at(4));
    close_file(ncid);

    /* the second record variable lies before the first, and one fixed one behind all records */
    make_file("M2 c3 w10 c1 st c0 z w11 c3 su c1 c0 z w4 c4 o204 sv c1 c0 z w4 c4 o200 sw c0 z w4 c4 o224",
              228);
    cannot_be_written(NC_ENOTNC);
    ncid = open_file(NC_NOWRITE, "begins at 200");
    for (int i = 0; i < 3; i++) {
        check_int(ncid, 0, i, value_at(4 + 8 * i));
        check_int(ncid, 1, i, value_at(8 * i));
    }
    check_int(ncid, 2, 0, value_at(24));
    close_file(ncid);
}

/* Of an attribute and of a variable, in CDF-1 and CDF-2: refused, as PnetCDF does and its tst_corrupt asks.
 */
static void types_of_cdf5(void)
{
    static const char *const headers[] = { "M1 c0 z w12 c1 sa w11 c1 w0 w7 z", "M2 c0 z w12 c1 sa w7 c1 w0 z",
                                           "M1 c0 z z w11 c1 sv c0 z w11 c8 o200",
                                           "M2 c0 z z w11 c1 sv c0 z w7 c4 o200" };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        int ncid = -1;
        make_file(headers[i], 208);
        cannot_be_written(NC_EBADTYPE);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_EBADTYPE);
    }
}

/* As netCDF-C makes it: 3 * 2^30 bytes, the last of which is 9; the file has holes. */
static void long_dimension(void)
{
    MPI_Offset length = (MPI_Offset)3 << 30, got = -1, last = length - 1;
    int value = -1;
    make_file("M2 c0 w10 c1 sx c0xC0000000 z w11 c1 sv c1 c0 z w1 c0xC0000000 o200", 200);
    if (my_rank == 0) {
        FILE *f = fopen(my_path, "r+b");
        CHECK(f && fseek(f, 200 + (long)last, SEEK_SET) == 0 && fputc(9, f) == 9, "%s cannot be written",
              my_path);
        if (f)
            fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    cannot_be_written(NC_EDIMSIZE);
    int ncid = open_file(NC_NOWRITE, "length 3221225472");
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &got), NC_NOERR);
    CHECK_INT(got, length);
    CHECK_NC(ncmpi_get_var1_int_all(ncid, 0, &last, &value), NC_NOERR);
    CHECK_INT(value, 9);
    close_file(ncid);
}

static void nul_in_name(void)
{
    char name[NC_MAX_NAME + 1];
    int id = -1;
    make_file("M1 c0 w10 c1 c3 b78007900 c5 z z", 100);
    cannot_be_written(NC_EBADNAME);
    int ncid = open_file(NC_NOWRITE, "NUL");
    CHECK_NC(ncmpi_inq_dimname(ncid, 0, name), NC_NOERR);
    CHECK(strcmp(name, "x") == 0, "%s", name);
    CHECK_NC(ncmpi_inq_dimid(ncid, "x", &id), NC_NOERR);
    close_file(ncid);
}

/* ---- for writing too */

static void streaming(void)
{
    MPI_Offset records = -1, at = 3;
    int four = 4;
    make_file("M1 c0xFFFFFFFF w10 c1 st c0 z w11 c1 sv c1 c0 z w4 c4 o200", 213); /* and a byte of the next */
    int ncid = open_file(NC_WRITE, NULL);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &records), NC_NOERR);
    CHECK_INT(records, 3);
    check_int(ncid, 0, 2, value_at(8));
    CHECK_NC(ncmpi_put_var1_int_all(ncid, 0, &at, &four), NC_NOERR);
    close_file(ncid);
    ncid = open_file(NC_NOWRITE, NULL);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &records), NC_NOERR);
    CHECK_INT(records, 4);
    check_int(ncid, 0, 0, value_at(0));
    check_int(ncid, 0, 3, 4);
    close_file(ncid);
}

static void grow_header(int ncid)
{
    char text[700];
    memset(text, 'x', sizeof text);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", sizeof text, text), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
}

/* Begins that are no multiples of 4, and no padding; the data moves. */
static void unaligned(void)
{
    int other = 77;
    MPI_Offset zero = 0;
    make_file("M1 c0 z z w11 c3 su c0 z w4 c4 o201 sv c0 z w4 c4 o205 sw c0 z w1 c4 o209", 210);
    for (int moved = 0; moved < 2; moved++) {
        int ncid = open_file(NC_WRITE, NULL);
        check_int(ncid, 0, 0, value_at(1));
        check_int(ncid, 1, 0, moved ? 77 : value_at(5));
        CHECK_NC(ncmpi_put_var1_int_all(ncid, 1, &zero, &other), NC_NOERR);
        check_int(ncid, 0, 0, value_at(1));
        check_int(ncid, 2, 0, 10);
        grow_header(ncid);
        for (int i = 0; i < 3; i++)
            check_int(ncid, i, 0, i == 0 ? value_at(1) : i == 1 ? 77 : 10);
        close_file(ncid);
    }
    int ncid = open_file(NC_NOWRITE, NULL);
    check_int(ncid, 0, 0, value_at(1));
    check_int(ncid, 1, 0, 77);
    check_int(ncid, 2, 0, 10);
    close_file(ncid);
}

static bool file_has(const char *bytes, size_t n)
{
    static char all[8192];
    FILE *f = fopen(my_path, "rb");
    size_t got = f ? fread(all, 1, sizeof all, f) : 0;
    if (f)
        fclose(f);
    for (size_t i = 0; i + n <= got; i++)
        if (memcmp(all + i, bytes, n) == 0)
            return true;
    return false;
}

/* Illegal, not normalised, not UTF-8, empty: kept as they are while other things of the header change. */
static void names_are_kept(void)
{
    int id = -1, ncid;
    make_file("M1 c0 w10 c3 c3 b612F6200 c5 c3 b65CC8100 c6 c2 bC3280000 c7 z w11 c1 c0 c1 c0 z w1 c8 o200",
              208);
    for (int i = 0; i < 2; i++) {
        ncid = open_file(i ? NC_NOWRITE : NC_WRITE, "empty");
        CHECK_NC(ncmpi_inq_dimid(ncid, "a/b", &id), NC_NOERR);
        CHECK_INT(id, 0);
        CHECK_NC(ncmpi_inq_dimid(ncid, "e\xcc\x81", &id), NC_NOERR);
        CHECK_INT(id, 1);
        CHECK_NC(ncmpi_inq_dimid(ncid, "\xc3\x28", &id), NC_NOERR);
        CHECK_INT(id, 2);
        if (i == 0)
            grow_header(ncid);
        close_file(ncid);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(file_has("\0\0\0\3a/b\0\0\0\0\5", 12) && file_has("\0\0\0\3e\xcc\x81\0\0\0\0\6", 12) &&
              file_has("\0\0\0\2\xc3\x28\0\0\0\0\0\7", 12),
          "rank %d: a name was changed", my_rank);
    MPI_Barrier(MPI_COMM_WORLD); /* before rank 0 makes the next file */
}

/* The first of two is found; both are there, by their ids, also after the header was written anew. */
static void names_twice(void)
{
    int id = -1, ncid, natts = -1, value = -1;
    char name[NC_MAX_NAME + 1];
    make_file("M1 c0 w10 c2 sx c3 sx c4 w12 c2 sa w4 c1 w5 sa w4 c1 w6 w11 c2 sv c0 z w4 c4 o200 sv c0 z w4 "
              "c4 o204",
              208);
    ncid = open_file(NC_WRITE, "second");
    grow_header(ncid);
    CHECK_NC(ncmpi_inq_varid(ncid, "v", &id), NC_NOERR);
    CHECK_INT(id, 0);
    check_int(ncid, 0, 0, value_at(0));
    check_int(ncid, 1, 0, value_at(4));
    close_file(ncid);
    ncid = open_file(NC_WRITE, "second");
    CHECK_NC(ncmpi_inq_natts(ncid, &natts), NC_NOERR);
    CHECK_INT(natts, 3);
    CHECK_NC(ncmpi_get_att_int(ncid, NC_GLOBAL, "a", &value), NC_NOERR);
    CHECK_INT(value, 5);
    CHECK_NC(ncmpi_rename_var(ncid, 0, "w"), NC_NOERR); /* the way out: then the other one is found */
    CHECK_NC(ncmpi_inq_varid(ncid, "v", &id), NC_NOERR);
    CHECK_INT(id, 1);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_del_att(ncid, NC_GLOBAL, "a"), NC_NOERR);
    CHECK_NC(ncmpi_rename_dim(ncid, 1, "y"), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_att_int(ncid, NC_GLOBAL, "a", &value), NC_NOERR);
    CHECK_INT(value, 6);
    close_file(ncid);
    ncid = open_file(NC_NOWRITE, NULL);
    CHECK_NC(ncmpi_inq_varname(ncid, 0, name), NC_NOERR);
    CHECK(strcmp(name, "w") == 0, "%s", name);
    CHECK_NC(ncmpi_inq_dimid(ncid, "x", &id), NC_NOERR);
    CHECK_INT(id, 0);
    check_int(ncid, 0, 0, value_at(0));
    check_int(ncid, 1, 0, value_at(4));
    close_file(ncid);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "odd_files", 110);
    other_orders();
    types_of_cdf5();
    long_dimension();
    nul_in_name();
    streaming();
    unaligned();
    names_are_kept();
    names_twice();
    return together_end("odd_files");
}
