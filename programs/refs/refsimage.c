/* See refsimage.h. */
#include "refsimage.h"
#include "alloc.h"
#include "refstext.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"
#include "url.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names in numcodecs, and of the parameter. */
static const struct {
    const char *id, *param;
} codecs[PCDF_CODECS] = {
    [PCDF_CODEC_ZLIB] = { "zlib", "level" },
    [PCDF_CODEC_GZIP] = { "gzip", "level" },
    [PCDF_CODEC_SHUFFLE] = { "shuffle", "elementsize" },
    [PCDF_CODEC_FLETCHER32] = { "fletcher32", NULL },
    [PCDF_CODEC_ADLER32] = { "adler32", NULL },
    [PCDF_CODEC_CRC32] = { "crc32", NULL },
    [PCDF_CODEC_ZSTD] = { "zstd", NULL },
    [PCDF_CODEC_BLOSC] = { "blosc", NULL },
    [PCDF_CODEC_LZ4] = { "lz4", NULL },
    [PCDF_CODEC_BZIP2] = { "bz2", NULL },
};

static const struct pcdf_chain *chain_of(const struct pcdf_refs_image *refs, int varid)
{
    static const struct pcdf_chain none;
    int chain = refs->image->vars[varid].chain;
    return chain < 0 ? &none : &refs->image->chains[chain];
}

/* ---- what Zarr has no word for */

static bool is_reversed(const struct pcdf_chunked *v)
{
    bool is_one = true;
    for (int i = 0; i < v->ndims; i++)
        is_one &= v->order[i] == v->ndims - 1 - i;
    return is_one;
}

static bool is_in_order(const struct pcdf_chunked *v)
{
    bool is_one = true;
    for (int i = 0; v->order && i < v->ndims; i++)
        is_one &= v->order[i] == i;
    return is_one;
}

static int find(const struct pcdf_refs_image *refs, struct pcdf_chunk_cursor *cursor, int varid,
                int64_t number, struct pcdf_chunk_place *place)
{
    const struct pcdf_varview *w = &refs->views.vars[varid];
    return pcdf_chunkmap_find(&w->v->map, cursor, w->v->ndims, w->grid, number, place);
}

static int64_t count_chunks(const struct pcdf_refs_image *refs, int varid)
{
    const struct pcdf_varview *w = &refs->views.vars[varid];
    int64_t n = 1;
    for (int i = 0; i < w->v->ndims; i++)
        n *= w->grid[i];
    return w->v->map.kind == PCDF_MAP_NONE ? 0 : n;
}

struct found {              /* where a chunk that is an object of its own lies */
    char *path;             /* owned */
    int64_t offset, length; /* length -1: all of it */
};

static char *path_of(const char *folder, const char *key)
{
    size_t room = strlen(folder) + strlen(key) + 2;
    char *path = pcdf_malloc(room);
    if (path)
        snprintf(path, room, "%s/%s", folder, key);
    return path;
}

/* A file in a folder, or a part of an archive. NC_ENOENT; NC_ENOTSUPPORT: it is packed; NC_ENOMEM. */
static int locate(const struct pcdf_refs_image *refs, const struct pcdf_chunk_place *place, struct found *at)
{
    const char *name = refs->image->stores[place->store].name;
    bool has = true;
    *at = (struct found){ .length = -1 };
    if (refs->is_archive)
        PCDF_TRY(pcdf_store_locate(refs->objects, place->key, &at->offset, &at->length));
    else
        PCDF_TRY(pcdf_store_has(refs->objects, place->key, &has));
    if (!has)
        return NC_ENOENT;
    at->path = refs->is_archive ? pcdf_strndup(name, strlen(name)) : path_of(name, place->key);
    return at->path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for the name of a chunk");
}

static const char *reason_of_store(const struct pcdf_refs_image *refs, const struct pcdf_chunkmap *map)
{
    if (map->kind == PCDF_MAP_SHARDS)
        return "its chunks lie in shards";
    if (map->kind != PCDF_MAP_KEYS)
        return NULL;
    return pcdf_url_is_far(refs->image->stores[map->store].name)
               ? "its chunks are objects far away, of which it is not known which there are"
               : NULL;
}

static bool is_packed(const struct pcdf_refs_image *refs, const struct pcdf_chunk_place *place)
{
    int64_t offset, length;
    int err = refs->is_archive ? pcdf_store_locate(refs->objects, place->key, &offset, &length) : NC_NOERR;
    return err && err != NC_ENOENT;
}

