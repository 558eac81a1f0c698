/* Puts and gets from checked requests to moved bytes: plans, vote, rounds, settling. A blocking call is a
 * batch of one request; nothing here knows of forms or types. */
#include "transfer.h"
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "calllog.h"
#include "header.h"
#include "plan.h"
#include "shortfile.h"
#include "records.h"
#include "vote.h"
#include "strategy.h"

struct job { /* all puts, or all gets, of one call: one merged plan */
    enum pcdf_dir dir;
    struct pcdf_request **requests; /* in the order they were posted; part of transfer.sorted */
    int n;
    struct pcdf_plan plan;
    struct pcdf_outline outline;
    struct pcdf_round round; /* the one to be moved next, when has_round */
    bool has_round;
    unsigned char *stage;
    int64_t stage_size;
    int64_t moved;          /* bytes of the requests that were packed and taken, or brought and unpacked */
    enum pcdf_strategy way; /* what would be best for this rank */
    const char *why;        /* in a word, for the log */
};

enum { LISTED_AT_ONCE = 4096 };

struct transfer {
    struct pcdf_request **sorted;   /* puts, then gets */
    struct pcdf_request *one[1];    /* room for sorted, of one request */
    struct pcdf_var_layouts places; /* of the variables in question */
    struct job put, get;
    int64_t numrecs; /* records that exist once the puts succeeded */
};

/* What a rank takes part with that moves nothing; the direction counts even so. */
#define NOTHING                                                                                              \
    {                                                                                                        \
        .put = { .dir = PCDF_PUT }, .get = {.dir = PCDF_GET }                                                \
    }

/* ---- before the vote: everything that can fail on this rank alone */

static int next_round(const struct pcdf_dataset *ds, struct job *t)
{
    const struct pcdf_round_limits limits = { t->stage_size, (size_t)ds->hints.stage_pieces };
    if (!t->has_round)
        PCDF_TRY(pcdf_plan_round(&t->plan, &limits, &t->round));
    t->has_round = true;
    return NC_NOERR;
}

/* What lacks memory should do so now: it is then an error of this call alone. */
static int begin_job(const struct pcdf_dataset *ds, struct job *t)
{
    int64_t next;
    if (t->way != PCDF_STRATEGY_TWOPHASE)
        return next_round(ds, t);
    PCDF_TRY(pcdf_round_reserve(
        &t->round, (size_t)(t->outline.pieces < LISTED_AT_ONCE ? t->outline.pieces : LISTED_AT_ONCE)));
    return pcdf_plan_window(&t->plan, t->outline.begin, t->outline.begin + 1, 1, &t->round, &next);
}

static int plan_job(struct pcdf_dataset *ds, struct job *t, const struct pcdf_var_layout *places)
{
    PCDF_TRY(pcdf_plan_build(&t->plan, t->requests, t->n, places));
    if (t->plan.nbytes == 0)
        return NC_NOERR;
    pcdf_plan_outline(&t->plan, &t->outline);
    t->way = pcdf_strategy_best(ds, t->dir, &t->outline, &t->why);
    t->stage_size = t->way == PCDF_STRATEGY_VIEW || ds->hints.stage_size < ds->hints.chunk_size
                        ? ds->hints.stage_size
                        : ds->hints.chunk_size;
    int64_t size = t->plan.nbytes < t->stage_size ? t->plan.nbytes : t->stage_size;
    t->stage = pcdf_malloc((size_t)size);
    if (!t->stage)
        return PCDF_FAIL(NC_ENOMEM, "no memory to stage %lld bytes", (long long)size);
    return begin_job(ds, t);
}

/* Puts before gets. A request that would not end within 63 bits of file is left out with its error. */
static void sort_requests(struct pcdf_dataset *ds, struct transfer *t, struct pcdf_request *const *requests,
                          int n)
{
    int at = 0;
    for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
        struct job *job = dir == PCDF_PUT ? &t->put : &t->get;
        job->requests = t->sorted + at;
        for (int i = 0; i < n; i++) {
            struct pcdf_request *r = requests[i];
            if (r->dir != dir)
                continue;
            r->status =
                pcdf_request_reach(r, &t->places.x[r->place], ds->meta.vars[r->varid].is_record, &t->numrecs);
            if (!r->status)
                t->sorted[at++] = r;
        }
        job->n = (int)(t->sorted + at - job->requests);
    }
}

