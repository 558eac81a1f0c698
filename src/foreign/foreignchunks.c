/* How the variables of a copy are stored in chunks: `--chunks`, or our own choice. */
#include "foreignchunks.h"
#include "alloc.h"
#include "foreigntiles.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 4096 }; /* bytes of a chunk along the record dimension, however few records there are */

/* Whole rows from the innermost dimension on, up to a MiB; the dimension that does not fit in equal parts. */
static void choose(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t *chunk)
{
    int64_t bytes = pcdf_type_size(var->type);

    for (int i = var->ndims - 1; i >= 0; i--) {
        int64_t room = bytes < PCDF_FOREIGN_CHUNK ? PCDF_FOREIGN_CHUNK / bytes : 1;
        bool grows = var->dimids[i] == meta->record_dim;
        int64_t length = grows ? meta->numrecs : meta->dims[var->dimids[i]].length;
        if (grows && length < LEAST / bytes)
            length = LEAST / bytes;
        length = length > 0 ? length : 1;
        int64_t parts = (length + room - 1) / room;
        chunk[i] = (length + parts - 1) / parts;
        bytes *= chunk[i];
    }
}

/* Contiguous where that is one tile: in larger ones the space would be filled before the values come. */
static bool wants_chunks(const struct pcdf_var *var, const struct pcdf_foreign_options *options, bool asked)
{
    return var->ndims > 0 && (asked || options->copy.deflate > 0 || options->kind == PCDF_FOREIGN_NCZARR ||
                              var->is_record || var->nbytes > PCDF_FOREIGN_TILE);
}

/* `dim/len,...` -> wanted[dimid]; a slash in a name: the last one counts. */
static int parse(const struct pcdf_meta *meta, const char *text, int64_t *wanted)
{
    while (*text) {
        char name[NC_MAX_NAME + 1], *end;
        size_t n = strcspn(text, ",");
        const char *slash = memrchr(text, '/', n);
        if (!slash || slash == text || (size_t)(slash - text) > NC_MAX_NAME)
            return pcdf_tool_unusable(NULL, "--chunks wants DIM/LENGTH,..., not '%.100s'", text);
        snprintf(name, sizeof name, "%.*s", (int)(slash - text), text);
        long long length = strtoll(slash + 1, &end, 10);
        if (end == slash + 1 || end != text + n || length < 1 || length > INT64_MAX / 2)
            return pcdf_tool_unusable(NULL, "--chunks: the length of dimension %s is no number from 1 on",
                                      name);
        int dimid = pcdf_copy_find_dim(meta, name);
        if (dimid < 0)
            return pcdf_tool_unusable(NULL, "--chunks: the copy has no dimension %s", name);
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
        if (__builtin_mul_overflow(bytes, chunk[i], &bytes) || bytes > PCDF_FOREIGN_MAX_CHUNK)
            return true;
    return false;
}

static int fill_one(struct pcdf_foreign_chunks *chunks, const struct pcdf_meta *meta,
                    const struct pcdf_foreign_options *options, int varid, const int64_t *wanted)
{
    const struct pcdf_var *var = &meta->vars[varid];
    int64_t *chunk = pcdf_calloc((size_t)var->ndims + 1, sizeof *chunk);

    if (!chunk)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    choose(meta, var, chunk);
    bool asked = apply(meta, var, wanted, chunk);
    if (asked && is_too_large(var, chunk)) {
        pcdf_free(chunk);
        return pcdf_tool_unusable(NULL, "--chunks: a chunk of %s would have more than %" PRId64 " MiB",
                                  var->name, PCDF_FOREIGN_MAX_CHUNK >> 20);
    }
    if (!wants_chunks(var, options, asked)) {
        pcdf_free(chunk);
        chunk = NULL;
    }
    chunks->of[varid] = chunk;
    return PCDF_TOOL_GOOD;
}

int pcdf_foreign_chunks_begin(struct pcdf_foreign_chunks *chunks, const struct pcdf_meta *meta,
                              const struct pcdf_foreign_options *options)
{
    int64_t *wanted = pcdf_calloc((size_t)meta->ndims + 1, sizeof *wanted);
    int status = PCDF_TOOL_GOOD;

    *chunks = (struct pcdf_foreign_chunks){ .n = meta->nvars };
    chunks->of = pcdf_calloc((size_t)meta->nvars + 1, sizeof *chunks->of);
    if (!wanted || !chunks->of)
        status = pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    if (!status && options->copy.chunks)
        status = parse(meta, options->copy.chunks, wanted);
    for (int i = 0; i < meta->nvars && !status; i++)
        status = fill_one(chunks, meta, options, i, wanted);
    pcdf_free(wanted);
    if (status)
        pcdf_foreign_chunks_end(chunks);
    return status;
}

void pcdf_foreign_chunks_end(struct pcdf_foreign_chunks *chunks)
{
    for (int i = 0; chunks->of && i < chunks->n; i++)
        pcdf_free(chunks->of[i]);
    pcdf_free(chunks->of);
    chunks->of = NULL;
}
