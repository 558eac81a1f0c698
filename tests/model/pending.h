#ifndef PENDING_H
#define PENDING_H
/* Every typed posting function (iput, iget, bput) as one call with values, and the flexible ones of a block;
 * beside forms.h, which has the blocking ones. */
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

/* How a flexible call describes its buffer; FLEX_VECTOR leaves every second element out. */
enum flex { FLEX_NOT, FLEX_CONTIGUOUS, FLEX_VECTOR, FLEX_NULL, FLEX_IGNORE, FLEXES };
static const char *const flex_names[FLEXES] = { "", " contiguous", " vector", " MPI_DATATYPE_NULL",
                                                " NC_COUNT_IGNORE" };

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

static inline int flexible_vara(const struct call *c, MPI_Offset n, MPI_Datatype type)
{
    if (c->put)
        return c->collective ? ncmpi_put_vara_all(c->ncid, c->varid, c->start, c->count, c->buf, n, type)
                             : ncmpi_put_vara(c->ncid, c->varid, c->start, c->count, c->buf, n, type);
    return c->collective ? ncmpi_get_vara_all(c->ncid, c->varid, c->start, c->count, c->buf, n, type)
                         : ncmpi_get_vara(c->ncid, c->varid, c->start, c->count, c->buf, n, type);
}

static inline int flexible_post(const struct call *c, enum posting way, int *id, MPI_Offset n,
                                MPI_Datatype type)
{
    if (way == POST_IPUT)
        return ncmpi_iput_vara(c->ncid, c->varid, c->start, c->count, c->buf, n, type, id);
    if (way == POST_BPUT)
        return ncmpi_bput_vara(c->ncid, c->varid, c->start, c->count, c->buf, n, type, id);
    return ncmpi_iget_vara(c->ncid, c->varid, c->start, c->count, c->buf, n, type, id);
}

/* A vara call of n elements of memory, blocking when id is NULL. The type is freed at once, as users do. */
static inline int flexible_run(const struct call *c, enum flex flex, int64_t n, enum posting way, int *id)
{
    MPI_Datatype type = flex == FLEX_NULL ? MPI_DATATYPE_NULL : mem_datatype(c->mem);
    MPI_Offset count = flex == FLEX_IGNORE ? NC_COUNT_IGNORE : flex == FLEX_NULL ? n : 1;
    bool derived = flex == FLEX_CONTIGUOUS || flex == FLEX_VECTOR;
    if (flex == FLEX_CONTIGUOUS)
        MPI_Type_contiguous((int)n, mem_datatype(c->mem), &type);
    else if (flex == FLEX_VECTOR)
        MPI_Type_vector((int)n, 1, 2, mem_datatype(c->mem), &type);
    if (derived)
        MPI_Type_commit(&type);
    int err = id ? flexible_post(c, way, id, count, type) : flexible_vara(c, count, type);
    if (derived)
        MPI_Type_free(&type);
    return err;
}

/* mput or mget of num variables by flexible calls. */
static inline int many_run(const struct call *c, int num, int *varids, MPI_Offset *const *strides,
                           void **bufs, const MPI_Offset *n, const MPI_Datatype *types)
{
    MPI_Offset *const *s = c->starts, *const *k = c->counts;
#define MANY(dir)                                                                                            \
    (c->form == FORM_VAR ? (c->collective ? ncmpi_##dir##_var_all(c->ncid, num, varids, bufs, n, types)      \
                                          : ncmpi_##dir##_var(c->ncid, num, varids, bufs, n, types))         \
     : c->form == FORM_VARA                                                                                  \
         ? (c->collective ? ncmpi_##dir##_vara_all(c->ncid, num, varids, s, k, bufs, n, types)               \
                          : ncmpi_##dir##_vara(c->ncid, num, varids, s, k, bufs, n, types))                  \
         : (c->collective ? ncmpi_##dir##_vars_all(c->ncid, num, varids, s, k, strides, bufs, n, types)      \
                          : ncmpi_##dir##_vars(c->ncid, num, varids, s, k, strides, bufs, n, types)))
    return c->put ? MANY(mput) : MANY(mget);
#undef MANY
}
#endif
