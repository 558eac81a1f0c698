/* See plan.h. A sweep over the file (sweep.h), of which a peek takes what its limits have room for. Items
 * that are one block, while no lane is on the way and the next item does not begin before they end, need no
 * lane. */
#include "plan.h"
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "chunkpart.h"
#include "status.h"
#include "sweep.h"

enum {
    RESERVED = 4096,
    GROWTH = 4,
    DIRECT = 64 /* times the limit of bytes may lie in one block that is not staged */
};

/* ---- building */

/* The item of a hyperslab, and its number of elements. */
static inline int64_t make_item(struct pcdf_item *item, const struct pcdf_slab *slab,
                                const struct pcdf_var_layout *layout, int number)
{
    int64_t offset = layout->begin, n = 1, block = layout->xsize;
    bool is_block = true;
    for (int i = layout->ndims - 1; i >= 0; i--) {
        int64_t count = slab->count ? slab->count[i] : 1;
        if (count == 0)
            return 0; /* it may begin anywhere, also where no number leads */
        offset += slab->start[i] * layout->step[i];
        if (count == 1)
            continue; /* its stride may be as large as it likes */
        is_block = is_block && layout->step[i] * (slab->stride ? slab->stride[i] : 1) == block;
        block *= count;
        n *= count;
    }
    item->offset = offset;
    item->shape = is_block && block <= INT_MAX ? (int)block : -number;
    return n;
}

/* The items of a request of a chunked variable: one for each chunk that a hyperslab touches. */
static __attribute__((noinline)) bool add_parts(struct pcdf_plan *plan, int request)
{
    const struct pcdf_request *r = plan->requests[request];
    const struct pcdf_var_layout *layout = &plan->layouts[r->layout];
    const int shift = __builtin_ctzll((unsigned long long)layout->xsize);
    struct pcdf_item *last = NULL, *next = &plan->items[plan->nitems];
    int64_t element = 0, before = plan->nitems > 0 ? next[-1].offset : INT64_MIN;
    bool in_order = true;
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, i);
        struct pcdf_chunk_part part;
        bool has_part = pcdf_slab_elements(&slab, layout->ndims) > 0;
        if (has_part)
            pcdf_chunk_part_first(&part, &slab, layout);
        for (; has_part; has_part = pcdf_chunk_part_next(&part, &slab, layout)) {
            int64_t block = pcdf_chunk_part_block(&part, &slab, layout);
            bool is_block = block > 0 && block <= INT_MAX;
            *next = (struct pcdf_item){ part.offset, element + part.element, request,
                                        is_block ? (int)block : -i };
            if (last && last->shape > 0 && is_block && last->offset + last->shape == next->offset &&
                last->element + (last->shape >> shift) == next->element &&
                last->shape <= INT_MAX - next->shape) { /* it goes on, in the file and in the request */
                last->shape += next->shape;
                continue;
            }
            if (!is_block && layout->ndims > plan->max_ndims)
                plan->max_ndims = layout->ndims;
            in_order = in_order && before <= next->offset;
            before = next->offset;
            last = next++;
        }
        element += pcdf_slab_elements(&slab, layout->ndims);
    }
    plan->nitems = (size_t)(next - plan->items);
    plan->iterator.nbytes += r->nelems * layout->xsize;
    return in_order;
}

/* So many more items, up to as many as no memory has. */
static inline size_t more_items(size_t before, size_t more)
{
    const size_t most = SIZE_MAX / sizeof(struct pcdf_item) - 1;
    return more < most - before ? before + more : most;
}

/* Items that the requests have at most, where some variables are chunked. */
static __attribute__((noinline)) size_t count_parts(const struct pcdf_plan *plan, int n)
{
    size_t parts = 0;
    for (int i = 0; i < n; i++) {
        const struct pcdf_request *r = plan->requests[i];
        const struct pcdf_var_layout *layout = &plan->layouts[r->layout];
        if (!layout->cells)
            parts = more_items(parts, (size_t)r->num);
        for (int k = 0; layout->cells && k < r->num; k++) {
            struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, k);
            parts = more_items(parts, pcdf_chunk_parts_count(&slab, layout));
        }
    }
    return parts;
}

