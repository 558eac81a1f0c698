#ifndef SYMBOLS_H
#define SYMBOLS_H
/* Every function of the public API by name, with its type, which the compiler compares with the prototype.
 * The 806 data functions come from forms, types and ways: X(way, FORM, mem, name, form, arity, tail,
 * pointer). */

#include "forms.h"

/* What one call may take; a function picks its arguments. */
struct job {
    int ncid, varid, num, nvars;
    MPI_Offset *start, *count, *stride, *imap;             /* of one variable */
    MPI_Offset **starts, **counts;                         /* blocks of varn */
    MPI_Offset **vstarts, **vcounts, **vstrides, **vimaps; /* of several variables */
    int *varids, *reqid;
    void *buf, **bufs;
    MPI_Offset bufcount, *bufcounts;
    MPI_Datatype buftype, *buftypes;
};

enum way { PUT, PUT_ALL, GET, GET_ALL, IPUT, IGET, BPUT, MPUT, MPUT_ALL, MGET, MGET_ALL };
enum { ANY_TYPE = MEMS }; /* of a flexible function */

/* clang-format off */
#define AT            const MPI_Offset *
#define LIST          MPI_Offset *const *
#define HEAD_T_ONE    int, int
#define HEAD_T_MANY   int, int, int *
#define FORM_T_ONE_var
#define FORM_T_ONE_var1  AT,
#define FORM_T_ONE_vara  AT, AT,
#define FORM_T_ONE_vars  AT, AT, AT,
#define FORM_T_ONE_varm  AT, AT, AT, AT,
#define FORM_T_ONE_varn  int, LIST, LIST,
#define FORM_T_MANY_var
#define FORM_T_MANY_var1 LIST,
#define FORM_T_MANY_vara LIST, LIST,
#define FORM_T_MANY_vars LIST, LIST, LIST,
#define FORM_T_MANY_varm LIST, LIST, LIST, LIST,
#define TAIL_T_PLAIN
#define TAIL_T_POST      , int *
#define TAIL_T_FLEX      , MPI_Offset, MPI_Datatype
#define TAIL_T_FLEXPOST  , MPI_Offset, MPI_Datatype, int *
#define TAIL_T_FLEXMANY  , const MPI_Offset *, const MPI_Datatype *

#define HEAD_V_ONE    j->ncid, j->varid
#define HEAD_V_MANY   j->ncid, j->nvars, j->varids
#define FORM_V_ONE_var
#define FORM_V_ONE_var1  j->start,
#define FORM_V_ONE_vara  j->start, j->count,
#define FORM_V_ONE_vars  j->start, j->count, j->stride,
#define FORM_V_ONE_varm  j->start, j->count, j->stride, j->imap,
#define FORM_V_ONE_varn  j->num, j->starts, j->counts,
#define FORM_V_MANY_var
#define FORM_V_MANY_var1 j->vstarts,
#define FORM_V_MANY_vara j->vstarts, j->vcounts,
#define FORM_V_MANY_vars j->vstarts, j->vcounts, j->vstrides,
#define FORM_V_MANY_varm j->vstarts, j->vcounts, j->vstrides, j->vimaps,
#define BUF_ONE          j->buf
#define BUF_MANY         j->bufs
#define TAIL_V_PLAIN
#define TAIL_V_POST      , j->reqid
#define TAIL_V_FLEX      , j->bufcount, j->buftype
#define TAIL_V_FLEXPOST  , j->bufcount, j->buftype, j->reqid
#define TAIL_V_FLEXMANY  , j->bufcounts, j->buftypes

