#ifndef PCDF_CHUNKINDEX_H
#define PCDF_CHUNKINDEX_H
/* Where chunks lie in a file that is written: what was entered since it was opened, beside the maps of what
 * was there before (chunkmap.h). Local; one thread at a time. */

#include <stdbool.h>
#include "array.h"

struct pcdf_stored_chunk {
    int64_t number; /* row-major over the grid (format/cells.h) */
    int64_t offset, length;
    int varid;
    uint32_t mask; /* bit i: codec i of the chain was left out */
};

struct pcdf_chunkindex { /* begins as zeros */
    PCDF_ARRAY(struct pcdf_chunkentry) entries;
    uint32_t *table; /* an entry's number + 1; 0: free */
    size_t room;     /* the table's: a power of two, or 0 */
    PCDF_ARRAY(uint32_t) news;
};

/* Makes room, so that the next n adds do not fail. NC_ENOMEM. */
int pcdf_chunkindex_reserve(struct pcdf_chunkindex *index, size_t n);
/* Enters a chunk, after a reserve, in the place of an earlier entry. is_mine: the next take has it. */
void pcdf_chunkindex_add(struct pcdf_chunkindex *index, const struct pcdf_stored_chunk *chunk, bool is_mine);
/* NULL: it was not entered. Valid until the next add or reserve. */
const struct pcdf_stored_chunk *pcdf_chunkindex_find(const struct pcdf_chunkindex *index, int varid,
                                                     int64_t number);
/* By varid and number, each chunk once: those of mine that came since the last take, and have no later place.
 * The caller frees *x (pcdf_free); NULL: there are none. NC_ENOMEM: as if not called. */
int pcdf_chunkindex_take(struct pcdf_chunkindex *index, struct pcdf_stored_chunk **x, size_t *n);
int64_t pcdf_chunkindex_bytes(const struct pcdf_chunkindex *index); /* in memory */
void pcdf_chunkindex_free(struct pcdf_chunkindex *index);
#endif
