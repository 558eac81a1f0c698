/* See h5target.h. */
#include "h5target.h"
#include "nctarget.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"

#include <errno.h>
#include <hdf5.h>
#include <string.h>

_Static_assert(sizeof(hid_t) == sizeof(int64_t) && sizeof(hsize_t) == sizeof(int64_t), "as h5target.h says");

bool pcdf_h5_is_there(void)
{
    return true;
}

/* A full disk is known by errno, which only a failed write sets so. */
static int failed(const struct pcdf_h5_target *t, int varid, const char *what)
{
    int cause = errno;
    bool is_full = cause == ENOSPC || cause == EFBIG || cause == EDQUOT;
    pcdf_nc_has_said = 1;
    return pcdf_tool_unusable(t->to, "%s%s%s: %s", what, varid < 0 ? "" : " ",
                              varid < 0 ? "" : t->meta->vars[varid].name,
                              is_full ? strerror(cause) : "HDF5 says no");
}

int pcdf_h5_open(struct pcdf_h5_target *target, const char *name, const struct pcdf_meta *meta,
                 const char *to)
{
    *target = (struct pcdf_h5_target){ .to = to, .meta = meta, .file = -1, .dataset = -1, .varid = -1 };
    target->room = pcdf_calloc((size_t)pcdf_tool_most_dims(meta) + 1, sizeof *target->room);
    if (!target->room)
        return pcdf_tool_unusable(to, "%s", pcdf_fail_text());
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    target->file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
    if (target->file >= 0)
        return PCDF_TOOL_GOOD;
    pcdf_free(target->room);
    return failed(target, -1, "what libnetcdf created cannot be opened");
}

static int close_dataset(struct pcdf_h5_target *t)
{
    herr_t err = t->dataset >= 0 ? H5Dclose(t->dataset) : 0;
    int varid = t->varid;
    t->dataset = t->varid = -1;
    return err < 0 ? failed(t, varid, "the values of") : PCDF_TOOL_GOOD;
}

/* A variable that has the name of a dimension, but is not its coordinate, has another one in the file. */
static hid_t find_dataset(const struct pcdf_h5_target *t, int varid)
{
    static const char prefix[] = "_nc4_non_coord_";
    char other[sizeof prefix + NC_MAX_NAME];
    const struct pcdf_var *var = &t->meta->vars[varid];
    int dim = pcdf_meta_find_dim(t->meta, var->name);
    bool is_other = dim >= 0 && (var->ndims == 0 || var->dimids[0] != dim);

    snprintf(other, sizeof other, "%s%s", prefix, var->name);
    return H5Dopen2(t->file, is_other ? other : var->name, H5P_DEFAULT);
}

/* Libnetcdf filters as it was told: shuffled where values have several bytes, then deflated. */
static bool is_as_defined(hid_t dataset, int size)
{
    hid_t list = H5Dget_create_plist(dataset);
    unsigned flags, config;
    int n = H5Pget_nfilters(list);
    bool good = n == 1 + (size > 1);
    for (int i = 0; i < n && good; i++) {
        size_t none = 0;
        good = H5Pget_filter2(list, (unsigned)i, &flags, &none, NULL, 0, NULL, &config) ==
               (i == n - 1 ? H5Z_FILTER_DEFLATE : H5Z_FILTER_SHUFFLE);
    }
    H5Pclose(list);
    return good;
}

static int enter(struct pcdf_h5_target *t, int varid)
{
    const struct pcdf_var *var = &t->meta->vars[varid];
    int status = close_dataset(t);

    if (status)
        return status;
    t->dataset = find_dataset(t, varid);
    t->varid = varid;
    if (t->dataset < 0 || !is_as_defined(t->dataset, pcdf_type_size(var->type)))
        return failed(t, varid, "the chunks of");
    pcdf_var_shape(t->meta, var, t->room);
    if (var->is_record && H5Dset_extent(t->dataset, (const hsize_t *)t->room) < 0)
        return failed(t, varid, "the records of");
    return PCDF_TOOL_GOOD;
}

int pcdf_h5_write(struct pcdf_h5_target *t, int varid, const struct pcdf_foreign_chunk *chunk)
{
    const struct pcdf_var *var = &t->meta->vars[varid];
    int deflate_at = pcdf_type_size(var->type) > 1;
    int status = varid == t->varid ? PCDF_TOOL_GOOD : enter(t, varid);

    if (status)
        return status;
    memcpy(t->room, chunk->start, (size_t)var->ndims * sizeof *t->room);
    uint32_t left_out = chunk->is_compressed ? 0 : (uint32_t)1 << deflate_at;
    herr_t err =
        H5Dwrite_chunk(t->dataset, H5P_DEFAULT, left_out, (const hsize_t *)t->room, chunk->n, chunk->bytes);
    return err < 0 ? failed(t, varid, "the values of") : PCDF_TOOL_GOOD;
}

int pcdf_h5_close(struct pcdf_h5_target *t, int status)
{
    int last = status ? (H5Dclose(t->dataset), status) : close_dataset(t);
    herr_t err = H5Fclose(t->file);

    pcdf_free(t->room);
    if (last)
        return last;
    return err < 0 ? failed(t, -1, "the end of the file") : PCDF_TOOL_GOOD;
}
