/* The metadata of a store: .zgroup, .zarray, .zattrs and .zmetadata of version 2, zarr.json of version 3,
 * both with everything once more in one object, as xarray wants it. See zarrout.h. */
#include "zarrout.h"
#include "alloc.h"
#include "base64.h"
#include "bytes.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"
#include "tooljson.h"
#include "refstext.h"
#include "meaningtypes.h"
#include "meaningvalues.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define SCALAR       "_scalar_"
#define CONSOLIDATED ".zmetadata"

static bool is_nc(const struct pcdf_zarrout *out)
{
    return out->kind == PCDF_ZARROUT_NC;
}

bool pcdf_zarrmeta_has_fill(const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    return out->kind == PCDF_ZARROUT_3 || out->header_only || pcdf_atts_find(&var->atts, "_FillValue") >= 0;
}

/* ---- values */

/* As libnetcdf 4.9 reads it: all bytes but a few stand for themselves. */
static void put_raw(FILE *to, const char *text, size_t n)
{
    static const char special[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";

    fputc('"', to);
    for (size_t i = 0; i < n && text[i]; i++) {
        const char *at = strchr(special, text[i]);
        if (at)
            fprintf(to, "\\%c", letters[at - special]);
        else
            fputc(text[i], to);
    }
    fputc('"', to);
}

/* NULs at the end are no text. */
static void put_text(struct pcdf_json *json, const struct pcdf_zarrout *out, const void *text, int64_t n)
{
    const char *chars = n > 0 ? text : "";
    while (n > 0 && chars[n - 1] == '\0')
        n--;
    if (is_nc(out) && !json->is_ascii) {
        pcdf_json_here(json);
        put_raw(json->to, chars, (size_t)n);
    } else {
        pcdf_json_bytes(json, chars, (size_t)n);
    }
}

static void put_base64(struct pcdf_json *json, const unsigned char *bytes, int n)
{
    char text[16]; /* of up to 8 bytes */
    pcdf_base64_encode(bytes, (size_t)n, text);
    pcdf_json_text(json, text);
}

/* One value of a variable: what stands where nothing was written. */
static void put_fill(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    unsigned char fill[8];
    bool bare = json->bare_nan;

    pcdf_meaning_fill(var, fill);
    pcdf_json_key(json, "fill_value");
    json->bare_nan = false; /* the word in quotes is what the specification has */
    if (!pcdf_zarrmeta_has_fill(out, var))
        pcdf_json_null(json);
    else if (var->type == NC_CHAR && is_nc(out))
        put_text(json, out, fill, 1);
    else if (var->type == NC_CHAR)
        put_base64(json, fill, 1);
    else
        pcdf_json_value(json, var->type, fill);
    json->bare_nan = bare;
}

/* In version 3 xarray has the attribute _FillValue of real variables, which are doubles to it, and of texts
 * as base64 of the little-endian bytes. */
static void put_fill_att(struct pcdf_json *json, const struct pcdf_var *var)
{
    unsigned char fill[8];
    pcdf_meaning_fill(var, fill);
    if (var->type == NC_CHAR) {
        put_base64(json, fill, 1);
    } else if (pcdf_value_is_real(var->type)) {
        double number = pcdf_value_load_real(var->type, fill);
        unsigned char bytes[8];
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        pcdf_bytes_put_little(bytes, bits, 8);
        put_base64(json, bytes, 8);
    } else {
        pcdf_json_value(json, var->type, fill);
    }
}

/* ---- attributes */

/* What is said in another way is no attribute; of two of one name the store has ours. */
static bool is_hidden(const struct pcdf_zarrout *out, const struct pcdf_var *var, const struct pcdf_att *att)
{
    if (strcmp(att->name, PCDF_REFS_TYPES) == 0)
        return true;
    if (out->kind == PCDF_ZARROUT_3)
        return false;
    return (var && strcmp(att->name, "_ARRAY_DIMENSIONS") == 0) ||
           (var && !is_nc(out) && var->type != NC_CHAR && strcmp(att->name, "_FillValue") == 0);
}

/* A float as the double that it is: readers of plain Zarr calculate with that. */
static void put_number(struct pcdf_json *json, const struct pcdf_zarrout *out, nc_type type,
                       const unsigned char *bytes)
{
    if (type == NC_FLOAT && !is_nc(out))
        pcdf_json_real(json, pcdf_value_load_real(type, bytes));
    else
        pcdf_json_value(json, type, bytes);
}

static void put_att(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var,
                    const struct pcdf_att *att)
{
    int size = pcdf_type_size(att->type);

    pcdf_json_key(json, att->name);
    if (var && out->kind == PCDF_ZARROUT_3 && strcmp(att->name, "_FillValue") == 0) {
        put_fill_att(json, var);
        return;
    }
    if (att->type == NC_CHAR) {
        put_text(json, out, att->values, att->nelems);
        return;
    }
    if (att->nelems != 1)
        pcdf_json_open(json, '[', true);
    for (int64_t i = 0; i < att->nelems; i++)
        put_number(json, out, att->type, att->values + i * size);
    if (att->nelems != 1)
        pcdf_json_close(json, ']');
}

static const char *dtype_of(const struct pcdf_zarrout *out, nc_type type)
{
    static const char *const names[PCDF_TYPE_ROWS] = {
        [NC_BYTE] = "|i1",  [NC_CHAR] = "|S1",   [NC_SHORT] = "<i2", [NC_INT] = "<i4",
        [NC_FLOAT] = "<f4", [NC_DOUBLE] = "<f8", [NC_UBYTE] = "|u1", [NC_USHORT] = "<u2",
        [NC_UINT] = "<u4",  [NC_INT64] = "<i8",  [NC_UINT64] = "<u8"
    };
    static const char *const nc_names[PCDF_TYPE_ROWS] = { [NC_BYTE] = "<i1",
                                                          [NC_CHAR] = "<U1", /* of one byte */
                                                          [NC_UBYTE] = "<u1" };
    return is_nc(out) && nc_names[type] ? nc_names[type] : names[type];
}

static void put_dim_names(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < var->ndims; i++)
        pcdf_json_text(json, out->meta->dims[var->dimids[i]].name);
    if (var->ndims == 0 && is_nc(out)) /* netCDF-C 4.9 cannot read its own scalars */
        pcdf_json_text(json, SCALAR);
    pcdf_json_close(json, ']');
}

