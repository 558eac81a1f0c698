/* What is defined is what is found: all types of dimensions, variables and attributes of a file, asked for by
 * every inquiry, before enddef, after it, and after open; and again after renaming, deleting, copying and
 * overwriting in define mode and in data mode. Names in any Unicode form are one name. Values are converted
 * as reference 4.8 says. CDF-1, CDF-2, CDF-5. Runs on any number of ranks. argv[1]: the folder for the files.
 */
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdlib.h>
#include "check.h"

#define COMBINED   "caf\xc3\xa9"  /* one character é */
#define DECOMPOSED "cafe\xcc\x81" /* e and an accent */

static const struct format {
    const char *name;
    int cmode, format, version, last_type;
} formats[] = {
    { "CDF-1", 0, NC_FORMAT_CLASSIC, NC_CLASSIC_MODEL, NC_DOUBLE },
    { "CDF-2", NC_64BIT_OFFSET, NC_FORMAT_CDF2, NC_64BIT_OFFSET, NC_DOUBLE },
    { "CDF-5", NC_64BIT_DATA, NC_FORMAT_CDF5, NC_64BIT_DATA, NC_UINT64 },
};

/* ---- a file with one variable and one attribute of each type. Variable i has type i + 1, dimension i % 3
 * and i attributes */

enum { T, X, CAFE, NDIMS };

static const MPI_Offset lengths[NDIMS] = { 0, 4, 5 };
static const int numbers[4] = { 1, 2, 3, 100 };

static void att_name(char name[NC_MAX_NAME + 1], int i)
{
    snprintf(name, NC_MAX_NAME + 1, "attribute_%d", i);
}

static int put_number(int ncid, int varid, const char *name, nc_type type, int n)
{
    if (type == NC_CHAR)
        return ncmpi_put_att_text(ncid, varid, name, n, "abcd");
    return ncmpi_put_att_int(ncid, varid, name, type, n, numbers);
}

static void define_variable(int ncid, int i)
{
    char name[NC_MAX_NAME + 1];
    int varid = -1, dimid = i % NDIMS;
    snprintf(name, sizeof name, "v%d", i);
    CHECK_INT(ncmpi_def_var(ncid, name, i + 1, 1, &dimid, &varid), NC_NOERR);
    CHECK_INT(varid, i);
    for (int a = 0; a < i; a++) {
        att_name(name, a);
        CHECK_INT(put_number(ncid, varid, name, a + 1, 1 + a % 4), NC_NOERR);
    }
}

static void define(int ncid, const struct format *f)
{
    int id = -1;
    CHECK_INT(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &id), NC_NOERR);
    CHECK_INT(id, T);
    CHECK_INT(ncmpi_def_dim(ncid, "x", lengths[X], &id), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, DECOMPOSED, lengths[CAFE], &id), NC_NOERR);
    CHECK_INT(id, CAFE);
    for (int i = 0; i < f->last_type; i++)
        define_variable(ncid, i);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 7, "a title"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_double(ncid, NC_GLOBAL, "empty", NC_DOUBLE, 0, NULL), NC_NOERR);
}

static void check_whole(int ncid, const struct format *f)
{
    int ndims, nvars, natts, record, n;
    CHECK_INT(ncmpi_inq(ncid, &ndims, &nvars, &natts, &record), NC_NOERR);
    CHECK_INT(ndims, NDIMS);
    CHECK_INT(nvars, f->last_type);
    CHECK_INT(natts, 2);
    CHECK_INT(record, T);
    CHECK_INT(ncmpi_inq_num_rec_vars(ncid, &n), NC_NOERR);
    CHECK_INT(n, (f->last_type + 2) / 3);
    CHECK_INT(ncmpi_inq_num_fix_vars(ncid, &n), NC_NOERR);
    CHECK_INT(n, f->last_type - (f->last_type + 2) / 3);
    CHECK_INT(ncmpi_inq_format(ncid, &n), NC_NOERR);
    CHECK_INT(n, f->format);
    CHECK_INT(ncmpi_inq_version(ncid, &n), NC_NOERR);
    CHECK_INT(n, f->version);
}

