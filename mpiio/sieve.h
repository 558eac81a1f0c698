#ifndef PCDF_SIEVE_H
#define PCDF_SIEVE_H
/* A get of many pieces by one rank alone: near ones come in one call, with what lies between. The MPI
 * libraries' own way to do that, a view on one rank, does not tell when less came than was asked for. */

#include "storage.h"

/* Local. Bytes behind the end of the file are zeros. */
int pcdf_sieve_get(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n);
#endif
