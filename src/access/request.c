/* See request.h. */
#include <string.h>
#include "alloc.h"
#include "bounds.h"
#include "request.h"
#include "status.h"

struct pcdf_slab pcdf_request_slab(const struct pcdf_request *r, int i)
{
    if (!r->starts)
        return r->slab;
    return (struct pcdf_slab){ .start = r->starts[i], .count = r->counts ? r->counts[i] : NULL };
}

static int find_var(const struct pcdf_meta *meta, int varid, const struct pcdf_var **var)
{
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is not a variable");
    if (varid < 0 || varid >= meta->nvars)
        return PCDF_FAIL(NC_ENOTVAR, "variable id %d: the file has %d variables", varid, meta->nvars);
    *var = &meta->vars[varid];
    return NC_NOERR;
}

/* Bytes between neighbours in each dimension. SPEC: Notes on Computing File Offsets (product vector). */
static void file_steps(const struct pcdf_var *var, const int64_t *shape, int64_t recsize, int64_t *step)
{
    int64_t bytes = pcdf_type_size(var->type);
    for (int i = var->ndims - 1; i >= 0; i--) {
        step[i] = bytes;
        if (i > 0)
            bytes *= shape[i] > 0 ? shape[i] : 1;
    }
    if (var->is_record)
        step[0] = recsize;
}

/* The variable's _FillValue where it is one value of the variable's type, else the type's default. */
static void fill_value(const struct pcdf_var *var, unsigned char fill[8])
{
    int id = pcdf_atts_find(&var->atts, "_FillValue");
    const struct pcdf_att *att = id >= 0 ? &var->atts.x[id] : NULL;
    bool usable = att && att->type == var->type && att->nelems == 1;
    memcpy(fill, usable ? att->values : pcdf_type_fill(var->type), (size_t)pcdf_type_size(var->type));
}

/* Form var: everything, of a record variable the records that exist. */
static void whole_variable(struct pcdf_request *r, const struct pcdf_var *var, const int64_t *shape)
{
    for (int i = 0; i < var->ndims; i++) {
        r->whole[i] = 0;
        r->whole[var->ndims + i] = shape[i];
    }
    r->slab = (struct pcdf_slab){ .start = r->whole, .count = r->whole + var->ndims };
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
            return PCDF_FAIL(NC_ENULLSTART, "variable %s: starts[%d] is NULL", var->name, i);
    return NC_NOERR;
}

/* Does record `last` (counted from 1) of the variable end at an offset of 63 bits? */
static bool record_has_offset(const struct pcdf_request *r, int64_t last)
{
    int64_t end;
    return !__builtin_mul_overflow(last, r->place.step[0], &end) &&
           !__builtin_add_overflow(end, r->place.begin, &end);
}

/* Adds up elements and records of the checked hyperslabs. */
static int measure(struct pcdf_request *r, const struct pcdf_var *var)
{
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, i);
        int64_t n = 1;
        bool overflow = false;
        for (int d = 0; slab.count && d < var->ndims; d++)
            overflow |= __builtin_mul_overflow(n, (int64_t)slab.count[d], &n);
        overflow |= __builtin_add_overflow(r->nelems, n, &r->nelems);
        if (overflow || r->nelems > INT64_MAX / 16)
            return PCDF_FAIL(NC_EINTOVERFLOW, "variable %s: too many elements in one request", var->name);
        if (r->dir != PCDF_PUT || !var->is_record || n == 0)
            continue;
        int64_t stride = slab.stride ? slab.stride[0] : 1, count = slab.count ? slab.count[0] : 1;
        int64_t last = slab.start[0] + (count - 1) * stride + 1;
        if (!record_has_offset(r, last))
            return PCDF_FAIL(NC_EINTOVERFLOW, "variable %s: record %lld would not end within 63 bits",
                             var->name, (long long)(last - 1));
        if (last > r->numrecs_after)
            r->numrecs_after = last;
    }
    return NC_NOERR;
}

static int check_slabs(struct pcdf_request *r, const struct pcdf_request_context *context,
                       const struct pcdf_var *var, const struct pcdf_access *access, const int64_t *shape)
{
    struct pcdf_bounds bounds = { .meta = context->meta,
                                  .var = var,
                                  .shape = shape,
                                  .writing = access->dir == PCDF_PUT,
                                  .relaxed = context->relaxed,
                                  .needs_count = access->form == PCDF_FORM_VARA ||
                                                 access->form == PCDF_FORM_VARS ||
                                                 access->form == PCDF_FORM_VARM };
    if (access->form == PCDF_FORM_VARN)
        PCDF_TRY(check_list(var, access));
    if (access->form != PCDF_FORM_VAR)
        for (int i = 0; i < r->num; i++) {
            struct pcdf_slab slab = pcdf_request_slab(r, i);
            PCDF_TRY(pcdf_bounds_check(&bounds, &slab));
        }
    return measure(r, var);
}

static int fill_request(struct pcdf_request *r, const struct pcdf_request_context *context,
                        const struct pcdf_var *var, const struct pcdf_access *access)
{
    size_t ndims = (size_t)var->ndims;
    int64_t *steps = pcdf_malloc((ndims + 1) * 2 * sizeof *steps), *shape = steps + ndims + 1;
    r->place.step = steps;
    r->whole = access->form == PCDF_FORM_VAR ? pcdf_malloc((ndims + 1) * 2 * sizeof *r->whole) : NULL;
    if (!steps || (access->form == PCDF_FORM_VAR && !r->whole))
        return PCDF_FAIL(NC_ENOMEM, "variable %s: no memory for a request", var->name);
    pcdf_var_shape(context->meta, var, shape);
    file_steps(var, shape, context->layout->recsize, steps);
    if (access->form == PCDF_FORM_VAR)
        whole_variable(r, var, shape);
    PCDF_TRY(check_slabs(r, context, var, access, shape));
    return pcdf_memory_describe(&r->memory, access->buf, access->mtype, var->type, r->starts ? 0 : var->ndims,
                                r->slab.count, access->imap);
}

int pcdf_request_make(struct pcdf_request *r, const struct pcdf_request_context *context, int varid,
                      const struct pcdf_access *access)
{
    const struct pcdf_var *var = NULL;
    memset(r, 0, sizeof *r);
    PCDF_TRY(find_var(context->meta, varid, &var));
    r->kernels = pcdf_kernels_of(context->meta->version, var->type, access->mtype);
    if (!r->kernels)
        return PCDF_FAIL(NC_ECHAR, "variable %s is %s, the buffer is %s: text and numbers do not convert",
                         var->name, pcdf_type_name(var->type), pcdf_mtype_name(access->mtype));
    bool is_list = access->form == PCDF_FORM_VARN && var->ndims > 0;
    r->dir = access->dir;
    r->varid = varid;
    r->num = is_list ? access->num : 1;
    r->starts = is_list ? access->starts : NULL;
    r->counts = is_list ? access->counts : NULL;
    r->slab = (struct pcdf_slab){ access->start, access->count, access->stride };
    r->place = (struct pcdf_place){ .begin = context->layout->begin[varid],
                                    .xsize = pcdf_type_size(var->type),
                                    .ndims = var->ndims };
    fill_value(var, r->fill);
    int err = fill_request(r, context, var, access);
    if (err) {
        pcdf_request_free(r);
        memset(r, 0, sizeof *r);
    }
    return err;
}

void pcdf_request_free(struct pcdf_request *r)
{
    pcdf_memory_free(&r->memory);
    pcdf_free((void *)r->place.step);
    pcdf_free(r->whole);
}
