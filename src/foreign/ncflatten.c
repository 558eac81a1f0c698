/* The groups, dimensions and types of netCDF-4 as classic definitions: what is in the group g and named x
 * becomes g_x; one unlimited dimension stays the record dimension; strings become characters with one more
 * dimension. */
#include "ncsource.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <inttypes.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

enum { STRINGS = 4096 /* read at a time */ };

void pcdf_nc_free_strings(char **strings, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        free(strings[i]);
}

/* ---- attributes */

static bool is_atomic(nc_type type)
{
    return type >= NC_BYTE && type <= NC_STRING;
}

static const char *class_of(int group, nc_type type)
{
    int class = 0;
    nc_inq_user_type(group, type, NULL, NULL, NULL, NULL, &class);
    return class == NC_COMPOUND ? "a compound type"
           : class == NC_ENUM   ? "an enumeration"
           : class == NC_VLEN   ? "a type of variable length"
           : class == NC_OPAQUE ? "an opaque type"
                                : "an unknown type";
}

/* Strings as one text, a newline between two. */
static int put_strings(struct pcdf_nc *nc, int varid, const char *name, char **strings, int64_t n)
{
    size_t length = 0, at = 0;
    for (int64_t i = 0; i < n; i++)
        length += (strings[i] ? strlen(strings[i]) : 0) + (i > 0);
    char *text = pcdf_malloc(length + 1);
    if (!text)
        return pcdf_nc_no_memory(nc);
    for (int64_t i = 0; i < n; i++) {
        size_t one = strings[i] ? strlen(strings[i]) : 0;
        if (i > 0)
            text[at++] = '\n';
        memcpy(text + at, strings[i] ? strings[i] : "", one);
        at += one;
    }
    int err = pcdf_atts_put(nc->meta, pcdf_meta_atts(nc->meta, varid), name, NC_CHAR, (int64_t)length, text);
    pcdf_free(text);
    return err ? pcdf_nc_no_memory(nc) : PCDF_TOOL_GOOD;
}

/* An attribute lies in its file as it is: one that is longer than the file is a lie. */
static bool is_too_long(const struct pcdf_nc *nc, size_t length, size_t size)
{
    size_t bytes, limit = nc->file_size >= 0 ? (size_t)nc->file_size : (size_t)1 << 30;
    return __builtin_mul_overflow(length, size, &bytes) || bytes > limit;
}

static int put_att(struct pcdf_nc *nc, int group, int ncvar, int varid, const char *name, const char *as)
{
    nc_type type;
    size_t length, size;
    int err = nc_inq_att(group, ncvar, name, &type, &length);
    bool is_string = type == NC_STRING;

    size = err ? 0 : is_string ? sizeof(char *) : (size_t)pcdf_type_size(type);
    if (!err && is_too_long(nc, length, size))
        err = NC_EATTMETA;
    if (err)
        return pcdf_nc_failed(nc->path, err, "attribute %s", as);
    void *values = pcdf_calloc(length + 1, size);
    if (!values)
        return pcdf_nc_no_memory(nc);
    err = nc_get_att(group, ncvar, name, values);
    int status = PCDF_TOOL_GOOD;
    if (err) {
        status = pcdf_nc_failed(nc->path, err, "attribute %s", as);
    } else if (is_string) {
        status = put_strings(nc, varid, as, values, (int64_t)length);
        pcdf_nc_free_strings(values, (int64_t)length);
    } else {
        pcdf_values_swap(values, (int64_t)length, (int)size);
        if (pcdf_atts_put(nc->meta, pcdf_meta_atts(nc->meta, varid), as, type, (int64_t)length, values))
            status = pcdf_nc_no_memory(nc);
    }
    pcdf_free(values);
    return status;
}

/* A fill value of strings would be one of characters, which has one byte. */
static bool is_left_out(int group, int ncvar, const char *name, nc_type type)
{
    nc_type of;
    return ncvar != NC_GLOBAL && type == NC_STRING && strcmp(name, "_FillValue") == 0 &&
           nc_inq_vartype(group, ncvar, &of) == NC_NOERR && of == NC_STRING;
}

