/* Groups and data sets of the file, each group once, in the order of netCDF-C: by creation where that is
 * tracked, else by name. Links to elsewhere are not followed. */

#include "h5file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "codes.h"

enum { DEEPEST = 64 };

static const char dim_alone[] = "This is a netCDF dimension but not a netCDF variable";

static bool has_group(const struct pcdf_h5 *h, haddr_t address)
{
    for (size_t i = 0; i < h->ngroups; i++)
        if (h->groups[i].address == address)
            return true;
    return false;
}

static int add_group(struct pcdf_h5 *h, size_t outer, const char *name, haddr_t address)
{
    int depth = h->ngroups ? h->groups[outer].depth + 1 : 0;
    const char *prefix = h->ngroups ? h->groups[outer].path : "";
    if (has_group(h, address)) /* a second way to it, or a circle */
        return pcdf_h5_left_out(h, "group %s/%s: it is shown under another name", prefix, name);
    if (depth > DEEPEST)
        return pcdf_h5_left_out(h, "group %s/%s: more than %d groups are around it", prefix, name, DEEPEST);
    size_t n = strlen(prefix) + strlen(name) + 2;
    char *path = malloc(n);
    if (!path || !pcdf_h5_reserve(&h->groups, h->ngroups, &h->groups_room, sizeof *h->groups)) {
        free(path);
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for the groups of the file");
    }
    snprintf(path, n, h->ngroups ? "%s/%s" : "%s%s", prefix, name);
    char *kept = pcdf_h5_keep(h, path);
    free(path);
    if (!kept)
        return NC_ENOMEM;
    h->groups[h->ngroups++] = (struct pcdf_h5_group){ kept, address, depth };
    return NC_NOERR;
}

/* ---- a data set */

/* Before anything else is asked of it: what lies outside the file must not be looked for. */
static const char *outside(hid_t set)
{
    hid_t plist = H5Dget_create_plist(set);
    const char *reason = NULL;
    if (plist < 0)
        return "its storage cannot be read";
    H5D_layout_t layout = H5Pget_layout(plist);
    if (H5Pget_external_count(plist) != 0)
        reason = "its values lie in other files (external storage)";
    else if (layout == H5D_VIRTUAL)
        reason = "its values lie in other data sets (virtual data set)";
    else if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
        reason = "the way that its values are stored is not known";
    H5Pclose(plist);
    return reason;
}

static int note_shape(struct pcdf_h5 *h, hid_t id, struct pcdf_h5_set *set)
{
    hsize_t shape[PCDF_H5_RANK], most[PCDF_H5_RANK];
    hid_t space = H5Dget_space(id);
    H5S_class_t kind = space < 0 ? H5S_NO_CLASS : H5Sget_simple_extent_type(space);
    set->rank = kind == H5S_SIMPLE ? H5Sget_simple_extent_ndims(space) : 0;
    if (kind == H5S_NULL)
        set->reason = "it has no values";
    bool good = kind != H5S_NO_CLASS && set->rank >= 0 && set->rank <= PCDF_H5_RANK;
    if (good && set->rank > 0)
        good = H5Sget_simple_extent_dims(space, shape, most) == set->rank;
    for (int i = 0; good && i < set->rank; i++) {
        good = shape[i] <= INT64_MAX / 16;
        set->shape[i] = (int64_t)shape[i];
        set->is_unlimited[i] = most[i] == H5S_UNLIMITED;
    }
    if (space >= 0)
        H5Sclose(space);
    return good ? NC_NOERR : pcdf_h5_damaged(h, "the shape of %s/%s", h->groups[set->group].path, set->name);
}

/* A dimension scale (of the HDF5 library "HL", and so of netCDF-4) is a dimension of the group. */
static int note_scale(struct pcdf_h5 *h, hid_t id, struct pcdf_h5_set *set)
{
    char text[64];
    int number = -1;
    bool has_number = pcdf_h5_att_ints(id, "_Netcdf4Dimid", 1, &number) == 1;
    h->is_netcdf4 |= has_number;
    if (!pcdf_h5_att_text(id, "CLASS", text, sizeof text) || strcmp(text, "DIMENSION_SCALE") != 0 ||
        set->rank < 1 || set->reason)
        return NC_NOERR;
    set->is_scale = true;
    set->is_dim_alone = pcdf_h5_att_text(id, "NAME", text, sizeof text) &&
                        strncmp(text, dim_alone, sizeof dim_alone - 1) == 0;
    if (!pcdf_h5_reserve(&h->dims, h->ndims, &h->dims_room, sizeof *h->dims))
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for the dimensions of the file");
    set->own_dim = (int)h->ndims;
    h->dims[h->ndims++] = (struct pcdf_h5_dim){ .group = set->group,
                                                .name = set->name,
                                                .address = set->address,
                                                .length = set->shape[0],
                                                .is_unlimited = set->is_unlimited[0],
                                                .number = has_number && number >= 0 ? number : -1 };
    return NC_NOERR;
}