/* The items of one request. Returns whether they are still in order. */
static inline __attribute__((always_inline)) bool add_items(struct pcdf_plan *plan, int request)
{
    const struct pcdf_request *r = plan->requests[request];
    const struct pcdf_var_layout *layout = &plan->layouts[r->layout];
    struct pcdf_item *last = NULL, *next = &plan->items[plan->nitems];
    int64_t element = 0, before = plan->nitems > 0 ? next[-1].offset : INT64_MIN;
    bool in_order = true;
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, i);
        int64_t n = make_item(next, &slab, layout, i);
        if (n == 0)
            continue;
        next->element = element;
        next->request = request;
        element += n;
        if (last && last->shape > 0 && next->shape > 0 && last->offset + last->shape == next->offset &&
            last->shape <= INT_MAX - next->shape) { /* the block goes on, in the file and in the request */
            last->shape += next->shape;
            continue;
        }
        if (next->shape <= 0 && layout->ndims > plan->max_ndims)
            plan->max_ndims = layout->ndims;
        in_order = in_order && before <= next->offset;
        before = next->offset;
        last = next++;
    }
    plan->nitems = (size_t)(next - plan->items);
    plan->iterator.nbytes += r->nelems * layout->xsize;
    return in_order;
}

/* The items of all requests, where some variables are chunked. */
static __attribute__((noinline)) bool add_mixed(struct pcdf_plan *plan, int n)
{
    bool in_order = true;
    for (int i = 0; i < n; i++)
        in_order &= plan->layouts[plan->requests[i]->layout].cells ? add_parts(plan, i) : add_items(plan, i);
    return in_order;
}

/* Room for `need` pieces and as many ops, which stand behind them. One of each has room in the plan. It grows
 * to what the peek may be given in few steps, as each takes new memory, page by page; ops may be more. */
static int grow(struct pcdf_peeked *given, size_t need)
{
    size_t room = given->room < given->most / GROWTH ? given->room * GROWTH : given->most;
    if (room <= given->room)
        room = given->room + given->room / 2;
    room = room < need ? need : room;
    struct pcdf_piece *pieces = pcdf_malloc(room * (sizeof *pieces + sizeof *given->ops));
    if (!pieces)
        return PCDF_FAIL(NC_ENOMEM, "no memory to look at %zu pieces", room);
    struct pcdf_op *ops = (struct pcdf_op *)(pieces + room);
    memcpy(pieces, given->pieces, given->n * sizeof *pieces);
    memcpy(ops, given->ops, given->nops * sizeof *ops);
    if (given->pieces != &given->piece)
        pcdf_free(given->pieces);
    given->pieces = pieces;
    given->ops = ops;
    given->room = room;
    return NC_NOERR;
}

static int64_t plan_next(void *context, int64_t from);
static int plan_peek(void *context, const struct pcdf_batch_limits *limits, struct pcdf_batch *batch);
static void plan_copy(void *context, char *bytes);

int pcdf_plan_build(struct pcdf_plan *plan, enum pcdf_dir dir, struct pcdf_request *const *requests, int n,
                    const struct pcdf_var_layouts *layouts)
{
    struct pcdf_iterator *all = &plan->iterator;
    const bool has_chunks = layouts->has_chunks;
    bool in_order = true;
    size_t slabs = 0;
    *plan = (struct pcdf_plan){
        .iterator = { dir, 0, 0, INT64_MAX, 0, plan, plan_next, plan_peek, plan_copy },
        .file_end = INT64_MAX,
        .requests = requests,
        .layouts = layouts->x,
        .peeked = { .pieces = &plan->peeked.piece, .ops = &plan->peeked.op, .room = 1 },
    };
    for (int i = 0; !has_chunks && i < n; i++)
        slabs += (size_t)requests[i]->num;
    if (has_chunks)
        slabs = count_parts(plan, n);
    plan->items = slabs <= 1 ? &plan->single : pcdf_malloc((more_items(slabs, 0) + 1) * sizeof *plan->items);
    if (!plan->items)
        return PCDF_FAIL(NC_ENOMEM, "no memory to plan %zu hyperslabs", slabs);
    if (has_chunks)
        in_order = add_mixed(plan, n);
    for (int i = 0; !has_chunks && i < n; i++)
        in_order &= add_items(plan, i);
    int err = in_order ? NC_NOERR : pcdf_items_sort(plan->items, plan->nitems);

    /* From where to where the items lie, and how many pieces they are, without a walk. */
    for (size_t i = 0; i < plan->nitems; i++) {
        const struct pcdf_item *item = &plan->items[i];
        int64_t blocks = 1, end = item->offset + item->shape;
        if (item->shape <= 0)
            end = pcdf_item_end(plan, item, &blocks);
        all->pieces += blocks - (i > 0 && item->offset == all->end);
        plan->overlaps_possible |= item->offset < all->end;
        all->end = end > all->end ? end : all->end;
    }
    plan->sweep_to = all->begin = plan->nitems > 0 ? plan->items[0].offset : INT64_MAX;

    if (!err && all->pieces > 1)
        err = grow(&plan->peeked, all->pieces < RESERVED ? (size_t)all->pieces : RESERVED);
    if (!err && (plan->max_ndims > 0 || plan->overlaps_possible))
        err = pcdf_sweep_grow(plan);
    if (err)
        pcdf_plan_free(plan);
    return err;
}

