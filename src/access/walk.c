/* See walk.h. */
#include "walk.h"

int64_t pcdf_slab_elements(const struct pcdf_slab *slab, int ndims)
{
    int64_t n = 1;
    for (int i = 0; slab->count && i < ndims; i++)
        n *= slab->count[i];
    return n;
}

int64_t pcdf_slab_span(const struct pcdf_slab *slab, const struct pcdf_var_layout *layout, int64_t *blocks)
{
    int64_t span = layout->xsize, block = layout->xsize;
    *blocks = 1;
    for (int i = layout->ndims - 1; slab->count && i >= 0; i--) {
        int64_t count = slab->count[i];
        if (count == 1) /* the stride may be as large as it likes */
            continue;
        int64_t step = layout->step[i] * (slab->stride ? slab->stride[i] : 1);
        span += (count - 1) * step;
        *(*blocks == 1 && step == block ? &block : blocks) *= count;
    }
    return span;
}

void pcdf_walk_start(struct pcdf_walk *walk, const struct pcdf_slab *slab,
                     const struct pcdf_var_layout *layout, int64_t element)
{
    int room = layout->ndims;
    struct pcdf_loop *outer = walk->loops + room; /* they are found from the innermost one on */
    walk->offset = layout->begin;
    walk->element = element;
    walk->shift = __builtin_ctzll((unsigned long long)layout->xsize);
    walk->block = layout->xsize;
    walk->nloops = 0;
    for (int i = room - 1; i >= 0; i--) {
        int64_t count = slab->count ? slab->count[i] : 1;
        walk->offset += slab->start[i] * layout->step[i];
        if (count == 1)
            continue; /* its stride may be as large as it likes */
        int64_t step = layout->step[i] * (slab->stride ? slab->stride[i] : 1);
        if (walk->nloops == 0 && step == walk->block)
            walk->block *= count; /* dense: the block grows */
        else if (walk->nloops > 0 && step == outer->count * outer->step)
            outer->count *= count; /* evenly spaced together */
        else {
            *--outer = (struct pcdf_loop){ count, step, 0, 0 };
            walk->nloops++;
        }
    }
    walk->run = walk->block;
    for (int i = 0; i < walk->nloops; i++)
        walk->loops[i] = outer[i];
}

bool pcdf_walk_take(struct pcdf_walk *walk, int64_t n)
{
    walk->offset += n;
    walk->element += n >> walk->shift;
    walk->run -= n;
    if (walk->run > 0)
        return true;
    walk->offset -= walk->block;
    for (int i = walk->nloops - 1; i >= 0; i--) {
        struct pcdf_loop *loop = &walk->loops[i];
        if (++loop->at < loop->count) {
            walk->offset += loop->step;
            walk->element += loop->skip;
            walk->run = walk->block;
            return true;
        }
        walk->offset -= (loop->count - 1) * loop->step;
        loop->at = 0;
    }
    return false;
}

bool pcdf_walk_seek(struct pcdf_walk *walk, int64_t from)
{
    int64_t ahead = from - walk->offset, blocks = 0, skipped = 0, xsize = (int64_t)1 << walk->shift;
    if (ahead <= 0)
        return true;
    for (int i = 0; i < walk->nloops; i++) {
        struct pcdf_loop *loop = &walk->loops[i];
        loop->at = ahead / loop->step;
        if (loop->at > loop->count - 1)
            loop->at = loop->count - 1;
        walk->offset += loop->at * loop->step;
        ahead -= loop->at * loop->step;
        int64_t steps = blocks * (loop->count - 1) + loop->at; /* of this loop */
        skipped += steps * loop->skip;
        blocks += steps;
    }
    walk->element += blocks * (walk->block >> walk->shift) + skipped;
    if (ahead > walk->block - xsize) /* none begins in this block */
        return pcdf_walk_take(walk, walk->block);
    ahead = (ahead + xsize - 1) & -xsize;
    return ahead == 0 || pcdf_walk_take(walk, ahead);
}