static bool is_typed(const struct pcdf_zarrout *out, const struct pcdf_var *var, const struct pcdf_att *att)
{
    return !is_hidden(out, var, att) && (is_nc(out) || pcdf_meaning_is_type_lost(att, var));
}

static bool has_typed(const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    const struct pcdf_atts *atts = var ? &var->atts : &out->meta->gatts;
    bool has = is_nc(out);

    for (int i = 0; i < atts->n; i++)
        has |= is_typed(out, var, &atts->x[i]);
    return has;
}

static void put_types_of(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    const struct pcdf_atts *atts = var ? &var->atts : &out->meta->gatts;

    pcdf_json_key(json, "types");
    pcdf_json_open(json, '{', true);
    for (int i = 0; i < atts->n; i++)
        if (is_typed(out, var, &atts->x[i])) {
            pcdf_json_key(json, atts->x[i].name);
            pcdf_json_text(json, dtype_of(out, atts->x[i].type));
        }
    pcdf_json_close(json, '}');
}

static void put_types_of_variables(struct pcdf_json *json, const struct pcdf_zarrout *out)
{
    pcdf_json_key(json, "variables");
    pcdf_json_open(json, '{', true);
    for (int i = 0; i < out->meta->nvars; i++)
        if (has_typed(out, &out->meta->vars[i])) {
            pcdf_json_key(json, out->meta->vars[i].name);
            pcdf_json_open(json, '{', true);
            put_types_of(json, out, &out->meta->vars[i]);
            pcdf_json_close(json, '}');
        }
    pcdf_json_close(json, '}');
}

/* Types of attributes, as NCZarr of version 2 has them: there of all, in plain stores of those that JSON does
 * not tell. xarray hides them; in version 3 those of the group only, which therefore has all. */
