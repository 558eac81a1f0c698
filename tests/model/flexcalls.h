#ifndef FLEXCALLS_H
#define FLEXCALLS_H
/* Every flexible put and get, blocking and posting, and every mput and mget, typed and flexible, as calls
 * whose direction, form and type are values; beside forms.h and pending.h. */
#include "pending.h"

/* What a flexible call says of its buffer. */
struct described {
    void *base; /* not the buffer when the addresses are in the type */
    MPI_Offset count;
    MPI_Datatype type;
};

/* clang-format off */
#define FLEX_FORMS(call, tail, ...)                                                                          \
    switch (c->form) {                                                                                       \
    case FORM_VAR:  return ncmpi_##call##_var##tail(c->ncid, c->varid, __VA_ARGS__);                         \
    case FORM_VAR1: return ncmpi_##call##_var1##tail(c->ncid, c->varid, c->start, __VA_ARGS__);              \
    case FORM_VARA: return ncmpi_##call##_vara##tail(c->ncid, c->varid, c->start, c->count, __VA_ARGS__);    \
    case FORM_VARS: return ncmpi_##call##_vars##tail(c->ncid, c->varid, c->start, c->count, c->stride,       \
                                                     __VA_ARGS__);                                           \
    case FORM_VARM: return ncmpi_##call##_varm##tail(c->ncid, c->varid, c->start, c->count, c->stride,       \
                                                     c->imap, __VA_ARGS__);                                  \
    case FORM_VARN: return ncmpi_##call##_varn##tail(c->ncid, c->varid, c->num, c->starts, c->counts,        \
                                                     __VA_ARGS__);                                           \
    default:        return NC_EINVAL;                                                                        \
    }
/* clang-format on */

static inline int flexible_call(const struct call *c, const struct described *d)
{
    if (c->put && c->collective)
        FLEX_FORMS(put, _all, d->base, d->count, d->type)
    if (c->put)
        FLEX_FORMS(put, , d->base, d->count, d->type)
    if (c->collective)
        FLEX_FORMS(get, _all, d->base, d->count, d->type)
    FLEX_FORMS(get, , d->base, d->count, d->type)
}

static inline int flexible_post(const struct call *c, enum posting way, int *id, const struct described *d)
{
    if (way == POST_IPUT)
        FLEX_FORMS(iput, , d->base, d->count, d->type, id)
    if (way == POST_BPUT)
        FLEX_FORMS(bput, , d->base, d->count, d->type, id)
    FLEX_FORMS(iget, , d->base, d->count, d->type, id)
}

/* ---- mput and mget: an array of each argument */
struct manycall {
    int ncid, num;
    bool put, collective;
    enum form form;
    int *varids;
    MPI_Offset **starts, **counts, **strides, **imaps;
    void **bufs;
    MPI_Offset *bufcounts;
    MPI_Datatype *types;
};

/* clang-format off */
#define MANY_FORMS(dir, tail, ...)                                                                           \
    switch (c->form) {                                                                                       \
    case FORM_VAR:  return ncmpi_##dir##_var##tail(c->ncid, c->num, c->varids, __VA_ARGS__);                 \
    case FORM_VAR1: return ncmpi_##dir##_var1##tail(c->ncid, c->num, c->varids, c->starts, __VA_ARGS__);     \
    case FORM_VARA: return ncmpi_##dir##_vara##tail(c->ncid, c->num, c->varids, c->starts, c->counts,        \
                                                    __VA_ARGS__);                                            \
    case FORM_VARS: return ncmpi_##dir##_vars##tail(c->ncid, c->num, c->varids, c->starts, c->counts,        \
                                                    c->strides, __VA_ARGS__);                                \
    case FORM_VARM: return ncmpi_##dir##_varm##tail(c->ncid, c->num, c->varids, c->starts, c->counts,        \
                                                    c->strides, c->imaps, __VA_ARGS__);                      \
    default:        return NC_EINVAL;                                                                        \
    }
/* clang-format on */
#define MANY_OF_TYPE(tag, suffix, ctype)                                                                     \
    static inline int many_##suffix(const struct manycall *c)                                                \
    {                                                                                                        \
        if (c->put && c->collective)                                                                         \
            MANY_FORMS(mput, _##suffix##_all, (ctype **)c->bufs)                                             \
        if (c->put)                                                                                          \
            MANY_FORMS(mput, _##suffix, (ctype **)c->bufs)                                                   \
        if (c->collective)                                                                                   \
            MANY_FORMS(mget, _##suffix##_all, (ctype **)c->bufs)                                             \
        MANY_FORMS(mget, _##suffix, (ctype **)c->bufs)                                                       \
    }
MEM_TYPES(MANY_OF_TYPE)

static inline int many_typed(const struct manycall *c, enum mem mem)
{
#define MANY_ENTRY(tag, suffix, ctype) many_##suffix,
    static int (*const of_type[MEMS])(const struct manycall *) = { MEM_TYPES(MANY_ENTRY) };
#undef MANY_ENTRY
    return of_type[mem](c);
}

static inline int many_flexible(const struct manycall *c)
{
    if (c->put && c->collective)
        MANY_FORMS(mput, _all, c->bufs, c->bufcounts, c->types)
    if (c->put)
        MANY_FORMS(mput, , c->bufs, c->bufcounts, c->types)
    if (c->collective)
        MANY_FORMS(mget, _all, c->bufs, c->bufcounts, c->types)
    MANY_FORMS(mget, , c->bufs, c->bufcounts, c->types)
}
#endif
