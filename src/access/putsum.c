/* See putsum.h. */
#include "putsum.h"

/* All bits of x change about half of those of the result. (A bijection: xorshifts and odd products.) */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* The sum over indices [0, i) of a dimension, but for a constant: its lowest bit is that of i, so that
 * neighbours differ by an odd number. */
static uint64_t before(uint64_t salt, int64_t i)
{
    return (mixed(salt + (uint64_t)i * 0x9e3779b97f4a7c15u) & ~(uint64_t)1) | ((uint64_t)i & 1);
}

static uint64_t along(uint64_t salt, int64_t start, int64_t count, int64_t stride)
{
    uint64_t sum = 0;
    if (stride == 1)
        return before(salt, start + count) - before(salt, start);
    for (int64_t i = 0; i < count; i++)
        sum += before(salt, start + i * stride + 1) - before(salt, start + i * stride);
    return sum;
}

static uint64_t salt_of(int varid, int dim)
{
    return mixed((uint64_t)(unsigned)varid << 32 | (unsigned)(dim + 1));
}

uint64_t pcdf_putsum_of_slab(int varid, const struct pcdf_slab *slab, int ndims)
{
    uint64_t product = salt_of(varid, 0) | 1;
    for (int d = 1; d < ndims; d++)
        product *= along(salt_of(varid, d), slab->start[d], slab->count ? slab->count[d] : 1,
                         slab->stride ? slab->stride[d] : 1);
    return product;
}

uint64_t pcdf_putsum_of_record(const struct pcdf_meta *meta)
{
    uint64_t sum = 0;
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        uint64_t product = salt_of(i, 0) | 1;
        for (int d = 1; d < var->ndims; d++)
            product *= along(salt_of(i, d), 0, meta->dims[var->dimids[d]].length, 1);
        sum += var->is_record ? product : 0;
    }
    return sum;
}
