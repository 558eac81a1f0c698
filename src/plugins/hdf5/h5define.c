/* Definitions become data sets, as netCDF-C makes them: each dimension has a scale, which is the variable of
 * its name along it, or a data set of its own without values. Later definitions change what there is. */

#include "h5metafile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "codes.h"

static const char prefix[] = "_nc4_non_coord_";
static const char dim_alone[] = "This is a netCDF dimension but not a netCDF variable.";

struct pass { /* one change */
    struct pcdf_h5_meta *m;
    const struct pcdf_definitions *to;
    int nold_dims, nold_vars;
    int *owner;          /* of each dimension: the variable that is its scale; -1 */
    const char **sorted; /* names of dimensions */
    bool is_mixed;       /* variables say their first dimension by number */
    bool has_turned;     /* a variable became a scale, or is none any more */
};

static int refused(const struct pass *p, const char *what, const char *name)
{
    return pcdf_h5_meta_refused(p->m, what, name);
}

static int no_memory(const struct pass *p)
{
    return pcdf_h5_meta_fail(p->m, NC_ENOMEM, "no memory for the definitions");
}

/* ---- names */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int scale_of(const struct pass *p, int var)
{
    const struct pcdf_defined_var *v = &p->to->vars[var];
    return v->ndims > 0 && p->owner[v->dims[0]] == var ? v->dims[0] : -1;
}

/* A variable with the name of a dimension whose scale it is not has another name in the file. */
static char *link_of(const struct pass *p, int var)
{
    const char *name = p->to->vars[var].name;
    bool is_other = scale_of(p, var) < 0 &&
                    bsearch(&name, p->sorted, (size_t)p->to->ndims, sizeof *p->sorted, compare_names);
    size_t n = strlen(name) + sizeof prefix;
    char *link = malloc(n);
    if (link)
        snprintf(link, n, "%s%s", is_other ? prefix : "", name);
    return link;
}

/* ---- a new data set */

/* What all have: attributes in the order in which they are made, and no times. */
static hid_t plain_list(void)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list >= 0 && (H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) < 0 ||
                      H5Pset_obj_track_times(list, 0) < 0)) {
        H5Pclose(list);
        return -1;
    }
    return list;
}

int pcdf_h5_filter_of(int codec)
{
    static const struct {
        int codec, filter;
    } filters[] = { { PCDF_CODEC_ZLIB, H5Z_FILTER_DEFLATE },
                    { PCDF_CODEC_SHUFFLE, H5Z_FILTER_SHUFFLE },
                    { PCDF_CODEC_FLETCHER32, H5Z_FILTER_FLETCHER32 },
                    { PCDF_CODEC_SZIP, H5Z_FILTER_SZIP },
                    { PCDF_CODEC_BZIP2, 307 },
                    { PCDF_CODEC_BLOSC, 32001 },
                    { PCDF_CODEC_LZ4_HDF5, 32004 },
                    { PCDF_CODEC_ZSTD, 32015 } };
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (filters[i].codec == codec)
            return filters[i].filter;
    return -1;
}

static herr_t set_filter(hid_t list, const struct pcdf_map_codec *c)
{
    int filter = pcdf_h5_filter_of(c->id);
    switch (c->id) {
    case PCDF_CODEC_ZLIB:
        return H5Pset_deflate(list, c->params[0]);
    case PCDF_CODEC_SHUFFLE:
        return H5Pset_shuffle(list);
    case PCDF_CODEC_FLETCHER32:
        return H5Pset_fletcher32(list);
    case PCDF_CODEC_SZIP:
        return H5Pset_szip(list, c->params[0], c->params[1]);
    default:
        return filter < 0 ? -1
                          : H5Pset_filter(list, filter, H5Z_FLAG_OPTIONAL, (size_t)c->nparams, c->params);
    }
}

