/* Puts and gets from checked requests to moved bytes: plans, vote, strategy, results. A blocking call is a
 * batch of one request; nothing here knows of forms or types. */
#include "transfer.h"
#include <assert.h>
#include "alloc.h"
#include "chunked.h"
#include "debuglog.h"
#include "filewriter.h"
#include "independent.h"
#include "numbers.h"
#include "plan.h"
#include "records.h"
#include "stepped.h"
#include "strategy.h"
#include "streamed.h"
#include "views.h"

struct job { /* all puts, or all gets, of one call */
    enum pcdf_dir dir;
    int n;
    struct pcdf_request **requests;         /* as posted; lies in transfer.sorted */
    const struct pcdf_iterator *iterator;   /* the plan's, or of nothing */
    struct pcdf_plan plan;                  /* merged; made where something moves */
    const struct pcdf_var_layouts *layouts; /* those of the transfer */
    struct pcdf_stage stage;
    enum pcdf_strategy strategy; /* what would be best for this rank */
    const char *why;             /* in a word of strategy.h */
};

struct transfer {
    struct pcdf_request **sorted;    /* puts, then gets */
    struct pcdf_request *one[1];     /* room for sorted, of one request */
    struct pcdf_var_layouts layouts; /* where the variables in question lie */
    struct job jobs[2];              /* by direction */
    int64_t numrecs;                 /* records that exist once the puts succeeded */
};

/* What a rank takes part with that moves nothing. */
static const struct pcdf_iterator nothing[] = { { .dir = PCDF_PUT, .begin = INT64_MAX },
                                                { .dir = PCDF_GET, .begin = INT64_MAX } };
static const struct transfer idle = { .jobs = { { .dir = PCDF_PUT, .iterator = &nothing[PCDF_PUT] },
                                                { .dir = PCDF_GET, .iterator = &nothing[PCDF_GET] } } };

/* ---- before the vote: everything that can fail on this rank alone */

static bool is_chunked(const struct pcdf_dataset *ds, const struct job *job)
{
    return job->dir == PCDF_GET && ds->io->kind->get_boxes;
}

static struct pcdf_chunked_gets gets_of(const struct job *job)
{
    return (struct pcdf_chunked_gets){ job->requests, job->n, job->layouts };
}

/* There are no bytes of a file to plan: chunked.h. */
static int plan_boxes(struct pcdf_dataset *ds, struct job *job)
{
    struct pcdf_iterator *all = &job->plan.iterator;
    struct pcdf_chunked_gets gets = gets_of(job);
    *all = nothing[PCDF_GET];
    pcdf_chunked_count(&gets, &all->pieces, &all->nbytes);
    job->iterator = all;
    if (all->nbytes > 0)
        job->strategy = pcdf_strategy_best(ds, all, PCDF_CHUNKS_OF_ANY, &job->why);
    return NC_NOERR;
}

/* Does any request touch chunks? */
static bool has_chunks(const struct job *job)
{
    bool has = false;
    for (int i = 0; i < job->n && job->layouts->has_chunks && !has; i++)
        has = job->layouts->x[job->requests[i]->layout].cells != NULL;
    return has;
}

static enum pcdf_touched_chunks touched_chunks(const struct pcdf_dataset *ds, const struct job *job)
{
    const struct pcdf_twophase *x = &ds->io->twophase;
    if (!has_chunks(job))
        return PCDF_CHUNKS_NONE;
    bool is_own =
        x->has_looked && pcdf_plan_is_of_owner(&job->plan, pcdf_twophase_number(x), pcdf_twophase_count(x));
    return is_own ? PCDF_CHUNKS_OF_OWN : PCDF_CHUNKS_OF_ANY;
}

