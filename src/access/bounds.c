/* See bounds.h. */
#include "bounds.h"
#include "rules.h"
#include "status.h"

static bool may_grow(const struct pcdf_bounds *b, int dim)
{
    return dim == 0 && b->var->is_record && b->writing;
}

static int64_t length_of(const struct pcdf_bounds *b, int dim)
{
    int dimid = b->var->dimids[dim];
    return dimid == b->meta->record_dim ? b->meta->numrecs : b->meta->dims[dimid].length;
}

static int check_start(const struct pcdf_bounds *b, int dim, int64_t start, int64_t count)
{
    int64_t length = length_of(b, dim);
    if (may_grow(b, dim)) {
        bool beyond = b->meta->version != PCDF_CDF5 && start > (int64_t)UINT32_MAX;
        if (start >= 0 && !beyond)
            return NC_NOERR;
        return PCDF_FAIL(NC_EINVALCOORDS, "variable %s, record %lld cannot be written", b->var->name,
                         pcdf_told_index(start));
    }
    if (start >= 0 && (start < length || (start == length && b->relaxed && count == 0)))
        return NC_NOERR;
    return PCDF_FAIL(NC_EINVALCOORDS, "variable %s, dimension %d: start %lld is outside %lld..%lld",
                     b->var->name, pcdf_told_dim(dim, b->var->ndims), pcdf_told_index(start),
                     pcdf_told_index(0), pcdf_told_index(length - 1));
}

static int check_edge(const struct pcdf_bounds *b, int dim, int64_t start, int64_t count, int64_t stride)
{
    int64_t length = length_of(b, dim), end, last;
    if (count < 0)
        return PCDF_FAIL(NC_ENEGATIVECNT, "variable %s, dimension %d: count %lld", b->var->name,
                         pcdf_told_dim(dim, b->var->ndims), (long long)count);
    bool too_far = __builtin_add_overflow(start, count, &end);
    if (count > 0 && stride > 0)
        too_far |= __builtin_mul_overflow(count - 1, stride, &last) ||
                   __builtin_add_overflow(last, start, &last) || __builtin_add_overflow(last, 1, &end);
    if (may_grow(b, dim)) {
        if (!too_far && (count == 0 || end <= pcdf_rules_max_numrecs(b->meta->version)))
            return NC_NOERR;
        return PCDF_FAIL(NC_EINTOVERFLOW,
                         "variable %s: record %lld and %lld more are too many for the format", b->var->name,
                         pcdf_told_index(start), (long long)count);
    }
    if (too_far || end > length)
        return PCDF_FAIL(NC_EEDGE,
                         "variable %s, dimension %d: start %lld, count %lld, stride %lld, length %lld",
                         b->var->name, pcdf_told_dim(dim, b->var->ndims), pcdf_told_index(start),
                         (long long)count, (long long)stride, (long long)length);
    return NC_NOERR;
}

void pcdf_bounds_begin(struct pcdf_bounds *b)
{
    for (int i = 0; i < b->var->ndims && i < PCDF_BOUNDS_FAST; i++)
        b->limit[i] = may_grow(b, i) ? pcdf_rules_max_numrecs(b->meta->version) : length_of(b, i);
}

int pcdf_bounds_look(const struct pcdf_bounds *b, const struct pcdf_slab *slab)
{
    int ndims = b->var->ndims;
    if (!slab->start)
        return PCDF_FAIL(NC_EINVALCOORDS, "variable %s: start is NULL", b->var->name);
    for (int i = 0; i < ndims; i++)
        PCDF_TRY(check_start(b, i, slab->start[i], slab->count ? slab->count[i] : 1));
    if (b->needs_count && !slab->count)
        return PCDF_FAIL(NC_EEDGE, "variable %s: count is NULL", b->var->name);
    for (int i = 0; i < ndims; i++)
        PCDF_TRY(check_edge(b, i, slab->start[i], slab->count ? slab->count[i] : 1,
                            slab->stride ? slab->stride[i] : 1));
    for (int i = 0; slab->stride && i < ndims; i++)
        if (slab->stride[i] <= 0)
            return PCDF_FAIL(NC_ESTRIDE, "variable %s, dimension %d: stride %lld", b->var->name,
                             pcdf_told_dim(i, ndims), (long long)slab->stride[i]);
    return NC_NOERR;
}

int64_t pcdf_bounds_add(int64_t nelems, int ndims, const MPI_Offset *count)
{
    int64_t n = 1;
    bool overflow = false;
    for (int i = 0; count && i < ndims; i++)
        overflow |= __builtin_mul_overflow(n, (int64_t)count[i], &n);
    overflow |= __builtin_add_overflow(nelems, n, &nelems);
    return overflow ? INT64_MAX : nelems;
}
