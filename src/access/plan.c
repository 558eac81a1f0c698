/* See plan.h. A sweep over the file: hyperslabs wait in `items`, sorted by their first byte; the ones the
 * sweep has reached are `lanes`, a heap by the offset of their current block. */
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "plan.h"
#include "status.h"

struct pcdf_item {
    int64_t offset;  /* of the first byte */
    int64_t element; /* in its request, of the hyperslab's first element */
    int request, slab;
};

struct pcdf_lane {
    struct pcdf_walk walk;
    int request;
};

/* ---- items, sorted in place (a list of pieces is often long, and qsort may copy it) */

static bool item_before(const struct pcdf_item *a, const struct pcdf_item *b)
{
    if (a->offset != b->offset)
        return a->offset < b->offset;
    return a->request != b->request ? a->request < b->request : a->slab < b->slab;
}

static void item_sift(struct pcdf_item *x, size_t at, size_t n)
{
    struct pcdf_item moving = x[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && item_before(&x[child], &x[child + 1]))
            child++;
        if (!item_before(&moving, &x[child]))
            break;
        x[at] = x[child];
    }
    x[at] = moving;
}

static void sort_by_heap(struct pcdf_item *x, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        item_sift(x, i, n);
    for (size_t end = n; end-- > 1;) {
        struct pcdf_item top = x[0];
        x[0] = x[end];
        x[end] = top;
        item_sift(x, 0, end);
    }
}

static void sort_by_insertion(struct pcdf_item *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct pcdf_item moving = x[i];
        size_t at = i;
        for (; at > 0 && item_before(&moving, &x[at - 1]); at--)
            x[at] = x[at - 1];
        x[at] = moving;
    }
}

static struct pcdf_item median(const struct pcdf_item *a, const struct pcdf_item *b,
                               const struct pcdf_item *c)
{
    if (item_before(b, a)) {
        const struct pcdf_item *t = a;
        a = b;
        b = t;
    }
    return item_before(c, a) ? *a : item_before(c, b) ? *c : *b;
}

/* Quicksort that falls back to heapsort when it goes too deep. */
static void sort_items(struct pcdf_item *x, size_t n, int depth)
{
    while (n > 24) {
        if (depth-- == 0) {
            sort_by_heap(x, n);
            return;
        }
        struct pcdf_item pivot = median(&x[0], &x[n / 2], &x[n - 1]);
        size_t low = 0, high = n - 1;
        for (;;) {
            while (item_before(&x[low], &pivot))
                low++;
            while (item_before(&pivot, &x[high]))
                high--;
            if (low >= high)
                break;
            struct pcdf_item t = x[low];
            x[low++] = x[high];
            x[high--] = t;
        }
        sort_items(x + low, n - low, depth);
        n = low;
    }
    sort_by_insertion(x, n);
}

static bool items_are_sorted(const struct pcdf_item *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (item_before(&x[i], &x[i - 1]))
            return false;
    return true;
}

/* ---- building */

static size_t count_slabs(struct pcdf_request *const *requests, int n)
{
    size_t slabs = 0;
    for (int i = 0; i < n; i++)
        slabs += (size_t)requests[i]->num;
    return slabs;
}

static const struct pcdf_place *place_of(const struct pcdf_plan *plan, int request)
{
    return &plan->places[plan->requests[request]->place];
}

static void add_items(struct pcdf_plan *plan, int request)
{
    const struct pcdf_request *r = plan->requests[request];
    const struct pcdf_place *place = place_of(plan, request);
    int64_t element = 0;
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, place->ndims, i);
        int64_t n = pcdf_slab_elements(&slab, place->ndims);
        if (n == 0)
            continue;
        plan->items[plan->nitems++] =
            (struct pcdf_item){ pcdf_slab_offset(&slab, place), element, request, i };
        element += n;
    }
    plan->nbytes += r->nelems * place->xsize;
    if (place->ndims > plan->max_ndims)
        plan->max_ndims = place->ndims;
}

int pcdf_plan_build(struct pcdf_plan *plan, struct pcdf_request *const *requests, int n,
                    const struct pcdf_place *places)
{
    memset(plan, 0, sizeof *plan);
    size_t slabs = count_slabs(requests, n);
    if (slabs == 0)
        return NC_NOERR;
    struct pcdf_item *items = pcdf_malloc(slabs * sizeof *items);
    if (!items)
        return PCDF_FAIL(NC_ENOMEM, "no memory to plan %zu hyperslabs", slabs);
    plan->requests = requests;
    plan->places = places;
    plan->nrequests = n;
    plan->items = items;
    for (int i = 0; i < n; i++)
        add_items(plan, i);
    if (!items_are_sorted(items, plan->nitems))
        sort_items(items, plan->nitems, 64);
    return NC_NOERR;
}