static int plan_job(struct pcdf_dataset *ds, struct job *job)
{
    struct pcdf_iterator *all = &job->plan.iterator;
    if (is_chunked(ds, job))
        return plan_boxes(ds, job);
    PCDF_TRY(pcdf_plan_build(&job->plan, job->dir, job->requests, job->n, job->layouts));
    job->iterator = all;
    if (all->nbytes == 0)
        return NC_NOERR;
    job->strategy = ds->mode == PCDF_MODE_INDEPENDENT
                        ? PCDF_STRATEGY_INDEPENDENT /* there is nothing to choose */
                        : pcdf_strategy_best(ds, all, touched_chunks(ds, job), &job->why);
    if (job->dir == PCDF_GET && ds->readonly && all->end > ds->file_size) { /* its writer may have gone on */
        PCDF_TRY(pcdf_storage_size(ds->io->storage, &ds->file_size));
        job->plan.file_end = ds->file_size;
    }
    int64_t most = ds->hints.stage_size, size;
    int64_t block = job->dir == PCDF_GET ? ds->io->get_block : ds->io->put_block;
    if (block > 0) /* whole ones are worth something */
        most = pcdf_larger(ds->hints.chunk_size, block);
    else if (job->strategy != PCDF_STRATEGY_VIEWS && ds->hints.chunk_size < most)
        most = ds->hints.chunk_size;
    size = all->nbytes < most ? all->nbytes : most;
    job->stage = (struct pcdf_stage){ pcdf_malloc((size_t)size), size, (size_t)ds->hints.stage_pieces };
    return job->stage.bytes ? NC_NOERR
                            : PCDF_FAIL(NC_ENOMEM, "no memory to stage %lld bytes", (long long)size);
}

/* Puts before gets. A request that would not end within 63 bits of file is left out with its error. */
static int prepare(struct pcdf_dataset *ds, struct transfer *t, struct pcdf_request *const *requests, int n)
{
    int at = 0;
    if (n == 0)
        return NC_NOERR;
    t->sorted = n == 1 ? t->one : pcdf_malloc((size_t)n * sizeof(*t->sorted));
    if (!t->sorted)
        return NC_ENOMEM;
    t->jobs[PCDF_PUT].layouts = t->jobs[PCDF_GET].layouts = &t->layouts;
    PCDF_TRY(pcdf_var_layouts_make(&t->layouts, &ds->meta, &ds->layout, requests, n));
    for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
        struct job *job = &t->jobs[dir];
        job->requests = t->sorted + at;
        for (int i = 0; i < n; i++) {
            struct pcdf_request *r = requests[i];
            if (r->dir != (unsigned)dir)
                continue;
            const struct pcdf_var_layout *layout = &t->layouts.x[r->layout];
            r->status = layout->var->is_record ? pcdf_request_reach(r, layout, &t->numrecs) : NC_NOERR;
            if (!r->status)
                t->sorted[at++] = r;
        }
        job->n = (int)(t->sorted + at - job->requests);
    }
    for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++)
        if (t->jobs[dir].n > 0)
            PCDF_TRY(plan_job(ds, &t->jobs[dir]));
    return NC_NOERR;
}

/* ---- moving */

/* What this rank moves alone. *moved: bytes of the requests. */
static int move_own(struct pcdf_dataset *ds, struct job *job, const struct pcdf_iterator *it,
                    bool is_collective, int64_t *moved)
{
    struct pcdf_chunked_gets gets = gets_of(job);
    return is_chunked(ds, job) ? pcdf_chunked_get(ds->io->storage, &gets, &job->plan.misfits, moved)
                               : pcdf_independent(ds->io, it, &job->stage, is_collective, moved);
}

/* span: of all ranks' bytes. */
static int move_all(struct pcdf_dataset *ds, struct job *job, const struct pcdf_iterator *it,
                    enum pcdf_strategy strategy, const struct pcdf_span *span, int64_t *moved)
{
    if (strategy == PCDF_STRATEGY_VIEWS) /* the strategy is the same on all ranks */
        return pcdf_views_all(ds->io, it, &job->stage, ds->hints.stage_size, moved);
    if (strategy == PCDF_STRATEGY_TWOPHASE) { /* the same on all ranks */
        bool is_first = !ds->io->twophase.has_looked;
        int err = pcdf_twophase_all(ds->io, it, span, &job->stage, moved);
        if (is_first && pcdf_twophase_is_alone(&ds->io->twophase))
            pcdf_debuglog("%s: no memory that the ranks of a node share: each rank moves its own pieces",
                          ds->path);
        if (err && ds->writer && pcdf_twophase_is_alone(&ds->io->twophase) && !has_chunks(job))
            return move_own(ds, job, it, true, moved); /* which sends nothing */
        return err;
    }
    return move_own(ds, job, it, true, moved);
}

struct move { /* a step of a put: streamed.h */
    struct pcdf_dataset *ds;
    struct job *job;
    enum pcdf_strategy strategy;
};