/* netCDF-C's prefix for a variable that has the name of a dimension, and is not along it. */
static const char *name_of_var(const char *name)
{
    static const char prefix[] = "_nc4_non_coord_";
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static int add_set(struct pcdf_h5 *h, size_t group, const char *name, hid_t id, haddr_t address)
{
    struct pcdf_h5_set set = { .group = (int)group, .address = address, .own_dim = -1 };
    if (!pcdf_h5_reserve(&h->sets, h->nsets, &h->sets_room, sizeof *h->sets))
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for the data sets of the file");
    set.name = pcdf_h5_keep(h, name_of_var(name));
    if (!set.name)
        return NC_ENOMEM;
    set.reason = outside(id);
    int err = set.reason ? NC_NOERR : note_shape(h, id, &set);
    if (!err && !set.reason)
        err = note_scale(h, id, &set);
    if (!err)
        h->sets[h->nsets++] = set;
    return err;
}

/* ---- links */

static int visit_object(struct pcdf_h5 *h, size_t group, const char *name, hid_t object)
{
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0)
        return pcdf_h5_damaged(h, "the object %s/%s", h->groups[group].path, name);
    if (info.type == H5O_TYPE_GROUP)
        return add_group(h, group, name, info.addr);
    if (info.type == H5O_TYPE_DATASET)
        return add_set(h, group, name, object, info.addr);
    return NC_NOERR; /* a type with a name */
}

struct visit {
    struct pcdf_h5 *h;
    size_t group;
};

static herr_t visit_link(hid_t in, const char *name, const H5L_info_t *link, void *context)
{
    const struct visit *v = context;
    struct pcdf_h5 *h = v->h;
    if (link->type != H5L_TYPE_HARD) {
        h->err = pcdf_h5_left_out(h, "%s/%s: a link to elsewhere", h->groups[v->group].path, name);
        return h->err ? -1 : 0;
    }
    hid_t object = H5Oopen(in, name, H5P_DEFAULT);
    h->err = object < 0 ? pcdf_h5_damaged(h, "the object %s/%s", h->groups[v->group].path, name)
                        : visit_object(h, v->group, name, object);
    if (object >= 0)
        H5Oclose(object);
    h->to->alive(h->to->context);
    return h->err ? -1 : 0;
}

static int walk_group(struct pcdf_h5 *h, size_t g)
{
    struct visit visit = { h, g };
    hsize_t at = 0;
    unsigned flags = 0;
    hid_t group = H5Oopen_by_addr(h->file, h->groups[g].address);
    hid_t plist = group < 0 ? -1 : H5Gget_create_plist(group);
    bool good = plist >= 0 && H5Pget_link_creation_order(plist, &flags) >= 0;
    h->err = NC_NOERR;
    if (good)
        good = H5Literate(group, flags & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME,
                          H5_ITER_INC, &at, visit_link, &visit) >= 0;
    if (!good && !h->err)
        h->err = pcdf_h5_damaged(h, "group %s/", h->groups[g].path);
    if (plist >= 0)
        H5Pclose(plist);
    if (group >= 0)
        H5Oclose(group);
    return h->err;
}

int pcdf_h5_walk(struct pcdf_h5 *h)
{
    H5O_info_t info;
    hid_t root = H5Gopen2(h->file, "/", H5P_DEFAULT);
    bool good = root >= 0 && H5Oget_info2(root, &info, H5O_INFO_BASIC) >= 0;
    if (good) {
        h->is_strict = H5Aexists(root, "_nc3_strict") > 0;
        h->is_netcdf4 = h->is_strict || H5Aexists(root, "_NCProperties") > 0;
    }
    if (root >= 0)
        H5Gclose(root);
    int err = good ? add_group(h, 0, "", info.addr) : pcdf_h5_damaged(h, "the root group");
    for (size_t g = 0; !err && g < h->ngroups; g++)
        err = walk_group(h, g);
    return err;
}
