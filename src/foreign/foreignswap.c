/* Slabs and values in memory. */
#include "foreign.h"
#include "alloc.h"

#include <string.h>

/* A loop for each size: compilers make them vectors. */
void pcdf_foreign_swap(void *values, int64_t n, int size)
{
    uint16_t *x2 = values;
    uint32_t *x4 = values;
    uint64_t *x8 = values;

    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        return;
    for (int64_t i = 0; size == 2 && i < n; i++)
        x2[i] = __builtin_bswap16(x2[i]);
    for (int64_t i = 0; size == 4 && i < n; i++)
        x4[i] = __builtin_bswap32(x4[i]);
    for (int64_t i = 0; size == 8 && i < n; i++)
        x8[i] = __builtin_bswap64(x8[i]);
}

bool pcdf_foreign_slab_room(struct pcdf_foreign_slab *slab, const struct pcdf_meta *meta)
{
    int most = 1;
    for (int i = 0; i < meta->nvars; i++)
        most = meta->vars[i].ndims > most ? meta->vars[i].ndims : most;
    *slab = (struct pcdf_foreign_slab){ .start = pcdf_calloc((size_t)most, 3 * sizeof *slab->start) };
    if (!slab->start)
        return false;
    slab->count = slab->start + most;
    slab->stride = slab->count + most;
    return true;
}

void pcdf_foreign_slab_free(struct pcdf_foreign_slab *slab)
{
    pcdf_free(slab->start);
    slab->start = NULL;
}