static int move_step_all(void *context, const struct pcdf_iterator *it, const struct pcdf_span *span,
                         int64_t *moved)
{
    const struct move *m = context;
    return move_all(m->ds, m->job, it, m->strategy, span, moved);
}

static int move_own_step(void *context, const struct pcdf_iterator *it, int64_t *moved)
{
    const struct move *m = context;
    return move_own(m->ds, m->job, it, false, moved);
}

/* In independent mode. */
static int move_alone(struct pcdf_dataset *ds, struct job *job, int64_t *moved)
{
    struct move m = { ds, job, PCDF_STRATEGY_INDEPENDENT };
    return job->dir == PCDF_PUT && pcdf_stepped_is_alone(ds)
               ? pcdf_stepped_put_alone(ds, job->iterator, move_own_step, &m, moved)
               : move_own(ds, job, job->iterator, false, moved);
}

/* Does a step of a put leave something to place? Where each rank writes as it likes, no chunk was touched. */
static bool is_stepped(const struct pcdf_dataset *ds, enum pcdf_strategy strategy)
{
    return ds->writer &&
           (strategy == PCDF_STRATEGY_TWOPHASE || strategy == PCDF_STRATEGY_OWN || ds->ranks.size == 1);
}

/* A view may write the bytes of a step in any order, and zeros behind them. Where there is nobody to exchange
 * them with, each rank moves its own. */
static enum pcdf_strategy strategy_of_steps(const struct pcdf_dataset *ds, enum pcdf_strategy strategy)
{
    bool exchanges = ds->ranks.size > 1 && ds->io->kind->is_shared;
    if (strategy != PCDF_STRATEGY_VIEWS)
        return strategy;
    return exchanges ? PCDF_STRATEGY_TWOPHASE : PCDF_STRATEGY_INDEPENDENT;
}

static int move_puts_all(struct pcdf_dataset *ds, struct job *job, const struct pcdf_transfer_vote *agreed,
                         int64_t *moved)
{
    const struct pcdf_span *span = &agreed->put_span;
    struct move m = { ds, job, strategy_of_steps(ds, agreed->put) };
    int status;
    if (PCDF_SAME_IN(ds, is_stepped(ds, agreed->put)))
        status = pcdf_stepped_put_all(ds, job->iterator, span, move_step_all, &m, moved);
    else if (PCDF_SAME_IN(ds, pcdf_streamed_is_needed(ds, span)))
        status = pcdf_streamed_put_all(ds, job->iterator, &job->stage, span, move_step_all, &m, moved);
    else /* the same on all ranks */
        status = move_all(ds, job, job->iterator, agreed->put, span, moved);
    if (span->begin < span->end)
        pcdf_streamed_reached(ds, span->end);
    return status;
}

/* How each request of a job fared. Bytes asked = bytes moved: each storage answers for what it was given,
 * this for all of them, so that who returns success has nothing left over, whatever the strategy. */
static int finish_job(struct pcdf_dataset *ds, struct job *job, int io, int64_t moved)
{
    bool is_put = job->dir == PCDF_PUT;
    int64_t asked = job->iterator->nbytes;
    if (!io && moved != asked)
        io = PCDF_FAIL(is_put ? NC_EWRITE : NC_EREAD, "%lld of %lld bytes were %s", (long long)moved,
                       (long long)asked, is_put ? "written" : "read");
    if (!io)
        *(is_put ? &ds->put_bytes : &ds->get_bytes) += asked;
    else if (is_put && !(ds->writer && ds->writer->lacked_room(ds)))
        pcdf_first(&ds->io_error, io);
    for (int i = 0; i < job->n; i++) {
        struct pcdf_request *r = job->requests[i];
        r->status = io ? io : r->is_cut ? NC_ETRUNC : r->out_of_range ? NC_ERANGE : NC_NOERR;
        if (is_put && !io && pcdf_parts_any(&ds->parts))
            pcdf_parts_put_done(ds, r);
    }
    return io;
}

/* Before its bytes are read again. */
static void forget_misfits(struct job *job)
{
    job->plan.misfits = (struct pcdf_misfits){ 0 };
    for (int i = 0; i < job->n; i++)
        job->requests[i]->out_of_range = false;
}

/* As finish_job. Where a block is damaged, which requests is it that touch it? Each is read again, alone, and
 * the others get what they asked for. Local: it is no other rank's business. */
