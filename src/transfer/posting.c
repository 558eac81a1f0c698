/* Posted requests: iput, iget, bput post them, wait carries out a subset as one merged plan for
 * its puts and one for its gets. They name their variable by id and their place in the file is looked up at
 * wait, since a redef may come between. */
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "defer.h"
#include "pnetcdf.h"
#include "transfer.h"
#include "varlayout.h"
#include "posting.h"

/* ---- posting */

/* Packed now are: small puts, since programs reuse small buffers before the wait; one value alone in any
 * case, since interfaces take it by value (C++: iputVar) and have no buffer that stays; values that change
 * type, so that the caller learns at once which do not fit; all of bput. */
static int enqueue(struct pcdf_dataset *ds, struct pcdf_request *r, int *id)
{
    const struct pcdf_var *var = &ds->meta.vars[r->varid];
    int64_t bytes = r->nelems * r->converter->xsize, left = ds->posted.buffer_size - ds->posted.buffer_used;
    bool converts = r->converter->converts;
    bool is_small = r->nelems == 1 || bytes <= ds->hints.pack_size;
    bool packs = r->dir == PCDF_PUT && (converts || r->is_buffered || is_small);
    if (r->is_buffered && bytes > left)
        return PCDF_FAIL(NC_EINSUFFBUF, "bput of %lld bytes: the attached buffer has %lld bytes left",
                         (long long)bytes, (long long)left);
    unsigned char fill[8];
    struct pcdf_packing packing = { .fill = fill };
    if (packs && converts)
        pcdf_var_fill(var, pcdf_cells_is_native(ds->layout.cells, r->varid), fill);
    PCDF_TRY(pcdf_posted_add(&ds->posted, r, var->ndims, packs ? &packing : NULL, id));
    if (r->is_buffered)
        ds->posted.buffer_used += bytes;
    return r->out_of_range ? pcdf_misfits_fail_data(&packing.misfits, ds->meta.vars, 1) : NC_NOERR;
}

int pcdf_post(struct pcdf_dataset *ds, int varid, const struct pcdf_access *access)
{
    struct pcdf_request_context context = { &ds->meta, ds->is_relaxed,
                                            access->mode == PCDF_CALL_BUFFERED && !ds->posted.has_buffer,
                                            ds->layout.cells };
    struct pcdf_request request;
    int id = NC_REQ_NULL;
    if (access->req)
        *access->req = NC_REQ_NULL;
    if (access->dir == PCDF_PUT && ds->readonly)
        return PCDF_FAIL(NC_EPERM, "the file was opened for reading");
    PCDF_TRY(pcdf_request_make(&request, &context, varid, access));
    if (pcdf_parts_any(&ds->parts))
        pcdf_parts_call_moves(ds,
                              &(struct pcdf_moving){ access->dir, request.nelems * request.converter->xsize,
                                                     request.nelems > 0, "posted", "-" });
    request.is_buffered = access->mode == PCDF_CALL_BUFFERED;
    int err = request.nelems > 0 ? enqueue(ds, &request, &id) : NC_NOERR;
    if (id == NC_REQ_NULL) /* nothing to do, or not to be kept */
        pcdf_request_free(&request);
    if (access->req)
        *access->req = id;
    return err;
}

/* ---- choosing */

struct choice {
    struct pcdf_request **requests; /* in the order they were posted */
    int n;
};

static int by_post(const void *a, const void *b)
{
    const struct pcdf_request *const *x = a, *const *y = b;
    return (*x)->posted < (*y)->posted ? -1 : (*x)->posted > (*y)->posted;
}

/* Of n ids, or of a kind of them. An id of no pending request, or named twice, is an error of its own; the
 * others are chosen all the same. */