bool pcdf_plan_is_of_owner(const struct pcdf_plan *plan, int owner, int owners)
{
    bool is_all = owner >= 0;
    for (size_t i = 0; is_all && i < plan->nitems; i++) {
        const struct pcdf_item *item = &plan->items[i];
        const struct pcdf_cells *cells = plan->layouts[plan->requests[item->request]->layout].cells;
        int64_t at = cells ? item->offset % cells->cell : 0;
        /* It goes on in the next cell. */
        bool is_long = cells && item->shape > 0 && item->shape > cells->cell - at;
        is_all = !cells || (item->offset / cells->cell % owners == owner && (!is_long || owners == 1));
    }
    return is_all;
}

void pcdf_plan_free(struct pcdf_plan *plan)
{
    struct pcdf_peeked *given = &plan->peeked;
    if (plan->items != &plan->single)
        pcdf_free(plan->items);
    if (plan->walks)
        pcdf_free(plan->walks);
    if (plan->ends)
        pcdf_free(plan->ends);
    if (given->pieces != &given->piece)
        pcdf_free(given->pieces);
    plan->items = NULL;
}

/* ---- giving */

struct cut { /* a peek that is being answered */
    const struct pcdf_batch_limits *limits;
    struct pcdf_peeked *given;
    int64_t end; /* of the last piece; -1: none */
    int64_t asked;
    size_t used;         /* pieces or ops, whichever are more */
    struct pcdf_op next; /* what would go on where the last op ends */
};

/* n elements at `offset`; what the pieces so far hold lies before cut->end. */
static inline __attribute__((always_inline)) int add_block(struct cut *cut, int request, int64_t element,
                                                           int64_t n, int64_t offset, int64_t nbytes)
{
    struct pcdf_peeked *given = cut->given;
    int64_t end = offset + nbytes, fresh = offset > cut->end ? nbytes : end - cut->end;
    int64_t position = offset - given->from;
    if (given->is_packed)
        position = given->nbytes - (offset < cut->end ? cut->end - offset : 0);
    bool goes_on =
        cut->next.request == request && cut->next.element == element && cut->next.position == position;
    if (cut->used == given->room && (!goes_on || offset > cut->end))
        PCDF_TRY(grow(given, given->room + 1));
    if (goes_on)
        given->ops[given->nops - 1].n += n;
    else
        given->ops[given->nops++] = (struct pcdf_op){ element, n, position, request };
    cut->next = (struct pcdf_op){ element + n, 0, position + nbytes, request };
    cut->asked += nbytes;
    if (offset > cut->end) {
        given->pieces[given->n++] = (struct pcdf_piece){ offset, 0, NULL };
    } else if (offset < cut->end) {
        given->overlaps = true;
    }
    if (fresh > 0) {
        given->pieces[given->n - 1].length += fresh;
        given->nbytes += fresh;
        cut->end = end;
    }
    cut->used = given->n > given->nops ? given->n : given->nops;
    return NC_NOERR;
}

/* Items that need no lane and fit as they are. */
static int take_items(struct pcdf_plan *plan, struct cut *cut)
{
    const struct pcdf_batch_limits *limits = cut->limits;
    for (; plan->next < plan->nitems; plan->next++) {
        const struct pcdf_item *item = &plan->items[plan->next];
        bool is_alone = plan->next + 1 == plan->nitems || item[1].offset >= item->offset + item->shape;
        if (item->shape <= 0 || !is_alone || item->offset < cut->end || item->offset >= limits->to ||
            item->shape > limits->to - item->offset || item->shape > limits->bytes - cut->given->nbytes ||
            cut->used >= limits->pieces)
            return NC_NOERR;
        const struct pcdf_request *r = plan->requests[item->request];
        int shift = __builtin_ctzll((unsigned long long)plan->layouts[r->layout].xsize);
        PCDF_TRY(
            add_block(cut, item->request, item->element, item->shape >> shift, item->offset, item->shape));
    }
    return NC_NOERR;
}

/* Whole blocks of a lane that is alone, as long as they lie before `to` and before the next item: the usual
 * case of the rows of a regular hyperslab. */