/* The attributes of a variable or group; prefix: of the names of a group's. */
static int add_atts(struct pcdf_nc *nc, int group, int ncvar, int varid, const char *prefix)
{
    char name[PCDF_NC_NAME], as[PCDF_NC_NAME];
    int n = 0, status = PCDF_TOOL_GOOD;
    nc_type type;
    int err = nc_inq_varnatts(group, ncvar, &n);

    for (int i = 0; i < n && !err && !status; i++) {
        err = nc_inq_attname(group, ncvar, i, name);
        err = err ? err : nc_inq_atttype(group, ncvar, name, &type);
        if (err || is_left_out(group, ncvar, name, type))
            continue;
        status = pcdf_nc_join(nc, prefix, name, as);
        if (!status && pcdf_atts_find(pcdf_meta_atts(nc->meta, varid), as) >= 0) {
            status = pcdf_tool_unusable(nc->path,
                                        "two attributes would have the name %s once groups are no more", as);
        } else if (!status && !is_atomic(type)) {
            pcdf_tool_say(
                nc->path, "attribute %s has %s, which classic files do not know%s", as, class_of(group, type),
                nc->options->copy.skip_unsupported ? ": left out" : " (--skip-unsupported leaves it out)");
            status = nc->options->copy.skip_unsupported ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
        } else if (!status) {
            status = put_att(nc, group, ncvar, varid, name, as);
        }
    }
    return err ? pcdf_nc_failed(nc->path, err, "an attribute") : status;
}

static int add_group_atts(struct pcdf_nc *nc, int group, const char *prefix)
{
    return add_atts(nc, group, NC_GLOBAL, NC_GLOBAL, prefix);
}

/* ---- variables */

/* Bytes of the longest string: all are read once. */
static int measure_strings(struct pcdf_nc *nc, int group, int ncvar, int ndims, const int *dimids,
                           const char *name, int64_t *width)
{
    size_t start[NC_MAX_VAR_DIMS] = { 0 }, count[NC_MAX_VAR_DIMS], shape[NC_MAX_VAR_DIMS], n = 1;
    char **strings = pcdf_calloc(STRINGS, sizeof *strings);
    int err = NC_NOERR, d = ndims;

    if (!strings)
        return pcdf_nc_no_memory(nc);
    *width = 1;
    for (int i = ndims - 1; i >= 0; i--) { /* boxes of at most STRINGS */
        shape[i] = (size_t)nc->dims[dimids[i]].length;
        count[i] = shape[i] < STRINGS / n ? shape[i] : STRINGS / n;
        n *= count[i] ? count[i] : 1;
        d = shape[i] == 0 ? -1 : d;
    }
    while (d >= 0 && !err) {
        size_t box[NC_MAX_VAR_DIMS], total = 1;
        for (int i = 0; i < ndims; i++) {
            box[i] = shape[i] - start[i] < count[i] ? shape[i] - start[i] : count[i];
            total *= box[i];
        }
        err = nc_get_vara(group, ncvar, start, box, strings);
        for (size_t i = 0; i < total && !err; i++) {
            int64_t length = strings[i] ? (int64_t)strlen(strings[i]) : 0;
            *width = length > *width ? length : *width;
        }
        pcdf_nc_free_strings(strings, err ? 0 : (int64_t)total);
        for (d = ndims - 1; d >= 0; d--) {
            start[d] += count[d];
            if (start[d] < shape[d])
                break;
            start[d] = 0;
        }
    }
    pcdf_free(strings);
    return err ? pcdf_nc_failed(nc->path, err, "the strings of %s", name) : PCDF_TOOL_GOOD;
}

/* The dimension along the characters of strings: "NAME_strlen". */
static int add_width(struct pcdf_nc *nc, const char *name, int64_t width, int *dimid)
{
    char joined[PCDF_NC_NAME];
    int status = pcdf_nc_join(nc, name, "strlen", joined);
    if (!status && pcdf_meta_find_dim(nc->meta, joined) >= 0)
        status = pcdf_tool_unusable(
            nc->path, "the strings of %s need a dimension %s, but there is one of that name", name, joined);
    if (!status && pcdf_meta_add_dim(nc->meta, joined, width, dimid))
        status = pcdf_nc_no_memory(nc);
    return status;
}

