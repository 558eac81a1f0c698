#ifndef PCDF_METADIFFERENCE_H
#define PCDF_METADIFFERENCE_H
/* The first difference of two ranks' definitions, by name, for a sentence. */

#include "meta.h"

/* "dimension 2 is z1 = 5 on rank 3, and z0 = 5 on rank 0": own is of `rank`, other of rank 0. False: there is
 * none. */
bool pcdf_meta_difference(const struct pcdf_meta *own, const struct pcdf_meta *other, int rank, char *text,
                          size_t size);
#endif
