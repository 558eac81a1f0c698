/* See chunked.h. Values that need no more than a change of byte order go straight to the user's memory;
 * others are taken from the storage's stage, and converted, or put where the memory wants them, on the way.
 * These are two calls of the storage; so that no chunk is decoded in both, all gets of a variable go the same
 * way. */

#include "chunked.h"
#include "alloc.h"
#include "items.h"
#include "numbers.h"
#include "status.h"

enum { BATCH = 1 << 16, BATCH_BOUNDS = 24 * BATCH }; /* boxes in one storage call; their bounds */

struct batch {
    const struct pcdf_chunked_gets *gets;
    struct pcdf_misfits *misfits;
    struct pcdf_item single, *items; /* sorted: those of one chunk meet */
    size_t nitems;
    struct pcdf_boxes boxes;
    struct pcdf_box *box;          /* room for BATCH, or for all */
    const struct pcdf_item **item; /* the item of each box */
    int64_t *bounds;               /* starts, counts, strides of each */
    size_t most, nbounds, most_bounds;
    bool *is_taken; /* by layout: some get of it converts */
};

/* Of how many numbers the bounds of a box of this variable are. */
static size_t bounds_of(const struct pcdf_var_layout *layout)
{
    return 3 * (size_t)layout->ndims;
}

static const struct pcdf_var_layout *layout_of(const struct pcdf_chunked_gets *gets,
                                               const struct pcdf_request *r)
{
    return &gets->layouts->x[r->layout];
}

void pcdf_chunked_count(const struct pcdf_chunked_gets *gets, int64_t *slabs, int64_t *nbytes)
{
    *slabs = *nbytes = 0;
    for (int i = 0; i < gets->n; i++) {
        const struct pcdf_request *r = gets->requests[i];
        const struct pcdf_var_layout *layout = layout_of(gets, r);
        *nbytes += r->nelems * layout->xsize;
        for (int k = 0; k < r->num; k++) {
            struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, k);
            *slabs += pcdf_slab_elements(&slab, layout->ndims) > 0;
        }
    }
}

/* ---- hyperslabs in the order of a file */

/* Returns whether they are still in order. */
static bool add_items(struct batch *b, int number)
{
    const struct pcdf_request *r = b->gets->requests[number];
    const struct pcdf_var_layout *layout = layout_of(b->gets, r);
    int64_t element = 0;
    bool in_order = true;
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, i);
        int64_t n = pcdf_slab_elements(&slab, layout->ndims), offset = layout->begin;
        if (n == 0)
            continue;
        for (int k = 0; k < layout->ndims; k++)
            offset += slab.start[k] * layout->step[k];
        in_order &= b->nitems == 0 || b->items[b->nitems - 1].offset <= offset;
        b->items[b->nitems++] = (struct pcdf_item){ offset, element, number, -i };
        b->most_bounds += bounds_of(layout);
        if (b->most_bounds > BATCH_BOUNDS) /* which is more than one box has */
            b->most_bounds = BATCH_BOUNDS;
        element += n;
    }
    return in_order;
}

static bool is_native(const struct pcdf_request *r)
{
    return !r->spread && !r->is_external && !r->converter->converts;
}

/* Returns whether there was memory for it. */
static bool choose_ways(struct batch *b)
{
    int most = 0;
    for (int i = 0; i < b->gets->n; i++)
        most = b->gets->requests[i]->layout > most ? b->gets->requests[i]->layout : most;
    b->is_taken = pcdf_calloc((size_t)most + 1, sizeof *b->is_taken);
    for (int i = 0; i < b->gets->n && b->is_taken; i++) {
        const struct pcdf_request *r = b->gets->requests[i];
        b->is_taken[r->layout] |= !is_native(r);
    }
    return b->is_taken;
}

