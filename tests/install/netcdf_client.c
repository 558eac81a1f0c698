/* Fixes that netCDF-C's parallel interface for classic files works on our libpnetcdf in place of PnetCDF's:
 * files of each format made by nc_create_par(NC_PNETCDF), variables of each type written and read by var,
 * var1, vara, vars and varm, collectively and independently, records added, fill values, attributes,
 * renaming, redef, reopening for reading and for writing. The same values come whatever the number of ranks
 * (1 to 4), so that ncdump can compare.
 *
 *   netcdf_client FILE classic|offset|data     FILE is left for ncdump */
#include "check.h"
#include <stdlib.h>
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>

#define NC(call)                                                                                             \
    do {                                                                                                     \
        int nc_err_ = (call);                                                                                \
        CHECK(nc_err_ == NC_NOERR, "%s (rank %d)", nc_strerror(nc_err_), rank);                              \
    } while (0)

enum { X = 12, Y = 3, RECORDS = 3, MOST_TYPES = 11 };
static const nc_type types[MOST_TYPES] = { NC_BYTE,  NC_SHORT,  NC_INT,  NC_FLOAT, NC_DOUBLE, NC_CHAR,
                                           NC_UBYTE, NC_USHORT, NC_UINT, NC_INT64, NC_UINT64 };
static const char *const names[MOST_TYPES] = { "byte",  "short",  "int",  "float", "double", "char",
                                               "ubyte", "ushort", "uint", "int64", "uint64" };
static int rank, ranks, ntypes, cmode;
static int ncid, varid[MOST_TYPES], recid, rec2id, holeid, scalarid;
static size_t mine; /* the x that are this rank's: from rank * mine on */

static int value(int k, size_t x, size_t y)
{
    return (int)(k * 5 + x * Y + y) % 120;
}

static void define(const char *path)
{
    int dimids[3], three[] = { 1, 2, 3 };
    double half = 0.5;
    short fill = -9;

    NC(nc_create_par(path, NC_CLOBBER | NC_PNETCDF | cmode, MPI_COMM_WORLD, MPI_INFO_NULL, &ncid));
    NC(nc_def_dim(ncid, "t", NC_UNLIMITED, &dimids[0]));
    NC(nc_def_dim(ncid, "x", X, &dimids[1]));
    NC(nc_def_dim(ncid, "y", Y, &dimids[2]));
    NC(nc_set_fill(ncid, NC_FILL, NULL));
    for (int k = 0; k < ntypes; k++) {
        NC(nc_def_var(ncid, names[k], types[k], 2, dimids + 1, &varid[k]));
        NC(nc_put_att_text(ncid, varid[k], "units", 2, "m2"));
    }
    NC(nc_def_var(ncid, "rec", NC_INT, 2, dimids, &recid));
    NC(nc_def_var(ncid, "old", NC_DOUBLE, 1, dimids, &rec2id));
    NC(nc_def_var(ncid, "hole", NC_SHORT, 2, dimids + 1, &holeid));
    NC(nc_def_var_fill(ncid, holeid, NC_FILL, &fill));
    NC(nc_def_var(ncid, "scalar", NC_INT, 0, NULL, &scalarid));
    NC(nc_put_att_text(ncid, NC_GLOBAL, "title", 6, "client"));
    NC(nc_put_att_int(ncid, NC_GLOBAL, "three", NC_SHORT, 3, three));
    NC(nc_put_att_double(ncid, recid, "half", NC_FLOAT, 1, &half));
    NC(nc_enddef(ncid));
}

