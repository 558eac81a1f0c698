#ifndef PCDF_CRC32C_H
#define PCDF_CRC32C_H
/* CRC-32C (Castagnoli), the checksum of journals and of sidecars with checksums; and CRC-32, that of zip and
 * Ethernet. */

#include <stddef.h>
#include <stdint.h>

/* Goes on from `crc`, the value of the bytes before; 0 at the start. Uses the machine's own instruction where
 * it has one. */
uint32_t pcdf_crc32c(uint32_t crc, const void *bytes, size_t n);

/* Of two ranges one after the other, from the sum of each; n: bytes of the second. */
uint32_t pcdf_crc32c_join(uint32_t first, uint32_t second, uint64_t n);

/* By tables, whatever the machine has: tests compare the two. */
uint32_t pcdf_crc32c_portable(uint32_t crc, const void *bytes, size_t n);

uint32_t pcdf_crc32(uint32_t crc, const void *bytes, size_t n); /* CRC-32, which goes on from `crc`, too */
#endif
