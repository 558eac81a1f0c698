/* See chunkpart.h. */
#include "chunkpart.h"
#include "grid.h"
#include "numbers.h"

static inline int64_t count_of(const struct pcdf_slab *slab, int dim)
{
    return slab->count ? slab->count[dim] : 1;
}

static inline int64_t stride_of(const struct pcdf_slab *slab, int dim)
{
    return slab->stride ? slab->stride[dim] : 1;
}

static inline const struct pcdf_cells_var *chunks_of(const struct pcdf_var_layout *layout)
{
    return &layout->cells->x[layout->varid];
}

/* ---- finding parts */

/* From the index `first` of the hyperslab on, as far as the chunk goes. */
static struct pcdf_chunk_cut cut_from(const struct pcdf_slab *slab, int64_t chunk, int dim, int64_t first)
{
    int64_t count = count_of(slab, dim), stride = stride_of(slab, dim);
    int64_t at = slab->start[dim] + (first > 0 ? first * stride : 0);
    int64_t behind = chunk - 1 - at % chunk;
    int64_t n = 1 + (stride == 1 ? behind : behind / stride);
    return (struct pcdf_chunk_cut){ at / chunk, first, pcdf_smaller(n, count - first) };
}

/* Offset and element follow from the cuts. */
static void locate(struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                   const struct pcdf_var_layout *layout)
{
    const struct pcdf_cells_var *v = chunks_of(layout);
    int64_t index[PCDF_CHUNK_DIMS], elements = 1;
    for (int d = 0; d < v->ndims; d++)
        index[d] = part->cuts[d].chunk;
    part->offset = pcdf_cells_begin(layout->cells, layout->varid, index);
    part->element = 0;
    for (int d = v->ndims - 1; d >= 0; d--) {
        const struct pcdf_chunk_cut *cut = &part->cuts[d];
        int64_t at = slab->start[d] + (cut->first > 0 ? cut->first * stride_of(slab, d) : 0);
        part->offset += (at - cut->chunk * v->chunk[d]) * layout->step[d];
        part->element += cut->first * elements;
        elements *= count_of(slab, d);
    }
}

size_t pcdf_chunk_parts_count(const struct pcdf_slab *slab, const struct pcdf_var_layout *layout)
{
    const struct pcdf_cells_var *v = chunks_of(layout);
    size_t parts = 1;
    for (int d = 0; d < v->ndims; d++)
        if (count_of(slab, d) == 0)
            return 0;
    for (int d = 0; d < v->ndims; d++) {
        int64_t count = count_of(slab, d), n = count, stride = stride_of(slab, d), chunk = v->chunk[d];
        if (count > 1 && stride < chunk)
            n = (slab->start[d] + (count - 1) * stride) / chunk - slab->start[d] / chunk + 1;
        if (__builtin_mul_overflow(parts, (size_t)n, &parts))
            return SIZE_MAX;
    }
    return parts;
}

void pcdf_chunk_part_first(struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                           const struct pcdf_var_layout *layout)
{
    const struct pcdf_cells_var *v = chunks_of(layout);
    for (int d = 0; d < v->ndims; d++)
        part->cuts[d] = cut_from(slab, v->chunk[d], d, 0);
    locate(part, slab, layout);
}

bool pcdf_chunk_part_next(struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                          const struct pcdf_var_layout *layout)
{
    const struct pcdf_cells_var *v = chunks_of(layout);
    for (int d = v->ndims - 1; d >= 0; d--) {
        int64_t next = part->cuts[d].first + part->cuts[d].n;
        bool goes_on = next < count_of(slab, d);
        part->cuts[d] = cut_from(slab, v->chunk[d], d, goes_on ? next : 0);
        if (!goes_on)
            continue;
        locate(part, slab, layout);
        return true;
    }
    return false;
}

static void find_part(struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                      const struct pcdf_var_layout *layout, int64_t offset)
{
    const struct pcdf_cells_var *v = chunks_of(layout);
    struct pcdf_cell_place place;
    int64_t chunks[PCDF_CHUNK_DIMS];
    (void)pcdf_cells_find(layout->cells, offset, &place);
    pcdf_grid_index(v->ndims, v->grid, place.number, chunks);
    for (int d = 0; d < v->ndims; d++) {
        int64_t before = chunks[d] * v->chunk[d] - slab->start[d]; /* of what lies in earlier chunks */
        int64_t first = 0;
        if (before > 0)
            first = (before - 1) / stride_of(slab, d) + 1;
        part->cuts[d] = cut_from(slab, v->chunk[d], d, first);
    }
    locate(part, slab, layout);
}

/* ---- what a part is */

int64_t pcdf_chunk_part_block(const struct pcdf_chunk_part *part, const struct pcdf_slab *slab,
                              const struct pcdf_var_layout *layout)
{
    int64_t block = layout->xsize, elements = layout->xsize;
    for (int d = layout->ndims - 1; d >= 0; d--) {
        int64_t n = part->cuts[d].n;
        if (n > 1 && (layout->step[d] * stride_of(slab, d) != block || elements != block))
            return 0;
        block *= n;
        elements *= count_of(slab, d);
    }
    return block;
}

int64_t pcdf_chunk_part_span(const struct pcdf_slab *slab, const struct pcdf_var_layout *layout,
                             int64_t offset, int64_t *blocks)
{
    struct pcdf_chunk_part part;
    int64_t span = layout->xsize, block = layout->xsize, elements = layout->xsize;
    find_part(&part, slab, layout, offset);
    *blocks = 1;
    for (int d = layout->ndims - 1; d >= 0; d--) {
        int64_t n = part.cuts[d].n;
        if (n > 1) { /* else the stride may be as large as it likes */
            int64_t step = layout->step[d] * stride_of(slab, d);
            span += (n - 1) * step;
            *(*blocks == 1 && step == block && elements == block ? &block : blocks) *= n;
        }
        elements *= count_of(slab, d);
    }
    return span;
}

void pcdf_chunk_part_walk(struct pcdf_walk *walk, const struct pcdf_slab *slab,
                          const struct pcdf_var_layout *layout, int64_t offset, int64_t element)
{
    struct pcdf_chunk_part part;
    struct pcdf_loop outer[PCDF_CHUNK_DIMS];
    int64_t block = 1, elements = 1; /* of the block; between neighbours in the request */
    int n = 0;
    find_part(&part, slab, layout, offset);
    walk->offset = part.offset;
    walk->element = element;
    walk->shift = __builtin_ctzll((unsigned long long)layout->xsize);
    for (int d = layout->ndims - 1; d >= 0; d--) {
        int64_t count = part.cuts[d].n;
        if (count > 1) {
            int64_t step = layout->step[d] * stride_of(slab, d);
            struct pcdf_loop *last = n > 0 ? &outer[n - 1] : NULL; /* skip: for now, all elements of a step */
            if (!last && step == block << walk->shift && elements == block)
                block *= count;
            else if (last && step == last->count * last->step && elements == last->count * last->skip)
                last->count *= count;
            else
                outer[n++] = (struct pcdf_loop){ count, step, 0, elements };
        }
        elements *= count_of(slab, d);
    }
    walk->run = walk->block = block << walk->shift;
    walk->nloops = n;
    for (int64_t i = 0, taken = block; i < n; i++) {
        struct pcdf_loop *loop = &walk->loops[n - 1 - i];
        *loop = outer[i];
        loop->skip -= taken; /* by the block and the loops inside */
        taken += (loop->count - 1) * outer[i].skip;
    }
}
