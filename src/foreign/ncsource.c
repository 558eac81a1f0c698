/* netCDF-4 and NCZarr as a source, through libnetcdf. */
#include "ncsource.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "zarrstore.h"

#include <errno.h>
#include <fcntl.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const bool pcdf_foreign_has_netcdf = true;

enum { SLOTS = 1009, LEAST_CACHE = 1 << 20, MOST_HELD = 6 << 20, ID_IN_FILE = 0xFFFF, REFUSED = -100000 };

/* ---- values */

/* Room for the chunks of one variable at a time: libnetcdf would keep them for all. */
static void cache_chunks(struct pcdf_nc *nc, int varid)
{
    if (nc->cached == varid)
        return;
    if (nc->cached >= 0 && nc->vars[nc->cached].chunk)
        nc_set_var_chunk_cache(nc->vars[nc->cached].group, nc->vars[nc->cached].varid, 1, SLOTS, 1);
    const struct pcdf_nc_var *var = &nc->vars[varid];
    int64_t bytes = var->cache < LEAST_CACHE ? LEAST_CACHE : var->cache;
    if (var->chunk && bytes < INT32_MAX)
        nc_set_var_chunk_cache(var->group, var->varid, (size_t)bytes, SLOTS, 1);
    nc->cached = varid;
}

/* What libnetcdf asks for of the first n dimensions. */
struct box {
    size_t start[NC_MAX_VAR_DIMS], count[NC_MAX_VAR_DIMS];
    ptrdiff_t stride[NC_MAX_VAR_DIMS];
};

static int get(const struct pcdf_nc_var *var, const struct pcdf_foreign_slab *slab, int n, void *values)
{
    struct box box = { .start = { 0 }, .count = { 1 }, .stride = { 1 } };
    bool is_dense = true;

    for (int i = 0; i < n; i++) {
        box.start[i] = (size_t)slab->start[i];
        box.count[i] = (size_t)slab->count[i];
        box.stride[i] = (ptrdiff_t)slab->stride[i];
        is_dense = is_dense && slab->stride[i] == 1;
    }
    return is_dense ? nc_get_vara(var->group, var->varid, box.start, box.count, values)
                    : nc_get_vars(var->group, var->varid, box.start, box.count, box.stride, values);
}

/* The characters of the strings, zeros behind each. */
static int get_strings(const struct pcdf_nc_var *var, const struct pcdf_foreign_slab *slab, char *values)
{
    int last = slab->ndims - 1;
    int64_t first = slab->start[last], each = slab->count[last], step = slab->stride[last],
            n = slab->n / each;
    char **strings = pcdf_calloc((size_t)n, sizeof *strings);
    int err = strings ? get(var, slab, last, strings) : NC_ENOMEM;

    if (!err)
        memset(values, 0, (size_t)slab->n);
    for (int64_t i = 0; i < n && !err; i++) {
        int64_t length = strings[i] ? (int64_t)strlen(strings[i]) : 0;
        for (int64_t j = 0; j < each && first + j * step < length; j++)
            values[i * each + j] = strings[i][first + j * step];
    }
    if (!err)
        pcdf_nc_free_strings(strings, n);
    pcdf_free(strings);
    return err;
}

/* libnetcdf 4.9 keeps all chunks of a store that were read until it is closed, whatever cache it is given. An
 * id is the file's and the group's in it. */
static int let_go(struct pcdf_nc *nc, int64_t bytes)
{
    int ncid;

    if (nc->file_size >= 0 || (nc->held += bytes) <= MOST_HELD)
        return NC_NOERR;
    nc->held = 0;
    int err = nc_open(nc->url, NC_NOWRITE, &ncid);
    if (err)
        return err;
    nc_close(nc->ncid);
    nc->ncid = ncid;
    for (int i = 0; i < nc->nvars; i++)
        nc->vars[i].group = (ncid & ~ID_IN_FILE) | (nc->vars[i].group & ID_IN_FILE);
    return NC_NOERR;
}

/* A chunk in memory for one array at a time. */
static int read_array(struct pcdf_nc *nc, struct pcdf_zarr_array *array, const struct pcdf_foreign_slab *slab,
                      int size, void *values)
{
    if (nc->last && nc->last != array)
        pcdf_zarr_drop_chunk(nc->last);
    nc->last = array;
    return pcdf_zarr_read(array, slab, size, values);
}

