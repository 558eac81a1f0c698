#ifndef PCDF_OLDER_H
#define PCDF_OLDER_H
/* Hint pcdf_debug_clone: the older file of a new one (storage/olderfile.h) is the member of the newest
 * complete generation of its set, or what has the name that the new file gets at the end. It is used if both
 * have checksums, and shared with all ranks. Without it, and whatever fails here, the new file is written as
 * always. The blocks are cloned by the layer of checksums (storage/checksumstorage.c), or shared when they
 * are summed (../checksums/checksumsync.c). */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_clones;
#endif
