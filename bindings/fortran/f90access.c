/* nf90mpi_{put,get,iput,iget,bput}_{var,varn,vard}: one C function each for all types and ranks. Fortran 2018
 * hands an argument type(*), dimension(..) over as a descriptor, which knows type, extents and strides. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include "f77support.h"
#include "section.h"

/* One call of the C API. */
struct call {
    int ncid, varid;
    bool is_varn;
    int num;
    const MPI_Offset *start, *count, *stride, *imap;
    MPI_Offset *const *starts, *const *counts;
    void *buf;
    MPI_Offset bufcount;
    MPI_Datatype buftype;
    int *req;
};

typedef int c_function(const struct call *);

/* REQ is empty, or how the request gets out. */
#define REQ    , c->req
#define NO_REQ /* blocking */

#define C_FUNCTION(way, end, last)                                                                           \
    static int c_##way##end(const struct call *c)                                                            \
    {                                                                                                        \
        if (c->is_varn)                                                                                      \
            return ncmpi_##way##_varn##end(c->ncid, c->varid, c->num, c->starts, c->counts, c->buf,          \
                                           c->bufcount, c->buftype last);                                    \
        if (c->imap)                                                                                         \
            return ncmpi_##way##_varm##end(c->ncid, c->varid, c->start, c->count, c->stride, c->imap,        \
                                           c->buf, c->bufcount, c->buftype last);                            \
        if (c->stride)                                                                                       \
            return ncmpi_##way##_vars##end(c->ncid, c->varid, c->start, c->count, c->stride, c->buf,         \
                                           c->bufcount, c->buftype last);                                    \
        return ncmpi_##way##_vara##end(c->ncid, c->varid, c->start, c->count, c->buf, c->bufcount,           \
                                       c->buftype last);                                                     \
    }

C_FUNCTION(put, , NO_REQ)
C_FUNCTION(put, _all, NO_REQ)
C_FUNCTION(get, , NO_REQ)
C_FUNCTION(get, _all, NO_REQ)
C_FUNCTION(iput, , REQ)
C_FUNCTION(iget, , REQ)
C_FUNCTION(bput, , REQ)

/* ---- index vectors ---- */

/* Element i of an optional vector, `missing` where there is none. */
static MPI_Offset element(const CFI_cdesc_t *vector, int i, MPI_Offset missing)
{
    if (!vector || i >= vector->dim[0].extent)
        return missing;
    return *(const MPI_Offset *)((const char *)vector->base_addr + i * vector->dim[0].sm);
}

/* A vector must have an element for each dimension, and an array of vectors a column for each of num: PnetCDF
 * reads what lies behind them in memory. They may have more. */
static int check_extent(const CFI_cdesc_t *array, int ndims, int num, const char *name, int code)
{
    if (ndims == 0 || !array)
        return NC_NOERR;
    if (array->dim[0].extent < ndims)
        return pcdf_fortran_fail(code, "%s has %lld elements, the variable has %d dimensions", name,
                                 (long long)array->dim[0].extent, ndims);
    if (array->rank == 2 && array->dim[1].extent < num)
        return pcdf_fortran_fail(code, "%s has %lld columns, num is %d", name,
                                 (long long)array->dim[1].extent, num);
    return NC_NOERR;
}

static int check_extents(int ndims, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                         const CFI_cdesc_t *stride, const CFI_cdesc_t *map)
{
    int err = check_extent(start, ndims, 0, "start", NC_EINVALCOORDS);
    err = err ? err : check_extent(count, ndims, 0, "count", NC_EEDGE);
    err = err ? err : check_extent(stride, ndims, 0, "stride", NC_ESTRIDE);
    return err ? err : check_extent(map, ndims, 0, "map", NC_EINVAL);
}

/* What Fortran gave, in C's order, and for what it left out: the whole of values, from the first element on.
 */
static void fill_index(struct pcdf_index *x, const struct pcdf_section *values, const CFI_cdesc_t *start,
                       const CFI_cdesc_t *count, const CFI_cdesc_t *stride, const CFI_cdesc_t *map)
{
    MPI_Offset dense = 1;
    for (int i = 0; i < x->ndims; i++) {
        int at = x->ndims - 1 - i;
        x->start[at] = element(start, i, 1) - 1;
        x->count[at] = element(count, i, i < values->ndims ? values->extent[i] : 1);
        x->stride[at] = element(stride, i, 1);
        x->imap[at] = element(map, i, dense);
        if (__builtin_mul_overflow(dense, x->count[at], &dense))
            dense = 0;
    }
    x->stride = stride ? x->stride : NULL;
    x->imap = map ? x->imap : NULL;
}

