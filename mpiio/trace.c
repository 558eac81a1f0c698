/* Logs what passes. Stackable. One line an operation, appended to <config->trace>.<rank> as it ends:
 *     op pieces first bytes result
 * op: open, put, get (alone), put_all, get_all (together, through a view), put_exchange, get_exchange
 * (together, by our own exchange; pieces: about), nodes, size, resize_all, sync_all, flush, close_all.
 * pieces, first offset and bytes are 0 where the operation has none (resize_all and size: bytes is the size;
 * nodes, before the first exchange: "pieces" are the nodes, "first" the aggregators, bytes those of a
 * window). result: the NC_ code. With trace "-" nothing is written: the counts of the engine below are all
 * there is. Tests read the file back with ordinary reading; a log that cannot be written stops nothing. */

#include "engine.h"
#include "alloc.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct trace {
    struct pcdf_engine engine;
    int fd; /* -1: counts only */
    bool told_nodes;
};

static int note(struct trace *t, const char *op, size_t pieces, int64_t first, int64_t bytes, int result)
{
    if (t->fd >= 0)
        (void)!dprintf(t->fd, "%s %zu %lld %lld %d\n", op, pieces, (long long)first, (long long)bytes,
                       result);
    return result;
}

static int trace_close_all(struct pcdf_engine *e)
{
    struct trace *t = (struct trace *)e;
    int err;

    e->below->poisoned |= e->poisoned;
    err = e->below->ops->close_all(e->below);
    note(t, "close_all", 0, 0, 0, err);
    if (t->fd >= 0)
        close(t->fd);
    pcdf_free(t);
    return err;
}

static int trace_size(struct pcdf_engine *e, int64_t *bytes)
{
    int err = e->below->ops->size(e->below, bytes);
    return note((struct trace *)e, "size", 0, 0, err ? 0 : *bytes, err);
}

static int trace_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    return note((struct trace *)e, "resize_all", 0, 0, bytes, e->below->ops->resize_all(e->below, bytes));
}

static int trace_sync_all(struct pcdf_engine *e)
{
    return note((struct trace *)e, "sync_all", 0, 0, 0, e->below->ops->sync_all(e->below));
}

static int trace_flush(struct pcdf_engine *e)
{
    return note((struct trace *)e, "flush", 0, 0, 0, e->below->ops->flush(e->below));
}

static int trace_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    int err = e->below->ops->transfer(e->below, x, got);
    return note((struct trace *)e, x->dir == PCDF_PUT ? "put" : "get", x->n, x->n ? x->offset[0] : 0,
                x->nbytes, err);
}

static int trace_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    int err = e->below->ops->transfer_all(e->below, x, got);
    return note((struct trace *)e, x->dir == PCDF_PUT ? "put_all" : "get_all", x->n, x->n ? x->offset[0] : 0,
                x->nbytes, err);
}

static int trace_exchange_all(struct pcdf_engine *e, const struct pcdf_flow *flow, bool *done, int64_t *moved)
{
    struct trace *t = (struct trace *)e;
    int err = e->below->ops->exchange_all(e->below, flow, done, moved);
    if (*done && !t->told_nodes)
        note(t, "nodes", (size_t)e->counts->nodes, e->counts->aggregators, e->counts->window, NC_NOERR);
    t->told_nodes |= *done;
    return !*done ? err
                  : note(t, flow->dir == PCDF_PUT ? "put_exchange" : "get_exchange", (size_t)flow->pieces,
                         flow->nbytes ? flow->begin : 0, flow->nbytes, err);
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

static int open_log(const struct pcdf_engine_config *config, int *fd)
{
    size_t room = strlen(config->trace) + 16;
    char *name = pcdf_malloc(room);
    int rank = 0;

    if (!name)
        return NC_ENOMEM;
    MPI_Comm_rank(config->comm, &rank);
    snprintf(name, room, "%s.%d", config->trace, rank);
    *fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    pcdf_free(name);
    return NC_NOERR;
}

int pcdf_trace_stack(const struct pcdf_engine_config *config, struct pcdf_engine *below,
                     struct pcdf_engine **e)
{
    struct trace *t = pcdf_calloc(1, sizeof *t);
    int err;

    if (!t)
        return NC_ENOMEM;
    t->engine.ops = &trace_ops;
    t->engine.below = below;
    t->engine.counts = below->counts;
    t->fd = -1;
    err = strcmp(config->trace, "-") ? open_log(config, &t->fd) : NC_NOERR;
    if (err) {
        pcdf_free(t);
        return err;
    }
    note(t, "open", 0, 0, 0, NC_NOERR);
    *e = &t->engine;
    return NC_NOERR;
}