static int read_values(struct pcdf_foreign_source *source, int varid, const struct pcdf_foreign_slab *slab,
                       void *values)
{
    struct pcdf_nc *nc = source->state;
    const struct pcdf_nc_var *var = &nc->vars[varid];
    int size = pcdf_type_size(source->meta.vars[varid].type);

    if (var->array)
        return read_array(nc, var->array, slab, size, values);
    cache_chunks(nc, varid);
    int err = let_go(nc, slab->n * size);
    if (!err)
        err = var->width > 0 ? get_strings(var, slab, values) : get(var, slab, slab->ndims, values);
    return err ? pcdf_nc_failed(source->path, err, "the values of %s", source->meta.vars[varid].name)
               : PCDF_TOOL_GOOD;
}

/* ---- open and close */

static void close_nc(struct pcdf_foreign_source *source)
{
    struct pcdf_nc *nc = source->state;

    nc_close(nc->ncid);
    if (nc->folder >= 0)
        close(nc->folder);
    for (int i = 0; i < nc->ndims; i++)
        pcdf_free(nc->dims[i].name);
    for (int i = 0; i < nc->nvars; i++) {
        pcdf_free(nc->vars[i].chunk);
        pcdf_zarr_close(nc->vars[i].array);
    }
    pcdf_free(nc->dims);
    pcdf_free(nc->vars);
    pcdf_free(nc->chunks);
    pcdf_free(nc);
    pcdf_meta_free(&source->meta);
}

/* By a descriptor: the path of a folder goes through libnetcdf as a URL, in which not every character is
 * safe. The descriptor stays: libnetcdf opens by this name as it reads. */
static int open_zarr(struct pcdf_nc *nc)
{
    char *folder = pcdf_zarrstore_path(nc->path);

    nc->folder = open(folder ? folder : nc->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pcdf_free(folder);
    if (nc->folder < 0)
        return errno;
    if (pcdf_zarr_check(nc->path, nc->folder)) /* before libnetcdf, which some of them crash */
        return REFUSED;
    snprintf(nc->url, sizeof nc->url, "file:///proc/self/fd/%d#mode=nczarr,file", nc->folder);
    return nc_open(nc->url, NC_NOWRITE, &nc->ncid);
}

static int open_nc(struct pcdf_nc *nc)
{
    struct stat st;
    bool is_file = stat(nc->path, &st) == 0 && S_ISREG(st.st_mode);

    nc->file_size = is_file ? st.st_size : -1;
    nc_set_chunk_cache(LEAST_CACHE, SLOTS, 1);
    int err = is_file ? nc_open(nc->path, NC_NOWRITE, &nc->ncid) : open_zarr(nc);
    if (!err)
        return PCDF_TOOL_GOOD;
    if (err == REFUSED)
        return PCDF_TOOL_UNUSABLE;
    return pcdf_tool_unusable(nc->path, "libnetcdf cannot open this: %s", nc_strerror(err));
}

static int show_chunks(struct pcdf_nc *nc)
{
    nc->chunks = pcdf_calloc((size_t)nc->nvars + 1, sizeof *nc->chunks);
    for (int i = 0; nc->chunks && i < nc->nvars; i++)
        nc->chunks[i] = nc->vars[i].chunk;
    if (nc->chunks)
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(nc->path, "%s", pcdf_fail_text());
}

int pcdf_foreign_open_nc(struct pcdf_foreign_source *source, const struct pcdf_foreign_options *options)
{
    struct pcdf_nc *nc = pcdf_calloc(1, sizeof *nc);
    int status = PCDF_TOOL_UNUSABLE;

    if (!nc) {
        pcdf_tool_say(source->path, "%s", pcdf_fail_text());
        return status;
    }
    *nc = (struct pcdf_nc){
        .path = source->path, .options = options, .cached = -1, .folder = -1, .meta = &source->meta
    };
    status = open_nc(nc);
    if (status) {
        if (nc->folder >= 0)
            close(nc->folder);
        pcdf_free(nc);
        return status;
    }
    pcdf_meta_init(&source->meta, PCDF_CDF5);
    source->state = nc;
    source->read = read_values;
    source->close = close_nc;
    status = pcdf_nc_flatten(nc);
    status = status ? status : show_chunks(nc);
    source->chunks = nc->chunks;
    if (status)
        close_nc(source);
    return status;
}
