#ifndef METADATAROWS_H
#define METADATAROWS_H
/* The table of metadata_errors.c: what is wrong with a call on the definitions, and the code that it gets. */

#include <pnetcdf.h>
#include <stdbool.h>

enum state {
    DEFINE = 1,
    DATA = 2,
    READ = 4,
    WRITABLE = DEFINE | DATA,
    ANY = 7
}; /* in which files a row is tried */
enum versions { CDF1 = 1, CDF5 = 2, BOTH = 3 };

enum function {
    PUT_TEXT,
    PUT_INT,
    PUT_DOUBLE,
    PUT_UBYTE,
    PUT_GENERIC,
    GET_TEXT,
    GET_SHORT,
    GET_UCHAR,
    GET_GENERIC,
    DEL_ATT,
    RENAME_ATT,
    COPY_ATT,
    INQ_ATT,
    INQ_ATTID,
    INQ_ATTNAME,
    DEF_DIM,
    RENAME_DIM,
    INQ_DIMID,
    INQ_DIM,
    DEF_VAR,
    RENAME_VAR,
    INQ_VARID,
    INQ_VAR,
    INQ_VARNAME,
    INQ_VARTYPE,
    INQ_VARNDIMS,
    INQ_VARDIMID,
    INQ_VARNATTS,
    INQ_VAROFFSET
};

struct row {
    const char *what;
    enum function function;
    int states, versions;
    bool bad_ncid;
    int id;           /* varid or dimid */
    const char *name; /* LONG: of 257 bytes */
    nc_type type;     /* or attribute number, or varid_out */
    long long n;      /* length, or number of dimensions */
    const void *data; /* values, dimids, new name */
    int want;
};

/* ---- what every file holds: dimensions t (unlimited), x, y; variables OLD (int) and, in define mode, NEW
 * (short); attributes of OLD: note (5 characters), one (int), wide (int 70000), none (length 0); global:
 * title */
enum { T, X, Y, NDIMS };
enum { OLD, NEW };
#define BAD (-999)

static char long_name[258]; /* 257 bytes */
#define LONG long_name

static const int ints[4] = { 1, 2, 3, 4 };
static const double doubles[2] = { 1, 1e10 };
static const signed char bytes_[4] = { 1, 2, 3, 4 };
static const char letters[] = "abcdefgh";
static const int ids_x[] = { X }, ids_bad[] = { X, 9 }, ids_minus[] = { -1 }, ids_late[] = { X, T },
                 ids_bad_late[] = { X, T, 9 };
static short buffer[8];

