/* mput and mget: several variables in one call, from one table like access_api.c. */

#include <mpi.h>
#include "access.h"
#include "pnetcdf.h"

#define LIST MPI_Offset *const *
#define ARGS_var
#define ARGS_var1   LIST starts,
#define ARGS_vara   ARGS_var1 LIST counts,
#define ARGS_vars   ARGS_vara LIST strides,
#define ARGS_varm   ARGS_vars LIST imaps,
#define FIELDS_var  .form = PCDF_FORM_VAR,
#define FIELDS_var1 .form = PCDF_FORM_VAR1, .starts = starts,
#define FIELDS_vara .form = PCDF_FORM_VARA, .starts = starts, .counts = counts,
#define FIELDS_vars .form = PCDF_FORM_VARS, .starts = starts, .counts = counts, .strides = strides,
#define FIELDS_varm                                                                                          \
    .form = PCDF_FORM_VARM, .starts = starts, .counts = counts, .strides = strides, .imaps = imaps,

/* clang-format off */

#define MANY(direction, way, form, ...)                                                                      \
    return pcdf_access_many(ncid, num, varids, &(struct pcdf_access_many){                                   \
        .dir = PCDF_##direction, .mode = PCDF_CALL_##way, FIELDS_##form .bufs = (void *const *)bufs, __VA_ARGS__ });

#define TYPED_CALLS(form, type_name, type, tag)                                                              \
    int ncmpi_mput_##form##_##type_name(int ncid, int num, int *varids, ARGS_##form type *const *bufs)       \
    { MANY(PUT, INDEPENDENT, form, .mtype = tag) }                                                                 \
    int ncmpi_mput_##form##_##type_name##_all(int ncid, int num, int *varids, ARGS_##form type *const *bufs) \
    { MANY(PUT, COLLECTIVE, form, .mtype = tag) }                                                              \
    int ncmpi_mget_##form##_##type_name(int ncid, int num, int *varids, ARGS_##form type *bufs[])            \
    { MANY(GET, INDEPENDENT, form, .mtype = tag) }                                                                 \
    int ncmpi_mget_##form##_##type_name##_all(int ncid, int num, int *varids, ARGS_##form type *bufs[])      \
    { MANY(GET, COLLECTIVE, form, .mtype = tag) }

#define FLEXIBLE      .is_flexible = true, .bufcounts = bufcounts, .buftypes = datatypes
#define PUT_TYPES     const MPI_Offset *bufcounts, const MPI_Datatype datatypes[]
#define GET_TYPES     const MPI_Offset *bufcounts, const MPI_Datatype *datatypes

#define FLEXIBLE_CALLS(form)                                                                                 \
    int ncmpi_mput_##form(int ncid, int num, int *varids, ARGS_##form void *const *bufs, PUT_TYPES)          \
    { MANY(PUT, INDEPENDENT, form, FLEXIBLE) }                                                                     \
    int ncmpi_mput_##form##_all(int ncid, int num, int *varids, ARGS_##form void *const *bufs, PUT_TYPES)    \
    { MANY(PUT, COLLECTIVE, form, FLEXIBLE) }                                                                  \
    int ncmpi_mget_##form(int ncid, int num, int *varids, ARGS_##form void *bufs[], GET_TYPES)               \
    { MANY(GET, INDEPENDENT, form, FLEXIBLE) }                                                                     \
    int ncmpi_mget_##form##_all(int ncid, int num, int *varids, ARGS_##form void *bufs[], GET_TYPES)         \
    { MANY(GET, COLLECTIVE, form, FLEXIBLE) }

#define EACH_CALL(form)                                                                                      \
    FLEXIBLE_CALLS(form)                                                                                     \
    TYPED_CALLS(form, text,      char,               PCDF_M_TEXT)                                            \
    TYPED_CALLS(form, schar,     signed char,        PCDF_M_SCHAR)                                           \
    TYPED_CALLS(form, uchar,     unsigned char,      PCDF_M_UCHAR)                                           \
    TYPED_CALLS(form, short,     short,              PCDF_M_SHORT)                                           \
    TYPED_CALLS(form, ushort,    unsigned short,     PCDF_M_USHORT)                                          \
    TYPED_CALLS(form, int,       int,                PCDF_M_INT)                                             \
    TYPED_CALLS(form, uint,      unsigned int,       PCDF_M_UINT)                                            \
    TYPED_CALLS(form, long,      long,               PCDF_M_LONG)                                            \
    TYPED_CALLS(form, float,     float,              PCDF_M_FLOAT)                                           \
    TYPED_CALLS(form, double,    double,             PCDF_M_DOUBLE)                                          \
    TYPED_CALLS(form, longlong,  long long,          PCDF_M_LONGLONG)                                        \
    TYPED_CALLS(form, ulonglong, unsigned long long, PCDF_M_ULONGLONG)

EACH_CALL(var)
EACH_CALL(var1)
EACH_CALL(vara)
EACH_CALL(vars)
EACH_CALL(varm)