/* Every element of this rank's block by the form `k` stands for; the forms take turns over the types. */
static void put_block(int k, int form)
{
    size_t x0 = (size_t)rank * mine, start[] = { x0, 0 }, count[] = { mine, Y };
    ptrdiff_t stride[] = { 1, 2 }, imap[] = { 1, (ptrdiff_t)mine };
    int buf[X * Y];

    for (size_t x = 0; x < mine; x++)
        for (size_t y = 0; y < Y; y++)
            buf[form == 3 ? y * mine + x : x * Y + y] = value(k, x0 + x, y);
    if (form == 0) {
        for (size_t x = 0; x < mine; x++)
            for (size_t y = 0; y < Y; y++)
                NC(nc_put_var1_int(ncid, varid[k], (size_t[]){ x0 + x, y }, &buf[x * Y + y]));
    } else if (form == 1) {
        NC(nc_put_vara_int(ncid, varid[k], start, count, buf));
    } else if (form == 2) { /* columns 0 and 2, then column 1 */
        int part[X * 2], middle[X];
        for (size_t x = 0; x < mine; x++) {
            part[2 * x] = buf[x * Y];
            part[2 * x + 1] = buf[x * Y + 2];
            middle[x] = buf[x * Y + 1];
        }
        NC(nc_put_vars_int(ncid, varid[k], start, (size_t[]){ mine, 2 }, stride, part));
        NC(nc_put_vara_int(ncid, varid[k], (size_t[]){ x0, 1 }, (size_t[]){ mine, 1 }, middle));
    } else {
        NC(nc_put_varm_int(ncid, varid[k], start, count, NULL, imap, buf));
    }
}

static void put_text(int k)
{
    char text[X * Y];

    for (size_t i = 0; i < mine * Y; i++)
        text[i] = (char)('a' + ((size_t)rank * mine * Y + i) % 26);
    NC(nc_put_vara_text(ncid, varid[k], (size_t[]){ (size_t)rank * mine, 0 }, (size_t[]){ mine, Y }, text));
}

static void put_record(size_t record)
{
    int row[X];
    double once = (double)record + 0.5;

    for (size_t x = 0; x < mine; x++)
        row[x] = (int)(record * 100 + (size_t)rank * mine + x);
    NC(nc_put_vara_int(ncid, recid, (size_t[]){ record, (size_t)rank * mine }, (size_t[]){ 1, mine }, row));
    NC(nc_put_vara_double(ncid, rec2id, &record, (size_t[]){ rank == 0 }, &once));
}

/* The whole of variable k, in every form of get. */
static void check_whole(int k)
{
    int buf[X * Y], one;
    ptrdiff_t imap[] = { 1, X }, stride[] = { 2, 1 };
    size_t zero[] = { 0, 0 }, all[] = { X, Y }, half[] = { X / 2, Y };

    NC(nc_get_var_int(ncid, varid[k], buf));
    for (size_t i = 0; i < X * Y; i++)
        CHECK(buf[i] == value(k, i / Y, i % Y), "%s[%zu] by var is %d", names[k], i, buf[i]);
    NC(nc_get_vara_int(ncid, varid[k], (size_t[]){ 1, 1 }, (size_t[]){ X - 1, 1 }, buf));
    CHECK_INT(buf[X - 2], value(k, X - 1, 1));
    NC(nc_get_vars_int(ncid, varid[k], zero, half, stride, buf));
    CHECK_INT(buf[Y + 1], value(k, 2, 1));
    NC(nc_get_varm_int(ncid, varid[k], zero, all, NULL, imap, buf));
    CHECK_INT(buf[2 * X + 5], value(k, 5, 2));
    NC(nc_get_var1_int(ncid, varid[k], (size_t[]){ 7, 2 }, &one));
    CHECK_INT(one, value(k, 7, 2));
}

static void check_all(size_t records)
{
    int rec[X], one = 0;
    char text[X * Y];
    short hole;
    size_t length;
    double half = 0;

    for (int k = 0; k < ntypes; k++)
        if (types[k] != NC_CHAR)
            check_whole(k);
    NC(nc_get_var_text(ncid, varid[5], text));
    CHECK(text[27] == 'b' && text[0] == 'a', "text is %.36s", text);
    NC(nc_inq_dimlen(ncid, 0, &length));
    CHECK_INT(length, records);
    NC(nc_get_vara_int(ncid, recid, (size_t[]){ records - 1, 0 }, (size_t[]){ 1, X }, rec));
    CHECK_INT(rec[11], (records - 1) * 100 + 11);
    NC(nc_get_var1_short(ncid, holeid, (size_t[]){ 5, 2 }, &hole));
    CHECK_INT(hole, -9);
    NC(nc_get_var_int(ncid, scalarid, &one));
    CHECK_INT(one, 42);
    NC(nc_get_att_double(ncid, recid, "half", &half));
    CHECK(half == 0.5, "half is %g", half);
    CHECK_INT(nc_get_vara_int(ncid, recid, (size_t[]){ records, 0 }, (size_t[]){ 1, X }, rec),
              NC_EINVALCOORDS);
    CHECK_INT(nc_get_vara_int(ncid, recid, (size_t[]){ 0, 1 }, (size_t[]){ 1, X }, rec), NC_EEDGE);
}

