/* A classic file as a source: our own readers. */
#include "foreign.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "value.h"
#include "toolfile.h"

#include <string.h>

struct reading {
    struct pcdf_tool_dataset *ds;
    int varid, size;
    unsigned char *to;
};

/* count values `stride` apart, from number `first` on. */
static int read_row(struct reading *r, int64_t first, int64_t count, int64_t stride)
{
    const struct pcdf_tool_runs picks = { .first = first, .run = 1, .step = stride, .n = count };
    int status = pcdf_tool_runs_values(r->ds, r->varid, &picks, r->to);
    r->to += count * r->size;
    return status;
}

/* The slab's innermost dimensions that are whole make one row with the one outside of them. */
static int read_slab(struct reading *r, const struct pcdf_foreign_slab *slab, const int64_t *shape, int dim,
                     int64_t first)
{
    int64_t inner = 1;
    bool is_row = true;
    for (int i = slab->ndims - 1; i > dim; i--) {
        is_row = is_row && slab->stride[i] == 1 && slab->count[i] == shape[i];
        inner *= shape[i];
    }
    if (dim >= slab->ndims)
        return read_row(r, first, 1, 1);
    if (dim == slab->ndims - 1 || (is_row && slab->stride[dim] == 1))
        return read_row(r, first + slab->start[dim] * inner, slab->count[dim] * inner, slab->stride[dim]);
    for (int64_t i = 0; i < slab->count[dim]; i++) {
        int64_t at = first + (slab->start[dim] + i * slab->stride[dim]) * inner;
        int status = read_slab(r, slab, shape, dim + 1, at);
        if (status)
            return status;
    }
    return PCDF_TOOL_GOOD;
}

static int read_values(struct pcdf_foreign_source *source, int varid, const struct pcdf_foreign_slab *slab,
                       void *values)
{
    struct pcdf_tool_dataset *ds = source->state;
    const struct pcdf_var *var = &source->meta.vars[varid];
    struct reading r = { .ds = ds, .varid = varid, .size = pcdf_type_size(var->type), .to = values };
    int64_t *shape = pcdf_calloc((size_t)var->ndims + 1, sizeof *shape);
    int status = PCDF_TOOL_UNUSABLE;

    if (shape) {
        pcdf_var_shape(&source->meta, var, shape);
        status = read_slab(&r, slab, shape, 0, 0);
        pcdf_values_swap(values, slab->n, r.size);
    } else {
        pcdf_tool_say(source->path, "%s", pcdf_fail_text());
    }
    pcdf_free(shape);
    source->is_damaged = ds->read_behind;
    return status;
}

static void close_cdf(struct pcdf_foreign_source *source)
{
    struct pcdf_tool_dataset *ds = source->state;
    ds->meta = source->meta;
    pcdf_tool_dataset_close(ds);
    pcdf_free(ds);
}

int pcdf_foreign_open_cdf(struct pcdf_foreign_source *source)
{
    struct pcdf_tool_dataset *ds = pcdf_malloc(sizeof *ds);
    if (!ds)
        return pcdf_tool_unusable(source->path, "%s", pcdf_fail_text());
    int status = pcdf_tool_dataset_open(ds, source->path, true);
    if (status) {
        pcdf_free(ds);
        return status;
    }
    source->meta = ds->meta; /* one owner: close_cdf gives it back */
    source->state = ds;
    source->read = read_values;
    source->close = close_cdf;
    return PCDF_TOOL_GOOD;
}
