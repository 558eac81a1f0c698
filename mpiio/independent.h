#ifndef PCDF_INDEPENDENT_H
#define PCDF_INDEPENDENT_H
/* The strategy in which a rank moves its own pieces, at explicit offsets. */

#include "iterator.h"
#include "sharedfile.h"

/* Local. *moved: bytes of the elements that the storage accepted or brought. */
int pcdf_independent(struct pcdf_sharedfile *f, const struct pcdf_iterator *it,
                     const struct pcdf_stage *stage, int64_t *moved);
/* Local. One part of it. */
int pcdf_independent_move(struct pcdf_sharedfile *f, enum pcdf_dir dir, const struct pcdf_part *part);
#endif