static int finish_gets(struct pcdf_dataset *ds, struct job *job, int io, int64_t moved)
{
    int status = NC_NOERR;
    if (io != NC_EREAD || !ds->io->get_block || job->n < 2)
        return finish_job(ds, job, io, moved);
    forget_misfits(job);
    for (int i = 0; i < job->n; i++) {
        struct job one = { PCDF_GET,       1, job->requests + i, &nothing[PCDF_GET], .layouts = job->layouts,
                           .why = job->why };
        moved = 0;
        int err = plan_job(ds, &one);
        if (!err && one.iterator->nbytes > 0)
            err = move_own(ds, &one, one.iterator, false, &moved);
        pcdf_first(&status, finish_job(ds, &one, err, moved));
        pcdf_misfits_add(&job->plan.misfits, &one.plan.misfits);
        if (one.plan.items)
            pcdf_plan_free(&one.plan);
        pcdf_free(one.stage.bytes);
    }
    return status;
}

/* A failure is the same on all ranks. */
static int before_move_all(struct pcdf_dataset *ds, const struct pcdf_span *span)
{
    if (pcdf_parts_any(&ds->parts)) /* on all ranks; local parts send nothing */
        return pcdf_parts_before_move_all(ds, span);
    return NC_NOERR;
}

/* A rank whose own bytes failed keeps the sentence that says why. */
static int count_records_all(struct pcdf_dataset *ds, int64_t numrecs, int own)
{
    char sentence[PCDF_SENTENCE];
    if (own)
        pcdf_fail_save(sentence);
    int err = pcdf_records_count_all(ds, PCDF_KIND_END_OF_PUT, numrecs);
    if (own && !ds->poisoned)
        pcdf_fail_restore(sentence);
    return err;
}

/* tells_all: every rank returns what became of the puts, also one that only gets. The same on all ranks. */
static int put_all(struct pcdf_dataset *ds, struct job *job, bool tells_all,
                   const struct pcdf_transfer_vote *agreed)
{
    int64_t moved = 0, numrecs = agreed->common.numrecs;
    int status = NC_NOERR, failed = agreed->common.io_error;
    if (PCDF_SAME_IN(ds, failed)) /* as is the strategy */
        status = PCDF_FAIL(failed, "an earlier write to the file failed on some rank");
    else if (pcdf_parts_any(&ds->parts)) /* on all ranks; local parts send nothing */
        status = pcdf_parts_before_change_all(ds);
    if (PCDF_SAME_IN(ds, !status))
        status = before_move_all(ds, &agreed->put_span);
    if (PCDF_SAME_IN(ds, !status))
        status = move_puts_all(ds, job, agreed, &moved);
    status = finish_job(ds, job, status, moved);
    if (pcdf_parts_any(&ds->parts) && !failed && agreed->put != PCDF_STRATEGY_NONE)
        pcdf_parts_moved(ds, &agreed->put_span);
    if (PCDF_SAME_IN(ds, !failed && numrecs > ds->meta.numrecs)) {
        int err = count_records_all(ds, numrecs, status);
        for (int i = 0; err && i < job->n; i++)
            pcdf_first_vote(ds, &job->requests[i]->status, err);
        pcdf_first_vote(ds, &status, err);
    } else if (PCDF_SAME_IN(ds, !failed && tells_all)) {
        /* Puts that add no records: a rank whose bytes failed has told its requests, and the others learn of
         * it here. Between puts and gets it is also the barrier: bytes that a view hands to another rank may
         * reach the file after this rank's own call returned. */
        struct pcdf_vote vote = { .kind = PCDF_KIND_END_OF_PUT };
        int err = pcdf_vote_all(ds, &vote);
        if (!err && vote.io_error)
            err = status ? vote.io_error : PCDF_FAIL(vote.io_error, "writing failed on some rank");
        for (int i = 0; err && pcdf_parts_puts_wait(ds) && i < job->n; i++) /* it may have been theirs */
            pcdf_first_vote(ds, &job->requests[i]->status, err);
        pcdf_first_vote(ds, &status, err);
    }
    if (pcdf_parts_any(&ds->parts) && !failed && !ds->poisoned) /* on all ranks; local parts send nothing */
        pcdf_first_vote(ds, &status, pcdf_parts_put_all(ds, &agreed->put_span));
    return status;
}

