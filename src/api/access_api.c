/* The public data-access functions, all from one table: what each form of access takes, and the memory types.
 * The prototypes stand in pnetcdf.h, so that a definition that differs from its prototype does not compile.
 */

#include <mpi.h>
#include "access.h"
#include "pnetcdf.h"

/* What a form takes between varid and buf, and the fields of pcdf_access that it sets. */
#define ARGS_var
#define ARGS_var1   const MPI_Offset *start,
#define ARGS_vara   ARGS_var1 const MPI_Offset *count,
#define ARGS_vars   ARGS_vara const MPI_Offset *stride,
#define ARGS_varm   ARGS_vars const MPI_Offset *imap,
#define ARGS_varn   int num, MPI_Offset *const *starts, MPI_Offset *const *counts,
#define FIELDS_var  .form = PCDF_FORM_VAR,
#define FIELDS_var1 .form = PCDF_FORM_VAR1, .start = start,
#define FIELDS_vara .form = PCDF_FORM_VARA, .start = start, .count = count,
#define FIELDS_vars .form = PCDF_FORM_VARS, .start = start, .count = count, .stride = stride,
#define FIELDS_varm .form = PCDF_FORM_VARM, .start = start, .count = count, .stride = stride, .imap = imap,
#define FIELDS_varn .form = PCDF_FORM_VARN, .num = num, .starts = starts, .counts = counts,

/* clang-format off */

/* The tag comes from the buffer's own type, so that tag and signature cannot disagree. */
#define MTYPE_OF(buf)                                                                                        \
    _Generic(*(buf),                                                                                         \
        char: PCDF_M_TEXT,           signed char: PCDF_M_SCHAR,      unsigned char: PCDF_M_UCHAR,            \
        short: PCDF_M_SHORT,         unsigned short: PCDF_M_USHORT,  int: PCDF_M_INT,                        \
        unsigned int: PCDF_M_UINT,   long: PCDF_M_LONG,              float: PCDF_M_FLOAT,                    \
        double: PCDF_M_DOUBLE,       long long: PCDF_M_LONGLONG,     unsigned long long: PCDF_M_ULONGLONG)

/* The cast drops a put's const: access.h promises that the buffer of a put is never written to. */
#define ACCESS(direction, way, form, ...)                                                                    \
    return pcdf_access(ncid, varid, &(struct pcdf_access){                                                   \
        .dir = PCDF_##direction, .mode = PCDF_CALL_##way, FIELDS_##form .buf = (void *)buf, __VA_ARGS__ });

#define TYPED_CALLS(form, type_name, type)                                                                   \
    int ncmpi_put_##form##_##type_name(int ncid, int varid, ARGS_##form const type *buf)                     \
    { ACCESS(PUT, INDEPENDENT, form, .mtype = MTYPE_OF(buf)) }                                                     \
    int ncmpi_put_##form##_##type_name##_all(int ncid, int varid, ARGS_##form const type *buf)               \
    { ACCESS(PUT, COLLECTIVE, form, .mtype = MTYPE_OF(buf)) }                                                  \
    int ncmpi_get_##form##_##type_name(int ncid, int varid, ARGS_##form type *buf)                           \
    { ACCESS(GET, INDEPENDENT, form, .mtype = MTYPE_OF(buf)) }                                                     \
    int ncmpi_get_##form##_##type_name##_all(int ncid, int varid, ARGS_##form type *buf)                     \
    { ACCESS(GET, COLLECTIVE, form, .mtype = MTYPE_OF(buf)) }                                                  \
    int ncmpi_iput_##form##_##type_name(int ncid, int varid, ARGS_##form const type *buf, int *reqid)        \
    { ACCESS(PUT, NONBLOCKING, form, .mtype = MTYPE_OF(buf), .req = reqid) }                                       \
    int ncmpi_iget_##form##_##type_name(int ncid, int varid, ARGS_##form type *buf, int *reqid)              \
    { ACCESS(GET, NONBLOCKING, form, .mtype = MTYPE_OF(buf), .req = reqid) }                                       \
    int ncmpi_bput_##form##_##type_name(int ncid, int varid, ARGS_##form const type *buf, int *reqid)        \
    { ACCESS(PUT, BUFFERED, form, .mtype = MTYPE_OF(buf), .req = reqid) }

#define FLEXIBLE .is_flexible = true, .bufcount = bufcount, .buftype = buftype
#define FLEXIBLE_ARGS MPI_Offset bufcount, MPI_Datatype buftype

#define FLEXIBLE_CALLS(form)                                                                                 \
    int ncmpi_put_##form(int ncid, int varid, ARGS_##form const void *buf, FLEXIBLE_ARGS)                    \
    { ACCESS(PUT, INDEPENDENT, form, FLEXIBLE) }                                                                   \
    int ncmpi_put_##form##_all(int ncid, int varid, ARGS_##form const void *buf, FLEXIBLE_ARGS)              \
    { ACCESS(PUT, COLLECTIVE, form, FLEXIBLE) }                                                                \
    int ncmpi_get_##form(int ncid, int varid, ARGS_##form void *buf, FLEXIBLE_ARGS)                          \
    { ACCESS(GET, INDEPENDENT, form, FLEXIBLE) }                                                                   \
    int ncmpi_get_##form##_all(int ncid, int varid, ARGS_##form void *buf, FLEXIBLE_ARGS)                    \
    { ACCESS(GET, COLLECTIVE, form, FLEXIBLE) }                                                                \
    int ncmpi_iput_##form(int ncid, int varid, ARGS_##form const void *buf, FLEXIBLE_ARGS, int *reqid)       \
    { ACCESS(PUT, NONBLOCKING, form, FLEXIBLE, .req = reqid) }                                                     \
    int ncmpi_iget_##form(int ncid, int varid, ARGS_##form void *buf, FLEXIBLE_ARGS, int *reqid)             \
    { ACCESS(GET, NONBLOCKING, form, FLEXIBLE, .req = reqid) }                                                     \
    int ncmpi_bput_##form(int ncid, int varid, ARGS_##form const void *buf, FLEXIBLE_ARGS, int *reqid)       \
    { ACCESS(PUT, BUFFERED, form, FLEXIBLE, .req = reqid) }

#define EACH_TYPE(X, form)                                                                                   \
    X(form, text,      char)           X(form, schar,    signed char)                                        \
    X(form, uchar,     unsigned char)  X(form, short,    short)                                              \
    X(form, ushort,    unsigned short) X(form, int,      int)                                                \
    X(form, uint,      unsigned int)   X(form, long,     long)                                               \
    X(form, float,     float)          X(form, double,   double)                                             \
    X(form, longlong,  long long)      X(form, ulonglong, unsigned long long)

#define EACH_CALL(form) FLEXIBLE_CALLS(form) EACH_TYPE(TYPED_CALLS, form)

EACH_CALL(var)
EACH_CALL(var1)
EACH_CALL(vara)
EACH_CALL(vars)
EACH_CALL(varm)
EACH_CALL(varn)
