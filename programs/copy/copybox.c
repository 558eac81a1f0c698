/* See copybox.h. */
#include "copybox.h"
#include "copytiles.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "value.h"
#include "virtualstorage.h"

#include <string.h>

enum { PIECES = 1 << 14 };

struct reading { /* a box of a variable of the input */
    struct pcdf_tool_dataset *from;
    int varid, ndims, size;
    const struct pcdf_copy_plan *plan;
    const struct pcdf_var *var;   /* of the copy */
    const int64_t *start, *count; /* the box in its coordinates */
    int64_t *shape;               /* of the variable of the input */
    bool is_image, is_native;
    unsigned char *to;         /* where the next value goes */
    struct pcdf_piece *pieces; /* of an image: what is to be read at once */
    size_t n;
};

/* ---- an image is read by lists of pieces */

static int flush(struct reading *r)
{
    struct pcdf_tool_file *file = &r->from->file;
    const struct pcdf_extents x = {
        .dir = PCDF_GET, .is_native = r->is_native, .n = r->n, .pieces = r->pieces
    };
    int err = r->n > 0 ? pcdf_storage_move(file->source->storage, &x, &(int64_t){ 0 }) : NC_NOERR;
    r->n = 0;
    return err ? pcdf_tool_unusable(file->path, "%s", pcdf_fail_text()) : PCDF_TOOL_GOOD;
}

static int add_piece(struct reading *r, int64_t first, int64_t n)
{
    const struct pcdf_tool_dataset *ds = r->from;
    int64_t at = pcdf_layout_value_at(&ds->layout, &ds->meta, r->varid, first);
    struct pcdf_piece *last = r->n > 0 ? &r->pieces[r->n - 1] : NULL;
    int status = PCDF_TOOL_GOOD;

    n *= r->size;
    if (last && last->offset + last->length == at) { /* memory goes on anyway */
        last->length += n;
    } else {
        if (r->n == PIECES)
            status = flush(r);
        r->pieces[r->n++] = (struct pcdf_piece){ at, n, (char *)r->to };
    }
    r->to += n;
    return status;
}

static int add_row(struct reading *r, int64_t first, int64_t count, int64_t stride)
{
    const struct pcdf_var *var = &r->from->meta.vars[r->varid];
    int64_t each = var->is_record ? var->nbytes / r->size : INT64_MAX, n;
    int status = PCDF_TOOL_GOOD;

    for (int64_t i = 0; i < count && !status; i += n, first += n * stride) {
        n = stride == 1 ? pcdf_smaller(count - i, each - first % each) : 1;
        status = add_piece(r, first, n);
    }
    return status;
}

/* ---- rows */

/* count values `stride` apart, from number `first` on. */
static int read_row(struct reading *r, int64_t first, int64_t count, int64_t stride)
{
    const struct pcdf_tool_runs runs = { .first = first, .run = 1, .step = stride, .n = count };
    if (r->is_image)
        return add_row(r, first, count, stride);
    int status = stride == 1 ? pcdf_tool_values(r->from, r->varid, first, count, r->to)
                             : pcdf_tool_runs_values(r->from, r->varid, &runs, r->to);
    r->to += count * r->size;
    return status;
}

static int read_rows(struct reading *r, int dim, int64_t first);

/* n indices of dimension `dim`, `inner` values each. is_row: they are whole. */
static int read_stretch(struct reading *r, int dim, int64_t first, struct pcdf_copy_stretch s, int64_t inner,
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
        struct pcdf_copy_stretch s = pcdf_copy_cut_at(&r->plan->cuts[r->var->dimids[dim]], r->start[dim] + i);
        s.n = n = pcdf_smaller(s.n, r->count[dim] - i);
        status = read_stretch(r, dim, first, s, inner, is_row);
    }
    return status;
}

int pcdf_copy_read_box(const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from, int varid,
                       const int64_t *start, const int64_t *count, bool is_native, void *values)
{
    const struct pcdf_var *var = &plan->out.vars[varid];
    struct reading r = { .from = from,
                         .varid = plan->source[varid],
                         .ndims = var->ndims,
                         .size = pcdf_type_size(var->type),
                         .is_image = pcdf_tool_source_is_image(from->file.source),
                         .is_native = is_native,
                         .plan = plan,
                         .var = var,
                         .start = start,
                         .count = count,
                         .shape = pcdf_calloc((size_t)var->ndims + 1, sizeof *r.shape),
                         .to = values };

    if (r.is_image)
        r.pieces = pcdf_malloc(PIECES * sizeof *r.pieces);
    int status = r.shape && (r.pieces || !r.is_image)
                     ? PCDF_TOOL_GOOD
                     : pcdf_tool_unusable(from->file.path, "%s", pcdf_fail_text());
    if (!status) {
        pcdf_var_shape(&from->meta, &from->meta.vars[r.varid], r.shape);
        status = read_rows(&r, 0, 0);
    }
    if (r.is_image && !status)
        status = flush(&r);
    else if (!status && is_native)
        pcdf_values_swap(values, (r.to - (unsigned char *)values) / r.size, r.size);
    pcdf_free(r.pieces);
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
