/* See sweep.h. Seeking: which items begin before an offset and end behind it is asked of a tree of the
 * largest ends, 16 items or nodes to a node; where no item reaches the next one only one can. Their walks are
 * then set by arithmetic. */
#include "sweep.h"
#include <string.h>
#include "alloc.h"
#include "chunkpart.h"
#include "status.h"

enum { FAN_BITS = 4, FAN = 1 << FAN_BITS };

/* ---- lanes */

/* An order without ties: where rounds end must not depend on how the sweep came there. */
static bool is_before(const struct pcdf_plan *plan, const struct pcdf_lane *a, const struct pcdf_lane *b)
{
    if (a->offset != b->offset)
        return a->offset < b->offset;
    if (a->request != b->request)
        return a->request < b->request;
    return plan->walks[a->slot].element < plan->walks[b->slot].element;
}

static void lane_up(struct pcdf_plan *plan, size_t at)
{
    struct pcdf_lane moving = plan->lanes[at];
    for (; at > 0 && is_before(plan, &moving, &plan->lanes[(at - 1) / 2]); at = (at - 1) / 2)
        plan->lanes[at] = plan->lanes[(at - 1) / 2];
    plan->lanes[at] = moving;
}

/* The lane on top has moved on. */
static void lane_down(struct pcdf_plan *plan)
{
    struct pcdf_lane moving = plan->lanes[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < plan->nlanes; at = child) {
        if (child + 1 < plan->nlanes && is_before(plan, &plan->lanes[child + 1], &plan->lanes[child]))
            child++;
        if (!is_before(plan, &plan->lanes[child], &moving))
            break;
        plan->lanes[at] = plan->lanes[child];
    }
    plan->lanes[at] = moving;
}

/* Walks, lanes and loops are one block of memory. lanes[nlanes .. lanes_room) hold the slots not in use. */
int pcdf_sweep_grow(struct pcdf_plan *plan)
{
    size_t had = plan->lanes_room, room = had ? 2 * had : 1, loops = (size_t)plan->max_ndims;
    size_t each = sizeof *plan->walks + sizeof *plan->lanes + loops * sizeof(struct pcdf_loop);
    struct pcdf_walk *walks = pcdf_malloc(room * each);
    if (!walks)
        return PCDF_FAIL(NC_ENOMEM, "no memory to walk %zu hyperslabs", room);
    struct pcdf_lane *lanes = (struct pcdf_lane *)(walks + room);
    struct pcdf_loop *all = (struct pcdf_loop *)(lanes + room);
    if (had > 0) {
        memcpy(walks, plan->walks, had * sizeof *walks);
        memcpy(lanes, plan->lanes, had * sizeof *lanes);
        memcpy(all, plan->walks[0].loops, had * loops * sizeof *all);
        pcdf_free(plan->walks);
    }
    for (size_t i = 0; i < room; i++)
        walks[i].loops = all + i * loops;
    for (size_t i = had; i < room; i++)
        lanes[i].slot = (int)i;
    plan->walks = walks;
    plan->lanes = lanes;
    plan->lanes_room = room;
    return NC_NOERR;
}

/* An item becomes a lane, unless none of its elements begins at or after `from`. */
static int begin_lane(struct pcdf_plan *plan, const struct pcdf_item *item, int64_t from)
{
    const struct pcdf_request *r = plan->requests[item->request];
    const struct pcdf_var_layout *layout = &plan->layouts[r->layout];
    if (plan->nlanes == plan->lanes_room)
        PCDF_TRY(pcdf_sweep_grow(plan));
    struct pcdf_lane *lane = &plan->lanes[plan->nlanes];
    struct pcdf_walk *walk = &plan->walks[lane->slot];
    if (item->shape > 0) { /* one block */
        walk->offset = item->offset;
        walk->element = item->element;
        walk->run = walk->block = item->shape;
        walk->shift = __builtin_ctzll((unsigned long long)layout->xsize);
        walk->nloops = 0;
    } else {
        struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, -item->shape);
        if (layout->cells)
            pcdf_chunk_part_walk(walk, &slab, layout, item->offset, item->element);
        else
            pcdf_walk_start(walk, &slab, layout, item->element);
    }
    if (walk->offset < from && !pcdf_walk_seek(walk, from))
        return NC_NOERR;
    lane->offset = walk->offset;
    lane->request = item->request;
    if (plan->nlanes++ > 0)
        lane_up(plan, plan->nlanes - 1);
    return NC_NOERR;
}

int pcdf_sweep_reach(struct pcdf_plan *plan)
{
    while (plan->next < plan->nitems &&
           (plan->nlanes == 0 || plan->items[plan->next].offset <= plan->lanes[0].offset))
        PCDF_TRY(begin_lane(plan, &plan->items[plan->next++], 0));
    return NC_NOERR;
}

