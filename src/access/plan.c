/* See plan.h. A sweep over the file (sweep.h), cut into rounds or windows. Items that are one block, while no
 * lane is on the way and the next item does not begin before they end, need no lane. */
#include "plan.h"
#include <limits.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "status.h"
#include "sweep.h"

/* ---- building */

static size_t count_slabs(struct pcdf_request *const *requests, int n)
{
    size_t slabs = 0;
    for (int i = 0; i < n; i++)
        slabs += (size_t)requests[i]->num;
    return slabs;
}

/* The item of a hyperslab, and its number of elements. */
static inline int64_t make_item(struct pcdf_item *item, const struct pcdf_slab *slab,
                                const struct pcdf_var_layout *place, int number)
{
    int64_t offset = place->begin, n = pcdf_slab_elements(slab, place->ndims), block = place->xsize;
    bool is_block = true;
    if (n == 0)
        return 0; /* it may begin anywhere, also where no number leads */
    for (int i = place->ndims - 1; i >= 0; i--) {
        int64_t count = slab->count ? slab->count[i] : 1;
        offset += slab->start[i] * place->step[i];
        if (count <= 1)
            continue; /* whatever the stride says */
        is_block = is_block && place->step[i] * (slab->stride ? slab->stride[i] : 1) == block;
        block *= count;
    }
    item->offset = offset;
    item->shape = is_block && block <= INT_MAX ? (int)block : -number;
    return n;
}

/* Is `item` the block's continuation, in the file and in the request? (Elements follow each other anyway.) */
static bool continues(const struct pcdf_item *last, const struct pcdf_item *item)
{
    return last->shape > 0 && item->shape > 0 && last->offset + last->shape == item->offset &&
           last->shape <= INT_MAX - item->shape;
}

/* Returns whether the items are still in order. */
static bool add_items(struct pcdf_plan *plan, int request)
{
    const struct pcdf_request *r = plan->requests[request];
    const struct pcdf_var_layout *place = pcdf_plan_var_layout(plan, request);
    struct pcdf_item *last = NULL, *next = &plan->items[plan->nitems];
    int64_t element = 0, before = plan->nitems > 0 ? next[-1].offset : INT64_MIN;
    bool in_order = true;
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, place->ndims, i);
        int64_t n = make_item(next, &slab, place, i);
        if (n == 0)
            continue;
        next->element = element;
        next->request = request;
        element += n;
        if (last && continues(last, next)) {
            last->shape += next->shape;
            continue;
        }
        if (next->shape <= 0 && place->ndims > plan->max_ndims)
            plan->max_ndims = place->ndims;
        in_order = in_order && before <= next->offset;
        before = next->offset;
        last = next++;
    }
    plan->nitems = (size_t)(next - plan->items);
    plan->nbytes += r->nelems * place->xsize;
    return in_order;
}

/* What a plan that was never built and one that was freed have in common with zeros, and no more: many small
 * calls pass here. */
static void make_empty(struct pcdf_plan *plan)
{
    plan->requests = NULL;
    plan->places = NULL;
    plan->nrequests = plan->max_ndims = 0;
    plan->nbytes = 0;
    plan->items = NULL;
    plan->nitems = plan->next = 0;
    plan->walks = NULL;
    plan->lanes = NULL;
    plan->nlanes = plan->lanes_room = 0;
    plan->settled_from = plan->settled_to = 0;
    plan->knows_ends = false;
    plan->ends = NULL;
}

int pcdf_plan_build(struct pcdf_plan *plan, struct pcdf_request *const *requests, int n,
                    const struct pcdf_var_layout *places)
{
    bool in_order = true;
    make_empty(plan);
    size_t slabs = count_slabs(requests, n);
    if (slabs == 0)
        return NC_NOERR;
    plan->items = slabs == 1 ? &plan->single : pcdf_malloc((slabs + 1) * sizeof *plan->items);
    if (!plan->items)
        return PCDF_FAIL(NC_ENOMEM, "no memory to plan %zu hyperslabs", slabs);
    plan->requests = requests;
    plan->places = places;
    plan->nrequests = n;
    for (int i = 0; i < n; i++)
        in_order &= add_items(plan, i);
    int err = in_order ? NC_NOERR : pcdf_items_sort(plan->items, plan->nitems);
    if (err)
        pcdf_plan_free(plan);
    else
        pcdf_plan_rewind(plan);
    return err;
}

