/* See request.h. */
#include "request.h"
#include <assert.h>
#include <string.h>
#include "alloc.h"
#include "cells.h"
#include "rules.h"
#include "status.h"
#include "varlayout.h"

_Static_assert(PCDF_FORM_VARS == PCDF_FORM_VARA + 1 && PCDF_FORM_VARM == PCDF_FORM_VARS + 1,
               "the forms with a count stand in a row");
_Static_assert(sizeof(struct pcdf_request) <= 80,
               "a pending request costs at most 80 bytes and its shape (posted.c)");

/* ---- Are start, count and stride inside the variable? ---- */

struct bounds {
    const struct pcdf_meta *meta;
    const struct pcdf_var *var;
    bool is_put;     /* the record dimension may grow */
    bool is_relaxed; /* start == length is legal for count 0 */
    /* The form has a count: NULL is NC_EEDGE. Otherwise NULL stands for ones. */
    bool needs_count;
    /* Records that a request may reach: those that exist, or the format's most. */
    int64_t record_limit;
};

/* Most hyperslabs have neither strides nor errors: one look at each number tells. *n: elements. */
static inline bool is_plainly_inside(const struct bounds *b, const struct pcdf_slab *slab, int64_t *n)
{
    int64_t product = 1;
    if (!slab->start || slab->stride || (b->needs_count && !slab->count))
        return false;
    for (int i = 0; i < b->var->ndims; i++) {
        int64_t start = slab->start[i], count = slab->count ? slab->count[i] : 1;
        int64_t limit =
            i == 0 && b->var->is_record ? b->record_limit : b->meta->dims[b->var->dimids[i]].length;
        if (start < 0 || start >= limit || count < 0 || count > limit - start ||
            __builtin_mul_overflow(product, count, &product))
            return false;
    }
    *n = product;
    return true;
}

static int check_start(const struct bounds *b, int dim, int64_t limit, int64_t start, int64_t count)
{
    if (dim == 0 && b->var->is_record && b->is_put) {
        if (start >= 0 && (b->meta->version == PCDF_CDF5 || start <= (int64_t)UINT32_MAX))
            return NC_NOERR;
        return PCDF_FAIL(NC_EINVALCOORDS, "variable %s, record %lld cannot be written", b->var->name,
                         pcdf_told_index(start));
    }
    if (start >= 0 && (start < limit || (start == limit && b->is_relaxed && count == 0)))
        return NC_NOERR;
    if (limit == 0) /* only the record dimension can be empty */
        return PCDF_FAIL(NC_EINVALCOORDS, "variable %s has no records yet: there is no record %lld",
                         b->var->name, pcdf_told_index(start));
    return PCDF_FAIL(NC_EINVALCOORDS, "variable %s, dimension %d: start %lld is outside %lld..%lld",
                     b->var->name, pcdf_told_dim(dim, b->var->ndims), pcdf_told_index(start),
                     pcdf_told_index(0), pcdf_told_index(limit - 1));
}

static int check_edge(const struct bounds *b, int dim, int64_t limit, int64_t start, int64_t count,
                      int64_t stride)
{
    int64_t end, last;
    if (count < 0)
        return PCDF_FAIL(NC_ENEGATIVECNT, "variable %s, dimension %d: count %lld", b->var->name,
                         pcdf_told_dim(dim, b->var->ndims), (long long)count);
    bool is_outside = __builtin_add_overflow(start, count, &end);
    if (count > 0 && stride > 0)
        is_outside |= __builtin_mul_overflow(count - 1, stride, &last) ||
                      __builtin_add_overflow(last, start, &last) || __builtin_add_overflow(last, 1, &end);
    is_outside |= end > limit;
    if (dim == 0 && b->var->is_record && b->is_put)
        return count == 0 || !is_outside
                   ? NC_NOERR
                   : PCDF_FAIL(NC_EINTOVERFLOW,
                               "variable %s: record %lld and %lld more are too many for the format",
                               b->var->name, pcdf_told_index(start), (long long)count);
    return is_outside
               ? PCDF_FAIL(NC_EEDGE,
                           "variable %s, dimension %d: start %lld, count %lld, stride %lld, length %lld",
                           b->var->name, pcdf_told_dim(dim, b->var->ndims), pcdf_told_index(start),
                           (long long)count, (long long)stride, (long long)limit)
               : NC_NOERR;
}

