/* See netcdf4file.h: the chunks of variables of which nobody said anything, by who writes them. */
#include "netcdf4file.h"
#include "alloc.h"
#include "chunkshape.h"
#include "dataset.h"
#include "numbers.h"
#include "request.h"
#include "status.h"
#include "vote.h"

/* Does the first put decide its shape? Not where a hint names lengths of its dimensions. */
static bool is_open(const struct pcdf_dataset *ds, const struct netcdf4 *n, int varid)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    bool is_named = false;
    for (int d = 0; d < var->ndims && !is_named; d++)
        is_named = pcdf_options_length(&n->stored.options, ds->meta.dims[var->dimids[d]].name) > 0;
    return n->stored.x[varid].way == PCDF_STORED_AUTO && n->plan->cells.x[varid].chunk && !is_named &&
           var->ndims <= PCDF_CHUNK_DIMS;
}

void pcdf_netcdf4_count_open(const struct pcdf_dataset *ds, struct netcdf4 *n)
{
    n->nopen = 0;
    for (int i = 0; i < n->plan->cells.nvars; i++)
        n->nopen += is_open(ds, n, i);
}

/* The first such variable from `from` on that this rank puts to; INT64_MAX: there is none. */
static int64_t next_put(const struct pcdf_dataset *ds, const struct netcdf4 *n, int64_t from,
                        struct pcdf_request *const *requests, int count)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < count; i++) {
        int varid = requests[i]->varid;
        if (requests[i]->dir == PCDF_PUT && varid >= from && varid < next && is_open(ds, n, varid))
            next = varid;
    }
    return next;
}

static void add_slabs(struct pcdf_chunk_deal *deal, const struct pcdf_request *r, int ndims)
{
    for (int i = 0; i < r->num; i++) {
        const struct pcdf_slab slab = pcdf_request_slab(r, ndims, i);
        int64_t start[PCDF_CHUNK_DIMS], count[PCDF_CHUNK_DIMS], stride[PCDF_CHUNK_DIMS];
        for (int d = 0; d < ndims; d++) {
            start[d] = slab.start[d];
            count[d] = slab.count ? slab.count[d] : 1;
            stride[d] = slab.stride ? slab.stride[d] : 1;
        }
        pcdf_chunk_deal_add(deal, start, count, slab.stride ? stride : NULL);
    }
}

/* A hint that names bytes is the most, else as of the default shape: larger chunks leave the caches of cores
 * and readers. */
static struct pcdf_chunk_limits limits_of(const struct pcdf_dataset *ds, const struct netcdf4 *n)
{
    struct pcdf_chunk_limits limits = { PCDF_CHUNK_LEAST, PCDF_STORED_BYTES, ds->ranks.size };
    if (n->stored.options.bytes > 0) {
        limits.most = n->stored.options.bytes;
        limits.least = pcdf_smaller(limits.least, limits.most);
    }
    return limits;
}

static int decide_all(struct pcdf_dataset *ds, struct netcdf4 *n, int varid,
                      struct pcdf_request *const *requests, int count)
{
    const struct pcdf_chunk_limits limits = limits_of(ds, n);
    struct pcdf_chunk_deal deal;
    int64_t shape[PCDF_CHUNK_DIMS];
    pcdf_chunk_deal_begin(&deal, &ds->meta, varid);
    for (int i = 0; i < count; i++)
        if (requests[i]->dir == PCDF_PUT && requests[i]->varid == varid)
            add_slabs(&deal, requests[i], ds->meta.vars[varid].ndims);
    pcdf_chunk_deal_finish(&deal);
    PCDF_TRY(pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, deal.numbers, deal.n));
    PCDF_TRY(pcdf_chunk_shape(&ds->meta, varid, &deal, &limits, shape));
    return pcdf_stored_set_way(&n->stored, &ds->meta, varid, PCDF_STORED_CHUNKED, shape);
}

struct decide_vote {
    struct pcdf_vote common;
    int64_t next; /* the next variable; the smallest holds */
};
static const struct pcdf_vote_form decide_form = { { PCDF_VOTE_SMALLEST(decide_vote, next) } };

/* Other chunks move other cells, and so owners. */
static int lay_out_again_all(struct pcdf_dataset *ds, struct netcdf4 *n, int status)
{
    pcdf_first(&status, pcdf_netcdf4_write_all(ds, n));
    pcdf_first(&status, pcdf_netcdf4_learn_all(ds, n));
    pcdf_first(&status, pcdf_netcdf4_hold_all(ds, n));
    if (!status)
        status = pcdf_netcdf4_plan_make(ds, n);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "lay out the chunks of a variable");
    if (!status) /* on all ranks */
        status = pcdf_netcdf4_plan_take_all(ds, n);
    pcdf_first(&ds->io_error, status); /* owners may differ between ranks */
    return status;
}

int pcdf_netcdf4_decide_all(struct pcdf_dataset *ds, struct netcdf4 *n, enum pcdf_kind kind,
                            struct pcdf_request *const *requests, int count)
{
    bool has_new = false;
    int status = NC_NOERR;
    for (int64_t from = 0; PCDF_SAME_IN(ds, n->nopen > 0);) {
        struct decide_vote vote = { .common = { .kind = kind },
                                    .next = next_put(ds, n, from, requests, count) };
        int err = pcdf_vote_form_all(ds, &decide_form, &vote.common);
        if (err || vote.common.io_error || vote.next == INT64_MAX) { /* on all ranks */
            pcdf_first_vote(ds, &status, err);
            break;
        }
        pcdf_first(&status, decide_all(ds, n, (int)vote.next, requests, count));
        from = vote.next + 1;
        has_new = true;
    }
    if (PCDF_SAME_IN(ds, has_new && !ds->poisoned))
        pcdf_first_vote(ds, &status, lay_out_again_all(ds, n, status));
    return status;
}