void pcdf_plan_free(struct pcdf_plan *plan)
{
    pcdf_sweep_free(plan);
    if (plan->items != &plan->single)
        pcdf_free(plan->items);
    make_empty(plan);
}

static int64_t count_blocks(const struct pcdf_plan *plan, const struct pcdf_item *item)
{
    if (item->shape > 0)
        return 1;
    const struct pcdf_var_layout *place = pcdf_plan_var_layout(plan, item->request);
    struct pcdf_slab slab = pcdf_request_slab(plan->requests[item->request], place->ndims, -item->shape);
    return pcdf_slab_blocks(&slab, place);
}

void pcdf_plan_outline(const struct pcdf_plan *plan, struct pcdf_outline *outline)
{
    *outline = (struct pcdf_outline){ .nbytes = plan->nbytes };
    for (size_t i = 0; i < plan->nitems; i++) {
        const struct pcdf_item *item = &plan->items[i];
        int64_t end = pcdf_item_end(plan, item), blocks = count_blocks(plan, item);
        bool touches = i > 0 && item->offset == outline->end;
        outline->overlaps_possible |= item->offset < outline->end;
        outline->pieces += blocks - touches;
        if (end > outline->end)
            outline->end = end;
    }
    outline->begin = plan->nitems > 0 ? plan->items[0].offset : 0;
}

/* ---- cutting */

struct cut { /* a round or a window in the making */
    struct pcdf_round *round;
    bool counts_only;    /* the round's arrays stay as they are */
    size_t pieces;       /* limit */
    int64_t end;         /* of the last piece; -1: none */
    struct pcdf_op next; /* what would go on where the last op ends */
};

static void begin_cut(struct cut *cut, struct pcdf_round *round, size_t pieces)
{
    *cut = (struct cut){ .round = round, .pieces = pieces, .end = -1, .next = { .request = -1 } };
    round->n = round->nops = 0;
    round->nbytes = 0;
    round->overlaps = false;
    if (round->room == 0) {
        round->offset = &round->single.offset;
        round->length = &round->single.length;
        round->room = 1;
    }
    if (round->ops_room == 0) {
        round->ops = &round->single.op;
        round->ops_room = 1;
    }
}

/* Room for `need` elements; the first is in the round itself. */
static int grow(void **x, size_t *room, void *single, size_t need, size_t size)
{
    if (need <= *room)
        return NC_NOERR;
    if (*room == 0 && need == 1) {
        *x = single;
        *room = 1;
        return NC_NOERR;
    }
    if (*x != single)
        return pcdf_array_reserve(x, room, need, size);
    size_t more = need < 8 ? 8 : need;
    void *own = pcdf_malloc(more * size);
    if (!own)
        return NC_ENOMEM;
    memcpy(own, single, size);
    *x = own;
    *room = more;
    return NC_NOERR;
}

static int grow_pieces(struct pcdf_round *round, size_t need)
{
    size_t room = round->room;
    PCDF_TRY(grow((void **)&round->offset, &room, &round->single.offset, need, sizeof *round->offset));
    return grow((void **)&round->length, &round->room, &round->single.length, need, sizeof *round->length);
}

static int grow_ops(struct pcdf_round *round, size_t need)
{
    return grow((void **)&round->ops, &round->ops_room, &round->single.op, need, sizeof *round->ops);
}

int pcdf_round_reserve(struct pcdf_round *round, size_t n)
{
    PCDF_TRY(grow_ops(round, n));
    return grow_pieces(round, n);
}

