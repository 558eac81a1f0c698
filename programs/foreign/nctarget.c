/* See nctarget.h. */
#include "nctarget.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 7 };

volatile int pcdf_nc_has_said;

static bool is_full(int cause)
{
    return cause == ENOSPC || cause == EFBIG || cause == EDQUOT;
}

/* "WHAT NAME: libnetcdf's sentence". A full disk is "HDF error" to libnetcdf; errno, which only a failed
 * write sets so, tells. */
static int failed(const struct pcdf_nc_target *t, int err, const char *what, const char *name)
{
    int cause = errno;
    pcdf_tool_say(t->to, "%s%s%s: %s", what, *name ? " " : "", name,
                  is_full(cause) ? strerror(cause) : nc_strerror(err));
    pcdf_nc_has_said = 1;
    return PCDF_TOOL_UNUSABLE;
}

/* ---- attributes */

static int put_att(struct pcdf_nc_target *t, int varid, const struct pcdf_att *att)
{
    size_t size = (size_t)pcdf_type_size(att->type);
    unsigned char *values = pcdf_calloc((size_t)att->nelems + 1, size);
    if (!values)
        return pcdf_tool_unusable(t->to, "%s", pcdf_fail_text());
    if (att->nelems > 0)
        memcpy(values, att->values, (size_t)att->nelems * size);
    pcdf_values_swap(values, att->nelems, (int)size);
    int err = nc_put_att(t->ncid, varid, att->name, att->type, (size_t)att->nelems, values);
    pcdf_free(values);
    if (!err)
        return PCDF_TOOL_GOOD;
    char name[2 * NC_MAX_NAME + 2];
    snprintf(name, sizeof name, "%s:%s", varid == NC_GLOBAL ? "" : t->meta->vars[varid].name, att->name);
    return failed(t, err, "attribute", name);
}

static int put_atts(struct pcdf_nc_target *t, int varid, const struct pcdf_atts *atts)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < atts->n && !status; i++)
        status = put_att(t, varid, &atts->x[i]);
    return status;
}

/* ---- dimensions and variables */

static int define_dims(struct pcdf_nc_target *t)
{
    const struct pcdf_meta *meta = t->meta;
    int id;

    for (int i = 0; i < meta->ndims; i++) {
        int err = nc_def_dim(t->ncid, meta->dims[i].name,
                             i == meta->record_dim ? NC_UNLIMITED : (size_t)meta->dims[i].length, &id);
        if (err)
            return failed(t, err, "dimension", meta->dims[i].name);
    }
    return PCDF_TOOL_GOOD;
}

/* Chunks are handed over whole, so none needs to be kept. */
static int store_as(struct pcdf_nc_target *t, int varid, const int64_t *chunk, int deflate)
{
    const struct pcdf_var *var = &t->meta->vars[varid];
    size_t shape[NC_MAX_VAR_DIMS];

    for (int i = 0; chunk && i < var->ndims; i++)
        shape[i] = (size_t)chunk[i];
    int err = !chunk ? NC_NOERR : nc_def_var_chunking(t->ncid, varid, NC_CHUNKED, shape);
    if (!err && chunk && deflate > 0)
        err = nc_def_var_deflate(t->ncid, varid, pcdf_type_size(var->type) > 1, 1, deflate);
    if (!err && chunk)
        err = nc_set_var_chunk_cache(t->ncid, varid, 1, SLOTS, 1);
    return err;
}

static int define_var(struct pcdf_nc_target *t, int varid, const int64_t *chunk, int deflate)
{
    const struct pcdf_var *var = &t->meta->vars[varid];
    int id, err = nc_def_var(t->ncid, var->name, var->type, var->ndims, var->dimids, &id);

    err = err ? err : store_as(t, varid, chunk, deflate);
    return err ? failed(t, err, "variable", var->name) : put_atts(t, varid, &var->atts);
}

/* In the classic model there are the types of CDF-1. */
static int check_types(const struct pcdf_nc_target *t)
{
    for (int i = 0; i < t->meta->nvars; i++)
        if (!pcdf_type_allowed(PCDF_CDF1, t->meta->vars[i].type)) {
            pcdf_tool_say(
                t->to,
                "variable %s has the type %s, which the classic model does not know; -k netcdf4 would do",
                t->meta->vars[i].name, pcdf_type_cdl(t->meta->vars[i].type));
            return PCDF_TOOL_UNUSABLE;
        }
    return PCDF_TOOL_GOOD;
}

static int define(struct pcdf_nc_target *t, const struct pcdf_foreign_options *options,
                  int64_t *const *chunks)
{
    int status = define_dims(t);

    for (int i = 0; i < t->meta->nvars && !status; i++)
        status = define_var(t, i, chunks[i], options->copy.deflate);
    status = status ? status : put_atts(t, NC_GLOBAL, &t->meta->gatts);
    int err = status ? NC_NOERR : nc_enddef(t->ncid);
    return err ? failed(t, err, "the definitions", "") : status;
}

int pcdf_nc_create(struct pcdf_nc_target *target, const char *name, const struct pcdf_meta *meta,
                   const struct pcdf_foreign_options *options, int64_t *const *chunks)
{
    bool is_classic = options->is_classic_model;
    *target = (struct pcdf_nc_target){ .to = options->copy.to, .meta = meta };

    if (is_classic && check_types(target))
        return PCDF_TOOL_UNUSABLE;
    int err = nc_create(name, NC_CLOBBER | NC_NETCDF4 | (is_classic ? NC_CLASSIC_MODEL : 0), &target->ncid);
    if (err)
        return failed(target, err, "libnetcdf cannot create this", "");
    int status = define(target, options, chunks);
    if (status)
        (void)nc_abort(target->ncid);
    return status;
}

int pcdf_nc_write(struct pcdf_nc_target *t, int varid, const int64_t *start, const int64_t *count,
                  const void *values)
{
    size_t from[NC_MAX_VAR_DIMS] = { 0 }, lengths[NC_MAX_VAR_DIMS] = { 1 };

    for (int i = 0; i < t->meta->vars[varid].ndims; i++) {
        from[i] = (size_t)start[i];
        lengths[i] = (size_t)count[i];
    }
    int err = nc_put_vara(t->ncid, varid, from, lengths, values);
    return err ? failed(t, err, "the values of", t->meta->vars[varid].name) : PCDF_TOOL_GOOD;
}

int pcdf_nc_close(struct pcdf_nc_target *t, int status)
{
    int err = nc_close(t->ncid);
    if (status)
        return status;
    return err ? failed(t, err, "the end of the file", "") : PCDF_TOOL_GOOD;
}
