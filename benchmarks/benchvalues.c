#include "benchvalues.h"

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "bench.h"
#include "meaningvalues.h"
#include "value.h"

/* --- values
 * ------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void one_value(nc_type type, uint64_t hash, void *to)
{
    float f = (float)((int64_t)(hash >> 40) - (1 << 23));            /* 24 bits */
    double d = (double)((int64_t)(hash >> 11) - (INT64_C(1) << 52)); /* 53 bits */
    uint8_t byte = (uint8_t)(type == NC_CHAR ? ' ' + hash % 95 : hash);
    uint16_t two = (uint16_t)hash;
    uint32_t four = (uint32_t)hash;
    switch (type) {
    case NC_FLOAT:
        memcpy(to, &f, sizeof f);
        break;
    case NC_DOUBLE:
        memcpy(to, &d, sizeof d);
        break;
    case NC_SHORT:
    case NC_USHORT:
        memcpy(to, &two, sizeof two);
        break;
    case NC_INT:
    case NC_UINT:
        memcpy(to, &four, sizeof four);
        break;
    case NC_INT64:
    case NC_UINT64:
        memcpy(to, &hash, sizeof hash);
        break;
    default:
        memcpy(to, &byte, sizeof byte);
    }
}

void values_native(const unsigned char *external, int size, int64_t n, void *native)
{
    memcpy(native, external, (size_t)n * (size_t)size);
    pcdf_values_swap(native, n, size);
}

/* --- walking pieces
 * ----------------------------------------------------------------------------------------- */

struct walk {
    const struct pcdf_var *var;
    int size;
    uint64_t seed;
    char fill[8];
    char *at;           /* make: where the next value goes */
    const char *expect; /* compare: what is there; NULL when making */
    int64_t wrong, first;
};

static void walk_row(struct walk *w, int64_t index, int64_t n, bool fill)
{
    for (int64_t i = 0; i < n; i++) {
        char value[8];
        if (fill)
            memcpy(value, w->fill, sizeof value);
        else
            one_value(w->var->type, mix(w->seed + (uint64_t)(index + i)), value);
        if (!w->expect) {
            memcpy(w->at, value, (size_t)w->size);
            w->at += w->size;
        } else {
            if (memcmp(w->expect, value, (size_t)w->size) != 0 && w->wrong++ == 0)
                w->first = index + i;
            w->expect += w->size;
        }
    }
}

static void walk_piece(struct walk *w, const struct decomp *d, const MPI_Offset *start,
                       const MPI_Offset *count, bool fill)
{
    int64_t at[WORKLOAD_MAX_DIMS] = { 0 };
    int last = d->ndims - 1;
    if (last < 0) {
        walk_row(w, 0, 1, fill);
        return;
    }
    for (;;) {
        int64_t index = 0;
        for (int i = 0; i <= last; i++)
            index = index * d->dims[i] + start[i] + at[i];
        walk_row(w, index, count[last], fill);
        int i = last - 1;
        while (i >= 0 && ++at[i] == count[i])
            at[i--] = 0;
        if (i < 0)
            return;
    }
}

static void walk_all(struct walk *w, const struct pcdf_meta *meta, const struct decomp *d,
                     const struct pieces *p, int varid, int64_t record)
{
    w->var = &meta->vars[varid];
    w->size = pcdf_type_size(w->var->type);
    w->seed = mix((uint64_t)varid << 32 ^ (uint64_t)record);
    unsigned char fill[8];
    pcdf_meaning_fill(w->var, fill);
    values_native(fill, w->size, 1, w->fill);
    for (size_t i = 0; i < p->n; i++)
        walk_piece(w, d, p->starts[0][i], p->counts[0][i], i >= p->nreal);
}

void values_make(const struct pcdf_meta *meta, const struct decomp *d, const struct pieces *p, int varid,
                 int64_t record, void *buffer)
{
    struct walk w = { .at = buffer };
    walk_all(&w, meta, d, p, varid, record);
}

int64_t values_wrong(const struct pcdf_meta *meta, const struct decomp *d, const struct pieces *p, int varid,
                     int64_t record, const void *buffer, int64_t *first)
{
    struct walk w = { .expect = buffer };
    walk_all(&w, meta, d, p, varid, record);
    *first = w.first;
    return w.wrong;
}

/* --- typed calls
 * -------------------------------------------------------------------------------------------- */

#define NUMBER_TYPES(X)                                                                                      \
    X(NC_BYTE, signed char, schar)                                                                           \
    X(NC_SHORT, short, short)                                                                                \
    X(NC_INT, int, int)                                                                                      \
    X(NC_FLOAT, float, float)                                                                                \
    X(NC_DOUBLE, double, double)                                                                             \
    X(NC_UBYTE, unsigned char, uchar)                                                                        \
    X(NC_USHORT, unsigned short, ushort)                                                                     \
    X(NC_UINT, unsigned int, uint)                                                                           \
    X(NC_INT64, long long, longlong)                                                                         \
    X(NC_UINT64, unsigned long long, ulonglong)
#define TYPES(X) X(NC_CHAR, char, text) NUMBER_TYPES(X)

