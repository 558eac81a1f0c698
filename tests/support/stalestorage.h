#ifndef STALESTORAGE_H
#define STALESTORAGE_H
/* A layer that reads as a node does whose cache nobody keeps up to date (NFS between two opens): hint
 * pcdf_stale=1, in programs that are linked with this file. A page that this rank has read once stays as it
 * was; its own puts go through, and change it. What other ranks put is not seen.
 *
 * pcdf_stale=late: puts stay in the cache, too. They reach the file, byte by byte as they were put, when this
 * rank syncs, resizes or closes it; no other rank sees them before. Puts through views go through. */

#include "storage.h"

/* Lays it on *top. */
int stale_stack(const char *value, int rank, struct pcdf_storage **top);
#endif