/* ---- lanes */

static bool lane_before(const struct pcdf_lane *a, const struct pcdf_lane *b)
{
    return a->walk.offset != b->walk.offset ? a->walk.offset < b->walk.offset : a->request < b->request;
}

static void swap_lanes(struct pcdf_lane *a, struct pcdf_lane *b)
{
    struct pcdf_lane t = *a;
    *a = *b;
    *b = t;
}

static void lane_up(struct pcdf_plan *plan, size_t at)
{
    for (; at > 0 && lane_before(&plan->lanes[at], &plan->lanes[(at - 1) / 2]); at = (at - 1) / 2)
        swap_lanes(&plan->lanes[at], &plan->lanes[(at - 1) / 2]);
}

static void lane_down(struct pcdf_plan *plan)
{
    for (size_t at = 0, child; (child = 2 * at + 1) < plan->nlanes; at = child) {
        if (child + 1 < plan->nlanes && lane_before(&plan->lanes[child + 1], &plan->lanes[child]))
            child++;
        if (!lane_before(&plan->lanes[child], &plan->lanes[at]))
            return;
        swap_lanes(&plan->lanes[at], &plan->lanes[child]);
    }
}

/* Lanes that ended keep their loops for the next one: lanes[nlanes .. lanes_room) hold spares. */
static int grow_lanes(struct pcdf_plan *plan)
{
    size_t room = plan->lanes_room;
    if (plan->nlanes < room)
        return NC_NOERR;
    PCDF_TRY(pcdf_array_reserve((void **)&plan->lanes, &plan->lanes_room, room + 1, sizeof *plan->lanes));
    memset(plan->lanes + room, 0, (plan->lanes_room - room) * sizeof *plan->lanes);
    return NC_NOERR;
}

static int begin_lane(struct pcdf_plan *plan)
{
    PCDF_TRY(grow_lanes(plan));
    struct pcdf_lane *lane = &plan->lanes[plan->nlanes];
    if (!lane->walk.loops)
        lane->walk.loops = pcdf_malloc(((size_t)plan->max_ndims + 1) * sizeof *lane->walk.loops);
    if (!lane->walk.loops)
        return PCDF_FAIL(NC_ENOMEM, "no memory to walk a hyperslab");
    const struct pcdf_item *item = &plan->items[plan->next++];
    const struct pcdf_place *place = place_of(plan, item->request);
    struct pcdf_slab slab = pcdf_request_slab(plan->requests[item->request], place->ndims, item->slab);
    pcdf_walk_start(&lane->walk, &slab, place, item->element);
    lane->request = item->request;
    lane_up(plan, plan->nlanes++);
    return NC_NOERR;
}

/* Begins every item that may hold the next block of the file. */
static int reach(struct pcdf_plan *plan)
{
    while (plan->next < plan->nitems &&
           (plan->nlanes == 0 || plan->items[plan->next].offset <= plan->lanes[0].walk.offset))
        PCDF_TRY(begin_lane(plan));
    return NC_NOERR;
}

static void advance(struct pcdf_plan *plan, int64_t nbytes)
{
    if (!pcdf_walk_take(&plan->lanes[0].walk, nbytes))
        swap_lanes(&plan->lanes[0], &plan->lanes[--plan->nlanes]);
    lane_down(plan);
}

/* ---- rounds */

static int add_op(struct pcdf_round *round, const struct pcdf_lane *lane, int64_t nbytes, int64_t stage)
{
    int64_t n = nbytes / lane->walk.xsize;
    struct pcdf_op *last = round->nops ? &round->ops[round->nops - 1] : NULL;
    if (last && last->request == lane->request && last->element + last->n == lane->walk.element &&
        last->stage + last->n * lane->walk.xsize == stage) {
        last->n += n;
        return NC_NOERR;
    }
    PCDF_TRY(pcdf_array_reserve((void **)&round->ops, &round->ops_room, round->nops + 1, sizeof *round->ops));
    round->ops[round->nops++] = (struct pcdf_op){ lane->walk.element, n, stage, lane->request };
    return NC_NOERR;
}

static int add_piece(struct pcdf_round *round, int64_t offset)
{
    size_t room = round->room;
    PCDF_TRY(pcdf_array_reserve((void **)&round->offset, &room, round->n + 1, sizeof *round->offset));
    PCDF_TRY(pcdf_array_reserve((void **)&round->length, &round->room, round->n + 1, sizeof *round->length));
    round->offset[round->n] = offset;
    round->length[round->n++] = 0;
    return NC_NOERR;
}