static int choose(const struct pcdf_dataset *ds, int n, const int *ids, int *statuses, struct choice *choice)
{
    int most = n < 0 ? ds->posted.pending : n, status = NC_NOERR, at = 0;
    bool in_disorder = false;
    *choice = (struct choice){ 0 };
    if (n < NC_PUT_REQ_ALL || (n > 0 && !ids))
        return PCDF_FAIL(NC_EINVAL, "%d request ids%s", n, n > 0 ? ", but the array is NULL" : "");
    if (most == 0)
        return NC_NOERR;
    choice->requests = pcdf_malloc((size_t)most * sizeof(*choice->requests));
    if (!choice->requests)
        return PCDF_FAIL(NC_ENOMEM, "no memory to wait for %d requests", most);
    for (int i = 0; i < most; i++) {
        struct pcdf_request *r =
            n < 0 ? pcdf_posted_next(&ds->posted, at) : pcdf_posted_find(&ds->posted, ids[i]);
        int err = NC_NOERR;
        if (n < 0)
            at = r->posted + 1; /* as many as are pending come */
        else if (!r && ids[i] != NC_REQ_NULL)
            err = PCDF_FAIL(NC_EINVAL_REQUEST, "request id %d is not pending", ids[i]);
        pcdf_first(&status, err);
        if (n > 0 && statuses)
            statuses[i] = err;
        if (!r || (n < 0 && n != NC_REQ_ALL && (n == NC_PUT_REQ_ALL) != (r->dir == PCDF_PUT)))
            continue;
        r->state = PCDF_REQUEST_CHOSEN;
        in_disorder |= choice->n > 0 && choice->requests[choice->n - 1]->posted > r->posted;
        choice->requests[choice->n++] = r;
    }
    if (in_disorder)
        qsort(choice->requests, (size_t)choice->n, sizeof(*choice->requests), by_post);
    return status;
}

/* The caller learns each request's own result by the id's place in the array; ids become NC_REQ_NULL. Then
 * the requests are gone. */
static void complete(struct pcdf_dataset *ds, int n, int *ids, int *statuses, struct choice *choice)
{
    for (int i = 0; choice->n > 0 && i < n; i++) {
        bool valid = ids[i] >= 0 && ids[i] / 2 < ds->posted.used;
        const struct pcdf_request *r = valid ? pcdf_posted_slot(&ds->posted, ids[i] / 2) : NULL;
        if (!r || r->state != PCDF_REQUEST_CHOSEN || ids[i] % 2 != (r->dir == PCDF_GET))
            continue;
        if (statuses && statuses[i] == NC_NOERR)
            statuses[i] = r->status;
        ids[i] = NC_REQ_NULL;
    }
    for (int i = 0; i < choice->n; i++)
        pcdf_posted_drop(&ds->posted, choice->requests[i]);
    pcdf_free(choice->requests);
}

/* ---- waiting */

int pcdf_wait(struct pcdf_dataset *ds, int n, int *ids, int *statuses)
{
    struct choice choice;
    if (ds->mode == PCDF_MODE_DEFINE)
        return PCDF_FAIL(NC_EINDEFINE, "wait in define mode; call ncmpi_enddef first");
    if (ds->mode == PCDF_MODE_COLLECTIVE)
        return PCDF_FAIL(
            NC_ENOTINDEP,
            "wait in collective data mode; call ncmpi_begin_indep_data first, or ncmpi_wait_all");
    int status = choose(ds, n, ids, statuses, &choice);
    if (choice.n > 0)
        pcdf_first(&status, pcdf_defer_own(ds, choice.requests, choice.n));
    complete(ds, n, ids, statuses, &choice);
    return status;
}

int pcdf_wait_all(struct pcdf_dataset *ds, int n, int *ids, int *statuses)
{
    struct choice choice;
    if (ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks, as is what follows */
        return PCDF_FAIL(NC_EINDEFINE, "wait_all in define mode; call ncmpi_enddef first");
    if (ds->mode == PCDF_MODE_INDEPENDENT)
        return PCDF_FAIL(NC_EINDEP,
                         "wait_all in independent data mode; call ncmpi_end_indep_data first, or ncmpi_wait");
    PCDF_TRY(pcdf_check_poison(ds));
    int err = pcdf_defer_write_all(ds, PCDF_KIND_WAIT); /* puts of before */
    if (ds->poisoned)
        return err;
    int status = choose(ds, n, ids, statuses, &choice); /* good ids go on beside bad ones */
    pcdf_first_vote(ds, &status, err);
    err = pcdf_transfer_all(ds, PCDF_KIND_WAIT, PCDF_NOT_DEFERRED, choice.requests, choice.n, NC_NOERR);
    pcdf_first_vote(ds, &status, err);
    complete(ds, n, ids, statuses, &choice);
    return status;
}

int pcdf_cancel(struct pcdf_dataset *ds, int n, int *ids, int *statuses)
{
    struct choice choice;
    int status = choose(ds, n, ids, statuses, &choice);
    for (int i = 0; i < choice.n; i++)
        choice.requests[i]->status = NC_NOERR;
    complete(ds, n, ids, statuses, &choice);
    return status;
}