const char *pcdf_refs_image_reason(const struct pcdf_refs_image *refs, int varid)
{
    const struct pcdf_chunked *v = &refs->image->vars[varid];
    const struct pcdf_chain *chain = chain_of(refs, varid);
    struct pcdf_chunk_place place;
    struct pcdf_chunk_cursor cursor = { 0 };
    const char *reason = reason_of_store(refs, &v->map);

    for (int i = 0; i < chain->n && !reason; i++)
        if (chain->x[i].id >= PCDF_CODECS || !codecs[chain->x[i].id].id)
            reason = chain->x[i].id == PCDF_CODEC_JSON_TEXT ? "its chunks are texts in a file of references"
                                                            : "numcodecs has no name for its codec";
    if (!reason && !is_in_order(v) && !is_reversed(v))
        reason = "the dimensions of its chunks are in an order that is neither C's nor Fortran's";
    for (int64_t i = 0, n = reason ? 0 : count_chunks(refs, varid); i < n && !reason; i++)
        if (find(refs, &cursor, varid, i, &place))
            reason = "the places of its chunks are damaged";
        else if (place.store >= 0 && *place.key && is_packed(refs, &place))
            reason = "its chunks are packed in an archive";
        else if (place.store >= 0 && place.mask)
            reason = "some of its chunks were stored without one of the codecs";
    return reason;
}

/* ---- the array */

int pcdf_refs_image_dims(const struct pcdf_refs_image *refs, int varid)
{
    return refs->image->vars[varid].ndims;
}

static void put_dtype(const struct pcdf_chunked *v, struct pcdf_json *json)
{
    static const char letters[] = {
        [PCDF_STORED_INT] = 'i',  [PCDF_STORED_UINT] = 'u', [PCDF_STORED_REAL] = 'f',
        [PCDF_STORED_BOOL] = 'b', [PCDF_STORED_TEXT] = 'S', [PCDF_STORED_UCS4] = 'U'
    };
    char text[32];
    bool has_order = v->stored == PCDF_STORED_UCS4 || (v->size > 1 && v->stored != PCDF_STORED_TEXT);
    snprintf(text, sizeof text, "%c%c%d",
             !has_order  ? '|'
             : v->is_big ? '>'
                         : '<',
             letters[v->stored], v->stored == PCDF_STORED_UCS4 ? v->size / 4 : v->size);
    pcdf_json_key(json, "dtype");
    pcdf_json_text(json, text);
}

static void put_filters(const struct pcdf_chain *chain, struct pcdf_json *json)
{
    pcdf_json_key(json, "compressor");
    pcdf_json_null(json);
    pcdf_json_key(json, "filters");
    if (chain->n == 0) {
        pcdf_json_null(json);
        return;
    }
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < chain->n; i++) {
        const struct pcdf_codec *c = &chain->x[i];
        pcdf_json_open(json, '{', true);
        pcdf_json_key(json, "id");
        pcdf_json_text(json, codecs[c->id].id);
        if (codecs[c->id].param && c->nparams > 0) {
            pcdf_json_key(json, codecs[c->id].param);
            pcdf_json_integer(json, c->params[0]);
        }
        pcdf_json_close(json, '}');
    }
    pcdf_json_close(json, ']');
}

static bool is_there(const struct pcdf_refs_image *refs, const struct pcdf_chunk_place *place)
{
    struct found at = { 0 };
    bool is_one = place->bytes || (place->store >= 0 && (!*place->key || !locate(refs, place, &at)));
    pcdf_free(at.path);
    return is_one;
}

bool pcdf_refs_image_is_complete(const struct pcdf_refs_image *refs, int varid)
{
    const struct pcdf_varview *w = &refs->views.vars[varid];
    struct pcdf_chunk_place place;
    struct pcdf_chunk_cursor cursor = { 0 };
    bool is_one = w->v->map.kind != PCDF_MAP_NONE && !w->has_tail;
    for (int64_t i = 0, n = count_chunks(refs, varid); i < n && is_one; i++)
        is_one = !find(refs, &cursor, varid, i, &place) && is_there(refs, &place);
    return is_one;
}

