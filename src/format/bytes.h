#ifndef PCDF_BYTES_H
#define PCDF_BYTES_H
/* Numbers in bytes: big-endian ones of 2, 4 or 8 bytes, little-endian ones of up to 8. No code assumes the
 * byte order of the machine; where the compiler knows the size, each becomes one move. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t pcdf_bytes_get(const unsigned char *b, size_t size)
{
    uint64_t x = (uint64_t)b[0] << 8 | b[1];
    if (size >= 4)
        x = x << 16 | (uint64_t)b[2] << 8 | b[3];
    if (size == 8)
        x = x << 32 | (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 | b[7];
    return x;
}

/* The lowest `size` bytes of x. */
static inline void pcdf_bytes_put(unsigned char *b, uint64_t x, size_t size)
{
    x <<= 64 - 8 * size;
    b[0] = (unsigned char)(x >> 56);
    b[1] = (unsigned char)(x >> 48);
    if (size >= 4) {
        b[2] = (unsigned char)(x >> 40);
        b[3] = (unsigned char)(x >> 32);
    }
    if (size == 8) {
        b[4] = (unsigned char)(x >> 24);
        b[5] = (unsigned char)(x >> 16);
        b[6] = (unsigned char)(x >> 8);
        b[7] = (unsigned char)x;
    }
}

static inline uint64_t pcdf_bytes_get_little(const unsigned char *b, size_t size)
{
    uint64_t x = 0;
    for (size_t i = 0; i < size; i++)
        x |= (uint64_t)b[i] << 8 * i;
    return x;
}

/* The lowest `size` bytes of x. */
static inline void pcdf_bytes_put_little(unsigned char *b, uint64_t x, size_t size)
{
    for (size_t i = 0; i < size; i++)
        b[i] = (unsigned char)(x >> 8 * i);
}
#endif
