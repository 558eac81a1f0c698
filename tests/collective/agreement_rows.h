#ifndef AGREEMENT_ROWS_H
#define AGREEMENT_ROWS_H
/* The table of agreement.c: each collective call on the definitions with each bad argument. A row is a name,
 * the modes in which the call is good on the other ranks, the code, what the others hear, and the call, in
 * which `odd` is true on the bad rank. */

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

/* clang-format off */
#define ROWS(X_)                                                                                             \
    X_(dim_null,     "def_dim NULL",             DEFINE, NC_EBADNAME,   OWN, ncmpi_def_dim(ncid, odd ? NULL : "n", 5, NULL)) \
    X_(dim_empty,    "def_dim \"\"",             DEFINE, NC_EBADNAME,   OWN, ncmpi_def_dim(ncid, odd ? "" : "n", 5, NULL)) \
    X_(dim_slash,    "def_dim a/b",              DEFINE, NC_EBADNAME,   OWN, ncmpi_def_dim(ncid, odd ? "a/b" : "n", 5, NULL)) \
    X_(dim_endless,  "def_dim endless name",     DEFINE, NC_EMAXNAME,   OWN, ncmpi_def_dim(ncid, odd ? endless : "n", 5, NULL)) \
    X_(dim_negative, "def_dim length -1",        DEFINE, NC_EDIMSIZE,   OWN, ncmpi_def_dim(ncid, "n", odd ? -1 : 5, NULL)) \
    X_(dim_second,   "def_dim second unlimited", DEFINE, NC_EUNLIMIT,   OWN, ncmpi_def_dim(ncid, "n", odd ? NC_UNLIMITED : 5, NULL)) \
    X_(dim_in_use,   "def_dim name in use",      DEFINE, NC_ENAMEINUSE, OWN, ncmpi_def_dim(ncid, odd ? "x" : "n", 5, NULL)) \
    X_(redim_null,   "rename_dim NULL",          ANY, NC_EBADNAME,   OWN, ncmpi_rename_dim(ncid, X, odd ? NULL : "y")) \
    X_(redim_slash,  "rename_dim /",             ANY, NC_EBADNAME,   OWN, ncmpi_rename_dim(ncid, X, odd ? "/" : "y")) \
    X_(redim_endless,"rename_dim endless name",  ANY, NC_EMAXNAME,   OWN, ncmpi_rename_dim(ncid, X, odd ? endless : "y")) \
    X_(redim_id,     "rename_dim 77",            ANY, NC_EBADDIM,    OWN, ncmpi_rename_dim(ncid, odd ? 77 : X, "y")) \
    X_(redim_below,  "rename_dim -1",            ANY, NC_EBADDIM,    OWN, ncmpi_rename_dim(ncid, odd ? -1 : X, "y")) \
    X_(redim_in_use, "rename_dim name in use",   ANY, NC_ENAMEINUSE, OWN, ncmpi_rename_dim(ncid, X, odd ? "t" : "y")) \
    X_(redim_longer, "rename_dim longer",        DATA, NC_ENOTINDEFINE, OWN, ncmpi_rename_dim(ncid, X, odd ? "longer" : "y")) \
    X_(var_null,     "def_var NULL",             DEFINE, NC_EBADNAME,   OWN, def_var(odd ? NULL : "n", NC_INT, 1, X, X)) \
    X_(var_space,    "def_var name with space",  DEFINE, NC_EBADNAME,   OWN, def_var(odd ? "n " : "n", NC_INT, 1, X, X)) \
    X_(var_endless,  "def_var endless name",     DEFINE, NC_EMAXNAME,   OWN, def_var(odd ? endless : "n", NC_INT, 1, X, X)) \
    X_(var_nat,      "def_var NC_NAT",           DEFINE, NC_EBADTYPE,   OWN, def_var("n", odd ? NC_NAT : NC_INT, 1, X, X)) \
    X_(var_type,     "def_var type 99",          DEFINE, NC_EBADTYPE,   OWN, def_var("n", odd ? 99 : NC_INT, 1, X, X)) \
    X_(var_strict,   "def_var NC_INT64",         DEFINE, NC_ESTRICTCDF2,OWN, def_var("n", odd ? NC_INT64 : NC_INT, 1, X, X)) \
    X_(var_ndims,    "def_var ndims -1",         DEFINE, NC_EINVAL,     OWN, def_var("n", NC_INT, odd ? -1 : 1, X, X)) \
    X_(var_in_use,   "def_var name in use",      DEFINE, NC_ENAMEINUSE, OWN, def_var(odd ? "fixed" : "n", NC_INT, 1, X, X)) \
    X_(var_dimids,   "def_var dimids NULL",      DEFINE, NC_EINVAL,     OWN, ncmpi_def_var(ncid, "n", NC_INT, 1, odd ? NULL : &(int){ X }, NULL)) \
    X_(var_dim,      "def_var dimension 77",     DEFINE, NC_EBADDIM,    OWN, def_var("n", NC_INT, 1, odd ? 77 : X, X)) \
    X_(var_dim_below,"def_var dimension -1",     DEFINE, NC_EBADDIM,    OWN, def_var("n", NC_INT, 1, odd ? -1 : X, X)) \
    X_(var_position, "def_var unlimited second", DEFINE, NC_EUNLIMPOS,  OWN, def_var("n", NC_INT, 2, X, odd ? T : X)) \
    X_(var_size,     "def_var too large",        DEFINE, NC_EVARSIZE,   OWN, def_var("n", NC_INT, 3, odd ? BIG : X, odd ? BIG : X)) \
    X_(revar_global, "rename_var NC_GLOBAL",     ANY, NC_EGLOBAL,    OWN, ncmpi_rename_var(ncid, odd ? NC_GLOBAL : FIXED, "f")) \
    X_(revar_id,     "rename_var 99",            ANY, NC_ENOTVAR,    OWN, ncmpi_rename_var(ncid, odd ? 99 : FIXED, "f")) \
    X_(revar_null,   "rename_var NULL",          ANY, NC_EBADNAME,   OWN, ncmpi_rename_var(ncid, FIXED, odd ? NULL : "f")) \
    X_(revar_endless,"rename_var endless name",  ANY, NC_EMAXNAME,   OWN, ncmpi_rename_var(ncid, FIXED, odd ? endless : "f")) \
    X_(revar_in_use, "rename_var name in use",   ANY, NC_ENAMEINUSE, OWN, ncmpi_rename_var(ncid, FIXED, odd ? "other" : "f")) \
    X_(revar_longer, "rename_var longer",        DATA, NC_ENOTINDEFINE, OWN, ncmpi_rename_var(ncid, FIXED, odd ? "longer" : "f")) \
    X_(text_id,      "put_att_text 99",          ANY, NC_ENOTVAR,    OWN, put_text(odd ? 99 : FIXED, "a1", 3, "uno")) \
    X_(text_null,    "put_att_text name NULL",   ANY, NC_EBADNAME,   OWN, put_text(FIXED, odd ? NULL : "a1", 3, "uno")) \
    X_(text_empty,   "put_att_text name \"\"",   ANY, NC_EBADNAME,   OWN, put_text(FIXED, odd ? "" : "a1", 3, "uno")) \
    X_(text_slash,   "put_att_text name /",      ANY, NC_EBADNAME,   OWN, put_text(FIXED, odd ? "/" : "a1", 3, "uno")) \
    X_(text_endless, "put_att_text endless name",ANY, NC_EMAXNAME,   OWN, put_text(FIXED, odd ? endless : "a1", 3, "uno")) \
    X_(text_length,  "put_att_text length -1",   ANY, NC_EINVAL,     OWN, put_text(FIXED, "a1", odd ? -1 : 3, "uno")) \
    X_(text_buffer,  "put_att_text NULL",        ANY, NC_EINVAL,     OWN, put_text(FIXED, "a1", 3, odd ? NULL : "uno")) \
    X_(text_new,     "put_att_text new",         DATA, NC_ENOTINDEFINE, OWN, put_text(FIXED, odd ? "new" : "a1", 3, "uno")) \
    X_(text_grows,   "put_att_text grows",       DATA, NC_ENOTINDEFINE, OWN, put_text(FIXED, "a1", odd ? 9 : 3, "uno y mas")) \
    X_(int_type,     "put_att_int type 99",      ANY, NC_EBADTYPE,   OWN, put_int(NC_GLOBAL, "g1", odd ? 99 : NC_INT, 1, 5)) \
    X_(int_strict,   "put_att_int NC_UINT",      ANY, NC_ESTRICTCDF2,OWN, put_int(NC_GLOBAL, "g1", odd ? NC_UINT : NC_INT, 1, 5)) \
    X_(int_char,     "put_att_int NC_CHAR",      ANY, NC_ECHAR,      OWN, put_int(NC_GLOBAL, "g1", odd ? NC_CHAR : NC_INT, 1, 5)) \
    X_(int_length,   "put_att_int length -1",    ANY, NC_EINVAL,     OWN, put_int(NC_GLOBAL, "g1", NC_INT, odd ? -1 : 1, 5)) \
    X_(int_range,    "put_att_int out of range", ANY, NC_ERANGE,     STORES, put_int(NC_GLOBAL, "g1", NC_SHORT, 1, odd ? 100000 : 5)) \
    X_(any_type,     "put_att type 99",          ANY, NC_EBADTYPE,   OWN, ncmpi_put_att(ncid, FIXED, "a1", odd ? 99 : NC_CHAR, 3, "uno")) \
    X_(any_id,       "put_att 99",               ANY, NC_ENOTVAR,    OWN, ncmpi_put_att(ncid, odd ? 99 : FIXED, "a1", NC_CHAR, 3, "uno")) \
    X_(fv_type,      "_FillValue of type",       NEW, NC_EBADTYPE,   OWN, put_int(FIXED, "_FillValue", odd ? NC_FLOAT : NC_INT, 1, 5)) \
    X_(fv_length,    "two _FillValues",          NEW, NC_EINVAL,     OWN, put_int(FIXED, "_FillValue", NC_INT, odd ? 2 : 1, 5)) \
    X_(fv_late,      "_FillValue too late",      REDEF, NC_ELATEFILL,OWN, put_int(odd ? FIXED : NC_GLOBAL, "_FillValue", NC_INT, 1, 5)) \
    X_(del_id,       "del_att 99",               DEFINE, NC_ENOTVAR, OWN, ncmpi_del_att(ncid, odd ? 99 : FIXED, "a1")) \
    X_(del_null,     "del_att NULL",             DEFINE, NC_EBADNAME,OWN, ncmpi_del_att(ncid, FIXED, odd ? NULL : "a1")) \
    X_(del_endless,  "del_att endless name",     DEFINE, NC_EMAXNAME,OWN, ncmpi_del_att(ncid, FIXED, odd ? endless : "a1")) \
    X_(del_none,     "del_att none",             DEFINE, NC_ENOTATT, OWN, ncmpi_del_att(ncid, FIXED, odd ? "none" : "a1")) \
    X_(reatt_id,     "rename_att 99",            ANY, NC_ENOTVAR,    OWN, ncmpi_rename_att(ncid, odd ? 99 : FIXED, "a1", "b1")) \
    X_(reatt_null,   "rename_att old NULL",      ANY, NC_EBADNAME,   OWN, ncmpi_rename_att(ncid, FIXED, odd ? NULL : "a1", "b1")) \
    X_(reatt_endless,"rename_att old endless",   ANY, NC_EMAXNAME,   OWN, ncmpi_rename_att(ncid, FIXED, odd ? endless : "a1", "b1")) \
    X_(reatt_to_null,"rename_att new NULL",      ANY, NC_EBADNAME,   OWN, ncmpi_rename_att(ncid, FIXED, "a1", odd ? NULL : "b1")) \
    X_(reatt_slash,  "rename_att new /",         ANY, NC_EBADNAME,   OWN, ncmpi_rename_att(ncid, FIXED, "a1", odd ? "/" : "b1")) \
    X_(reatt_to_long,"rename_att new endless",   ANY, NC_EMAXNAME,   OWN, ncmpi_rename_att(ncid, FIXED, "a1", odd ? endless : "b1")) \
    X_(reatt_none,   "rename_att none",          ANY, NC_ENOTATT,    OWN, ncmpi_rename_att(ncid, FIXED, odd ? "none" : "a1", "b1")) \
    X_(reatt_in_use, "rename_att name in use",   ANY, NC_ENAMEINUSE, OWN, ncmpi_rename_att(ncid, FIXED, "a1", odd ? "a2" : "b1")) \
    X_(reatt_longer, "rename_att longer",        DATA, NC_ENOTINDEFINE, OWN, ncmpi_rename_att(ncid, FIXED, "a1", odd ? "longer" : "b1")) \
    X_(copy_from,    "copy_att from 99",         ANY, NC_ENOTVAR,    OWN, ncmpi_copy_att(ncid, odd ? 99 : FIXED, "a1", ncid, OTHER)) \
    X_(copy_to,      "copy_att to 99",           ANY, NC_ENOTVAR,    OWN, ncmpi_copy_att(ncid, FIXED, "a1", ncid, odd ? 99 : OTHER)) \
    X_(copy_null,    "copy_att NULL",            ANY, NC_EBADNAME,   OWN, ncmpi_copy_att(ncid, FIXED, odd ? NULL : "a1", ncid, OTHER)) \
    X_(copy_endless, "copy_att endless name",    ANY, NC_EMAXNAME,   OWN, ncmpi_copy_att(ncid, FIXED, odd ? endless : "a1", ncid, OTHER)) \
    X_(copy_none,    "copy_att none",            ANY, NC_ENOTATT,    OWN, ncmpi_copy_att(ncid, FIXED, odd ? "none" : "a1", ncid, OTHER)) \
    X_(copy_no_file, "copy_att from no file",    ANY, NC_EBADID,     OWN, ncmpi_copy_att(odd ? 999 : ncid, FIXED, "a1", ncid, OTHER)) \
    X_(copy_strict,  "copy_att of NC_INT64",     ANY, NC_ESTRICTCDF2,OWN, ncmpi_copy_att(odd ? wide_ncid : ncid, FIXED, "a1", ncid, OTHER)) \
    X_(copy_new,     "copy_att new",             DATA, NC_ENOTINDEFINE, OWN, ncmpi_copy_att(ncid, FIXED, odd ? "a2" : "a1", ncid, OTHER)) \
    X_(fill_mode,    "set_fill 77",              DEFINE, NC_EINVAL,  OWN, ncmpi_set_fill(ncid, odd ? 77 : NC_FILL, NULL)) \
    X_(fill_global,  "def_var_fill NC_GLOBAL",   DEFINE, NC_EGLOBAL, OWN, ncmpi_def_var_fill(ncid, odd ? NC_GLOBAL : FIXED, 0, NULL)) \
    X_(fill_id,      "def_var_fill 99",          DEFINE, NC_ENOTVAR, OWN, ncmpi_def_var_fill(ncid, odd ? 99 : FIXED, 0, NULL)) \
    X_(fill_late,    "def_var_fill too late",    REDEF, NC_ELATEFILL,OWN, ncmpi_def_var_fill(ncid, FIXED, 0, odd ? &(int){ 7 } : NULL)) \
    X_(end_minfree,  "_enddef h_minfree -1",     DEFINE, NC_EINVAL,  AGREED, ncmpi__enddef(ncid, odd ? -1 : 0, 4, 0, 4)) \
    X_(end_v_align,  "_enddef v_align -1",       DEFINE, NC_EINVAL,  AGREED, ncmpi__enddef(ncid, 0, odd ? -1 : 4, 0, 4)) \
    X_(end_v_free,   "_enddef v_minfree -1",     DEFINE, NC_EINVAL,  AGREED, ncmpi__enddef(ncid, 0, 4, odd ? -1 : 0, 4)) \
    X_(end_r_align,  "_enddef r_align -1",       DEFINE, NC_EINVAL,  AGREED, ncmpi__enddef(ncid, 0, 4, 0, odd ? -1 : 4)) \
    X_(rec_global,   "fill_var_rec NC_GLOBAL",   DATA, NC_EGLOBAL,   PARTS, ncmpi_fill_var_rec(ncid, odd ? NC_GLOBAL : RECORD, 9)) \
    X_(rec_id,       "fill_var_rec 99",          DATA, NC_ENOTVAR,   PARTS, ncmpi_fill_var_rec(ncid, odd ? 99 : RECORD, 9)) \
    X_(rec_fixed,    "fill_var_rec fixed",       DATA, NC_ENOTRECVAR,PARTS, ncmpi_fill_var_rec(ncid, odd ? FIXED : RECORD, 9)) \
    X_(rec_no_fill,  "fill_var_rec not filled",  DATA, NC_ENOTFILL,  PARTS, ncmpi_fill_var_rec(ncid, odd ? PLAIN : RECORD, 9)) \
    X_(rec_below,    "fill_var_rec -1",          DATA, NC_EINVALCOORDS, PARTS, ncmpi_fill_var_rec(ncid, RECORD, odd ? -1 : 9)) \
    X_(rec_far,      "fill_var_rec 2^31-1",      DATA, NC_EINTOVERFLOW, PARTS, ncmpi_fill_var_rec(ncid, RECORD, odd ? far_record : 9))

#define ROW_CALL(id, name, modes, code, reach, call) static int call_##id(void) { return call; }
#define ROW_ENTRY(id, name, modes, code, reach, call) { name, call_##id, modes, code, reach },
ROWS(ROW_CALL)

static const struct row {
    const char *name;
    int (*call)(void);
    int modes, code;
    enum reach reach;
} rows[] = { ROWS(ROW_ENTRY) };
/* clang-format on */
#endif