static int begin(struct batch *b, const struct pcdf_chunked_gets *gets, struct pcdf_misfits *misfits)
{
    bool in_order = true;
    size_t slabs = 0;
    *b = (struct batch){ .gets = gets, .misfits = misfits };
    for (int i = 0; i < gets->n; i++)
        slabs += (size_t)gets->requests[i]->num;
    b->items = slabs <= 1 ? &b->single : pcdf_malloc(slabs * sizeof *b->items);
    if (!b->items)
        return PCDF_FAIL(NC_ENOMEM, "no memory to plan %zu hyperslabs", slabs);
    for (int i = 0; i < gets->n; i++)
        in_order &= add_items(b, i);
    b->most = b->nitems < BATCH ? b->nitems : BATCH;
    b->box = pcdf_malloc((b->most + 1) * sizeof *b->box);
    b->item = pcdf_malloc((b->most + 1) * sizeof *b->item);
    b->bounds = pcdf_malloc((b->most_bounds + 1) * sizeof *b->bounds);
    b->boxes.x = b->box;
    if (!b->box || !b->item || !b->bounds || !choose_ways(b))
        return PCDF_FAIL(NC_ENOMEM, "no memory to plan %zu hyperslabs", slabs);
    return in_order ? NC_NOERR : pcdf_items_sort(b->items, b->nitems);
}

static void end(struct batch *b)
{
    if (b->items != &b->single)
        pcdf_free(b->items);
    pcdf_free(b->box);
    pcdf_free(b->item);
    pcdf_free(b->bounds);
    pcdf_free(b->is_taken);
}

/* ---- boxes */

static void take(void *context, size_t box, int64_t element, int64_t n, const unsigned char *values)
{
    struct batch *b = context;
    const struct pcdf_item *item = b->item[box];
    struct pcdf_request *r = b->gets->requests[item->request];
    int64_t first = item->element + element;
    if (pcdf_request_unpack(r, first, n, values))
        pcdf_misfits_count(b->misfits, item->request, r, first, n, values);
}

static int read_batch(struct batch *b, struct pcdf_storage *storage, int64_t *moved)
{
    int err = b->boxes.n > 0 ? pcdf_storage_get_boxes(storage, &b->boxes) : NC_NOERR;
    *moved += err ? 0 : b->boxes.nbytes;
    b->boxes.n = 0;
    b->boxes.nbytes = 0;
    b->nbounds = 0;
    return err;
}

static void add_box(struct batch *b, const struct pcdf_item *item)
{
    const struct pcdf_request *r = b->gets->requests[item->request];
    const struct pcdf_var_layout *layout = layout_of(b->gets, r);
    struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, -item->shape);
    int ndims = layout->ndims;
    int64_t *start = b->bounds + b->nbounds, *count = start + ndims, *stride = count + ndims, n = 1;
    b->nbounds += bounds_of(layout);
    for (int i = 0; i < ndims; i++) {
        start[i] = slab.start[i];
        count[i] = slab.count ? slab.count[i] : 1;
        stride[i] = slab.stride ? slab.stride[i] : 1;
        n *= count[i];
    }
    char *values = b->is_taken[r->layout] ? NULL : r->base + item->element * layout->xsize;
    b->item[b->boxes.n] = item;
    b->box[b->boxes.n++] = (struct pcdf_box){ r->varid, start, count, slab.stride ? stride : NULL, values };
    b->boxes.nbytes += n * layout->xsize;
}

/* Those whose values go straight to memory, or all others. */
static int read_all(struct batch *b, struct pcdf_storage *storage, bool is_direct, int64_t *moved)
{
    b->boxes.take = is_direct ? NULL : take;
    b->boxes.context = b;
    for (size_t i = 0; i < b->nitems; i++) {
        const struct pcdf_request *r = b->gets->requests[b->items[i].request];
        if (b->is_taken[r->layout] == is_direct)
            continue;
        if (b->boxes.n == b->most || b->nbounds + bounds_of(layout_of(b->gets, r)) > b->most_bounds)
            PCDF_TRY(read_batch(b, storage, moved));
        add_box(b, &b->items[i]);
    }
    return read_batch(b, storage, moved);
}

int pcdf_chunked_get(struct pcdf_storage *storage, const struct pcdf_chunked_gets *gets,
                     struct pcdf_misfits *misfits, int64_t *moved)
{
    struct batch b;
    *moved = 0;
    int err = begin(&b, gets, misfits);
    if (!err)
        err = read_all(&b, storage, true, moved);
    if (!err)
        err = read_all(&b, storage, false, moved);
    end(&b);
    return err;
}
