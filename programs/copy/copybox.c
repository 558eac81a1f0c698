/* See copybox.h. */
#include "copybox.h"
#include "copytiles.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"
#include "value.h"
#include "virtualstorage.h"

#include <string.h>

struct reading { /* a box of a variable of the input */
    struct pcdf_tool_dataset *from;
    int varid, ndims, size;
    const struct pcdf_copy_plan *plan;
    const struct pcdf_var *var;   /* of the copy */
    const int64_t *start, *count; /* the box in its coordinates */
    int64_t *shape;               /* of the variable of the input */
    unsigned char *to;            /* where the next value goes */
};

/* Old indices of those from number i of the box on, along a dimension. */
static struct pcdf_copy_span span_at(const struct reading *r, int dim, int64_t i)
{
    struct pcdf_copy_span s = pcdf_copy_cut_at(&r->plan->cuts[r->var->dimids[dim]], r->start[dim] + i);
    s.n = pcdf_smaller(s.n, r->count[dim] - i);
    return s;
}

/* ---- an image is read by boxes */

enum { BOXES = 1 << 12 };

struct images_boxes {
    struct reading *r;
    int dim;        /* the last one that is several spans: a box has one of them, of one index of each
                       dimension before it; -1: none is, so one box is all */
    int64_t *index; /* of these dimensions */
    struct pcdf_box *x;
    int64_t *bounds;
    struct pcdf_boxes all;
};

static int read_boxes(struct images_boxes *b)
{
    struct pcdf_tool_file *file = &b->r->from->file;
    int err = b->all.n > 0 ? pcdf_storage_get_boxes(file->source->storage, &b->all) : NC_NOERR;
    b->all.n = 0;
    b->all.nbytes = 0;
    return err ? pcdf_tool_unusable(file->path, "%s", pcdf_fail_text()) : PCDF_TOOL_GOOD;
}

/* The span of dimension `dim` that begins with number i of the box; i is raised by its length. */
static int add_box(struct images_boxes *b, int64_t *i)
{
    struct reading *r = b->r;
    int status = b->all.n == BOXES ? read_boxes(b) : PCDF_TOOL_GOOD;
    int64_t *start = b->bounds + b->all.n * 3 * (size_t)r->ndims, *count = start + r->ndims,
            *stride = count + r->ndims, n = 1;
    for (int k = 0; k < r->ndims; k++) {
        struct pcdf_copy_span s = span_at(r, k, k < b->dim ? b->index[k] : k == b->dim ? *i : 0);
        start[k] = s.low;
        count[k] = k < b->dim ? 1 : s.n;
        stride[k] = s.stride;
        n *= count[k];
    }
    b->x[b->all.n++] = (struct pcdf_box){ r->varid, start, count, stride, (char *)r->to };
    b->all.nbytes += n * r->size;
    r->to += n * r->size;
    *i += b->dim >= 0 ? count[b->dim] : 1;
    return status;
}

static int add_boxes(struct images_boxes *b)
{
    struct reading *r = b->r;
    int64_t spans = b->dim >= 0 ? r->count[b->dim] : 1;
    int status = PCDF_TOOL_GOOD;
    do
        for (int64_t i = 0; i < spans && !status;)
            status = add_box(b, &i);
    while (!status && pcdf_grid_advance(b->dim, NULL, r->count, b->index));
    return status ? status : read_boxes(b);
}

static int read_image(struct reading *r)
{
    struct images_boxes b = { .r = r, .dim = -1 };
    size_t ndims = (size_t)r->ndims;
    for (int k = 0; k < r->ndims; k++) {
        if (r->count[k] == 0)
            return PCDF_TOOL_GOOD;
        b.dim = span_at(r, k, 0).n < r->count[k] ? k : b.dim;
    }
    size_t most = b.dim < 0 ? 1 : BOXES;
    b.x = pcdf_malloc(most * sizeof *b.x);
    b.bounds = pcdf_malloc(most * 3 * (ndims + 1) * sizeof *b.bounds);
    b.index = pcdf_calloc(ndims + 1, sizeof *b.index);
    b.all.x = b.x;
    int status = b.x && b.bounds && b.index ? add_boxes(&b)
                                            : pcdf_tool_unusable(r->from->file.path, "%s", pcdf_fail_text());
    pcdf_free(b.x);
    pcdf_free(b.bounds);
    pcdf_free(b.index);
    return status;
}

/* ---- rows */

/* count values `stride` apart, from number `first` on. */
static int read_row(struct reading *r, int64_t first, int64_t count, int64_t stride)
{
    const struct pcdf_tool_runs runs = { .first = first, .run = 1, .step = stride, .n = count };
    int status = stride == 1 ? pcdf_tool_values(r->from, r->varid, first, count, r->to)
                             : pcdf_tool_runs_values(r->from, r->varid, &runs, r->to);
    r->to += count * r->size;
    return status;
}

static int read_rows(struct reading *r, int dim, int64_t first);

