/* A file that is there, such as libnetcdf makes: which data set is which variable or dimension. What is not
 * so is refused, since a put would damage it, or be read as something else. */

#include "h5metafile.h"
#include <stdlib.h>
#include <string.h>
#include "codes.h"

static int refuse(const struct pcdf_h5_meta *m, const char *what, const char *name, const char *why)
{
    return pcdf_h5_meta_fail(m, NC_ENOTSUPPORT, "%s %s: %s, so the file can only be read", what, name, why);
}

/* How many values the attribute has; -1: it is not there. */
static int64_t count_of(hid_t set, const char *name)
{
    hid_t att = H5Aexists(set, name) > 0 ? H5Aopen(set, name, H5P_DEFAULT) : -1;
    hid_t space = att < 0 ? -1 : H5Aget_space(att);
    int64_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (space >= 0)
        H5Sclose(space);
    if (att >= 0)
        H5Aclose(att);
    return n;
}

/* The number in _Netcdf4Dimid; -1: there is none. */
static int number_of(hid_t set)
{
    int number = -1;
    hid_t att = count_of(set, "_Netcdf4Dimid") == 1 ? H5Aopen(set, "_Netcdf4Dimid", H5P_DEFAULT) : -1;
    if (att >= 0) {
        if (H5Aread(att, H5T_NATIVE_INT, &number) < 0)
            number = -1;
        H5Aclose(att);
    }
    return number;
}

static haddr_t address_of(hid_t object)
{
    H5O_info_t info;
    return H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0 ? HADDR_UNDEF : info.addr;
}

static const char second[] = "it can grow, as no dimension but the record dimension can in the classic model";

