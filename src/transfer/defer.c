/* See defer.h. A put that waits is a pending request whose values are packed. The vote of a collective put
 * says whether some rank lacks room, so that all write at the same call; an independent put asks nobody. */
#include "defer.h"
#include "footprint.h"
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "transfer.h"
#include "vote.h"

enum { BLOCK_BYTES = 1 << 20, ALIGNED = 16 };

struct pcdf_defer_block {
    struct pcdf_defer_block *older;
    int64_t size, used;
    _Alignas(ALIGNED) unsigned char bytes[];
};

struct call { /* puts; in independent mode gets, too */
    struct pcdf_request *const *requests;
    int n, first;    /* first: of the list that are this call's */
    bool fits;       /* if there is room */
    int64_t bytes;   /* that it takes */
    int64_t numrecs; /* records that it needs */
    struct pcdf_footprint footprint;
    bool waits;                  /* its values are packed */
    struct pcdf_misfits misfits; /* what did not fit */
};

/* ---- memory */

/* What a request takes: itself with its shape, *head bytes of it, and its values. */
static int64_t room_of(const struct pcdf_dataset *ds, const struct pcdf_request *r, int64_t *head)
{
    int ndims = ds->meta.vars[r->varid].ndims;
    int64_t first = (int64_t)(sizeof *r + pcdf_request_shape_bytes(r, ndims));
    int64_t values = r->nelems * r->converter->xsize;
    *head = (first + ALIGNED - 1) / ALIGNED * ALIGNED;
    return *head + (values + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* NULL: not within the hint, or no memory. Then what waits is written, so that nothing is lost. */
static unsigned char *take_room(struct pcdf_dataset *ds, int64_t bytes)
{
    struct pcdf_deferral *d = &ds->deferral;
    struct pcdf_defer_block *block = d->blocks;

    /* Each block is as large as all before it, so that few are needed; the last ends where the hint does. */
    if (!block || bytes > block->size - block->used) {
        int64_t left = ds->hints.defer - d->allocated, size = d->next_size;
        size = size < d->allocated ? d->allocated : size;
        size = size < BLOCK_BYTES ? BLOCK_BYTES : size;
        size = size > left ? left : size;
        size = size < bytes ? bytes : size;
        block = bytes > left ? NULL : pcdf_malloc(sizeof *block + (size_t)size);
        if (!block)
            return NULL;
        *block = (struct pcdf_defer_block){ .older = d->blocks, .size = size };
        d->blocks = block;
        d->allocated += size;
    }
    block->used += bytes;
    d->used += bytes;
    return block->bytes + block->used - bytes;
}

static void free_blocks(struct pcdf_deferral *d)
{
    while (d->blocks) {
        struct pcdf_defer_block *older = d->blocks->older;
        pcdf_free(d->blocks);
        d->blocks = older;
    }
    d->allocated = 0;
}

/* Memory stays for the next puts, several blocks as one: memory that is new costs as much as the copy. */
static void empty(struct pcdf_deferral *d)
{
    if (d->blocks && d->blocks->older) {
        d->next_size = d->allocated;
        free_blocks(d);
    } else if (d->blocks) {
        d->blocks->used = 0;
    }
    d->used = d->data_bytes = d->n = 0;
    d->holds = false;
    d->footprints.time++;
}

void pcdf_defer_free(struct pcdf_deferral *d)
{
    free_blocks(d);
    pcdf_free(d->list);
    pcdf_free(d->footprints.rows);
    memset(d, 0, sizeof *d);
}

/* ---- a call before its vote */

/* The caller's request stays as it is: should the vote say so, it is written from where it is. */
static void keep_put(struct pcdf_dataset *ds, struct pcdf_request *r, const struct pcdf_var_layout *layout,
                     unsigned char *at, int64_t head)
{
    struct pcdf_deferral *d = &ds->deferral;
    struct pcdf_request *kept = (struct pcdf_request *)(void *)at;
    *kept = *r;
    pcdf_request_keep_at(kept, layout->ndims, (MPI_Offset *)(void *)(kept + 1));
    pcdf_request_pack(kept, layout->fill, 0, r->nelems, false, at + head);
    r->out_of_range = kept->out_of_range;
    kept->spread = NULL;
    kept->base = (char *)at + head;
    kept->is_external = true;
    kept->out_of_range = false; /* the caller learns it now */
    kept->posted = d->n;
    d->list[d->n++] = kept;
    d->data_bytes += r->nelems * r->converter->xsize;
}

/* Everything that can fail on this rank alone. Where there is no room the values do not wait. A request that
 * would not end within 63 bits of file is left out with its error, as in a transfer. */
static int take_in(struct pcdf_dataset *ds, struct call *call)
{
    struct pcdf_deferral *d = &ds->deferral;
    struct pcdf_var_layouts layouts = { 0 };
    int64_t head;
    PCDF_TRY(
        pcdf_array_reserve((void **)&d->list, &d->room, (size_t)d->n + (size_t)call->n, sizeof(*d->list)));
    if (call->n > 0)
        PCDF_TRY(pcdf_var_layouts_make(&layouts, &ds->meta, &ds->layout, call->requests, call->n));
    for (int i = 0; i < call->n; i++)
        if (__builtin_add_overflow(call->bytes, room_of(ds, call->requests[i], &head), &call->bytes))
            call->bytes = INT64_MAX; /* which fits nowhere */
    unsigned char *at = call->fits ? take_room(ds, call->bytes) : NULL;
    call->waits = at;
    for (int i = 0; i < call->n; i++) {
        struct pcdf_request *r = call->requests[i];
        const struct pcdf_var_layout *layout = &layouts.x[r->layout];
        int64_t room = room_of(ds, r, &head);
        r->status = layout->var->is_record ? pcdf_request_reach(r, layout, &call->numrecs) : NC_NOERR;
        if (!r->status)
            pcdf_footprint_add(&call->footprint, r, layout);
        if (!r->status && at && r->nelems > 0)
            keep_put(ds, r, layout, at, head);
        if (r->out_of_range) /* which keep_put told */
            pcdf_misfits_count(&call->misfits, i, r, 0, r->nelems, NULL);
        at = at ? at + room : NULL;
    }
    pcdf_var_layouts_free(&layouts);
    return NC_NOERR;
}

/* ---- writing */

/* What waits, with the call now being made, or, `apart`, before it: that call begins at `first`, and is a put
 * like any other. */
static int write_list_all(struct pcdf_dataset *ds, enum pcdf_kind kind, bool apart, int first)
{
    struct pcdf_deferral *d = &ds->deferral;
    int waiting = apart ? first : d->n;
    int64_t before = d->holds ? d->numrecs : PCDF_NOT_DEFERRED;
    int status = pcdf_transfer_all(ds, kind, before, d->list, waiting, NC_NOERR);
    if (apart && !ds->poisoned) /* the same on all ranks */
        pcdf_first_vote(
            ds, &status,
            pcdf_transfer_all(ds, kind, PCDF_NOT_DEFERRED, d->list + first, d->n - first, NC_NOERR));
    empty(d);
    return status;
}

/* Independent mode: what waits on this rank, with the call now being made. */
static int write_own(struct pcdf_dataset *ds)
{
    struct pcdf_deferral *d = &ds->deferral;
    int64_t before = d->data_bytes > 0 ? d->numrecs : PCDF_NOT_DEFERRED;
    if (d->n == 0)
        return NC_NOERR;
    int status = pcdf_transfer(ds, before, d->list, d->n);
    empty(d);
    return status;
}

int pcdf_defer_write_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    if (ds->mode == PCDF_MODE_INDEPENDENT) /* the same on all ranks */
        return write_own(ds);
    if (!ds->deferral.holds) /* the same on all ranks: the votes of the puts agreed it */
        return NC_NOERR;
    return write_list_all(ds, kind, false, 0);
}

void pcdf_defer_drop(struct pcdf_dataset *ds)
{
    if (ds->deferral.holds || ds->deferral.n > 0)
        ds->meta.numrecs = ds->deferral.numrecs;
    empty(&ds->deferral);
}

/* ---- a call whose values wait */

/* What it returns. */
static int result_of(const struct pcdf_dataset *ds, const struct call *call)
{
    int range = 0;
    for (int i = 0; i < call->n; i++) {
        PCDF_TRY(call->requests[i]->status);
        range += call->requests[i]->out_of_range;
    }
    return range > 0 ? pcdf_misfits_fail_data(&call->misfits, ds->meta.vars, range) : NC_NOERR;
}

/* The new records count, although the file will count them only when they are written. numrecs, footprint: of
 * all ranks in collective mode, else of this one. */
static void accept(struct pcdf_dataset *ds, const struct call *call, int64_t numrecs,
                   const struct pcdf_footprint *footprint)
{
    struct pcdf_deferral *d = &ds->deferral;
    int64_t bytes = 0;
    if (!d->holds && call->first == 0) /* nothing waited */
        d->numrecs = ds->meta.numrecs;
    if (numrecs > ds->meta.numrecs)
        ds->meta.numrecs = numrecs;
    pcdf_footprints_add(&d->footprints, footprint);
    if (!pcdf_parts_any(&ds->parts))
        return;
    for (int i = call->first; i < d->n; i++)
        bytes += d->list[i]->nelems * d->list[i]->converter->xsize;
    pcdf_parts_call_moves(
        ds, &(struct pcdf_moving){ PCDF_PUT, bytes, call->waits ? call->n : 0, "deferred", "hint" });
}

/* ---- collective puts */

enum lack { LACKS_NOTHING, LACKS_ROOM /* memory for the values */, LACKS_TABLE /* and for footprints */ };

struct defer_vote {
    struct pcdf_vote common;
    bool holds;                      /* this rank holds values that wait */
    enum lack lacks;                 /* the largest wins */
    struct pcdf_footprint footprint; /* all ranks together */
};
static const struct pcdf_vote_form defer_form = {
    { PCDF_VOTE_LARGEST(defer_vote, holds), PCDF_VOTE_LARGEST(defer_vote, lacks),
      PCDF_VOTE_SMALLEST(defer_vote, footprint.first_var), PCDF_VOTE_LARGEST(defer_vote, footprint.last_var),
      PCDF_VOTE_SPAN(defer_vote, footprint.bytes) }
};

static int vote_on_all(struct pcdf_dataset *ds, struct call *call, int status, struct defer_vote *vote)
{
    bool lacks_table = pcdf_footprints_room(&ds->deferral.footprints, ds->meta.nvars);
    bool lacks_room = !status && !call->waits;
    *vote = (struct defer_vote){
        .common = { .kind = PCDF_KIND_PUT,
                    .error = status,
                    .numrecs = call->waits ? call->numrecs : 0,
                    .variable = call->n > 0 ? ds->meta.vars[call->requests[0]->varid].name : NULL },
        .holds = ds->deferral.n > 0,
        .lacks = lacks_table  ? LACKS_TABLE
                 : lacks_room ? LACKS_ROOM
                              : LACKS_NOTHING,
        .footprint = call->footprint,
    };
    return pcdf_vote_form_all(ds, &defer_form, &vote->common);
}

int pcdf_defer_put_all(struct pcdf_dataset *ds, struct pcdf_request *const *requests, int n, int status)
{
    struct pcdf_deferral *d = &ds->deferral;
    struct call call = { .requests = requests,
                         .n = status ? 0 : n,
                         .first = d->n,
                         .fits = true,
                         .footprint = pcdf_footprint_none };
    struct defer_vote vote;
    if (!status)
        status = take_in(ds, &call);
    int err = vote_on_all(ds, &call, status, &vote);
    /* The same on all ranks is also what follows. */
    bool refused = PCDF_SAME_IN(ds, !err && ds->safe_mode && vote.common.error);
    if (refused && status != vote.common.error)
        status = PCDF_FAIL(vote.common.error, "another rank's call failed: nothing was moved (safe mode)");
    if (err || refused) {
        pcdf_first_vote(ds, &status, err);
        if (call.waits) { /* the values may not wait after all */
            d->blocks->used -= call.bytes;
            d->used -= call.bytes;
            for (; d->n > call.first; d->n--)
                d->data_bytes -= d->list[d->n - 1]->nelems * d->list[d->n - 1]->converter->xsize;
        }
        return status;
    }
    bool apart =
        d->holds && (vote.lacks == LACKS_TABLE || pcdf_footprints_meet(&d->footprints, &vote.footprint));
    for (int i = 0; !status && !call.waits && i < n; i++) /* written from where they are */
        d->list[d->n++] = requests[i];
    if (vote.common.io_error || vote.lacks || apart) {
        err = write_list_all(ds, PCDF_KIND_PUT, apart, call.first);
        pcdf_first_vote(ds, &status, err);
    } else {
        accept(ds, &call, vote.common.numrecs, &vote.footprint);
        d->holds = vote.holds;
    }
    return !status && call.waits ? result_of(ds, &call) : status;
}

/* ---- independent mode */

int pcdf_defer_own(struct pcdf_dataset *ds, struct pcdf_request *const *requests, int n)
{
    struct pcdf_deferral *d = &ds->deferral;
    int puts = 0;
    if (ds->hints.defer == 0)
        return pcdf_transfer(ds, PCDF_NOT_DEFERRED, requests, n);
    for (int i = 0; i < n; i++)
        puts += requests[i]->dir == PCDF_PUT;
    if (puts == 0 && d->n == 0)
        return pcdf_transfer(ds, PCDF_NOT_DEFERRED, requests, n);

    struct call call = { .requests = requests, .n = n, .first = d->n, .footprint = pcdf_footprint_none };
    call.fits = puts == n && !ds->io_error && !pcdf_footprints_room(&d->footprints, ds->meta.nvars);
    int status = take_in(ds, &call);
    if (!status && call.waits) {
        accept(ds, &call, call.numrecs, &call.footprint);
        return result_of(ds, &call);
    }
    if (!status && puts == 0 && !pcdf_footprints_meet(&d->footprints, &call.footprint))
        return pcdf_transfer(ds, PCDF_NOT_DEFERRED, requests, n);
    for (int i = 0; status && i < n; i++)
        requests[i]->status = status;
    for (int i = 0; !status && i < n; i++) /* behind what waits: puts, then gets */
        d->list[d->n++] = requests[i];
    return status ? status : write_own(ds);
}
