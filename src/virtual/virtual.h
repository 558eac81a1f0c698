#ifndef PCDF_VIRTUAL_H
#define PCDF_VIRTUAL_H
/* An image that is open: its stores, the cache, and memory of those who read chunks. Local. */

#include "chunkcache.h"
#include "needs.h"
#include "nodecache.h"
#include "store.h"
#include "virtualstorage.h"

struct pcdf_room { /* memory that is used again, since new memory costs more than what is done in it */
    unsigned char *bytes;
    size_t n;
};

enum { PCDF_VIRTUAL_OPEN = 256 };

struct pcdf_virtual {
    const struct pcdf_image *image; /* outlives it */
    struct pcdf_views views;
    struct pcdf_needs needs;
    struct pcdf_store **stores; /* as many as the image has; NULL: not opened yet */
    int nopen;
    int open[PCDF_VIRTUAL_OPEN]; /* their numbers; more are counted alone */
    struct pcdf_chunk_cursor cursor;
    struct pcdf_chunkcache cache;
    struct pcdf_codec_scratch scratch;
    struct pcdf_raw *raw;           /* of rawread.c; NULL: not needed yet. Owned */
    struct pcdf_room stored, plain; /* one chunk, before and after it is decoded */
    struct pcdf_nodecache *node;    /* NULL: there is none; outlives it */
    enum pcdf_chunk_share share;
    struct pcdf_counts *counts;
};

/* At least n bytes, whose contents are lost where they are moved; NULL: no memory. */
unsigned char *pcdf_room_of(struct pcdf_room *room, size_t n);
/* Opened when it is first needed. */
int pcdf_virtual_store(struct pcdf_virtual *v, int number, struct pcdf_store **store);
/* All of them; references may lead to more than a process may have open. */
void pcdf_virtual_close_stores(struct pcdf_virtual *v);
/* Names the variable and the chunk before the sentence; returns err. */
int pcdf_chunk_failed(const struct pcdf_virtual *v, const struct pcdf_need *need, int err);
#endif
