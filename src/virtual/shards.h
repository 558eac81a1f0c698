#ifndef PCDF_SHARDS_H
#define PCDF_SHARDS_H
/* Shards: objects of several chunks and an index of them. The index is read alone, and kept in the cache of
 * chunks; the chunks are then ranges of the object, and are fetched as others are. Local. */

#include "virtual.h"

/* Indices of the shards that the first n needs lie in and that are not in the cache, several at a time; where
 * one of them lacks, also those of needs behind them, `ahead` in all. An error is left to pcdf_shard_find. */
void pcdf_shards_fetch(struct pcdf_virtual *v, const struct pcdf_need *needs, size_t n, size_t ahead);
/* place: as chunkmap found it, with a slot. It becomes a range of its object (slot -1), or fill (store -1).
 */
int pcdf_shard_find(struct pcdf_virtual *v, const struct pcdf_need *need, struct pcdf_chunk_place *place);
#endif
