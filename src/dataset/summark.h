#ifndef PCDF_SUMMARK_H
#define PCDF_SUMMARK_H
/* The mark in a file's checksums, which says that they say nothing: on the storage before any byte of the
 * file changes (storage/blocksums.h, file/checksum.h). A rank makes it before its first write; here rank 0
 * makes one for all. */

#include "dataset.h"

/* Collective, where ranks are about to write: does nothing if there are no checksums, or if it did its work
 * since the last sync. A failure is one of storage, on all ranks. */
int pcdf_summark_all(struct pcdf_dataset *ds);
/* Collective: the file gets this size, behind the mark; where that fails it keeps the one it has. */
int pcdf_summark_resize_all(struct pcdf_dataset *ds, int64_t bytes);
#endif
