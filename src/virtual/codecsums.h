#ifndef PCDF_CODECSUMS_H
#define PCDF_CODECSUMS_H
/* Checksums that chunks have, beside CRC-32C (crc32c.h). Local. */

#include <stddef.h>
#include <stdint.h>

uint32_t pcdf_fletcher32(const unsigned char *bytes, size_t n); /* as HDF5 counts it */
uint32_t pcdf_adler32(const unsigned char *bytes, size_t n);    /* RFC 1950 */
#endif
