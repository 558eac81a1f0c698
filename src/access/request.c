/* See request.h. */
#include <string.h>
#include "alloc.h"
#include "bounds.h"
#include "request.h"
#include "rules.h"
#include "status.h"

_Static_assert(sizeof(struct pcdf_request) <= 80,
               "a pending request costs at most 80 bytes and its shape (queue.c)");

/* ---- making */

static int no_conversion(const struct pcdf_var *var, enum pcdf_mtype mtype)
{
    return PCDF_FAIL(NC_ECHAR, "variable %s is %s, the buffer is %s: text and numbers do not convert",
                     var->name, pcdf_type_name(var->type), pcdf_mtype_name(mtype));
}

static int find_var(const struct pcdf_meta *meta, int varid, const struct pcdf_var **var)
{
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is not a variable");
    if (varid < 0 || varid >= meta->nvars)
        return PCDF_FAIL(NC_ENOTVAR, "variable id %d: the file has %d variables", pcdf_told_id(varid),
                         meta->nvars);
    *var = &meta->vars[varid];
    return NC_NOERR;
}

/* varn: what is wrong before any coordinate is looked at. */
static int check_list(const struct pcdf_var *var, const struct pcdf_access *access)
{
    if (var->ndims == 0)
        return access->num == 1
                   ? NC_NOERR
                   : PCDF_FAIL(NC_EINVAL, "scalar variable %s: %d hyperslabs", var->name, access->num);
    if (access->num < 0)
        return PCDF_FAIL(NC_EINVAL, "variable %s: %d hyperslabs", var->name, access->num);
    if (access->num > 0 && !access->starts)
        return PCDF_FAIL(NC_ENULLSTART, "variable %s: starts is NULL", var->name);
    for (int i = 0; i < access->num; i++)
        if (!access->starts[i])
            return PCDF_FAIL(NC_ENULLSTART, "variable %s: starts[%d] is NULL", var->name, pcdf_told_id(i));
    return NC_NOERR;
}

static int check_slabs(struct pcdf_request *r, const struct pcdf_request_context *context,
                       const struct pcdf_var *var, const struct pcdf_access *access)
{
    struct pcdf_bounds bounds = { .meta = context->meta,
                                  .var = var,
                                  .writing = access->dir == PCDF_PUT,
                                  .relaxed = context->relaxed,
                                  .needs_count = access->form == PCDF_FORM_VARA ||
                                                 access->form == PCDF_FORM_VARS ||
                                                 access->form == PCDF_FORM_VARM };
    if (access->form == PCDF_FORM_VARN)
        PCDF_TRY(check_list(var, access));
    pcdf_bounds_begin(&bounds);
    if (access->form == PCDF_FORM_VAR)
        r->nelems = pcdf_bounds_add(0, var->ndims, r->slab.count);
    else
        for (int i = 0; i < r->num; i++) {
            struct pcdf_slab slab = pcdf_request_slab(r, var->ndims, i);
            PCDF_TRY(pcdf_bounds_check(&bounds, &slab, &r->nelems));
        }
    return r->nelems > INT64_MAX / 16
               ? PCDF_FAIL(NC_EINTOVERFLOW, "variable %s: too many elements in one request", var->name)
               : NC_NOERR;
}

/* Form var: everything, of a record variable the records that exist. */
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

/* Flexible, or not dense. The kernel follows from the element type. */
static int describe_spread(struct pcdf_request *r, const struct pcdf_request_context *context,
                           const struct pcdf_var *var, const struct pcdf_access *access)
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
        PCDF_TRY(pcdf_memory_describe(&memory, access->buf, mtype, var->type, ndims, count, access->imap));
    bool is_dense;
    r->mtype = (uint8_t)mtype;
    r->kernels = pcdf_kernels_of(context->meta->version, var->type, mtype);
    r->base = pcdf_memory_dense(&memory, 0, r->nelems, &is_dense);
    r->spread = is_dense ? NULL : pcdf_malloc(sizeof *r->spread);
    if (r->spread)
        *r->spread = memory;
    else
        pcdf_memory_free(&memory);
    if (!is_dense && !r->spread)
        return NC_ENOMEM;
    return r->kernels ? NC_NOERR : no_conversion(var, mtype);
}

