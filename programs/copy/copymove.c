/* Values from file to file: chunks are read, turned to this machine's byte order and handed to the library,
 * those that lie side by side in the records together. See copymove.h. */
#include "copymove.h"
#include "copybox.h"
#include "copytiles.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "toolwork.h"
#include "value.h"

#include <inttypes.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <string.h>

_Static_assert(sizeof(MPI_Offset) == sizeof(int64_t), "boxes are handed over as they are");

enum { CHUNK = 1 << 20, ROOM = 2 * CHUNK, BOUNDARY = 8 };

struct hand {             /* what is in memory, on its way */
    unsigned char *bytes; /* ROOM */
    int64_t used, moved;  /* bytes of `bytes`; external bytes among them */
    struct pcdf_copy_boxes boxes;
    int64_t *shape;
    bool is_posted;
};

/* What was handed over is written when this returns. */
static int write_out(struct pcdf_copy_move *m, struct hand *h)
{
    int err = h->is_posted ? ncmpi_wait(m->puts->ncid, NC_REQ_ALL, NULL, NULL) : NC_NOERR;
    m->bytes += h->moved;
    pcdf_tool_progress_add(m->progress, h->moved);
    h->used = h->moved = 0;
    h->is_posted = false;
    return err ? pcdf_tool_unusable(m->to, "%s", parcdf_last_error()) : PCDF_TOOL_GOOD;
}

/* Values of the order's numbering to boxes of the new variable. */
static void place(const struct pcdf_copy_move *m, struct hand *h, const struct pcdf_tool_chunk *chunk)
{
    const struct pcdf_meta *meta = &m->plan->out, *order = &m->plan->order;
    const struct pcdf_var *var = &meta->vars[chunk->varid], *read = &order->vars[chunk->varid];
    int64_t each = read->is_record ? read->nbytes / pcdf_type_size(read->type) : 0;

    for (int i = 0; i < var->ndims; i++)
        h->shape[i] = meta->dims[var->dimids[i]].length;
    pcdf_copy_boxes_fill(&h->boxes, h->shape, var->ndims, chunk->first + m->shift * each, chunk->n);
}

static int hand_over(struct pcdf_copy_move *m, struct hand *h, const struct pcdf_tool_chunk *chunk,
                     unsigned char *bytes)
{
    int ignored;
    place(m, h, chunk);
    h->is_posted = true;
    int err =
        ncmpi_iput_varn(m->puts->ncid, chunk->varid, h->boxes.n, (MPI_Offset *const *)(void *)h->boxes.starts,
                        (MPI_Offset *const *)(void *)h->boxes.counts, bytes, 1, MPI_DATATYPE_NULL, &ignored);
    return err ? pcdf_tool_unusable(m->to, "%s", parcdf_last_error()) : PCDF_TOOL_GOOD;
}

/* A hole stays one, but for the last value: it says how long the file is, and how many records there are. */
static bool skips(const struct pcdf_copy_move *m, const struct pcdf_tool_dataset *from,
                  const struct pcdf_tool_chunk *chunk)
{
    const struct pcdf_copy_plan *plan = m->plan;
    return m->may_skip && chunk->first + chunk->n < pcdf_tool_count(&plan->order, chunk->varid) &&
           pcdf_copy_is_hole(plan, from, chunk->varid, chunk->first, chunk->n);
}

static int read_chunk(struct pcdf_copy_move *m, struct hand *h, struct pcdf_tool_dataset *from,
                      const struct pcdf_tool_chunk *chunk)
{
    int size = pcdf_type_size(m->plan->out.vars[chunk->varid].type), status = PCDF_TOOL_GOOD;
    int64_t n = chunk->n * size;

    if (skips(m, from, chunk)) {
        h->moved += n;
        return PCDF_TOOL_GOOD;
    }
    if (n > ROOM - h->used)
        status = write_out(m, h);
    if (status)
        return status;
    unsigned char *bytes = h->bytes + h->used;
    status = pcdf_copy_read(m->plan, from, chunk->varid, chunk->first, chunk->n, bytes);
    if (status)
        return status;
    pcdf_values_swap(bytes, chunk->n, size);
    h->moved += n;
    h->used = (h->used + n + BOUNDARY - 1) / BOUNDARY * BOUNDARY;
    return hand_over(m, h, chunk, bytes);
}

static int move_all_chunks(struct pcdf_copy_move *m, struct hand *h, struct pcdf_tool_dataset *from)
{
    struct pcdf_tool_work work;
    struct pcdf_tool_chunk chunk;
    int64_t unit = -1;
    int status = PCDF_TOOL_GOOD;

    pcdf_tool_work_begin(&work, &m->plan->order, m->chosen, CHUNK, m->ranks);
    while (!status && pcdf_tool_work_next(&work, &chunk)) {
        if (chunk.unit != unit && unit >= 0)
            status = write_out(m, h);
        unit = chunk.unit;
        if (!status)
            status = read_chunk(m, h, from, &chunk);
    }
    return status ? status : write_out(m, h);
}

/* ---- by tiles of the chunks of one of the files */

