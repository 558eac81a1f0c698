/* The values of a store, this rank's share: boxes of whole chunks are read, cut into chunks, encoded, and
 * each is written to its file or shard. See zarrout.h. */
#include "zarrout.h"
#include "alloc.h"
#include "boxcopy.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"
#include "meaningvalues.h"
#include "value.h"
#include "toolgrid.h"
#include "zarrshard.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { TILE = 4 << 20, KEY_OF_DIM = 21 };

struct work {
    struct pcdf_zarrout *out;
    const char *name;
    struct pcdf_grid units, tiles, chunks; /* one in the other: what a rank writes, reads, encodes */
    int64_t *shape, *tile_step;
    int64_t *in_tile, *in_chunk; /* bytes from one index to the next */
    unsigned char *tile, *chunk; /* bytes of them */
    size_t tile_room, chunk_room;
    char *path;
    size_t path_room, there; /* bytes of path that are the variable's folder */
    struct pcdf_zarrshard shard;
    struct pcdf_chain chain;
    struct pcdf_codec_scratch scratch;
    int64_t unit; /* number among all ranks' work */
    /* the variable */
    int varid, ndims, size;
    const int64_t *chunk_shape, *shard_shape; /* shard_shape NULL: none */
    int64_t chunk_bytes;
    unsigned char fill[8];
    bool may_skip;
};

static int no_memory(const struct work *w)
{
    return pcdf_tool_unusable(w->out->to, "%s", pcdf_fail_text());
}

static int failed(const struct work *w)
{
    return pcdf_tool_unusable(w->out->to, "chunks of %s: %s", w->out->meta->vars[w->varid].name,
                              strerror(errno));
}

static bool grow(unsigned char **bytes, size_t *room, int64_t need)
{
    if ((size_t)need <= *room)
        return true;
    pcdf_free(*bytes);
    *bytes = pcdf_malloc((size_t)need);
    *room = *bytes ? (size_t)need : 0;
    return *bytes;
}

/* ---- names */

/* The file of the chunk, or shard, that begins there. */
static void name_it(struct work *w, const int64_t *start, const int64_t *shape)
{
    bool is_v3 = w->out->kind == PCDF_ZARROUT_3;
    int n = snprintf(w->path, w->path_room, "%s/%s/%s", w->name, w->out->meta->vars[w->varid].name,
                     is_v3 ? "c" : "");
    for (int i = 0; i < w->ndims; i++)
        n += snprintf(w->path + n, w->path_room - (size_t)n, "%s%" PRId64,
                      is_v3   ? "/"
                      : i > 0 ? "."
                              : "",
                      start[i] / shape[i]);
    if (w->ndims == 0 && !is_v3)
        snprintf(w->path + n, w->path_room - (size_t)n, "0");
}

/* The chunk's number in its shard, in the order of C. */
static int64_t number_in_shard(const struct work *w)
{
    int64_t number = 0;
    for (int i = 0; i < w->ndims; i++) {
        int64_t inside = (w->chunks.start[i] - w->units.start[i]) / w->chunk_shape[i];
        number = number * (w->shard_shape[i] / w->chunk_shape[i]) + inside;
    }
    return number;
}

/* ---- one chunk */

static void fill_values(const struct work *w)
{
    memcpy(w->chunk, w->fill, (size_t)w->size);
    for (int64_t n = w->size; n < w->chunk_bytes; n *= 2)
        memcpy(w->chunk + n, w->chunk, (size_t)pcdf_smaller(n, w->chunk_bytes - n));
}

/* The values of the tile that are the chunk's. */
static void gather(const struct work *w)
{
    const struct pcdf_boxcopy box = { w->ndims, w->chunks.count, w->in_tile, w->in_chunk, w->size };
    if (pcdf_boxcopy_bytes(&box, 0) < w->chunk_bytes)
        fill_values(w);
    int64_t from = pcdf_boxcopy_offset(w->ndims, w->tiles.start, w->chunks.start, w->in_tile);
    pcdf_boxcopy_move(&box, 0, w->tile + from, w->chunk);
}

/* Bit for bit; of NaNs only the one that the metadata's word means. */
static bool is_all_fill(const struct work *w)
{
    return w->may_skip && memcmp(w->chunk, w->fill, (size_t)w->size) == 0 &&
           (w->chunk_bytes == w->size ||
            memcmp(w->chunk, w->chunk + w->size, (size_t)(w->chunk_bytes - w->size)) == 0);
}

static int store(struct work *w, const void *bytes, size_t n)
{
    if (w->shard_shape)
        return pcdf_zarrshard_put(&w->shard, number_in_shard(w), bytes, n) ? PCDF_TOOL_GOOD : failed(w);
    name_it(w, w->chunks.start, w->chunk_shape);
    return pcdf_zarrfile_write(w->path, w->there, bytes, n) ? PCDF_TOOL_GOOD : failed(w);
}

static int write_chunk(struct work *w)
{
    const unsigned char *encoded;
    size_t n;

    gather(w);
    if (is_all_fill(w))
        return PCDF_TOOL_GOOD;
    pcdf_values_swap(w->chunk, w->chunk_bytes / w->size, w->size);
    if (w->chain.n == 0)
        return store(w, w->chunk, (size_t)w->chunk_bytes);
    if (pcdf_chain_encode_here(&w->chain, w->chunk, (size_t)w->chunk_bytes, &encoded, &n, NULL, &w->scratch))
        return pcdf_tool_unusable(w->out->to, "%s", pcdf_fail_text());
    return store(w, encoded, n);
}

