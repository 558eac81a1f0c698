#ifndef PCDF_INDEPENDENT_H
#define PCDF_INDEPENDENT_H
/* The strategy in which a rank moves its own pieces, at explicit offsets. */

#include "iterator.h"
#include "sharedfile.h"

/* Local. is_collective: all ranks of the file are in this call; the puts of a file of one rank are sieved
 * then (sieve.h), as are gets of many pieces. *moved: bytes of the elements that the storage accepted or
 * brought. */
int pcdf_independent(struct pcdf_sharedfile *f, const struct pcdf_iterator *it,
                     const struct pcdf_stage *stage, bool is_collective, int64_t *moved);
#endif
