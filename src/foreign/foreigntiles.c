/* See foreigntiles.h. */
#include "foreigntiles.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"

#include <string.h>

/* The shape of a variable's tiles. Without chunks whole rows, as many as fit; with chunks whole chunks, as
 * many as fit from the innermost dimension on; pieces of rows of a chunk where that alone is too large. */
static void shape_tile(const int64_t *shape, const int64_t *chunk, int ndims, int64_t size, int64_t *tile)
{
    int64_t bytes = size;
    for (int i = ndims - 1; i >= 0; i--) {
        tile[i] = pcdf_smaller(chunk ? chunk[i] : 1, shape[i]);
        if (__builtin_mul_overflow(bytes, tile[i] > 0 ? tile[i] : 1, &bytes))
            bytes = INT64_MAX;
    }
    if (bytes > PCDF_COPY_MAX_CHUNK) {
        for (int i = 0; i < ndims; i++)
            tile[i] = pcdf_smaller(1, shape[i]);
        bytes = size;
    }
    for (int i = ndims - 1; i >= 0 && bytes > 0; i--) {
        int64_t fit = PCDF_FOREIGN_TILE / bytes;
        if (fit > 1 && tile[i] > 0) {
            int64_t n = fit > shape[i] / tile[i] ? shape[i] : tile[i] * fit;
            bytes = bytes / tile[i] * n;
            tile[i] = n;
        }
        if (tile[i] < shape[i])
            break;
    }
}

static void enter_variable(struct pcdf_foreign_tiles *t)
{
    const struct pcdf_meta *meta = &t->plan->out;
    const struct pcdf_var *var = &meta->vars[t->varid];

    pcdf_var_shape(meta, var, t->shape);
    shape_tile(t->shape, t->chunks ? t->chunks[t->varid] : NULL, var->ndims, pcdf_type_size(var->type),
               t->tile);
    t->slab.ndims = var->ndims;
    memset(t->slab.start, 0, (size_t)var->ndims * sizeof *t->slab.start);
}

/* The counts of the tile at slab.start; false: it is empty, as the variable is. */
static bool measure(struct pcdf_foreign_tiles *t)
{
    t->slab.n = 1;
    for (int i = 0; i < t->slab.ndims; i++) {
        t->slab.count[i] = pcdf_smaller(t->tile[i], t->shape[i] - t->slab.start[i]);
        t->slab.stride[i] = 1;
        t->slab.n *= t->slab.count[i];
    }
    return t->slab.n > 0;
}

static bool step(struct pcdf_foreign_tiles *t)
{
    for (int i = t->slab.ndims - 1; i >= 0; i--) {
        t->slab.start[i] += t->tile[i];
        if (t->slab.start[i] < t->shape[i])
            return true;
        t->slab.start[i] = 0;
    }
    return false;
}

int pcdf_foreign_tiles_begin(struct pcdf_foreign_tiles *tiles, const struct pcdf_copy_plan *plan,
                             int64_t *const *chunks)
{
    *tiles = (struct pcdf_foreign_tiles){ .plan = plan, .chunks = chunks, .varid = -1, .number = -1 };
    int most = pcdf_tool_most_dims(&plan->out) + 1;
    tiles->shape = pcdf_calloc((size_t)most, 2 * sizeof *tiles->shape);
    if (!tiles->shape || !pcdf_foreign_slab_room(&tiles->slab, &plan->out)) {
        pcdf_free(tiles->shape);
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    }
    tiles->tile = tiles->shape + most;
    return PCDF_TOOL_GOOD;
}

bool pcdf_foreign_tiles_next(struct pcdf_foreign_tiles *t)
{
    bool within = t->begun && step(t);
    while (!within) {
        if (++t->varid >= t->plan->out.nvars)
            return false;
        enter_variable(t);
        within = measure(t);
    }
    t->begun = true;
    t->number++;
    return measure(t);
}

void pcdf_foreign_tiles_end(struct pcdf_foreign_tiles *tiles)
{
    pcdf_foreign_slab_free(&tiles->slab);
    pcdf_free(tiles->shape);
}

int64_t pcdf_foreign_tiles_bytes(const struct pcdf_copy_plan *plan, int64_t *const *chunks)
{
    int64_t most = 8;
    for (int i = 0; chunks && i < plan->out.nvars; i++) {
        const struct pcdf_var *var = &plan->out.vars[i];
        int64_t bytes = pcdf_type_size(var->type);
        for (int d = 0; chunks[i] && d < var->ndims; d++)
            if (__builtin_mul_overflow(bytes, chunks[i][d], &bytes) || bytes > PCDF_COPY_MAX_CHUNK)
                bytes = PCDF_FOREIGN_TILE;
        most = bytes > most ? bytes : most;
    }
    return most > PCDF_FOREIGN_TILE ? most : PCDF_FOREIGN_TILE;
}