static int prepare(struct pcdf_dataset *ds, struct transfer *t, struct pcdf_request *const *requests, int n)
{
    if (n == 0)
        return NC_NOERR;
    t->sorted = n == 1 ? t->one : pcdf_malloc((size_t)n * sizeof(*t->sorted));
    if (!t->sorted)
        return NC_ENOMEM;
    PCDF_TRY(pcdf_var_layouts_make(&t->places, &ds->meta, &ds->layout, requests, n));
    sort_requests(ds, t, requests, n);
    PCDF_TRY(plan_job(ds, &t->put, t->places.x));
    return plan_job(ds, &t->get, t->places.x);
}

static void release_job(struct job *t)
{
    pcdf_plan_free(&t->plan);
    pcdf_round_free(&t->round);
    pcdf_free(t->stage);
}

static void release(struct transfer *t)
{
    release_job(&t->put);
    release_job(&t->get);
    pcdf_var_layouts_free(&t->places);
    if (t->sorted != t->one)
        pcdf_free(t->sorted);
    *t = (struct transfer)NOTHING;
}

/* ---- rounds */

/* Dense memory that holds the file's bytes needs no staging; NULL otherwise. */
static unsigned char *user_bytes(const struct job *t)
{
    const struct pcdf_op *op = t->round.ops;
    if (t->round.nops != 1)
        return NULL;
    const struct pcdf_request *r = t->plan.requests[op->request];
    if (r->spread || !(r->is_external || r->kernels->is_copy))
        return NULL;
    return (unsigned char *)r->base + op->element * t->plan.places[r->place].xsize;
}

static struct pcdf_extents stage_round(struct job *t)
{
    unsigned char *data = user_bytes(t);
    if (!data) {
        data = t->stage;
        if (t->dir == PCDF_PUT)
            pcdf_round_pack(&t->plan, &t->round, data);
    }
    return (struct pcdf_extents){ t->dir,          t->round.n,   t->round.offset,
                                  t->round.length, (char *)data, t->round.nbytes };
}

/* What was read, to the user. */
static int land_round(struct pcdf_dataset *ds, struct job *t, const struct pcdf_extents *x)
{
    if (x->dir == PCDF_PUT)
        return NC_NOERR;
    PCDF_TRY(pcdf_shortfile_fill(ds, &t->plan, &t->round, (unsigned char *)x->data));
    if (x->data == (char *)t->stage)
        pcdf_round_unpack(&t->plan, &t->round, t->stage);
    return NC_NOERR;
}

static void count_round(struct job *t)
{
    for (size_t i = 0; i < t->round.nops; i++) {
        const struct pcdf_op *op = &t->round.ops[i];
        t->moved += op->n * t->plan.places[t->plan.requests[op->request]->place].xsize;
    }
}

/* A plan that was begun for windows is begun again. */
static void begin_rounds(struct job *t)
{
    if (t->plan.nbytes > 0 && !t->has_round)
        pcdf_plan_rewind(&t->plan);
}

static int move_alone(struct pcdf_dataset *ds, struct job *t)
{
    begin_rounds(t);
    while (t->plan.nbytes > 0) {
        PCDF_TRY(next_round(ds, t));
        t->has_round = false;
        if (t->round.n == 0)
            return NC_NOERR;
        struct pcdf_extents x = stage_round(t);
        PCDF_TRY(ds->io->ops->transfer(ds->io, &x, NULL));
        PCDF_TRY(land_round(ds, t, &x));
        count_round(t);
    }
    return NC_NOERR;
}

/* ---- through views: rounds until no rank has anything left */

