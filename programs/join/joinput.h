#ifndef PCDF_JOINPUT_H
#define PCDF_JOINPUT_H
/* Chunks of values into a netCDF-4 file of the library: each box of a variable by one put. */

#include "joinchunk.h"
#include "toolputs.h"

struct pcdf_join_puts {
    struct pcdf_tool_puts *to;
    unsigned char *room; /* where a chunk is put together */
    unsigned char *part; /* records of one variable, one behind the other */
};

/* most: bytes of a chunk. Says that memory is lacking; then there is nothing to end. */
int pcdf_join_puts_begin(struct pcdf_join_puts *puts, struct pcdf_tool_puts *to, int64_t most);
void pcdf_join_puts_end(struct pcdf_join_puts *puts);
/* What is in the room, and is changed. By rounds (toolputs.h); says what is wrong. */
int pcdf_join_put_chunk_all(const struct pcdf_join_puts *puts, const struct pcdf_join_plan *plan,
                            const struct pcdf_join_chunk *chunk);
#endif