static void write_all(void)
{
    int scalar = 42;

    for (int k = 0; k < ntypes;
         k++) { /* half of them collectively, in forms that every rank calls as often */
        NC(nc_var_par_access(ncid, varid[k], k % 2 ? NC_COLLECTIVE : NC_INDEPENDENT));
        if (types[k] == NC_CHAR)
            put_text(k);
        else
            put_block(k, k % 4);
    }
    NC(nc_var_par_access(ncid, scalarid, NC_COLLECTIVE));
    NC(nc_put_var_int(ncid, scalarid, &scalar));
    put_record(0);
    put_record(1);
}

/* Definitions that change in data mode and in define mode; the header grows. */
static void redefine(void)
{
    int varid_found, type_count;

    NC(nc_redef(ncid));
    NC(nc_rename_var(ncid, rec2id, "new_name"));
    NC(nc_rename_att(ncid, NC_GLOBAL, "title", "a_much_longer_name"));
    NC(nc_rename_dim(ncid, 0, "record"));
    NC(nc_del_att(ncid, varid[0], "units"));
    NC(nc_put_att_int(ncid, NC_GLOBAL, "ranks_do_not_matter", NC_INT, 1, &(int){ 7 }));
    NC(nc_copy_att(ncid, recid, "half", ncid, rec2id));
    NC(nc_enddef(ncid));
    NC(nc_inq_varid(ncid, "new_name", &varid_found));
    CHECK_INT(varid_found, rec2id);
    CHECK_INT(nc_inq_varid(ncid, "old", &varid_found), NC_ENOTVAR);
    NC(nc_inq_nvars(ncid, &type_count));
    CHECK_INT(type_count, ntypes + 4);
}

static void reopen(const char *path)
{
    int format, scalar = 1;

    NC(nc_open_par(path, NC_WRITE | NC_PNETCDF, MPI_COMM_WORLD, MPI_INFO_NULL, &ncid));
    NC(nc_var_par_access(ncid, recid, NC_COLLECTIVE));
    put_record(2);
    NC(nc_sync(ncid));
    check_all(RECORDS);
    NC(nc_close(ncid));

    NC(nc_open_par(path, NC_NOWRITE | NC_PNETCDF, MPI_COMM_WORLD, MPI_INFO_NULL, &ncid));
    check_all(RECORDS); /* independently, as nc_open_par leaves it */
    CHECK_INT(nc_put_var_int(ncid, scalarid, &scalar), NC_EPERM);
    CHECK_INT(nc_redef(ncid), NC_EPERM);
    NC(nc_inq_format(ncid, &format));
    CHECK_INT(format, cmode == NC_64BIT_DATA     ? NC_FORMAT_64BIT_DATA
                      : cmode == NC_64BIT_OFFSET ? NC_FORMAT_64BIT_OFFSET
                                                 : NC_FORMAT_CLASSIC);
    NC(nc_close(ncid));
    CHECK(nc_open_par("missing.nc", NC_NOWRITE | NC_PNETCDF, MPI_COMM_WORLD, MPI_INFO_NULL, &ncid) !=
              NC_NOERR,
          "a missing file was opened");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3 || X % ranks != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    mine = (size_t)(X / ranks);
    cmode = strcmp(argv[2], "data") == 0     ? NC_64BIT_DATA
            : strcmp(argv[2], "offset") == 0 ? NC_64BIT_OFFSET
                                             : 0;
    ntypes = cmode == NC_64BIT_DATA ? MOST_TYPES : 6;

    define(argv[1]);
    write_all();
    NC(nc_sync(ncid));
    check_all(2);
    redefine();
    NC(nc_var_par_access(ncid, recid, NC_COLLECTIVE));
    check_all(2);
    NC(nc_close(ncid));
    reopen(argv[1]);

    MPI_Allreduce(MPI_IN_PLACE, &check_bad, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return rank == 0 ? check_done("netcdf_client") : check_bad != 0;
}