/* ---- boxes of chunks */

static int write_tile(struct work *w)
{
    int64_t bytes = pcdf_boxcopy_steps(w->ndims, w->tiles.count, w->size, w->in_tile);
    if (!grow(&w->tile, &w->tile_room, bytes))
        return no_memory(w);
    int status = w->out->read(w->out->context, w->varid, w->tiles.start, w->tiles.count, w->tile);
    pcdf_grid_cut(&w->chunks, w->ndims, w->tiles.start, w->tiles.count, w->chunk_shape);
    while (!status && pcdf_grid_next(&w->chunks))
        status = write_chunk(w);
    w->out->bytes += bytes;
    pcdf_tool_progress_add(w->out->progress, bytes);
    return status;
}

static int begin_shard(struct work *w)
{
    int64_t n = 1;
    for (int i = 0; i < w->ndims; i++)
        n *= w->shard_shape[i] / w->chunk_shape[i];
    name_it(w, w->units.start, w->shard_shape);
    return pcdf_zarrshard_begin(&w->shard, w->path, w->there, n) ? PCDF_TOOL_GOOD : failed(w);
}

static int write_unit(struct work *w)
{
    int status = w->shard_shape ? begin_shard(w) : PCDF_TOOL_GOOD;
    pcdf_grid_cut(&w->tiles, w->ndims, w->units.start, w->units.count, w->tile_step);
    while (!status && pcdf_grid_next(&w->tiles))
        status = write_tile(w);
    if (!status && w->shard_shape && !pcdf_zarrshard_end(&w->shard))
        status = failed(w);
    return status;
}

/* ---- variables */

/* The word NaN stands for one of the many. */
static bool is_plain(nc_type type, const unsigned char *fill)
{
    double number = pcdf_value_is_real(type) ? pcdf_value_load_real(type, fill) : 0;
    unsigned char plain[8];
    struct pcdf_value nan = { .type = type };
    if (number == number)
        return true;
    nan.is.real = __builtin_nan("");
    pcdf_value_store(&nan, plain);
    return memcmp(plain, fill, (size_t)pcdf_type_size(type)) == 0;
}

static void enter(struct work *w, int varid)
{
    const struct pcdf_zarrout *out = w->out;
    const struct pcdf_var *var = &out->meta->vars[varid];

    w->varid = varid;
    w->there = strlen(w->name) + 1 + (size_t)var->name_length;
    w->ndims = var->ndims;
    w->size = pcdf_type_size(var->type);
    pcdf_meaning_fill(var, w->fill);
    w->may_skip = pcdf_zarrmeta_has_fill(out, var) && is_plain(var->type, w->fill);
    w->chunk_shape = out->chunks[varid];
    w->shard_shape = out->shards ? out->shards[varid] : NULL;
    w->chunk_bytes = pcdf_boxcopy_steps(w->ndims, w->chunk_shape, w->size, w->in_chunk);
    pcdf_zarrout_chain(out, w->size, &w->chain);
    pcdf_var_shape(out->meta, var, w->shape);
    pcdf_grid_choose(w->ndims, w->shard_shape ? w->shard_shape : w->shape, w->chunk_shape, w->size, TILE,
                     false, w->tile_step);
    pcdf_grid_cut(&w->units, w->ndims, NULL, w->shape, w->shard_shape ? w->shard_shape : w->tile_step);
}

static int write_var(struct work *w, int varid)
{
    const struct pcdf_tool_ranks *ranks = w->out->ranks;
    int status = PCDF_TOOL_GOOD;

    enter(w, varid);
    if (!grow(&w->chunk, &w->chunk_room, w->chunk_bytes))
        return no_memory(w);
    while (!status && pcdf_grid_next(&w->units))
        if (pcdf_tool_owner(w->unit++, ranks->size) == ranks->rank)
            status = write_unit(w);
    return status;
}

static bool begin(struct work *w)
{
    int most = pcdf_tool_most_dims(w->out->meta);
    size_t each = (size_t)most + 1;

    w->path_room = strlen(w->name) + 2 * NC_MAX_NAME + KEY_OF_DIM * each;
    w->path = pcdf_malloc(w->path_room);
    w->shape = pcdf_calloc(each, 4 * sizeof *w->shape);
    if (!w->path || !w->shape)
        return false;
    w->tile_step = w->shape + each;
    w->in_tile = w->tile_step + each;
    w->in_chunk = w->in_tile + each;
    return pcdf_grid_begin(&w->units, most) && pcdf_grid_begin(&w->tiles, most) &&
           pcdf_grid_begin(&w->chunks, most);
}

int pcdf_zarrencode_write(struct pcdf_zarrout *out, const char *name)
{
    struct work w = { .out = out, .name = name, .shard = { .fd = -1 } };
    int status = begin(&w) ? PCDF_TOOL_GOOD : no_memory(&w);

    for (int i = 0; i < out->meta->nvars && !status; i++)
        status = write_var(&w, i);
    pcdf_zarrshard_free(&w.shard);
    pcdf_grid_end(&w.units);
    pcdf_grid_end(&w.tiles);
    pcdf_grid_end(&w.chunks);
    pcdf_free(w.scratch.a);
    pcdf_free(w.scratch.b);
    pcdf_free(w.tile);
    pcdf_free(w.chunk);
    pcdf_free(w.path);
    pcdf_free(w.shape);
    return status;
}