#define ONE_FORM(X, form, FORM, T, mem, type, TAIL)                                                          \
    X(PUT,     FORM, mem, ncmpi_put_##form##T,       form, ONE, TAIL,     const type *)                      \
    X(PUT_ALL, FORM, mem, ncmpi_put_##form##T##_all, form, ONE, TAIL,     const type *)                      \
    X(GET,     FORM, mem, ncmpi_get_##form##T,       form, ONE, TAIL,     type *)                            \
    X(GET_ALL, FORM, mem, ncmpi_get_##form##T##_all, form, ONE, TAIL,     type *)
#define ONE_POST(X, form, FORM, T, mem, type, TAIL)                                                          \
    X(IPUT,    FORM, mem, ncmpi_iput_##form##T,      form, ONE, TAIL, const type *)                          \
    X(IGET,    FORM, mem, ncmpi_iget_##form##T,      form, ONE, TAIL, type *)                                \
    X(BPUT,    FORM, mem, ncmpi_bput_##form##T,      form, ONE, TAIL, const type *)
#define MANY_FORM(X, form, FORM, T, mem, type, TAIL)                                                         \
    X(MPUT,     FORM, mem, ncmpi_mput_##form##T,       form, MANY, TAIL, type *const *)                      \
    X(MPUT_ALL, FORM, mem, ncmpi_mput_##form##T##_all, form, MANY, TAIL, type *const *)                      \
    X(MGET,     FORM, mem, ncmpi_mget_##form##T,       form, MANY, TAIL, type **)                            \
    X(MGET_ALL, FORM, mem, ncmpi_mget_##form##T##_all, form, MANY, TAIL, type **)

#define ONE_TYPE(X, form, FORM, T, mem, type)                                                                \
    ONE_FORM(X, form, FORM, T, mem, type, PLAIN) ONE_POST(X, form, FORM, T, mem, type, POST)
#define MANY_TYPE(X, form, FORM, T, mem, type) MANY_FORM(X, form, FORM, T, mem, type, PLAIN)

#define EVERY_TYPE(TYPE, X, form, FORM)                                                                      \
    TYPE(X, form, FORM, _text,      MEM_TEXT,      char)                                                     \
    TYPE(X, form, FORM, _schar,     MEM_SCHAR,     signed char)                                              \
    TYPE(X, form, FORM, _uchar,     MEM_UCHAR,     unsigned char)                                            \
    TYPE(X, form, FORM, _short,     MEM_SHORT,     short)                                                    \
    TYPE(X, form, FORM, _ushort,    MEM_USHORT,    unsigned short)                                           \
    TYPE(X, form, FORM, _int,       MEM_INT,       int)                                                      \
    TYPE(X, form, FORM, _uint,      MEM_UINT,      unsigned int)                                             \
    TYPE(X, form, FORM, _long,      MEM_LONG,      long)                                                     \
    TYPE(X, form, FORM, _float,     MEM_FLOAT,     float)                                                    \
    TYPE(X, form, FORM, _double,    MEM_DOUBLE,    double)                                                   \
    TYPE(X, form, FORM, _longlong,  MEM_LONGLONG,  long long)                                                \
    TYPE(X, form, FORM, _ulonglong, MEM_ULONGLONG, unsigned long long)

#define EVERY_ONE(X, form, FORM)                                                                             \
    ONE_FORM(X, form, FORM, , ANY_TYPE, void, FLEX) ONE_POST(X, form, FORM, , ANY_TYPE, void, FLEXPOST)      \
    EVERY_TYPE(ONE_TYPE, X, form, FORM)
#define EVERY_MANY(X, form, FORM)                                                                            \
    MANY_FORM(X, form, FORM, , ANY_TYPE, void, FLEXMANY) EVERY_TYPE(MANY_TYPE, X, form, FORM)

#define DATA_FUNCTIONS(X)                                                                                    \
    EVERY_ONE(X, var, FORM_VAR)   EVERY_ONE(X, var1, FORM_VAR1) EVERY_ONE(X, vara, FORM_VARA)                \
    EVERY_ONE(X, vars, FORM_VARS) EVERY_ONE(X, varm, FORM_VARM) EVERY_ONE(X, varn, FORM_VARN)                \
    EVERY_MANY(X, var, FORM_VAR)   EVERY_MANY(X, var1, FORM_VAR1) EVERY_MANY(X, vara, FORM_VARA)             \
    EVERY_MANY(X, vars, FORM_VARS) EVERY_MANY(X, varm, FORM_VARM)

#define PROVE(name, ...) _Static_assert(_Generic(&name, __VA_ARGS__: 1, default: 0), "the type of " #name);

/* ---- the others: X(name, type) */

#define ATTRIBUTE(X, T, type)                                                                                \
    X(ncmpi_put_att_##T, int (*)(int, int, const char *, nc_type, MPI_Offset, const type *))                 \
    X(ncmpi_get_att_##T, int (*)(int, int, const char *, type *))
#define NUMBER_ATTRIBUTES(ATT, X)                                                                            \
    ATT(X, schar, signed char) ATT(X, uchar, unsigned char)   ATT(X, ubyte, unsigned char)                   \
    ATT(X, short, short)       ATT(X, ushort, unsigned short) ATT(X, int, int)                               \
    ATT(X, uint, unsigned int) ATT(X, long, long)             ATT(X, float, float)                           \
    ATT(X, double, double)     ATT(X, longlong, long long)    ATT(X, ulonglong, unsigned long long)

#define OF_FILE(X, name) X(ncmpi_##name, int (*)(int))
#define TO_INT(X, name)  X(ncmpi_##name, int (*)(int, int *))
#define TO_SIZE(X, name) X(ncmpi_##name, int (*)(int, MPI_Offset *))
#define VAR_INT(X, name) X(ncmpi_##name, int (*)(int, int, int *))

#define OTHER_FUNCTIONS(X)                                                                                   \
    X(ncmpi_strerror, const char *(*)(int)) X(ncmpi_strerrno, const char *(*)(int))                          \
    X(ncmpi_inq_libvers, const char *(*)(void))                                                              \
    X(ncmpi_create, int (*)(MPI_Comm, const char *, int, MPI_Info, int *))                                   \
    X(ncmpi_open, int (*)(MPI_Comm, const char *, int, MPI_Info, int *))                                     \
    OF_FILE(X, close) OF_FILE(X, abort) OF_FILE(X, enddef) OF_FILE(X, redef) OF_FILE(X, sync)                \
    OF_FILE(X, flush) OF_FILE(X, sync_numrecs) OF_FILE(X, begin_indep_data) OF_FILE(X, end_indep_data)       \
    OF_FILE(X, buffer_detach)                                                                                \
    X(ncmpi__enddef, int (*)(int, MPI_Offset, MPI_Offset, MPI_Offset, MPI_Offset))                           \
    X(ncmpi_delete, int (*)(const char *, MPI_Info)) X(ncmpi_set_default_format, int (*)(int, int *))        \
    X(ncmpi_inq_default_format, int (*)(int *)) X(ncmpi_inq_file_format, int (*)(const char *, int *))       \
    X(ncmpi_inq_files_opened, int (*)(int *, int *)) X(ncmpi_inq, int (*)(int, int *, int *, int *, int *))  \
    TO_INT(X, inq_ndims) TO_INT(X, inq_nvars) TO_INT(X, inq_natts) TO_INT(X, inq_unlimdim)                   \
    TO_INT(X, inq_num_rec_vars) TO_INT(X, inq_num_fix_vars) TO_INT(X, inq_format) TO_INT(X, inq_version)     \
    TO_INT(X, inq_nreqs)                                                                                     \
    X(ncmpi_inq_path, int (*)(int, int *, char *)) X(ncmpi_inq_striping, int (*)(int, int *, int *))         \
    X(ncmpi_inq_file_info, int (*)(int, MPI_Info *)) X(ncmpi_get_file_info, int (*)(int, MPI_Info *))        \
    TO_SIZE(X, inq_put_size) TO_SIZE(X, inq_get_size) TO_SIZE(X, inq_header_size)                            \
    TO_SIZE(X, inq_header_extent) TO_SIZE(X, inq_recsize) TO_SIZE(X, inq_buffer_usage)                       \
    TO_SIZE(X, inq_buffer_size)                                                                              \
    X(ncmpi_inq_malloc_size, int (*)(MPI_Offset *)) X(ncmpi_inq_malloc_max_size, int (*)(MPI_Offset *))      \
    X(ncmpi_inq_malloc_list, int (*)(void))                                                                  \
    X(ncmpi_def_dim, int (*)(int, const char *, MPI_Offset, int *))                                          \
    X(ncmpi_rename_dim, int (*)(int, int, const char *))                                                     \
    X(ncmpi_inq_dimid, int (*)(int, const char *, int *))                                                    \
    X(ncmpi_inq_dim, int (*)(int, int, char *, MPI_Offset *))                                                \
    X(ncmpi_inq_dimname, int (*)(int, int, char *))                                                          \
    X(ncmpi_inq_dimlen, int (*)(int, int, MPI_Offset *))                                                     \
    X(ncmpi_def_var, int (*)(int, const char *, nc_type, int, const int *, int *))                           \
    X(ncmpi_rename_var, int (*)(int, int, const char *))                                                     \
    X(ncmpi_inq_varid, int (*)(int, const char *, int *))                                                    \
    X(ncmpi_inq_var, int (*)(int, int, char *, nc_type *, int *, int *, int *))                              \
    X(ncmpi_inq_varname, int (*)(int, int, char *)) X(ncmpi_inq_vartype, int (*)(int, int, nc_type *))       \
    VAR_INT(X, inq_varndims) VAR_INT(X, inq_vardimid) VAR_INT(X, inq_varnatts)                               \
    X(ncmpi_inq_varoffset, int (*)(int, int, MPI_Offset *)) X(ncmpi_set_fill, int (*)(int, int, int *))      \
    X(ncmpi_def_var_fill, int (*)(int, int, int, const void *))                                              \
    X(ncmpi_inq_var_fill, int (*)(int, int, int *, void *))                                                  \
    X(ncmpi_fill_var_rec, int (*)(int, int, MPI_Offset))                                                     \
    X(ncmpi_inq_att, int (*)(int, int, const char *, nc_type *, MPI_Offset *))                               \
    X(ncmpi_inq_attid, int (*)(int, int, const char *, int *))                                               \
    X(ncmpi_inq_atttype, int (*)(int, int, const char *, nc_type *))                                         \
    X(ncmpi_inq_attlen, int (*)(int, int, const char *, MPI_Offset *))                                       \
    X(ncmpi_inq_attname, int (*)(int, int, int, char *))                                                     \
    X(ncmpi_copy_att, int (*)(int, int, const char *, int, int))                                             \
    X(ncmpi_rename_att, int (*)(int, int, const char *, const char *))                                       \
    X(ncmpi_del_att, int (*)(int, int, const char *))                                                        \
    X(ncmpi_put_att, int (*)(int, int, const char *, nc_type, MPI_Offset, const void *))                     \
    X(ncmpi_get_att, int (*)(int, int, const char *, void *))                                                \
    X(ncmpi_put_att_text, int (*)(int, int, const char *, MPI_Offset, const char *))                         \
    X(ncmpi_get_att_text, int (*)(int, int, const char *, char *))                                           \
    NUMBER_ATTRIBUTES(ATTRIBUTE, X)                                                                          \
    X(ncmpi_put_vard, int (*)(int, int, MPI_Datatype, const void *, MPI_Offset, MPI_Datatype))               \
    X(ncmpi_put_vard_all, int (*)(int, int, MPI_Datatype, const void *, MPI_Offset, MPI_Datatype))           \
    X(ncmpi_get_vard, int (*)(int, int, MPI_Datatype, void *, MPI_Offset, MPI_Datatype))                     \
    X(ncmpi_get_vard_all, int (*)(int, int, MPI_Datatype, void *, MPI_Offset, MPI_Datatype))                 \
    X(ncmpi_wait, int (*)(int, int, int *, int *)) X(ncmpi_wait_all, int (*)(int, int, int *, int *))        \
    X(ncmpi_cancel, int (*)(int, int, int *, int *)) X(ncmpi_buffer_attach, int (*)(int, MPI_Offset))

#define CDL_FUNCTIONS(X)                                                                                     \
    X(cdl_hdr_open, int (*)(const char *, int *)) X(cdl_hdr_close, int (*)(int))                             \
    X(cdl_hdr_inq_format, int (*)(int, int *)) X(cdl_hdr_inq_ndims, int (*)(int, int *))                     \
    X(cdl_hdr_inq_dim, int (*)(int, int, char **, MPI_Offset *)) X(cdl_hdr_inq_nvars, int (*)(int, int *))   \
    X(cdl_hdr_inq_var, int (*)(int, int, char **, nc_type *, int *, int **))                                 \
    X(cdl_hdr_inq_nattrs, int (*)(int, int, int *))                                                          \
    X(cdl_hdr_inq_attr, int (*)(int, int, int, char **, nc_type *, MPI_Offset *, void **))
/* clang-format on */
#endif