/* Behind the puts of the same call. */
static int get_all(struct pcdf_dataset *ds, struct job *job, const struct pcdf_transfer_vote *agreed)
{
    int64_t moved = 0;
    int io = ds->poisoned ? pcdf_check_poison(ds) : NC_NOERR; /* by the end of the puts */
    if (!io)                                                  /* the same on all ranks */
        (void)before_move_all(ds, &agreed->get_span);         /* a failure is told below */
    io = ds->poisoned ? pcdf_check_poison(ds) : io;
    if (!io) /* the same on all ranks */
        io = move_all(ds, job, job->iterator, agreed->get, &agreed->get_span, &moved);
    if (io && !ds->poisoned && agreed->get == PCDF_STRATEGY_TWOPHASE && ds->io->get_block) {
        forget_misfits(job);
        io = move_own(ds, job, job->iterator, true, &moved); /* is the bad block its own? */
    }
    if (pcdf_parts_any(&ds->parts))
        pcdf_first(&io, pcdf_parts_after_get(ds));
    return finish_gets(ds, job, io, moved);
}

/* ---- a call */

static void tell_parts(const struct pcdf_dataset *ds, const struct job *job, enum pcdf_strategy strategy,
                       const char *why)
{
    bool by_chunks = is_chunked(ds, job) && strategy == PCDF_STRATEGY_INDEPENDENT;
    pcdf_parts_call_moves(ds,
                          &(struct pcdf_moving){ job->dir, job->iterator->nbytes, job->iterator->pieces,
                                                 by_chunks ? "chunked" : pcdf_strategy_name(strategy), why });
}

/* As the ranks agreed. */
static void tell_parts_agreed(const struct pcdf_dataset *ds, const struct job *job,
                              enum pcdf_strategy strategy)
{
    const char *own = job->iterator->pieces > 0 ? job->why : "-";
    tell_parts(ds, job, strategy, strategy == job->strategy ? own : "other-rank");
}

/* Frees what was made, and gives the call's result: its first error that kept data from being moved, else
 * NC_ETRUNC where the file was too short, else NC_ERANGE where a value did not fit. */
static int finish(const struct pcdf_dataset *ds, struct transfer *t, struct pcdf_request *const *requests,
                  int n, int status)
{
    const struct pcdf_request *cut = NULL;
    struct pcdf_misfits misfits = { 0 };
    int range = 0; /* requests */
    for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
        struct job *job = &t->jobs[dir];
        if (job->plan.items)
            pcdf_plan_free(&job->plan);
        pcdf_free(job->stage.bytes);
        pcdf_misfits_add(&misfits, &job->plan.misfits);
    }
    if (t->layouts.x)
        pcdf_var_layouts_free(&t->layouts);
    if (t->sorted != t->one)
        pcdf_free(t->sorted);

    for (int i = 0; i < n; i++) {
        if (requests[i]->status == NC_ETRUNC)
            cut = cut ? cut : requests[i];
        else if (requests[i]->status == NC_ERANGE)
            range++;
        else if (!status)
            status = requests[i]->status;
    }
    if (!status && cut)
        return PCDF_FAIL(NC_ETRUNC,
                         "variable %s: the file ends at %lld, before the data does; fill values stand for "
                         "what is missing",
                         ds->meta.vars[cut->varid].name, (long long)ds->file_size);
    return !status && range > 0 ? pcdf_misfits_fail_data(&misfits, ds->meta.vars, range) : status;
}

/* Records of puts that waited were shown to the program at once. Who writes these puts counts them again, and
 * where that fails nobody does. Returns whether the puts waited. */
static bool begin_deferred(struct pcdf_dataset *ds, int64_t before)
{
    bool is_deferred = before != PCDF_NOT_DEFERRED;
    if (is_deferred)
        ds->meta.numrecs = before;
    return is_deferred;
}

