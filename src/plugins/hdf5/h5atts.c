/* Attributes of groups and data sets. Those that netCDF-4 keeps for itself are not shown. */

#include "h5file.h"
#include <stdlib.h>
#include <string.h>
#include "codes.h"

enum { MOST_BYTES = 1 << 24 };

static bool is_hidden(const char *name, bool is_scale)
{
    static const char *const always[] = { "DIMENSION_LIST",      "REFERENCE_LIST", "_Netcdf4Dimid",
                                          "_Netcdf4Coordinates", "_nc3_strict",    "_NCProperties" };
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!strcmp(name, always[i]))
            return true;
    return is_scale && (!strcmp(name, "CLASS") || !strcmp(name, "NAME"));
}

/* ---- those that say how the file is made */

int pcdf_h5_att_ints(hid_t object, const char *name, int n, int *values)
{
    hid_t att = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    hid_t type = att < 0 ? -1 : H5Aget_type(att), space = att < 0 ? -1 : H5Aget_space(att);
    hssize_t there = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    int found = -1;
    if (type >= 0 && there >= 0 && there <= n) {
        struct pcdf_h5_type t = pcdf_h5_type_of(type);
        bool good = !t.flaw && t.stored == PCDF_STORED_INT && t.size == 4 && H5Aread(att, type, values) >= 0;
        if (good)
            pcdf_h5_to_native(&t, values, there);
        found = good ? (int)there : -1;
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (att >= 0)
        H5Aclose(att);
    return found;
}

bool pcdf_h5_att_text(hid_t object, const char *name, char *text, size_t room)
{
    char all[256] = "";
    hid_t att = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    hid_t type = att < 0 ? -1 : H5Aget_type(att), space = att < 0 ? -1 : H5Aget_space(att);
    bool good = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
                H5Tis_variable_str(type) == 0 && H5Tget_size(type) < sizeof all &&
                H5Sget_simple_extent_npoints(space) == 1 && H5Aread(att, type, all) >= 0;
    if (good)
        strncpy(text, all, room - 1)[room - 1] = '\0';
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (att >= 0)
        H5Aclose(att);
    return good;
}

/* ---- those of the user */

struct owner {
    struct pcdf_h5 *h;
    const char *group;
    int var;
    const char *name; /* of the variable */
    bool is_scale;
};

static int give(const struct owner *o, const char *name, const struct pcdf_h5_type *type, int64_t n,
                const void *values)
{
    struct pcdf_map_values v = { (int)type->stored, type->size, n, values };
    return o->h->to->att(o->h->to->context, o->group, o->var, name, &v);
}

static int give_varying(const struct owner *o, const char *name, hid_t att, hid_t type, hid_t space,
                        struct pcdf_h5_type t, int64_t n)
{
    struct pcdf_h5 *h = o->h;
    char **texts = calloc((size_t)n + 1, sizeof *texts);
    if (!texts)
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for attribute %s", name);
    if (n > 0 && H5Aread(att, type, texts) < 0) {
        free(texts);
        return pcdf_h5_damaged(h, "attribute %s of %s/%s", name, o->group, o->name);
    }
    char *rows = pcdf_h5_rows(texts, n, MOST_BYTES, &t.size);
    int err =
        rows ? give(o, name, &t, n, rows)
             : pcdf_h5_left_out(h, "attribute %s of %s/%s: its texts are too long", name, o->group, o->name);
    if (n > 0)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
    free(rows);
    free(texts);
    return err;
}

static int give_fixed(const struct owner *o, const char *name, hid_t att, hid_t type,
                      const struct pcdf_h5_type *t, int64_t n)
{
    struct pcdf_h5 *h = o->h;
    void *values = calloc((size_t)n + 1, (size_t)t->size);
    if (!values)
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for attribute %s", name);
    int err = n > 0 && H5Aread(att, type, values) < 0
                  ? pcdf_h5_damaged(h, "attribute %s of %s/%s", name, o->group, o->name)
                  : NC_NOERR;
    if (!err) {
        pcdf_h5_to_native(t, values, n);
        err = give(o, name, t, n, values);
    }
    free(values);
    return err;
}

static int add_att(const struct owner *o, hid_t object, const char *name)
{
    struct pcdf_h5 *h = o->h;
    hid_t att = H5Aopen(object, name, H5P_DEFAULT), type = att < 0 ? -1 : H5Aget_type(att),
          space = att < 0 ? -1 : H5Aget_space(att);
    hssize_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    int err;
    if (type < 0 || n < 0) {
        err = pcdf_h5_damaged(h, "attribute %s of %s/%s", name, o->group, o->name);
    } else {
        struct pcdf_h5_type t = pcdf_h5_type_of(type);
        if (t.flaw)
            err = pcdf_h5_left_out(h, "attribute %s of %s/%s: %s", name, o->group, o->name, t.flaw);
        else if (n > MOST_BYTES / t.size)
            err = pcdf_h5_left_out(h, "attribute %s of %s/%s: it is longer than 16 MiB", name, o->group,
                                   o->name);
        else
            err = t.is_varying ? give_varying(o, name, att, type, space, t, n)
                               : give_fixed(o, name, att, type, &t, n);
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (att >= 0)
        H5Aclose(att);
    return err;
}

static herr_t visit(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
    const struct owner *o = context;
    (void)info;
    o->h->err = is_hidden(name, o->is_scale) ? NC_NOERR : add_att(o, object, name);
    return o->h->err ? -1 : 0;
}

int pcdf_h5_atts(struct pcdf_h5 *h, hid_t object, const char *group, int var, const char *name, bool is_scale)
{
    struct owner o = { h, group, var, name, is_scale };
    hsize_t at = 0;
    h->err = NC_NOERR;
    if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, &at, visit, &o) < 0 && !h->err)
        h->err = pcdf_h5_damaged(h, "the attributes of %s/%s", group, name);
    return h->err;
}
