#ifndef PCDF_VIRTUAL_H
#define PCDF_VIRTUAL_H
/* An image that is open: its stores, the cache, and memory of those who read chunks. Local. */

#include "chunkcache.h"
#include "needs.h"
#include "store.h"

struct pcdf_virtual {
    const struct pcdf_image *image; /* outlives it */
    struct pcdf_views views;
    struct pcdf_needs needs;
    struct pcdf_store **stores; /* as many as the image has; NULL: not opened yet */
    int nopen;
    struct pcdf_chunkcache cache;
    struct pcdf_codec_scratch scratch;
    unsigned char *blocks; /* of rawread.c */
    int64_t decoded;       /* chunks */
};

/* Opened when it is first needed. */
int pcdf_virtual_store(struct pcdf_virtual *v, int number, struct pcdf_store **store);
/* All of them; references may lead to more than a process may have open. */
void pcdf_virtual_close_stores(struct pcdf_virtual *v);
#endif