static void check_dim(int ncid, int id, const char *want)
{
    char name[NC_MAX_NAME + 1] = "";
    MPI_Offset length = -1;
    int found = -1;
    CHECK_INT(ncmpi_inq_dim(ncid, id, name, &length), NC_NOERR);
    CHECK(strcmp(name, want) == 0, "dimension %d is \"%s\", not \"%s\"", id, name, want);
    CHECK_INT(length, lengths[id]);
    CHECK_INT(ncmpi_inq_dimid(ncid, want, &found), NC_NOERR);
    CHECK_INT(found, id);
}

static void check_number(int ncid, int varid, int a)
{
    char name[NC_MAX_NAME + 1], found[NC_MAX_NAME + 1] = "", text[4];
    double values[4] = { 0 };
    MPI_Offset length = -1;
    nc_type type = NC_NAT;
    int id = -1, n = 1 + a % 4;
    att_name(name, a);
    CHECK_INT(ncmpi_inq_att(ncid, varid, name, &type, &length), NC_NOERR);
    CHECK_INT(type, a + 1);
    CHECK_INT(length, n);
    CHECK_INT(ncmpi_inq_attid(ncid, varid, name, &id), NC_NOERR);
    CHECK_INT(id, a);
    CHECK_INT(ncmpi_inq_attname(ncid, varid, a, found), NC_NOERR);
    CHECK(strcmp(name, found) == 0, "attribute %d is \"%s\"", a, found);
    if (type == NC_CHAR) {
        CHECK_INT(ncmpi_get_att_text(ncid, varid, name, text), NC_NOERR);
        CHECK(memcmp(text, "abcd", (size_t)n) == 0, "text is %.*s", n, text);
        return;
    }
    CHECK_INT(ncmpi_get_att_double(ncid, varid, name, values), NC_NOERR);
    for (int i = 0; i < n; i++)
        CHECK(values[i] == numbers[i], "value %d of attribute %d is %g", i, a, values[i]);
}

static void check_variable(int ncid, int i, const char *want)
{
    char name[NC_MAX_NAME + 1] = "";
    int ndims = -1, dimid = -1, natts = -1, varid = -1;
    nc_type type = NC_NAT;
    CHECK_INT(ncmpi_inq_var(ncid, i, name, &type, &ndims, &dimid, &natts), NC_NOERR);
    CHECK(strcmp(name, want) == 0, "variable %d is \"%s\", not \"%s\"", i, name, want);
    CHECK_INT(type, i + 1);
    CHECK_INT(ndims, 1);
    CHECK_INT(dimid, i % NDIMS);
    CHECK_INT(natts, i);
    CHECK_INT(ncmpi_inq_varid(ncid, want, &varid), NC_NOERR);
    CHECK_INT(varid, i);
    for (int a = 0; a < natts; a++)
        check_number(ncid, i, a);
}

static void check_file(int ncid, const struct format *f)
{
    char name[NC_MAX_NAME + 1], text[8] = "";
    MPI_Offset length = -1;
    check_whole(ncid, f);
    check_dim(ncid, T, "t");
    check_dim(ncid, X, "x");
    check_dim(ncid, CAFE, COMBINED);
    for (int i = 0; i < f->last_type; i++) {
        snprintf(name, sizeof name, "v%d", i);
        check_variable(ncid, i, name);
    }
    CHECK_INT(ncmpi_get_att_text(ncid, NC_GLOBAL, "title", text), NC_NOERR);
    CHECK(memcmp(text, "a title", 7) == 0, "title is %s", text);
    CHECK_INT(ncmpi_inq_attlen(ncid, NC_GLOBAL, "empty", &length), NC_NOERR);
    CHECK_INT(length, 0);
}