/* One past the highest index of a dimension that a request may reach. */
static int64_t limit_of(const struct bounds *b, int dim)
{
    return dim == 0 && b->var->is_record ? b->record_limit : b->meta->dims[b->var->dimids[dim]].length;
}

/* The order of errors is the API's (reference 4.5, 4.6): all coordinates, then count and edge of each
 * dimension, then strides. */
static int check_slab(const struct bounds *b, const struct pcdf_slab *slab)
{
    int ndims = b->var->ndims;
    if (!slab->start)
        return PCDF_FAIL(NC_EINVALCOORDS, "variable %s: start is NULL", b->var->name);
    for (int i = 0; i < ndims; i++)
        PCDF_TRY(check_start(b, i, limit_of(b, i), slab->start[i], slab->count ? slab->count[i] : 1));
    if (b->needs_count && !slab->count)
        return PCDF_FAIL(NC_EEDGE, "variable %s: count is NULL", b->var->name);
    for (int i = 0; i < ndims; i++)
        PCDF_TRY(check_edge(b, i, limit_of(b, i), slab->start[i], slab->count ? slab->count[i] : 1,
                            slab->stride ? slab->stride[i] : 1));
    for (int i = 0; slab->stride && i < ndims; i++)
        if (slab->stride[i] <= 0)
            return PCDF_FAIL(NC_ESTRIDE, "variable %s, dimension %d: stride %lld", b->var->name,
                             pcdf_told_dim(i, ndims), (long long)slab->stride[i]);
    return NC_NOERR;
}

/* The hyperslabs of a request. Adds their elements to r->nelems. */
static int check_slabs(struct pcdf_request *r, const struct bounds *b, bool is_whole_variable)
{
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, b->var->ndims, i);
        int64_t n = 1;
        bool is_too_many = false;
        if (!is_plainly_inside(b, &slab, &n)) {
            /* A scalar has one element, whatever the arrays say. */
            if (!is_whole_variable && b->var->ndims > 0)
                PCDF_TRY(check_slab(b, &slab));
            for (int k = 0; slab.count && k < b->var->ndims; k++)
                is_too_many |= __builtin_mul_overflow(n, (int64_t)slab.count[k], &n);
        }
        if (__builtin_add_overflow(r->nelems, n, &r->nelems) || is_too_many)
            r->nelems = INT64_MAX;
    }
    if (r->nelems > INT64_MAX / 16)
        return PCDF_FAIL(NC_EINTOVERFLOW, "variable %s: too many elements in one request", b->var->name);
    return NC_NOERR;
}

/* varn: what is wrong before any coordinate is looked at. */
static int check_list(const struct pcdf_var *var, const struct pcdf_access *access)
{
    if (var->ndims == 0 && access->num != 1)
        return PCDF_FAIL(NC_EINVAL, "scalar variable %s: %d hyperslabs", var->name, access->num);
    if (access->num < 0)
        return PCDF_FAIL(NC_EINVAL, "variable %s: %d hyperslabs", var->name, access->num);
    if (var->ndims > 0 && access->num > 0 && !access->starts)
        return PCDF_FAIL(NC_ENULLSTART, "variable %s: starts is NULL", var->name);
    for (int i = 0; var->ndims > 0 && i < access->num; i++)
        if (!access->starts[i])
            return PCDF_FAIL(NC_ENULLSTART, "variable %s: starts[%d] is NULL", var->name, pcdf_told_id(i));
    return NC_NOERR;
}

/* ---- Making ---- */

static int no_conversion(const struct pcdf_var *var, enum pcdf_mtype mtype)
{
    return PCDF_FAIL(NC_ECHAR, "variable %s is %s, the buffer is %s: text and numbers do not convert",
                     var->name, pcdf_type_name(var->type), pcdf_mtype_name(mtype));
}

/* Form var: all of the variable; of a record variable the records that exist. */
static int whole_variable(struct pcdf_request *r, const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    MPI_Offset *own = pcdf_calloc(2 * (size_t)var->ndims + 1, sizeof *own);
    int64_t *shape = pcdf_malloc(((size_t)var->ndims + 1) * sizeof *shape);
    if (!own || !shape) {
        pcdf_free(own);
        pcdf_free(shape);
        return NC_ENOMEM;
    }
    pcdf_var_shape(meta, var, shape);
    for (int i = 0; i < var->ndims; i++)
        own[var->ndims + i] = shape[i];
    pcdf_free(shape);
    r->slab = (struct pcdf_slab){ .start = own, .count = own + var->ndims };
    r->owns = true;
    return NC_NOERR;
}

