#ifndef PCDF_VIEWS_H
#define PCDF_VIEWS_H
/* The strategy in which all ranks move their pieces together through file views, by MPI-IO's own collective
 * calls. Who asks for it by hint gets it: OMPIO's hide failures, and ROMIO's hang on them (README.md). */

#include "collective.h"
#include "iterator.h"
#include "sharedfile.h"

/* Collective. A round may be as large as `widest` bytes, where there is memory for that. *moved: bytes of
 * this rank's elements. After a failure this rank takes part with nothing until no rank has anything left. */
int pcdf_views_all(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, struct pcdf_stage *stage,
                   int64_t widest, int64_t *moved);
#endif