static const char *wrong_shape(const struct pcdf_h5_meta *m, const struct pcdf_defined_var *v, hid_t set,
                               int64_t *rows)
{
    const struct pcdf_definitions *d = m->now;
    hsize_t shape[H5S_MAX_RANK], most[H5S_MAX_RANK];
    hid_t space = H5Dget_space(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    bool good = rank == v->ndims && (rank == 0 || H5Sget_simple_extent_dims(space, shape, most) == rank);
    if (space >= 0)
        H5Sclose(space);
    for (int i = 0; good && i < rank; i++) {
        const struct pcdf_defined_dim *dim = &d->dims[v->dims[i]];
        if (!dim->is_unlimited && most[i] == H5S_UNLIMITED)
            return second;
        good = dim->is_unlimited ? most[i] == H5S_UNLIMITED
                                 : (int64_t)shape[i] == dim->length && most[i] != H5S_UNLIMITED;
        *rows = dim->is_unlimited ? (int64_t)shape[i] : *rows;
    }
    return good ? NULL : "its shape is not that of its dimensions";
}

static const char *wrong_storage(const struct pcdf_defined_var *v, hid_t list, hid_t set)
{
    static const char another[] = "its values are stored in another way";
    hsize_t chunk[H5S_MAX_RANK];
    bool is_chunked = H5Pget_layout(list) == H5D_CHUNKED;
    if (is_chunked != (v->chunk != NULL) || (!is_chunked && H5Pget_layout(list) != H5D_CONTIGUOUS))
        return another;
    if (!is_chunked) {
        haddr_t offset = H5Dget_offset(set);
        return H5Pget_external_count(list) == 0 && offset == (v->place > 0 ? (haddr_t)v->place : HADDR_UNDEF)
                   ? NULL
                   : another;
    }
    if (H5Pget_chunk(list, H5S_MAX_RANK, chunk) != v->ndims || H5Pget_nfilters(list) != v->ncodecs)
        return another;
    for (int i = 0; i < v->ndims; i++)
        if ((int64_t)chunk[i] != v->chunk[i])
            return another;
    for (int i = 0; i < v->ncodecs; i++) {
        unsigned flags, config;
        size_t none = 0;
        if (H5Pget_filter2(list, (unsigned)i, &flags, &none, NULL, 0, NULL, &config) !=
            pcdf_h5_filter_of(v->codecs[i].id))
            return another;
    }
    return NULL;
}

/* One byte has no order, whatever its type says. */
static bool has_type(hid_t type, const struct pcdf_defined_var *v)
{
    bool is_char = H5Tget_class(type) == H5T_STRING && H5Tget_size(type) == 1;
    if (v->type == NC_CHAR)
        return is_char;
    hid_t wanted = pcdf_h5_file_type(v), found = H5Tcopy(type);
    bool good = wanted >= 0 && found >= 0 && !is_char;
    if (good && H5Tget_size(found) == 1)
        good = H5Tset_order(found, H5Tget_order(wanted)) >= 0;
    good = good && H5Tequal(found, wanted) > 0;
    if (wanted >= 0)
        H5Tclose(wanted);
    if (found >= 0)
        H5Tclose(found);
    return good;
}

static const char *wrong_type(hid_t type, const struct pcdf_defined_var *v)
{
    if (has_type(type, v))
        return NULL;
    switch (H5Tget_class(type)) {
    case H5T_STRING:
        return H5Tis_variable_str(type) > 0 ? "its values are texts of any length (NC_STRING)"
                                            : "its values are texts longer than one character";
    case H5T_INTEGER:
    case H5T_FLOAT:
        return "its values have another type or order of bytes";
    default:
        return "its values have a type that somebody defined";
    }
}

static const char *wrong_var(const struct pcdf_h5_meta *m, int number, hid_t set)
{
    const struct pcdf_defined_var *v = &m->now->vars[number];
    struct pcdf_h5_stored *stored = &m->vars[number];
    hid_t type = H5Dget_type(set), list = H5Dget_create_plist(set);
    const char *why = "it is damaged";
    if (type >= 0 && list >= 0) {
        why = wrong_type(type, v);
        if (!why)
            why = wrong_shape(m, v, set, &stored->rows);
        if (!why)
            why = wrong_storage(v, list, set);
    }
    if (!why && (count_of(set, "CLASS") == 1) != (stored->scale >= 0))
        why = "it is no scale, or one of another dimension";
    if (!why && stored->scale >= 0 && number_of(set) >= 0 && number_of(set) != stored->scale)
        why = "its dimension has another number";
    if (type >= 0)
        H5Tclose(type);
    if (list >= 0)
        H5Pclose(list);
    return why;
}

/* No chunk has a higher number than the rows that there are allow. */
static int64_t newest_of(const struct pcdf_h5_meta *m, const struct pcdf_defined_var *v, int64_t rows)
{
    int64_t n = 1;
    for (int i = 0; v->chunk && i < v->ndims; i++) {
        const struct pcdf_defined_dim *dim = &m->now->dims[v->dims[i]];
        int64_t length = dim->is_unlimited ? rows : dim->length;
        if (__builtin_mul_overflow(n, length / v->chunk[i] + (length % v->chunk[i] != 0), &n))
            return INT64_MAX;
    }
    return n - 1;
}

static int adopt_var(struct pcdf_h5_meta *m, int number)
{
    const struct pcdf_defined_var *v = &m->now->vars[number];
    struct pcdf_h5_stored *stored = &m->vars[number];
    hid_t set = H5Dopen2(m->file, stored->link, H5P_DEFAULT);
    const char *why = set < 0 ? "it is not there" : wrong_var(m, number, set);
    if (why) {
        if (set >= 0)
            H5Dclose(set);
        return refuse(m, "variable", v->name, why);
    }
    stored->address = address_of(set);
    stored->has_list = count_of(set, "DIMENSION_LIST") >= 0;
    stored->newest = newest_of(m, v, stored->rows);
    if (stored->scale >= 0) {
        int64_t n = count_of(set, "REFERENCE_LIST");
        m->scales[stored->scale].address = stored->address;
        m->scales[stored->scale].nrefs = n < 0 ? 0 : n;
    } else {
        m->is_mixed |= number_of(set) >= 0;
    }
    H5Dclose(set);
    return NC_NOERR;
}

static int adopt_dim(struct pcdf_h5_meta *m, int d)
{
    const struct pcdf_defined_dim *dim = &m->now->dims[d];
    struct pcdf_h5_scale *scale = &m->scales[d];
    hsize_t length = 0, most = 0;
    hid_t set = H5Dopen2(m->file, dim->name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                H5Sget_simple_extent_dims(space, &length, &most) == 1 && count_of(set, "CLASS") == 1 &&
                (number_of(set) < 0 || number_of(set) == d);
    bool is_second = good && !dim->is_unlimited && most == H5S_UNLIMITED;
    good = good && !is_second && (dim->is_unlimited ? most == H5S_UNLIMITED : (int64_t)length == dim->length);
    if (good) {
        int64_t n = count_of(set, "REFERENCE_LIST");
        scale->address = address_of(set);
        scale->rows = (int64_t)length;
        scale->nrefs = n < 0 ? 0 : n;
    }
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0)
        H5Dclose(set);
    return good ? NC_NOERR
                : refuse(m, "dimension", dim->name,
                         is_second ? second : "it has no scale as libnetcdf makes it");
}

/* ---- what else is in the file */

struct search {
    const struct pcdf_h5_meta *m;
    const char **names; /* those that are known */
    size_t n;
    int err;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    struct search *s = context;
    static const char why[] = "it is not in the classic model";
    (void)info;
    if (bsearch(&name, s->names, s->n, sizeof *s->names, compare_names))
        return 0;
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
    s->err = refuse(s->m,
                    type == H5I_GROUP      ? "group"
                    : type == H5I_DATATYPE ? "type"
                    : type == H5I_DATASET  ? "variable"
                                           : "link",
                    name, why);
    if (object >= 0)
        H5Oclose(object);
    return -1;
}

static int check_rest(const struct pcdf_h5_meta *m)
{
    struct search s = { .m = m };
    s.names = malloc(((size_t)m->now->ndims + (size_t)m->now->nvars + 1) * sizeof *s.names);
    if (!s.names)
        return pcdf_h5_meta_fail(m, NC_ENOMEM, "no memory for the definitions");
    for (int v = 0; v < m->now->nvars; v++)
        s.names[s.n++] = m->vars[v].link;
    for (int d = 0; d < m->now->ndims; d++)
        if (m->scales[d].var < 0)
            s.names[s.n++] = m->now->dims[d].name;
    qsort(s.names, s.n, sizeof *s.names, compare_names);
    if (H5Literate(m->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_link, &s) < 0 && !s.err)
        s.err = pcdf_h5_meta_refused(m, "this file", "");
    free(s.names);
    return s.err;
}

int pcdf_h5_adopt(struct pcdf_h5_meta *m, const struct pcdf_definitions *is)
{
    int err = pcdf_h5_find_names(m, is);
    if (err)
        return err;
    m->now = is;
    for (int d = 0; d < is->ndims && !err; d++)
        if (m->scales[d].var < 0)
            err = adopt_dim(m, d);
    for (int v = 0; v < is->nvars && !err; v++)
        err = adopt_var(m, v);
    return err ? err : check_rest(m);
}
