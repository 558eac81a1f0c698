/* Attributes, as netCDF-C writes them: a text is one scalar, other values are a list, and nothing is an empty
 * space. */

#include "h5metafile.h"
#include <stdlib.h>
#include <string.h>
#include "codes.h"

hid_t pcdf_h5_memory_type(int type)
{
    switch (type) {
    case NC_CHAR:
        return H5T_C_S1;
    case NC_BYTE:
        return H5T_NATIVE_INT8;
    case NC_UBYTE:
        return H5T_NATIVE_UINT8;
    case NC_SHORT:
        return H5T_NATIVE_INT16;
    case NC_USHORT:
        return H5T_NATIVE_UINT16;
    case NC_INT:
        return H5T_NATIVE_INT32;
    case NC_UINT:
        return H5T_NATIVE_UINT32;
    case NC_INT64:
        return H5T_NATIVE_INT64;
    case NC_UINT64:
        return H5T_NATIVE_UINT64;
    case NC_FLOAT:
        return H5T_NATIVE_FLOAT;
    case NC_DOUBLE:
        return H5T_NATIVE_DOUBLE;
    default:
        return -1;
    }
}

hid_t pcdf_h5_file_type(const struct pcdf_defined_var *v)
{
    hid_t type = H5Tcopy(pcdf_h5_memory_type(v->type));
    if (type >= 0 && v->is_big_endian && v->type != NC_CHAR && H5Tset_order(type, H5T_ORDER_BE) < 0) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

/* Makes an attribute, and writes it where it has values. 0; -1. */
static int put(hid_t object, const char *name, hid_t type, hid_t space, const void *values)
{
    hid_t att = type < 0 || space < 0 ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int err = att < 0 || (values && H5Awrite(att, type, values) < 0) ? -1 : 0;
    if (att >= 0 && H5Aclose(att) < 0)
        err = -1;
    return err;
}

static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, size) < 0) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static int put_and_close(hid_t object, const char *name, hid_t type, hid_t space, const void *values)
{
    int err = put(object, name, type, space, values);
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return err;
}

static hid_t space_of(hsize_t n)
{
    return n > 0 ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_NULL);
}

/* What is there under the name goes first. */
static int take_away(hid_t object, const char *name)
{
    htri_t is_there = H5Aexists(object, name);
    return is_there < 0 || (is_there > 0 && H5Adelete(object, name) < 0) ? -1 : 0;
}

int pcdf_h5_put_att(const struct pcdf_h5_meta *m, hid_t object, const struct pcdf_defined_att *att)
{
    int err = take_away(object, att->name);
    if (err)
        return pcdf_h5_meta_refused(m, "attribute", att->name);
    if (att->type == NC_CHAR)
        err = put_and_close(object, att->name, text_type(att->n > 0 ? (size_t)att->n : 1),
                            H5Screate(att->n > 0 ? H5S_SCALAR : H5S_NULL), att->n > 0 ? att->values : NULL);
    else
        err = put_and_close(object, att->name, H5Tcopy(pcdf_h5_memory_type(att->type)),
                            space_of((hsize_t)att->n), att->n > 0 ? att->values : NULL);
    return err ? pcdf_h5_meta_refused(m, "attribute", att->name) : NC_NOERR;
}

static size_t size_of(int type)
{
    return H5Tget_size(pcdf_h5_memory_type(type));
}

/* Are they alike but for the values? */
static bool is_alike(const struct pcdf_defined_att *a, const struct pcdf_defined_att *b)
{
    return a->type == b->type && a->n == b->n && strcmp(a->name, b->name) == 0;
}

static bool is_equal(const struct pcdf_defined_att *a, const struct pcdf_defined_att *b)
{
    return a->type == b->type && a->n == b->n &&
           (a->n == 0 || memcmp(a->values, b->values, (size_t)a->n * size_of(a->type)) == 0);
}

/* Is it stored as we store it? Others do it in more ways. */
static bool is_ours(hid_t att, const struct pcdf_defined_att *is)
{
    hid_t type = H5Aget_type(att), space = H5Aget_space(att);
    hid_t wanted = is->type == NC_CHAR ? text_type(is->n > 0 ? (size_t)is->n : 1)
                                       : H5Tcopy(pcdf_h5_memory_type(is->type));
    bool good = type >= 0 && space >= 0 && wanted >= 0 && H5Tequal(type, wanted) > 0 &&
                H5Sget_simple_extent_npoints(space) == (is->type == NC_CHAR && is->n > 0 ? 1 : is->n);
    if (wanted >= 0)
        H5Tclose(wanted);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return good;
}

/* Other values of the same type and number. *is_done: it was possible. */
static int rewrite(const struct pcdf_h5_meta *m, hid_t object, const struct pcdf_defined_att *from,
                   const struct pcdf_defined_att *to, bool *is_done)
{
    *is_done = is_alike(from, to);
    if (!*is_done || is_equal(from, to))
        return NC_NOERR;
    hid_t att = H5Aopen(object, to->name, H5P_DEFAULT);
    if (att < 0)
        return pcdf_h5_meta_refused(m, "attribute", to->name);
    hid_t type = H5Aget_type(att);
    *is_done = is_ours(att, to);
    int err = *is_done && H5Awrite(att, type, to->values) < 0 ? -1 : 0;
    if (type >= 0)
        H5Tclose(type);
    H5Aclose(att);
    return err ? pcdf_h5_meta_refused(m, "attribute", to->name) : NC_NOERR;
}

/* ---- what is made anew, and stays as others stored it */

struct kept { /* type -1: nothing */
    hid_t type, space;
    void *values;
};

