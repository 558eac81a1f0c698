/* Names and dimensions of netCDF-4 as classic ones: see ncflatten.c. */
#include "ncsource.h"
#include "alloc.h"
#include "status.h"
#include "text.h"
#include "tool.h"

#include <errno.h>
#include <netcdf.h>
#include <stdarg.h>
#include <string.h>

enum { DEEPEST = 64 };

static bool is_full(int cause)
{
    return cause == ENOSPC || cause == EDQUOT || cause == EFBIG;
}

/* A full disk is "HDF error" to libnetcdf; errno, which only a failed write sets so, tells. */
int pcdf_nc_failed(const char *path, int err, const char *format, ...)
{
    int cause = errno;
    char what[4 * NC_MAX_NAME];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    pcdf_tool_say(path, "%s: %s", what, is_full(cause) ? strerror(cause) : nc_strerror(err));
    pcdf_foreign_has_said = 1;
    return PCDF_TOOL_UNUSABLE;
}

int pcdf_nc_no_memory(const struct pcdf_nc *nc)
{
    return pcdf_tool_unusable(nc->path, "%s", pcdf_fail_text());
}

/* ---- names */

/* "prefix_name" as a legal name, in `room` of PCDF_NC_NAME bytes. */
int pcdf_nc_join(const struct pcdf_nc *nc, const char *prefix, const char *name, char *room)
{
    char joined[2 * PCDF_NC_NAME];
    struct pcdf_name nfc;

    snprintf(joined, sizeof joined, "%s%s%s", prefix, *prefix ? "_" : "", name);
    if (pcdf_name_define(joined, &nfc))
        return pcdf_tool_unusable(nc->path, "%s", pcdf_fail_text());
    memcpy(room, nfc.text, nfc.length + 1);
    return PCDF_TOOL_GOOD;
}

/* The prefix of a group's members: the names of the groups around them. */
static int prefix_of(const struct pcdf_nc *nc, int group, const char *outer, char *room)
{
    char name[PCDF_NC_NAME];

    *room = '\0';
    if (group == nc->ncid)
        return PCDF_TOOL_GOOD;
    int err = nc_inq_grpname(group, name);
    if (err)
        return pcdf_nc_failed(nc->path, err, "the name of a group");
    return pcdf_nc_join(nc, outer, name, room);
}

/* The group and those in it. */
int pcdf_nc_walk(struct pcdf_nc *nc, int group, const char *outer, int depth, pcdf_nc_visit function)
{
    char prefix[PCDF_NC_NAME];
    int n = 0;

    if (depth > DEEPEST)
        return pcdf_tool_unusable(nc->path, "groups in groups, more than %d deep", DEEPEST);
    int status = prefix_of(nc, group, outer, prefix);
    status = status ? status : function(nc, group, prefix);
    if (status)
        return status;
    int err = nc_inq_grps(group, &n, NULL);
    int *groups = pcdf_calloc((size_t)n + 1, sizeof *groups);
    if (!groups)
        return pcdf_nc_no_memory(nc);
    err = err ? err : nc_inq_grps(group, &n, groups);
    if (err)
        status = pcdf_nc_failed(nc->path, err, "the groups in %s", *prefix ? prefix : "/");
    for (int i = 0; i < n && !status; i++)
        status = pcdf_nc_walk(nc, groups[i], prefix, depth + 1, function);
    pcdf_free(groups);
    return status;
}

/* ---- dimensions */

static int note_dim(struct pcdf_nc *nc, int group, const char *prefix, int id)
{
    char name[PCDF_NC_NAME], joined[PCDF_NC_NAME];
    size_t length;

    if (id >= nc->ndims) {
        struct pcdf_nc_dim *more = pcdf_realloc(nc->dims, ((size_t)id + 1) * sizeof *more);
        if (!more)
            return pcdf_nc_no_memory(nc);
        memset(more + nc->ndims, 0, (size_t)(id + 1 - nc->ndims) * sizeof *more);
        nc->dims = more;
        nc->ndims = id + 1;
    }
    int err = nc_inq_dim(group, id, name, &length);
    if (err || length > INT64_MAX)
        return pcdf_nc_failed(nc->path, err ? err : NC_EDIMSIZE, "dimension %d", id);
    int status = pcdf_nc_join(nc, prefix, name, joined);
    if (status)
        return status;
    nc->dims[id] = (struct pcdf_nc_dim){ .length = (int64_t)length, .dimid = -1 };
    /* NCZarr has no scalars: a dimension of this name and length stands for none. */
    nc->dims[id].is_scalar = nc->file_size < 0 && length == 1 && strcmp(name, "_scalar_") == 0;
    nc->dims[id].name = pcdf_strndup(joined, strlen(joined));
    return nc->dims[id].name ? PCDF_TOOL_GOOD : pcdf_nc_no_memory(nc);
}