static inline int add_op(struct cut *cut, const struct pcdf_op *op, int64_t nbytes)
{
    struct pcdf_round *round = cut->round;
    bool goes_on =
        cut->next.request == op->request && cut->next.element == op->element && cut->next.stage == op->stage;
    cut->next = (struct pcdf_op){ op->element + op->n, 0, op->stage + nbytes, op->request };
    if (goes_on) {
        if (!cut->counts_only)
            round->ops[round->nops - 1].n += op->n;
        return NC_NOERR;
    }
    if (!cut->counts_only) {
        if (round->nops == round->ops_room)
            PCDF_TRY(grow_ops(round, round->nops + 1));
        round->ops[round->nops] = *op;
    }
    round->nops++;
    return NC_NOERR;
}

/* The next block's bytes [offset, offset + nbytes), of which the pieces so far hold those before cut->end. */
static inline int add_piece(struct cut *cut, int64_t offset, int64_t nbytes)
{
    struct pcdf_round *round = cut->round;
    int64_t end = offset + nbytes, fresh = end - cut->end;
    if (offset > cut->end) {
        if (!cut->counts_only) {
            if (round->n == round->room)
                PCDF_TRY(grow_pieces(round, round->n + 1));
            round->offset[round->n] = offset;
            round->length[round->n] = 0;
        }
        round->n++;
        fresh = nbytes;
    } else if (offset < cut->end) {
        round->overlaps = true;
    }
    if (fresh <= 0)
        return NC_NOERR;
    if (!cut->counts_only)
        round->length[round->n - 1] += fresh;
    round->nbytes += fresh;
    cut->end = end;
    return NC_NOERR;
}

/* The item that comes next, when it needs no lane; else NULL. */
static inline const struct pcdf_item *plain_item(const struct pcdf_plan *plan)
{
    if (plan->nlanes > 0 || plan->next == plan->nitems)
        return NULL;
    const struct pcdf_item *item = &plan->items[plan->next];
    bool alone = plan->next + 1 == plan->nitems || item[1].offset >= item->offset + item->shape;
    return item->shape > 0 && alone ? item : NULL;
}

/* The whole of it. */
static inline int add_item(const struct pcdf_plan *plan, struct cut *cut, const struct pcdf_item *item,
                           int64_t stage)
{
    int shift = __builtin_ctzll((unsigned long long)pcdf_plan_var_layout(plan, item->request)->xsize);
    struct pcdf_op op = { item->element, item->shape >> shift, stage, item->request };
    PCDF_TRY(add_op(cut, &op, item->shape));
    return add_piece(cut, item->offset, item->shape);
}

/* Whole blocks of a lane that is alone, as long as they lie before `to` and before the next item: the usual
 * case of the rows of a regular hyperslab. At most nbytes bytes. from: where the window begins; -1: blocks
 * follow each other in the staged bytes. */
static int take_rows(struct pcdf_plan *plan, struct cut *cut, int64_t from, int64_t to, int64_t nbytes)
{
    struct pcdf_round *round = cut->round;
    if (plan->nlanes != 1 || pcdf_sweep_top(plan)->nloops == 0)
        return NC_NOERR;
    struct pcdf_walk *walk = pcdf_sweep_top(plan);
    struct pcdf_loop *loop = &walk->loops[walk->nloops - 1];
    const int64_t block = walk->block, elements = block >> walk->shift;
    if (walk->run != block || walk->offset <= cut->end)
        return NC_NOERR;
    if (plan->next < plan->nitems && plan->items[plan->next].offset < to)
        to = plan->items[plan->next].offset;
    for (; loop->at + 1 < loop->count && walk->offset + block <= to && block <= nbytes; loop->at++) {
        if (round->nops >= cut->pieces || round->n >= cut->pieces)
            break;
        struct pcdf_op op = { walk->element, elements, from < 0 ? round->nbytes : walk->offset - from,
                              plan->lanes[0].request };
        PCDF_TRY(add_op(cut, &op, block));
        PCDF_TRY(add_piece(cut, walk->offset, block));
        nbytes -= block;
        walk->offset += loop->step;
        walk->element += elements;
    }
    plan->lanes[0].offset = walk->offset;
    return NC_NOERR;
}