static int describe_memory(struct pcdf_request *r, const struct pcdf_request_context *context,
                           const struct pcdf_var *var, const struct pcdf_access *access)
{
    bool is_nothing = access->is_flexible && access->bufcount == 0 && access->buftype != MPI_DATATYPE_NULL &&
                      access->how != PCDF_HOW_TOGETHER;
    if (is_nothing) { /* reference 4.3: only a collective call insists on a buffer for what it asks */
        r->nelems = 0;
        r->num = 0;
        return NC_NOERR;
    }
    return access->is_flexible || access->imap ? describe_spread(r, context, var, access) : NC_NOERR;
}

static int fill_in(struct pcdf_request *r, const struct pcdf_request_context *context,
                   const struct pcdf_var *var, const struct pcdf_access *access)
{
    if (access->form == PCDF_FORM_VAR)
        PCDF_TRY(whole_variable(r, context->meta, var));
    PCDF_TRY(check_slabs(r, context, var, access));
    return describe_memory(r, context, var, access);
}

/* With a bufcount of NC_COUNT_IGNORE a predefined type makes a flexible call a typed one, also in what is
 * checked first: so the Fortran 90 interface gets the codes of the functions with a type in their names. Its
 * requests of nothing have the smallest bufcount there is (fortran/f90access.c), and are checked alike. */
static int check_as_typed(enum pcdf_version version, const struct pcdf_var *var, MPI_Datatype buftype)
{
    enum pcdf_mtype mtype = pcdf_memtype_predefined(buftype);
    return mtype == PCDF_M_TYPES || pcdf_kernels_of(version, var->type, mtype) ? NC_NOERR
                                                                               : no_conversion(var, mtype);
}

/* What most calls ask for: one hyperslab without strides, inside the variable, to or from dense memory of a C
 * type. false: not that, or not right. */
static bool is_plain(const struct pcdf_request_context *context, const struct pcdf_var *var,
                     const struct pcdf_access *access, int64_t *nelems)
{
    const struct pcdf_meta *meta = context->meta;
    int64_t n = 1;
    if (access->is_flexible || access->stride || access->imap || !access->start ||
        (access->count ? access->form == PCDF_FORM_VARN : access->form != PCDF_FORM_VAR1))
        return false;
    for (int i = 0; i < var->ndims; i++) {
        int64_t start = access->start[i], count = access->count ? access->count[i] : 1;
        int64_t limit = meta->dims[var->dimids[i]].length;
        if (i == 0 && var->is_record)
            limit = access->dir == PCDF_PUT ? pcdf_rules_max_numrecs(meta->version) : meta->numrecs;
        if (start < 0 || start >= limit || count < 0 || count > limit - start ||
            __builtin_mul_overflow(n, count, &n))
            return false;
    }
    *nelems = n;
    return n <= INT64_MAX / 16;
}

int pcdf_request_make(struct pcdf_request *r, const struct pcdf_request_context *context, int varid,
                      const struct pcdf_access *access)
{
    const struct pcdf_var *var = NULL;
    const struct pcdf_kernels *kernels = NULL;
    memset(r, 0, sizeof *r);
    PCDF_TRY(find_var(context->meta, varid, &var));
    if (!access->is_flexible)
        kernels = pcdf_kernels_of(context->meta->version, var->type, access->mtype);
    if (!access->is_flexible && !kernels)
        return no_conversion(var, access->mtype);
    if (access->is_flexible && (access->bufcount == PCDF_COUNT_IGNORE || access->bufcount == INT64_MIN))
        PCDF_TRY(check_as_typed(context->meta->version, var, access->buftype));
    if (context->lacks_buffer)
        return PCDF_FAIL(NC_ENULLABUF, "variable %s: bput needs an attached buffer", var->name);
    r->slab = (struct pcdf_slab){ access->start, access->count, access->stride };
    r->base = access->buf;
    r->kernels = kernels;
    r->varid = varid;
    r->num = 1;
    r->mtype = (uint8_t)access->mtype;
    r->dir = access->dir == PCDF_GET;
    if (is_plain(context, var, access, &r->nelems))
        return NC_NOERR;
    r->is_list = access->form == PCDF_FORM_VARN && var->ndims > 0;
    if (r->is_list) {
        r->num = access->num;
        r->list.starts = access->starts;
        r->list.counts = access->counts;
        r->list.flat = NULL;
    }
    int err = fill_in(r, context, var, access);
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

/* ---- keeping */

/* Start, count, stride of a hyperslab, one after the other; a count that is missing stands for ones. */
static inline void copy_slab(MPI_Offset *restrict to, const struct pcdf_slab *slab, int ndims)
{
    MPI_Offset *counts = to + ndims;
    for (int i = 0; slab->count && i < ndims; i++) {
        to[i] = slab->start[i];
        counts[i] = slab->count[i];
    }
    for (int i = 0; !slab->count && i < ndims; i++) {
        to[i] = slab->start[i];
        counts[i] = 1;
    }
    for (int i = 0; slab->stride && i < ndims; i++)
        to[2 * ndims + i] = slab->stride[i];
}

size_t pcdf_request_shape_bytes(const struct pcdf_request *r, int ndims)
{
    size_t arrays = r->is_list ? 2 * (size_t)r->num : r->slab.stride ? 3 : 2;
    return arrays * (size_t)ndims * sizeof(MPI_Offset);
}

static void keep_list(struct pcdf_request *r, int ndims, MPI_Offset *own)
{
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, ndims, i);
        copy_slab(own + (int64_t)2 * ndims * i, &slab, ndims);
    }
    r->list.flat = own;
}