/* Elements in a hyperslab; -1 where a count is none, which the C function says. */
static int64_t elements_of(int ndims, const MPI_Offset *count)
{
    int64_t n = 1;
    bool zero = false;
    for (int i = 0; i < ndims; i++) {
        zero = zero || count[i] == 0;
        if (count[i] < 0 || __builtin_mul_overflow(n, count[i] ? count[i] : 1, &n))
            return -1;
    }
    return zero ? 0 : n;
}

static int64_t elements_of_varn(const struct pcdf_indexes *x, int num)
{
    int64_t n = 0;
    for (int i = 0; i < num; i++) {
        int64_t one = x->counts ? elements_of(x->ndims, x->counts[i]) : 1;
        if (one < 0 || __builtin_add_overflow(n, one, &n))
            return -1;
    }
    return n;
}

/* ---- memory ---- */

/* The user's datatype. Where it describes the memory itself, values say no more than the address. */
static int take_buftype(struct call *c, const struct pcdf_section *values, const MPI_Offset *bufcount,
                        MPI_Datatype type)
{
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED;
    if (type != MPI_DATATYPE_NULL)
        MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (!values->dense)
        return pcdf_fortran_fail(NC_EINVAL, "values has gaps, and buftype says where they are");
    c->buf = values->base;
    c->buftype = type;
    c->bufcount = bufcount ? *bufcount : combiner == MPI_COMBINER_NAMED ? NC_COUNT_IGNORE : 1;
    return NC_NOERR;
}

/* Memory for n elements of the request, from the first of values on; n is -1 where only the C function knows
 * what is wrong with the counts. `made` is the datatype to free. */
static int take_values(struct call *c, const struct pcdf_section *values, int64_t n, int ndims,
                       MPI_Datatype *made)
{
    if (values->type == MPI_DATATYPE_NULL)
        return pcdf_fortran_fail(NC_EBADTYPE, "values has a type that netCDF does not have");
    c->buf = values->base;
    c->buftype = values->type;
    c->bufcount = NC_COUNT_IGNORE;
    if (n <= 0)
        return NC_NOERR;
    if (!values->base)
        return pcdf_fortran_fail(NC_EINVAL, "values has no memory, the request has %lld elements",
                                 (long long)n);
    if (c->imap) {
        if (!pcdf_section_holds(values, ndims, c->count, c->imap))
            return pcdf_fortran_fail(NC_EINVAL, "map leads outside values");
        if (values->dense)
            return NC_NOERR;
        int err = pcdf_section_mapped(values, n, ndims, c->count, c->imap, made);
        c->imap = NULL; /* the datatype has it now */
        c->buftype = *made;
        c->bufcount = 1;
        return err;
    }
    if (values->n >= 0 && n > values->n)
        return pcdf_fortran_fail(NC_EIOMISMATCH, "values has %lld elements, the request has %lld",
                                 (long long)values->n, (long long)n);
    if (values->dense)
        return NC_NOERR;
    int err = pcdf_section_first(values, n, made);
    c->buftype = *made;
    c->bufcount = 1;
    return err;
}

/* Calls, whatever went wrong: ranks may wait for this one. The smallest bufcount gives it a request of
 * nothing, whose types are checked all the same. */
static int finish(struct call *c, c_function *function, MPI_Datatype made, int err)
{
    if (err) {
        c->imap = NULL;
        c->buftype = made == MPI_DATATYPE_NULL ? c->buftype : MPI_INT;
        c->bufcount = INT64_MIN;
    }
    int result = function(c);
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_free(&made);
    if (err && (result == NC_EIOMISMATCH || result == NC_NOERR))
        return err;
    pcdf_fortran_forget();
    return result;
}

static int access_var(c_function *function, struct call *c, const CFI_cdesc_t *values,
                      const CFI_cdesc_t *start, const CFI_cdesc_t *count, const CFI_cdesc_t *stride,
                      const CFI_cdesc_t *map, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin_f90();
    struct pcdf_section section = pcdf_section_of(values);
    struct pcdf_index x;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int err = NC_NOERR;
    c->buftype = MPI_INT;
    c->bufcount = NC_COUNT_IGNORE;
    if (pcdf_index_room(&x, c->ncid, c->varid)) {
        fill_index(&x, &section, start, count, stride, map);
        c->start = x.start;
        c->count = x.count;
        c->stride = x.stride;
        c->imap = x.imap;
        err = check_extents(x.ndims, start, count, stride, map);
        if (!err && buftype)
            err = take_buftype(c, &section, bufcount, MPI_Type_f2c(*buftype));
        else if (!err)
            err = take_values(c, &section, elements_of(x.ndims, x.count), x.ndims, &made);
    }
    return pcdf_end(pcdf_index_free(&x, finish(c, function, made, err)));
}

