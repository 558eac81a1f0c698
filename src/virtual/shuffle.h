#ifndef PCDF_SHUFFLE_H
#define PCDF_SHUFFLE_H
/* The bytes of elements, first all first bytes, then all second ones; what is over at the end stays there (as
 * HDF5 and numcodecs have it). `in` and `out` do not overlap. Compiled for speed. */

#include <stddef.h>

void pcdf_shuffle(size_t size, const unsigned char *in, size_t n, unsigned char *out);
void pcdf_unshuffle(size_t size, const unsigned char *in, size_t n, unsigned char *out);
#endif
