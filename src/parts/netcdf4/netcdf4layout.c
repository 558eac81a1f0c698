/* See netcdf4file.h: from definitions to cells and places. */
#include "netcdf4file.h"
#include <string.h>
#include "alloc.h"
#include "dataset.h"
#include "fill.h"
#include "grid.h"
#include "image.h"
#include "numbers.h"
#include "shown.h"
#include "status.h"
#include "value.h"
#include "varlayout.h"

enum {
    /* Contiguous values begin at multiples of these, those of a block or more at one of a block. */
    ALIGN = 8,
    BLOCK = 4096,
    FILL_UNIT = 1 << 16
};

void pcdf_netcdf4_plan_free(struct netcdf4_plan *plan)
{
    pcdf_cells_free(&plan->cells);
    pcdf_free(plan->vars);
    pcdf_free(plan->fills);
    pcdf_free(plan->chains);
    pcdf_free(plan->names);
    pcdf_free(plan->filled);
    *plan = (struct netcdf4_plan){ 0 };
}

/* Of a variable that the file had when it was opened; else NULL. */
static const struct pcdf_chunked *found(const struct pcdf_dataset *ds, int varid)
{
    return ds->shown && varid < ds->shown->image->nvars ? &ds->shown->image->vars[varid] : NULL;
}

/* A contiguous variable keeps the place that it has; one that has none gets the next. */
static int place(const struct pcdf_dataset *ds, const struct netcdf4 *n, int varid, int64_t *place,
                 int64_t *end)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    const struct pcdf_chunked *was = found(ds, varid);
    int64_t align = var->nbytes >= BLOCK ? BLOCK : ALIGN;
    bool is_old = varid < n->plan->cells.nvars;
    if (is_old || (was && was->map.kind == PCDF_MAP_LINEAR)) {
        *place = is_old ? n->plan->vars[varid].place : was->map.offset;
        return NC_NOERR;
    }
    if (__builtin_add_overflow(*end, align - 1, place) ||
        __builtin_add_overflow(*place / align * align, var->nbytes, end))
        return PCDF_FAIL(NC_EVARSIZE, "variable %s does not fit in a file of 63 bits", var->name);
    *place = *place / align * align;
    return NC_NOERR;
}

/* What records that nobody puts read as is settled when the variable comes, as in a classic file. */
static bool is_filled(const struct pcdf_dataset *ds, const struct netcdf4 *n, int varid)
{
    int no_fill = 1;
    if (varid < n->plan->cells.nvars)
        return n->plan->filled[varid];
    (void)pcdf_fill_inquire(ds, varid, &no_fill, NULL);
    return !no_fill;
}

/* The value itself is settled then, too: _FillValue may change or go later. Zeros: the file has none, or 0.
 */
static void find_fill(const struct pcdf_dataset *ds, const struct netcdf4 *n, int varid, bool is_native,
                      unsigned char fill[8])
{
    static const unsigned char none[8];
    const struct pcdf_var *var = &ds->meta.vars[varid];
    const struct pcdf_chunked *was = found(ds, varid);
    int size = pcdf_type_size(var->type);
    if (varid < n->plan->cells.nvars) {
        memcpy(fill, n->plan->fills[varid], (size_t)size);
    } else if (was && memcmp(was->fill, none, (size_t)size) != 0) {
        memcpy(fill, was->fill, (size_t)size);
        if (is_native && size > 1)
            pcdf_values_swap(fill, 1, size);
    } else {
        pcdf_var_fill(var, is_native, fill);
    }
}

static int describe(struct pcdf_dataset *ds, const struct netcdf4 *n, struct netcdf4_plan *plan, int varid,
                    struct pcdf_cells_shape *shape, int64_t *chunk, char **name)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    const struct pcdf_chunked *was = found(ds, varid);
    struct pcdf_chunks_var *v = &plan->vars[varid];
    bool is_chunked = pcdf_stored_choose(&n->stored, &ds->meta, varid, chunk) == PCDF_STORED_CHUNKED;
    shape->chunk = is_chunked ? chunk : NULL;
    shape->owners = &n->owners.x[varid].of;
    shape->is_big_endian = was && was->is_big && was->size > 1;
    find_fill(ds, n, varid, !shape->is_big_endian, plan->fills[varid]);
    plan->filled[varid] = is_filled(ds, n, varid);
    PCDF_TRY(pcdf_stored_chain(&n->stored, &ds->meta, varid, shape->chunk, &plan->chains[varid]));
    *v = (struct pcdf_chunks_var){ .name = *name, .fill = plan->fills[varid] };
    memcpy(*name, var->name, (size_t)var->name_length + 1); /* which a rename may move */
    *name += var->name_length + 1;
    if (!is_chunked)
        return place(ds, n, varid, &v->place, &plan->end);
    v->chain = plan->chains[varid];
    if (was && was->map.kind != PCDF_MAP_NONE) {
        v->map = &was->map;
        v->map_chunks = pcdf_grid_chunks(was->ndims, was->shape, was->chunk); /* records that it had */
        v->store = 0;
    }
    return NC_NOERR;
}

