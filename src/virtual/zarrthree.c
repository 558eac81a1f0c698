/* Arrays of version 3. See zarrvar.h. */

#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "status.h"
#include "zarrvar.h"

static const char *name_of(const struct pcdf_json_value *codec)
{
    return codec->kind == PCDF_JSON_TEXT ? codec->text : pcdf_json_string(codec, "name", "?");
}

static const struct pcdf_json_value *configuration_of(const struct pcdf_json_value *codec)
{
    return pcdf_json_member(codec, "configuration");
}

static int make_identity(struct pcdf_zarr_var *var)
{
    var->v.order = pcdf_calloc((size_t)var->v.ndims + 1, sizeof *var->v.order);
    if (!var->v.order)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the shape of an array");
    for (int i = 0; i < var->v.ndims; i++)
        var->v.order[i] = i;
    return NC_NOERR;
}

/* Dimension i of what it makes is dimension order[i] of what it gets. */
static int transpose(struct pcdf_zarr_var *var, const struct pcdf_json_value *configuration)
{
    const struct pcdf_json_value *order = pcdf_json_member(configuration, "order");
    int64_t *to = NULL;
    int n = var->v.ndims;
    if (order && order->kind == PCDF_JSON_LIST)
        PCDF_TRY(pcdf_zarr_lengths(var, configuration, "order", 0, &to, &n));
    if (!to && !(order && order->kind == PCDF_JSON_TEXT && strchr("CF", order->text[0])))
        return pcdf_zarr_refuse(var, "it has a transpose without an order");
    int *had = var->v.order, status = NC_NOERR;
    var->v.order = NULL;
    if (!had) {
        status = make_identity(var);
        had = var->v.order;
    }
    if (!status)
        status = make_identity(var);
    bool *seen = pcdf_calloc((size_t)n + 1, sizeof *seen);
    if (!seen)
        pcdf_first(&status, PCDF_FAIL(NC_ENOMEM, "no memory for the shape of an array"));
    for (int i = 0; i < n && !status; i++) {
        int64_t from = to ? to[i] : order->text[0] == 'F' ? n - 1 - i : i;
        bool is_good = from < n && !seen[from];
        if (is_good)
            seen[from] = true;
        else
            pcdf_zarr_refuse(var, "it has a transpose whose order is none");
        var->v.order[i] = had[is_good ? from : i];
    }
    pcdf_free(seen);
    pcdf_free(had);
    pcdf_free(to);
    return status;
}

static void drop_identity(struct pcdf_zarr_var *var)
{
    bool same = true;
    for (int i = 0; var->v.order && i < var->v.ndims; i++)
        same = same && var->v.order[i] == i;
    if (same) {
        pcdf_free(var->v.order);
        var->v.order = NULL;
    }
}

static int read_codecs(struct pcdf_zarr_var *var, const struct pcdf_json_value *list, bool in_shard);

/* The index: 16 bytes for each chunk, little-endian, and perhaps a sum behind them. */
static void read_index(struct pcdf_zarr_var *var, const struct pcdf_json_value *configuration)
{
    const struct pcdf_json_value *list = pcdf_json_member(configuration, "index_codecs"),
                                 *bytes = list ? list->first : NULL, *sum = bytes ? bytes->next : NULL;
    const char *place = pcdf_json_string(configuration, "index_location", "end");
    bool good = bytes && !strcmp(name_of(bytes), "bytes") &&
                !strcmp(pcdf_json_string(configuration_of(bytes), "endian", "little"), "little") &&
                (!sum || (!strcmp(name_of(sum), "crc32c") && !sum->next));
    if (sum && good)
        (void)pcdf_zarr_codec("crc32c", NULL, &var->index_chain);
    var->v.map.index_is_first = !strcmp(place, "start");
    if (!good || (!var->v.map.index_is_first && strcmp(place, "end") != 0))
        pcdf_zarr_refuse(var, "it has shards whose index is not bytes and crc32c at the start or the end");
}

static int read_shards(struct pcdf_zarr_var *var, const struct pcdf_json_value *configuration)
{
    struct pcdf_chunked *v = &var->v;
    int64_t *inner = NULL;
    int n = v->ndims;
    PCDF_TRY(pcdf_zarr_lengths(var, configuration, "chunk_shape", 1, &inner, &n));
    if (!inner)
        return NC_NOERR;
    v->map.shard = v->chunk; /* the outer chunk, until it is divided */
    v->chunk = inner;
    for (int i = 0; i < n; i++) {
        if (v->map.shard[i] % inner[i] != 0)
            pcdf_zarr_refuse(var, "it has shards that are no multiple of their chunks");
        v->map.shard[i] /= inner[i];
    }
    read_index(var, configuration);
    return read_codecs(var, pcdf_json_member(configuration, "codecs"), true);
}

