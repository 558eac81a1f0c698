/* See tracestorage.h. Tests read the log back with ordinary reading; a log that cannot be written stops
 * nothing. */

#include "tracestorage.h"
#include "alloc.h"
#include "status.h"

struct tracestorage {
    struct pcdf_storage storage;
    struct pcdf_tracefile *log;
    bool owns_log, is_muted;
};

static const struct pcdf_storage_ops trace_ops;

/* begin: a clock, as the one now. */
static int note(struct pcdf_storage *s, double begin, struct pcdf_trace_line line)
{
    struct tracestorage *t = (struct tracestorage *)s;
    if (!t->is_muted)
        pcdf_tracefile_line(t->log, "%s %lld %lld %lld %d %.7f %.7f", line.op, (long long)line.pieces,
                            (long long)line.first, (long long)line.bytes, line.result,
                            pcdf_tracefile_at(t->log, begin),
                            pcdf_tracefile_at(t->log, pcdf_tracefile_clock()));
    return line.result;
}

static int trace_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    static const char *const ops[][2] = { { "put", "put_all" }, { "get", "get_all" } };
    double begin = pcdf_tracefile_clock();
    int err = pcdf_storage_move(s->below, x, got);
    return note(s, begin,
                (struct pcdf_trace_line){ ops[x->dir][x->together], (int64_t)x->n,
                                          x->n ? x->pieces->offset : 0, pcdf_pieces_bytes(x->pieces, x->n),
                                          err });
}

/* The bytes of values are at no place of a file. */
static int trace_get_boxes(struct pcdf_storage *s, const struct pcdf_boxes *boxes)
{
    double begin = pcdf_tracefile_clock();
    int err = pcdf_storage_get_boxes(s->below, boxes);
    return note(s, begin, (struct pcdf_trace_line){ "get", (int64_t)boxes->n, 0, boxes->nbytes, err });
}

static int trace_size(struct pcdf_storage *s, int64_t *bytes)
{
    double begin = pcdf_tracefile_clock();
    int err = pcdf_storage_size(s->below, bytes);
    return note(s, begin, (struct pcdf_trace_line){ "size", 0, 0, err ? 0 : *bytes, err });
}

static int trace_resize(struct pcdf_storage *s, int64_t bytes)
{
    double begin = pcdf_tracefile_clock();
    int err = pcdf_storage_resize(s->below, bytes);
    return note(s, begin, (struct pcdf_trace_line){ "resize_all", 0, 0, bytes, err });
}

static int trace_sync(struct pcdf_storage *s, bool together)
{
    double begin = pcdf_tracefile_clock();
    int err = pcdf_storage_sync(s->below, together);
    return note(s, begin, (struct pcdf_trace_line){ together ? "sync_all" : "flush", 0, 0, 0, err });
}

static int trace_close(struct pcdf_storage *s)
{
    struct tracestorage *t = (struct tracestorage *)s;
    double begin = pcdf_tracefile_clock();
    int err = pcdf_storage_close(s->below);
    note(s, begin, (struct pcdf_trace_line){ "close_all", 0, 0, 0, err });
    if (t->owns_log)
        pcdf_tracefile_free(t->log);
    return err;
}

static const struct pcdf_storage_ops trace_ops = {
    .name = "trace",
    .by_system = true,
    .move = trace_move,
    .get_boxes = trace_get_boxes,
    .size = trace_size,
    .resize = trace_resize,
    .sync = trace_sync,
    .close = trace_close,
};

int pcdf_tracestorage_stack(struct pcdf_tracefile *log, bool owns_log, struct pcdf_storage **top)
{
    struct tracestorage *t = pcdf_storage_make(sizeof *t, &trace_ops, *top, NULL);
    if (!t)
        return NC_ENOMEM;
    t->log = log;
    t->owns_log = owns_log;
    *top = &t->storage;
    return NC_NOERR;
}

void pcdf_tracestorage_open(struct pcdf_storage *top, int64_t id, int rank, int nranks, const char *path)
{
    if (top->ops != &trace_ops)
        return;
    pcdf_tracefile_begin(((struct tracestorage *)top)->log, id, rank, nranks, path);
    note(top, pcdf_tracefile_clock(), (struct pcdf_trace_line){ .op = "open" });
}

double pcdf_tracestorage_mute(struct pcdf_storage *top)
{
    if (top->ops != &trace_ops)
        return 0;
    ((struct tracestorage *)top)->is_muted = true;
    return pcdf_tracefile_clock();
}

void pcdf_tracestorage_tell(struct pcdf_storage *top, double begin, const struct pcdf_trace_line *line)
{
    if (top->ops != &trace_ops)
        return;
    ((struct tracestorage *)top)->is_muted = false;
    if (line)
        note(top, begin, *line);
}