static void put_types(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    bool is_3 = out->kind == PCDF_ZARROUT_3, has_any = has_typed(out, var);

    for (int i = 0; is_3 && !var && i < out->meta->nvars; i++)
        has_any |= has_typed(out, &out->meta->vars[i]);
    if (!has_any || (is_3 && var))
        return;
    pcdf_json_key(json, PCDF_REFS_TYPES);
    pcdf_json_open(json, '{', true);
    put_types_of(json, out, var);
    if (is_3)
        put_types_of_variables(json, out);
    pcdf_json_close(json, '}');
}

/* var NULL: of the file. */
static void put_atts(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    const struct pcdf_atts *atts = var ? &var->atts : &out->meta->gatts;

    pcdf_json_open(json, '{', false);
    for (int i = 0; i < atts->n; i++)
        if (!is_hidden(out, var, &atts->x[i]))
            put_att(json, out, var, &atts->x[i]);
    if (var && out->kind != PCDF_ZARROUT_3) {
        pcdf_json_key(json, "_ARRAY_DIMENSIONS");
        put_dim_names(json, out, var);
    }
    put_types(json, out, var);
    pcdf_json_close(json, '}');
}

/* ---- version 2 */

static void put_integer(struct pcdf_json *json, const char *key, int64_t number)
{
    pcdf_json_key(json, key);
    pcdf_json_integer(json, number);
}

static void put_word(struct pcdf_json *json, const char *key, const char *word)
{
    pcdf_json_key(json, key);
    pcdf_json_text(json, word);
}

static void put_lengths(struct pcdf_json *json, const char *key, const int64_t *lengths, int n)
{
    pcdf_json_key(json, key);
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < n; i++)
        pcdf_json_integer(json, lengths[i]);
    pcdf_json_close(json, ']');
}

/* A scalar of NCZarr has a dimension. */
static void put_shape(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var,
                      const char *key, const int64_t *lengths)
{
    static const int64_t one = 1;
    bool stands = var->ndims == 0 && is_nc(out);
    put_lengths(json, key, stands ? &one : lengths, stands ? 1 : var->ndims);
}

static void put_codec2(struct pcdf_json *json, const char *id, const char *key, int value)
{
    pcdf_json_open(json, '{', true);
    put_word(json, "id", id);
    put_integer(json, key, value);
    pcdf_json_close(json, '}');
}

static void put_codecs2(struct pcdf_json *json, const struct pcdf_zarrout *out, int size)
{
    const struct pcdf_zarrout_codecs *c = &out->codecs;

    pcdf_json_key(json, "compressor");
    if (c->deflate)
        put_codec2(json, "zlib", "level", c->deflate);
    else if (c->zstd)
        put_codec2(json, "zstd", "level", c->zstd);
    else
        pcdf_json_null(json);
    pcdf_json_key(json, "filters");
    if (c->shuffle && size > 1) {
        pcdf_json_open(json, '[', true);
        put_codec2(json, "shuffle", "elementsize", size);
        pcdf_json_close(json, ']');
    } else {
        pcdf_json_null(json);
    }
}

static void put_nc_array(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    pcdf_json_key(json, "_NCZARR_ARRAY");
    pcdf_json_open(json, '{', true);
    pcdf_json_key(json, "dimrefs");
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < (var->ndims ? var->ndims : 1); i++) {
        char ref[NC_MAX_NAME + 2];
        const char *name = var->ndims ? out->meta->dims[var->dimids[i]].name : SCALAR;
        snprintf(ref, sizeof ref, "/%s", name);
        pcdf_json_text(json, ref);
    }
    pcdf_json_close(json, ']');
    put_word(json, "storage", "chunked");
    pcdf_json_close(json, '}');
}