int pcdf_transfer_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t before,
                      struct pcdf_request *const *requests, int n, int status)
{
    struct transfer t = idle;
    bool is_deferred = begin_deferred(ds, before);
    if (pcdf_parts_any(&ds->parts))
        pcdf_parts_before_move(ds);
    if (ds->writer && (kind != PCDF_KIND_GET || is_deferred)) /* the same on all ranks */
        pcdf_first_vote(ds, &status, ds->writer->before_put_all(ds, kind, requests, status ? 0 : n, status));
    if (!status)
        status = prepare(ds, &t, requests, n);
    if (status && is_deferred) /* else nobody would hear that values are lost */
        pcdf_first(&ds->io_error, status);
    for (int dir = PCDF_PUT; status && dir <= PCDF_GET; dir++) { /* take part with nothing */
        t.jobs[dir].iterator = &nothing[dir];
        t.jobs[dir].strategy = PCDF_STRATEGY_NONE;
        t.jobs[dir].n = 0;
    }
    bool is_prepared = !status;
    struct job *put = &t.jobs[PCDF_PUT], *get = &t.jobs[PCDF_GET];
    struct pcdf_transfer_vote vote = {
        .common = { .kind = kind,
                    .error = status,
                    .numrecs = is_prepared ? t.numrecs : 0,
                    .variable = n > 0 ? ds->meta.vars[requests[0]->varid].name : NULL },
        .put = put->strategy,
        .get = get->strategy,
        .put_span = { put->iterator->begin, put->iterator->end },
        .get_span = { get->iterator->begin, get->iterator->end },
        .shared = pcdf_strategy_shared(ds, get->iterator),
    };
    /* Nobody votes any more where before_put_all found that ranks called different things. */
    int err = status && ds->poisoned ? status : pcdf_vote_all(ds, &vote); /* on all ranks here */
    if (PCDF_SAME_IN(ds, pcdf_strategy_gathers(&vote))) {
        vote.get = get->strategy = PCDF_STRATEGY_TWOPHASE;
        get->why = "ranks-share";
    }
    bool goes = PCDF_SAME_IN(ds, !err && !(ds->safe_mode && vote.common.error));
    if (!err && !goes && status != vote.common.error)
        status = PCDF_FAIL(vote.common.error, "another rank's call failed: nothing was moved (safe mode)");
    if (goes && pcdf_parts_any(&ds->parts)) {
        tell_parts_agreed(ds, put, vote.put);
        tell_parts_agreed(ds, get, vote.get);
    }
    if (PCDF_SAME_IN(ds, goes && (kind == PCDF_KIND_PUT || is_deferred || vote.put != PCDF_STRATEGY_NONE)))
        pcdf_first_vote(
            ds, &status,
            put_all(ds, put,
                    kind == PCDF_KIND_WAIT || is_deferred || PCDF_SAME_IN(ds, is_stepped(ds, vote.put)),
                    &vote));
    if (PCDF_SAME_IN(ds, goes && vote.get != PCDF_STRATEGY_NONE))
        pcdf_first(&status, get_all(ds, get, &vote));
    pcdf_first_vote(ds, &status, err);
    for (int i = 0; status && (!is_prepared || !goes) && i < n; i++)
        requests[i]->status = status;
    return finish(ds, &t, requests, n, status);
}

int pcdf_transfer(struct pcdf_dataset *ds, int64_t before, struct pcdf_request *const *requests, int n)
{
    struct transfer t = idle;
    bool is_deferred = begin_deferred(ds, before);
    if (pcdf_parts_any(&ds->parts))
        pcdf_parts_before_move(ds);
    int status = prepare(ds, &t, requests, n);
    if (status && is_deferred) /* as above */
        pcdf_first(&ds->io_error, status);
    for (int i = 0; status && i < n; i++)
        requests[i]->status = status;
    for (int dir = PCDF_PUT; !status && dir <= PCDF_GET; dir++) {
        struct job *job = &t.jobs[dir];
        int64_t moved = 0;
        if (pcdf_parts_any(&ds->parts))
            tell_parts(ds, job, PCDF_STRATEGY_INDEPENDENT, "independent-mode");
        if (job->n == 0)
            continue;
        int io = ds->io_error && dir == PCDF_PUT
                     ? PCDF_FAIL(ds->io_error, "an earlier write to the file failed")
                     : move_alone(ds, job, &moved);
        if (dir == PCDF_GET && pcdf_parts_any(&ds->parts))
            pcdf_first(&io, pcdf_parts_after_get(ds));
        io = dir == PCDF_GET ? finish_gets(ds, job, io, moved) : finish_job(ds, job, io, moved);
        if (io && is_deferred && dir == PCDF_PUT) /* as above */
            pcdf_first(&ds->io_error, io);
        if (!io && dir == PCDF_PUT && t.numrecs > ds->meta.numrecs)
            ds->meta.numrecs = t.numrecs;
    }
    return finish(ds, &t, requests, n, status);
}
