/* Takes every write, reads zeros and only remembers the size: what is left over is the library's own cost. */

#include "engine.h"
#include "alloc.h"
#include <string.h>

struct null {
    struct pcdf_engine engine;
    int64_t bytes; /* as this rank knows it */
};

static int null_close_all(struct pcdf_engine *e)
{
    pcdf_free(e);
    return NC_NOERR;
}

static int null_size(struct pcdf_engine *e, int64_t *bytes)
{
    *bytes = ((struct null *)e)->bytes;
    return NC_NOERR;
}

static int null_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    e->counts->resize++;
    ((struct null *)e)->bytes = bytes;
    return NC_NOERR;
}

static int null_sync_all(struct pcdf_engine *e)
{
    e->counts->sync++;
    return NC_NOERR;
}

static void null_move(struct null *u, const struct pcdf_extents *x, int64_t *got)
{
    int64_t there = 0;

    for (size_t i = 0; i < x->n; i++) {
        int64_t end = x->offset[i] + x->length[i];
        if (x->dir == PCDF_PUT && end > u->bytes)
            u->bytes = end;
        else if (x->dir == PCDF_GET && u->bytes > x->offset[i])
            there += (end < u->bytes ? end : u->bytes) - x->offset[i];
    }
    if (x->dir == PCDF_GET && x->n)
        memset(x->data, 0, (size_t)x->nbytes);
    *(x->dir == PCDF_PUT ? &u->engine.counts->bytes_written : &u->engine.counts->bytes_read) += x->nbytes;
    if (got)
        *got = there;
}

static int null_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &e->counts->write_at : &e->counts->read_at) += (int64_t)x->n;
    null_move((struct null *)e, x, got);
    return NC_NOERR;
}

static int null_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &e->counts->write_view_all : &e->counts->read_view_all) += 1;
    null_move((struct null *)e, x, got);
    return NC_NOERR;
}

static int null_info(struct pcdf_engine *e, MPI_Info *info)
{
    int err = MPI_Info_create(info);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "listing the hints of engine", e->ops->name) : NC_NOERR;
}

static const struct pcdf_engine_ops null_ops = {
    .name = "null",
    .close_all = null_close_all,
    .size = null_size,
    .resize_all = null_resize_all,
    .sync_all = null_sync_all,
    .flush = null_sync_all,
    .transfer = null_transfer,
    .transfer_all = null_transfer_all,
    .info = null_info,
};

int pcdf_null_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e)
{
    struct null *u = pcdf_calloc(1, sizeof *u);

    if (!u)
        return NC_ENOMEM;
    u->engine.ops = &null_ops;
    u->engine.counts = config->counts;
    config->counts->file_open++;
    *e = &u->engine;
    return NC_NOERR;
}