static hid_t list_of(const struct pcdf_defined_var *v)
{
    hsize_t chunk[H5S_MAX_RANK];
    hid_t list = plain_list();
    bool good = list >= 0 && (v->fill ? H5Pset_fill_value(list, pcdf_h5_memory_type(v->type), v->fill)
                                      : H5Pset_fill_time(list, H5D_FILL_TIME_NEVER)) >= 0;
    for (int i = 0; v->chunk && i < v->ndims; i++)
        chunk[i] = (hsize_t)v->chunk[i];
    if (good && v->chunk)
        good = H5Pset_chunk(list, v->ndims, chunk) >= 0;
    for (int i = 0; good && i < v->ncodecs; i++)
        good = set_filter(list, &v->codecs[i]) >= 0;
    if (!good && list >= 0)
        H5Pclose(list);
    return good ? list : -1;
}

/* With `rows` records. */
static void shape_of(const struct pcdf_definitions *d, const struct pcdf_defined_var *v, int64_t rows,
                     hsize_t *shape, hsize_t *most)
{
    for (int i = 0; i < v->ndims; i++) {
        const struct pcdf_defined_dim *dim = &d->dims[v->dims[i]];
        shape[i] = (hsize_t)(dim->is_unlimited ? rows : dim->length);
        most[i] = dim->is_unlimited ? H5S_UNLIMITED : shape[i];
    }
}

static haddr_t address_of(hid_t object)
{
    H5O_info_t info;
    return H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0 ? HADDR_UNDEF : info.addr;
}

/* Closes the list and the space, and tells where the data set is. -1: it was not made. */
static hid_t make_set(const struct pass *p, const char *link, hid_t type, hid_t space, hid_t list,
                      haddr_t *address)
{
    hid_t set = space < 0 || list < 0 || type < 0
                    ? -1
                    : H5Dcreate2(p->m->file, link, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (list >= 0)
        H5Pclose(list);
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0 && (*address = address_of(set)) == HADDR_UNDEF) {
        H5Dclose(set);
        set = -1;
    }
    return set;
}

/* ---- what makes a data set a scale */

static int put_scale(hid_t set, const char *name, int dim)
{
    return pcdf_h5_put_text(set, "CLASS", "DIMENSION_SCALE", true) ||
                   pcdf_h5_put_text(set, "NAME", name, true) ||
                   pcdf_h5_put_ints(set, "_Netcdf4Dimid", 0, &dim)
               ? -1
               : 0;
}

static int take_scale(hid_t set)
{
    static const char *const names[] = { "CLASS", "NAME", "_Netcdf4Dimid", "REFERENCE_LIST" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        htri_t is_there = H5Aexists(set, names[i]);
        if (is_there < 0 || (is_there > 0 && H5Adelete(set, names[i]) < 0))
            return -1;
    }
    return 0;
}

static int make_dim(const struct pass *p, int d)
{
    const struct pcdf_defined_dim *dim = &p->to->dims[d];
    struct pcdf_h5_scale *scale = &p->m->scales[d];
    hsize_t length = dim->is_unlimited ? 0 : (hsize_t)dim->length, one = 1, most = H5S_UNLIMITED;
    char name[sizeof dim_alone + 24];
    hid_t list = plain_list();
    if (list >= 0 && dim->is_unlimited && H5Pset_chunk(list, 1, &one) < 0)
        return refused(p, "dimension", dim->name);
    hid_t set =
        make_set(p, dim->name, H5T_IEEE_F32BE, H5Screate_simple(1, &length, dim->is_unlimited ? &most : NULL),
                 list, &scale->address);
    snprintf(name, sizeof name, "%s%10lld", dim_alone, (long long)length);
    int err = set < 0 || put_scale(set, name, d) ? -1 : 0;
    scale->rows = 0;
    scale->is_moved = true;
    if (set >= 0 && H5Dclose(set) < 0)
        err = -1;
    return err ? refused(p, "dimension", dim->name) : NC_NOERR;
}

/* ---- variables */

/* Values that are contiguous have a place from now on: libhdf5 is told to write all of them, asks where, and
 * writes nothing (h5pages.c). */