/* n indices of dimension `dim`, `inner` values each. is_row: they are whole. */
static int read_span(struct reading *r, int dim, int64_t first, struct pcdf_copy_span s, int64_t inner,
                     bool is_row)
{
    int status = PCDF_TOOL_GOOD;

    first += s.low * inner;
    if (is_row && (s.stride == 1 || s.n == 1))
        return read_row(r, first, s.n * inner, 1);
    if (dim == r->ndims - 1)
        return read_row(r, first, s.n, s.stride);
    for (int64_t i = 0; i < s.n && !status; i++)
        status = read_rows(r, dim + 1, first + i * s.stride * inner);
    return status;
}

/* The box's innermost dimensions that are whole make one row with the one outside of them. */
static int read_rows(struct reading *r, int dim, int64_t first)
{
    int64_t inner = 1;
    bool is_row = true;
    int status = PCDF_TOOL_GOOD;

    if (dim >= r->ndims)
        return read_row(r, first, 1, 1);
    for (int i = r->ndims - 1; i > dim; i--) {
        is_row = is_row && r->plan->cuts[r->var->dimids[i]].is_whole && r->count[i] == r->shape[i];
        inner *= r->shape[i];
    }
    for (int64_t i = 0, n; i < r->count[dim] && !status; i += n) {
        struct pcdf_copy_span s = span_at(r, dim, i);
        n = s.n;
        status = read_span(r, dim, first, s, inner, is_row);
    }
    return status;
}

int pcdf_copy_read_box(const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from, int varid,
                       const int64_t *start, const int64_t *count, bool is_native, void *values)
{
    const struct pcdf_var *var = &plan->out.vars[varid];
    bool is_image = pcdf_tool_source_is_image(from->file.source);
    struct reading r = { .from = from,
                         .varid = plan->source[varid],
                         .ndims = var->ndims,
                         .size = pcdf_type_size(var->type),
                         .plan = plan,
                         .var = var,
                         .start = start,
                         .count = count,
                         .shape = pcdf_calloc((size_t)var->ndims + 1, sizeof *r.shape),
                         .to = values };

    if (!r.shape)
        return pcdf_tool_unusable(from->file.path, "%s", pcdf_fail_text());
    pcdf_var_shape(&from->meta, &from->meta.vars[r.varid], r.shape);
    int status = is_image ? read_image(&r) : read_rows(&r, 0, 0);
    if (!status && is_native != is_image) /* boxes are in the order of this machine */
        pcdf_values_swap(values, (r.to - (unsigned char *)values) / r.size, r.size);
    pcdf_free(r.shape);
    return status;
}

/* ---- chunks */

/* Of what is not encoded parts are read alone; small chunks are better read as wholes. */
static bool costs_by_chunks(const struct pcdf_image *image, int varid)
{
    const struct pcdf_chunked *v = &image->vars[varid];
    int64_t bytes = v->size;
    bool is_whole = true;

    for (int i = 0; i < v->ndims; i++) {
        is_whole &= v->chunk[i] >= v->shape[i];
        if (__builtin_mul_overflow(bytes, v->chunk[i], &bytes))
            bytes = INT64_MAX;
    }
    return v->map.kind != PCDF_MAP_NONE && v->map.kind != PCDF_MAP_INLINE &&
           (v->chain >= 0 || (!is_whole && bytes <= PCDF_COPY_TILE));
}

static int64_t *chunk_of(const struct pcdf_tool_dataset *from, int varid)
{
    const struct pcdf_tool_source *source = from->file.source;
    const struct pcdf_var *var = &from->meta.vars[varid];
    int ndims = 0;
    const int64_t *there = pcdf_virtual_chunk(source->storage, varid, &ndims);
    int64_t *chunk = pcdf_calloc((size_t)var->ndims + 1, sizeof *chunk);
    if (!chunk || !there)
        return chunk;
    pcdf_var_shape(&from->meta, var, chunk); /* one of a text of several bytes is whole */
    for (int i = 0; i < ndims && i < var->ndims; i++)
        chunk[i] = pcdf_larger(1, pcdf_smaller(there[i], chunk[i]));
    return chunk;
}

int64_t **pcdf_copy_source_chunks(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *from)
{
    const struct pcdf_tool_source *source = from->file.source;
    int64_t **chunks = pcdf_calloc((size_t)plan->out.nvars + 1, sizeof *chunks);
    bool has_memory = chunks;

    for (int i = 0; has_memory && i < plan->out.nvars && pcdf_tool_source_is_image(source); i++)
        if (plan->source[i] >= 0 && plan->out.vars[i].ndims > 0 &&
            costs_by_chunks(source->image, plan->source[i]))
            has_memory = (chunks[i] = chunk_of(from, plan->source[i])) != NULL;
    if (has_memory)
        return chunks;
    pcdf_tool_say(from->file.path, "%s", pcdf_fail_text());
    pcdf_copy_source_chunks_free(chunks, plan);
    return NULL;
}

void pcdf_copy_source_chunks_free(int64_t **chunks, const struct pcdf_copy_plan *plan)
{
    for (int i = 0; chunks && i < plan->out.nvars; i++)
        pcdf_free(chunks[i]);
    pcdf_free(chunks);
}
