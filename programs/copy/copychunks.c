/* How the variables of a copy are stored in chunks: `--chunks`, `--shards`, or our own choice. */
#include "copychunks.h"
#include "alloc.h"
#include "copybox.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 4096, /* bytes of a chunk along the record dimension, however few records there are */
    MOST_IN_SHARD = 1 << 20
};

/* Whole rows from the innermost dimension on, up to a MiB; the dimension that does not fit in equal parts.
 * shape: room for it. */
static void choose(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t *shape, int64_t *chunk)
{
    int64_t record = pcdf_type_size(var->type);

    pcdf_var_shape(meta, var, shape);
    for (int i = 1; i < var->ndims; i++)
        record *= shape[i];
    if (var->is_record)
        shape[0] = pcdf_larger(shape[0], LEAST / record);
    pcdf_grid_choose(var->ndims, shape, NULL, pcdf_type_size(var->type), PCDF_COPY_CHUNK, true, chunk);
}

/* `dim/len,...` -> wanted[dimid]; a slash in a name: the last one counts. */
static int parse(const struct pcdf_meta *meta, const char *option, const char *text, int64_t *wanted)
{
    while (*text) {
        char name[NC_MAX_NAME + 1], *end;
        size_t n = strcspn(text, ",");
        const char *slash = memrchr(text, '/', n);
        if (!slash || slash == text || (size_t)(slash - text) > NC_MAX_NAME)
            return pcdf_tool_unusable(NULL, "%s wants DIM/LENGTH,..., not '%.100s'", option, text);
        snprintf(name, sizeof name, "%.*s", (int)(slash - text), text);
        long long length = strtoll(slash + 1, &end, 10);
        if (end == slash + 1 || end != text + n || length < 1 || length > INT64_MAX / 2)
            return pcdf_tool_unusable(NULL, "%s: the length of dimension %s is no number from 1 on", option,
                                      name);
        int dimid = pcdf_copy_find_dim(meta, name);
        if (dimid < 0)
            return pcdf_tool_unusable(NULL, "%s: the copy has no dimension %s", option, name);
        wanted[dimid] = length;
        text += n + (text[n] == ',');
    }
    return PCDF_TOOL_GOOD;
}

/* What was asked for holds for the variables that have such a dimension; false: none that it has. */
static bool apply(const struct pcdf_meta *meta, const struct pcdf_var *var, const int64_t *wanted,
                  int64_t *chunk)
{
    bool asked = false;

    for (int i = 0; i < var->ndims; i++) {
        int64_t want = wanted[var->dimids[i]], length = meta->dims[var->dimids[i]].length;
        if (want == 0)
            continue;
        chunk[i] = length > 0 ? pcdf_smaller(want, length) : want;
        asked = true;
    }
    return asked;
}

static bool is_too_large(const struct pcdf_var *var, const int64_t *chunk)
{
    int64_t bytes = pcdf_type_size(var->type);
    for (int i = 0; i < var->ndims; i++)
        if (__builtin_mul_overflow(bytes, chunk[i], &bytes) || bytes > PCDF_COPY_MAX_CHUNK)
            return true;
    return false;
}

/* Whole chunks of the input, about a MiB; false: it has none, or too large ones. */
static bool follow(const struct pcdf_copy_plan *plan, const struct pcdf_var *var, const int64_t *source,
                   int64_t *chunk)
{
    int64_t room[2 * PCDF_MOST_DIMS], *shape = room, *unit = room + PCDF_MOST_DIMS;

    if (!source || var->ndims > PCDF_MOST_DIMS || is_too_large(var, source))
        return false;
    pcdf_var_shape(&plan->out, var, shape);
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_copy_cut *cut = &plan->cuts[var->dimids[i]];
        int64_t length = pcdf_larger(1, source[i] / (cut->nruns > 0 ? 1 : cut->one.stride));
        unit[i] = pcdf_larger(1, pcdf_smaller(length, shape[i]));
    }
    pcdf_grid_choose(var->ndims, shape, unit, pcdf_type_size(var->type), PCDF_COPY_CHUNK, false, chunk);
    for (int i = 0; i < var->ndims; i++)
        chunk[i] = pcdf_larger(1, pcdf_smaller(chunk[i], shape[i]));
    return true;
}

static int fill_one(struct pcdf_copy_chunks *chunks, const struct pcdf_copy_plan *plan,
                    const struct pcdf_copy_options *options, int varid, const int64_t *source,
                    const int64_t *wanted, int64_t contiguous)
{
    const struct pcdf_meta *meta = &plan->out;
    const struct pcdf_var *var = &meta->vars[varid];
    int64_t *chunk = pcdf_calloc((size_t)var->ndims + 1, 2 * sizeof *chunk);

    if (!chunk)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    bool follows = follow(plan, var, source, chunk);
    if (!follows)
        choose(meta, var, chunk + var->ndims, chunk);
    bool asked = apply(meta, var, wanted, chunk), compresses = options->deflate > 0 || options->zstd > 0;
    if (asked && is_too_large(var, chunk)) {
        pcdf_free(chunk);
        return pcdf_tool_unusable(NULL, "--chunks: a chunk of %s would have more than %" PRId64 " MiB",
                                  var->name, PCDF_COPY_MAX_CHUNK >> 20);
    }
    if (!asked && !follows && !compresses && !var->is_record && var->nbytes <= contiguous) {
        pcdf_free(chunk);
        chunk = NULL;
    }
    chunks->of[varid] = var->ndims > 0 ? chunk : NULL;
    if (var->ndims == 0)
        pcdf_free(chunk);
    return PCDF_TOOL_GOOD;
}