/* Sizes and places: 0 or growing before enddef, fixed after it, the same after open. */
static void check_places(int ncid, int nvars, MPI_Offset sizes[3])
{
    MPI_Offset offset = -1;
    CHECK_INT(ncmpi_inq_header_size(ncid, &sizes[0]), NC_NOERR);
    CHECK_INT(ncmpi_inq_header_extent(ncid, &sizes[1]), NC_NOERR);
    CHECK_INT(ncmpi_inq_recsize(ncid, &sizes[2]), NC_NOERR);
    CHECK(sizes[0] > 32, "the header has %lld bytes", (long long)sizes[0]);
    for (int i = 0; i < nvars; i++) {
        CHECK_INT(ncmpi_inq_varoffset(ncid, i, &offset), NC_NOERR);
        CHECK(sizes[1] == 0 ? offset == 0 : offset >= sizes[1],
              "variable %d lies at %lld, the header ends at %lld", i, (long long)offset, (long long)sizes[1]);
    }
}

static void check_surroundings(int ncid, const char *path)
{
    char found[1024] = "";
    int length = -1, n = 0, ids[NC_MAX_NFILES], size = -1, count = -1;
    MPI_Offset put = -1, get = -1;
    MPI_Info info = MPI_INFO_NULL;
    CHECK_INT(ncmpi_inq_path(ncid, &length, found), NC_NOERR);
    CHECK(strcmp(found, path) == 0 && length == (int)strlen(path), "path is %s, %d bytes", found, length);
    CHECK_INT(ncmpi_inq_files_opened(&n, ids), NC_NOERR);
    CHECK(n == 1 && ids[0] == ncid, "%d files open, the first is %d", n, ids[0]);
    CHECK_INT(ncmpi_inq_striping(ncid, &size, &count), NC_NOERR);
    CHECK(size >= 0 && count >= 0, "%d stripes of %d", count, size);
    CHECK_INT(ncmpi_inq_striping(ncid, NULL, NULL), NC_NOERR);
    CHECK_INT(ncmpi_inq_put_size(ncid, &put), NC_NOERR);
    CHECK_INT(ncmpi_inq_get_size(ncid, &get), NC_NOERR);
    CHECK(put >= 0 && get >= 0, "put %lld, get %lld", (long long)put, (long long)get);
    CHECK_INT(ncmpi_inq_file_info(ncid, NULL), NC_NOERR);
    CHECK_INT(ncmpi_inq_file_info(ncid, &info), NC_NOERR);
    CHECK_INT(MPI_Info_get(info, "nc_header_read_chunk_size", 1023, found, &n), MPI_SUCCESS);
    CHECK(n && atoi(found) == 262144, "nc_header_read_chunk_size is %s", n ? found : "missing");
    MPI_Info_free(&info);
}

static void check_all_types(const struct format *f, const char *path)
{
    MPI_Offset before[3], after[3], opened[3];
    int ncid = -1, format = -1;
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, f->cmode, MPI_INFO_NULL, &ncid), NC_NOERR);
    define(ncid, f);
    check_file(ncid, f);
    check_places(ncid, f->last_type, before);
    CHECK_INT(before[1], 0);
    CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
    check_file(ncid, f);
    check_places(ncid, f->last_type, after);
    check_surroundings(ncid, path);
    CHECK_INT(before[0], after[0]);
    CHECK(after[1] >= after[0] && after[2] > 0, "extent %lld, record %lld", (long long)after[1],
          (long long)after[2]);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);

    CHECK_INT(ncmpi_inq_file_format(path, &format), NC_NOERR);
    CHECK_INT(format, f->format);
    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    check_file(ncid, f);
    check_places(ncid, f->last_type, opened);
    CHECK(memcmp(after, opened, sizeof after) == 0, "sizes differ after open");
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

/* ---- changes */

