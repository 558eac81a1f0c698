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
#include "metadatarows.def"
};
#endif
