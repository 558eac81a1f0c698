#ifndef PENDING_H
#define PENDING_H
/* Every typed posting function (iput, iget, bput) as one call with values; beside forms.h, which has the
 * blocking ones. */
#include "forms.h"

enum posting { POST_IPUT, POST_IGET, POST_BPUT };

/* clang-format off */
#define POST_FORMS(way, suffix, ctype)                                                                       \
    switch (c->form) {                                                                                       \
    case FORM_VAR:  return ncmpi_##way##_var_##suffix(c->ncid, c->varid, (ctype *)c->buf, id);               \
    case FORM_VAR1: return ncmpi_##way##_var1_##suffix(c->ncid, c->varid, c->start, (ctype *)c->buf, id);    \
    case FORM_VARA: return ncmpi_##way##_vara_##suffix(c->ncid, c->varid, c->start, c->count,                \
                                                       (ctype *)c->buf, id);                                 \
    case FORM_VARS: return ncmpi_##way##_vars_##suffix(c->ncid, c->varid, c->start, c->count, c->stride,     \
                                                       (ctype *)c->buf, id);                                 \
    case FORM_VARM: return ncmpi_##way##_varm_##suffix(c->ncid, c->varid, c->start, c->count, c->stride,     \
                                                       c->imap, (ctype *)c->buf, id);                        \
    case FORM_VARN: return ncmpi_##way##_varn_##suffix(c->ncid, c->varid, c->num, c->starts, c->counts,      \
                                                       (ctype *)c->buf, id);                                 \
    default:        return NC_EINVAL;                                                                        \
    }
#define POST_OF_TYPE(tag, suffix, ctype)                                                                     \
    static inline int post_##suffix(const struct call *c, enum posting way, int *id)                         \
    {                                                                                                        \
        if (way == POST_IPUT)                                                                                \
            POST_FORMS(iput, suffix, ctype)                                                                  \
        if (way == POST_BPUT)                                                                                \
            POST_FORMS(bput, suffix, ctype)                                                                  \
        POST_FORMS(iget, suffix, ctype)                                                                      \
    }
/* clang-format on */
MEM_TYPES(POST_OF_TYPE)

static inline int call_post(const struct call *c, enum posting way, int *id)
{
#define POST_ENTRY(tag, suffix, ctype) post_##suffix,
    static int (*const of_type[MEMS])(const struct call *, enum posting, int *) = { MEM_TYPES(POST_ENTRY) };
#undef POST_ENTRY
    return of_type[c->mem](c, way, id);
}

static inline MPI_Datatype mem_datatype(enum mem mem)
{
    const MPI_Datatype types[MEMS] = { [MEM_TEXT] = MPI_CHAR,
                                       [MEM_SCHAR] = MPI_SIGNED_CHAR,
                                       [MEM_UCHAR] = MPI_UNSIGNED_CHAR,
                                       [MEM_SHORT] = MPI_SHORT,
                                       [MEM_USHORT] = MPI_UNSIGNED_SHORT,
                                       [MEM_INT] = MPI_INT,
                                       [MEM_UINT] = MPI_UNSIGNED,
                                       [MEM_LONG] = MPI_LONG,
                                       [MEM_FLOAT] = MPI_FLOAT,
                                       [MEM_DOUBLE] = MPI_DOUBLE,
                                       [MEM_LONGLONG] = MPI_LONG_LONG_INT,
                                       [MEM_ULONGLONG] = MPI_UNSIGNED_LONG_LONG };
    return types[mem];
}

/* The memory type that MPI_DATATYPE_NULL stands for. */
static inline enum mem ext_mem(int type)
{
    static const enum mem mems[12] = { MEM_TEXT,   MEM_SCHAR, MEM_TEXT,     MEM_SHORT,
                                       MEM_INT,    MEM_FLOAT, MEM_DOUBLE,   MEM_UCHAR,
                                       MEM_USHORT, MEM_UINT,  MEM_LONGLONG, MEM_ULONGLONG };
    return mems[type];
}
#endif
