/* Stackable: sees to it that a mark is made before the first write of this rank, and compares what is read
 * with its checksums. The writes themselves are noted by the engine at the bottom, because what it writes may
 * have come from other ranks. It stands right above that one: failures by order (fault.c) are of what it
 * does, too. */

#include "blocksums.h"
#include "alloc.h"

struct sumsengine {
    struct pcdf_engine engine;
    struct pcdf_blocksums *sums;
};

static struct pcdf_blocksums *sums_of(struct pcdf_engine *e)
{
    return ((struct sumsengine *)e)->sums;
}

/* Where the mark cannot be made nothing is written. */
static int begin_write(struct pcdf_engine *e)
{
    struct pcdf_blocksums *b = sums_of(e);
    if (b->marked || !b->before_write)
        return NC_NOERR;
    PCDF_TRY(b->before_write(b->context));
    b->marked = true;
    return NC_NOERR;
}

static int sums_close_all(struct pcdf_engine *e)
{
    e->below->poisoned |= e->poisoned;
    int err = e->below->ops->close_all(e->below);
    pcdf_free(e);
    return err;
}

static int sums_size(struct pcdf_engine *e, int64_t *bytes)
{
    return e->below->ops->size(e->below, bytes);
}

/* Bytes behind the old end, or the new one, change. */
static int sums_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    int64_t size = 0;
    int status = begin_write(e);
    pcdf_first(&status, e->below->ops->size(e->below, &size));
    if (bytes != size)
        pcdf_blocksums_put(sums_of(e), NULL, bytes < size ? bytes : size, 1);
    pcdf_first(&status, e->below->ops->resize_all(e->below, bytes));
    return status;
}

static int sums_sync_all(struct pcdf_engine *e)
{
    return e->below->ops->sync_all(e->below);
}

static int sums_flush(struct pcdf_engine *e)
{
    return e->below->ops->flush(e->below);
}

static int sums_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    if (x->dir == PCDF_PUT && x->n > 0)
        PCDF_TRY(begin_write(e));
    PCDF_TRY(e->below->ops->transfer(e->below, x, got));
    return x->dir == PCDF_GET ? pcdf_blocksums_compare(sums_of(e), e->below, x) : NC_NOERR;
}

static int sums_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    static const struct pcdf_extents nothing_put = { .dir = PCDF_PUT };
    int status = x->dir == PCDF_PUT && x->n > 0 ? begin_write(e) : NC_NOERR;
    pcdf_first(&status, e->below->ops->transfer_all(e->below, status ? &nothing_put : x, got));
    if (!status && x->dir == PCDF_GET)
        status = pcdf_blocksums_compare(sums_of(e), e->below, x);
    return status;
}

/* What is to be compared does not come this way: the owner reads such a file alone. */
static int sums_exchange_all(struct pcdf_engine *e, const struct pcdf_flow *flow, bool *done, int64_t *moved)
{
    struct pcdf_flow nothing = *flow;
    int status = flow->dir == PCDF_PUT && flow->nbytes > 0 ? begin_write(e) : NC_NOERR;
    nothing.nbytes = 0;
    pcdf_first(&status, e->below->ops->exchange_all(e->below, status ? &nothing : flow, done, moved));
    return status;
}

static int sums_info(struct pcdf_engine *e, MPI_Info *info)
{
    return e->below->ops->info(e->below, info);
}

static const struct pcdf_engine_ops sums_ops = {
    .name = "sums",
    .close_all = sums_close_all,
    .size = sums_size,
    .resize_all = sums_resize_all,
    .sync_all = sums_sync_all,
    .flush = sums_flush,
    .transfer = sums_transfer,
    .transfer_all = sums_transfer_all,
    .exchange_all = sums_exchange_all,
    .info = sums_info,
};

int pcdf_sums_stack(const struct pcdf_engine_config *config, struct pcdf_engine *below,
                    struct pcdf_engine **e)
{
    struct sumsengine *s = pcdf_calloc(1, sizeof *s);
    if (!s)
        return NC_ENOMEM;
    s->engine.ops = &sums_ops;
    s->engine.below = below;
    s->engine.counts = below->counts;
    s->sums = config->sums;
    below->sums = config->sums;
    *e = &s->engine;
    return NC_NOERR;
}
