#ifndef DATACALLS_H
#define DATACALLS_H
/* One data call as a value: which function, of which form and memory, with which arguments; and the call of
 * it. Element 1 of mput, mget and varn has the arguments; element 0 is always good. */

#include <mpi.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stddef.h>

enum op { /* bits, since a fault belongs to several */
          PUT = 1,
          PUT_ALL = 2,
          GET = 4,
          GET_ALL = 8,
          IPUT = 16,
          IGET = 32,
          BPUT = 64,
          MPUT = 128,
          MPUT_ALL = 256,
          MGET = 512,
          MGET_ALL = 1024,
          WAIT = 2048,
          WAIT_ALL = 4096,
          CANCEL = 8192,
          DEF_VAR_FILL = 16384,
          FILL_VAR_REC = 32768
};
enum form { VAR = 1, VAR1 = 2, VARA = 4, VARS = 8, VARM = 16, VARN = 32 };
enum memory { TEXT = 1, SCHAR = 2, INT = 4, FLEXIBLE = 8 };
enum mode { DEFINE, TOGETHER, ALONE };

struct call {
    enum op op;
    enum form form;
    enum memory memory;
    enum mode mode; /* of the file */
    bool readonly;  /* so is the file */
    bool bad_ncid, no_varids;
    int ncid, varid, num;
    MPI_Offset *start, *count, *stride, *imap; /* into `room`, or NULL */
    MPI_Offset room[4][2];
    bool no_starts;
    void *buf;
    MPI_Offset bufcount;
    MPI_Datatype buftype;
    MPI_Offset attached; /* bput: bytes of the buffer */
    int req;
    bool no_ids, bad_id, id_twice, bad_range; /* wait, cancel */
    MPI_Offset record;                        /* fill_var_rec */
};

static MPI_Offset good_start[2] = { 0, 0 }, good_count[2] = { 1, 1 }, good_stride[2] = { 1, 1 };
static int good_values[64];

/* ---- one variable */

#define ARGS_var
#define ARGS_var1 c->start,
#define ARGS_vara c->start, c->count,
#define ARGS_vars c->start, c->count, c->stride,
#define ARGS_varm c->start, c->count, c->stride, c->imap,
#define ARGS_varn c->num, starts, counts,

/* clang-format off */
#define NOW(op_, name, form, all)                                                                            \
    if (c->op == op_ && c->memory == TEXT)                                                                   \
        return ncmpi_##name##_##form##_text##all(c->ncid, c->varid, ARGS_##form c->buf);                     \
    if (c->op == op_ && c->memory == SCHAR)                                                                  \
        return ncmpi_##name##_##form##_schar##all(c->ncid, c->varid, ARGS_##form c->buf);                    \
    if (c->op == op_ && c->memory == INT)                                                                    \
        return ncmpi_##name##_##form##_int##all(c->ncid, c->varid, ARGS_##form c->buf);                      \
    if (c->op == op_)                                                                                        \
        return ncmpi_##name##_##form##all(c->ncid, c->varid, ARGS_##form c->buf, c->bufcount, c->buftype);

#define LATER(op_, name, form)                                                                               \
    if (c->op == op_ && c->memory == TEXT)                                                                   \
        return ncmpi_##name##_##form##_text(c->ncid, c->varid, ARGS_##form c->buf, &c->req);                 \
    if (c->op == op_ && c->memory == SCHAR)                                                                  \
        return ncmpi_##name##_##form##_schar(c->ncid, c->varid, ARGS_##form c->buf, &c->req);                \
    if (c->op == op_ && c->memory == INT)                                                                    \
        return ncmpi_##name##_##form##_int(c->ncid, c->varid, ARGS_##form c->buf, &c->req);                  \
    if (c->op == op_)                                                                                        \
        return ncmpi_##name##_##form(c->ncid, c->varid, ARGS_##form c->buf, c->bufcount, c->buftype, &c->req);