static void free_kept(struct kept *k)
{
    if (k->type >= 0 && k->space >= 0 && k->values)
        H5Dvlen_reclaim(k->type, k->space, H5P_DEFAULT, k->values);
    free(k->values);
    if (k->space >= 0)
        H5Sclose(k->space);
    if (k->type >= 0)
        H5Tclose(k->type);
}

/* 0; -1. */
static int keep(hid_t object, const char *name, struct kept *k)
{
    hid_t att = H5Aopen(object, name, H5P_DEFAULT);
    k->type = att < 0 ? -1 : H5Aget_type(att);
    k->space = att < 0 ? -1 : H5Aget_space(att);
    hssize_t n = k->space < 0 ? -1 : H5Sget_simple_extent_npoints(k->space);
    size_t size = k->type < 0 ? 0 : H5Tget_size(k->type);
    int err = n < 0 || size == 0 ? -1 : 0;
    if (!err && n > 0)
        err = (k->values = calloc((size_t)n, size)) && H5Aread(att, k->type, k->values) >= 0 ? 0 : -1;
    if (att >= 0)
        H5Aclose(att);
    return err;
}

/* The attribute of before that has its values: of its name, or else the one in its place. -1: none. */
static int find_old(int nfrom, const struct pcdf_defined_att *from, const struct pcdf_defined_att *to, int at)
{
    for (int i = 0; i < nfrom; i++)
        if (strcmp(from[i].name, to->name) == 0)
            return is_equal(&from[i], to) ? i : -1;
    return at < nfrom && is_equal(&from[at], to) ? at : -1;
}

struct change {
    const struct pcdf_h5_meta *m;
    hid_t object;
    int nfrom, nto;
    const struct pcdf_defined_att *from, *to;
};

/* Those behind `first`. */
static int make_anew(const struct change *c, int first, struct kept *kept)
{
    int err = NC_NOERR;
    for (int i = first; i < c->nto && !err; i++) {
        int old = find_old(c->nfrom, c->from, &c->to[i], i);
        if (old >= first && keep(c->object, c->from[old].name, &kept[i]))
            err = pcdf_h5_meta_refused(c->m, "attribute", c->to[i].name);
    }
    for (int i = first; i < c->nfrom && !err; i++)
        if (H5Adelete(c->object, c->from[i].name) < 0)
            err = pcdf_h5_meta_refused(c->m, "attribute", c->from[i].name);
    for (int i = first; i < c->nto && !err; i++)
        if (kept[i].type < 0)
            err = pcdf_h5_put_att(c->m, c->object, &c->to[i]);
        else if (put(c->object, c->to[i].name, kept[i].type, kept[i].space, kept[i].values))
            err = pcdf_h5_meta_refused(c->m, "attribute", c->to[i].name);
    return err;
}

/* From the first one on that is another, all are made anew: so they keep their order, by which netCDF numbers
 * them. */
int pcdf_h5_change_atts(const struct pcdf_h5_meta *m, hid_t object, int nfrom,
                        const struct pcdf_defined_att *from, int nto, const struct pcdf_defined_att *to)
{
    const struct change c = { m, object, nfrom, nto, from, to };
    int first = 0, err = NC_NOERR;
    for (bool is_done = true; first < nfrom && first < nto && !err; first++) {
        err = rewrite(m, object, &from[first], &to[first], &is_done);
        if (!is_done)
            break;
    }
    if (err || (first == nfrom && first == nto))
        return err;
    struct kept *kept = malloc(((size_t)nto + 1) * sizeof *kept);
    if (!kept)
        return pcdf_h5_meta_fail(m, NC_ENOMEM, "no memory for the attributes");
    for (int i = 0; i < nto; i++)
        kept[i] = (struct kept){ -1, -1, NULL };
    err = make_anew(&c, first, kept);
    for (int i = 0; i < nto; i++)
        free_kept(&kept[i]);
    free(kept);
    return err;
}

/* ---- of netCDF-4 itself */

int pcdf_h5_put_text(hid_t object, const char *name, const char *text, bool has_end)
{
    return take_away(object, name)
               ? -1
               : put_and_close(object, name, text_type(strlen(text) + has_end), H5Screate(H5S_SCALAR), text);
}

int pcdf_h5_put_ints(hid_t object, const char *name, int n, const int *values)
{
    return take_away(object, name) ? -1
                                   : put_and_close(object, name, H5Tcopy(H5T_NATIVE_INT),
                                                   n ? space_of((hsize_t)n) : H5Screate(H5S_SCALAR), values);
}

int pcdf_h5_put_list(hid_t object, int n, const haddr_t *scales)
{
    hobj_ref_t references[H5S_MAX_RANK];
    hvl_t lists[H5S_MAX_RANK];
    for (int i = 0; i < n; i++) {
        references[i] = scales[i];
        lists[i] = (hvl_t){ 1, &references[i] };
    }
    return take_away(object, "DIMENSION_LIST")
               ? -1
               : put_and_close(object, "DIMENSION_LIST", H5Tvlen_create(H5T_STD_REF_OBJ),
                               space_of((hsize_t)n), lists);
}

int pcdf_h5_put_references(hid_t scale, hsize_t n, const struct pcdf_h5_reference *references)
{
    hid_t type;
    if (take_away(scale, "REFERENCE_LIST"))
        return -1;
    if (n == 0)
        return 0;
    type = H5Tcreate(H5T_COMPOUND, sizeof *references);
    if (type < 0 ||
        H5Tinsert(type, "dataset", HOFFSET(struct pcdf_h5_reference, data_set), H5T_STD_REF_OBJ) < 0 ||
        H5Tinsert(type, "dimension", HOFFSET(struct pcdf_h5_reference, dimension), H5T_NATIVE_INT) < 0)
        return -1;
    return put_and_close(scale, "REFERENCE_LIST", type, space_of(n), references);
}
