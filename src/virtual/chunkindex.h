#ifndef PCDF_CHUNKINDEX_H
#define PCDF_CHUNKINDEX_H
/* Where chunks lie in a file that is written: what was entered since it was opened, beside the maps of what
 * was there before (chunkmap.h). Local; one thread at a time. */

#include "array.h"

struct pcdf_stored_chunk {
    int64_t number; /* row-major over the grid (format/cells.h) */
    int64_t offset, length;
    int varid;     /* -1: a free place of the table */
    uint32_t mask; /* bit i: codec i of the chain was left out */
};

struct pcdf_chunkindex { /* begins as zeros */
    struct pcdf_stored_chunk *table;
    size_t n, room; /* room: a power of two, or 0 */
    PCDF_ARRAY(struct pcdf_stored_chunk) news;
};

/* Makes room, so that the next n adds do not fail. NC_ENOMEM. */
int pcdf_chunkindex_reserve(struct pcdf_chunkindex *index, size_t n);
/* Enters a chunk, after a reserve, in the place of an earlier entry. is_new: the next take has it. */
void pcdf_chunkindex_add(struct pcdf_chunkindex *index, const struct pcdf_stored_chunk *chunk, bool is_new);
/* NULL: it was not entered. Valid until the next add or reserve. */
const struct pcdf_stored_chunk *pcdf_chunkindex_find(const struct pcdf_chunkindex *index, int varid,
                                                     int64_t number);
/* The new chunks since the last take, by varid and number, each once. The caller frees *x (pcdf_free); NULL:
 * there are none. */
void pcdf_chunkindex_take(struct pcdf_chunkindex *index, struct pcdf_stored_chunk **x, size_t *n);
void pcdf_chunkindex_free(struct pcdf_chunkindex *index);
#endif