static int enter_place(const struct pass *p, const struct pcdf_defined_var *v, hid_t set)
{
    static const char nothing[1];
    int64_t bytes = (int64_t)H5Tget_size(pcdf_h5_memory_type(v->type));
    for (int i = 0; i < v->ndims; i++)
        if (__builtin_mul_overflow(bytes, p->to->dims[v->dims[i]].length, &bytes))
            return refused(p, "variable", v->name);
    pcdf_h5_pages_place(v->place, bytes, -1, 0);
    hid_t type = H5Dget_type(set); /* else it would convert what is not there */
    herr_t err = type < 0 ? -1 : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, nothing);
    if (type >= 0)
        H5Tclose(type);
    return !pcdf_h5_pages_placed() || err < 0 ? refused(p, "the place of variable", v->name) : NC_NOERR;
}

static int check_var(const struct pass *p, const struct pcdf_defined_var *v)
{
    bool good = v->ndims >= 0 && v->ndims <= H5S_MAX_RANK && pcdf_h5_memory_type(v->type) >= 0;
    for (int i = 0; good && i < v->ndims; i++)
        good = v->dims[i] >= 0 && v->dims[i] < p->to->ndims && (!v->chunk || v->chunk[i] > 0) &&
               (v->chunk || !p->to->dims[v->dims[i]].is_unlimited);
    return good
               ? NC_NOERR
               : pcdf_h5_meta_fail(p->m, NC_EWRITE, "variable %s cannot be stored as it is defined", v->name);
}

static int make_var(const struct pass *p, int number)
{
    const struct pcdf_defined_var *v = &p->to->vars[number];
    struct pcdf_h5_stored *stored = &p->m->vars[number];
    hsize_t shape[H5S_MAX_RANK], most[H5S_MAX_RANK];
    int scale = scale_of(p, number);
    shape_of(p->to, v, 0, shape, most);
    hid_t type = pcdf_h5_file_type(v);
    hid_t set = make_set(p, stored->link, type,
                         v->ndims > 0 ? H5Screate_simple(v->ndims, shape, most) : H5Screate(H5S_SCALAR),
                         list_of(v), &stored->address);
    if (type >= 0)
        H5Tclose(type);
    int err = set < 0 || (v->ndims > 0 && pcdf_h5_put_ints(set, "_Netcdf4Coordinates", v->ndims, v->dims)) ||
                      (scale >= 0 && put_scale(set, v->name, scale))
                  ? refused(p, "variable", v->name)
                  : NC_NOERR;
    stored->scale = scale;
    if (scale >= 0) {
        p->m->scales[scale].address = stored->address;
        p->m->scales[scale].is_moved = true;
    }
    if (!err)
        err = pcdf_h5_change_atts(p->m, set, 0, NULL, v->natts, v->atts);
    if (!err && !v->chunk && v->place > 0)
        err = enter_place(p, v, set);
    if (set >= 0 && H5Dclose(set) < 0 && !err)
        err = refused(p, "variable", v->name);
    return err;
}

/* New ones in netCDF-C's order: dimensions up to one with a variable, variables up to that one, and so on. */
static int make_new(const struct pass *p)
{
    int err = NC_NOERR;
    for (int var = p->nold_vars, dim = 0; !err && (var < p->to->nvars || dim < p->to->ndims);) {
        int owner = -1;
        for (; !err && owner < 0 && dim < p->to->ndims; dim++) {
            owner = p->owner[dim];
            if (owner < 0 && p->m->scales[dim].address == HADDR_UNDEF)
                err = make_dim(p, dim);
        }
        for (int last = -1; !err && (owner < 0 || last != owner) && var < p->to->nvars; var++) {
            err = make_var(p, var);
            last = var;
        }
        p->m->host->alive(p->m->host->context);
    }
    return err;
}

/* ---- what there was */