static void put_array2(struct pcdf_json *json, const struct pcdf_zarrout *out, int varid,
                       const int64_t *shape)
{
    const struct pcdf_var *var = &out->meta->vars[varid];

    pcdf_json_open(json, '{', false);
    put_shape(json, out, var, "chunks", out->chunks[varid]);
    put_word(json, "dtype", dtype_of(out, var->type));
    put_fill(json, out, var);
    put_codecs2(json, out, pcdf_type_size(var->type));
    put_word(json, "order", "C");
    put_shape(json, out, var, "shape", shape);
    put_integer(json, "zarr_format", 2);
    if (is_nc(out))
        put_nc_array(json, out, var);
    pcdf_json_close(json, '}');
}

static void put_nc_group(struct pcdf_json *json, const struct pcdf_meta *meta)
{
    bool needs_scalar = false;

    pcdf_json_key(json, "_NCZARR_SUPERBLOCK");
    pcdf_json_open(json, '{', true);
    put_word(json, "version", "2.0.0");
    pcdf_json_close(json, '}');
    pcdf_json_key(json, "_NCZARR_GROUP");
    pcdf_json_open(json, '{', false);
    pcdf_json_key(json, "dims");
    pcdf_json_open(json, '{', true);
    for (int i = 0; i < meta->ndims; i++)
        put_integer(json, meta->dims[i].name, pcdf_tool_dim_length(meta, i));
    for (int i = 0; i < meta->nvars; i++)
        needs_scalar |= meta->vars[i].ndims == 0;
    if (needs_scalar && pcdf_meta_find_dim(meta, SCALAR) < 0)
        put_integer(json, SCALAR, 1);
    pcdf_json_close(json, '}');
    pcdf_json_key(json, "vars");
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < meta->nvars; i++)
        pcdf_json_text(json, meta->vars[i].name);
    pcdf_json_close(json, ']');
    pcdf_json_key(json, "groups");
    pcdf_json_open(json, '[', true);
    pcdf_json_close(json, ']');
    pcdf_json_close(json, '}');
}

static void put_group2(struct pcdf_json *json, const struct pcdf_zarrout *out)
{
    pcdf_json_open(json, '{', false);
    put_integer(json, "zarr_format", 2);
    if (is_nc(out))
        put_nc_group(json, out->meta);
    pcdf_json_close(json, '}');
}

/* ---- version 3 */

static void open_named(struct pcdf_json *json, const char *name)
{
    pcdf_json_open(json, '{', true);
    put_word(json, "name", name);
    pcdf_json_key(json, "configuration");
    pcdf_json_open(json, '{', true);
}

static void close_named(struct pcdf_json *json)
{
    pcdf_json_close(json, '}');
    pcdf_json_close(json, '}');
}

static void put_bytes_codec(struct pcdf_json *json, int size)
{
    if (size > 1) {
        open_named(json, "bytes");
        put_word(json, "endian", "little");
        close_named(json);
        return;
    }
    pcdf_json_open(json, '{', true);
    put_word(json, "name", "bytes");
    pcdf_json_close(json, '}');
}

static void put_codecs3(struct pcdf_json *json, const struct pcdf_zarrout *out, int size)
{
    pcdf_json_key(json, "codecs");
    pcdf_json_open(json, '[', true);
    put_bytes_codec(json, size);
    if (out->codecs.deflate) {
        open_named(json, "gzip");
        put_integer(json, "level", out->codecs.deflate);
        close_named(json);
    } else if (out->codecs.zstd) {
        open_named(json, "zstd");
        put_integer(json, "level", out->codecs.zstd);
        pcdf_json_key(json, "checksum");
        pcdf_json_bool(json, false);
        close_named(json);
    }
    pcdf_json_close(json, ']');
}

static void put_shards(struct pcdf_json *json, const struct pcdf_zarrout *out, const struct pcdf_var *var,
                       const int64_t *chunk)
{
    pcdf_json_key(json, "codecs");
    pcdf_json_open(json, '[', true);
    open_named(json, "sharding_indexed");
    put_lengths(json, "chunk_shape", chunk, var->ndims);
    put_codecs3(json, out, pcdf_type_size(var->type));
    pcdf_json_key(json, "index_codecs");
    pcdf_json_open(json, '[', true);
    put_bytes_codec(json, 8);
    pcdf_json_open(json, '{', true);
    put_word(json, "name", "crc32c");
    pcdf_json_close(json, '}');
    pcdf_json_close(json, ']');
    put_word(json, "index_location", "end");
    close_named(json);
    pcdf_json_close(json, ']');
}

