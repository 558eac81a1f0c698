/* See refspart.h. */
#include "refspart.h"
#include "alloc.h"
#include "numbers.h"
#include "refstext.h"
#include "status.h"
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 3 * 16384 /* bytes of values at a time */ };

/* ---- the file */

/* Where readers find it: of several files, --url is their folder. */
static char *url_of(const struct pcdf_refs_options *o, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    char *real = o->url ? NULL : realpath(path, NULL);
    const char *from = o->url ? o->url : real ? real : path;
    bool is_folder = o->url && o->n > 1;
    size_t n = strlen(from), room = n + strlen(name) + 2;
    char *url = pcdf_malloc(room);

    if (url)
        snprintf(url, room, "%s%s%s", from, is_folder && n > 0 && from[n - 1] != '/' ? "/" : "",
                 is_folder ? name : "");
    free(real);
    return url;
}

int pcdf_refs_part_begin(struct pcdf_refs_part *part, const struct pcdf_refs_options *options,
                         struct pcdf_tool_dataset *ds, int along, int64_t length)
{
    *part = (struct pcdf_refs_part){ .options = options, .ds = ds, .along = along, .length = length };
    part->url = url_of(options, ds->file.path);
    if (!part->url)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    if (!pcdf_tool_source_is_image(ds->file.source))
        return PCDF_TOOL_GOOD;
    part->other = (struct pcdf_refs_image){ .image = ds->file.source->image,
                                            .url = options->url ? part->url : NULL,
                                            .chunk_bytes = options->chunk_bytes,
                                            .along = along,
                                            .length = length,
                                            .is_complete = true };
    int status = pcdf_refs_image_begin(&part->other, ds->file.path);
    if (status)
        pcdf_free(part->url);
    return status;
}

void pcdf_refs_part_end(struct pcdf_refs_part *part)
{
    if (part->other.image)
        pcdf_refs_image_end(&part->other);
    pcdf_free(part->url);
}

const char *pcdf_refs_part_reason(const struct pcdf_refs_part *part, int varid)
{
    return part->other.image ? pcdf_refs_image_reason(&part->other, varid) : NULL;
}

int pcdf_refs_part_dims(const struct pcdf_refs_part *part, int varid)
{
    return part->other.image ? pcdf_refs_image_dims(&part->other, varid) : part->ds->meta.vars[varid].ndims;
}

/* Of a classic file. Of several, all have the same chunks, whatever follows the last one in its file. */
static void make_grid(const struct pcdf_refs_part *part, int varid, struct pcdf_refs_grid *grid)
{
    bool is_joined = part->along >= 0;
    pcdf_refs_grid_make(grid, &part->ds->meta, &part->ds->layout, varid, part->options->chunk_bytes,
                        is_joined ? INT64_MAX : part->ds->file.size, is_joined);
}

int64_t pcdf_refs_part_step(const struct pcdf_refs_part *part, int varid, int dim)
{
    struct pcdf_refs_grid grid;

    if (part->other.image)
        return pcdf_refs_image_step(&part->other, varid, dim);
    make_grid(part, varid, &grid);
    return pcdf_refs_grid_step(&grid, dim);
}

/* ---- the array */

static void put_lengths(struct pcdf_json *json, const char *key, const struct pcdf_refs_grid *grid,
                        int64_t (*length)(const struct pcdf_refs_grid *, int), int along, int64_t all)
{
    pcdf_json_key(json, key);
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < grid->ndims; i++)
        pcdf_json_integer(json, i == along ? all : length(grid, i));
    pcdf_json_close(json, ']');
}

/* along: of the array's dimensions. */
static void put_grid(struct pcdf_json *json, const struct pcdf_var *var, const struct pcdf_refs_grid *grid,
                     int along, int64_t all)
{
    put_lengths(json, "chunks", grid, pcdf_refs_grid_step, -1, 0);
    pcdf_json_key(json, "compressor");
    pcdf_json_null(json);
    pcdf_json_key(json, "dtype");
    pcdf_json_text(json, pcdf_refs_dtype(var->type));
    pcdf_refs_fill_value(json, var);
    pcdf_json_key(json, "filters");
    pcdf_json_null(json);
    pcdf_json_key(json, "order");
    pcdf_json_text(json, "C");
    put_lengths(json, "shape", grid, pcdf_refs_grid_length, along, all);
    pcdf_json_key(json, "zarr_format");
    pcdf_json_integer(json, 2);
}

int pcdf_refs_part_array(const struct pcdf_refs_part *part, int varid, struct pcdf_refs_inner *text)
{
    const struct pcdf_var *var = &part->ds->meta.vars[varid];
    struct pcdf_refs_grid grid;
    int along = -1, status = pcdf_refs_inner_begin(text);

    if (status)
        return status;
    text->json.bare_nan = false;
    for (int i = 0; i < var->ndims; i++)
        along = part->along >= 0 && var->dimids[i] == part->along ? i : along;
    if (part->other.image) {
        pcdf_refs_image_array(&part->other, varid, &text->json);
    } else {
        make_grid(part, varid, &grid);
        put_grid(&text->json, var, &grid, along, part->length);
    }
    return pcdf_refs_inner_end(text);
}