/* A round may be as large as a view allows, where there is memory for that. */
static void widen_stage(const struct pcdf_dataset *ds, struct job *t)
{
    int64_t size = t->plan.nbytes < ds->hints.stage_size ? t->plan.nbytes : ds->hints.stage_size;
    unsigned char *stage = size > t->stage_size ? pcdf_malloc((size_t)size) : NULL;
    if (!stage)
        return;
    pcdf_free(t->stage);
    t->stage = stage;
    t->stage_size = ds->hints.stage_size;
}

/* Nothing more of this rank moves after a failure; it goes on taking part with nothing. */
static int move_views_all(struct pcdf_dataset *ds, struct job *t)
{
    int status = NC_NOERR;
    int64_t any = 1;
    begin_rounds(t);
    widen_stage(ds, t);
    while (any) { /* the same on all ranks */
        struct pcdf_extents x = { .dir = t->dir };
        if (!t->has_round)
            t->round.n = 0;
        if (!status && t->plan.nbytes > 0)
            status = next_round(ds, t);
        t->has_round = false;
        if (!status && t->round.n > 0)
            x = stage_round(t);
        pcdf_first(&status, ds->io->ops->transfer_all(ds->io, &x, NULL));
        if (!status && t->round.n > 0)
            status = land_round(ds, t, &x);
        if (!status)
            count_round(t);
        any = !status && t->plan.nbytes > 0 && !pcdf_plan_is_done(&t->plan);
        int err = pcdf_ranks_max_all(&ds->comm, &any, 1);
        if (err)
            return status ? status : err;
    }
    return status;
}

/* ---- through the windows of aggregators */

static int64_t flow_next(void *context, int64_t from)
{
    struct job *t = context;
    return pcdf_plan_next(&t->plan, from);
}

static int flow_look(void *context, int64_t from, int64_t to, size_t room, struct pcdf_extents *x,
                     int64_t *next)
{
    struct job *t = context;
    PCDF_TRY(pcdf_plan_window(&t->plan, from, to, room, &t->round, next));
    *x = (struct pcdf_extents){ t->dir, t->round.n, t->round.offset, t->round.length, NULL, t->round.nbytes };
    return NC_NOERR;
}

static int flow_move(void *context, char *window)
{
    struct job *t = context;
    if (t->dir == PCDF_PUT)
        pcdf_round_pack(&t->plan, &t->round, (unsigned char *)window);
    else
        pcdf_round_unpack(&t->plan, &t->round, (unsigned char *)window);
    count_round(t);
    return NC_NOERR;
}

static void flow_again(void *context)
{
    ((struct job *)context)->moved = 0;
}

static int move_exchange_all(struct pcdf_dataset *ds, struct job *t, const struct pcdf_span *span)
{
    const struct pcdf_flow flow = { .dir = t->dir,
                                    .nbytes = t->plan.nbytes > 0 ? t->outline.nbytes : 0,
                                    .pieces = t->outline.pieces,
                                    .begin = t->outline.begin,
                                    .end = t->outline.end,
                                    .begin_all = span->begin,
                                    .end_all = span->end,
                                    .context = t,
                                    .next = flow_next,
                                    .look = flow_look,
                                    .move = flow_move,
                                    .again = flow_again };
    bool done = false;
    t->has_round = false;
    int64_t moved;
    int status = ds->io->ops->exchange_all(ds->io, &flow, &done, &moved);
    if (!done && !status) /* the same on all ranks but for failures */
        status = move_alone(ds, t);
    return status;
}

static int move_all(struct pcdf_dataset *ds, struct job *t, enum pcdf_strategy way,
                    const struct pcdf_span *span)
{
    int status;
    if (way == PCDF_STRATEGY_VIEW) /* the way is the same on all ranks */
        status = move_views_all(ds, t);
    else if (way == PCDF_STRATEGY_TWOPHASE) /* the same on all ranks */
        status = move_exchange_all(ds, t, span);
    else
        status = move_alone(ds, t);
    return status;
}

/* Bytes asked = bytes moved: the engine answers for each of its transfers (engine.h), this for all of them.
 * Who then returns success has nothing left over, whatever the rounds were agreed to be. */