int values_put_all(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                   const void *buffer)
{
    static const MPI_Offset zeros[WORKLOAD_MAX_DIMS + 1];
    const MPI_Offset *start = p->n ? p->starts[is_record][0] : zeros,
                     *count = p->n ? p->counts[is_record][0] : zeros;
    switch (type) {
#define PUT(nc, T, name)                                                                                     \
    case nc:                                                                                                 \
        return one_piece ? ncmpi_put_vara_##name##_all(ncid, varid, start, count, (const T *)buffer)         \
                         : ncmpi_put_varn_##name##_all(ncid, varid, (int)p->n, p->starts[is_record],         \
                                                       p->counts[is_record], (const T *)buffer);
        TYPES(PUT)
    default:
        return NC_EBADTYPE;
    }
}

int values_get_all(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                   void *buffer)
{
    static const MPI_Offset zeros[WORKLOAD_MAX_DIMS + 1];
    const MPI_Offset *start = p->n ? p->starts[is_record][0] : zeros,
                     *count = p->n ? p->counts[is_record][0] : zeros;
    switch (type) {
#define GET(nc, T, name)                                                                                     \
    case nc:                                                                                                 \
        return one_piece ? ncmpi_get_vara_##name##_all(ncid, varid, start, count, (T *)buffer)               \
                         : ncmpi_get_varn_##name##_all(ncid, varid, (int)p->n, p->starts[is_record],         \
                                                       p->counts[is_record], (T *)buffer);
        TYPES(GET)
    default:
        return NC_EBADTYPE;
    }
}

int values_post_put(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                    const void *buffer)
{
    if (p->n == 0)
        return NC_NOERR;
    MPI_Offset **starts = p->starts[is_record], **counts = p->counts[is_record];
    switch (type) {
#define POST_PUT(nc, T, name)                                                                                \
    case nc:                                                                                                 \
        return one_piece                                                                                     \
                   ? ncmpi_iput_vara_##name(ncid, varid, starts[0], counts[0], (const T *)buffer, NULL)      \
                   : ncmpi_iput_varn_##name(ncid, varid, (int)p->n, starts, counts, (const T *)buffer,       \
                                            NULL);
        TYPES(POST_PUT)
    default:
        return NC_EBADTYPE;
    }
}

int values_post_get(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                    void *buffer)
{
    if (p->n == 0)
        return NC_NOERR;
    MPI_Offset **starts = p->starts[is_record], **counts = p->counts[is_record];
    switch (type) {
#define POST_GET(nc, T, name)                                                                                \
    case nc:                                                                                                 \
        return one_piece                                                                                     \
                   ? ncmpi_iget_vara_##name(ncid, varid, starts[0], counts[0], (T *)buffer, NULL)            \
                   : ncmpi_iget_varn_##name(ncid, varid, (int)p->n, starts, counts, (T *)buffer, NULL);
        TYPES(POST_GET)
    default:
        return NC_EBADTYPE;
    }
}

int values_put_scalar(int ncid, int varid, nc_type type, const void *buffer)
{
    static const MPI_Offset none[1];
    switch (type) {
#define PUT_SCALAR(nc, T, name)                                                                              \
    case nc:                                                                                                 \
        return ncmpi_put_vara_##name(ncid, varid, none, none, (const T *)buffer);
        TYPES(PUT_SCALAR)
    default:
        return NC_EBADTYPE;
    }
}

int values_get_scalar(int ncid, int varid, nc_type type, void *buffer)
{
    static const MPI_Offset none[1];
    switch (type) {
#define GET_SCALAR(nc, T, name)                                                                              \
    case nc:                                                                                                 \
        return ncmpi_get_vara_##name(ncid, varid, none, none, (T *)buffer);
        TYPES(GET_SCALAR)
    default:
        return NC_EBADTYPE;
    }
}

int values_put_att(int ncid, int varid, const struct pcdf_att *att)
{
    int size = pcdf_type_size(att->type), err = NC_EBADTYPE;
    void *native = bench_alloc((size_t)att->nelems, (size_t)size);
    values_native(att->values, size, att->nelems, native);
    switch (att->type) {
#define PUT_ATT(nc, T, suffix)                                                                               \
    case nc:                                                                                                 \
        err = ncmpi_put_att_##suffix(ncid, varid, att->name, nc, att->nelems, (const T *)native);            \
        break;
        NUMBER_TYPES(PUT_ATT)
    default:
        err = ncmpi_put_att_text(ncid, varid, att->name, att->nelems, native);
    }
    free(native);
    return err;
}

bool values_att_equal(int ncid, int varid, const struct pcdf_att *att)
{
    nc_type type;
    MPI_Offset n;
    if (ncmpi_inq_att(ncid, varid, att->name, &type, &n) != NC_NOERR || type != att->type || n != att->nelems)
        return false;
    size_t bytes = (size_t)n * (size_t)pcdf_type_size(type);
    void *native = bench_alloc(bytes, 1), *got = bench_alloc(bytes, 1);
    values_native(att->values, pcdf_type_size(type), n, native);
    int err = NC_EBADTYPE;
    switch (type) {
#define GET_ATT(nc, T, suffix)                                                                               \
    case nc:                                                                                                 \
        err = ncmpi_get_att_##suffix(ncid, varid, att->name, (T *)got);                                      \
        break;
        TYPES(GET_ATT)
    default:
        break;
    }
    bool equal = err == NC_NOERR && memcmp(native, got, bytes) == 0;
    free(native);
    free(got);
    return equal;
}