static void put_type3(struct pcdf_json *json, nc_type type)
{
    static const char *const names[PCDF_TYPE_ROWS] = {
        [NC_BYTE] = "int8",   [NC_SHORT] = "int16",   [NC_INT] = "int32",      [NC_FLOAT] = "float32",
        [NC_UBYTE] = "uint8", [NC_USHORT] = "uint16", [NC_DOUBLE] = "float64", [NC_UINT] = "uint32",
        [NC_INT64] = "int64", [NC_UINT64] = "uint64"
    };
    pcdf_json_key(json, "data_type");
    if (type != NC_CHAR) {
        pcdf_json_text(json, names[type]);
        return;
    }
    open_named(json, "null_terminated_bytes");
    put_integer(json, "length_bytes", 1);
    close_named(json);
}

static void put_array3(struct pcdf_json *json, const struct pcdf_zarrout *out, int varid,
                       const int64_t *shape)
{
    const struct pcdf_var *var = &out->meta->vars[varid];
    const int64_t *chunk = out->chunks[varid], *shard = out->shards ? out->shards[varid] : NULL;

    pcdf_json_open(json, '{', false);
    put_integer(json, "zarr_format", 3);
    put_word(json, "node_type", "array");
    put_lengths(json, "shape", shape, var->ndims);
    put_type3(json, var->type);
    pcdf_json_key(json, "chunk_grid");
    open_named(json, "regular");
    put_lengths(json, "chunk_shape", shard ? shard : chunk, var->ndims);
    close_named(json);
    pcdf_json_key(json, "chunk_key_encoding");
    open_named(json, "default");
    put_word(json, "separator", "/");
    close_named(json);
    put_fill(json, out, var);
    if (shard)
        put_shards(json, out, var, chunk);
    else
        put_codecs3(json, out, pcdf_type_size(var->type));
    pcdf_json_key(json, "attributes");
    put_atts(json, out, var);
    pcdf_json_key(json, "dimension_names");
    put_dim_names(json, out, var);
    pcdf_json_close(json, '}');
}

/* ---- objects */

struct writing {
    const struct pcdf_zarrout *out;
    const char *name; /* of the folder */
    char *path;       /* of one object */
    size_t room;
    int64_t *shape;
    FILE *file;
    struct pcdf_json json;
};

static const int64_t *shape_of(struct writing *w, int varid)
{
    pcdf_var_shape(w->out->meta, &w->out->meta->vars[varid], w->shape);
    return w->shape;
}

/* NaN: as Python's json and libnetcdf write and read it. zarr-python 2 reads ASCII alone; libnetcdf knows no
 * escapes of more, and does not read .zmetadata. */
static void set_words(const struct writing *w, struct pcdf_json *json, bool is_for_all)
{
    json->bare_nan = w->out->kind != PCDF_ZARROUT_3;
    json->is_ascii = is_for_all || !is_nc(w->out);
}

static bool begin_object(struct writing *w, int varid, const char *key)
{
    const char *var = varid >= 0 ? w->out->meta->vars[varid].name : "";
    snprintf(w->path, w->room, "%s/%s%s%s", w->name, var, *var ? "/" : "", key);
    w->file = fopen(w->path, "wxe");
    if (!w->file)
        return false;
    pcdf_json_begin(&w->json, w->file);
    set_words(w, &w->json, strcmp(key, CONSOLIDATED) == 0);
    return true;
}

static bool end_object(struct writing *w)
{
    pcdf_json_end(&w->json);
    bool good = fflush(w->file) == 0 && !ferror(w->file);
    return fclose(w->file) == 0 && good;
}

static bool write_var2(struct writing *w, int varid)
{
    if (!begin_object(w, varid, ".zarray"))
        return false;
    put_array2(&w->json, w->out, varid, shape_of(w, varid));
    if (!end_object(w) || !begin_object(w, varid, ".zattrs"))
        return false;
    put_atts(&w->json, w->out, &w->out->meta->vars[varid]);
    return end_object(w);
}