void pcdf_sweep_take(struct pcdf_plan *plan, int64_t n)
{
    struct pcdf_walk *walk = &plan->walks[plan->lanes[0].slot];
    if (pcdf_walk_take(walk, n)) {
        plan->lanes[0].offset = walk->offset;
    } else {
        struct pcdf_lane spare = plan->lanes[0];
        plan->lanes[0] = plan->lanes[--plan->nlanes];
        plan->lanes[plan->nlanes] = spare;
    }
    if (plan->nlanes > 1)
        lane_down(plan);
}

/* ---- ends */

int64_t pcdf_item_end(const struct pcdf_plan *plan, const struct pcdf_item *item, int64_t *blocks)
{
    *blocks = 1;
    if (item->shape > 0)
        return item->offset + item->shape;
    const struct pcdf_request *r = plan->requests[item->request];
    const struct pcdf_var_layout *layout = &plan->layouts[r->layout];
    struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, -item->shape);
    return item->offset + (layout->cells ? pcdf_chunk_part_span(&slab, layout, item->offset, blocks)
                                         : pcdf_slab_span(&slab, layout, blocks));
}

static size_t nodes_over(size_t n)
{
    return n / FAN + (n % FAN > 0);
}

struct pcdf_ends { /* a tree of the largest ends; level 1 stands over the items */
    int64_t *levels[16];
    int nlevels;
    int64_t x[];
};

static int build_tree(struct pcdf_plan *plan)
{
    size_t nodes = 0, below = plan->nitems;
    int64_t blocks;
    for (size_t n = plan->nitems; n > 1; nodes += n)
        n = nodes_over(n);
    struct pcdf_ends *tree = pcdf_malloc(sizeof *tree + nodes * sizeof tree->x[0]);
    if (!tree)
        return PCDF_FAIL(NC_ENOMEM, "no memory to look up %zu hyperslabs", plan->nitems);
    tree->nlevels = 0;
    for (int64_t *under = NULL, *ends = tree->x; below > 1; tree->nlevels++) {
        size_t n = nodes_over(below);
        tree->levels[tree->nlevels] = ends;
        for (size_t i = 0; i < below; i++) {
            int64_t end = under ? under[i] : pcdf_item_end(plan, &plan->items[i], &blocks);
            if (i % FAN == 0 || end > ends[i / FAN])
                ends[i / FAN] = end;
        }
        under = ends;
        ends += n;
        below = n;
    }
    plan->ends = tree;
    return NC_NOERR;
}

/* ---- seeking */

/* Items that begin before `from`. The last place asked for is looked at first. */
static size_t items_before(const struct pcdf_plan *plan, int64_t from)
{
    const struct pcdf_item *x = plan->items;
    size_t low = 0, n = plan->nitems, guess = plan->next;
    if (guess < n && x[guess].offset < from) {
        low = guess + 1;
        n -= low;
        for (size_t step = 1; step < n; step *= 2)
            if (x[low + step].offset >= from)
                n = step;
    } else {
        n = guess < n ? guess : n;
    }
    while (n > 0) {
        size_t half = n / 2;
        if (x[low + half].offset < from) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* Lanes for the items under a node that begin before `from` and end behind it. A node of level 0 is an item.
 */
static int begin_under(struct pcdf_plan *plan, int64_t from, int level, size_t node)
{
    int64_t blocks;
    if (level == 0)
        return pcdf_item_end(plan, &plan->items[node], &blocks) > from
                   ? begin_lane(plan, &plan->items[node], from)
                   : NC_NOERR;
    if (plan->ends->levels[level - 1][node] <= from)
        return NC_NOERR;
    for (size_t child = node * FAN; child < (node + 1) * FAN; child++) {
        if (child << FAN_BITS * (level - 1) >= plan->next) /* its first item */
            return NC_NOERR;
        PCDF_TRY(begin_under(plan, from, level - 1, child));
    }
    return NC_NOERR;
}

int pcdf_sweep_seek(struct pcdf_plan *plan, int64_t from)
{
    if (plan->sweep_from <= from && from <= plan->sweep_to)
        return NC_NOERR;
    plan->sweep_to = -1; /* should memory fail */
    if (plan->overlaps_possible && !plan->ends)
        PCDF_TRY(build_tree(plan));
    plan->nlanes = 0;
    plan->next = items_before(plan, from);
    if (plan->next > 0)
        PCDF_TRY(plan->ends ? begin_under(plan, from, plan->ends->nlevels, 0)
                            : begin_under(plan, from, 0, plan->next - 1));
    plan->sweep_from = from;
    plan->sweep_to = plan->next < plan->nitems ? plan->items[plan->next].offset : INT64_MAX;
    if (plan->nlanes > 0 && plan->lanes[0].offset < plan->sweep_to)
        plan->sweep_to = plan->lanes[0].offset;
    return NC_NOERR;
}