/* ---- shards */

/* Lengths that were asked for become whole chunks; 1: that is the chunk. */
static int64_t apply_shard(const struct pcdf_meta *meta, const struct pcdf_var *var, const int64_t *wanted,
                           const int64_t *chunk, int64_t *shard)
{
    int64_t n = 1;
    for (int i = 0; i < var->ndims; i++) {
        int64_t want = wanted[var->dimids[i]], length = meta->dims[var->dimids[i]].length;
        if (want > 0)
            want = length > 0 ? pcdf_smaller(want, length) : want;
        if (want > 0)
            shard[i] = ((want - 1) / chunk[i] + 1) * chunk[i];
        if (__builtin_mul_overflow(n, shard[i] / chunk[i], &n))
            n = INT64_MAX;
    }
    return n;
}

static int fill_shard(struct pcdf_copy_chunks *chunks, const struct pcdf_meta *meta, int varid, int64_t bytes,
                      const int64_t *wanted)
{
    const struct pcdf_var *var = &meta->vars[varid];
    const int64_t *chunk = chunks->of[varid];
    if (!chunk)
        return PCDF_TOOL_GOOD;
    int64_t *shard = pcdf_calloc((size_t)var->ndims + 1, 2 * sizeof *shard);
    if (!shard)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    int64_t *shape = shard + var->ndims;
    pcdf_var_shape(meta, var, shape);
    pcdf_grid_choose(var->ndims, shape, chunk, pcdf_type_size(var->type), bytes, true, shard);
    int64_t n = apply_shard(meta, var, wanted, chunk, shard);
    if (n > MOST_IN_SHARD || n == 1) { /* a shard of one chunk is a chunk */
        pcdf_free(shard);
        shard = NULL;
    }
    chunks->shards[varid] = shard;
    if (n <= MOST_IN_SHARD)
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(NULL, "--shards: a shard of %s would have more than %d chunks", var->name,
                              MOST_IN_SHARD);
}

/* SHARDS, or bytes, or DIM/LENGTH,... */
static int fill_shards(struct pcdf_copy_chunks *chunks, const struct pcdf_meta *meta,
                       const struct pcdf_copy_options *options, int64_t *wanted)
{
    int status = PCDF_TOOL_GOOD;

    memset(wanted, 0, (size_t)meta->ndims * sizeof *wanted);
    if (options->shards)
        status = parse(meta, "--shards", options->shards, wanted);
    /* Dimensions that were not named: one chunk. */
    for (int i = 0; i < meta->nvars && !status; i++)
        status = fill_shard(chunks, meta, i, options->shards ? 1 : options->shard_bytes, wanted);
    return status;
}

int pcdf_copy_chunks_begin(struct pcdf_copy_chunks *chunks, const struct pcdf_copy_plan *plan,
                           const struct pcdf_tool_dataset *from, const struct pcdf_copy_options *options,
                           int64_t contiguous)
{
    const struct pcdf_meta *meta = &plan->out;
    int64_t **source = from ? pcdf_copy_source_chunks(plan, from) : NULL;
    int64_t *wanted = pcdf_calloc((size_t)meta->ndims + 1, sizeof *wanted);
    int status = source || !from ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;

    *chunks = (struct pcdf_copy_chunks){ .n = meta->nvars };
    chunks->of = pcdf_calloc((size_t)meta->nvars + 1, sizeof *chunks->of);
    chunks->shards = pcdf_calloc((size_t)meta->nvars + 1, sizeof *chunks->shards);
    if (!wanted || !chunks->of || !chunks->shards)
        status = pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    if (!status && options->chunks)
        status = parse(meta, "--chunks", options->chunks, wanted);
    for (int i = 0; i < meta->nvars && !status; i++)
        status = fill_one(chunks, plan, options, i, source ? source[i] : NULL, wanted, contiguous);
    if (!status && (options->shards || options->shard_bytes))
        status = fill_shards(chunks, meta, options, wanted);
    pcdf_copy_source_chunks_free(source, plan);
    pcdf_free(wanted);
    if (status)
        pcdf_copy_chunks_end(chunks);
    return status;
}

void pcdf_copy_chunks_end(struct pcdf_copy_chunks *chunks)
{
    for (int i = 0; i < chunks->n; i++) {
        pcdf_free(chunks->of ? chunks->of[i] : NULL);
        pcdf_free(chunks->shards ? chunks->shards[i] : NULL);
    }
    pcdf_free(chunks->of);
    pcdf_free(chunks->shards);
    *chunks = (struct pcdf_copy_chunks){ 0 };
}
