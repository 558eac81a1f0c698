#ifndef PCDF_CHUNKSHARE_H
#define PCDF_CHUNKSHARE_H
/* The cache of decoded chunks that the ranks of a node share (virtual/nodecache.h), of an open file of
 * another format: made when the file is opened, by all ranks. Afterwards nobody needs the others for it. */

#include "dataset.h"

/* Collective, where the file has an image. ds->nodecache, NULL where it does not pay or can't be had; and
 * ds->chunk_cache, what this rank has for itself. */
void pcdf_chunkshare_make_all(struct pcdf_dataset *ds);
#endif
