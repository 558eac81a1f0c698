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

static int rewrite(const struct pcdf_h5_meta *m, hid_t object, const struct pcdf_defined_att *from,
                   const struct pcdf_defined_att *to)
{
    if (to->n == 0 || memcmp(from->values, to->values, (size_t)to->n * size_of(to->type)) == 0)
        return NC_NOERR;
    hid_t att = H5Aopen(object, to->name, H5P_DEFAULT);
    hid_t type = att < 0 ? -1 : H5Aget_type(att), space = att < 0 ? -1 : H5Aget_space(att);
    hid_t wanted = to->type == NC_CHAR ? text_type((size_t)to->n) : H5Tcopy(pcdf_h5_memory_type(to->type));
    bool is_ours = type >= 0 && space >= 0 && wanted >= 0 && H5Tequal(type, wanted) > 0 &&
                   H5Sget_simple_extent_npoints(space) == (to->type == NC_CHAR ? 1 : to->n);
    int err = is_ours && H5Awrite(att, type, to->values) < 0 ? -1 : 0;
    if (wanted >= 0)
        H5Tclose(wanted);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (att >= 0)
        H5Aclose(att);
    if (!is_ours) /* others store texts and numbers in more ways */
        return pcdf_h5_put_att(m, object, to);
    return err ? pcdf_h5_meta_refused(m, "attribute", to->name) : NC_NOERR;
}

/* From the first one on that is another, all are made anew: so they keep their order, by which netCDF numbers
 * them. */
int pcdf_h5_change_atts(const struct pcdf_h5_meta *m, hid_t object, int nfrom,
                        const struct pcdf_defined_att *from, int nto, const struct pcdf_defined_att *to)
{
    int first = 0, err = NC_NOERR;
    for (; first < nfrom && first < nto && is_alike(&from[first], &to[first]) && !err; first++)
        err = rewrite(m, object, &from[first], &to[first]);
    for (int i = first; i < nfrom && !err; i++)
        if (H5Adelete(object, from[i].name) < 0)
            err = pcdf_h5_meta_refused(m, "attribute", from[i].name);
    for (int i = first; i < nto && !err; i++)
        err = pcdf_h5_put_att(m, object, &to[i]);
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