int pcdf_refs_whole_array(const struct pcdf_tool_dataset *ds, int varid, struct pcdf_refs_inner *text)
{
    struct pcdf_refs_grid grid;
    int status = pcdf_refs_inner_begin(text);

    if (status)
        return status;
    text->json.bare_nan = false;
    pcdf_refs_grid_whole(&grid, &ds->meta, &ds->layout, varid);
    put_grid(&text->json, &ds->meta.vars[varid], &grid, -1, 0);
    return pcdf_refs_inner_end(text);
}

/* ---- chunks */

/* A chunk written out: n values from `first` on, then zeros up to its size. */
static int put_values(struct pcdf_tool_dataset *ds, int varid, struct pcdf_refs_out *out,
                      const int64_t *index, const struct pcdf_refs_chunk *chunk)
{
    int64_t size = pcdf_type_size(ds->meta.vars[varid].type), there = chunk->n * size;
    unsigned char *block = pcdf_malloc(STEP);
    int status = block ? PCDF_TOOL_GOOD : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());

    if (!status)
        pcdf_refs_out_bytes_begin(out, index);
    for (int64_t at = 0; at < chunk->nbytes && !status; at += STEP) {
        int64_t n = pcdf_smaller(STEP, chunk->nbytes - at);
        int64_t real = there - at < 0 ? 0 : pcdf_smaller(there - at, n);
        status = pcdf_tool_values(ds, varid, chunk->first + at / size, real / size, block);
        memset(block + real, 0, (size_t)(n - real));
        if (!status)
            pcdf_refs_out_bytes(out, block, n);
    }
    if (!status)
        pcdf_refs_out_bytes_end(out);
    pcdf_free(block);
    return status;
}

int pcdf_refs_whole_chunk(struct pcdf_tool_dataset *ds, int varid, struct pcdf_refs_out *out)
{
    int64_t n = pcdf_tool_count(&ds->meta, varid);
    const struct pcdf_refs_chunk chunk = { .n = n, .nbytes = n * pcdf_type_size(ds->meta.vars[varid].type) };
    int64_t *index = pcdf_calloc((size_t)ds->meta.vars[varid].ndims + 1, sizeof *index);
    int status = index ? PCDF_TOOL_GOOD : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());

    if (!status && n > 0)
        status = put_values(ds, varid, out, index, &chunk);
    pcdf_free(index);
    return status;
}

static void place(const struct pcdf_refs_grid *grid, int64_t lead, int64_t j, int64_t *index)
{
    int64_t divisor = grid->leads;

    for (int i = 0; i < grid->ndims; i++) {
        index[i] = i == grid->split ? j : 0;
        if (i < grid->split) {
            divisor /= pcdf_refs_grid_length(grid, i);
            index[i] = lead / divisor;
            lead %= divisor;
        }
    }
}

static int put_chunk(const struct pcdf_refs_part *part, const struct pcdf_refs_grid *grid,
                     struct pcdf_refs_out *out, const int64_t *index, const struct pcdf_refs_chunk *chunk)
{
    const struct pcdf_var *var = &part->ds->meta.vars[grid->varid];
    bool is_run = !grid->is_spread || chunk->n * pcdf_type_size(var->type) <= var->nbytes;

    if (part->options->inline_bytes >= chunk->nbytes || !is_run ||
        chunk->offset > part->ds->file.size - chunk->nbytes)
        return put_values(part->ds, grid->varid, out, index, chunk);
    pcdf_refs_out_place(out, index, part->url, chunk->offset, chunk->nbytes);
    return PCDF_TOOL_GOOD;
}

static int put_classic(const struct pcdf_refs_part *part, int varid, struct pcdf_refs_out *out)
{
    struct pcdf_refs_grid grid;
    int64_t *index = pcdf_calloc((size_t)part->ds->meta.vars[varid].ndims + 1, sizeof *index);
    int status = index ? PCDF_TOOL_GOOD : pcdf_tool_unusable(part->ds->file.path, "%s", pcdf_fail_text());

    make_grid(part, varid, &grid);
    for (int64_t lead = 0; lead < grid.leads && !status; lead++)
        for (int64_t j = 0; j < grid.per_lead && !status && !ferror(out->json.to); j++) {
            struct pcdf_refs_chunk chunk;
            pcdf_refs_grid_chunk(&grid, lead, j, &chunk);
            place(&grid, lead, j, index);
            status = put_chunk(part, &grid, out, index, &chunk);
        }
    pcdf_free(index);
    return status;
}

int pcdf_refs_part_chunks(const struct pcdf_refs_part *part, int varid, struct pcdf_refs_out *out)
{
    return part->other.image ? pcdf_refs_image_chunks(&part->other, varid, out)
                             : put_classic(part, varid, out);
}
