#ifndef PCDF_INDEPENDENT_H
#define PCDF_INDEPENDENT_H
/* The strategy in which a rank moves its own pieces, at explicit offsets. */

#include "iterator.h"
#include "sharedfile.h"

/* Local. *moved: bytes of the elements that the storage accepted or brought. */
int pcdf_independent(struct pcdf_sharedfile *f, const struct pcdf_iterator *it,
                     const struct pcdf_stage *stage, int64_t *moved);
/* Local. Pieces that rise, of nbytes bytes, for one such get: where they are many, near ones come in one
 * call. The log has one line for it. */
int pcdf_independent_get(struct pcdf_sharedfile *f, const struct pcdf_piece *pieces, size_t n,
                         int64_t nbytes);
#endif