/* Data sets that were scales and are none any more, and the other way round. */
static int turn(struct pass *p, int number)
{
    const struct pcdf_defined_var *v = &p->to->vars[number];
    struct pcdf_h5_stored *stored = &p->m->vars[number];
    int was = stored->scale, is = scale_of(p, number);
    if (was == is)
        return NC_NOERR;
    hid_t set = H5Oopen_by_addr(p->m->file, stored->address);
    int err = set < 0 || (was >= 0 && take_scale(set)) ? -1 : 0;
    if (!err && is >= 0 && stored->has_list)
        err = H5Adelete(set, "DIMENSION_LIST") < 0 ? -1 : 0;
    if (!err && is >= 0)
        err = put_scale(set, v->name, is);
    if (!err && is >= 0 && H5Aexists(set, "_Netcdf4Coordinates") == 0) /* libnetcdf does not make it so */
        err = pcdf_h5_put_ints(set, "_Netcdf4Coordinates", v->ndims, v->dims);
    stored->scale = is;
    stored->has_list &= is < 0;
    p->has_turned = true;
    if (is >= 0)
        p->m->scales[is] = (struct pcdf_h5_scale){ stored->address, number, 0, true, 0 };
    if (set >= 0 && H5Dclose(set) < 0)
        err = -1;
    return err ? refused(p, "variable", v->name) : NC_NOERR;
}

static int turn_all(struct pass *p)
{
    int err = NC_NOERR;
    for (int d = 0; d < p->nold_dims && !err; d++) {
        struct pcdf_h5_scale *scale = &p->m->scales[d];
        if (scale->var == p->owner[d])
            continue;
        if (scale->var < 0 && H5Ldelete(p->m->file, p->m->now->dims[d].name, H5P_DEFAULT) < 0)
            err = refused(p, "dimension", p->to->dims[d].name);
        *scale = (struct pcdf_h5_scale){ .address = HADDR_UNDEF, .var = p->owner[d], .is_moved = true };
    }
    for (int v = 0; v < p->nold_vars && !err; v++)
        err = turn(p, v);
    return err;
}

/* A coordinate variable that is renamed with its dimension. */
static int rename_scale(const struct pass *p, int number)
{
    const char *name = p->to->vars[number].name;
    if (p->m->vars[number].scale < 0 || strcmp(p->m->now->vars[number].name, name) == 0)
        return NC_NOERR;
    hid_t set = H5Oopen_by_addr(p->m->file, p->m->vars[number].address);
    int err = set < 0 || pcdf_h5_put_text(set, "NAME", name, true) ? -1 : 0;
    if (set >= 0 && H5Dclose(set) < 0)
        err = -1;
    return err ? refused(p, "variable", name) : NC_NOERR;
}

/* Under a name that nobody has: a name of netCDF does not begin so. */
static void passing_name(char *name, size_t room, const char *what, int number)
{
    snprintf(name, room, "\x01%s%d", what, number);
}

static int move_link(const struct pass *p, const char *from, const char *to)
{
    return H5Lmove(p->m->file, from, p->m->file, to, H5P_DEFAULT, H5P_DEFAULT) < 0
               ? refused(p, "the new name", to)
               : NC_NOERR;
}

static bool is_renamed_alone(const struct pass *p, int d)
{
    return p->m->scales[d].var < 0 && p->m->scales[d].address != HADDR_UNDEF &&
           strcmp(p->m->now->dims[d].name, p->to->dims[d].name) != 0;
}

/* Names may go round in a circle, so all that move get passing names first. A name that moves comes last in
 * the order of creation, by which netCDF numbers variables: so those behind it are moved, too. */
static int rename_all(const struct pass *p)
{
    char passing[32];
    int first = 0, err = NC_NOERR;
    while (first < p->nold_vars) {
        char *link = link_of(p, first);
        bool is_same = link && strcmp(link, p->m->vars[first].link) == 0;
        free(link);
        if (!link)
            return no_memory(p);
        if (!is_same)
            break;
        first++;
    }
    for (int v = first; v < p->nold_vars && !err; v++) {
        passing_name(passing, sizeof passing, "v", v);
        err = move_link(p, p->m->vars[v].link, passing);
    }
    for (int d = 0; d < p->nold_dims && !err; d++)
        if (is_renamed_alone(p, d)) {
            passing_name(passing, sizeof passing, "d", d);
            err = move_link(p, p->m->now->dims[d].name, passing);
        }
    for (int d = 0; d < p->nold_dims && !err; d++)
        if (is_renamed_alone(p, d)) {
            passing_name(passing, sizeof passing, "d", d);
            err = move_link(p, passing, p->to->dims[d].name);
        }
    for (int v = first; v < p->nold_vars && !err; v++) {
        char *link = link_of(p, v);
        if (!link)
            return no_memory(p);
        free(p->m->vars[v].link);
        p->m->vars[v].link = link;
        passing_name(passing, sizeof passing, "v", v);
        err = move_link(p, passing, link);
    }
    return err;
}