static int take_rows(struct pcdf_plan *plan, struct cut *cut)
{
    struct pcdf_walk *walk = &plan->walks[plan->lanes[0].slot];
    const int64_t block = walk->block, elements = block >> walk->shift;
    int64_t to = cut->limits->to, bytes = cut->limits->bytes - cut->given->nbytes;
    if (walk->nloops == 0 || walk->run != block || walk->offset <= cut->end)
        return NC_NOERR;
    if (plan->next < plan->nitems && plan->items[plan->next].offset < to)
        to = plan->items[plan->next].offset;
    struct pcdf_loop *loop = &walk->loops[walk->nloops - 1];
    const int64_t next = elements + loop->skip;
    for (; loop->at + 1 < loop->count && walk->offset <= to - block && block <= bytes; loop->at++) {
        if (cut->used >= cut->limits->pieces)
            break;
        PCDF_TRY(add_block(cut, plan->lanes[0].request, walk->element, elements, walk->offset, block));
        bytes -= block;
        walk->offset += loop->step;
        walk->element += next;
    }
    plan->lanes[0].offset = walk->offset;
    return NC_NOERR;
}

/* User memory holds the values as the file does, one behind the other. */
static bool is_dense(const struct pcdf_request *r)
{
    return !r->spread && (r->is_external || r->converter->is_copy);
}

/* How many bytes the peek has room for. Its bytes are those of a stage, which a first block that goes from
 * user memory does not need: it becomes a piece of many times that, because a call of the system for each
 * stage would only cost time. Nothing may join it there: where hyperslabs overlap it is staged. */
static int64_t room_of(const struct pcdf_plan *plan, const struct cut *cut)
{
    int64_t bytes = cut->limits->bytes, room = bytes - cut->given->nbytes;
    if (cut->used == 0 && cut->limits->packed && !cut->limits->always && !plan->overlaps_possible &&
        bytes <= INT64_MAX / DIRECT && is_dense(plan->requests[plan->lanes[0].request]))
        room = bytes * DIRECT;
    return room > 0 ? room : 0;
}

/* Whole elements of the room. Of a block that is longer it ends with the first element that reaches a
 * multiple of the limits' cut; 0: none does. */
static int64_t cut_room(const struct pcdf_batch_limits *limits, const struct pcdf_walk *walk, int64_t room)
{
    const int64_t xsize = (int64_t)1 << walk->shift;
    if (limits->cut == 0 || walk->run <= room)
        return room & -xsize;
    int64_t over = (walk->offset % limits->cut + room % limits->cut) % limits->cut;
    int64_t n = over < room ? (room - over + xsize - 1) & -xsize : 0;
    return n <= room ? n : room & -xsize;
}

/* Takes what fits of the block on top. *nbytes 0: there is no more room. What the pieces hold already is
 * taken in any case, so that all that begins before their end was given; but no element goes behind `bytes`
 * (damaged files may have variables that overlap by parts of elements). */
static int take_block(struct pcdf_plan *plan, struct cut *cut, int64_t *nbytes)
{
    const struct pcdf_walk *walk = &plan->walks[plan->lanes[0].slot];
    int64_t xsize = (int64_t)1 << walk->shift, known = cut->end > walk->offset ? cut->end - walk->offset : 0;
    int64_t room = cut->used >= cut->limits->pieces ? 0 : room_of(plan, cut);
    int64_t fresh = cut_room(cut->limits, walk, room);
    known = (known + (cut->given->is_packed ? 0 : xsize - 1)) & -xsize;
    *nbytes = fresh < walk->run - known ? known + fresh : walk->run;
    if (*nbytes > cut->limits->to - walk->offset)
        *nbytes = (cut->limits->to - walk->offset + xsize - 1) & -xsize;
    if (*nbytes == 0)
        return NC_NOERR;
    PCDF_TRY(
        add_block(cut, plan->lanes[0].request, walk->element, *nbytes >> walk->shift, walk->offset, *nbytes));
    pcdf_sweep_take(plan, *nbytes);
    return NC_NOERR;
}

