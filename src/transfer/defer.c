/* See defer.h. A put that waits is a pending request whose values are packed. Its one vote says how many
 * bytes each rank holds, so that all write at the same call. */
#include "defer.h"
#include "footprint.h"
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "calllog.h"
#include "transfer.h"
#include "vote.h"

enum { BLOCK_BYTES = 1 << 20, ALIGNED = 16 };

struct pcdf_defer_block {
    struct pcdf_defer_block *older;
    int64_t size, used;
    _Alignas(ALIGNED) unsigned char bytes[];
};

struct call { /* one put, or several */
    struct pcdf_request *const *requests;
    int n, first;    /* first: of the list that are this call's */
    int64_t bytes;   /* that it takes */
    int64_t numrecs; /* records that it needs */
    struct pcdf_footprint footprint;
    bool waits; /* its values are packed */
};

/* ---- memory */

static int64_t aligned(int64_t bytes)
{
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* The request and its shape. */
static int64_t head_bytes(const struct pcdf_dataset *ds, const struct pcdf_request *r)
{
    int ndims = ds->meta.vars[r->varid].ndims;
    return aligned((int64_t)sizeof *r + (int64_t)pcdf_request_shape_bytes(r, ndims));
}

static int64_t value_bytes(const struct pcdf_request *r)
{
    return r->nelems * r->kernels->xsize;
}

/* More than fits anywhere where a sum overflows. */
static int64_t bytes_of(const struct pcdf_dataset *ds, const struct call *call)
{
    int64_t sum = 0;
    for (int i = 0; i < call->n; i++) {
        const struct pcdf_request *r = call->requests[i];
        int64_t one = head_bytes(ds, r) + aligned(value_bytes(r));
        if (__builtin_add_overflow(sum, one, &sum))
            return INT64_MAX;
    }
    return sum;
}

/* Each block is as large as all before it, so that few are needed; the last ends where the hint does. */
static bool add_block(struct pcdf_dataset *ds, int64_t need)
{
    struct pcdf_deferral *d = &ds->deferral;
    int64_t left = ds->hints.defer - d->allocated, size = d->wish;
    if (need > left)
        return false;
    size = size < d->allocated ? d->allocated : size;
    size = size < BLOCK_BYTES ? BLOCK_BYTES : size;
    size = size > left ? left : size;
    size = size < need ? need : size;
    struct pcdf_defer_block *block = pcdf_malloc(sizeof *block + (size_t)size);
    if (!block)
        return false;
    block->older = d->blocks;
    block->size = size;
    block->used = 0;
    d->blocks = block;
    d->allocated += size;
    return true;
}

/* NULL: not within the hint, or no memory. Then what waits is written, so that nothing is lost. */
static unsigned char *take(struct pcdf_dataset *ds, int64_t bytes)
{
    struct pcdf_deferral *d = &ds->deferral;
    if ((!d->blocks || bytes > d->blocks->size - d->blocks->used) && !add_block(ds, bytes))
        return NULL;
    unsigned char *taken = d->blocks->bytes + d->blocks->used;
    d->blocks->used += bytes;
    d->used += bytes;
    return taken;
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
        d->wish = d->allocated;
        free_blocks(d);
    } else if (d->blocks) {
        d->blocks->used = 0;
    }
    d->used = d->data_bytes = d->n = 0;
    d->holds = false;
    pcdf_footprints_clear(&d->footprints);
}

void pcdf_defer_free(struct pcdf_deferral *d)
{
    free_blocks(d);
    pcdf_free(d->list);
    pcdf_footprints_free(&d->footprints);
    memset(d, 0, sizeof *d);
}

/* ---- a call before its vote */

