/* See netcdf4file.h: HDF5's metadata, by rank 0. */
#include "netcdf4file.h"
#include "alloc.h"
#include "dataset.h"
#include "h5meta.h"
#include "metajournal.h"
#include "netcdf4part.h"
#include "plugin.h"
#include "shown.h"
#include "status.h"

static int start(struct pcdf_dataset *ds, struct netcdf4 *n, const struct pcdf_h5source *source)
{
    const struct pcdf_map_limits limits = { ds->hints.map_seconds, ds->hints.map_memory };
    return n->meta ? NC_NOERR : pcdf_h5meta_start(ds->path, source, &limits, &n->meta);
}

int pcdf_netcdf4_root_start(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    return start(ds, n, NULL);
}

/* What libhdf5 is told of each variable, to be freed. */
static struct pcdf_h5var *describe(const struct pcdf_dataset *ds, const struct netcdf4_plan *plan)
{
    struct pcdf_h5var *vars = pcdf_calloc((size_t)ds->meta.nvars + 1, sizeof *vars);
    for (int i = 0; vars && i < ds->meta.nvars; i++)
        vars[i] = (struct pcdf_h5var){ .chunk = plan->cells.x[i].chunk,
                                       .place = plan->vars[i].place,
                                       .chain = &plan->chains[i],
                                       .fill = plan->filled[i] ? plan->fills[i] : NULL,
                                       .is_big_endian = plan->cells.x[i].is_big_endian };
    if (!vars)
        PCDF_FAIL(NC_ENOMEM, "no memory for the definitions of %d variables", ds->meta.nvars);
    return vars;
}

int pcdf_netcdf4_root_define(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    PCDF_TRY(start(ds, n, NULL));
    struct pcdf_h5var *vars = describe(ds, n->plan);
    int err = vars ? pcdf_h5meta_define(n->meta, &ds->meta, vars, n->is_classic_model) : NC_ENOMEM;
    pcdf_free(vars);
    return err;
}

/* ---- a file that is there */

static int read_file(void *context, int64_t offset, int64_t length, void *to)
{
    const struct netcdf4 *n = context;
    return pcdf_storage_move_at(n->below, PCDF_GET, to, length, offset, NULL);
}

/* A flush that changes nothing tells whether libhdf5 agrees, before a byte of the file is changed. What it
 * would change all the same goes to the file with the first count. */
int pcdf_netcdf4_root_adopt(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t end)
{
    const struct pcdf_h5source source = {
        .size = end, .read = read_file, .context = n, .image = ds->shown->image
    };
    struct pcdf_h5var *vars = describe(ds, n->next);
    int64_t new_end;
    int err = vars ? start(ds, n, &source) : NC_ENOMEM;
    for (int i = 0; !err && i < ds->meta.nvars; i++)
        if (vars[i].place >= end) /* that has none in the file yet */
            vars[i].place = 0;
    if (!err)
        err = pcdf_h5meta_adopt(n->meta, &ds->meta, vars, n->is_classic_model);
    if (!err)
        err = pcdf_h5meta_flush(n->meta, ds->meta.numrecs, n->next->end, &new_end, &n->held);
    if (!err) {
        n->held_at = n->next->end;
        n->known_end = end;
        n->held_end = new_end;
    }
    pcdf_free(vars);
    return err;
}

static bool is_counted(const struct netcdf4 *n, const struct pcdf_stored_chunk *x)
{
    const struct pcdf_cells_var *v = &n->plan->cells.x[x->varid];
    return !v->is_record || x->number / v->nchunks < n->most / v->chunk[0] + (n->most % v->chunk[0] != 0);
}

int pcdf_netcdf4_root_enter(struct netcdf4 *n, const struct pcdf_stored_chunk *x, size_t count)
{
    enum { BATCH = 1024 };
    struct pcdf_written_chunk some[BATCH];
    for (size_t at = 0; at < count;) {
        int64_t now = 0;
        for (; now < BATCH && at < count; at++)
            if (is_counted(n, &x[at]))
                some[now++] = (struct pcdf_written_chunk){ .var = x[at].varid,
                                                           .mask = x[at].mask,
                                                           .number = x[at].number,
                                                           .offset = x[at].offset,
                                                           .length = x[at].length };
        PCDF_TRY(pcdf_h5meta_chunks(n->meta, now, some));
    }
    return NC_NOERR;
}

/* The ranges of a flush that got data_end, and gave new_end. */
static int apply(struct pcdf_dataset *ds, struct netcdf4 *n, const struct pcdf_h5ranges *ranges,
                 int64_t data_end, int64_t new_end, bool commits)
{
    const struct pcdf_metajournal_file file = pcdf_metajournal_file_of(ds, n->below);
    const struct pcdf_metajournal_flush flush = { .ranges = ranges,
                                                  .old_end = n->known_end,
                                                  .data_end = data_end,
                                                  .new_end = new_end,
                                                  .is_first = !n->has_metadata,
                                                  .syncs = commits };
    PCDF_TRY(pcdf_metajournal_root_apply(&file, &flush));
    n->known_end = new_end;
    return NC_NOERR;
}

int pcdf_netcdf4_root_work(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t *end)
{
    PCDF_TRY(start(ds, n, NULL));
    return pcdf_h5meta_enter(n->meta, PCDF_H5META_LEAST, ds->meta.numrecs, n->eof, end);
}

int pcdf_netcdf4_root_flush(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t numrecs, int64_t *end,
                            struct pcdf_h5ranges *ranges)
{
    PCDF_TRY(start(ds, n, NULL));
    return pcdf_h5meta_flush(n->meta, numrecs, n->eof, end, ranges);
}

int pcdf_netcdf4_root_apply(struct pcdf_dataset *ds, struct netcdf4 *n, const struct pcdf_h5ranges *ranges,
                            int64_t end, bool commits)
{
    int err = NC_NOERR;
    if (n->held.n > 0) /* the metadata is good with these alone, too */
        err = apply(ds, n, &n->held, n->held_at, n->held_end, commits);
    if (!err)
        err = apply(ds, n, ranges, n->eof, end, commits);
    pcdf_h5ranges_free(&n->held);
    return err;
}