static int check_moved(const struct job *t, int status)
{
    if (status || t->moved == t->plan.nbytes)
        return status;
    return PCDF_FAIL(t->dir == PCDF_PUT ? NC_EWRITE : NC_EREAD, "%lld of %lld bytes were %s",
                     (long long)t->moved, (long long)t->plan.nbytes, t->dir == PCDF_PUT ? "written" : "read");
}

/* ---- settling */

static void account(struct pcdf_dataset *ds, const struct job *t)
{
    if (t->dir == PCDF_PUT)
        ds->put_bytes += t->plan.nbytes;
    else
        ds->get_bytes += t->plan.nbytes;
}

/* How each request of a job fared. */
static void settle_job(struct pcdf_dataset *ds, struct job *t, int io)
{
    if (!io)
        account(ds, t);
    if (io && t->dir == PCDF_PUT)
        pcdf_first(&ds->io_error, io);
    for (int i = 0; i < t->n; i++)
        t->requests[i]->status = io                             ? io
                                 : t->requests[i]->is_cut       ? NC_ETRUNC
                                 : t->requests[i]->out_of_range ? NC_ERANGE
                                                                : NC_NOERR;
}

/* The call's result: its first error that kept data from being moved, else NC_ETRUNC where the file was too
 * short, else NC_ERANGE where a value did not fit. */
static int result_of(const struct pcdf_dataset *ds, struct pcdf_request *const *requests, int n, int status)
{
    const struct pcdf_request *range = NULL, *cut = NULL;
    for (int i = 0; i < n; i++) {
        if (requests[i]->status == NC_ETRUNC)
            cut = cut ? cut : requests[i];
        else if (requests[i]->status == NC_ERANGE)
            range = range ? range : requests[i];
        else
            pcdf_first(&status, requests[i]->status);
    }
    if (!status && cut)
        return PCDF_FAIL(NC_ETRUNC,
                         "variable %s: the file ends at %lld, before the data does; fill values stand for "
                         "what is missing",
                         ds->meta.vars[cut->varid].name, (long long)ds->file_size);
    if (!status && range)
        status = PCDF_FAIL(NC_ERANGE, "variable %s: some values do not fit the type and became fill values",
                           ds->meta.vars[range->varid].name);
    return status;
}

/* The second vote of a wait that adds no records: a rank whose bytes failed has told its requests, and the
 * others learn of it here. Between puts and gets it is also the barrier: bytes that a view hands to another
 * rank may reach the file after this rank's own call returned. */
static int end_wait_all(struct pcdf_dataset *ds)
{
    struct pcdf_vote vote = { .kind = PCDF_KIND_END_OF_PUT };
    int status = pcdf_vote_all(ds, &vote);
    if (!status && vote.io_error)
        status = PCDF_FAIL(vote.io_error, "writing failed on some rank");
    return status;
}

/* Of a wait every rank returns what became of the puts, also one that only gets. */
static int put_all(struct pcdf_dataset *ds, struct transfer *t, enum pcdf_kind kind,
                   const struct pcdf_transfer_vote *agreed)
{
    int status = NC_NOERR, failed = agreed->common.io_error;
    int64_t numrecs = agreed->common.numrecs;
    if (failed) /* the same on all ranks, as is the way */
        status = PCDF_FAIL(failed, "an earlier write to the file failed on some rank");
    else /* on all ranks */
        status = move_all(ds, &t->put, agreed->put, &agreed->put_span);
    status = check_moved(&t->put, status);
    settle_job(ds, &t->put, status);
    if (!failed && numrecs > ds->meta.numrecs) { /* the same on all ranks */
        int err = pcdf_records_raise_all(ds, PCDF_KIND_END_OF_PUT, numrecs);
        for (int i = 0; err && i < t->put.n; i++)
            pcdf_first_vote(ds, &t->put.requests[i]->status, err);
        pcdf_first_vote(ds, &status, err);
    } else if (!failed && (kind == PCDF_KIND_WAIT || ds->deferral.is_written)) {
        /* the same on all ranks */
        pcdf_first_vote(ds, &status, end_wait_all(ds));
    }
    return status;
}

