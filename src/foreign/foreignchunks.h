#ifndef PCDF_FOREIGNCHUNKS_H
#define PCDF_FOREIGNCHUNKS_H
/* The shapes of the chunks that a copy to netCDF-4 or NCZarr has. */

#include "foreign.h"

struct pcdf_foreign_chunks {
    int64_t **of; /* by variable; NULL: stored in one piece */
    int n;
};

/* From the options and, where they say nothing, from our own choice: the same on all ranks. Says what is
 * wrong, gives UNUSABLE; then there is nothing to free. */
int pcdf_foreign_chunks_begin(struct pcdf_foreign_chunks *chunks, const struct pcdf_meta *meta,
                              const struct pcdf_foreign_options *options);
void pcdf_foreign_chunks_end(struct pcdf_foreign_chunks *chunks);
#endif