static int make(struct pcdf_dataset *ds, struct netcdf4 *n, struct pcdf_cells_shape *shapes, int64_t *chunks)
{
    struct netcdf4_plan *plan = n->next;
    size_t nvars = (size_t)ds->meta.nvars, nbytes = 1;
    for (size_t i = 0; i < nvars; i++)
        nbytes += (size_t)ds->meta.vars[i].name_length + 1;
    char *name = plan->names = pcdf_malloc(nbytes);
    plan->vars = pcdf_calloc(nvars + 1, sizeof *plan->vars);
    plan->fills = pcdf_calloc(nvars + 1, sizeof *plan->fills);
    plan->chains = pcdf_calloc(nvars + 1, sizeof *plan->chains);
    plan->filled = pcdf_calloc(nvars + 1, sizeof *plan->filled);
    if (!plan->vars || !plan->fills || !plan->chains || !plan->filled || !name || !shapes || !chunks)
        return PCDF_FAIL(NC_ENOMEM, "no memory to lay out %d variables", ds->meta.nvars);
    plan->end = n->eof;
    for (int i = 0; i < ds->meta.nvars; i++) {
        PCDF_TRY(describe(ds, n, plan, i, &shapes[i], chunks, &name));
        chunks += ds->meta.vars[i].ndims;
    }
    return pcdf_cells_build(&plan->cells, &ds->meta, shapes, PCDF_CELL_LEAST);
}

/* An abort of a redef leaves fewer variables. */
static int grow_owners(struct netcdf4 *n, size_t nvars)
{
    PCDF_TRY(PCDF_RESERVE(&n->owners, nvars));
    for (size_t i = n->owners.n; i < nvars; i++)
        n->owners.x[i] = (struct netcdf4_owners){ 0 };
    n->owners.n = nvars;
    return NC_NOERR;
}

int pcdf_netcdf4_plan_make(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    size_t ndims = 1;
    for (int i = 0; i < ds->meta.nvars; i++)
        ndims += (size_t)ds->meta.vars[i].ndims;
    pcdf_netcdf4_plan_free(n->next);
    PCDF_TRY(pcdf_stored_grow(&n->stored, &ds->meta));
    PCDF_TRY(pcdf_stored_try_codecs(&n->stored));
    PCDF_TRY(grow_owners(n, (size_t)ds->meta.nvars));
    struct pcdf_cells_shape *shapes = pcdf_calloc((size_t)ds->meta.nvars + 1, sizeof *shapes);
    int64_t *chunks = pcdf_calloc(ndims, sizeof *chunks);
    int err = make(ds, n, shapes, chunks);
    pcdf_free(shapes);
    pcdf_free(chunks);
    if (err)
        pcdf_netcdf4_plan_free(n->next);
    return err;
}

static int take(struct pcdf_dataset *ds, struct netcdf4 *n, const struct netcdf4_plan *plan)
{
    const struct pcdf_chunks_config config = { .cells = &plan->cells,
                                               .vars = plan->vars,
                                               .cache = pcdf_netcdf4_cache(ds),
                                               .threads = (int)ds->hints.chunk_threads };
    return pcdf_chunks_relayout(n->chunks, &config);
}

/* A new contiguous variable with fill: each rank fills every size-th unit of it. */
static int fill(struct pcdf_dataset *ds, struct netcdf4 *n, int varid, unsigned char *unit)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t from = n->next->vars[varid].place;
    int size = pcdf_type_size(var->type);
    if (!n->next->filled[varid] || n->next->cells.x[varid].chunk || from < n->eof) /* it is no new one */
        return NC_NOERR;
    for (int i = 0; i < FILL_UNIT; i += size)
        memcpy(unit + i, n->next->fills[varid], (size_t)size);
    int err = NC_NOERR;
    for (int64_t at = (int64_t)ds->ranks.rank * FILL_UNIT; !err && at < var->nbytes;
         at += (int64_t)ds->ranks.size * FILL_UNIT)
        err = pcdf_storage_move_at(n->below, PCDF_PUT, unit, pcdf_smaller(FILL_UNIT, var->nbytes - at),
                                   from + at, NULL);
    pcdf_first(&ds->io_error, err);
    return err;
}

static int fill_new(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    unsigned char *unit = pcdf_malloc(FILL_UNIT);
    int err = unit ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for fill values");
    for (int i = n->plan->cells.nvars; !err && i < ds->meta.nvars; i++)
        err = fill(ds, n, i, unit);
    pcdf_free(unit);
    return err;
}

int pcdf_netcdf4_plan_take_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    int status = take(ds, n, n->next);
    if (!status)
        status = fill_new(ds, n);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "lay out the file");
    if (status) { /* on all ranks */
        (void)take(ds, n, n->plan);
        pcdf_netcdf4_plan_free(n->next);
        return status;
    }
    struct netcdf4_plan *old = n->plan;
    n->plan = n->next;
    n->next = old;
    pcdf_netcdf4_plan_free(old);
    n->eof = n->plan->end;
    ds->layout.cells = &n->plan->cells;
    ds->io->dealt = n->plan->cells.cell;
    n->is_dirty = n->is_redefined = true;
    pcdf_netcdf4_count_open(ds, n);
    return NC_NOERR;
}
