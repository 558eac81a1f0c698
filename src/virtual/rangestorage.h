#ifndef PCDF_RANGESTORAGE_H
#define PCDF_RANGESTORAGE_H
/* The storage "ranges": a classic file that is far away, read by ranges of it. Its config's `image` (of the
 * kind CLASSIC, without definitions) outlives it; it has one store, which is pinned, and in the place of the
 * header the first bytes of the file. So all ranks together need one request to open it. Each process opens
 * the store when it first needs more. Blocks that came are kept, up to 64 MiB, and where gets go on where
 * they ended, those that come next are asked for before they are needed. */

#include "image.h"
#include "storage.h"

extern const struct pcdf_storage_ops pcdf_rangestorage;

/* That image. Costs one request where the store has none behind it. The image is free'd on error. */
int pcdf_range_image(struct pcdf_store *store, struct pcdf_image *image);
#endif