/* What stands for missing values is said where there are some, or the file says it. */
static void put_fill(const struct pcdf_refs_image *refs, int varid, struct pcdf_json *json)
{
    const struct pcdf_chunked *v = &refs->image->vars[varid];
    const struct pcdf_var *var = &refs->image->meta.vars[varid];
    if (refs->along >= 0 ? refs->is_complete : pcdf_refs_image_is_complete(refs, varid)) {
        pcdf_refs_fill_value(json, var);
        return;
    }
    pcdf_json_key(json, "fill_value");
    if (v->stored == PCDF_STORED_UCS4 || (v->stored == PCDF_STORED_TEXT && v->size > 1))
        pcdf_json_text(json, "");
    else if (v->stored == PCDF_STORED_BOOL)
        pcdf_json_bool(json, v->fill[0] != 0);
    else
        pcdf_refs_fill(json, var->type, v->fill);
}

/* Is the variable one piece of the file, whole rows one after another? */
static bool is_one_piece(const struct pcdf_refs_image *refs, int varid)
{
    const struct pcdf_varview *w = &refs->views.vars[varid];
    const struct pcdf_chunked *v = w->v;
    bool is_one = v->map.kind == PCDF_MAP_LINEAR && v->chain < 0 && v->ndims > 0 && is_in_order(v) &&
                  v->shape[0] > 0 && (w->grid[0] == 1 || v->map.stride == w->chunk_bytes);
    for (int i = 1; i < v->ndims; i++)
        is_one = is_one && v->chunk[i] == v->shape[i];
    return is_one;
}

/* Rows of its chunks: a divisor of all, since the last chunk is to be a whole one, too. 0: it is not cut. */
static int64_t rows_of(const struct pcdf_refs_image *refs, int varid)
{
    enum { MOST_CHUNKS = 1 << 20 };
    const struct pcdf_varview *w = &refs->views.vars[varid];
    if (!is_one_piece(refs, varid))
        return 0;
    int64_t all = w->v->shape[0], row = w->chunk_bytes / w->v->chunk[0];
    if (refs->along >= 0) {
        bool is_first = refs->image->meta.vars[varid].dimids[0] == refs->along;
        if (!is_first || refs->divisor == 0 || all % refs->divisor != 0)
            return 0;
        all = refs->divisor;
    }
    int64_t rows = row > 0 ? refs->chunk_bytes / row : all;
    rows = rows < 1 ? 1 : rows > all ? all : rows;
    while (all % rows != 0)
        rows--;
    return w->v->shape[0] / rows > MOST_CHUNKS ? all : rows;
}

int64_t pcdf_refs_image_chunk_bytes(const struct pcdf_refs_image *refs, int varid)
{
    return refs->views.vars[varid].chunk_bytes;
}

int64_t pcdf_refs_image_step(const struct pcdf_refs_image *refs, int varid, int dim)
{
    int64_t rows = dim == 0 ? rows_of(refs, varid) : 0;
    return rows > 0 ? rows : refs->views.vars[varid].v->chunk[dim];
}

/* Which of the array's dimensions joins the files; -1: none. */
static int along_of(const struct pcdf_refs_image *refs, int varid)
{
    const struct pcdf_var *var = &refs->image->meta.vars[varid];
    int along = -1;
    for (int i = 0; i < refs->image->vars[varid].ndims; i++)
        along = refs->along >= 0 && var->dimids[i] == refs->along ? i : along;
    return along;
}

void pcdf_refs_image_array(const struct pcdf_refs_image *refs, int varid, struct pcdf_json *json)
{
    const struct pcdf_varview *w = &refs->views.vars[varid];
    int64_t rows = rows_of(refs, varid);
    int along = along_of(refs, varid);

    pcdf_json_key(json, "chunks");
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < w->v->ndims; i++)
        pcdf_json_integer(json, i == 0 && rows > 0 ? rows : w->v->chunk[i]);
    pcdf_json_close(json, ']');
    put_dtype(w->v, json);
    put_fill(refs, varid, json);
    put_filters(chain_of(refs, varid), json);
    pcdf_json_key(json, "order");
    pcdf_json_text(json, is_in_order(w->v) ? "C" : "F");
    pcdf_json_key(json, "shape");
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < w->v->ndims; i++)
        pcdf_json_integer(json, i == along ? refs->length : w->length[i]);
    pcdf_json_close(json, ']');
    pcdf_json_key(json, "zarr_format");
    pcdf_json_integer(json, 2);
}

/* ---- chunks */

static void put_place(const struct pcdf_refs_image *refs, struct pcdf_refs_out *out, const int64_t *index,
                      const char *path, int64_t offset, int64_t length)
{
    char *real = refs->url || pcdf_url_is_far(path) ? NULL : realpath(path, NULL);
    pcdf_refs_out_place(out, index, refs->url ? refs->url : real ? real : path, offset, length);
    free(real);
}

