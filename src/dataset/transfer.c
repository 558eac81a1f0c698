/* A put or get from checked request to moved bytes: plan, vote, rounds, settling. Blocking calls are a queue
 * of one request; nothing here knows of forms or types. */
#include "transfer.h"
#include <string.h>
#include "alloc.h"
#include "header.h"
#include "plan.h"
#include "vote.h"

struct transfer {
    struct pcdf_plan plan;
    struct pcdf_round round; /* the one to be moved next, when has_round */
    bool has_round;
    unsigned char *stage;
    struct pcdf_survey survey;
    struct pcdf_round_limits view_limits, offset_limits;
    enum pcdf_way way; /* what would be best for this rank */
};

/* ---- before the vote: everything that can fail on this rank alone */

static enum pcdf_way best_way(const struct pcdf_dataset *ds, const struct transfer *t)
{
    if (t->survey.pieces == 0)
        return PCDF_WAY_EMPTY;
    if (strcmp(ds->hints.collective, "always") == 0)
        return PCDF_WAY_VIEW;
    if (strcmp(ds->hints.collective, "never") == 0)
        return PCDF_WAY_OFFSETS;
    bool large = t->plan.nbytes / t->survey.pieces >= ds->hints.chunk_size;
    return t->survey.pieces == 1 || large ? PCDF_WAY_OFFSETS : PCDF_WAY_VIEW;
}

static int prepare(struct pcdf_dataset *ds, struct transfer *t, struct pcdf_request *requests, int n)
{
    t->view_limits = (struct pcdf_round_limits){ ds->hints.stage_size, (size_t)ds->hints.stage_pieces };
    t->offset_limits =
        (struct pcdf_round_limits){ ds->hints.chunk_size < ds->hints.stage_size ? ds->hints.chunk_size
                                                                                : ds->hints.stage_size,
                                    (size_t)ds->hints.stage_pieces };
    PCDF_TRY(pcdf_plan_build(&t->plan, requests, n));
    if (t->plan.nbytes == 0)
        return NC_NOERR;
    PCDF_TRY(pcdf_plan_survey(&t->plan, &t->view_limits, &t->round, &t->survey));
    t->has_round = true;
    int64_t size = t->plan.nbytes < ds->hints.stage_size ? t->plan.nbytes : ds->hints.stage_size;
    t->stage = pcdf_malloc((size_t)size);
    if (!t->stage)
        return PCDF_FAIL(NC_ENOMEM, "no memory to stage %lld bytes", (long long)size);
    t->way = best_way(ds, t);
    return NC_NOERR;
}

static void release(struct transfer *t)
{
    pcdf_plan_free(&t->plan);
    pcdf_round_free(&t->round);
    pcdf_free(t->stage);
}

/* ---- rounds */

/* A dense put whose file bytes are the user's bytes needs no staging; NULL otherwise. */
static unsigned char *user_bytes(const struct transfer *t)
{
    const struct pcdf_op *op = t->round.ops;
    if (t->round.nops != 1)
        return NULL;
    const struct pcdf_request *r = &t->plan.requests[op->request];
    if (!r->kernels->is_copy || r->memory.ndims > 0)
        return NULL;
    return (unsigned char *)r->memory.base + op->element * (int64_t)r->memory.size;
}

static struct pcdf_extents stage_round(struct transfer *t, enum pcdf_dir dir)
{
    unsigned char *data = user_bytes(t);
    if (!data) {
        data = t->stage;
        if (dir == PCDF_PUT)
            pcdf_round_pack(&t->plan, &t->round, data);
    }
    return (struct pcdf_extents){ dir,          t->round.n,     t->round.offset, t->round.length,
                                  (char *)data, t->round.nbytes };
}

static void land_round(struct transfer *t, const struct pcdf_extents *x)
{
    if (x->dir == PCDF_GET && x->data == (char *)t->stage)
        pcdf_round_unpack(&t->plan, &t->round, t->stage);
}

/* Nothing more of this rank moves after a failure; in a collective it goes on taking part with nothing. */
static int next_round(struct transfer *t, const struct pcdf_round_limits *limits)
{
    if (t->has_round || pcdf_plan_is_done(&t->plan))
        return NC_NOERR;
    PCDF_TRY(pcdf_plan_round(&t->plan, limits, &t->round));
    t->has_round = true;
    return NC_NOERR;
}

static int move_alone(struct pcdf_dataset *ds, struct transfer *t, enum pcdf_dir dir)
{
    if (t->plan.nbytes == 0)
        return NC_NOERR;
    /* The first round was made for a view; here rounds are as large as suits the request. */
    const struct pcdf_round_limits *limits =
        t->survey.pieces == 1 || t->way == PCDF_WAY_OFFSETS ? &t->offset_limits : &t->view_limits;
    if (limits == &t->offset_limits && t->round.nbytes > limits->bytes) {
        pcdf_plan_rewind(&t->plan);
        t->has_round = false;
    }
    for (;;) {
        PCDF_TRY(next_round(t, limits));
        if (!t->has_round)
            return NC_NOERR;
        struct pcdf_extents x = stage_round(t, dir);
        PCDF_TRY(ds->io->ops->transfer(ds->io, &x, NULL));
        land_round(t, &x);
        t->has_round = false;
    }
}

static int move_all(struct pcdf_dataset *ds, struct transfer *t, enum pcdf_dir dir, int64_t rounds)
{
    int status = NC_NOERR;
    for (int64_t i = 0; i < rounds; i++) {
        struct pcdf_extents x = { .dir = dir };
        if (!status)
            status = next_round(t, &t->view_limits);
        if (!status && t->has_round)
            x = stage_round(t, dir);
        pcdf_first(&status, ds->io->ops->transfer_all(ds->io, &x, NULL));
        if (!status && t->has_round)
            land_round(t, &x);
        t->has_round = false;
    }
    return status;
}

