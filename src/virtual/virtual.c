/* See virtual.h. */

#include "virtual.h"
#include <stdio.h>
#include "alloc.h"
#include "grid.h"
#include "imagelater.h"
#include "status.h"

unsigned char *pcdf_room_of(struct pcdf_room *room, size_t n)
{
    if (n > room->n || !room->bytes) {
        pcdf_free(room->bytes);
        room->bytes = pcdf_malloc(n > 0 ? n : 1);
        room->n = room->bytes ? n : 0;
    }
    return room->bytes;
}

/* A file of HDF5 may be one to which another job adds, and of which all that the image says stays true. */
static int open_store(const struct pcdf_image *image, int number, struct pcdf_store **store)
{
    const struct pcdf_image_store *named = &image->stores[number];
    bool may_grow = image->kind == PCDF_SOURCE_HDF5 || image->kind == PCDF_SOURCE_NETCDF4 ||
                    image->kind == PCDF_SOURCE_NETCDF4_CLASSIC;
    struct pcdf_pin pin;
    PCDF_TRY(pcdf_store_open_bound(named->name, &named->bond, &named->pin, store));
    if (!may_grow || pcdf_store_is_far(*store))
        return NC_NOERR;
    int err = pcdf_store_pin(*store, &pin);
    if (err == NC_EREAD) {
        pcdf_store_close(*store);
        *store = NULL;
        return pcdf_image_open_grown(image, store);
    }
    if (err)
        pcdf_store_close(*store);
    return err;
}

int pcdf_virtual_store(struct pcdf_virtual *v, int number, struct pcdf_store **store)
{
    struct pcdf_store *opened = NULL;
    if (!v->stores[number]) {
        PCDF_TRY(open_store(v->image, number, &opened));
        v->stores[number] = opened;
        if (v->nopen < PCDF_VIRTUAL_OPEN)
            v->open[v->nopen] = number;
        v->nopen++;
    }
    *store = v->stores[number];
    return NC_NOERR;
}

void pcdf_virtual_close_stores(struct pcdf_virtual *v)
{
    bool is_told = v->nopen <= PCDF_VIRTUAL_OPEN; /* which ones these are */
    int n = !v->stores ? 0 : is_told ? v->nopen : v->image->nstores;
    for (int i = 0; i < n; i++) {
        int number = is_told ? v->open[i] : i;
        pcdf_store_close(v->stores[number]);
        v->stores[number] = NULL;
    }
    v->nopen = 0;
}

int pcdf_chunk_failed(const struct pcdf_virtual *v, const struct pcdf_need *need, int err)
{
    const struct pcdf_varview *w = &v->views.vars[need->var];
    char told[400], name[160] = "";
    int64_t index[PCDF_MOST_DIMS];
    int ndims = w->v->ndims, n = 0;
    snprintf(told, sizeof told, "%s", pcdf_fail_text());
    pcdf_grid_index(w->ndims, w->grid, need->chunk, index);
    for (int i = 0; i < ndims && n < (int)sizeof name; i++)
        n += snprintf(name + n, sizeof name - (size_t)n, "%s%lld", i ? "/" : ", chunk ", (long long)index[i]);
    return PCDF_FAIL(err, "variable %s%s: %s", v->image->meta.vars[w->id].name, name, told);
}