static int note_dims(struct pcdf_nc *nc, int group, const char *prefix)
{
    int n = 0, nunlimited = 0, ids[NC_MAX_DIMS];
    int err = nc_inq_dimids(group, &n, NULL, 0);

    if (!err && n <= NC_MAX_DIMS)
        err = nc_inq_dimids(group, &n, ids, 0);
    if (err || n > NC_MAX_DIMS)
        return pcdf_nc_failed(nc->path, err ? err : NC_EMAXDIMS, "the dimensions of %s",
                              *prefix ? prefix : "/");
    for (int i = 0; i < n; i++) {
        int status = note_dim(nc, group, prefix, ids[i]);
        if (status)
            return status;
    }
    err = nc_inq_unlimdims(group, &nunlimited, NULL);
    if (!err && nunlimited <= NC_MAX_DIMS)
        err = nc_inq_unlimdims(group, &nunlimited, ids);
    if (err || nunlimited > NC_MAX_DIMS)
        return pcdf_nc_failed(nc->path, err ? err : NC_EMAXDIMS, "the unlimited dimensions of %s",
                              *prefix ? prefix : "/");
    for (int i = 0; i < nunlimited; i++)
        if (ids[i] >= 0 && ids[i] < nc->ndims)
            nc->dims[ids[i]].is_unlimited = true;
    return PCDF_TOOL_GOOD;
}

/* Which dimension a group's variables have first, which elsewhere. */
static int note_uses(struct pcdf_nc *nc, int group, const char *prefix)
{
    int n = 0, ndims, dimids[NC_MAX_VAR_DIMS];
    int err = nc_inq_nvars(group, &n);

    (void)prefix;
    for (int varid = 0; varid < n && !err; varid++) {
        err = nc_inq_var(group, varid, NULL, NULL, &ndims, dimids, NULL);
        for (int i = 0; i < ndims && !err; i++) {
            if (dimids[i] < 0 || dimids[i] >= nc->ndims || !nc->dims[dimids[i]].name)
                return pcdf_nc_failed(nc->path, NC_EBADDIM, "variable %d of a group", varid);
            nc->dims[dimids[i]].leads |= i == 0;
            nc->dims[dimids[i]].follows |= i > 0;
        }
    }
    return err ? pcdf_nc_failed(nc->path, err, "the variables of a group") : PCDF_TOOL_GOOD;
}

/* The first unlimited one that is the outermost of some variable and of no variable an inner one stays
 * unlimited. */
int pcdf_nc_add_dims(struct pcdf_nc *nc)
{
    int record = -1, status = pcdf_nc_walk(nc, nc->ncid, "", 0, note_dims);

    status = status ? status : pcdf_nc_walk(nc, nc->ncid, "", 0, note_uses);
    if (status)
        return status;

    for (int i = 0; i < nc->ndims; i++)
        if (record < 0 && nc->dims[i].is_unlimited && nc->dims[i].leads && !nc->dims[i].follows)
            record = i;
    for (int i = 0; i < nc->ndims; i++) /* without variables any may stay, and must when it has no length */
        if (record < 0 && nc->dims[i].is_unlimited && !nc->dims[i].leads && !nc->dims[i].follows)
            record = i;
    for (int i = 0; i < nc->ndims; i++) {
        struct pcdf_nc_dim *dim = &nc->dims[i];
        if (!dim->name || dim->is_scalar)
            continue;
        if (pcdf_meta_find_dim(nc->meta, dim->name) >= 0)
            return pcdf_tool_unusable(
                nc->path, "two dimensions would have the name %s once groups are no more", dim->name);
        if (i != record && dim->length == 0) {
            if (!dim->leads && !dim->follows)
                continue;
            return pcdf_tool_unusable(nc->path,
                                      "dimension %s has the length 0 and cannot be the record dimension%s: a "
                                      "classic file has no such dimension",
                                      dim->name, record < 0 ? "" : ", which another one is");
        }
        if (pcdf_meta_add_dim(nc->meta, dim->name, i == record ? 0 : dim->length, &dim->dimid))
            return pcdf_nc_no_memory(nc);
        if (i == record)
            nc->meta->numrecs = dim->leads ? dim->length : 0;
    }
    return PCDF_TOOL_GOOD;
}
