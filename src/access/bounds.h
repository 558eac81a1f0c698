#ifndef PCDF_BOUNDS_H
#define PCDF_BOUNDS_H
/* Are start, count and stride inside the variable? The order of errors is the API's: all coordinates, then
 * counts and edges dimension by dimension, then strides (reference 4.5, 4.6). */

#include "meta.h"
#include "walk.h"

struct pcdf_bounds {
    const struct pcdf_meta *meta;
    const struct pcdf_var *var;
    bool writing;     /* the record dimension may grow */
    bool relaxed;     /* start == length is legal when the count is 0 */
    bool needs_count; /* the form has a count: NULL is NC_EEDGE; otherwise NULL stands for ones */
};

/* Adds the hyperslab's elements to *nelems: INT64_MAX when they are too many, which is no error here. The
 * record dimension is as long as this rank knows. NC_EINVALCOORDS, NC_EEDGE, NC_ENEGATIVECNT, NC_ESTRIDE, and
 * NC_EINTOVERFLOW when a put would make more records than the format can count. */
int pcdf_bounds_check(const struct pcdf_bounds *bounds, const struct pcdf_slab *slab, int64_t *nelems);
/* nelems and the elements of one hyperslab more (count NULL: one); INT64_MAX when they are too many. */
int64_t pcdf_bounds_add(int64_t nelems, int ndims, const MPI_Offset *count);
#endif
