/* See netcdf4file.h: a file that is there, and is written to. */
#include "netcdf4file.h"
#include <string.h>
#include "alloc.h"
#include "dataset.h"
#include "image.h"
#include "numbers.h"
#include "shown.h"
#include "status.h"

/* ---- how it stores its variables */

static int refuse(const struct pcdf_dataset *ds, const struct pcdf_var *var, const char *why)
{
    return PCDF_FAIL(NC_ENOTSUPPORT, "%s, variable %s: it %s, and such a file is only read", ds->path,
                     var->name, why);
}

/* What reading adapts, and a put could not give back. */
static int check(const struct pcdf_dataset *ds, const struct pcdf_var *var, const struct pcdf_chunked *v)
{
    bool is_number = v->stored == PCDF_STORED_INT || v->stored == PCDF_STORED_UINT ||
                     v->stored == PCDF_STORED_REAL || (v->stored == PCDF_STORED_TEXT && v->size == 1);
    if (!is_number || v->size != pcdf_type_size(var->type) || v->ndims != var->ndims || v->order)
        return refuse(ds, var, "has a type that classic files lack");
    if (v->map.kind != PCDF_MAP_NONE && v->map.kind != PCDF_MAP_LINEAR && v->map.kind != PCDF_MAP_TABLE)
        return refuse(ds, var, "has its values among the metadata");
    for (int i = 0; !v->is_contiguous && i < var->ndims; i++) /* libhdf5 makes no others */
        if (v->chunk[i] > ds->meta.dims[var->dimids[i]].length && var->dimids[i] != ds->meta.record_dim)
            return refuse(ds, var, "has a second dimension that can grow");
    return var->is_record && v->is_contiguous ? refuse(ds, var, "has records that are not chunked")
                                              : NC_NOERR;
}

static int take_var(struct pcdf_dataset *ds, struct netcdf4 *n, int varid)
{
    const struct pcdf_image *image = ds->shown->image;
    const struct pcdf_chunked *v = &image->vars[varid];
    struct pcdf_stored_var *x = &n->stored.x[varid];
    PCDF_TRY(check(ds, &ds->meta.vars[varid], v));
    memset(&x->chain, 0, sizeof x->chain);
    PCDF_TRY(pcdf_stored_set_way(&n->stored, &ds->meta, varid,
                                 v->is_contiguous ? PCDF_STORED_CONTIGUOUS : PCDF_STORED_CHUNKED, v->chunk));
    if (v->chain >= 0)
        x->chain = image->chains[v->chain];
    return NC_NOERR;
}

static int take_definitions(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    if (ds->shown->image->left_out)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: it has what has no place here, so it is only read: %.*s",
                         ds->path, (int)strcspn(ds->shown->image->left_out, "\n"),
                         ds->shown->image->left_out);
    PCDF_TRY(pcdf_stored_grow(&n->stored, &ds->meta));
    for (int i = 0; i < ds->meta.nvars; i++)
        PCDF_TRY(take_var(ds, n, i));
    pcdf_stored_settle(&n->stored);
    return NC_NOERR;
}

/* ---- open */

/* The file's end, as rank 0 sees it. */
static int ask_end_all(struct pcdf_dataset *ds, struct netcdf4 *n, int status)
{
    if (!status && ds->ranks.rank == 0)
        status = pcdf_storage_size(n->below, &n->eof);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "take what the file has");
    pcdf_first(&status, pcdf_ranks_bcast_all(&ds->ranks, &n->eof, sizeof n->eof));
    return status;
}

int pcdf_netcdf4_open_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    int status = ask_end_all(ds, n, take_definitions(ds, n));
    int64_t end = n->eof;
    if (!status) /* the same on all ranks, as below */
        status = pcdf_ranks_agree_all(&ds->ranks, pcdf_netcdf4_plan_make(ds, n), "lay out the file");
    if (!status && ds->ranks.rank == 0)
        status = pcdf_netcdf4_root_adopt(ds, n, end);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "read the metadata of the file");
    if (!status) /* on all ranks; it may write fill values */
        status = pcdf_netcdf4_plan_take_all(ds, n);
    if (!status && ds->ranks.rank == 0)
        n->eof = n->held_end;
    if (!status) /* on all ranks */
        status = pcdf_ranks_bcast_all(&ds->ranks, &n->eof, sizeof n->eof);
    n->has_metadata = true;
    n->is_dirty = n->is_redefined = n->eof > end; /* something got a place */
    return status;
}