/* The caller's request stays as it is: should the vote say so, it is written from where it is. */
static void keep(struct pcdf_dataset *ds, struct pcdf_request *r, const struct pcdf_var_layout *place,
                 unsigned char *at)
{
    struct pcdf_deferral *d = &ds->deferral;
    struct pcdf_request *kept = (struct pcdf_request *)(void *)at;
    unsigned char *values = at + head_bytes(ds, r);
    *kept = *r;
    pcdf_request_keep_at(kept, place->ndims, (MPI_Offset *)(void *)(kept + 1));
    pcdf_request_pack(kept, place->fill, 0, r->nelems, values);
    r->out_of_range = kept->out_of_range;
    kept->spread = NULL;
    kept->base = (char *)values;
    kept->is_external = true;
    kept->out_of_range = false; /* the caller learns it now */
    kept->posted = d->n;
    d->list[d->n++] = kept;
    d->data_bytes += value_bytes(r);
}

/* A request that would not end within 63 bits of file is left out with its error, as in a transfer. at: room
 * for all, or NULL. */
static int look_at(struct pcdf_dataset *ds, struct call *call, unsigned char *at)
{
    struct pcdf_var_layouts layouts;
    if (call->n == 0)
        return NC_NOERR;
    PCDF_TRY(pcdf_var_layouts_make(&layouts, &ds->meta, &ds->layout, call->requests, call->n));
    for (int i = 0; i < call->n; i++) {
        struct pcdf_request *r = call->requests[i];
        const struct pcdf_var_layout *place = &layouts.x[r->place];
        r->status = place->var->is_record ? pcdf_request_reach(r, place, &call->numrecs) : NC_NOERR;
        if (!r->status)
            pcdf_footprint_add(&call->footprint, r, place);
        if (!r->status && at && r->nelems > 0)
            keep(ds, r, place, at);
        if (at)
            at += head_bytes(ds, r) + aligned(value_bytes(r));
    }
    pcdf_var_layouts_free(&layouts);
    return NC_NOERR;
}

/* The values of a call that has its own error, or that may not wait after all. */
static void give_back(struct pcdf_dataset *ds, struct call *call)
{
    struct pcdf_deferral *d = &ds->deferral;
    d->blocks->used -= call->bytes;
    d->used -= call->bytes;
    for (; d->n > call->first; d->n--)
        d->data_bytes -= value_bytes(d->list[d->n - 1]);
    call->waits = false;
}

/* Everything that can fail on this rank alone. Where there is no room the values do not wait. */
static int take_in(struct pcdf_dataset *ds, struct call *call)
{
    struct pcdf_deferral *d = &ds->deferral;
    PCDF_TRY(
        pcdf_array_reserve((void **)&d->list, &d->room, (size_t)d->n + (size_t)call->n, sizeof(*d->list)));
    call->bytes = bytes_of(ds, call);
    unsigned char *at = take(ds, call->bytes);
    int err = look_at(ds, call, at);
    call->waits = at;
    if (err && at)
        give_back(ds, call);
    return err;
}

/* ---- writing */

/* The file counts no record of what waits: who writes it raises the number, and where that fails nobody does.
 */
static void uncount_records(struct pcdf_dataset *ds)
{
    if (ds->deferral.holds)
        ds->meta.numrecs = ds->deferral.numrecs;
}

/* What waits, with the call now being made, or, `apart`, before it: that call begins at `first`, and is a put
 * like any other. */
static int write_list_all(struct pcdf_dataset *ds, enum pcdf_kind kind, bool apart, int first)
{
    struct pcdf_deferral *d = &ds->deferral;
    int waiting = apart ? first : d->n;
    uncount_records(ds);
    int status = pcdf_transfer_all(ds, kind, d->holds, d->list, waiting, NC_NOERR);
    if (apart && !ds->poisoned) /* the same on all ranks */
        pcdf_first_vote(ds, &status,
                        pcdf_transfer_all(ds, kind, false, d->list + first, d->n - first, NC_NOERR));
    empty(d);
    return status;
}

int pcdf_defer_write_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    if (!ds->deferral.holds) /* the same on all ranks: the votes of the puts agreed it */
        return NC_NOERR;
    return write_list_all(ds, kind, false, 0);
}

void pcdf_defer_drop(struct pcdf_dataset *ds)
{
    uncount_records(ds);
    empty(&ds->deferral);
}

