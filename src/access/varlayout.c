/* See varlayout.h. */
#include <string.h>
#include "alloc.h"
#include "value.h"
#include "varlayout.h"
#include "request.h"
#include "status.h"

/* SPEC: Notes on Computing File Offsets (product vector). */
static void file_steps(struct pcdf_var_layout *place, const struct pcdf_meta *meta,
                       const struct pcdf_layout *layout)
{
    const struct pcdf_var *var = &meta->vars[place->varid];
    int64_t bytes = place->xsize;
    for (int i = var->ndims - 1; i >= 0; i--) {
        int64_t length = meta->dims[var->dimids[i]].length;
        place->step[i] = bytes;
        if (i > 0)
            bytes *= length > 0 ? length : 1;
    }
    if (var->is_record)
        place->step[0] = layout->recsize;
}

int pcdf_var_layout_make(struct pcdf_var_layout *place, const struct pcdf_meta *meta,
                         const struct pcdf_layout *layout, int varid)
{
    const struct pcdf_var *var = &meta->vars[varid];
    place->begin = varid < layout->nvars ? layout->begin[varid] : 0;
    place->xsize = pcdf_type_size(var->type);
    place->ndims = var->ndims;
    place->varid = varid;
    place->type = var->type;
    place->step =
        var->ndims <= PCDF_INLINE_DIMS ? place->near : pcdf_malloc((size_t)var->ndims * sizeof *place->step);
    if (!place->step)
        return PCDF_FAIL(NC_ENOMEM, "variable %s: no memory for a request", var->name);
    file_steps(place, meta, layout);
    memcpy(place->fill, pcdf_var_fill(var), (size_t)place->xsize);
    return NC_NOERR;
}

void pcdf_var_layout_free(struct pcdf_var_layout *place)
{
    if (place->step != place->near)
        pcdf_free(place->step);
    place->step = NULL;
}

/* ---- places of many requests */

enum { FEW = 16 };

/* Numbers the variables as they come; returns how many. */
static int number_few(struct pcdf_request *const *requests, int n)
{
    int distinct = 0;
    for (int i = 0; i < n; i++) {
        int same = 0;
        while (requests[same]->varid != requests[i]->varid)
            same++;
        requests[i]->place = same < i ? requests[same]->place : distinct++;
    }
    return distinct;
}

/* The same with a table of the ids between the lowest and the highest; -1: no memory. */
static int number_many(struct pcdf_request *const *requests, int n)
{
    int low = requests[0]->varid, high = low, distinct = 0;
    for (int i = 1; i < n; i++) {
        low = requests[i]->varid < low ? requests[i]->varid : low;
        high = requests[i]->varid > high ? requests[i]->varid : high;
    }
    int *numbers = pcdf_calloc((size_t)(high - low) + 1, sizeof *numbers);
    if (!numbers)
        return -1;
    for (int i = 0; i < n; i++) {
        int *number = &numbers[requests[i]->varid - low];
        if (*number == 0)
            *number = ++distinct;
        requests[i]->place = *number - 1;
    }
    pcdf_free(numbers);
    return distinct;
}

int pcdf_var_layouts_make(struct pcdf_var_layouts *places, const struct pcdf_meta *meta,
                          const struct pcdf_layout *layout, struct pcdf_request *const *requests, int n)
{
    int distinct = n <= FEW ? number_few(requests, n) : number_many(requests, n);
    places->n = 0;
    places->x = distinct == 1  ? &places->single
                : distinct > 1 ? pcdf_malloc((size_t)distinct * sizeof *places->x)
                               : NULL;
    if (!places->x)
        return PCDF_FAIL(NC_ENOMEM, "no memory to find the variables of %d requests", n);
    for (int i = 0; i < n; i++) {
        if (requests[i]->place != places->n) /* made already */
            continue;
        int err = pcdf_var_layout_make(&places->x[places->n], meta, layout, requests[i]->varid);
        if (err) {
            pcdf_var_layouts_free(places);
            return err;
        }
        places->n++;
    }
    return NC_NOERR;
}

void pcdf_var_layouts_free(struct pcdf_var_layouts *places)
{
    for (int i = 0; i < places->n; i++)
        pcdf_var_layout_free(&places->x[i]);
    if (places->x != &places->single)
        pcdf_free(places->x);
    places->x = NULL;
    places->n = 0;
}
