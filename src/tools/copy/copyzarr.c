/* See copyzarr.h. */
#include "copyzarr.h"
#include "copychunks.h"
#include "copymove.h"
#include "tool.h"
#include "toolwork.h"

/* Nothing of a store can grow by itself, and all types have a place. */
void pcdf_copy_zarr_options(struct pcdf_copy_options *options)
{
    options->fix_records = true;
    options->version = PCDF_CDF5;
}

static int64_t length_of(const struct pcdf_meta *meta, const struct pcdf_var *var, int i)
{
    return var->dimids[i] == meta->record_dim ? meta->numrecs : meta->dims[var->dimids[i]].length;
}

/* Dimensions from this one on are one run of values. */
static int first_of_run(const struct pcdf_meta *meta, const struct pcdf_var *var, const int64_t *count)
{
    int i = var->ndims;
    while (i > 0 && count[i - 1] == length_of(meta, var, i - 1))
        i--;
    return i > 0 ? i - 1 : 0;
}

struct box {
    const struct pcdf_copy_boxes_source *source;
    int varid, run_dim;
    const int64_t *start, *count;
    int64_t below; /* values in one index of run_dim */
    int size;
    unsigned char *to;
};

/* place: of what is outside of dim, in its values. */
static int read_runs(struct box *b, int dim, int64_t place)
{
    const struct pcdf_meta *meta = &b->source->plan->out;
    const struct pcdf_var *var = &meta->vars[b->varid];
    int status = PCDF_TOOL_GOOD;

    if (dim == b->run_dim) {
        int64_t n = var->ndims ? b->count[dim] * b->below : 1;
        int64_t first = var->ndims ? (place * length_of(meta, var, dim) + b->start[dim]) * b->below : 0;
        status = pcdf_copy_read(b->source->plan, b->source->from, b->varid, first, n, b->to);
        b->to += n * b->size;
        return status;
    }
    place = place * length_of(meta, var, dim) + b->start[dim];
    for (int64_t i = 0; i < b->count[dim] && !status; i++)
        status = read_runs(b, dim + 1, place + i);
    return status;
}

int pcdf_copy_read_box(void *source, int varid, const int64_t *start, const int64_t *count, void *values)
{
    const struct pcdf_copy_boxes_source *s = source;
    const struct pcdf_var *var = &s->plan->out.vars[varid];
    struct box b = { .source = s,
                     .varid = varid,
                     .run_dim = first_of_run(&s->plan->out, var, count),
                     .start = start,
                     .count = count,
                     .below = 1,
                     .size = pcdf_type_size(var->type),
                     .to = values };

    for (int i = b.run_dim + 1; i < var->ndims; i++)
        b.below *= count[i];
    return read_runs(&b, 0, 0);
}

int pcdf_copy_zarr_all(const struct pcdf_tool_team *team, struct pcdf_copy_plan *plan,
                       const struct pcdf_copy_options *options, struct pcdf_tool_progress *progress,
                       pcdf_copy_box_reader *read, void *context, int64_t *bytes)
{
    struct pcdf_copy_chunks chunks = { 0 };
    int mine = pcdf_copy_fit(&plan->out, options);
    mine = mine ? mine : pcdf_copy_chunks_begin(&chunks, &plan->out, options, -1);
    int status = pcdf_tool_worst_all(team, mine);
    struct pcdf_zarrout out = { .team = team,
                                .to = options->to,
                                .replace = options->replace,
                                .kind = options->zarr,
                                .meta = &plan->out,
                                .chunks = chunks.of,
                                .shards = chunks.shards,
                                .codecs = { options->deflate, options->zstd, options->shuffle },
                                .header_only = options->header_only,
                                .read = read,
                                .context = context,
                                .progress = progress };

    pcdf_tool_progress_begin(progress, team, "copying", pcdf_tool_work_bytes(&plan->out, NULL));
    if (!status) /* the same on all ranks */
        status = pcdf_zarrout_write_all(&out);
    pcdf_tool_progress_end(progress);
    pcdf_copy_chunks_end(&chunks);
    *bytes = out.bytes;
    return status;
}