/* ---- varn ---- */

/* Column i of an array of index vectors, in C's order. */
static void take_column(MPI_Offset *to, int ndims, const CFI_cdesc_t *array, int i, MPI_Offset base,
                        MPI_Offset missing)
{
    for (int k = 0; k < ndims; k++) {
        const char *at = (const char *)array->base_addr + k * array->dim[0].sm + i * array->dim[1].sm;
        bool is_there = k < array->dim[0].extent && i < array->dim[1].extent;
        to[ndims - 1 - k] = is_there ? *(const MPI_Offset *)at - base : missing;
    }
}

static int access_varn(c_function *function, struct call *c, const CFI_cdesc_t *values, int num,
                       const CFI_cdesc_t *start, const CFI_cdesc_t *count)
{
    pcdf_begin_f90();
    struct pcdf_section section = pcdf_section_of(values);
    struct pcdf_indexes x;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int err = NC_NOERR;
    c->is_varn = true;
    c->num = num;
    c->buftype = MPI_INT;
    c->bufcount = NC_COUNT_IGNORE;
    if (pcdf_indexes_room(&x, c->ncid, c->varid, num, count != NULL)) {
        err = check_extent(start, x.ndims, num, "start", NC_EINVALCOORDS);
        err = err ? err : check_extent(count, x.ndims, num, "count", NC_EEDGE);
        for (int i = 0; i < num; i++) {
            take_column(x.starts[i], x.ndims, start, i, 1, 0);
            if (count)
                take_column(x.counts[i], x.ndims, count, i, 0, 1);
        }
        c->starts = x.starts;
        c->counts = x.counts;
        if (!err)
            err = take_values(c, &section, elements_of_varn(&x, num), x.ndims, &made);
    } else if (num == 0 && section.type != MPI_DATATYPE_NULL) {
        c->buftype = section.type;
    }
    return pcdf_end(pcdf_indexes_free(&x, finish(c, function, made, err)));
}

/* ---- what Fortran calls ---- */

#define VALUES  const CFI_cdesc_t *values
#define VECTORS const CFI_cdesc_t *start, const CFI_cdesc_t *count

#define VAR(way, end, parameter, member)                                                                     \
    PCDF_FORTRAN_API int pcdf_f90_##way##_var##end(int ncid, int varid, VALUES parameter, VECTORS,           \
                                                   const CFI_cdesc_t *stride, const CFI_cdesc_t *map,        \
                                                   const MPI_Offset *bufcount, const MPI_Fint *buftype)      \
    {                                                                                                        \
        struct call c = { .ncid = ncid, .varid = varid - 1 member };                                         \
        return access_var(c_##way##end, &c, values, start, count, stride, map, bufcount, buftype);           \
    }                                                                                                        \
    PCDF_FORTRAN_API int pcdf_f90_##way##_varn##end(int ncid, int varid, VALUES parameter, int num, VECTORS) \
    {                                                                                                        \
        struct call c = { .ncid = ncid, .varid = varid - 1 member };                                         \
        return access_varn(c_##way##end, &c, values, num, start, count);                                     \
    }                                                                                                        \
    PCDF_FORTRAN_API int pcdf_f90_##way##_varn##end##_one(int ncid, int varid, VALUES parameter,             \
                                                          const CFI_cdesc_t *start)                          \
    {                                                                                                        \
        struct call c = { .ncid = ncid, .varid = varid - 1 member };                                         \
        return access_varn(c_##way##end, &c, values, 1, start, NULL);                                        \
    }

#define REQ_PARAMETER , int *req
#define REQ_MEMBER    , .req = req

VAR(put, , NO_REQ, NO_REQ)
VAR(put, _all, NO_REQ, NO_REQ)
VAR(get, , NO_REQ, NO_REQ)
VAR(get, _all, NO_REQ, NO_REQ)
VAR(iput, , REQ_PARAMETER, REQ_MEMBER)
VAR(iget, , REQ_PARAMETER, REQ_MEMBER)
VAR(bput, , REQ_PARAMETER, REQ_MEMBER)

#define VARD(way)                                                                                            \
    PCDF_FORTRAN_API int pcdf_f90_##way(int ncid, int varid, MPI_Fint filetype, const CFI_cdesc_t *buf,      \
                                        MPI_Offset bufcount, MPI_Fint buftype)                               \
    {                                                                                                        \
        pcdf_begin_f90();                                                                                    \
        return pcdf_end(ncmpi_##way(ncid, varid - 1, MPI_Type_f2c(filetype), buf->base_addr, bufcount,       \
                                    MPI_Type_f2c(buftype)));                                                 \
    }

VARD(put_vard)
VARD(put_vard_all)
VARD(get_vard)
VARD(get_vard_all)
