/* See netcdf4file.h: chunks by who writes them: their shape, where nobody said it, and their owners. */
#include "netcdf4file.h"
#include "alloc.h"
#include "chunkdivision.h"
#include "chunkshape.h"
#include "dataset.h"
#include "numbers.h"
#include "request.h"
#include "status.h"
#include "twophase.h"
#include "vote.h"

/* ---- what is not decided */

/* Does the first put decide its shape? Not where a hint names lengths of its dimensions. */
static bool has_open_shape(const struct pcdf_dataset *ds, const struct netcdf4 *n, int varid)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    bool is_named = false;
    for (int d = 0; d < var->ndims && !is_named; d++)
        is_named = pcdf_options_length(&n->stored.options, ds->meta.dims[var->dimids[d]].name) > 0;
    return n->stored.x[varid].way == PCDF_STORED_AUTO && n->plan->cells.x[varid].chunk && !is_named &&
           var->ndims <= PCDF_CHUNK_DIMS;
}

/* Does it decide who owns its chunks? */
static bool has_open_owners(const struct pcdf_dataset *ds, const struct netcdf4 *n, int varid)
{
    return ds->ranks.size > 1 && n->plan->cells.x[varid].chunk && !n->owners.x[varid].is_decided &&
           ds->meta.vars[varid].ndims <= PCDF_CHUNK_DIMS;
}

static bool is_open(const struct pcdf_dataset *ds, const struct netcdf4 *n, int varid)
{
    return has_open_shape(ds, n, varid) || has_open_owners(ds, n, varid);
}

void pcdf_netcdf4_count_open(const struct pcdf_dataset *ds, struct netcdf4 *n)
{
    n->nopen = n->nunowned = 0;
    for (int i = 0; i < n->plan->cells.nvars; i++) {
        n->nopen += has_open_shape(ds, n, i);
        n->nunowned += has_open_owners(ds, n, i);
    }
}

/* ---- a variable */

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

/* What this rank puts; then what all put. */
static int describe_all(struct pcdf_dataset *ds, int varid, struct pcdf_request *const *requests, int count,
                        struct pcdf_chunk_deal *deal)
{
    pcdf_chunk_deal_begin(deal, &ds->meta, varid);
    deal->owner = pcdf_twophase_number(&ds->io->twophase);
    for (int i = 0; i < count; i++)
        if (requests[i]->dir == PCDF_PUT && requests[i]->varid == varid)
            add_slabs(deal, requests[i], ds->meta.vars[varid].ndims);
    pcdf_chunk_deal_finish(deal);
    return pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, deal->numbers, deal->n);
}

/* Where no division is found, chunks are dealt in turn. */
static int decide_owners_all(struct pcdf_dataset *ds, const struct pcdf_chunk_deal *deal,
                             struct pcdf_chunk_owners *owners)
{
    int64_t fits[PCDF_OWNER_FITS];
    pcdf_chunk_owners_propose(owners, deal, pcdf_twophase_count(&ds->io->twophase));
    if (PCDF_SAME_IN(ds, owners->ranks == 0))
        return NC_NOERR;
    pcdf_chunk_owners_check(owners, deal, fits);
    int err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MIN, fits, PCDF_OWNER_FITS);
    if (err) /* on all ranks */
        *owners = (struct pcdf_chunk_owners){ 0 };
    else
        pcdf_chunk_owners_choose(owners, fits);
    return err;
}

/* *is_new: its cells move. */
static int decide_all(struct pcdf_dataset *ds, struct netcdf4 *n, enum pcdf_kind kind, int varid,
                      struct pcdf_request *const *requests, int count, bool *is_new)
{
    const struct pcdf_chunk_limits limits = limits_of(ds, n);
    const bool shapes = has_open_shape(ds, n, varid);
    const bool owns =
        has_open_owners(ds, n, varid) && kind != PCDF_KIND_FILL; /* ranks share that out otherwise */
    struct netcdf4_owners *owners = &n->owners.x[varid];
    struct pcdf_chunk_deal deal;
    int64_t shape[PCDF_CHUNK_DIMS];
    int status = describe_all(ds, varid, requests, count, &deal);
    if (PCDF_SAME_IN(ds, owns && !status)) {
        status = decide_owners_all(ds, &deal, &owners->of);
        owners->is_decided = true;
        n->nunowned--;
    }
    *is_new |= shapes || (owns && owners->of.ranks > 0);
    if (!shapes || status)
        return status;
    PCDF_TRY(pcdf_chunk_shape(&ds->meta, varid, &deal, &limits, shape));
    return pcdf_stored_set_way(&n->stored, &ds->meta, varid, PCDF_STORED_CHUNKED, shape);
}

/* ---- all variables of a call */

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
                            struct pcdf_request *const *requests, int count, int own)
{
    bool has_new = false;
    int status = NC_NOERR;
    for (int64_t from = 0; PCDF_SAME_IN(ds, n->nopen + n->nunowned > 0);) {
        struct decide_vote vote = { .common = { .kind = kind, .error = own },
                                    .next = next_put(ds, n, from, requests, count) };
        int err = pcdf_vote_form_all(ds, &decide_form, &vote.common);
        if (err || vote.common.io_error || vote.next == INT64_MAX) { /* on all ranks */
            pcdf_first_vote(ds, &status, err);
            break;
        }
        if (PCDF_SAME_IN(ds, ds->ranks.size > 1))
            pcdf_first(&status, pcdf_twophase_look_all(ds->io)); /* who can be owner */
        pcdf_first(&status, decide_all(ds, n, kind, (int)vote.next, requests, count, &has_new));
        from = vote.next + 1;
    }
    if (PCDF_SAME_IN(ds, has_new && !ds->poisoned))
        pcdf_first_vote(ds, &status, lay_out_again_all(ds, n, status));
    return status;
}