static int plan_peek(void *context, const struct pcdf_batch_limits *limits, struct pcdf_batch *batch)
{
    struct pcdf_plan *plan = context;
    struct pcdf_peeked *given = &plan->peeked;
    struct cut cut = { .limits = limits, .given = given, .end = -1, .next.request = -1 };
    int64_t nbytes = 1;
    given->n = given->nops = 0;
    given->most = limits->pieces;
    given->nbytes = 0;
    given->from = limits->from;
    given->is_packed = limits->packed;
    given->streams = limits->streams;
    given->again = limits->again;
    given->overlaps = given->is_direct = false;
    if (limits->from < plan->sweep_from || limits->from > plan->sweep_to)
        PCDF_TRY(pcdf_sweep_seek(plan, limits->from));
    plan->sweep_to = -1; /* should memory fail */
    while (nbytes > 0) {
        if (plan->nlanes == 0)
            PCDF_TRY(take_items(plan, &cut));
        if (plan->nlanes == 1)
            PCDF_TRY(take_rows(plan, &cut));
        if (plan->next < plan->nitems)
            PCDF_TRY(pcdf_sweep_reach(plan));
        if (plan->nlanes == 0 || plan->lanes[0].offset >= limits->to)
            break;
        PCDF_TRY(take_block(plan, &cut, &nbytes));
    }

    /* Packed pieces are one behind the other, or in dense user memory, where that holds them as the file
     * does. */
    if (limits->packed && given->n > 0) {
        const struct pcdf_op *op = given->ops;
        const struct pcdf_request *r = plan->requests[op->request];
        char *at = limits->packed;
        given->is_direct = given->nops == 1 && !limits->always && is_dense(r);
        assert(given->is_direct || given->nbytes <= limits->bytes);
        if (given->is_direct)
            at = r->base + op->element * r->converter->xsize;
        for (size_t i = 0; i < given->n; at += given->pieces[i++].length)
            given->pieces[i].data = at;
    }

    int64_t next = plan->nlanes > 0 ? plan->lanes[0].offset : INT64_MAX; /* before the next item */
    int64_t before = next < limits->to ? next : limits->to;
    *batch = (struct pcdf_batch){ given->pieces, given->n, given->nbytes, cut.asked, next };
    plan->sweep_from = before > limits->from ? before : limits->from;
    plan->sweep_to = next;
    return NC_NOERR;
}

/* Without memory for it `from`; the peek there will fail. */
static int64_t plan_next(void *context, int64_t from)
{
    struct pcdf_plan *plan = context;
    return pcdf_sweep_seek(plan, from) ? from : plan->sweep_to;
}

/* ---- copying */

/* The order in which the requests were posted, and their hyperslabs given. */
static int op_order(const void *a, const void *b)
{
    const struct pcdf_op *x = a, *y = b;
    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

/* How many of the bytes that were given lie before the end of the file. They rise, so the end of them is
 * missing. */
static int64_t bytes_there(const struct pcdf_plan *plan)
{
    const struct pcdf_peeked *given = &plan->peeked;
    int64_t there = 0, end = plan->file_end;
    if (!given->is_packed)
        return end > given->from ? end - given->from : 0;
    for (size_t i = 0; i < given->n && given->pieces[i].offset < end; i++) {
        int64_t left = end - given->pieces[i].offset;
        there += left < given->pieces[i].length ? left : given->pieces[i].length;
    }
    return there;
}

/* Elements that the file does not hold whole become fill values. */
static void fill_missing(const struct pcdf_plan *plan, char *bytes)
{
    int64_t there = bytes_there(plan);
    for (const struct pcdf_op *op = plan->peeked.ops; op < plan->peeked.ops + plan->peeked.nops; op++) {
        struct pcdf_request *request = plan->requests[op->request];
        struct pcdf_var_layout *layout = &plan->layouts[request->layout];
        int64_t first = there > op->position ? (there - op->position) / layout->xsize : 0;
        for (int64_t i = first; i < op->n; i++)
            memcpy(bytes + op->position + i * layout->xsize, pcdf_var_layout_fill(layout),
                   (size_t)layout->xsize);
        request->is_cut |= first < op->n;
    }
}

static void plan_copy(void *context, char *bytes)
{
    struct pcdf_plan *plan = context;
    struct pcdf_peeked *given = &plan->peeked;
    bool puts = plan->iterator.dir == PCDF_PUT;
    if (given->is_direct)
        bytes = given->pieces[0].data;
    if (plan->iterator.end > plan->file_end)
        fill_missing(plan, bytes);
    if (given->is_direct)
        return;
    if (puts && given->overlaps) /* then the later one must come last */
        qsort(given->ops, given->nops, sizeof *given->ops, op_order);
    for (size_t i = 0; i < given->nops; i++) {
        const struct pcdf_op *op = &given->ops[i];
        struct pcdf_request *r = plan->requests[op->request];
        unsigned char *at = (unsigned char *)bytes + op->position;
        bool out_of_range =
            puts ? pcdf_request_pack(r, plan->layouts[r->layout].fill, op->element, op->n, given->streams, at)
                 : pcdf_request_unpack(r, op->element, op->n, at);
        if (out_of_range && !given->again)
            pcdf_misfits_count(&plan->misfits, op->request, r, op->element, op->n, puts ? NULL : at);
    }
    if (given->streams)
        pcdf_convert_stream_end();
}
