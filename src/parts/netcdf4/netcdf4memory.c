/* See netcdf4file.h: what a rank's memory is used for. Hint pcdf_chunk_memory says how much there is, and 16
 * MiB are beside it. */
#include "netcdf4file.h"
#include "cells.h"
#include "dataset.h"
#include "numbers.h"
#include "status.h"
#include "writequeue.h"

enum {
    /* What caches of cores hold, about, so that memory of one step is there for the next. */
    STEP = 16 << 20,
    /* So much of a step is in the 16 MiB; lists and scratch memory take what is left of them. */
    BESIDE = 4 << 20
};

/* The same on all ranks. */
static int64_t step_bytes(const struct pcdf_dataset *ds)
{
    int64_t hint = ds->hints.chunk_memory;
    return pcdf_smaller(ds->io->queues ? hint / 4 : hint, STEP);
}

/* The most that an encoded chunk takes while it waits for its place: what it is, and what is noted of it. */
static int64_t largest_chunk(const struct pcdf_cells *cells)
{
    enum { NOTED = 256 };
    int64_t bytes = 1;
    for (int i = 0; i < cells->nvars; i++)
        if (cells->x[i].chunk)
            bytes = pcdf_larger(bytes, cells->x[i].bytes);
    return bytes + NOTED;
}

/* One chunk of each rank at least. Small chunks fill their cells only in part. */
int64_t pcdf_netcdf4_step(const struct pcdf_dataset *ds, const struct netcdf4 *n)
{
    const struct pcdf_cells *cells = &n->plan->cells;
    int64_t each = pcdf_larger(step_bytes(ds) / largest_chunk(cells), 1), bytes;
    bool is_all = __builtin_mul_overflow(each, cells->cell, &bytes) ||
                  __builtin_mul_overflow(bytes, (int64_t)ds->ranks.size, &bytes);
    return is_all ? INT64_MAX : bytes;
}

/* What a step takes of the hint. */
static int64_t of_step(const struct pcdf_dataset *ds)
{
    return pcdf_larger(step_bytes(ds) - BESIDE, 0);
}

/* Where there is a queue, what its thread encoded waits in the other half. */
int64_t pcdf_netcdf4_cache(const struct pcdf_dataset *ds)
{
    int64_t hint = ds->hints.chunk_memory;
    return ds->io->queues ? hint / 2 : hint - of_step(ds);
}

struct touched {
    const struct pcdf_chunks *chunks;
    int64_t bytes;
};

static void add_touched(void *context, const struct pcdf_extents *x)
{
    struct touched *touched = context;
    touched->bytes += pcdf_chunks_touched(touched->chunks, x);
}

int pcdf_netcdf4_limit_queue(struct pcdf_dataset *ds, const struct netcdf4 *n)
{
    struct touched touched = { n->chunks, 0 };
    pcdf_writequeue_each(ds->io->storage, add_touched, &touched);
    return touched.bytes > ds->hints.chunk_memory / 2 - of_step(ds) ? pcdf_parts_drain(ds) : NC_NOERR;
}