/* ---- settling */

static int range_error(const struct pcdf_dataset *ds, const struct pcdf_request *requests, int n)
{
    for (int i = 0; i < n; i++)
        if (requests[i].out_of_range)
            return PCDF_FAIL(NC_ERANGE, "variable %s: some values do not fit the type and became fill values",
                             ds->meta.vars[requests[i].varid].name);
    return NC_NOERR;
}

static void account(struct pcdf_dataset *ds, enum pcdf_dir dir, int64_t nbytes)
{
    if (dir == PCDF_PUT)
        ds->put_bytes += nbytes;
    else
        ds->get_bytes += nbytes;
}

/* Records exist once all data of the call is known to be written: a second vote, then rank 0 writes the
 * number. */
static int raise_numrecs_all(struct pcdf_dataset *ds, int64_t numrecs)
{
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_END_OF_PUT, .numrecs = numrecs };
    struct pcdf_agreed agreed;
    int status = pcdf_vote_all(ds, &ballot, &agreed);
    if (!status && agreed.io_error)
        status = PCDF_FAIL(agreed.io_error, "writing failed on some rank: no record was added");
    if (status)
        return status;
    ds->meta.numrecs = agreed.numrecs;
    status = ds->comm.rank == 0 ? pcdf_header_root_write_numrecs(ds) : NC_NOERR;
    ds->numrecs_on_file = agreed.numrecs;
    return status;
}

int pcdf_transfer_all(struct pcdf_dataset *ds, enum pcdf_dir dir, struct pcdf_request *requests, int n,
                      int status)
{
    struct transfer t = { 0 };
    struct pcdf_agreed agreed;
    if (!status)
        status = prepare(ds, &t, requests, n);
    if (status) { /* take part with nothing */
        release(&t);
        t = (struct transfer){ 0 };
    }
    struct pcdf_ballot ballot = { .kind = dir == PCDF_PUT ? PCDF_KIND_PUT : PCDF_KIND_GET,
                                  .error = status,
                                  .numrecs = t.plan.numrecs_after,
                                  .way = t.way,
                                  .rounds = t.survey.rounds };
    int err = pcdf_vote_all(ds, &ballot, &agreed);
    if (!err && dir == PCDF_PUT && agreed.io_error)
        err = PCDF_FAIL(agreed.io_error, "an earlier write to the file failed on some rank");
    if (!err) { /* the same on all ranks from here on */
        int io = agreed.way == PCDF_WAY_VIEW ? move_all(ds, &t, dir, agreed.rounds) : move_alone(ds, &t, dir);
        if (io && dir == PCDF_PUT)
            pcdf_first(&ds->io_error, io);
        if (!io && !status)
            account(ds, dir, t.plan.nbytes);
        pcdf_first(&status, io);
        if (dir == PCDF_PUT && agreed.numrecs > ds->meta.numrecs)
            pcdf_first(&status, raise_numrecs_all(ds, agreed.numrecs));
    }
    pcdf_first(&status, err);
    if (!status)
        status = range_error(ds, requests, n);
    release(&t);
    return status;
}

int pcdf_transfer(struct pcdf_dataset *ds, enum pcdf_dir dir, struct pcdf_request *requests, int n)
{
    struct transfer t = { 0 };
    if (dir == PCDF_PUT && ds->io_error)
        return PCDF_FAIL(ds->io_error, "an earlier write to the file failed");
    int status = prepare(ds, &t, requests, n);
    if (!status) {
        status = move_alone(ds, &t, dir);
        if (status && dir == PCDF_PUT)
            pcdf_first(&ds->io_error, status);
    }
    if (!status) {
        account(ds, dir, t.plan.nbytes);
        if (t.plan.numrecs_after > ds->meta.numrecs)
            ds->meta.numrecs = t.plan.numrecs_after;
        status = range_error(ds, requests, n);
    }
    release(&t);
    return status;
}

/* ---- the blocking calls */

/* Is the call allowed at all? Depends on what every rank knows. */
static int admit(const struct pcdf_dataset *ds, const struct pcdf_access *access)
{
    if (access->dir == PCDF_PUT && ds->readonly)
        return PCDF_FAIL(NC_EPERM, "the file was opened for reading");
    if (ds->mode == PCDF_MODE_DEFINE)
        return PCDF_FAIL(NC_EINDEFINE, "data cannot be moved in define mode");
    if (access->collective && ds->mode == PCDF_MODE_INDEPENDENT)
        return PCDF_FAIL(NC_EINDEP, "a collective call in independent data mode");
    if (!access->collective && ds->mode == PCDF_MODE_COLLECTIVE)
        return PCDF_FAIL(NC_ENOTINDEP, "an independent call in collective data mode");
    return pcdf_check_poison(ds);
}

int pcdf_access(int ncid, int varid, const struct pcdf_access *access)
{
    struct pcdf_dataset *ds;
    struct pcdf_request request = { 0 };
    PCDF_TRY(pcdf_dataset_of(ncid, &ds)); /* a fatal error, meant to be made on all ranks */
    int status = admit(ds, access);       /* the same on all ranks */
    if (status)
        return pcdf_report(ds, status);
    struct pcdf_request_context context = { &ds->meta, &ds->layout, ds->is_relaxed };
    status = pcdf_request_make(&request, &context, varid, access);
    int n = status ? 0 : 1;
    if (access->collective)
        status = pcdf_transfer_all(ds, access->dir, &request, n, status);
    else if (!status)
        status = pcdf_transfer(ds, access->dir, &request, n);
    pcdf_request_free(&request);
    return pcdf_report(ds, status);
}
