#ifndef SOMEOWNERS_H
#define SOMEOWNERS_H
/* Owners of chunks (chunkowners.h) by any division of a variable, always valid. */
#include "chunkowners.h"
#include "draw.h"
#include "meta.h"

static inline struct pcdf_chunk_owners some_owners(const struct pcdf_meta *meta, int varid)
{
    const struct pcdf_var *var = &meta->vars[varid];
    struct pcdf_chunk_owners o = { .ranks = (int)draw(1, 7) };
    int64_t used = draw(1, 2);
    for (int d = var->is_record; d < var->ndims && o.n < PCDF_OWNER_DIMS; d++) {
        struct pcdf_owner_dim x = { .dim = d,
                                    .rule = (enum pcdf_border_rule)draw(0, PCDF_BORDERS_N - 1),
                                    .length = meta->dims[var->dimids[d]].length,
                                    .stride = used };
        if (used > o.ranks || draw(0, 2) == 0)
            continue;
        x.parts = draw(1, o.ranks / used);
        x.block = draw(1, x.length);
        used *= x.parts;
        o.x[o.n++] = x;
    }
    bool is_turned = draw(0, 1); /* the slowest dimension counts fastest */
    for (int i = 0; is_turned && i < o.n; i++)
        o.x[i].stride = used / (o.x[i].stride * o.x[i].parts);
    return o;
}
#endif
