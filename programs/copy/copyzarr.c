/* See copyzarr.h. */
#include "copyzarr.h"
#include "copybox.h"
#include "copychunks.h"
#include "tool.h"
#include "toolwork.h"

/* Nothing of a store can grow by itself, and all types have a place. */
void pcdf_copy_zarr_options(struct pcdf_copy_options *options)
{
    options->fix_records = true;
    options->version = PCDF_CDF5;
}

struct input {
    const struct pcdf_copy_plan *plan;
    struct pcdf_tool_dataset *from;
};

static int read_box(void *context, int varid, const int64_t *start, const int64_t *count, void *values)
{
    const struct input *input = context;
    return pcdf_copy_read_box(input->plan, input->from, varid, start, count, false, values);
}

/* A store whose name alone says what it is becomes small, where all ranks have the plug-in for that. */
static void choose_codecs_all(struct pcdf_zarrout *out, bool may_compress)
{
    const struct pcdf_zarrout_codecs none = out->codecs;
    struct pcdf_chain chain;
    if (!may_compress) /* the same on all ranks */
        return;
    out->codecs = (struct pcdf_zarrout_codecs){ .deflate = 1, .shuffle = true };
    pcdf_zarrout_chain(out, 4, &chain);
    int mine = pcdf_chain_check(&chain) ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
    if (pcdf_tool_worst_all(out->ranks, mine))
        out->codecs = none;
}

int pcdf_copy_zarr_all(const struct pcdf_tool_ranks *ranks, struct pcdf_copy_plan *plan,
                       const struct pcdf_copy_options *options, struct pcdf_tool_progress *progress,
                       struct pcdf_tool_dataset *from, int64_t *bytes)
{
    struct pcdf_copy_chunks chunks = { 0 };
    struct input input = { plan, from };
    int mine = pcdf_copy_fit(&plan->out, options);
    mine = mine ? mine : pcdf_copy_chunks_begin(&chunks, plan, from, options, -1);
    int status = pcdf_tool_worst_all(ranks, mine);
    struct pcdf_zarrout out = { .ranks = ranks,
                                .to = options->to,
                                .replace = options->replace,
                                .kind = options->zarr,
                                .meta = &plan->out,
                                .chunks = chunks.of,
                                .shards = chunks.shards,
                                .codecs = { options->deflate, options->zstd, options->shuffle },
                                .header_only = options->header_only,
                                .read = read_box,
                                .context = &input,
                                .progress = progress };

    pcdf_tool_progress_begin(progress, ranks, "copying", pcdf_tool_work_bytes(&plan->out, NULL));
    choose_codecs_all(&out, options->may_compress);
    if (!status) /* the same on all ranks */
        status = pcdf_zarrout_write_all(&out);
    pcdf_tool_progress_end(progress);
    pcdf_copy_chunks_end(&chunks);
    *bytes = out.bytes;
    return status;
}