/* How its file stores it. */
static int note_chunks(struct pcdf_nc *nc, struct pcdf_nc_var *var, int ndims, int64_t size)
{
    size_t chunk[NC_MAX_VAR_DIMS];
    int storage = NC_CONTIGUOUS;

    if (ndims == 0 || nc_inq_var_chunking(var->group, var->varid, &storage, chunk) || storage != NC_CHUNKED)
        return PCDF_TOOL_GOOD;
    var->chunk = pcdf_calloc((size_t)ndims + 1, sizeof *var->chunk);
    if (!var->chunk)
        return pcdf_nc_no_memory(nc);
    var->cache = size;
    for (int i = 0; i < ndims; i++) {
        var->chunk[i] = chunk[i] > 0 && chunk[i] <= INT64_MAX ? (int64_t)chunk[i] : 1;
        if (__builtin_mul_overflow(var->cache, var->chunk[i], &var->cache))
            var->cache = INT64_MAX;
    }
    if (var->width > 0)
        var->chunk[ndims] = var->width;
    return PCDF_TOOL_GOOD;
}

/* Whether libnetcdf's type is the array's own: it took it from the same text with another parser. */
static bool is_of(const struct pcdf_zarr_array *array, nc_type type)
{
    char kind = type == NC_BYTE || type == NC_SHORT || type == NC_INT || type == NC_INT64       ? 'i'
                : type == NC_UBYTE || type == NC_USHORT || type == NC_UINT || type == NC_UINT64 ? 'u'
                : type == NC_FLOAT || type == NC_DOUBLE                                         ? 'f'
                                                                                                : 'S';
    if (strchr("US", array->kind))
        return kind == 'S' && array->size == 1; /* NC_STRING, too: its texts are libnetcdf's */
    return kind == array->kind && pcdf_type_size(type) == array->size;
}

/* The array of a store, whose numbers are not read by libnetcdf; text is. */
static int note_array(struct pcdf_nc *nc, struct pcdf_nc_var *var, nc_type type, int ndims, const int *dimids)
{
    char folder[PCDF_NC_NAME * 8], name[PCDF_NC_NAME];
    size_t n = 0;
    int err = nc_inq_grpname_full(var->group, &n, NULL);
    if (!err && n + PCDF_NC_NAME + 2 > sizeof folder)
        err = NC_EMAXNAME;
    err = err ? err : nc_inq_grpname_full(var->group, &n, folder);
    err = err ? err : nc_inq_varname(var->group, var->varid, name);
    if (err)
        return pcdf_nc_failed(nc->path, err, "the name of a variable");
    snprintf(folder + n, sizeof folder - n, "%s%s", n > 1 ? "/" : "", name);
    int status = pcdf_zarr_open(nc->path, nc->folder, folder + 1, &var->array);
    bool is_same = !status && var->array->ndims == ndims;
    for (int i = 0; i < ndims && is_same; i++)
        is_same = var->array->shape[i] == nc->dims[dimids[i]].length;
    if (!status && !is_same)
        status = pcdf_tool_unusable(nc->path, "array %s has another shape than its dimensions", folder + 1);
    if (!status && !is_of(var->array, type)) { /* the room for values is of libnetcdf's type */
        status = pcdf_tool_unusable(
            nc->path, "array %s has a .zarray that libnetcdf understands as another type", folder + 1);
    }
    if (!status && strchr("US", var->array->kind)) {
        pcdf_zarr_close(var->array);
        var->array = NULL;
    }
    return status;
}

/* What stands where nothing was written is missing: so do netCDF and xarray understand an array's fill value.
 * libnetcdf's own stores have an attribute for it, or mean none. */
static int add_fill_value(struct pcdf_nc *nc, int varid)
{
    const struct pcdf_zarr_array *array = nc->vars[varid].array;
    struct pcdf_var *var = &nc->meta->vars[varid];
    unsigned char value[8];
    if (!array || array->is_nczarr || !array->has_fill || pcdf_atts_find(&var->atts, "_FillValue") >= 0)
        return PCDF_TOOL_GOOD;
    memcpy(value, array->fill, sizeof value);
    pcdf_values_swap(value, 1, array->size);
    return pcdf_atts_put(nc->meta, &var->atts, "_FillValue", var->type, 1, value) ? pcdf_nc_no_memory(nc)
                                                                                  : PCDF_TOOL_GOOD;
}