void pcdf_request_keep_at(struct pcdf_request *r, int ndims, MPI_Offset *own)
{
    r->owns = false;
    if (r->is_list) {
        keep_list(r, ndims, own);
        return;
    }
    copy_slab(own, &r->slab, ndims);
    r->slab = (struct pcdf_slab){ own, own + ndims, r->slab.stride ? own + 2 * ndims : NULL };
}

int pcdf_request_keep(struct pcdf_request *r, int ndims)
{
    size_t bytes = pcdf_request_shape_bytes(r, ndims);
    if (r->owns || bytes == 0) /* form var: copied already */
        return NC_NOERR;
    MPI_Offset *own = pcdf_malloc(bytes);
    if (!own)
        return PCDF_FAIL(NC_ENOMEM, "no memory to keep a request of %d hyperslabs", r->num);
    pcdf_request_keep_at(r, ndims, own);
    r->owns = true;
    return NC_NOERR;
}

/* ---- moving */

bool pcdf_request_converts(const struct pcdf_request *r, nc_type xtype)
{
    return r->mtype != (uint8_t)pcdf_mtype_of(xtype);
}

void pcdf_request_pack_now(struct pcdf_request *r, const struct pcdf_var_layout *place, unsigned char *bytes)
{
    pcdf_request_pack(r, place, 0, r->nelems, bytes);
    if (r->spread)
        pcdf_memory_free(r->spread);
    pcdf_free(r->spread);
    r->spread = NULL;
    r->base = (char *)bytes;
    r->is_external = true;
}

int pcdf_request_reach(const struct pcdf_request *r, const struct pcdf_var_layout *place, bool is_record,
                       int64_t *numrecs)
{
    for (int i = 0; is_record && i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, place->ndims, i);
        int64_t stride = slab.stride ? slab.stride[0] : 1, count = slab.count ? slab.count[0] : 1, end;
        if (pcdf_slab_elements(&slab, place->ndims) == 0)
            continue;
        int64_t last = slab.start[0] + (count - 1) * stride + 1;
        if (__builtin_mul_overflow(last, place->step[0], &end) ||
            __builtin_add_overflow(end, place->begin, &end))
            return PCDF_FAIL(NC_EINTOVERFLOW, "variable %d: record %lld would not end within 63 bits",
                             pcdf_told_id(place->varid), pcdf_told_index(last - 1));
        if (r->dir == PCDF_PUT && last > *numrecs)
            *numrecs = last;
    }
    return NC_NOERR;
}

/* Dense memory, the usual, needs no description: the kernel takes it as it is. */
void pcdf_request_pack(struct pcdf_request *r, const struct pcdf_var_layout *place, int64_t first, int64_t n,
                       unsigned char *file)
{
    if (r->is_external)
        memcpy(file, r->base + first * place->xsize, (size_t)(n * place->xsize));
    else if (r->spread)
        r->out_of_range |= pcdf_memory_pack(r->spread, r->kernels, place->fill, first, n, file);
    else
        r->out_of_range |=
            r->kernels->put(file, r->base + first * (int64_t)r->kernels->size, 1, (size_t)n, place->fill);
}

void pcdf_request_unpack(struct pcdf_request *r, int64_t first, int64_t n, const unsigned char *file)
{
    if (r->spread)
        r->out_of_range |= pcdf_memory_unpack(r->spread, r->kernels, first, n, file);
    else
        r->out_of_range |= r->kernels->get(r->base + first * (int64_t)r->kernels->size, 1, file, (size_t)n);
}