static void put_key(struct writing *w, int varid, const char *key)
{
    snprintf(w->path, w->room, "%s/%s", w->out->meta->vars[varid].name, key);
    pcdf_json_key(&w->json, w->path);
}

static bool write_consolidated2(struct writing *w)
{
    if (!begin_object(w, -1, CONSOLIDATED))
        return false;
    pcdf_json_open(&w->json, '{', false);
    pcdf_json_key(&w->json, "metadata");
    pcdf_json_open(&w->json, '{', false);
    pcdf_json_key(&w->json, ".zattrs");
    put_atts(&w->json, w->out, NULL);
    pcdf_json_key(&w->json, ".zgroup");
    put_group2(&w->json, w->out);
    for (int i = 0; i < w->out->meta->nvars; i++) {
        put_key(w, i, ".zarray");
        put_array2(&w->json, w->out, i, shape_of(w, i));
        put_key(w, i, ".zattrs");
        put_atts(&w->json, w->out, &w->out->meta->vars[i]);
    }
    pcdf_json_close(&w->json, '}');
    put_integer(&w->json, "zarr_consolidated_format", 1);
    pcdf_json_close(&w->json, '}');
    return end_object(w);
}

static bool write2(struct writing *w)
{
    bool good = true;
    for (int i = 0; i < w->out->meta->nvars && good; i++)
        good = write_var2(w, i);
    if (!good || !begin_object(w, -1, ".zattrs"))
        return false;
    put_atts(&w->json, w->out, NULL);
    if (!end_object(w) || !begin_object(w, -1, ".zgroup"))
        return false;
    put_group2(&w->json, w->out);
    return end_object(w) && write_consolidated2(w);
}

static bool write_group3(struct writing *w)
{
    if (!begin_object(w, -1, "zarr.json"))
        return false;
    pcdf_json_open(&w->json, '{', false);
    put_integer(&w->json, "zarr_format", 3);
    put_word(&w->json, "node_type", "group");
    pcdf_json_key(&w->json, "attributes");
    put_atts(&w->json, w->out, NULL);
    pcdf_json_key(&w->json, "consolidated_metadata");
    pcdf_json_open(&w->json, '{', false);
    put_word(&w->json, "kind", "inline");
    pcdf_json_key(&w->json, "must_understand");
    pcdf_json_bool(&w->json, false);
    pcdf_json_key(&w->json, "metadata");
    pcdf_json_open(&w->json, '{', false);
    for (int i = 0; i < w->out->meta->nvars; i++) {
        pcdf_json_key(&w->json, w->out->meta->vars[i].name);
        put_array3(&w->json, w->out, i, shape_of(w, i));
    }
    pcdf_json_close(&w->json, '}');
    pcdf_json_close(&w->json, '}');
    pcdf_json_close(&w->json, '}');
    return end_object(w);
}

static bool write3(struct writing *w)
{
    for (int i = 0; i < w->out->meta->nvars; i++) {
        if (!begin_object(w, i, "zarr.json"))
            return false;
        put_array3(&w->json, w->out, i, shape_of(w, i));
        if (!end_object(w))
            return false;
    }
    return write_group3(w);
}

int pcdf_zarrmeta_write(const struct pcdf_zarrout *out, const char *name)
{
    struct writing w = { .out = out, .name = name, .room = strlen(name) + 2 * NC_MAX_NAME };
    w.path = pcdf_malloc(w.room);
    w.shape = pcdf_calloc((size_t)pcdf_tool_most_dims(out->meta) + 1, sizeof *w.shape);
    int status = PCDF_TOOL_GOOD;

    if (!w.path || !w.shape)
        status = pcdf_tool_unusable(out->to, "%s", pcdf_fail_text());
    else if (!(out->kind == PCDF_ZARROUT_3 ? write3(&w) : write2(&w)))
        status = pcdf_tool_unusable(out->to, "its metadata: %s", strerror(errno));
    pcdf_free(w.path);
    pcdf_free(w.shape);
    return status;
}