static const struct row rows[] = {
    /* clang-format off */
    /* put_att: EBADID, EPERM, ENOTVAR, EBADNAME, EMAXNAME, EBADNAME, EBADTYPE, ESTRICTCDF2, ECHAR, EINVAL, _FillValue,
     * ENOTINDEFINE, ERANGE */
    { "put: ncid",            PUT_INT, ANY, BOTH, 1, BAD, NULL, NC_NAT, -1, NULL, NC_EBADID },
    { "put: read only",       PUT_INT, READ, BOTH, 0, BAD, NULL, NC_NAT, -1, NULL, NC_EPERM },
    { "put: varid",           PUT_INT, WRITABLE, BOTH, 0, BAD, NULL, NC_NAT, -1, NULL, NC_ENOTVAR },
    { "put: varid too large", PUT_INT, WRITABLE, BOTH, 0, 2, NULL, NC_NAT, -1, NULL, NC_ENOTVAR },
    { "put: name NULL",       PUT_INT, WRITABLE, BOTH, 0, OLD, NULL, NC_NAT, -1, NULL, NC_EBADNAME },
    { "put: name empty",      PUT_INT, WRITABLE, BOTH, 0, NC_GLOBAL, "", NC_NAT, -1, NULL, NC_EBADNAME },
    { "put: name long",       PUT_INT, WRITABLE, BOTH, 0, OLD, LONG, NC_NAT, -1, NULL, NC_EMAXNAME },
    { "put: name with /",     PUT_INT, WRITABLE, BOTH, 0, OLD, "a/b", NC_NAT, -1, NULL, NC_EBADNAME },
    { "put: name with space", PUT_INT, WRITABLE, BOTH, 0, OLD, "ab ", NC_NAT, -1, NULL, NC_EBADNAME },
    { "put: name not UTF-8",  PUT_INT, WRITABLE, BOTH, 0, OLD, "a\xff", NC_NAT, -1, NULL, NC_EBADNAME },
    { "put: type 0",          PUT_INT, WRITABLE, BOTH, 0, OLD, "a", NC_NAT, -1, NULL, NC_EBADTYPE },
    { "put: type string",     PUT_INT, WRITABLE, BOTH, 0, OLD, "a", NC_STRING, -1, NULL, NC_EBADTYPE },
    { "put: type negative",   PUT_INT, WRITABLE, BOTH, 0, OLD, "a", -5, -1, NULL, NC_EBADTYPE },
    { "put: type of CDF-5",   PUT_INT, WRITABLE, CDF1, 0, OLD, "a", NC_UINT, -1, NULL, NC_ESTRICTCDF2 },
    { "put: type of CDF-5",   PUT_GENERIC, WRITABLE, CDF1, 0, OLD, "a", NC_INT64, -1, NULL, NC_ESTRICTCDF2 },
    { "put: ubyte in CDF-1",  PUT_UBYTE, WRITABLE, CDF1, 0, OLD, "a", NC_UBYTE, -1, NULL, NC_ESTRICTCDF2 },
    { "put: number as text",  PUT_INT, WRITABLE, BOTH, 0, OLD, "a", NC_CHAR, -1, NULL, NC_ECHAR },
    { "put: ubyte as text",   PUT_UBYTE, WRITABLE, BOTH, 0, OLD, "a", NC_CHAR, -1, NULL, NC_ECHAR },
    { "put: length",          PUT_INT, WRITABLE, BOTH, 0, OLD, "a", NC_INT, -1, NULL, NC_EINVAL },
    { "put: buffer",          PUT_INT, WRITABLE, BOTH, 0, OLD, "a", NC_INT, 1, NULL, NC_EINVAL },
    { "put: text length",     PUT_TEXT, WRITABLE, BOTH, 0, OLD, "a", 0, -1, letters, NC_EINVAL },
    { "put: text buffer",     PUT_TEXT, WRITABLE, BOTH, 0, OLD, "a", 0, 3, NULL, NC_EINVAL },
    { "put: 2^31 values",     PUT_INT, WRITABLE, CDF1, 0, OLD, "a", NC_INT, 1LL << 31, ints, NC_EINVAL },
    { "put: 2^62 values",     PUT_DOUBLE, WRITABLE, CDF5, 0, OLD, "a", NC_DOUBLE, 1LL << 62, doubles, NC_EINVAL },
    { "put: generic buffer",  PUT_GENERIC, WRITABLE, BOTH, 0, OLD, "a", NC_DOUBLE, 1, NULL, NC_EINVAL },
    { "fill: type, length",   PUT_INT, WRITABLE, BOTH, 0, OLD, "_FillValue", NC_SHORT, 2, ints, NC_EBADTYPE },
    { "fill: length 2",       PUT_INT, WRITABLE, BOTH, 0, OLD, "_FillValue", NC_INT, 2, ints, NC_EINVAL },
    { "fill: length 0",       PUT_INT, WRITABLE, BOTH, 0, OLD, "_FillValue", NC_INT, 0, NULL, NC_EINVAL },
    { "fill: late",           PUT_INT, DEFINE, BOTH, 0, OLD, "_FillValue", NC_INT, 1, ints, NC_ELATEFILL },
    { "fill: data mode",      PUT_INT, DATA, BOTH, 0, OLD, "_FillValue", NC_INT, 1, ints, NC_ENOTINDEFINE },
    { "put: new",             PUT_DOUBLE, DATA, BOTH, 0, OLD, "a", NC_SHORT, 2, doubles, NC_ENOTINDEFINE },
    { "put: new and empty",   PUT_DOUBLE, DATA, BOTH, 0, OLD, "a", NC_SHORT, 0, NULL, NC_ENOTINDEFINE },
    { "put: larger",          PUT_DOUBLE, DATA, BOTH, 0, OLD, "one", NC_DOUBLE, 2, doubles, NC_ENOTINDEFINE },
    { "put: text larger",     PUT_TEXT, DATA, BOTH, 0, OLD, "one", 0, 5, letters, NC_ENOTINDEFINE },

    /* get_att: EBADID, ENOTVAR, EBADNAME, EMAXNAME, ENOTATT, (empty: good), ECHAR, EINVAL, ERANGE */
    { "get: ncid",            GET_SHORT, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "get: varid",           GET_SHORT, ANY, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "get: name NULL",       GET_SHORT, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_EBADNAME },
    { "get: name empty",      GET_GENERIC, ANY, BOTH, 0, OLD, "", 0, 0, NULL, NC_EBADNAME },
    { "get: name long",       GET_SHORT, ANY, BOTH, 0, OLD, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "get: no such",         GET_SHORT, ANY, BOTH, 0, OLD, "a/b", 0, 0, NULL, NC_ENOTATT },
    { "get: empty",           GET_SHORT, ANY, BOTH, 0, OLD, "none", 0, 0, NULL, NC_NOERR },
    { "get: text as number",  GET_SHORT, ANY, BOTH, 0, OLD, "note", 0, 0, NULL, NC_ECHAR },
    { "get: text as uchar",   GET_UCHAR, ANY, BOTH, 0, OLD, "note", 0, 0, NULL, NC_ECHAR },
    { "get: number as text",  GET_TEXT, ANY, BOTH, 0, OLD, "one", 0, 0, NULL, NC_ECHAR },
    { "get: buffer",          GET_SHORT, ANY, BOTH, 0, OLD, "wide", 0, 0, NULL, NC_EINVAL },
    { "get: text buffer",     GET_TEXT, ANY, BOTH, 0, OLD, "note", 0, 0, NULL, NC_EINVAL },
    { "get: generic buffer",  GET_GENERIC, ANY, BOTH, 0, OLD, "note", 0, 0, NULL, NC_EINVAL },
    { "get: range",           GET_SHORT, ANY, BOTH, 0, OLD, "wide", 0, 0, buffer, NC_ERANGE },
    { "get: good",            GET_SHORT, ANY, BOTH, 0, OLD, "one", 0, 0, buffer, NC_NOERR },

    /* del_att: EBADID, EPERM, ENOTINDEFINE, ENOTVAR, EBADNAME, EMAXNAME, ENOTATT */
    { "del: ncid",            DEL_ATT, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "del: read only",       DEL_ATT, READ, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_EPERM },
    { "del: data mode",       DEL_ATT, DATA, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTINDEFINE },
    { "del: varid",           DEL_ATT, DEFINE, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "del: name NULL",       DEL_ATT, DEFINE, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_EBADNAME },
    { "del: name long",       DEL_ATT, DEFINE, BOTH, 0, OLD, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "del: no such",         DEL_ATT, DEFINE, BOTH, 0, OLD, "title", 0, 0, NULL, NC_ENOTATT },

    /* rename_att: EBADID, EPERM, ENOTVAR, EBADNAME/EMAXNAME (old), the same and characters (new), ENOTATT, ENAMEINUSE,
     * ENOTINDEFINE */
    { "rename: ncid",         RENAME_ATT, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "rename: read only",    RENAME_ATT, READ, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_EPERM },
    { "rename: varid",        RENAME_ATT, WRITABLE, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "rename: old NULL",     RENAME_ATT, WRITABLE, BOTH, 0, OLD, NULL, 0, 0, LONG, NC_EBADNAME },
    { "rename: old long",     RENAME_ATT, WRITABLE, BOTH, 0, OLD, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "rename: new NULL",     RENAME_ATT, WRITABLE, BOTH, 0, OLD, "absent", 0, 0, NULL, NC_EBADNAME },
    { "rename: new long",     RENAME_ATT, WRITABLE, BOTH, 0, OLD, "absent", 0, 0, LONG, NC_EMAXNAME },
    { "rename: new with /",   RENAME_ATT, WRITABLE, BOTH, 0, OLD, "absent", 0, 0, "one/", NC_EBADNAME },
    { "rename: no such",      RENAME_ATT, WRITABLE, BOTH, 0, OLD, "absent", 0, 0, "one", NC_ENOTATT },
    { "rename: in use",       RENAME_ATT, WRITABLE, BOTH, 0, OLD, "one", 0, 0, "note", NC_ENAMEINUSE },
    { "rename: its own",      RENAME_ATT, WRITABLE, BOTH, 0, OLD, "note", 0, 0, "note", NC_ENAMEINUSE },
    { "rename: longer",       RENAME_ATT, DATA, BOTH, 0, OLD, "one", 0, 0, "ones", NC_ENOTINDEFINE },

    /* copy_att: EBADID (both), EPERM, ENOTVAR (both), EBADNAME, EMAXNAME, ENOTATT, ESTRICTCDF2, ENOTINDEFINE.
     * type is varid_out; the file copied from is the same one, but see check_copies */
    { "copy: ncid",           COPY_ATT, ANY, BOTH, 1, BAD, NULL, BAD, 0, NULL, NC_EBADID },
    { "copy: read only",      COPY_ATT, READ, BOTH, 0, BAD, NULL, BAD, 0, NULL, NC_EPERM },
    { "copy: varid in",       COPY_ATT, WRITABLE, BOTH, 0, BAD, NULL, BAD, 0, NULL, NC_ENOTVAR },
    { "copy: varid out",      COPY_ATT, WRITABLE, BOTH, 0, OLD, NULL, BAD, 0, NULL, NC_ENOTVAR },
    { "copy: name NULL",      COPY_ATT, WRITABLE, BOTH, 0, OLD, NULL, NC_GLOBAL, 0, NULL, NC_EBADNAME },
    { "copy: name long",      COPY_ATT, WRITABLE, BOTH, 0, OLD, LONG, NC_GLOBAL, 0, NULL, NC_EMAXNAME },
    { "copy: no such",        COPY_ATT, WRITABLE, BOTH, 0, OLD, "title", NC_GLOBAL, 0, NULL, NC_ENOTATT },
    { "copy: new",            COPY_ATT, DATA, BOTH, 0, OLD, "note", NC_GLOBAL, 0, NULL, NC_ENOTINDEFINE },
    { "copy: onto itself",    COPY_ATT, WRITABLE, BOTH, 0, OLD, "note", OLD, 0, NULL, NC_NOERR },

    /* inquiries */
    { "inq_att: ncid",        INQ_ATT, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "inq_att: varid",       INQ_ATT, ANY, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "inq_att: name NULL",   INQ_ATT, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_EBADNAME },
    { "inq_att: name long",   INQ_ATT, ANY, BOTH, 0, OLD, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "inq_att: no such",     INQ_ATT, ANY, BOTH, 0, OLD, "absent", 0, 0, NULL, NC_ENOTATT },
    { "inq_att: no outputs",  INQ_ATT, ANY, BOTH, 0, OLD, "one", 0, 0, NULL, NC_NOERR },
    { "inq_attid: varid",     INQ_ATTID, ANY, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "inq_attid: no such",   INQ_ATTID, ANY, BOTH, 0, OLD, "absent", 0, 0, NULL, NC_ENOTATT },
    { "inq_attid: no output", INQ_ATTID, ANY, BOTH, 0, OLD, "one", 0, 0, NULL, NC_NOERR },
    { "inq_attname: ncid",    INQ_ATTNAME, ANY, BOTH, 1, BAD, NULL, BAD, 0, NULL, NC_EBADID },
    { "inq_attname: varid",   INQ_ATTNAME, ANY, BOTH, 0, BAD, NULL, BAD, 0, NULL, NC_ENOTVAR },
    { "inq_attname: number",  INQ_ATTNAME, ANY, BOTH, 0, OLD, NULL, 4, 0, NULL, NC_ENOTATT },
    { "inq_attname: buffer",  INQ_ATTNAME, ANY, BOTH, 0, OLD, NULL, 3, 0, NULL, NC_EINVAL },
    { "inq_dimid: ncid",      INQ_DIMID, ANY, BOTH, 1, 0, NULL, 0, 0, NULL, NC_EBADID },
    { "inq_dimid: name NULL", INQ_DIMID, ANY, BOTH, 0, 0, NULL, 0, 0, NULL, NC_EBADNAME },
    { "inq_dimid: name long", INQ_DIMID, ANY, BOTH, 0, 0, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "inq_dimid: no such",   INQ_DIMID, ANY, BOTH, 0, 0, "a/b", 0, 0, NULL, NC_EBADDIM },
    { "inq_dimid: no output", INQ_DIMID, ANY, BOTH, 0, 0, "x", 0, 0, NULL, NC_NOERR },
    { "inq_dim: ncid",        INQ_DIM, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "inq_dim: id",          INQ_DIM, ANY, BOTH, 0, -1, NULL, 0, 0, NULL, NC_EBADDIM },
    { "inq_dim: id",          INQ_DIM, ANY, BOTH, 0, NDIMS, NULL, 0, 0, NULL, NC_EBADDIM },
    { "inq_dim: no outputs",  INQ_DIM, ANY, BOTH, 0, Y, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_varid: ncid",      INQ_VARID, ANY, BOTH, 1, 0, NULL, 0, 0, NULL, NC_EBADID },
    { "inq_varid: name NULL", INQ_VARID, ANY, BOTH, 0, 0, NULL, 0, 0, NULL, NC_EBADNAME },
    { "inq_varid: name long", INQ_VARID, ANY, BOTH, 0, 0, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "inq_varid: no such",   INQ_VARID, ANY, BOTH, 0, 0, " ", 0, 0, NULL, NC_ENOTVAR },
    { "inq_varid: no output", INQ_VARID, ANY, BOTH, 0, 0, "old", 0, 0, NULL, NC_NOERR },
    { "inq_var: ncid",        INQ_VAR, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "inq_var: global",      INQ_VAR, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, buffer, NC_EGLOBAL },
    { "inq_var: global natts", INQ_VAR, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_var: varid",       INQ_VAR, ANY, BOTH, 0, -2, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "inq_var: no outputs",  INQ_VAR, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_varname: global",  INQ_VARNAME, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_EGLOBAL },
    { "inq_varname: varid",   INQ_VARNAME, ANY, BOTH, 0, 5, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "inq_varname: NULL",    INQ_VARNAME, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_vartype: ncid",    INQ_VARTYPE, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "inq_vartype: global",  INQ_VARTYPE, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_EGLOBAL },
    { "inq_vartype: NULL",    INQ_VARTYPE, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_varndims: global", INQ_VARNDIMS, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_EGLOBAL },
    { "inq_varndims: NULL",   INQ_VARNDIMS, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_vardimid: global", INQ_VARDIMID, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_EGLOBAL },
    { "inq_vardimid: NULL",   INQ_VARDIMID, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_varnatts: varid",  INQ_VARNATTS, ANY, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "inq_varnatts: global", INQ_VARNATTS, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_NOERR },
    { "inq_varoffset: global", INQ_VAROFFSET, ANY, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_EGLOBAL },
    { "inq_varoffset: NULL",  INQ_VAROFFSET, ANY, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_NOERR },

    /* def_dim: EBADID, ENOTINDEFINE (read only: the same), EBADNAME, EMAXNAME, EBADNAME, EDIMSIZE, EUNLIMIT, ENAMEINUSE */
    { "def_dim: ncid",        DEF_DIM, ANY, BOTH, 1, 0, NULL, 0, -1, NULL, NC_EBADID },
    { "def_dim: data mode",   DEF_DIM, DATA | READ, BOTH, 0, 0, NULL, 0, -1, NULL, NC_ENOTINDEFINE },
    { "def_dim: name NULL",   DEF_DIM, DEFINE, BOTH, 0, 0, NULL, 0, -1, NULL, NC_EBADNAME },
    { "def_dim: name long",   DEF_DIM, DEFINE, BOTH, 0, 0, LONG, 0, -1, NULL, NC_EMAXNAME },
    { "def_dim: name with -", DEF_DIM, DEFINE, BOTH, 0, 0, "-x", 0, -1, NULL, NC_EBADNAME },
    { "def_dim: negative",    DEF_DIM, DEFINE, BOTH, 0, 0, "x", 0, -1, NULL, NC_EDIMSIZE },
    { "def_dim: 2^31",        DEF_DIM, DEFINE, CDF1, 0, 0, "x", 0, 1LL << 31, NULL, NC_EDIMSIZE },
    { "def_dim: unlimited",   DEF_DIM, DEFINE, BOTH, 0, 0, "x", 0, 0, NULL, NC_EUNLIMIT },
    { "def_dim: in use",      DEF_DIM, DEFINE, BOTH, 0, 0, "x", 0, 3, NULL, NC_ENAMEINUSE },

    /* rename_dim: EBADID, EPERM, EBADNAME, EMAXNAME, EBADNAME, EBADDIM, ENAMEINUSE (its own: good), ENOTINDEFINE */
    { "rename_dim: ncid",     RENAME_DIM, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "rename_dim: read only", RENAME_DIM, READ, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_EPERM },
    { "rename_dim: NULL",     RENAME_DIM, WRITABLE, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_EBADNAME },
    { "rename_dim: long",     RENAME_DIM, WRITABLE, BOTH, 0, BAD, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "rename_dim: with /",   RENAME_DIM, WRITABLE, BOTH, 0, BAD, "x/", 0, 0, NULL, NC_EBADNAME },
    { "rename_dim: id",       RENAME_DIM, WRITABLE, BOTH, 0, NDIMS, "x", 0, 0, NULL, NC_EBADDIM },
    { "rename_dim: in use",   RENAME_DIM, WRITABLE, BOTH, 0, T, "x", 0, 0, NULL, NC_ENAMEINUSE },
    { "rename_dim: its own",  RENAME_DIM, WRITABLE, BOTH, 0, X, "x", 0, 0, NULL, NC_NOERR },
    { "rename_dim: longer",   RENAME_DIM, DATA, BOTH, 0, X, "xx", 0, 0, NULL, NC_ENOTINDEFINE },

    /* def_var: EBADID, ENOTINDEFINE, EBADNAME, EMAXNAME, EBADNAME, EBADTYPE, ESTRICTCDF2, EINVAL, ENAMEINUSE, EINVAL,
     * EBADDIM, EUNLIMPOS, EVARSIZE. n: ndims */
    { "def_var: ncid",        DEF_VAR, ANY, BOTH, 1, 0, NULL, BAD, -1, NULL, NC_EBADID },
    { "def_var: data mode",   DEF_VAR, DATA | READ, BOTH, 0, 0, NULL, BAD, -1, NULL, NC_ENOTINDEFINE },
    { "def_var: name NULL",   DEF_VAR, DEFINE, BOTH, 0, 0, NULL, BAD, -1, NULL, NC_EBADNAME },
    { "def_var: name long",   DEF_VAR, DEFINE, BOTH, 0, 0, LONG, BAD, -1, NULL, NC_EMAXNAME },
    { "def_var: name with /", DEF_VAR, DEFINE, BOTH, 0, 0, "/", BAD, -1, NULL, NC_EBADNAME },
    { "def_var: type",        DEF_VAR, DEFINE, BOTH, 0, 0, "old", BAD, -1, NULL, NC_EBADTYPE },
    { "def_var: type string", DEF_VAR, DEFINE, BOTH, 0, 0, "old", NC_STRING, -1, NULL, NC_EBADTYPE },
    { "def_var: type CDF-5",  DEF_VAR, DEFINE, CDF1, 0, 0, "old", NC_UINT64, -1, NULL, NC_ESTRICTCDF2 },
    { "def_var: ndims",       DEF_VAR, DEFINE, BOTH, 0, 0, "old", NC_INT, -1, NULL, NC_EINVAL },
    { "def_var: in use",      DEF_VAR, DEFINE, BOTH, 0, 0, "old", NC_INT, 2, NULL, NC_ENAMEINUSE },
    { "def_var: dimids",      DEF_VAR, DEFINE, BOTH, 0, 0, "another", NC_INT, 2, NULL, NC_EINVAL },
    { "def_var: dimid",       DEF_VAR, DEFINE, BOTH, 0, 0, "another", NC_INT, 2, ids_bad, NC_EBADDIM },
    { "def_var: dimid -1",    DEF_VAR, DEFINE, BOTH, 0, 0, "another", NC_INT, 1, ids_minus, NC_EBADDIM },
    { "def_var: dimid later", DEF_VAR, DEFINE, BOTH, 0, 0, "another", NC_INT, 3, ids_bad_late, NC_EBADDIM },
    { "def_var: unlimited",   DEF_VAR, DEFINE, BOTH, 0, 0, "another", NC_INT, 2, ids_late, NC_EUNLIMPOS },

    /* rename_var: EBADID, EPERM, EGLOBAL, ENOTVAR, EBADNAME, EMAXNAME, EBADNAME, ENAMEINUSE (its own, too),
     * ENOTINDEFINE */
    { "rename_var: ncid",     RENAME_VAR, ANY, BOTH, 1, BAD, NULL, 0, 0, NULL, NC_EBADID },
    { "rename_var: read only", RENAME_VAR, READ, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_EPERM },
    { "rename_var: global",   RENAME_VAR, WRITABLE, BOTH, 0, NC_GLOBAL, NULL, 0, 0, NULL, NC_EGLOBAL },
    { "rename_var: varid",    RENAME_VAR, WRITABLE, BOTH, 0, BAD, NULL, 0, 0, NULL, NC_ENOTVAR },
    { "rename_var: NULL",     RENAME_VAR, WRITABLE, BOTH, 0, OLD, NULL, 0, 0, NULL, NC_EBADNAME },
    { "rename_var: long",     RENAME_VAR, WRITABLE, BOTH, 0, OLD, LONG, 0, 0, NULL, NC_EMAXNAME },
    { "rename_var: with tab", RENAME_VAR, WRITABLE, BOTH, 0, OLD, "ol\td", 0, 0, NULL, NC_EBADNAME },
    { "rename_var: its own",  RENAME_VAR, WRITABLE, BOTH, 0, OLD, "old", 0, 0, NULL, NC_ENAMEINUSE },
    { "rename_var: in use",   RENAME_VAR, DEFINE, BOTH, 0, OLD, "new", 0, 0, NULL, NC_ENAMEINUSE },
    { "rename_var: longer",   RENAME_VAR, DATA, BOTH, 0, OLD, "older", 0, 0, NULL, NC_ENOTINDEFINE },

    /* the last ones change the files */
    { "put: range",           PUT_DOUBLE, DEFINE, BOTH, 0, OLD, "a", NC_SHORT, 2, doubles, NC_ERANGE },
    { "put: range in place",  PUT_DOUBLE, DATA, BOTH, 0, OLD, "one", NC_SHORT, 2, doubles, NC_ERANGE },
    { "put: empty",           PUT_INT, DEFINE, BOTH, 0, OLD, "b", NC_INT, 0, NULL, NC_NOERR },
    { "put: ubyte in CDF-5",  PUT_UBYTE, DEFINE, CDF5, 0, OLD, "c", NC_UBYTE, 4, bytes_, NC_NOERR },
    { "put: ubyte as byte",   PUT_UBYTE, DEFINE, BOTH, 0, OLD, "d", NC_BYTE, 4, bytes_, NC_NOERR },
    { "fill: new variable",   PUT_INT, DEFINE, BOTH, 0, NEW, "_FillValue", NC_SHORT, 1, ints, NC_NOERR },
    { "fill: global",         PUT_INT, DEFINE, BOTH, 0, NC_GLOBAL, "_FillValue", NC_INT, 2, ints, NC_NOERR },
    { "put: smaller",         PUT_TEXT, DATA, BOTH, 0, OLD, "note", 0, 1, letters, NC_NOERR },
    { "put: in the padding",  PUT_TEXT, DATA, BOTH, 0, OLD, "note", 0, 4, letters, NC_NOERR },
    { "def_var: varid NULL",  DEF_VAR, DEFINE, BOTH, 0, 0, "another", NC_INT, 1, ids_x, NC_NOERR },
    { "def_var: scalar",      DEF_VAR, DEFINE, BOTH, 0, 0, "scalar", NC_INT, 0, NULL, NC_NOERR },
    { "def_dim: id NULL",     DEF_DIM, DEFINE, BOTH, 0, 0, "z", 0, 7, NULL, NC_NOERR },
    /* clang-format on */
};
#endif
