#ifndef PCDF_H5PARTS_H
#define PCDF_H5PARTS_H
/* Parts of a file that is written (h5meta.c): where metadata may lie, and where values do. Local. */

#include <stdbool.h>
#include "image.h"

struct pcdf_h5part {
    int64_t begin, end;
};

/* Begins as zeros. Rising, and none meets another, but for adds since the last sort. */
struct pcdf_h5parts {
    struct pcdf_h5part *x;
    int64_t n, room;
};

int pcdf_h5parts_add(struct pcdf_h5parts *parts, int64_t begin, int64_t end); /* nothing if empty */
void pcdf_h5parts_sort(struct pcdf_h5parts *parts);
/* All chunks that the image has, before the byte `size`. NC_ENOMEM, NC_EREAD. */
int pcdf_h5parts_add_chunks(struct pcdf_h5parts *parts, const struct pcdf_image *image, int64_t size);
/* Does [begin, end) lie in one of them? Of ranges that rise: *at begins as 0. */
bool pcdf_h5parts_have(const struct pcdf_h5parts *parts, int64_t begin, int64_t end, int64_t *at);
void pcdf_h5parts_free(struct pcdf_h5parts *parts);
#endif
