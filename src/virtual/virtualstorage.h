#ifndef PCDF_VIRTUALSTORAGE_H
#define PCDF_VIRTUALSTORAGE_H
/* The storage "virtual": an image as bytes that are only read. What its config shows outlives it. Each
 * process opens one of its own, and opens the stores when it first needs them. */

#include "shown.h"
#include "storage.h"

struct pcdf_chain;
struct pcdf_nodecache_plan;
extern const struct pcdf_storage_ops pcdf_virtualstorage;

/* The shape of the chunks of a variable: so many numbers as it has dimensions in the image, the last one of
 * texts is that of the characters. NULL: it has none, or the storage is another one. */
const int64_t *pcdf_virtual_chunk(struct pcdf_storage *s, int varid, int *ndims);
/* The longest run of the image's bytes from the first to the last element of a chunk that costs time to
 * decode (0: none does): who reads that much at once decodes each chunk once. */
int64_t pcdf_virtual_band(const struct pcdf_image *image);

/* Which chunks the ranks of a node share. */
bool pcdf_virtual_is_shared(enum pcdf_chunk_share share, const struct pcdf_chain *chain);
/* Of the bytes that a rank has for decoded chunks, those that it keeps for itself: for what is not shared,
 * and at most half. -1: nothing is shared. */
int64_t pcdf_virtual_own(const struct pcdf_image *image, enum pcdf_chunk_share share, int64_t of_rank);
/* Adds the sizes of the chunks that are shared to a plan that has all else. */
void pcdf_virtual_plan(const struct pcdf_image *image, enum pcdf_chunk_share share,
                       struct pcdf_nodecache_plan *plan);
#endif