/* ---- rounds */

/* Items that need no lane and fit as they are. */
static int take_items(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct cut *cut)
{
    struct pcdf_round *round = cut->round;
    for (const struct pcdf_item *item; (item = plain_item(plan)); plan->next++) {
        if (item->shape > limits->bytes - round->nbytes || round->nops >= cut->pieces ||
            item->offset < cut->end || (item->offset > cut->end && round->n == cut->pieces))
            return NC_NOERR;
        PCDF_TRY(add_item(plan, cut, item, round->nbytes));
    }
    return NC_NOERR;
}

/* Takes what fits of the block on top. *nbytes 0: the round is full. */
static int take_block(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct cut *cut,
                      int64_t *nbytes)
{
    const struct pcdf_walk *walk = pcdf_sweep_top(plan);
    struct pcdf_round *round = cut->round;
    int64_t known = 0; /* bytes of the block that the last piece holds already */
    *nbytes = 0;
    if (walk->offset < cut->end)
        known = cut->end - walk->offset < walk->run ? cut->end - walk->offset : walk->run;
    int64_t fresh = (limits->bytes - round->nbytes) & -((int64_t)1 << walk->shift);
    if (fresh > walk->run - known)
        fresh = walk->run - known;
    if (round->nops >= cut->pieces || (walk->offset > cut->end && round->n == cut->pieces))
        fresh = 0;
    if (known + fresh == 0)
        return NC_NOERR;
    int64_t stage = round->nbytes - (walk->offset < cut->end ? cut->end - walk->offset : 0);
    struct pcdf_op op = { walk->element, (known + fresh) >> walk->shift, stage, plan->lanes[0].request };
    PCDF_TRY(add_op(cut, &op, known + fresh));
    PCDF_TRY(add_piece(cut, walk->offset, known + fresh));
    *nbytes = known + fresh;
    return NC_NOERR;
}

static int make_round(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct cut *cut)
{
    pcdf_sweep_unsettle(plan);
    for (;;) {
        int64_t nbytes;
        PCDF_TRY(take_items(plan, limits, cut));
        PCDF_TRY(take_rows(plan, cut, -1, INT64_MAX, limits->bytes - cut->round->nbytes));
        PCDF_TRY(pcdf_sweep_reach(plan));
        if (plan->nlanes == 0)
            break;
        PCDF_TRY(take_block(plan, limits, cut, &nbytes));
        if (nbytes == 0)
            break;
        pcdf_sweep_take(plan, nbytes);
    }
    pcdf_sweep_settle(plan, cut->end < 0 ? pcdf_sweep_at(plan) : cut->end);
    return NC_NOERR;
}

int pcdf_plan_round(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *round)
{
    struct cut cut;
    begin_cut(&cut, round, limits->pieces);
    return make_round(plan, limits, &cut);
}

bool pcdf_plan_is_done(const struct pcdf_plan *plan)
{
    return plan->nlanes == 0 && plan->next == plan->nitems;
}

void pcdf_plan_rewind(struct pcdf_plan *plan)
{
    plan->nlanes = 0;
    plan->next = 0;
    pcdf_sweep_settle(plan, 0);
}

/* The rounds behind the first one, which ends at `end`. */
static int count_rounds(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, int64_t end,
                        struct pcdf_survey *survey)
{
    struct pcdf_round round = { 0 };
    struct cut cut;
    while (!pcdf_plan_is_done(plan)) {
        bool touches = pcdf_sweep_at(plan) == end;
        begin_cut(&cut, &round, limits->pieces);
        cut.counts_only = true;
        PCDF_TRY(make_round(plan, limits, &cut));
        survey->rounds++;
        survey->nbytes += round.nbytes;
        survey->pieces += (int64_t)round.n - touches;
        end = cut.end;
    }
    return NC_NOERR;
}