#define ONE(form)                                                                                            \
    static int call_##form(struct call *c)                                                                   \
    {                                                                                                        \
        MPI_Offset *slabs[2][2] = { { good_start, c->start }, { good_count, c->count } };                    \
        MPI_Offset **starts = c->no_starts ? NULL : slabs[0], **counts = slabs[1];                           \
        (void)starts, (void)counts;                                                                          \
        NOW(PUT, put, form, ) NOW(PUT_ALL, put, form, _all)                                                  \
        NOW(GET, get, form, ) NOW(GET_ALL, get, form, _all)                                                  \
        LATER(IPUT, iput, form) LATER(IGET, iget, form) LATER(BPUT, bput, form)                              \
        return -1000;                                                                                        \
    }

ONE(var)
ONE(var1)
ONE(vara)
ONE(vars)
ONE(varm)
ONE(varn)

/* ---- two variables */

static int good_varid, good_letters, good_size; /* a variable, one of text, and their elements */

static MPI_Offset good_bufcount(const struct call *c)
{
    return c->form == VAR ? good_size : 1;
}

#define MANY_var
#define MANY_var1 starts,
#define MANY_vara starts, counts,
#define MANY_vars starts, counts, strides,
#define MANY_varm starts, counts, strides, imaps,

#define MANY(op_, name, form, all)                                                                           \
    if (c->op == op_ && c->memory == TEXT)                                                                   \
        return ncmpi_##name##_##form##_text##all(c->ncid, c->num, varids, MANY_##form texts);                \
    if (c->op == op_ && c->memory == SCHAR)                                                                  \
        return ncmpi_##name##_##form##_schar##all(c->ncid, c->num, varids, MANY_##form schars);              \
    if (c->op == op_ && c->memory == INT)                                                                    \
        return ncmpi_##name##_##form##_int##all(c->ncid, c->num, varids, MANY_##form ints);                  \
    if (c->op == op_)                                                                                        \
        return ncmpi_##name##_##form##all(c->ncid, c->num, varids, MANY_##form anys, bufcounts, buftypes);

#define TWO(form)                                                                                            \
    static int call_m##form(struct call *c)                                                                  \
    {                                                                                                        \
        int both[2] = { c->memory == TEXT ? good_letters : good_varid, c->varid }, *varids = c->no_varids ? NULL : both;                        \
        MPI_Offset *starts[2] = { good_start, c->start }, *counts[2] = { good_count, c->count };             \
        MPI_Offset *strides[2] = { good_stride, c->stride }, *imaps[2] = { NULL, c->imap };                  \
        char *texts[2] = { (char *)good_values, c->buf };                                                    \
        signed char *schars[2] = { (signed char *)good_values, c->buf };                                     \
        int *ints[2] = { good_values, c->buf };                                                              \
        void *anys[2] = { good_values, c->buf };                                                             \
        MPI_Offset bufcounts[2] = { good_bufcount(c), c->bufcount };                           \
        MPI_Datatype buftypes[2] = { MPI_INT, c->buftype };                                                  \
        (void)starts, (void)counts, (void)strides, (void)imaps;                                              \
        MANY(MPUT, mput, form, ) MANY(MPUT_ALL, mput, form, _all)                                            \
        MANY(MGET, mget, form, ) MANY(MGET_ALL, mget, form, _all)                                            \
        return -1000;                                                                                        \
    }
/* clang-format on */

TWO(var)
TWO(var1)
TWO(vara)
TWO(vars)
TWO(varm)

static int call_data(struct call *c)
{
    bool two = c->op & (MPUT | MPUT_ALL | MGET | MGET_ALL);
    switch (c->form) {
    case VAR:
        return two ? call_mvar(c) : call_var(c);
    case VAR1:
        return two ? call_mvar1(c) : call_var1(c);
    case VARA:
        return two ? call_mvara(c) : call_vara(c);
    case VARS:
        return two ? call_mvars(c) : call_vars(c);
    case VARM:
        return two ? call_mvarm(c) : call_varm(c);
    default:
        return call_varn(c);
    }
}
#endif