/* ---- the vote */

/* What a call returns whose values wait. */
static int result_of(const struct pcdf_dataset *ds, const struct call *call)
{
    const struct pcdf_request *range = NULL;
    for (int i = 0; i < call->n; i++) {
        PCDF_TRY(call->requests[i]->status);
        if (call->requests[i]->out_of_range && !range)
            range = call->requests[i];
    }
    return range ? pcdf_fail_range(ds, range->varid) : NC_NOERR;
}

static void log_deferred(struct pcdf_dataset *ds, const struct call *call)
{
    int64_t bytes = 0;
    for (int i = 0; i < call->n && call->waits; i++)
        bytes += call->requests[i]->status ? 0 : value_bytes(call->requests[i]);
    pcdf_calllog_add(ds->log, PCDF_PUT, bytes, call->waits ? call->n : 0, "deferred", "hint");
}

/* All ranks count the new records, although the file will count them only when they are written. */
static void accept(struct pcdf_dataset *ds, const struct call *call, const struct pcdf_defer_vote *agreed)
{
    struct pcdf_deferral *d = &ds->deferral;
    if (!d->holds)
        d->numrecs = ds->meta.numrecs;
    if (agreed->common.numrecs > ds->meta.numrecs)
        ds->meta.numrecs = agreed->common.numrecs;
    d->holds = agreed->holds;
    if (ds->log)
        log_deferred(ds, call);
    pcdf_footprints_add(&d->footprints, &agreed->footprint);
}

static int vote_on_all(struct pcdf_dataset *ds, struct call *call, int status, struct pcdf_defer_vote *vote)
{
    bool lacks_table = pcdf_footprints_room(&ds->deferral.footprints, ds->meta.nvars);
    bool lacks_room = !status && !call->waits;
    *vote = (struct pcdf_defer_vote){
        .common = { .kind = PCDF_KIND_PUT,
                    .error = status,
                    .numrecs = call->waits ? call->numrecs : 0,
                    .variable = call->n > 0 ? ds->meta.vars[call->requests[0]->varid].name : NULL },
        .holds = ds->deferral.n > 0,
        .lacks = lacks_table  ? PCDF_LACKS_TABLE
                 : lacks_room ? PCDF_LACKS_ROOM
                              : PCDF_LACKS_NOTHING,
        .footprint = call->footprint,
    };
    return pcdf_vote_all(ds, vote);
}

int pcdf_defer_put_all(struct pcdf_dataset *ds, struct pcdf_request *const *requests, int n, int status)
{
    struct pcdf_deferral *d = &ds->deferral;
    struct call call = { .requests = requests, .n = status ? 0 : n, .first = d->n };
    struct pcdf_defer_vote vote;
    pcdf_footprint_begin(&call.footprint);
    if (!status)
        status = take_in(ds, &call);
    if (status)
        pcdf_footprint_begin(&call.footprint);
    int err = vote_on_all(ds, &call, status, &vote);
    /* The same on all ranks is also what follows. */
    bool refused = PCDF_SAME_IN(ds, !err && ds->safe_mode && vote.common.error);
    if (call.waits && (err || refused))
        give_back(ds, &call);
    if (refused && status != vote.common.error)
        status = PCDF_FAIL(vote.common.error, "another rank's call failed: nothing was moved (safe mode)");
    if (err || refused) {
        pcdf_first_vote(ds, &status, err);
        return status;
    }
    bool apart =
        d->holds && (vote.lacks == PCDF_LACKS_TABLE || pcdf_footprints_meet(&d->footprints, &vote.footprint));
    for (int i = 0; !status && !call.waits && i < n; i++) /* written from where they are */
        d->list[d->n++] = requests[i];
    if (vote.common.io_error || vote.lacks || apart) {
        err = write_list_all(ds, PCDF_KIND_PUT, apart, call.first);
        pcdf_first_vote(ds, &status, err);
    } else {
        accept(ds, &call, &vote);
    }
    return !status && call.waits ? result_of(ds, &call) : status;
}