/* Takes what fits of the lane's block. *nbytes 0: the round is full. */
static int take_block(struct pcdf_round *round, const struct pcdf_round_limits *limits,
                      const struct pcdf_lane *lane, int64_t *nbytes)
{
    const struct pcdf_walk *walk = &lane->walk;
    int64_t end = round->n ? round->offset[round->n - 1] + round->length[round->n - 1] : -1;
    int64_t known = 0; /* bytes of the block that the last piece holds already */
    *nbytes = 0;
    if (walk->offset < end)
        known = end - walk->offset < walk->run ? end - walk->offset : walk->run;
    int64_t fresh = (limits->bytes - round->nbytes) / walk->xsize * walk->xsize;
    if (fresh > walk->run - known)
        fresh = walk->run - known;
    if (round->nops >= limits->pieces)
        fresh = 0;
    if (walk->offset > end && (fresh == 0 || round->n == limits->pieces))
        return NC_NOERR;
    if (known + fresh == 0)
        return NC_NOERR;
    if (walk->offset > end) {
        PCDF_TRY(add_piece(round, walk->offset));
        end = walk->offset;
    }
    PCDF_TRY(add_op(round, lane, known + fresh, round->nbytes - (end - walk->offset)));
    round->overlaps |= known > 0;
    round->length[round->n - 1] += fresh;
    round->nbytes += fresh;
    *nbytes = known + fresh;
    return NC_NOERR;
}

int pcdf_plan_round(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *round)
{
    round->n = round->nops = 0;
    round->nbytes = 0;
    round->overlaps = false;
    for (;;) {
        int64_t nbytes;
        PCDF_TRY(reach(plan));
        if (plan->nlanes == 0)
            return NC_NOERR;
        PCDF_TRY(take_block(round, limits, &plan->lanes[0], &nbytes));
        if (nbytes == 0)
            return NC_NOERR;
        advance(plan, nbytes);
    }
}

bool pcdf_plan_is_done(const struct pcdf_plan *plan)
{
    return plan->nlanes == 0 && plan->next == plan->nitems;
}

void pcdf_plan_rewind(struct pcdf_plan *plan)
{
    plan->nlanes = 0;
    plan->next = 0;
}

int pcdf_plan_survey(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *first,
                     struct pcdf_survey *survey)
{
    int64_t end = -1;
    *survey = (struct pcdf_survey){ 0 };
    while (!pcdf_plan_is_done(plan)) {
        PCDF_TRY(pcdf_plan_round(plan, limits, first));
        survey->rounds++;
        survey->nbytes += first->nbytes;
        survey->pieces += (int64_t)first->n - (first->offset[0] == end);
        end = first->offset[first->n - 1] + first->length[first->n - 1];
    }
    if (survey->rounds < 2)
        return NC_NOERR;
    pcdf_plan_rewind(plan);
    return pcdf_plan_round(plan, limits, first);
}

void pcdf_plan_free(struct pcdf_plan *plan)
{
    for (size_t i = 0; i < plan->lanes_room; i++)
        pcdf_free(plan->lanes[i].walk.loops);
    pcdf_free(plan->lanes);
    pcdf_free(plan->items);
    memset(plan, 0, sizeof *plan);
}

void pcdf_round_free(struct pcdf_round *round)
{
    pcdf_free(round->offset);
    pcdf_free(round->length);
    pcdf_free(round->ops);
    memset(round, 0, sizeof *round);
}

/* ---- staged bytes */

/* The order in which the requests were posted, and their hyperslabs given. */
static int op_order(const void *a, const void *b)
{
    const struct pcdf_op *x = a, *y = b;
    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

void pcdf_round_pack(const struct pcdf_plan *plan, struct pcdf_round *round, unsigned char *stage)
{
    if (round->overlaps) /* then the later one must come last */
        qsort(round->ops, round->nops, sizeof *round->ops, op_order);
    for (size_t i = 0; i < round->nops; i++) {
        const struct pcdf_op *op = &round->ops[i];
        pcdf_request_pack(plan->requests[op->request], place_of(plan, op->request), op->element, op->n,
                          stage + op->stage);
    }
}

void pcdf_round_unpack(const struct pcdf_plan *plan, const struct pcdf_round *round,
                       const unsigned char *stage)
{
    for (size_t i = 0; i < round->nops; i++) {
        const struct pcdf_op *op = &round->ops[i];
        pcdf_request_unpack(plan->requests[op->request], place_of(plan, op->request), op->element, op->n,
                            stage + op->stage);
    }
}