/* A buffer of the flexible API, or one with an imap. The converter follows from the element type. */
static int describe_memory(struct pcdf_request *r, enum pcdf_version ranges, const struct pcdf_var *var,
                           const struct pcdf_access *access)
{
    struct pcdf_memory memory;
    enum pcdf_mtype mtype = access->mtype;
    int ndims = r->is_list ? 0 : var->ndims;
    const MPI_Offset *count = r->is_list ? NULL : r->slab.count;
    if (access->is_flexible)
        PCDF_TRY(pcdf_memory_describe_flexible(&memory, &mtype, access->buf, access->bufcount,
                                               access->buftype, var->type, r->nelems, ndims, count,
                                               access->imap));
    else
        PCDF_TRY(pcdf_memory_describe(&memory, access->buf, mtype, ndims, count, access->imap));
    bool is_dense;
    r->converter = pcdf_converter_of(ranges, var->type, mtype);
    r->base = pcdf_memory_dense(&memory, 0, r->nelems, &is_dense);
    r->spread = is_dense ? NULL : pcdf_malloc(sizeof *r->spread);
    if (r->spread)
        *r->spread = memory;
    else
        pcdf_memory_free(&memory);
    if (!is_dense && !r->spread)
        return NC_ENOMEM;
    return r->converter ? NC_NOERR : no_conversion(var, mtype);
}

/* What a request needs that is more than one plain hyperslab and dense memory of a C type. */
static int make_general(struct pcdf_request *r, const struct bounds *b, const struct pcdf_access *access)
{
    bool is_whole_variable = access->form == PCDF_FORM_VAR;
    if (access->form == PCDF_FORM_VARN) {
        PCDF_TRY(check_list(b->var, access));
        r->is_list = b->var->ndims > 0;
    }
    if (r->is_list) {
        r->num = access->num;
        r->list.starts = access->starts;
        r->list.counts = access->counts;
        r->list.flat = NULL;
    }
    if (is_whole_variable)
        PCDF_TRY(whole_variable(r, b->meta, b->var));
    PCDF_TRY(check_slabs(r, b, is_whole_variable));
    if (access->is_flexible && access->bufcount == 0 && access->buftype != MPI_DATATYPE_NULL &&
        access->mode != PCDF_CALL_COLLECTIVE) {
        /* reference 4.3: only a collective call insists on a buffer for what it asks */
        r->converter = pcdf_converter_of(b->meta->ranges, b->var->type, pcdf_mtype_of(b->var->type));
        r->nelems = 0;
        r->num = 0;
        return NC_NOERR;
    }
    return access->is_flexible || access->imap ? describe_memory(r, b->meta->ranges, b->var, access)
                                               : NC_NOERR;
}

/* Not only null itself: an element inside a datatype lies some bytes behind it. Absolute addresses, which go
 * with MPI_BOTTOM, are never in the first page, which no system maps. */
static bool has_buffer(const struct pcdf_request *r)
{
    enum { FIRST_PAGE = 4096 };
    uintptr_t first = (uintptr_t)(r->spread ? r->spread->base : r->base);
    if (r->spread && r->spread->type)
        first += (uintptr_t)pcdf_typemap_run(&r->spread->type->tree, &r->spread->type->root, 0).at;
    return first >= FIRST_PAGE;
}

/* The memory of a put knows that its values are rounded, and which one is not. */
static int quantize(struct pcdf_request *r, const struct pcdf_var *var)
{
    if (!r->spread) {
        struct pcdf_memory dense;
        PCDF_TRY(pcdf_memory_describe(&dense, r->base, (enum pcdf_mtype)r->converter->mtype, 0, NULL, NULL));
        r->spread = pcdf_malloc(sizeof *r->spread);
        if (!r->spread)
            return PCDF_FAIL(NC_ENOMEM, "variable %s: no memory for a put", var->name);
        *r->spread = dense;
    }
    r->spread->quantize = var->quantize;
    pcdf_var_fill(var, true, r->spread->fill);
    return NC_NOERR;
}