static int get_all(struct pcdf_dataset *ds, struct transfer *t, const struct pcdf_transfer_vote *agreed)
{
    int status = ds->poisoned ? pcdf_check_poison(ds) : NC_NOERR; /* by the end of the puts */
    if (!status)                                                  /* the way is the same on all ranks */
        status = move_all(ds, &t->get, agreed->get, &agreed->get_span);
    status = check_moved(&t->get, status);
    settle_job(ds, &t->get, status);
    return status;
}

/* Where this rank's bytes lie. */
static struct pcdf_span span_of(const struct job *t)
{
    return (struct pcdf_span){ t->outline.nbytes ? t->outline.begin : INT64_MAX, t->outline.end };
}

static void log_job(const struct pcdf_dataset *ds, const struct job *t, enum pcdf_strategy way)
{
    int64_t pieces = t->plan.nbytes > 0 ? t->outline.pieces : 0;
    const char *why = pieces > 0 ? t->why : "-";
    if (way != t->way) /* an independent call chooses none */
        why = way == PCDF_STRATEGY_OWN_CALL ? "-" : "other-rank";
    if (ds->log)
        pcdf_calllog_add(ds->log, t->dir, t->plan.nbytes, pieces, pcdf_strategy_name(way), why);
}

int pcdf_transfer_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_request *const *requests,
                      int n, int status)
{
    struct transfer t = NOTHING;
    if (!status)
        status = prepare(ds, &t, requests, n);
    if (status && ds->deferral.is_written) /* else nobody would hear that values are lost */
        pcdf_first(&ds->io_error, status);
    if (status) /* take part with nothing */
        release(&t);
    struct pcdf_transfer_vote vote = {
        .common = { .kind = kind,
                    .error = status,
                    .numrecs = t.numrecs,
                    .variable = n > 0 ? ds->meta.vars[requests[0]->varid].name : NULL },
        .put = t.put.way,
        .get = t.get.way,
        .put_span = span_of(&t.put),
        .get_span = span_of(&t.get),
    };
    int err = pcdf_vote_all(ds, &vote);
    bool goes = !err && !(ds->safe_mode && vote.common.error); /* the same on all ranks */
    if (!err && !goes && status != vote.common.error)
        status = PCDF_FAIL(vote.common.error, "another rank's call failed: nothing was moved (safe mode)");
    if (goes) {
        log_job(ds, &t.put, vote.put);
        log_job(ds, &t.get, vote.get);
        if (kind == PCDF_KIND_PUT || ds->deferral.is_written || vote.put != PCDF_STRATEGY_NONE)
            pcdf_first_vote(ds, &status, put_all(ds, &t, kind, &vote));
        if (vote.get != PCDF_STRATEGY_NONE)
            pcdf_first(&status, get_all(ds, &t, &vote));
    }
    pcdf_first_vote(ds, &status, err);
    for (int i = 0; status && (!t.sorted || !goes) && i < n; i++)
        requests[i]->status = status;
    status = result_of(ds, requests, n, status);
    release(&t);
    return status;
}

int pcdf_transfer(struct pcdf_dataset *ds, struct pcdf_request *const *requests, int n)
{
    struct transfer t = NOTHING;
    int status = prepare(ds, &t, requests, n);
    if (!status) {
        log_job(ds, &t.put, PCDF_STRATEGY_OWN_CALL);
        log_job(ds, &t.get, PCDF_STRATEGY_OWN_CALL);
        int io = ds->io_error && t.put.n > 0 ? PCDF_FAIL(ds->io_error, "an earlier write to the file failed")
                                             : check_moved(&t.put, move_alone(ds, &t.put));
        settle_job(ds, &t.put, io);
        if (!io && t.numrecs > ds->meta.numrecs)
            ds->meta.numrecs = t.numrecs;
        settle_job(ds, &t.get, check_moved(&t.get, move_alone(ds, &t.get)));
    }
    for (int i = 0; status && i < n; i++)
        requests[i]->status = status;
    status = result_of(ds, requests, n, status);
    release(&t);
    return status;
}
