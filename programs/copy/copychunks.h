#ifndef PCDF_COPYCHUNKS_H
#define PCDF_COPYCHUNKS_H
/* The shapes of the chunks, and of the shards, that a copy to another format has. */

#include "copyplan.h"

enum { PCDF_COPY_CHUNK = 1 << 20 }; /* bytes of a chunk that is made here */
/* A chunk with more bytes is not made whole in memory. */
#define PCDF_COPY_MAX_CHUNK ((int64_t)64 << 20)

struct pcdf_copy_chunks {
    int64_t **of;     /* by variable; NULL: stored in one piece */
    int64_t **shards; /* by variable: whole chunks; NULL: none */
    int n;
};

/* From the options; where they say nothing, whole chunks of `from` (or NULL) if it has some, so that each is
 * read once; else from our own choice. The same on all ranks. Variables without records that have up to
 * `contiguous` bytes need no chunks, where `from` has none. Says what is wrong, gives UNUSABLE; then there is
 * nothing to free. */
int pcdf_copy_chunks_begin(struct pcdf_copy_chunks *chunks, const struct pcdf_copy_plan *plan,
                           const struct pcdf_tool_dataset *from, const struct pcdf_copy_options *options,
                           int64_t contiguous);
void pcdf_copy_chunks_end(struct pcdf_copy_chunks *chunks);
#endif
