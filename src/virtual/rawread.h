#ifndef PCDF_RAWREAD_H
#define PCDF_RAWREAD_H
/* Large chunks that are not encoded. Local. */

#include "virtual.h"

/* One chunk without codecs, of which only what the n needs want is read. */
int pcdf_chunk_read_raw(struct pcdf_virtual *v, const struct pcdf_needs *needs, const struct pcdf_need *run,
                        size_t n, const struct pcdf_chunk_place *place);
#endif
