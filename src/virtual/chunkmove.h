#ifndef PCDF_CHUNKMOVE_H
#define PCDF_CHUNKMOVE_H
/* The operation move of the storage "chunks". */

#include "storage.h"

int pcdf_chunks_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got);
#endif
