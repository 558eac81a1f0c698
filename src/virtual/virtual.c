/* See virtual.h. */

#include "virtual.h"
#include "status.h"

int pcdf_virtual_store(struct pcdf_virtual *v, int number, struct pcdf_store **store)
{
    const struct pcdf_image_store *named = &v->image->stores[number];
    struct pcdf_store *opened = NULL;
    if (!v->stores[number]) {
        PCDF_TRY(pcdf_store_open(named->name, &named->pin, &opened));
        v->stores[number] = opened;
        v->nopen++;
    }
    *store = v->stores[number];
    return NC_NOERR;
}

void pcdf_virtual_close_stores(struct pcdf_virtual *v)
{
    for (int i = 0; v->stores && i < v->image->nstores; i++) {
        pcdf_store_close(v->stores[i]);
        v->stores[i] = NULL;
    }
    v->nopen = 0;
}
