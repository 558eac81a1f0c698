/* Which dimensions the data sets have: a scale is its own first one; others say it by the numbers of netCDF-4
 * (_Netcdf4Coordinates), or by references to scales (DIMENSION_LIST). What has no scale gets a phony one, as
 * in netCDF-C: of its length, one for each length in a group. */

#include "h5file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "codes.h"

/* May the data set have this dimension there? */
static bool fits(const struct pcdf_h5 *h, const struct pcdf_h5_set *set, int i, int dim)
{
    const struct pcdf_h5_dim *d = &h->dims[dim];
    return d->is_unlimited || d->length == set->shape[i];
}

static int dim_of_number(const struct pcdf_h5 *h, int number)
{
    for (size_t i = 0; i < h->ndims; i++)
        if (h->dims[i].number == number)
            return (int)i;
    return -1;
}

static int dim_of_address(const struct pcdf_h5 *h, haddr_t address)
{
    for (size_t i = 0; i < h->ndims; i++)
        if (h->dims[i].address == address && address != HADDR_UNDEF)
            return (int)i;
    return -1;
}

static bool by_numbers(const struct pcdf_h5 *h, hid_t id, struct pcdf_h5_set *set)
{
    int numbers[PCDF_H5_RANK], dims[PCDF_H5_RANK];
    if (pcdf_h5_att_ints(id, "_Netcdf4Coordinates", PCDF_H5_RANK, numbers) != set->rank)
        return false;
    for (int i = 0; i < set->rank; i++) {
        dims[i] = dim_of_number(h, numbers[i]);
        if (dims[i] < 0 || !fits(h, set, i, dims[i]))
            return false;
    }
    memcpy(set->dims, dims, (size_t)set->rank * sizeof *dims);
    return true;
}

/* The attribute is rank lists of references; the first of a list counts. */
static void by_references(const struct pcdf_h5 *h, hid_t id, struct pcdf_h5_set *set)
{
    hvl_t lists[PCDF_H5_RANK] = { { 0, NULL } };
    struct pcdf_h5_att att = pcdf_h5_att_open(id, "DIMENSION_LIST");
    hid_t type = att.n == set->rank ? H5Tvlen_create(H5T_STD_REF_OBJ) : -1;
    bool good = type >= 0 && H5Tequal(att.type, type) > 0 && H5Aread(att.id, type, lists) >= 0;
    for (int i = 0; good && i < set->rank; i++) {
        if (lists[i].len < 1 || !lists[i].p)
            continue;
        hobj_ref_t reference;
        memcpy(&reference, lists[i].p, sizeof reference);
        int dim = dim_of_address(h, (haddr_t)reference);
        if (dim >= 0 && fits(h, set, i, dim))
            set->dims[i] = dim;
    }
    if (good)
        H5Dvlen_reclaim(type, att.space, H5P_DEFAULT, lists);
    if (type >= 0)
        H5Tclose(type);
    pcdf_h5_att_close(&att);
}

static int look_for_dims(struct pcdf_h5 *h, struct pcdf_h5_set *set)
{
    hid_t id = H5Oopen_by_addr(h->file, set->address);
    if (id < 0)
        return pcdf_h5_damaged(h, "%s/%s", h->groups[set->group].path, set->name);
    for (int i = 0; i < set->rank; i++)
        set->dims[i] = -1;
    if (set->is_scale)
        set->dims[0] = set->own_dim;
    if ((!set->is_scale || set->rank > 1) && !by_numbers(h, id, set))
        by_references(h, id, set);
    H5Oclose(id);
    return NC_NOERR;
}

static int add_phony(struct pcdf_h5 *h, const struct pcdf_h5_set *set, int i, int *dim)
{
    char name[40];
    for (size_t k = 0; k < h->ndims; k++) {
        const struct pcdf_h5_dim *d = &h->dims[k];
        if (d->address == HADDR_UNDEF && d->group == set->group && d->length == set->shape[i] &&
            d->is_unlimited == set->is_unlimited[i]) {
            *dim = (int)k;
            return NC_NOERR;
        }
    }
    if (!pcdf_h5_reserve(&h->dims, h->ndims, &h->dims_room, sizeof *h->dims))
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for the dimensions of the file");
    snprintf(name, sizeof name, "phony_dim_%zu", h->ndims);
    char *kept = pcdf_h5_keep(h, name);
    if (!kept)
        return NC_ENOMEM;
    h->dims[h->ndims] =
        (struct pcdf_h5_dim){ set->group, kept, HADDR_UNDEF, set->shape[i], set->is_unlimited[i], -1, -1 };
    *dim = (int)h->ndims++;
    return NC_NOERR;
}

/* An unlimited dimension is as long as its longest data set. */
static void lengthen(struct pcdf_h5 *h, const struct pcdf_h5_set *set)
{
    for (int i = 0; i < set->rank; i++) {
        struct pcdf_h5_dim *d = &h->dims[set->dims[i]];
        if (set->shape[i] > d->length)
            d->length = set->shape[i];
    }
}

static const struct pcdf_h5_dim *sorted_dims; /* qsort has no context; a process makes one map */

static int compare_numbers(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b, of_x = sorted_dims[x].number, of_y = sorted_dims[y].number;
    if (of_x < 0 || of_y < 0) /* those without a number come last, in their order */
        return of_x < 0 && of_y < 0 ? (x > y) - (x < y) : (of_x < 0) - (of_y < 0);
    return of_x != of_y ? (of_x > of_y) - (of_x < of_y) : (x > y) - (x < y);
}

static int define_dims(struct pcdf_h5 *h)
{
    int err = NC_NOERR, *order = malloc((h->ndims + 1) * sizeof *order);
    if (!order)
        return pcdf_h5_fail(h, NC_ENOMEM, "no memory for the dimensions of the file");
    for (size_t i = 0; i < h->ndims; i++)
        order[i] = (int)i;
    sorted_dims = h->dims;
    qsort(order, h->ndims, sizeof *order, compare_numbers);
    for (size_t i = 0; i < h->ndims && !err; i++) {
        struct pcdf_h5_dim *d = &h->dims[order[i]];
        err =
            h->to->dim(h->to->context, h->groups[d->group].path, d->name, d->length, d->is_unlimited, &d->id);
    }
    free(order);
    return err;
}

int pcdf_h5_find_dims(struct pcdf_h5 *h)
{
    int err = NC_NOERR;
    for (size_t i = 0; !err && i < h->nsets; i++)
        if (!h->sets[i].reason)
            err = look_for_dims(h, &h->sets[i]);
    for (size_t i = 0; !err && i < h->nsets; i++) {
        struct pcdf_h5_set *set = &h->sets[i];
        if (set->reason)
            continue;
        for (int k = 0; !err && k < set->rank; k++)
            if (set->dims[k] < 0)
                err = add_phony(h, set, k, &set->dims[k]);
        if (!err)
            lengthen(h, set);
    }
    return err ? err : define_dims(h);
}