static int move_tile_all(struct pcdf_copy_move *m, struct pcdf_tool_dataset *from,
                         const struct pcdf_copy_tiles *t, int64_t *start, void *values)
{
    const struct pcdf_var *var = &m->plan->order.vars[t->varid];
    int64_t bytes = t->n * pcdf_type_size(var->type);
    int status = pcdf_copy_read_box(m->plan, from, t->varid, t->start, t->count, true, values);

    if (status)
        return status;
    for (int i = 0; i < var->ndims; i++)
        start[i] = t->start[i] + (i == 0 && var->is_record ? m->shift : 0);
    const struct pcdf_tool_put put = {
        .varid = t->varid, .start = start, .count = t->count, .values = values
    };
    status = pcdf_tool_put_all(m->puts, &put);
    m->bytes += bytes;
    pcdf_tool_progress_add(m->progress, bytes);
    return status;
}

static int move_tiles_all(struct pcdf_copy_move *m, struct pcdf_tool_dataset *from,
                          struct pcdf_copy_tiling how)
{
    struct pcdf_copy_tiles t;
    int status = pcdf_copy_tiles_begin(&t, how);
    int64_t *start = pcdf_calloc((size_t)pcdf_tool_most_dims(&m->plan->out) + 1, sizeof *start);
    void *values = pcdf_malloc((size_t)pcdf_copy_tiles_bytes(&how));

    if (!status && (!start || !values))
        status = pcdf_tool_unusable(m->to, "%s", pcdf_fail_text());
    while (!status && pcdf_copy_tiles_next(&t))
        if (pcdf_tool_owner(t.unit, m->ranks->size) == m->ranks->rank)
            status = move_tile_all(m, from, &t, start, values);
    pcdf_free(values);
    pcdf_free(start);
    pcdf_copy_tiles_end(&t);
    return status;
}

static int copy_tiles_all(struct pcdf_copy_move *m, struct pcdf_tool_dataset *from)
{
    struct pcdf_copy_tiling how = { .meta = &m->plan->order, .chunks = m->chunks, .chosen = m->chosen };
    if (m->chunks)
        return move_tiles_all(m, from, how);
    int64_t **chunks = pcdf_copy_source_chunks(m->plan, from);
    how.chunks = chunks;
    how.cuts = m->plan->cuts;
    how.splits = true;
    int status = chunks ? move_tiles_all(m, from, how) : PCDF_TOOL_UNUSABLE;
    pcdf_copy_source_chunks_free(chunks, m->plan);
    return status;
}

int pcdf_copy_values_all(struct pcdf_copy_move *move, struct pcdf_tool_dataset *from)
{
    bool by_tiles = pcdf_tool_source_is_image(from->file.source) || move->puts->is_together;
    if (by_tiles && !move->in_order) /* tiles go variable by variable */
        return copy_tiles_all(move, from);
    int ndims = pcdf_tool_most_dims(&move->plan->out), status;
    struct hand h = { .bytes = pcdf_malloc(ROOM), .shape = pcdf_calloc((size_t)ndims + 1, sizeof *h.shape) };
    bool has_memory = pcdf_copy_boxes_begin(&h.boxes, ndims) && h.bytes && h.shape;

    status =
        has_memory ? move_all_chunks(move, &h, from) : pcdf_tool_unusable(move->to, "%s", pcdf_fail_text());
    if (h.is_posted) /* after a failure: they point into what goes now */
        (void)ncmpi_cancel(move->puts->ncid, NC_REQ_ALL, NULL, NULL);
    pcdf_copy_boxes_end(&h.boxes);
    pcdf_free(h.shape);
    pcdf_free(h.bytes);
    return status;
}

/* ---- comparing */

static int compare_chunk(struct pcdf_tool_dataset *a, struct pcdf_tool_dataset *b,
                         const struct pcdf_tool_chunk *chunk, unsigned char *bytes)
{
    const struct pcdf_var *var = &b->meta.vars[chunk->varid];
    int status = pcdf_tool_values(a, pcdf_meta_find_var(&a->meta, var->name), chunk->first, chunk->n, bytes);
    if (!status)
        status = pcdf_tool_values(b, chunk->varid, chunk->first, chunk->n, bytes + CHUNK);
    if (!status && memcmp(bytes, bytes + CHUNK, (size_t)chunk->n * (size_t)pcdf_type_size(var->type)) != 0)
        status = pcdf_tool_unusable(b->file.path, "variable %.200s has other values than in %.300s",
                                    var->name, a->file.path);
    return status;
}

int pcdf_copy_compare(const struct pcdf_tool_ranks *ranks, struct pcdf_tool_dataset *a,
                      struct pcdf_tool_dataset *b, const bool *chosen)
{
    unsigned char *bytes = pcdf_malloc(ROOM);
    struct pcdf_tool_work work;
    struct pcdf_tool_chunk chunk;
    int status = bytes ? PCDF_TOOL_GOOD : pcdf_tool_unusable(b->file.path, "%s", pcdf_fail_text());

    pcdf_tool_work_begin(&work, &b->meta, chosen, CHUNK, ranks);
    while (!status && pcdf_tool_work_next(&work, &chunk))
        status = compare_chunk(a, b, &chunk, bytes);
    pcdf_free(bytes);
    return status;
}
