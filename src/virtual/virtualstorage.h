#ifndef PCDF_VIRTUALSTORAGE_H
#define PCDF_VIRTUALSTORAGE_H
/* The storage "virtual": an image as bytes that are only read. Its config's `image` outlives it. Each process
 * opens one of its own, and opens the stores when it first needs them. */

#include "storage.h"

struct pcdf_image;
extern const struct pcdf_storage_ops pcdf_virtualstorage;

/* The shape of the chunks of a variable: so many numbers as it has dimensions in the image, the last one of
 * texts is that of the characters. NULL: it has none, or the storage is another one. */
const int64_t *pcdf_virtual_chunk(struct pcdf_storage *s, int varid, int *ndims);
/* The longest run of the image's bytes from the first to the last element of a chunk that costs time to
 * decode (0: none does): who reads that much at once decodes each chunk once. */
int64_t pcdf_virtual_band(const struct pcdf_image *image);
#endif
