#ifndef PCDF_SEAL_H
#define PCDF_SEAL_H
/* Units of the library's own files: a magic of 8 bytes first, a CRC-32C at the end, so that a torn one is
 * known. */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "bytes.h"
#include "crc32c.h"

/* A unit of `size` bytes that was begun with zeros: its magic, and its CRC at the end. */
static inline void pcdf_seal(unsigned char *bytes, const char *magic, size_t size)
{
    memcpy(bytes, magic, 8);
    pcdf_bytes_put(bytes + size - 4, pcdf_crc32c(0, bytes, size - 4), 4);
}

static inline bool pcdf_is_sealed(const unsigned char *bytes, const char *magic, size_t size)
{
    return memcmp(bytes, magic, 8) == 0 &&
           pcdf_crc32c(0, bytes, size - 4) == pcdf_bytes_get(bytes + size - 4, 4);
}
#endif