/* What few variables need: the converter that was chosen is one for the byte order of classic files; puts are
 * quantized. */
static __attribute__((noinline)) int complete(struct pcdf_request *r, const struct pcdf_cells *cells,
                                              const struct pcdf_var *var)
{
    if (cells && pcdf_cells_is_native(cells, r->varid))
        r->converter = pcdf_converter_native(r->converter);
    return var->quantize.mode && r->dir == PCDF_PUT && r->nelems > 0 ? quantize(r, var) : NC_NOERR;
}

int pcdf_request_make(struct pcdf_request *r, const struct pcdf_request_context *context, int varid,
                      const struct pcdf_access *access)
{
    const struct pcdf_meta *meta = context->meta;
    enum pcdf_mtype mtype = access->mtype;
    memset(r, 0, sizeof *r);
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is not a variable");
    if (varid < 0 || varid >= meta->nvars)
        return PCDF_FAIL(NC_ENOTVAR, "variable id %d: the file has %d variables", pcdf_told_id(varid),
                         meta->nvars);
    const struct pcdf_var *var = &meta->vars[varid];
    /* With a bufcount of NC_COUNT_IGNORE a predefined type makes a flexible call a typed one, also in what is
     * checked first: so the Fortran 90 interface gets the codes of the functions with a type in their names.
     * Its requests of nothing have the smallest bufcount there is (bindings/fortran/f90access.c), and are
     * checked alike. */
    if (access->is_flexible)
        mtype = access->bufcount == PCDF_COUNT_IGNORE || access->bufcount == INT64_MIN
                    ? pcdf_memtype_predefined(access->buftype)
                    : PCDF_M_TYPES;
    const struct pcdf_converter *converter = pcdf_converter_of(meta->ranges, var->type, mtype);
    if (!converter && mtype != PCDF_M_TYPES)
        return no_conversion(var, mtype);
    if (context->lacks_buffer)
        return PCDF_FAIL(NC_ENULLABUF, "variable %s: bput needs an attached buffer", var->name);
    const struct bounds bounds = { .meta = meta,
                                   .var = var,
                                   .is_put = access->dir == PCDF_PUT,
                                   .is_relaxed = context->is_relaxed,
                                   .needs_count =
                                       access->form >= PCDF_FORM_VARA && access->form <= PCDF_FORM_VARM,
                                   .record_limit = var->is_record && access->dir == PCDF_PUT
                                                       ? pcdf_rules_max_count(meta->version)
                                                       : meta->numrecs };
    r->slab = (struct pcdf_slab){ access->start, access->count, access->stride };
    r->base = access->buf;
    r->converter = access->is_flexible ? NULL : converter;
    r->varid = varid;
    r->num = 1;
    r->dir = access->dir == PCDF_GET;
    if (!access->is_flexible && !access->imap && is_plainly_inside(&bounds, &r->slab, &r->nelems) &&
        r->nelems <= INT64_MAX / 16 && (r->base || r->nelems == 0)) {
        return context->cells || var->quantize.mode ? complete(r, context->cells, var) : NC_NOERR;
    }
    r->nelems = 0;
    int err = make_general(r, &bounds, access);
    if (!err && r->nelems > 0 && !has_buffer(r))
        err = PCDF_FAIL(NC_EINVAL, "variable %s: %lld values, but the buffer is NULL", var->name,
                        (long long)r->nelems);
    if (!err)
        err = complete(r, context->cells, var);
    if (err) {
        pcdf_request_free(r);
        memset(r, 0, sizeof *r);
    }
    return err;
}

void pcdf_request_free(struct pcdf_request *r)
{
    if (r->spread)
        pcdf_memory_free(r->spread);
    pcdf_free(r->spread);
    if (r->owns) /* one block, and this is where it begins */
        pcdf_free((void *)(uintptr_t)(r->is_list ? r->list.flat : r->slab.start));
    r->spread = NULL;
    r->owns = false;
}

/* ---- Keeping ---- */

size_t pcdf_request_shape_bytes(const struct pcdf_request *r, int ndims)
{
    size_t arrays = r->is_list ? 2 * (size_t)r->num : r->slab.stride ? 3 : 2;
    return arrays * (size_t)ndims * sizeof(MPI_Offset);
}