static void check_text(int ncid, int varid, const char *name, const char *want)
{
    char text[64] = "";
    MPI_Offset length = -1;
    nc_type type = NC_NAT;
    CHECK_INT(ncmpi_inq_att(ncid, varid, name, &type, &length), NC_NOERR);
    CHECK_INT(type, NC_CHAR);
    CHECK_INT(length, (MPI_Offset)strlen(want));
    if (length < (MPI_Offset)sizeof text)
        CHECK_INT(ncmpi_get_att_text(ncid, varid, name, text), NC_NOERR);
    CHECK(strcmp(text, want) == 0, "%s is \"%s\", not \"%s\"", name, text, want);
}

/* What change_in_data_mode and change_in_define_mode leave behind. */
static void check_changed(int ncid, bool defined)
{
    double d[2] = { 0 };
    int id = -1, n = -1;
    CHECK_INT(ncmpi_inq_dimid(ncid, "T", &id), NC_NOERR);
    CHECK_INT(id, T);
    CHECK_INT(ncmpi_inq_dimid(ncid, "t", &id), NC_EBADDIM);
    CHECK_INT(ncmpi_inq_varid(ncid, "w", &id), NC_NOERR);
    CHECK_INT(id, 3);
    CHECK_INT(ncmpi_inq_varid(ncid, "v3", &id), NC_ENOTVAR);
    check_text(ncid, NC_GLOBAL, "tit\xc3\xa9", "short");
    check_text(ncid, 5, "attribute_0", "new"); /* was a byte: a type may change where the size allows it */
    CHECK_INT(ncmpi_get_att_double(ncid, 5, "attribute_3", d), NC_NOERR);
    CHECK(d[0] == 7, "attribute_3 is %g", d[0]);
    CHECK_INT(ncmpi_inq_varnatts(ncid, 4, &n), NC_NOERR);
    CHECK_INT(n, 4); /* in define mode one goes and one comes */
    CHECK_INT(ncmpi_inq_attid(ncid, 4, "attribute_1", &id), defined ? NC_ENOTATT : NC_NOERR);
    if (!defined)
        return;
    CHECK_INT(ncmpi_inq_attid(ncid, 4, "attribute_2", &id), NC_NOERR);
    CHECK_INT(id, 1); /* moved down */
    check_text(ncid, 4, "a rather long new name of it", "a longer text than ever");
    CHECK_INT(ncmpi_inq_dimid(ncid, "a longer name of x", &id), NC_NOERR);
    CHECK_INT(id, X);
    CHECK_INT(ncmpi_inq_varid(ncid, "a longer name of v0", &id), NC_NOERR);
    CHECK_INT(id, 0);
}

static void change_in_data_mode(int ncid)
{
    int seven = 7;
    MPI_Offset before, after;
    CHECK_INT(ncmpi_inq_header_size(ncid, &before), NC_NOERR);
    CHECK_INT(ncmpi_rename_dim(ncid, T, "T"), NC_NOERR);
    CHECK_INT(ncmpi_rename_var(ncid, 3, "w"), NC_NOERR);
    /* 6 bytes as it is given, but 5 in its normal form, as many as the old name */
    CHECK_INT(ncmpi_rename_att(ncid, NC_GLOBAL, "title", "tite\xcc\x81"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "tit\xc3\xa9", 5, "short"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, 5, "attribute_0", 3, "new"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_int(ncid, 4, "attribute_3", NC_INT, 1, &seven), NC_NOERR);
    CHECK_INT(ncmpi_copy_att(ncid, 4, "attribute_3", ncid, 5), NC_NOERR);
    CHECK_INT(ncmpi_inq_header_size(ncid, &after), NC_NOERR);
    CHECK(after < before, "header of %lld bytes became %lld", (long long)before, (long long)after);
}

static void change_in_define_mode(int ncid)
{
    CHECK_INT(ncmpi_rename_dim(ncid, X, "a longer name of x"), NC_NOERR);
    CHECK_INT(ncmpi_rename_var(ncid, 0, "a longer name of v0"), NC_NOERR);
    CHECK_INT(ncmpi_del_att(ncid, 4, "attribute_1"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, 3, "text", 23, "a longer text than ever"), NC_NOERR);
    CHECK_INT(ncmpi_copy_att(ncid, 3, "text", ncid, 4), NC_NOERR);
    CHECK_INT(ncmpi_rename_att(ncid, 4, "text", "a rather long new name of it"), NC_NOERR);
    CHECK_INT(ncmpi_del_att(ncid, 3, "text"), NC_NOERR);
}

static void reopen(const char *path, int *ncid, int omode)
{
    CHECK_INT(ncmpi_close(*ncid), NC_NOERR);
    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, omode, MPI_INFO_NULL, ncid), NC_NOERR);
}