static int reserve_var(struct pcdf_nc *nc)
{
    if (nc->nvars < nc->room)
        return PCDF_TOOL_GOOD;
    int room = 2 * nc->room + 16;
    struct pcdf_nc_var *more = pcdf_realloc(nc->vars, (size_t)room * sizeof *more);
    if (!more)
        return pcdf_nc_no_memory(nc);
    nc->vars = more;
    nc->room = room;
    return PCDF_TOOL_GOOD;
}

static int add_known_var(struct pcdf_nc *nc, int group, int ncvar, nc_type type, int ndims, const int *dimids,
                         const char *name)
{
    int ids[NC_MAX_VAR_DIMS + 1], id, status = reserve_var(nc);
    struct pcdf_nc_var var = { .group = group, .varid = ncvar };

    if (!status && type == NC_STRING)
        status = measure_strings(nc, group, ncvar, ndims, dimids, name, &var.width);
    if (!status && type == NC_STRING)
        status = add_width(nc, name, var.width, &ids[ndims]);
    if (status)
        return status;
    if (nc->folder >= 0)
        status = note_array(nc, &var, type, ndims, dimids);
    for (int i = 0; i < ndims; i++)
        ids[i] = nc->dims[dimids[i]].dimid;
    var.is_scalar = ndims == 1 && nc->dims[dimids[0]].is_scalar;
    ndims = var.is_scalar ? 0 : ndims;
    if (var.is_scalar)
        ids[0] = ids[1];
    status = status ? status
                    : note_chunks(nc, &var, ndims,
                                  type == NC_STRING ? (int64_t)sizeof(char *) : pcdf_type_size(type));
    nc->vars[nc->nvars++] = var; /* what it owns is freed with it */
    if (status)
        return status;
    if (pcdf_meta_add_var(nc->meta, name, type == NC_STRING ? NC_CHAR : type, ndims + (type == NC_STRING),
                          ids, &id))
        return pcdf_nc_no_memory(nc);
    if (nc->meta->vars[id].nbytes < 0)
        return pcdf_tool_unusable(nc->path, "variable %s has more values than can be counted", name);
    status = add_atts(nc, group, ncvar, id, "");
    return status ? status : add_fill_value(nc, id);
}

static int add_var(struct pcdf_nc *nc, int group, int ncvar, const char *prefix)
{
    char name[PCDF_NC_NAME], joined[PCDF_NC_NAME];
    int ndims, dimids[NC_MAX_VAR_DIMS];
    nc_type type;
    int err = nc_inq_var(group, ncvar, name, &type, &ndims, dimids, NULL);

    if (err)
        return pcdf_nc_failed(nc->path, err, "variable %d of a group", ncvar);
    int status = pcdf_nc_join(nc, prefix, name, joined);
    if (status)
        return status;
    if (!is_atomic(type)) {
        pcdf_tool_say(
            nc->path, "variable %s has %s, which classic files do not know%s", joined, class_of(group, type),
            nc->options->copy.skip_unsupported ? ": left out" : " (--skip-unsupported leaves it out)");
        return nc->options->copy.skip_unsupported ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
    }
    if (pcdf_meta_find_var(nc->meta, joined) >= 0)
        return pcdf_tool_unusable(nc->path, "two variables would have the name %s once groups are no more",
                                  joined);
    return add_known_var(nc, group, ncvar, type, ndims, dimids, joined);
}

static int add_vars(struct pcdf_nc *nc, int group, const char *prefix)
{
    int n = 0, err = nc_inq_nvars(group, &n), status = PCDF_TOOL_GOOD;

    if (err)
        return pcdf_nc_failed(nc->path, err, "the variables of %s", *prefix ? prefix : "/");
    for (int i = 0; i < n && !status; i++)
        status = add_var(nc, group, i, prefix);
    return status;
}

int pcdf_nc_flatten(struct pcdf_nc *nc)
{
    int status = pcdf_nc_add_dims(nc);
    status = status ? status : pcdf_nc_walk(nc, nc->ncid, "", 0, add_group_atts);
    return status ? status : pcdf_nc_walk(nc, nc->ncid, "", 0, add_vars);
}