/* Attributes, and a place that was found later. */
static int change_var(const struct pass *p, int number)
{
    const struct pcdf_defined_var *from = &p->m->now->vars[number], *to = &p->to->vars[number];
    hid_t set = H5Oopen_by_addr(p->m->file, p->m->vars[number].address);
    if (set < 0)
        return refused(p, "variable", to->name);
    int err = pcdf_h5_change_atts(p->m, set, from->natts, from->atts, to->natts, to->atts);
    if (!err && !to->chunk && from->place <= 0 && to->place > 0)
        err = enter_place(p, to, set);
    if (H5Dclose(set) < 0 && !err)
        err = refused(p, "variable", to->name);
    return err;
}

/* ---- which scales the dimensions of variables have */

static int attach(const struct pass *p, int number, bool was_mixed)
{
    const struct pcdf_defined_var *v = &p->to->vars[number];
    struct pcdf_h5_stored *stored = &p->m->vars[number];
    haddr_t scales[H5S_MAX_RANK];
    bool is_due = !stored->has_list, marks = p->is_mixed && (number >= p->nold_vars || !was_mixed);
    if (v->ndims == 0 || stored->scale >= 0)
        return NC_NOERR;
    for (int i = 0; i < v->ndims; i++) {
        scales[i] = p->m->scales[v->dims[i]].address;
        is_due |= p->m->scales[v->dims[i]].is_moved;
    }
    if (!is_due && !marks)
        return NC_NOERR;
    hid_t set = H5Oopen_by_addr(p->m->file, stored->address);
    int err = set < 0 || (is_due && pcdf_h5_put_list(set, v->ndims, scales)) ||
                      (marks && pcdf_h5_put_ints(set, "_Netcdf4Dimid", 0, &v->dims[0]))
                  ? -1
                  : 0;
    stored->has_list = true;
    if (set >= 0 && H5Dclose(set) < 0)
        err = -1;
    return err ? refused(p, "the dimensions of variable", v->name) : NC_NOERR;
}

/* references: room for all of a dimension. */
static int put_references(const struct pass *p, int d, struct pcdf_h5_reference *references, int64_t n)
{
    struct pcdf_h5_scale *scale = &p->m->scales[d];
    if (n == scale->nrefs && !scale->is_moved && !p->has_turned)
        return NC_NOERR;
    hid_t set = H5Oopen_by_addr(p->m->file, scale->address);
    int err = set < 0 || pcdf_h5_put_references(set, (hsize_t)n, references) ? -1 : 0;
    scale->nrefs = n;
    if (set >= 0 && H5Dclose(set) < 0)
        err = -1;
    return err ? refused(p, "dimension", p->to->dims[d].name) : NC_NOERR;
}

/* first[d]: where the references of dimension d begin; then where they end. */
static int refer(const struct pass *p)
{
    int64_t *first = calloc((size_t)p->to->ndims + 2, sizeof *first);
    struct pcdf_h5_reference *all = NULL;
    int err = first ? NC_NOERR : no_memory(p);
    for (int v = 0; v < p->to->nvars && !err; v++)
        for (int i = 0; p->m->vars[v].scale < 0 && i < p->to->vars[v].ndims; i++)
            first[p->to->vars[v].dims[i] + 2]++;
    for (int d = 0; d < p->to->ndims && !err; d++)
        first[d + 2] += first[d + 1];
    if (!err && !(all = calloc((size_t)first[p->to->ndims + 1] + 1, sizeof *all)))
        err = no_memory(p);
    for (int v = 0; v < p->to->nvars && !err; v++)
        for (int i = 0; p->m->vars[v].scale < 0 && i < p->to->vars[v].ndims; i++) {
            struct pcdf_h5_reference *r = &all[first[p->to->vars[v].dims[i] + 1]++];
            r->data_set = p->m->vars[v].address;
            r->dimension = i;
        }
    for (int d = 0; d < p->to->ndims && !err; d++)
        err = put_references(p, d, all + first[d], first[d + 1] - first[d]);
    free(all);
    free(first);
    return err;
}