static void check_changes(const struct format *f, const char *path, bool independent)
{
    int ncid = -1;
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, f->cmode, MPI_INFO_NULL, &ncid), NC_NOERR);
    define(ncid, f);
    reopen(path, &ncid, NC_WRITE);
    if (independent)
        CHECK_INT(ncmpi_begin_indep_data(ncid), NC_NOERR);
    change_in_data_mode(ncid);
    check_changed(ncid, false);
    reopen(path, &ncid, NC_WRITE);
    check_changed(ncid, false);
    CHECK_INT(ncmpi_redef(ncid), NC_NOERR);
    change_in_define_mode(ncid);
    check_changed(ncid, true);
    reopen(path, &ncid, NC_NOWRITE);
    check_changed(ncid, true);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

/* ---- values of attributes */

static void expect_told(const char *part)
{
    CHECK(strstr(parcdf_last_error(), part), "\"%s\" lacks \"%s\"", parcdf_last_error(), part);
}

static void check_conversion(const struct format *f, const char *path)
{
    const double wide[3] = { 1e10, -7.9, 3 };
    const unsigned char high[2] = { 255, 128 };
    int ncid = -1, ints[3] = { 0 };
    long longs[3] = { 0 };
    short shorts[3] = { 0 };
    unsigned char back[2] = { 0 };
    const int three[3] = { 127, 128, -129 };
    signed char signs[2] = { 0 }, signs3[3];
    bool raw = f->format != NC_FORMAT_CDF5; /* unsigned char and NC_BYTE are the same bytes there */
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, f->cmode, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_put_att_double(ncid, NC_GLOBAL, "wide", NC_INT, 3, wide), NC_ERANGE);
    expect_told("\"wide\": 1 value does not fit in NC_INT and became a fill value: 1e+10 at element 0");
    CHECK_INT(ncmpi_get_att_int(ncid, NC_GLOBAL, "wide", ints), NC_NOERR);
    CHECK(ints[0] == -2147483647 && ints[1] == -7 && ints[2] == 3, "%d %d %d", ints[0], ints[1], ints[2]);
    CHECK_INT(ncmpi_get_att_short(ncid, NC_GLOBAL, "wide", shorts), NC_ERANGE);
    expect_told("\"wide\": 1 value does not fit in short and became a fill value: -2147483647 at element 0");
    CHECK(shorts[0] == -32767 && shorts[1] == -7, "%d %d", shorts[0], shorts[1]);
    CHECK_INT(ncmpi_put_att_double(ncid, NC_GLOBAL, "real", NC_DOUBLE, 1, wide), NC_NOERR);
    CHECK_INT(ncmpi_put_att_int(ncid, NC_GLOBAL, "three", NC_INT, 3, three), NC_NOERR);
    CHECK_INT(ncmpi_get_att_schar(ncid, NC_GLOBAL, "three", signs3), NC_ERANGE);
    expect_told("\"three\": 2 values do not fit in signed char and became fill values, the first is 128 at "
                "element 1");
    CHECK_INT(ncmpi_get_att_long(ncid, NC_GLOBAL, "real", longs), sizeof(long) == 8 ? NC_NOERR : NC_ERANGE);
    CHECK(longs[0] == (sizeof(long) == 8 ? (long)1e10 : -2147483647L), "%ld", longs[0]);
    CHECK_INT(ncmpi_put_att_uchar(ncid, NC_GLOBAL, "high", NC_BYTE, 2, high), raw ? NC_NOERR : NC_ERANGE);
    CHECK_INT(ncmpi_get_att_schar(ncid, NC_GLOBAL, "high", signs), NC_NOERR);
    CHECK(signs[0] == (raw ? -1 : -127) && signs[1] == (raw ? -128 : -127), "%d %d", signs[0], signs[1]);
    CHECK_INT(ncmpi_get_att_ubyte(ncid, NC_GLOBAL, "high", back), raw ? NC_NOERR : NC_ERANGE);
    CHECK(back[0] == 255 && back[1] == (raw ? 128 : 255), "%d %d", back[0], back[1]);
    CHECK_INT(ncmpi_put_att(ncid, NC_GLOBAL, "own", NC_DOUBLE, 3, wide), NC_NOERR);
    double again[3] = { 0 };
    CHECK_INT(ncmpi_get_att(ncid, NC_GLOBAL, "own", again), NC_NOERR);
    CHECK(memcmp(again, wide, sizeof wide) == 0, "%g %g %g", again[0], again[1], again[2]);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

