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

/* ---- an open attribute */

struct pcdf_h5_att pcdf_h5_att_open(hid_t object, const char *name)
{
    struct pcdf_h5_att a = { -1, -1, -1, -1 };
    a.id = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    if (a.id >= 0) {
        a.type = H5Aget_type(a.id);
        a.space = H5Aget_space(a.id);
    }
    if (a.type >= 0 && a.space >= 0)
        a.n = H5Sget_simple_extent_npoints(a.space);
    return a;
}

void pcdf_h5_att_close(const struct pcdf_h5_att *a)
{
    if (a->space >= 0)
        H5Sclose(a->space);
    if (a->type >= 0)
        H5Tclose(a->type);
    if (a->id >= 0)
        H5Aclose(a->id);
}

/* ---- those that say how the file is made */

int pcdf_h5_att_ints(hid_t object, const char *name, int n, int *values)
{
    struct pcdf_h5_att a = pcdf_h5_att_open(object, name);
    int found = -1;
    if (a.n >= 0 && a.n <= n) {
        struct pcdf_h5_type t = pcdf_h5_type_of(a.type);
        bool good =
            !t.reason && t.stored == PCDF_STORED_INT && t.size == 4 && H5Aread(a.id, a.type, values) >= 0;
        if (good)
            pcdf_h5_to_native(&t, values, a.n);
        found = good ? (int)a.n : -1;
    }
    pcdf_h5_att_close(&a);
    return found;
}

bool pcdf_h5_att_text(hid_t object, const char *name, char *text, size_t room)
{
    char all[256] = "";
    struct pcdf_h5_att a = pcdf_h5_att_open(object, name);
    bool good = a.n == 1 && H5Tget_class(a.type) == H5T_STRING && H5Tis_variable_str(a.type) == 0 &&
                H5Tget_size(a.type) < sizeof all && H5Aread(a.id, a.type, all) >= 0;
    if (good)
        strncpy(text, all, room - 1)[room - 1] = '\0';
    pcdf_h5_att_close(&a);
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

static int give_varying(const struct owner *o, const char *name, const struct pcdf_h5_att *a,
                        struct pcdf_h5_type t)
{
    struct pcdf_h5 *h = o->h;
    char **texts = calloc((size_t)a->n + 1, sizeof *texts);
    if (!texts)
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for attribute %s", name);
    if (a->n > 0 && H5Aread(a->id, a->type, texts) < 0) {
        free(texts);
        return pcdf_h5_damaged(h, "attribute %s of %s/%s", name, o->group, o->name);
    }
    char *rows = pcdf_h5_rows(texts, a->n, MOST_BYTES, &t.size);
    int err =
        rows ? give(o, name, &t, a->n, rows)
             : pcdf_h5_left_out(h, "attribute %s of %s/%s: its texts are too long", name, o->group, o->name);
    if (a->n > 0)
        H5Dvlen_reclaim(a->type, a->space, H5P_DEFAULT, texts);
    free(rows);
    free(texts);
    return err;
}

static int give_fixed(const struct owner *o, const char *name, const struct pcdf_h5_att *a,
                      const struct pcdf_h5_type *t)
{
    struct pcdf_h5 *h = o->h;
    void *values = calloc((size_t)a->n + 1, (size_t)t->size);
    if (!values)
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for attribute %s", name);
    int err = a->n > 0 && H5Aread(a->id, a->type, values) < 0
                  ? pcdf_h5_damaged(h, "attribute %s of %s/%s", name, o->group, o->name)
                  : NC_NOERR;
    if (!err) {
        pcdf_h5_to_native(t, values, a->n);
        err = give(o, name, t, a->n, values);
    }
    free(values);
    return err;
}

static int add_att(const struct owner *o, hid_t object, const char *name)
{
    struct pcdf_h5 *h = o->h;
    struct pcdf_h5_att a = pcdf_h5_att_open(object, name);
    struct pcdf_h5_type t = { .reason = NULL };
    int err;
    if (a.n >= 0)
        t = pcdf_h5_type_of(a.type);
    if (a.n < 0)
        err = pcdf_h5_damaged(h, "attribute %s of %s/%s", name, o->group, o->name);
    else if (t.reason)
        err = pcdf_h5_left_out(h, "attribute %s of %s/%s: %s", name, o->group, o->name, t.reason);
    else if (a.n > MOST_BYTES / t.size)
        err = pcdf_h5_left_out(h, "attribute %s of %s/%s: it is longer than 16 MiB", name, o->group, o->name);
    else
        err = t.is_varying ? give_varying(o, name, &a, t) : give_fixed(o, name, &a, &t);
    pcdf_h5_att_close(&a);
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