/* Start, count, stride of each hyperslab, one after the other. A missing count stands for ones. */
void pcdf_request_keep_at(struct pcdf_request *r, int ndims, MPI_Offset *room)
{
    MPI_Offset *restrict to = room;
    for (int i = 0; i < r->num; i++, to += 2 * ndims) {
        struct pcdf_slab slab = pcdf_request_slab(r, ndims, i);
        memcpy(to, slab.start, (size_t)ndims * sizeof *to);
        if (slab.count)
            memcpy(to + ndims, slab.count, (size_t)ndims * sizeof *to);
        for (int k = 0; !slab.count && k < ndims; k++)
            to[ndims + k] = 1;
        if (slab.stride)
            memcpy(to + 2 * ndims, slab.stride, (size_t)ndims * sizeof *to);
    }
    r->owns = false;
    if (r->is_list)
        r->list.flat = room;
    else
        r->slab = (struct pcdf_slab){ room, room + ndims, r->slab.stride ? room + 2 * ndims : NULL };
}

/* ---- Moving ---- */

void pcdf_request_pack_now(struct pcdf_request *r, struct pcdf_packing *packing, unsigned char *bytes)
{
    if (pcdf_request_pack(r, packing->fill, 0, r->nelems, false, bytes))
        pcdf_misfits_count(&packing->misfits, 0, r, 0, r->nelems, NULL);
    if (r->spread)
        pcdf_memory_free(r->spread);
    pcdf_free(r->spread);
    r->spread = NULL;
    r->base = (char *)bytes;
    r->is_external = true;
}

/* Does the row of chunks of a record not end within 63 bits? */
static bool is_beyond_cells(const struct pcdf_var_layout *layout, int64_t record)
{
    const struct pcdf_cells_var *v = &layout->cells->x[layout->varid];
    int64_t number, row = record / v->chunk[0];
    return __builtin_mul_overflow(row, v->nchunks, &number) ||
           __builtin_add_overflow(number, v->nchunks - 1, &number) ||
           pcdf_cells_at(layout->cells, layout->varid, number) < 0;
}

int pcdf_request_reach(const struct pcdf_request *r, const struct pcdf_var_layout *layout, int64_t *numrecs)
{
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, i);
        int64_t stride = slab.stride ? slab.stride[0] : 1, count = slab.count ? slab.count[0] : 1, end;
        if (pcdf_slab_elements(&slab, layout->ndims) == 0)
            continue;
        int64_t last = slab.start[0] + (count - 1) * stride + 1;
        bool is_beyond = layout->cells ? is_beyond_cells(layout, last - 1)
                                       : __builtin_mul_overflow(last, layout->step[0], &end) ||
                                             __builtin_add_overflow(end, layout->begin, &end);
        if (is_beyond)
            return PCDF_FAIL(NC_EINTOVERFLOW, "variable %d: record %lld would not end within 63 bits",
                             pcdf_told_id(layout->varid), pcdf_told_index(last - 1));
        if (r->dir == PCDF_PUT && last > *numrecs)
            *numrecs = last;
    }
    return NC_NOERR;
}

/* Dense memory, the usual, needs no description: the converter takes it as it is. */
bool pcdf_request_pack(struct pcdf_request *r, const unsigned char *fill, int64_t first, int64_t n,
                       bool streams, unsigned char *file)
{
    const struct pcdf_converter *k = r->converter;
    bool out_of_range = false;
    if (r->is_external)
        memcpy(file, r->base + first * k->xsize, (size_t)(n * k->xsize));
    else if (r->spread)
        out_of_range = pcdf_memory_pack(r->spread, k, fill, first, n, file);
    else if (!streams || !pcdf_convert_stream(k, file, r->base + first * k->size, (size_t)n))
        out_of_range = k->put(file, r->base + first * k->size, 1, (size_t)n, fill);
    r->out_of_range |= out_of_range;
    return out_of_range;
}

bool pcdf_request_unpack(struct pcdf_request *r, int64_t first, int64_t n, const unsigned char *file)
{
    const struct pcdf_converter *k = r->converter;
    bool out_of_range = r->spread ? pcdf_memory_unpack(r->spread, k, first, n, file)
                                  : k->get(r->base + first * k->size, 1, file, (size_t)n);
    r->out_of_range |= out_of_range;
    return out_of_range;
}
