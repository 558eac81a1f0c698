/* The public data calls on an open file: which may run now, one request or several, moved or posted. */
#include "alloc.h"
#include "defer.h"
#include "lock.h"
#include "pnetcdf.h"
#include "transfer.h"
#include "posting.h"

/* Is the call allowed at all? Depends on what every rank knows. */
static int admit(const struct pcdf_dataset *ds, enum pcdf_dir dir, bool collective)
{
    if (dir == PCDF_PUT && ds->readonly)
        return PCDF_FAIL(NC_EPERM, "the file was opened for reading");
    if (ds->mode == PCDF_MODE_DEFINE)
        return PCDF_FAIL(NC_EINDEFINE, "data cannot be moved in define mode; call ncmpi_enddef first");
    if (collective && ds->mode == PCDF_MODE_INDEPENDENT)
        return PCDF_FAIL(
            NC_EINDEP, "a collective call in independent data mode; call ncmpi_end_indep_data first, or the "
                       "form without _all");
    if (!collective && ds->mode == PCDF_MODE_COLLECTIVE)
        return PCDF_FAIL(
            NC_ENOTINDEP,
            "an independent call in collective data mode; call ncmpi_begin_indep_data first, or the "
            "form with _all");
    return pcdf_check_poison(ds);
}

/* The requests of mput and mget, in memory that the caller frees, also on failure, and a list of them behind
 * them. */
static int make_many(struct pcdf_dataset *ds, int num, const int *varids, const struct pcdf_access_many *many,
                     struct pcdf_request **requests, int *made)
{
    const struct pcdf_request_context context = { &ds->meta, ds->is_relaxed, false, ds->layout.cells };
    if (num < 0 || (num > 0 && (!varids || !many->bufs)))
        return PCDF_FAIL(NC_EINVAL, "%d variables%s", num, num > 0 ? ", but an array is NULL" : "");
    *requests = pcdf_malloc((size_t)num * (sizeof **requests + sizeof *requests));
    if (!*requests)
        return NC_ENOMEM;
    for (int i = 0; i < num; i++, ++*made) {
        const struct pcdf_access access = { .dir = many->dir,
                                            .form = many->form,
                                            .mode = many->mode,
                                            .start = many->starts ? many->starts[i] : NULL,
                                            .count = many->counts ? many->counts[i] : NULL,
                                            .stride = many->strides ? many->strides[i] : NULL,
                                            .imap = many->imaps ? many->imaps[i] : NULL,
                                            .buf = many->bufs[i],
                                            .mtype = many->mtype,
                                            .is_flexible = many->is_flexible,
                                            .bufcount = many->bufcounts ? many->bufcounts[i] : 0,
                                            .buftype =
                                                many->buftypes ? many->buftypes[i] : MPI_DATATYPE_NULL };
        struct pcdf_request *request = &(*requests)[i];
        PCDF_TRY(pcdf_request_make(request, &context, varids[i], &access));
        request->posted = i;
        ((struct pcdf_request **)(*requests + num))[i] = request;
    }
    return NC_NOERR;
}

/* What one call asks for, alone or together: `access`, or `many` of its direction. */
static int access_now(struct pcdf_dataset *ds, int num, const int *varids, const struct pcdf_access *access,
                      const struct pcdf_access_many *many)
{
    const struct pcdf_request_context context = { &ds->meta, ds->is_relaxed, false, ds->layout.cells };
    struct pcdf_request one, *requests = &one, *only = &one, **list = &only;
    bool collective = access->mode == PCDF_CALL_COLLECTIVE, is_put = access->dir == PCDF_PUT;
    int made = 0, early = NC_NOERR, status = admit(ds, access->dir, collective);
    if (status)
        return status; /* on all ranks */

    /* A get finds in the file what waited to be written. How that went keeps the get back only where nothing
     * communicates any more. */
    if (collective && !is_put && ds->deferral.holds) /* the same on all ranks */
        early = pcdf_defer_write_all(ds, PCDF_KIND_GET);
    if (ds->poisoned)
        return early;

    if (many) {
        status = make_many(ds, num, varids, many, &requests, &made);
        list = status ? NULL : (struct pcdf_request **)(requests + num);
    } else {
        status = pcdf_request_make(&one, &context, varids[0], access);
        made = status ? 0 : 1;
    }
    int n = status ? 0 : made;
    enum pcdf_kind kind = is_put ? PCDF_KIND_PUT : PCDF_KIND_GET;
    if (collective && is_put && ds->hints.defer > 0) /* the same on all ranks: rank 0's hint */
        status = pcdf_defer_put_all(ds, list, n, status);
    else if (collective) /* the public call says which, on all ranks */
        status = pcdf_transfer_all(ds, kind, PCDF_NOT_DEFERRED, list, n, status);
    else if (n > 0)
        status = pcdf_defer_own(ds, list, n);
    for (int i = 0; i < made; i++)
        pcdf_request_free(&requests[i]);
    if (requests != &one)
        pcdf_free(requests);
    pcdf_first_vote(ds, &early, status);
    return early;
}

int pcdf_access(int ncid, int varid, const struct pcdf_access *access)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds)); /* fatal: made on all ranks */
    PCDF_CALL_BEGINS(ds);
    bool is_posted = access->mode == PCDF_CALL_NONBLOCKING || access->mode == PCDF_CALL_BUFFERED;
    int status = is_posted ? pcdf_post(ds, varid, access) : access_now(ds, 1, &varid, access, NULL);
    if (pcdf_parts_any(&ds->parts))
        pcdf_parts_access_ends(ds, varid, access, false, status);
    return pcdf_report(ds, status);
}

int pcdf_access_many(int ncid, int num, const int *varids, const struct pcdf_access_many *many)
{
    struct pcdf_dataset *ds;
    const struct pcdf_access common = { .dir = many->dir,
                                        .form = many->form,
                                        .mode = many->mode,
                                        .mtype = many->mtype,
                                        .is_flexible = many->is_flexible };
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds)); /* fatal: made on all ranks */
    PCDF_CALL_BEGINS(ds);
    int status = access_now(ds, num, varids, &common, many);
    if (pcdf_parts_any(&ds->parts))
        pcdf_parts_access_ends(ds, num == 1 && varids ? varids[0] : -1, &common, true, status);
    return pcdf_report(ds, status);
}
