#ifndef PCDF_CLASSICVALUE_H
#define PCDF_CLASSICVALUE_H
/* Values of other formats as values of the classic model: which type they become, and their external form. */

#include "classic.h"

/* NC_NAT: there is none for it. */
nc_type pcdf_stored_type(enum pcdf_stored stored, int size);
/* Bytes that they need at most in external form; -1: there is none. */
int64_t pcdf_stored_external_bytes(const struct pcdf_classic_values *values);
/* Native values into external form; texts without the NULs at their ends, and a newline between two. Returns
 * the number of elements of *type. */
int64_t pcdf_stored_to_external(const struct pcdf_classic_values *values, unsigned char *to, nc_type *type);

/* UTF-8 of n UCS-4 characters up to the first NUL, at most 4 n bytes; what is no character becomes U+FFFD. */
size_t pcdf_ucs4_to_utf8(const uint32_t *from, size_t n, unsigned char *to);
/* IEEE binary16 as float. */
float pcdf_half_to_float(uint16_t half);
#endif
