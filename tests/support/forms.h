#ifndef FORMS_H
#define FORMS_H
/* Every typed blocking put and get of the public API as one call whose direction, form, type and kind are
 * values, and user buffers whose elements are set and read by number. Shared by tests/equal, tests/model and
 * tests/collective. */

#include <mpi.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum form { FORM_VAR, FORM_VAR1, FORM_VARA, FORM_VARS, FORM_VARM, FORM_VARN, FORMS };
static const char *const form_names[FORMS] = { "var", "var1", "vara", "vars", "varm", "varn" };

#define MEM_TYPES(X)                                                                                         \
    X(MEM_TEXT, text, char)                                                                                  \
    X(MEM_SCHAR, schar, signed char)                                                                         \
    X(MEM_UCHAR, uchar, unsigned char)                                                                       \
    X(MEM_SHORT, short, short)                                                                               \
    X(MEM_USHORT, ushort, unsigned short)                                                                    \
    X(MEM_INT, int, int)                                                                                     \
    X(MEM_UINT, uint, unsigned int)                                                                          \
    X(MEM_LONG, long, long)                                                                                  \
    X(MEM_FLOAT, float, float)                                                                               \
    X(MEM_DOUBLE, double, double)                                                                            \
    X(MEM_LONGLONG, longlong, long long)                                                                     \
    X(MEM_ULONGLONG, ulonglong, unsigned long long)

#define MEM_ENUM(tag, suffix, ctype) tag,
enum mem { MEM_TYPES(MEM_ENUM) MEMS };
#undef MEM_ENUM

#define MEM_NAME(tag, suffix, ctype) #suffix,
static const char *const mem_names[MEMS] = { MEM_TYPES(MEM_NAME) };
#undef MEM_NAME

#define MEM_SIZE(tag, suffix, ctype) sizeof(ctype),
static const size_t mem_sizes[MEMS] = { MEM_TYPES(MEM_SIZE) };
#undef MEM_SIZE

struct call {
    int ncid, varid;
    bool put, collective;
    enum form form;
    enum mem mem;
    const MPI_Offset *start, *count, *stride, *imap;
    int num; /* varn */
    MPI_Offset *const *starts, *const *counts;
    void *buf;
};

/* One of the 288 functions for this direction, form, type and kind. */
#define CALL_PAIR(dir, form, suffix, ...)                                                                    \
    (c->collective ? ncmpi_##dir##_##form##_##suffix##_all(__VA_ARGS__)                                      \
                   : ncmpi_##dir##_##form##_##suffix(__VA_ARGS__))
#define CALL_FORMS(dir, suffix, ctype)                                                                       \
    switch (c->form) {                                                                                       \
    case FORM_VAR:                                                                                           \
        return CALL_PAIR(dir, var, suffix, c->ncid, c->varid, (ctype *)c->buf);                              \
    case FORM_VAR1:                                                                                          \
        return CALL_PAIR(dir, var1, suffix, c->ncid, c->varid, c->start, (ctype *)c->buf);                   \
    case FORM_VARA:                                                                                          \
        return CALL_PAIR(dir, vara, suffix, c->ncid, c->varid, c->start, c->count, (ctype *)c->buf);         \
    case FORM_VARS:                                                                                          \
        return CALL_PAIR(dir, vars, suffix, c->ncid, c->varid, c->start, c->count, c->stride,                \
                         (ctype *)c->buf);                                                                   \
    case FORM_VARM:                                                                                          \
        return CALL_PAIR(dir, varm, suffix, c->ncid, c->varid, c->start, c->count, c->stride, c->imap,       \
                         (ctype *)c->buf);                                                                   \
    case FORM_VARN:                                                                                          \
        return CALL_PAIR(dir, varn, suffix, c->ncid, c->varid, c->num, c->starts, c->counts,                 \
                         (ctype *)c->buf);                                                                   \
    default:                                                                                                 \
        return NC_EINVAL;                                                                                    \
    }
#define CALL_OF_TYPE(tag, suffix, ctype)                                                                     \
    static inline int call_##suffix(const struct call *c)                                                    \
    {                                                                                                        \
        if (c->put)                                                                                          \
            CALL_FORMS(put, suffix, ctype)                                                                   \
        CALL_FORMS(get, suffix, ctype)                                                                       \
    }
MEM_TYPES(CALL_OF_TYPE)

static inline int call_run(const struct call *c)
{
#define CALL_ENTRY(tag, suffix, ctype) call_##suffix,
    static int (*const of_type[MEMS])(const struct call *) = { MEM_TYPES(CALL_ENTRY) };
#undef CALL_ENTRY
    return of_type[c->mem](c);
}

/* Element i of a user buffer from an integer, by a C cast. */
static inline void mem_set(void *buf, enum mem mem, size_t i, long long v)
{
    switch (mem) {
#define MEM_STORE(tag, suffix, ctype)                                                                        \
    case tag:                                                                                                \
        ((ctype *)buf)[i] = (ctype)v;                                                                        \
        break;
        MEM_TYPES(MEM_STORE)
#undef MEM_STORE
    case MEMS:
        break;
    }
}

/* Element i as an integer, by a C cast. */
static inline long long mem_int(const void *buf, enum mem mem, size_t i)
{
    switch (mem) {
#define MEM_LOAD(tag, suffix, ctype)                                                                         \
    case tag:                                                                                                \
        return (long long)((const ctype *)buf)[i];
        MEM_TYPES(MEM_LOAD)
#undef MEM_LOAD
    case MEMS:
        break;
    }
    return 0;
}

/* External types: sizes in the file, and which versions have them. */
static const size_t ext_sizes[12] = { 0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8 };
static const char *const ext_names[12] = { "none",   "byte",  "char",   "short", "int",   "float",
                                           "double", "ubyte", "ushort", "uint",  "int64", "uint64" };
static inline int ext_last(int format)
{
    return format == 5 ? NC_UINT64 : NC_DOUBLE;
}
static inline int format_cmode(int format)
{
    return format == 1 ? 0 : format == 2 ? NC_64BIT_OFFSET : NC_64BIT_DATA;
}
#endif
