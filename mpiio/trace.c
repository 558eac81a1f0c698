/* Logs what passes. Stackable. One line an operation, as it ends, in the log of this rank (tracefile.h):
 *     op pieces first bytes result begin end
 * op: open, put, get (alone), put_all, get_all (together, through a view), put_exchange, get_exchange
 * (together, by our own exchange; pieces: about), nodes, size, resize_all, sync_all, flush, close_all.
 * pieces, first offset and bytes are 0 where the operation has none (resize_all and size: bytes is the size;
 * nodes, before the first exchange: "pieces" are the nodes, "first" the aggregators, bytes those of a
 * window). result: the NC_ code; begin and end: seconds. With trace "-" nothing is written: the counts of the
 * engine below are all there is. Tests read the file back with ordinary reading; a log that cannot be written
 * stops nothing. */

#include "engine.h"
#include "alloc.h"
#include "tracefile.h"
#include <string.h>
#include <time.h>

struct trace {
    struct pcdf_engine engine;
    struct pcdf_tracefile *log; /* NULL: counts only */
    bool owns_log, told_nodes;
};

static double begun(const struct trace *t)
{
    return t->log ? pcdf_tracefile_now(t->log) : 0;
}

static int note(struct trace *t, const char *op, const struct pcdf_extents *x, int result, double begin)
{
    if (t->log)
        pcdf_tracefile_line(t->log, "%s %zu %lld %lld %d %.7f %.7f", op, x->n,
                            (long long)(x->n ? x->offset[0] : 0), (long long)x->nbytes, result, begin,
                            pcdf_tracefile_now(t->log));
    return result;
}

/* Of an operation that has no pieces. */
static int note_whole(struct trace *t, const char *op, int64_t bytes, int result, double begin)
{
    return note(t, op, &(struct pcdf_extents){ .nbytes = bytes }, result, begin);
}

static int trace_close_all(struct pcdf_engine *e)
{
    struct trace *t = (struct trace *)e;
    double begin = begun(t);
    int err;

    e->below->poisoned |= e->poisoned;
    err = e->below->ops->close_all(e->below);
    note_whole(t, "close_all", 0, err, begin);
    if (t->owns_log)
        pcdf_tracefile_free(t->log);
    pcdf_free(t);
    return err;
}

static int trace_size(struct pcdf_engine *e, int64_t *bytes)
{
    double begin = begun((struct trace *)e);
    int err = e->below->ops->size(e->below, bytes);
    return note_whole((struct trace *)e, "size", err ? 0 : *bytes, err, begin);
}

static int trace_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    double begin = begun((struct trace *)e);
    int err = e->below->ops->resize_all(e->below, bytes);
    return note_whole((struct trace *)e, "resize_all", bytes, err, begin);
}

static int trace_sync_all(struct pcdf_engine *e)
{
    double begin = begun((struct trace *)e);
    int err = e->below->ops->sync_all(e->below);
    return note_whole((struct trace *)e, "sync_all", 0, err, begin);
}

static int trace_flush(struct pcdf_engine *e)
{
    double begin = begun((struct trace *)e);
    return note_whole((struct trace *)e, "flush", 0, e->below->ops->flush(e->below), begin);
}

static int trace_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    double begin = begun((struct trace *)e);
    int err = e->below->ops->transfer(e->below, x, got);
    return note((struct trace *)e, x->dir == PCDF_PUT ? "put" : "get", x, err, begin);
}

static int trace_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    double begin = begun((struct trace *)e);
    int err = e->below->ops->transfer_all(e->below, x, got);
    return note((struct trace *)e, x->dir == PCDF_PUT ? "put_all" : "get_all", x, err, begin);
}

static int trace_exchange_all(struct pcdf_engine *e, const struct pcdf_flow *flow, bool *done, int64_t *moved)
{
    struct trace *t = (struct trace *)e;
    double begin = begun(t);
    int64_t first = flow->nbytes ? flow->begin : 0;
    int err = e->below->ops->exchange_all(e->below, flow, done, moved);
    if (!*done)
        return err;
    if (!t->told_nodes) {
        int64_t aggregators = e->counts->aggregators;
        note(t, "nodes",
             &(struct pcdf_extents){
                 .n = (size_t)e->counts->nodes, .offset = &aggregators, .nbytes = e->counts->window },
             NC_NOERR, begin);
    }
    t->told_nodes = true;
    const struct pcdf_extents x = { .n = (size_t)flow->pieces, .offset = &first, .nbytes = flow->nbytes };
    return note(t, flow->dir == PCDF_PUT ? "put_exchange" : "get_exchange", &x, err, begin);
}

static int trace_info(struct pcdf_engine *e, MPI_Info *info)
{
    return e->below->ops->info(e->below, info);
}

static const struct pcdf_engine_ops trace_ops = {
    .name = "trace",
    .close_all = trace_close_all,
    .size = trace_size,
    .resize_all = trace_resize_all,
    .sync_all = trace_sync_all,
    .flush = trace_flush,
    .transfer = trace_transfer,
    .transfer_all = trace_transfer_all,
    .exchange_all = trace_exchange_all,
    .info = trace_info,
};

void pcdf_trace_begin(struct pcdf_engine *e, const struct pcdf_engine_config *config, int64_t id)
{
    struct trace *t = (struct trace *)e;
    int rank = 0, nranks = 1;

    if (!t->log)
        return;
    MPI_Comm_rank(config->comm, &rank);
    MPI_Comm_size(config->comm, &nranks);
    pcdf_tracefile_begin(t->log, id, rank, nranks, config->later_path ? config->later_path : config->path);
    note_whole(t, "open", 0, NC_NOERR, begun(t));
}

int64_t pcdf_trace_wall(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int pcdf_trace_stack(const struct pcdf_engine_config *config, struct pcdf_engine *below,
                     struct pcdf_engine **e)
{
    struct trace *t = pcdf_calloc(1, sizeof *t);
    int rank = 0;

    if (!t)
        return NC_ENOMEM;
    t->engine.ops = &trace_ops;
    t->engine.below = below;
    t->engine.counts = below->counts;
    t->log = config->log;
    t->owns_log = !t->log && strcmp(config->trace, "-");
    if (t->owns_log) {
        MPI_Comm_rank(config->comm, &rank);
        t->log = pcdf_tracefile_make(config->trace, rank);
    }
    if (t->owns_log && !t->log) {
        pcdf_free(t);
        return NC_ENOMEM;
    }
    *e = &t->engine;
    return NC_NOERR;
}