/* ---- names */

static void check_names(const char *path)
{
    char longest[NC_MAX_NAME + 1], name[NC_MAX_NAME + 1] = "";
    int ncid = -1, id = -1, v = -1;
    memset(longest, 'n', sizeof longest - 1);
    longest[NC_MAX_NAME] = '\0';
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, 0, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, DECOMPOSED, 3, NULL), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, COMBINED, 3, NULL), NC_ENAMEINUSE);
    CHECK_INT(ncmpi_def_dim(ncid, longest, 3, &id), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, COMBINED, NC_INT, 0, NULL, &v),
              NC_NOERR); /* dimensions have names of their own */
    CHECK_INT(ncmpi_def_var(ncid, DECOMPOSED, NC_INT, 0, NULL, &v), NC_ENAMEINUSE);
    CHECK_INT(ncmpi_put_att_text(ncid, v, COMBINED, 1, "1"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, v, DECOMPOSED, 1, "2"), NC_NOERR); /* the same one */
    CHECK_INT(ncmpi_def_var(ncid, "2m T(K) @x+y", NC_INT, 0, NULL, NULL), NC_NOERR);
    CHECK_INT(ncmpi_rename_att(ncid, v, DECOMPOSED, DECOMPOSED), NC_ENAMEINUSE);
    reopen(path, &ncid, NC_NOWRITE);
    CHECK_INT(ncmpi_inq_varid(ncid, DECOMPOSED, &id), NC_NOERR);
    CHECK_INT(ncmpi_inq_varname(ncid, id, name), NC_NOERR);
    CHECK(strcmp(name, COMBINED) == 0, "the name is stored as %s", name);
    CHECK_INT(ncmpi_inq_varnatts(ncid, v, &id), NC_NOERR);
    CHECK_INT(id, 1);
    check_text(ncid, v, DECOMPOSED, "2");
    CHECK_INT(ncmpi_inq_dimname(ncid, 1, name), NC_NOERR);
    CHECK(strcmp(name, longest) == 0, "the longest name is stored as %s", name);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    char path[1024];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/metadata_roundtrip.nc", argc > 1 ? argv[1] : ".");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        check_all_types(&formats[i], path);
        check_changes(&formats[i], path, i == 1);
        check_conversion(&formats[i], path);
    }
    check_names(path);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK_INT(ncmpi_delete(path, MPI_INFO_NULL), NC_NOERR);
    MPI_Finalize();
    return check_done("metadata_roundtrip");
}
