#ifndef PCDF_CHUNKINDEX_H
#define PCDF_CHUNKINDEX_H
/* Where chunks lie in a file that is written: what was entered since it was opened, beside the maps of what
 * was there before (chunkmap.h). Local; one thread at a time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "array.h"

struct pcdf_stored_chunk {
    int64_t number; /* row-major over the grid (format/cells.h) */
    int64_t offset, length;
    int varid;
    uint32_t mask; /* bit i: codec i of the chain was left out */
};

/* Who has not heard of a place yet that this rank gave a chunk. */
enum pcdf_chunknews { PCDF_NEWS_FOR_METADATA, PCDF_NEWS_FOR_RANKS, PCDF_NEWS };

struct pcdf_chunkindex { /* begins as zeros */
    PCDF_ARRAY(struct pcdf_chunkentry) entries;
    uint32_t *table; /* an entry's number + 1; 0: free */
    size_t room;     /* the table's: a power of two, or 0 */
    struct pcdf_chunknews_list {
        size_t first, n; /* no entry before it is news; how many are */
    } news[PCDF_NEWS];
};

/* Makes room, so that the next n adds do not fail. NC_ENOMEM. */
int pcdf_chunkindex_reserve(struct pcdf_chunkindex *index, size_t n);
/* Enters a chunk of less than 4 GiB, after a reserve, in the place of an earlier entry. is_mine: it is news
 * for all, else for nobody. */
void pcdf_chunkindex_add(struct pcdf_chunkindex *index, const struct pcdf_stored_chunk *chunk, bool is_mine);
/* False: it was not entered. */
bool pcdf_chunkindex_find(const struct pcdf_chunkindex *index, int varid, int64_t number,
                          struct pcdf_stored_chunk *chunk);
/* The next places that are news, at most `most`, each chunk once, in the order in which the chunks came
 * first. *at: where to go on; 0 at first. Returns how many. */
size_t pcdf_chunkindex_news(const struct pcdf_chunkindex *index, enum pcdf_chunknews of, size_t *at,
                            struct pcdf_stored_chunk *x, size_t most);
/* All that there was is known now. */
void pcdf_chunkindex_was_told(struct pcdf_chunkindex *index, enum pcdf_chunknews of);
/* What is entered of this chunk is news again; nothing is done, where it is not entered. */
void pcdf_chunkindex_renew(struct pcdf_chunkindex *index, enum pcdf_chunknews of, int varid, int64_t number);
int64_t pcdf_chunkindex_end(const struct pcdf_chunkindex *index);   /* behind the last one; or 0 */
int64_t pcdf_chunkindex_bytes(const struct pcdf_chunkindex *index); /* in memory */
void pcdf_chunkindex_free(struct pcdf_chunkindex *index);
#endif
