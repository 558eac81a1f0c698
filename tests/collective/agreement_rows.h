#ifndef AGREEMENT_ROWS_H
#define AGREEMENT_ROWS_H
/* What the rows of agreement.c stand on: the file, and the calls with few words; agreement_rows.def has them.
 */

#include "agreements.h"

static int ncid;
static int wide_ncid; /* a CDF-5 file of this rank alone, whose FIXED has an NC_INT64 a1 */
static bool odd;
static char endless[300]; /* a name of 299 bytes */
static const MPI_Offset far_record = NC_MAX_INT;

/* Dimensions and variables of the file under test. */
enum { T, X, BIG };
enum { FIXED, RECORD, OTHER, PLAIN, VARS };

enum { NEW = 1, REDEF = 2, DATA = 4, DEFINE = NEW | REDEF, ANY = DEFINE | DATA };

enum reach {
    OWN,    /* the bad rank's code; rank 0 decides what is in the file */
    STORES, /* the same, but the bad rank's call does something, too */
    PARTS,  /* the bad rank's code; the others do all of it */
    AGREED  /* every rank's code */
};

static int def_var(const char *name, nc_type type, int ndims, int d0, int d1)
{
    int d[3] = { d0, d1, d1 };
    return ncmpi_def_var(ncid, name, type, ndims, d, NULL);
}

static int put_text(int varid, const char *name, MPI_Offset len, const char *text)
{
    return ncmpi_put_att_text(ncid, varid, name, len, text);
}

static int put_int(int varid, const char *name, nc_type type, MPI_Offset len, int value)
{
    int values[2] = { value, value };
    return ncmpi_put_att_int(ncid, varid, name, type, len, values);
}

#define ROW(id, name, modes, code, reach, call)                                                              \
    static int call_##id(void)                                                                               \
    {                                                                                                        \
        return call;                                                                                         \
    }
#include "agreement_rows.def"
#undef ROW

#define ROW(id, name, modes, code, reach, call) { name, call_##id, modes, code, reach },
static const struct row {
    const char *name;
    int (*call)(void);
    int modes, code;
    enum reach reach;
} rows[] = {
#include "agreement_rows.def"
};
#undef ROW
#endif
