#ifndef PCDF_BOUNDS_H
#define PCDF_BOUNDS_H
/* Are start, count and stride inside the variable? The order of errors is the API's: all coordinates, then
 * counts and edges dimension by dimension, then strides (reference 4.5, 4.6). */

#include "meta.h"
#include "walk.h"

enum { PCDF_BOUNDS_FAST = 8 };

struct pcdf_bounds {
    const struct pcdf_meta *meta;
    const struct pcdf_var *var;
    bool writing;     /* the record dimension may grow */
    bool relaxed;     /* start == length is legal when the count is 0 */
    bool needs_count; /* the form has a count: NULL is NC_EEDGE; otherwise NULL stands for ones */
    int64_t limit[PCDF_BOUNDS_FAST]; /* what no hyperslab may go beyond, of few dimensions */
};

/* After the rest of it was set, before the first check. */
void pcdf_bounds_begin(struct pcdf_bounds *bounds);

/* Any hyperslab. The record dimension is as long as this rank knows. NC_EINVALCOORDS, NC_EEDGE,
 * NC_ENEGATIVECNT, NC_ESTRIDE, and NC_EINTOVERFLOW when a put would make more records than the format can
 * count. */
int pcdf_bounds_look(const struct pcdf_bounds *bounds, const struct pcdf_slab *slab);
/* nelems and the elements of one hyperslab more (count NULL: one); INT64_MAX when they are too many. */
int64_t pcdf_bounds_add(int64_t nelems, int ndims, const MPI_Offset *count);

/* The same of both, quickly: most hyperslabs have neither strides nor errors, and one look at each number
 * tells. */
static inline int pcdf_bounds_check(const struct pcdf_bounds *b, const struct pcdf_slab *slab,
                                    int64_t *nelems)
{
    int ndims = b->var->ndims;
    int64_t n = 1, sum;
    bool is_plain =
        slab->start && (slab->count || !b->needs_count) && !slab->stride && ndims <= PCDF_BOUNDS_FAST;
    for (int i = 0; is_plain && i < ndims; i++) {
        int64_t start = slab->start[i], count = slab->count ? slab->count[i] : 1, limit = b->limit[i];
        is_plain = start >= 0 && start < limit && count >= 0 && count <= limit - start &&
                   !__builtin_mul_overflow(n, count, &n);
    }
    if (is_plain && !__builtin_add_overflow(*nelems, n, &sum)) {
        *nelems = sum;
        return NC_NOERR;
    }
    if (ndims > 0) { /* a scalar has one element, whatever the arrays say */
        int err = pcdf_bounds_look(b, slab);
        if (err)
            return err;
    }
    *nelems = pcdf_bounds_add(*nelems, ndims, slab->count);
    return NC_NOERR;
}
#endif