static int put_object(const struct pcdf_refs_image *refs, struct pcdf_refs_out *out, const int64_t *index,
                      const struct pcdf_chunk_place *place)
{
    struct found at;
    int err = locate(refs, place, &at);
    if (err == NC_ENOENT) /* it was never written */
        return PCDF_TOOL_GOOD;
    if (err)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    put_place(refs, out, index, at.path, at.offset, at.length);
    pcdf_free(at.path);
    return PCDF_TOOL_GOOD;
}

static int put_chunk(const struct pcdf_refs_image *refs, int varid, struct pcdf_refs_out *out,
                     const int64_t *index, const struct pcdf_chunk_place *place)
{
    if (!place->bytes && place->store >= 0 && *place->key)
        return put_object(refs, out, index, place);
    if (place->bytes) {
        pcdf_refs_out_bytes_begin(out, index);
        pcdf_refs_out_bytes(out, place->bytes, refs->views.vars[varid].chunk_bytes);
        pcdf_refs_out_bytes_end(out);
    } else if (place->store >= 0) {
        put_place(refs, out, index, refs->image->stores[place->store].name, place->offset, place->length);
    }
    return PCDF_TOOL_GOOD;
}

/* One piece as chunks of rows. */
static void put_rows(const struct pcdf_refs_image *refs, int varid, struct pcdf_refs_out *out, int64_t *index,
                     const struct pcdf_chunk_place *first, int64_t rows)
{
    const struct pcdf_varview *w = &refs->views.vars[varid];
    int64_t bytes = w->chunk_bytes / w->v->chunk[0] * rows;

    for (int64_t i = 0; i < w->v->shape[0] / rows && !ferror(out->json.to); i++) {
        index[0] = i;
        put_place(refs, out, index, refs->image->stores[first->store].name, first->offset + i * bytes, bytes);
    }
}

int pcdf_refs_image_chunks(const struct pcdf_refs_image *refs, int varid, struct pcdf_refs_out *out)
{
    const struct pcdf_varview *w = &refs->views.vars[varid];
    const char *name = refs->image->meta.vars[varid].name;
    int64_t *index = pcdf_calloc((size_t)w->v->ndims + 1, sizeof *index), rows = rows_of(refs, varid);
    struct pcdf_chunk_place place;
    struct pcdf_chunk_cursor cursor = { 0 };
    int status = index ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());

    for (int64_t i = 0, n = count_chunks(refs, varid); i < n && !status && !ferror(out->json.to); i++) {
        if (find(refs, &cursor, varid, i, &place)) {
            status = pcdf_tool_unusable(NULL, "variable %s: %s", name, pcdf_fail_text());
        } else if (rows > 0 && place.store >= 0) {
            put_rows(refs, varid, out, index, &place, rows);
            break;
        } else {
            pcdf_grid_index(w->v->ndims, w->grid, i, index);
            status = put_chunk(refs, varid, out, index, &place);
        }
    }
    pcdf_free(index);
    return status;
}

/* The folder or archive that has the chunks. */
static int open_objects(struct pcdf_refs_image *refs)
{
    const struct pcdf_image *image = refs->image;
    bool has_objects = false;
    for (int i = 0; i < image->nvars; i++)
        has_objects |= image->vars[i].map.kind == PCDF_MAP_KEYS;
    if (!has_objects || pcdf_url_is_far(image->stores[0].name))
        return NC_NOERR;
    int err = pcdf_store_open_bound(image->stores[0].name, &image->stores[0].bond, &image->stores[0].pin,
                                    &refs->objects);
    refs->is_archive = !err && pcdf_store_can_locate(refs->objects);
    return err;
}

int pcdf_refs_image_begin(struct pcdf_refs_image *refs, const char *path)
{
    if (refs->url && refs->image->nstores > 1)
        return pcdf_tool_unusable(path, "its values lie in %d files, which --url cannot name",
                                  refs->image->nstores);
    int err = pcdf_views_make(refs->image, &refs->views);
    if (!err && (err = open_objects(refs)))
        pcdf_views_free(&refs->views);
    return err ? pcdf_tool_unusable(path, "%s", pcdf_fail_text()) : PCDF_TOOL_GOOD;
}

void pcdf_refs_image_end(struct pcdf_refs_image *refs)
{
    pcdf_store_close(refs->objects);
    pcdf_views_free(&refs->views);
}
