/* The public data calls on an open file: which may run now, one request or several, moved or posted. */
#include "alloc.h"
#include "calllog.h"
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

/* Then a collective get finds in the file what waited to be written; *early: how that went, which does not
 * keep the get back unless nothing communicates any more. The public call says which it is, on all ranks. */
static int admit_all(struct pcdf_dataset *ds, enum pcdf_dir dir, bool collective, int *early)
{
    int status = admit(ds, dir, collective);
    *early = NC_NOERR;
    if (!status && collective && dir == PCDF_GET && ds->deferral.holds) /* the same on all ranks */
        *early = pcdf_defer_write_all(ds, PCDF_KIND_GET);
    return !status && ds->poisoned ? *early : status;
}

/* Moves n requests of one direction now, alone or together, and frees them. status: what went wrong so far.
 */
static int move_now(struct pcdf_dataset *ds, enum pcdf_dir dir, bool collective,
                    struct pcdf_request *requests, struct pcdf_request **list, int n, int status)
{
    for (int i = 0; i < n; i++)
        list[i] = &requests[i];
    int moved = status ? 0 : n;
    if (collective && dir == PCDF_PUT && ds->hints.defer > 0) /* the same on all ranks: rank 0's hint */
        status = pcdf_defer_put_all(ds, list, moved, status);
    else if (collective) /* the public call says which, on all ranks */
        status = pcdf_transfer_all(ds, dir == PCDF_PUT ? PCDF_KIND_PUT : PCDF_KIND_GET, false, list, moved,
                                   status);
    else if (moved > 0)
        status = pcdf_transfer(ds, list, moved);
    for (int i = 0; i < n; i++)
        pcdf_request_free(&requests[i]);
    return status;
}

static int access_now(struct pcdf_dataset *ds, int varid, const struct pcdf_access *access)
{
    struct pcdf_request request, *list[1];
    bool collective = access->how == PCDF_HOW_TOGETHER;
    int early, status = admit_all(ds, access->dir, collective, &early); /* the same on all ranks */
    if (status)
        return status;
    struct pcdf_request_context context = { &ds->meta, ds->is_relaxed, false };
    status = pcdf_request_make(&request, &context, varid, access);
    status = move_now(ds, access->dir, collective, &request, list, status ? 0 : 1, status);
    pcdf_first_vote(ds, &early, status);
    return early;
}

int pcdf_access(int ncid, int varid, const struct pcdf_access *access)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds)); /* a fatal error, meant to be made on all ranks */
    if (ds->log)
        pcdf_calllog_begin(ds->log);
    bool is_posted = access->how == PCDF_HOW_QUEUE || access->how == PCDF_HOW_BUFFER;
    int status = is_posted ? pcdf_post(ds, varid, access) : access_now(ds, varid, access);
    if (ds->log)
        pcdf_calllog_end_access(ds, varid, access, false, status);
    return pcdf_report(ds, status);
}

/* ---- mput, mget */

static const MPI_Offset *element(MPI_Offset *const *arrays, int i)
{
    return arrays ? arrays[i] : NULL;
}

static int make_many(struct pcdf_dataset *ds, int num, const int *varids, const struct pcdf_access_many *many,
                     struct pcdf_request *requests, int *made)
{
    struct pcdf_request_context context = { &ds->meta, ds->is_relaxed, false };
    for (*made = 0; *made < num; ++*made) {
        int i = *made;
        struct pcdf_access access = { .dir = many->dir,
                                      .form = many->form,
                                      .how = many->how,
                                      .start = element(many->starts, i),
                                      .count = element(many->counts, i),
                                      .stride = element(many->strides, i),
                                      .imap = element(many->imaps, i),
                                      .buf = many->bufs[i],
                                      .mtype = many->mtype,
                                      .is_flexible = many->is_flexible,
                                      .bufcount = many->bufcounts ? many->bufcounts[i] : 0,
                                      .buftype = many->buftypes ? many->buftypes[i] : MPI_DATATYPE_NULL };
        PCDF_TRY(pcdf_request_make(&requests[i], &context, varids[i], &access));
        requests[i].posted = i;
    }
    return NC_NOERR;
}

static int access_several(struct pcdf_dataset *ds, int num, const int *varids,
                          const struct pcdf_access_many *many)
{
    bool collective = many->how == PCDF_HOW_TOGETHER;
    int made = 0;
    int early, status = admit_all(ds, many->dir, collective, &early); /* the same on all ranks */
    if (status)
        return status;
    if (num < 0 || (num > 0 && (!varids || !many->bufs)))
        status = PCDF_FAIL(NC_EINVAL, "%d variables%s", num, num > 0 ? ", but an array is NULL" : "");
    size_t room = status || num == 0 ? 1 : (size_t)num;
    struct pcdf_request *requests = pcdf_calloc(room, sizeof *requests);
    struct pcdf_request **list = pcdf_calloc(room, sizeof(*list));
    if (!requests || !list)
        pcdf_first(&status, NC_ENOMEM);
    if (!status)
        status = make_many(ds, num, varids, many, requests, &made);
    status = move_now(ds, many->dir, collective, requests, list, made, status);
    pcdf_free(list);
    pcdf_free(requests);
    pcdf_first_vote(ds, &early, status);
    return early;
}

int pcdf_access_many(int ncid, int num, const int *varids, const struct pcdf_access_many *many)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds)); /* a fatal error, meant to be made on all ranks */
    if (ds->log)
        pcdf_calllog_begin(ds->log);
    int status = access_several(ds, num, varids, many);
    if (ds->log) {
        const struct pcdf_access as = { .dir = many->dir,
                                        .form = many->form,
                                        .how = many->how,
                                        .mtype = many->mtype,
                                        .is_flexible = many->is_flexible };
        pcdf_calllog_end_access(ds, num == 1 && varids ? varids[0] : -1, &as, true, status);
    }
    return pcdf_report(ds, status);
}