/* Rounds end cleanly, so the sweep can go back to where the first one ended. */
int pcdf_plan_survey(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *first,
                     struct pcdf_survey *survey)
{
    struct cut cut;
    *survey = (struct pcdf_survey){ 0 };
    if (pcdf_plan_is_done(plan))
        return NC_NOERR;
    begin_cut(&cut, first, limits->pieces);
    PCDF_TRY(make_round(plan, limits, &cut));
    *survey = (struct pcdf_survey){ 1, (int64_t)first->n, first->nbytes };
    if (pcdf_plan_is_done(plan))
        return NC_NOERR;
    int64_t end = cut.end;
    PCDF_TRY(count_rounds(plan, limits, end, survey));
    return pcdf_sweep_seek(plan, end);
}

void pcdf_round_free(struct pcdf_round *round)
{
    if (round->offset != &round->single.offset)
        pcdf_free(round->offset);
    if (round->length != &round->single.length)
        pcdf_free(round->length);
    if (round->ops != &round->single.op)
        pcdf_free(round->ops);
    round->offset = round->length = NULL;
    round->ops = NULL;
    round->n = round->room = round->nops = round->ops_room = 0;
    round->nbytes = 0;
}

/* ---- windows */

static bool is_full(const struct cut *cut, int64_t offset)
{
    return offset >= cut->end &&
           (cut->round->nops >= cut->pieces || (offset > cut->end && cut->round->n >= cut->pieces));
}

static int window_items(struct pcdf_plan *plan, int64_t from, int64_t to, struct cut *cut)
{
    for (const struct pcdf_item *item; (item = plain_item(plan)); plan->next++) {
        if (item->offset >= to || item->shape > to - item->offset || is_full(cut, item->offset))
            return NC_NOERR;
        PCDF_TRY(add_item(plan, cut, item, item->offset - from));
    }
    return NC_NOERR;
}

static int window_block(struct pcdf_plan *plan, int64_t from, int64_t to, struct cut *cut)
{
    const struct pcdf_walk *walk = pcdf_sweep_top(plan);
    int64_t xsize = (int64_t)1 << walk->shift, nbytes = walk->run;
    if (nbytes > to - walk->offset) /* whole elements, the last may end behind */
        nbytes = (to - walk->offset + xsize - 1) & -xsize;
    struct pcdf_op op = { walk->element, nbytes >> walk->shift, walk->offset - from, plan->lanes[0].request };
    PCDF_TRY(add_op(cut, &op, nbytes));
    PCDF_TRY(add_piece(cut, walk->offset, nbytes));
    pcdf_sweep_take(plan, nbytes);
    return NC_NOERR;
}

int pcdf_plan_window(struct pcdf_plan *plan, int64_t from, int64_t to, size_t pieces,
                     struct pcdf_round *round, int64_t *next)
{
    struct cut cut;
    begin_cut(&cut, round, pieces);
    PCDF_TRY(pcdf_sweep_seek(plan, from));
    pcdf_sweep_unsettle(plan);
    for (;;) {
        PCDF_TRY(window_items(plan, from, to, &cut));
        PCDF_TRY(take_rows(plan, &cut, from, to, INT64_MAX));
        PCDF_TRY(pcdf_sweep_reach(plan));
        if (plan->nlanes == 0 || plan->lanes[0].offset >= to || is_full(&cut, plan->lanes[0].offset))
            break;
        PCDF_TRY(window_block(plan, from, to, &cut));
    }
    *next = pcdf_sweep_at(plan);
    int64_t given = *next < to ? *next : to;
    pcdf_sweep_settle(plan, given > from ? given : from);
    return NC_NOERR;
}

int64_t pcdf_plan_next(struct pcdf_plan *plan, int64_t from)
{
    return pcdf_sweep_seek(plan, from) ? from : pcdf_sweep_at(plan);
}
