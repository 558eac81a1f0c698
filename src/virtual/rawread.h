#ifndef PCDF_RAWREAD_H
#define PCDF_RAWREAD_H
/* Large chunks that are not encoded. Local. */

#include "virtual.h"

/* One chunk without codecs, of which only what the n needs want is read: it may be under way when this
 * returns. Errors name the variable and the chunk. */
int pcdf_chunk_read_raw(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct pcdf_need *run,
                        size_t n, const struct pcdf_chunk_place *place);
/* Finishes what is under way, also where something went wrong already. Returns status, or the first error. */
int pcdf_chunk_end_raw(struct pcdf_virtual *v, int status);
#endif
