#ifndef PCDF_CHUNKREAD_H
#define PCDF_CHUNKREAD_H
/* Reads chunks: fetches, decodes, and puts the values where the boxes want them. Local. */

#include "chunkcache.h"
#include "needs.h"

struct pcdf_virtual { /* an image that is open */
    const struct pcdf_image *image;
    struct pcdf_views views;
    struct pcdf_needs needs;
    struct pcdf_store **stores; /* as many as the image has; NULL: not opened yet */
    int nopen;
    struct pcdf_chunkcache cache;
    struct pcdf_codec_scratch scratch;
    unsigned char *blocks; /* of rawread.c */
    int64_t decoded;       /* chunks */
};

/* The function `read` of needs; context: the pcdf_virtual. */
int pcdf_chunks_read(void *context, const struct pcdf_needs *needs);

/* ---- for rawread.c */
int pcdf_virtual_store(struct pcdf_virtual *v, int number, struct pcdf_store **store);
/* One chunk without codecs, of which only what the n needs want is read. */
int pcdf_chunk_read_raw(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct pcdf_need *run,
                        size_t n, const struct pcdf_chunk_place *place);
/* Fill in the place of a chunk that is not there. */
void pcdf_chunk_fill(const struct pcdf_needs *needs, const struct pcdf_need *run, size_t n);
/* Names the variable and the chunk before the sentence; returns err. */
int pcdf_chunk_failed(const struct pcdf_virtual *v, const struct pcdf_need *need, int err);
#endif