/* Codecs of arrays, then one that makes bytes, then codecs of bytes. */
static int read_codecs(struct pcdf_zarr_var *var, const struct pcdf_json_value *list, bool in_shard)
{
    bool is_bytes = false, fits = true;
    if (!list || list->kind != PCDF_JSON_LIST || !list->first)
        return pcdf_zarr_refuse(var, "it has no codecs");
    for (const struct pcdf_json_value *c = list->first; c && !var->why[0]; c = c->next) {
        const char *name = name_of(c);
        const struct pcdf_json_value *how = configuration_of(c);
        if (c->kind == PCDF_JSON_OBJECT && pcdf_zarr_twice(c))
            pcdf_zarr_refuse(var, "it has a codec with two members of one name");
        else if (is_bytes)
            fits = fits && pcdf_zarr_codec(name, how, &var->chain);
        else if (!strcmp(name, "transpose"))
            PCDF_TRY(transpose(var, how));
        else if (!strcmp(name, "bytes")) {
            const char *endian = pcdf_json_string(how, "endian", "little");
            var->v.is_big = !strcmp(endian, "big");
            is_bytes = true;
            if (!var->v.is_big && strcmp(endian, "little") != 0)
                pcdf_zarr_refuse(var, "its bytes are \"%.20s\"-endian", endian);
        } else if (!strcmp(name, "sharding_indexed") && !in_shard && !c->next && !var->v.order)
            return read_shards(var, how);
        else /* such as packbits: whatever follows, it cannot be undone */
            fits = fits && pcdf_zarr_unknown_codec(name, &var->chain);
    }
    if (!fits)
        pcdf_zarr_refuse(var, "it has more than %d codecs", PCDF_CHAIN_MOST);
    bool is_unknown = var->chain.n > 0 && var->chain.x[0].id == PCDF_CODEC_UNKNOWN;
    if (!is_bytes && !is_unknown)
        pcdf_zarr_refuse(var, "it has no codec that makes bytes");
    return NC_NOERR;
}

static int read_shape(struct pcdf_zarr_var *var, const struct pcdf_json_value *array)
{
    const struct pcdf_json_value *grid = pcdf_json_member(array, "chunk_grid");
    struct pcdf_chunked *v = &var->v;
    v->ndims = -1;
    PCDF_TRY(pcdf_zarr_lengths(var, array, "shape", 0, &v->shape, &v->ndims));
    if (v->ndims < 0)
        v->ndims = 0;
    if (strcmp(pcdf_json_string(grid, "name", "?"), "regular") != 0)
        pcdf_zarr_refuse(var, "its chunks are not regular");
    return var->why[0]
               ? NC_NOERR
               : pcdf_zarr_lengths(var, configuration_of(grid), "chunk_shape", 1, &v->chunk, &v->ndims);
}

static void read_keys(struct pcdf_zarr_var *var, const struct pcdf_json_value *array)
{
    const struct pcdf_json_value *encoding = pcdf_json_member(array, "chunk_key_encoding");
    const char *name = encoding ? name_of(encoding) : "default";
    bool is_v2 = !strcmp(name, "v2");
    const char *separator = pcdf_json_string(configuration_of(encoding), "separator", is_v2 ? "." : "/");
    var->v.map.is_v3 = !is_v2;
    var->v.map.separator = separator[0];
    if ((!is_v2 && strcmp(name, "default") != 0) || strlen(separator) != 1 || !strchr("./", separator[0]))
        pcdf_zarr_refuse(var, "the keys of its chunks are encoded as \"%.20s\"", name);
}

/* Names that nobody here knows may be left out only where they say so. */
static void check_members(struct pcdf_zarr_var *var, const struct pcdf_json_value *array)
{
    static const char *const known[] = { "zarr_format",
                                         "node_type",
                                         "shape",
                                         "data_type",
                                         "chunk_grid",
                                         "fill_value",
                                         "codecs",
                                         "chunk_key_encoding",
                                         "attributes",
                                         "dimension_names",
                                         "storage_transformers",
                                         "consolidated_metadata" };
    const struct pcdf_json_value *transformers = pcdf_json_member(array, "storage_transformers");
    for (const struct pcdf_json_value *v = array->first; v; v = v->next) {
        const struct pcdf_json_value *must = pcdf_json_member(v, "must_understand");
        bool is_known = must && must->kind == PCDF_JSON_BOOL && must->number == 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known = is_known || !strcmp(known[i], v->key);
        if (!is_known && strncmp(v->key, "_nczarr", 7) != 0)
            pcdf_zarr_refuse(var, "its zarr.json has the unknown member \"%.40s\"", v->key);
    }
    if (transformers && transformers->first)
        pcdf_zarr_refuse(var, "it has the storage transformer %.40s", name_of(transformers->first));
}

int pcdf_zarr_var_read3(const struct pcdf_zarr_tree *tree, const struct pcdf_zarr_node *node,
                        struct pcdf_zarr_var *var)
{
    const struct pcdf_json_value *array = node->array, *type = pcdf_json_member(array, "data_type");
    const char *twice = pcdf_zarr_twice(array);
    struct pcdf_zarr_type t = { .size = 1 };
    (void)tree;
    *var = (struct pcdf_zarr_var){ 0 };
    if (twice)
        pcdf_zarr_refuse(var, "its zarr.json has two members \"%.40s\"", twice);
    PCDF_TRY(read_shape(var, array));
    if (!pcdf_zarr_type3(type, &t))
        pcdf_zarr_refuse_type(var, type);
    else if (!pcdf_zarr_fill(pcdf_json_member(array, "fill_value"), &t, var->fill, &var->has_fill))
        pcdf_zarr_refuse(var, "its fill_value is none of its type, or a text");
    check_members(var, array);
    read_keys(var, array);
    var->v.stored = t.stored;
    var->v.size = t.size;
    if (!var->why[0])
        PCDF_TRY(read_codecs(var, pcdf_json_member(array, "codecs"), false));
    drop_identity(var);
    pcdf_zarr_measure(var);
    return NC_NOERR;
}
