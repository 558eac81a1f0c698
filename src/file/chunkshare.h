#ifndef PCDF_CHUNKSHARE_H
#define PCDF_CHUNKSHARE_H
/* The cache of decoded chunks that the ranks of a node share (virtual/nodecache.h), of an open file of
 * another format: made when the file is opened, by all ranks. Afterwards nobody needs the others for it. */

#include "dataset.h"

/* Collective, where the file is shown: what ds->shown has of the node, which may be nothing, and for itself.
 */
void pcdf_chunkshare_make_all(struct pcdf_dataset *ds);
#endif