/* ---- all of it */

/* Are scales in another order than their dimensions, do they have several, or was a dimension there before
 * its variable? As netCDF-C asks; then a variable says its first dimension by number. */
static bool is_mixed(const struct pass *p)
{
    int last = -1;
    for (int v = 0; v < p->to->nvars; v++) {
        int scale = scale_of(p, v);
        if (scale >= 0 &&
            (scale < last || p->to->vars[v].ndims > 1 || (v >= p->nold_vars && scale < p->nold_dims)))
            return true;
        last = scale >= 0 ? scale : last;
    }
    return p->m->is_mixed;
}

static int find_owners(struct pass *p)
{
    for (int d = 0; d < p->to->ndims; d++) {
        p->owner[d] = -1;
        p->sorted[d] = p->to->dims[d].name;
    }
    for (int v = 0; v < p->to->nvars; v++) {
        const struct pcdf_defined_var *var = &p->to->vars[v];
        int err = check_var(p, var);
        if (err)
            return err;
        if (var->ndims > 0 && strcmp(var->name, p->to->dims[var->dims[0]].name) == 0)
            p->owner[var->dims[0]] = v;
    }
    qsort(p->sorted, (size_t)p->to->ndims, sizeof *p->sorted, compare_names);
    p->is_mixed = is_mixed(p);
    return NC_NOERR;
}

/* The first name of a variable that is new. */
static int name_new(const struct pass *p)
{
    for (int v = p->nold_vars; v < p->to->nvars; v++)
        if (!(p->m->vars[v].link = link_of(p, v)))
            return no_memory(p);
    return NC_NOERR;
}

static int make_room(const struct pass *p)
{
    struct pcdf_h5_meta *m = p->m;
    void *scales = realloc(m->scales, ((size_t)p->to->ndims + 1) * sizeof *m->scales);
    m->scales = scales ? scales : m->scales;
    void *vars = realloc(m->vars, ((size_t)p->to->nvars + 1) * sizeof *m->vars);
    m->vars = vars ? vars : m->vars;
    if (!scales || !vars)
        return no_memory(p);
    for (int d = p->nold_dims; d < p->to->ndims; d++)
        m->scales[d] = (struct pcdf_h5_scale){ .address = HADDR_UNDEF, .var = -1 };
    for (int v = p->nold_vars; v < p->to->nvars; v++)
        m->vars[v] = (struct pcdf_h5_stored){ .address = HADDR_UNDEF, .scale = -1, .newest = -1 };
    return NC_NOERR;
}

static int change_global(const struct pass *p)
{
    const struct pcdf_definitions *now = p->m->now;
    const int one = 1;
    char text[200];
    unsigned a = 0, b = 0, c = 0;
    hid_t root = H5Gopen2(p->m->file, "/", H5P_DEFAULT);
    int err = root < 0 || (!now && p->to->is_classic_model && pcdf_h5_put_ints(root, "_nc3_strict", 0, &one))
                  ? refused(p, "the root group", "")
                  : NC_NOERR;
    if (!err)
        err = pcdf_h5_change_atts(p->m, root, now ? now->natts : 0, now ? now->atts : NULL, p->to->natts,
                                  p->to->atts);
    H5get_libversion(&a, &b, &c);
    snprintf(text, sizeof text, "version=2,%s,hdf5=%u.%u.%u", p->to->writer, a, b, c);
    if (!err && !now && pcdf_h5_put_text(root, "_NCProperties", text, false))
        err = refused(p, "the root group", "");
    if (root >= 0)
        H5Gclose(root);
    return err;
}

