#ifndef PCDF_SIEVE_H
#define PCDF_SIEVE_H
/* A get of many pieces by one rank alone: near ones come in one call, with what lies between. The MPI
 * libraries' own way to do that, a view on one rank, does not tell when less came than was asked for. */

#include "extents.h"
#include "mover.h"

/* Local. Bytes behind the end of the file are what the mover makes of them: zeros. */
int pcdf_sieve_get(const struct pcdf_mover *mover, const struct pcdf_extents *x);

/* How many of the pieces' bytes lie before `size`. */
int64_t pcdf_bytes_before(const struct pcdf_extents *x, int64_t size);
#endif
