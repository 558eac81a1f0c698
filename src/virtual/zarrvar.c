/* Arrays of version 2, and what both versions need. See zarrvar.h. */

#include "zarrvar.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "status.h"

enum { MOST_DIMS = 1000 };
#define LONGEST    (INT64_C(1) << 60)
#define MOST_BYTES (INT64_C(1) << 32) /* of a chunk that is to be decoded */

void pcdf_zarr_var_free(struct pcdf_zarr_var *var)
{
    pcdf_free(var->v.shape);
    pcdf_free(var->v.chunk);
    pcdf_free(var->v.order);
    pcdf_chunkmap_free(&var->v.map);
    var->v.shape = var->v.chunk = NULL;
    var->v.order = NULL;
}

/* The first reason counts. */
int pcdf_zarr_refuse(struct pcdf_zarr_var *var, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!var->why[0])
        vsnprintf(var->why, sizeof var->why, format, list);
    va_end(list);
    return NC_NOERR;
}

void pcdf_zarr_refuse_type(struct pcdf_zarr_var *var, const struct pcdf_json_value *type)
{
    const char *name = type && type->kind == PCDF_JSON_TEXT ? type->text : pcdf_json_string(type, "name", "");
    if (*name)
        pcdf_zarr_refuse(var, "its type \"%.60s\" has no place in the classic model", name);
    else
        pcdf_zarr_refuse(var, "its type has several parts, which have no place in the classic model");
}

const char *pcdf_zarr_twice(const struct pcdf_json_value *object)
{
    for (const struct pcdf_json_value *v = object && object->n <= 200 ? object->first : NULL; v; v = v->next)
        for (const struct pcdf_json_value *w = v->next; w && v->key; w = w->next)
            if (strcmp(v->key, w->key) == 0)
                return v->key;
    return NULL;
}

int pcdf_zarr_lengths(struct pcdf_zarr_var *var, const struct pcdf_json_value *object, const char *key,
                      int64_t least, int64_t **lengths, int *n)
{
    const struct pcdf_json_value *list = pcdf_json_member(object, key);
    if (!list || list->kind != PCDF_JSON_LIST || list->n > MOST_DIMS || (*n >= 0 && list->n != *n))
        return pcdf_zarr_refuse(var, "it has no \"%s\" of a length for each dimension", key);
    int64_t *made = pcdf_calloc((size_t)list->n + 1, sizeof *made);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the shape of an array");
    *n = list->n;
    *lengths = made;
    for (const struct pcdf_json_value *v = list->first; v; v = v->next, made++)
        if (!pcdf_zarr_number(v, PCDF_STORED_INT, 8, (unsigned char *)made) || *made < least ||
            *made > LONGEST) {
            *made = least;
            pcdf_zarr_refuse(var, "it has a \"%s\" that is no length", key);
        }
    return NC_NOERR;
}

void pcdf_zarr_measure(struct pcdf_zarr_var *var)
{
    int64_t bytes = var->v.size, chunks = 1;
    bool is_large = false;
    for (int i = 0; i < var->v.ndims && !var->why[0]; i++) {
        int64_t along = (var->v.shape[i] + var->v.chunk[i] - 1) / var->v.chunk[i];
        is_large = is_large || __builtin_mul_overflow(bytes, var->v.chunk[i], &bytes) ||
                   __builtin_mul_overflow(chunks, along > 0 ? along : 1, &chunks);
    }
    if (is_large || (var->chain.n > 0 && bytes > MOST_BYTES))
        pcdf_zarr_refuse(var, "its chunks are too large, or too many");
}

/* ---- version 2 */

static void read_codecs2(struct pcdf_zarr_var *var, const struct pcdf_json_value *array)
{
    const struct pcdf_json_value *filters = pcdf_json_member(array, "filters"),
                                 *compressor = pcdf_json_member(array, "compressor");
    bool fits = true;
    for (const struct pcdf_json_value *f = filters ? filters->first : NULL; f; f = f->next)
        fits = fits && pcdf_zarr_codec(pcdf_json_string(f, "id", "?"), f, &var->chain);
    if (compressor && compressor->kind != PCDF_JSON_NULL)
        fits = fits && pcdf_zarr_codec(pcdf_json_string(compressor, "id", "?"), compressor, &var->chain);
    if (!fits)
        pcdf_zarr_refuse(var, "it has more than %d codecs", PCDF_CHAIN_MOST);
}

static int read_shape2(struct pcdf_zarr_var *var, const struct pcdf_json_value *array)
{
    struct pcdf_chunked *v = &var->v;
    const char *order = pcdf_json_string(array, "order", "C");
    v->ndims = -1;
    PCDF_TRY(pcdf_zarr_lengths(var, array, "shape", 0, &v->shape, &v->ndims));
    if (v->ndims < 0)
        v->ndims = 0;
    if (!var->why[0])
        PCDF_TRY(pcdf_zarr_lengths(var, array, "chunks", 1, &v->chunk, &v->ndims));
    if (strcmp(order, "C") != 0 && strcmp(order, "F") != 0)
        return pcdf_zarr_refuse(var, "it has the order \"%.20s\"", order);
    if (order[0] == 'C' || v->ndims < 2 || var->why[0])
        return NC_NOERR;
    v->order = pcdf_calloc((size_t)v->ndims, sizeof *v->order);
    if (!v->order)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the shape of an array");
    for (int i = 0; i < v->ndims; i++)
        v->order[i] = v->ndims - 1 - i;
    return NC_NOERR;
}

int pcdf_zarr_var_read2(const struct pcdf_zarr_tree *tree, const struct pcdf_zarr_node *node,
                        struct pcdf_zarr_var *var)
{
    const struct pcdf_json_value *array = node->array, *type = pcdf_json_member(array, "dtype");
    const char *separator = pcdf_json_string(array, "dimension_separator", "."),
               *twice = pcdf_zarr_twice(array);
    struct pcdf_zarr_type t = { .size = 1 };
    *var = (struct pcdf_zarr_var){ 0 };
    PCDF_TRY(read_shape2(var, array));
    if (pcdf_json_number(array, "zarr_format", 0) != 2)
        pcdf_zarr_refuse(var, "its .zarray is not of version 2");
    if (twice)
        pcdf_zarr_refuse(var, "its .zarray has two members \"%.40s\"", twice);
    if (!type || type->kind != PCDF_JSON_TEXT || !pcdf_zarr_type2(type->text, tree->is_nczarr, &t))
        pcdf_zarr_refuse_type(var, type);
    else if (!pcdf_zarr_fill(pcdf_json_member(array, "fill_value"), &t, var->fill, &var->has_fill))
        pcdf_zarr_refuse(var, "its fill_value is none of its type, or a text");
    if (strlen(separator) != 1 || !strchr("./", separator[0]))
        pcdf_zarr_refuse(var, "it has the separator \"%.20s\"", separator);
    read_codecs2(var, array);
    var->v.stored = t.stored;
    var->v.size = t.size;
    var->v.is_big = t.is_big;
    var->v.map.separator = separator[0];
    pcdf_zarr_measure(var);
    return NC_NOERR;
}
