#ifndef PCDF_SHAREDSHOWN_H
#define PCDF_SHAREDSHOWN_H
/* A file of another format, or a far one, on all ranks: rank 0 found out what it is (virtual/shown.h). */

#include "collective.h"
#include "shown.h"

/* Collective. *shown of rank 0 comes to all ranks, with a cache of decoded chunks that the ranks of a node
 * share (virtual/nodecache.h); afterwards nobody needs the others for it. share: of rank 0; cache: bytes that
 * this rank may keep. Fails on all ranks or on none; without memory for it there is no shared cache. */
int pcdf_sharedshown_all(const struct pcdf_ranks *ranks, enum pcdf_chunk_share share, int64_t cache,
                         struct pcdf_shown **shown);
#endif