static int change_all(struct pass *p, bool was_mixed)
{
    int err = turn_all(p);
    if (!err)
        err = rename_all(p);
    for (int v = 0; v < p->nold_vars && !err; v++) {
        err = rename_scale(p, v);
        if (!err)
            err = change_var(p, v);
    }
    if (!err)
        err = name_new(p);
    if (!err)
        err = make_new(p);
    for (int d = 0; d < p->to->ndims; d++)
        p->m->scales[d].var = p->owner[d];
    for (int v = 0; v < p->to->nvars && !err; v++)
        err = attach(p, v, was_mixed);
    if (!err)
        err = refer(p);
    for (int d = 0; d < p->to->ndims; d++)
        p->m->scales[d].is_moved = false;
    return err ? err : change_global(p);
}

int pcdf_h5_find_names(struct pcdf_h5_meta *m, const struct pcdf_definitions *is)
{
    struct pass p = { .m = m, .to = is };
    p.owner = malloc(((size_t)is->ndims + 1) * sizeof *p.owner);
    p.sorted = malloc(((size_t)is->ndims + 1) * sizeof *p.sorted);
    int err = p.owner && p.sorted ? find_owners(&p) : no_memory(&p);
    if (!err)
        err = make_room(&p);
    if (!err)
        err = name_new(&p);
    for (int v = 0; !err && v < is->nvars; v++)
        m->vars[v].scale = scale_of(&p, v);
    for (int d = 0; !err && d < is->ndims; d++)
        m->scales[d].var = p.owner[d];
    free(p.owner);
    free(p.sorted);
    return err;
}

int pcdf_h5_define(struct pcdf_h5_meta *m, const struct pcdf_definitions *to)
{
    struct pass p = { .m = m, .to = to };
    p.nold_dims = m->now ? m->now->ndims : 0;
    p.nold_vars = m->now ? m->now->nvars : 0;
    if (to->ndims < p.nold_dims || to->nvars < p.nold_vars)
        return pcdf_h5_meta_fail(m, NC_EWRITE, "a dimension or variable is missing");
    p.owner = malloc(((size_t)to->ndims + 1) * sizeof *p.owner);
    p.sorted = malloc(((size_t)to->ndims + 1) * sizeof *p.sorted);
    int err = p.owner && p.sorted ? find_owners(&p) : no_memory(&p);
    if (!err)
        err = make_room(&p);
    if (!err)
        err = change_all(&p, m->is_mixed);
    m->is_mixed = p.is_mixed;
    free(p.owner);
    free(p.sorted);
    if (!err)
        m->now = to;
    return err;
}

/* ---- records */

static int extend(const struct pcdf_h5_meta *m, haddr_t address, const char *name, const hsize_t *shape)
{
    hid_t set = H5Oopen_by_addr(m->file, address);
    int err = set < 0 || H5Dset_extent(set, shape) < 0 ? -1 : 0;
    if (set >= 0 && H5Dclose(set) < 0)
        err = -1;
    return err ? pcdf_h5_meta_refused(m, "the records of", name) : NC_NOERR;
}

int pcdf_h5_extend(struct pcdf_h5_meta *m, int64_t numrecs)
{
    const struct pcdf_definitions *d = m->now;
    hsize_t shape[H5S_MAX_RANK], most[H5S_MAX_RANK];
    int err = NC_NOERR;
    for (int v = 0; v < d->nvars && !err; v++) {
        bool is_record = false;
        for (int i = 0; i < d->vars[v].ndims; i++)
            is_record |= d->dims[d->vars[v].dims[i]].is_unlimited != 0;
        if (!is_record || m->vars[v].rows >= numrecs)
            continue;
        shape_of(d, &d->vars[v], numrecs, shape, most);
        err = extend(m, m->vars[v].address, d->vars[v].name, shape);
        m->vars[v].rows = numrecs;
    }
    for (int i = 0; i < d->ndims && !err; i++) {
        if (!d->dims[i].is_unlimited || m->scales[i].var >= 0 || m->scales[i].rows >= numrecs)
            continue;
        shape[0] = (hsize_t)numrecs;
        err = extend(m, m->scales[i].address, d->dims[i].name, shape);
        m->scales[i].rows = numrecs;
    }
    return err;
}
