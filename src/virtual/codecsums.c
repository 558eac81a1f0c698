/* See codecsums.h. */

#include "codecsums.h"

/* Sums of big-endian words of 16 bits; a byte that is over counts as the upper half of one. 360 words are as
 * many as 32 bits have room for. */
uint32_t pcdf_fletcher32(const unsigned char *bytes, size_t n)
{
    enum { MOST = 360 };
    uint32_t a = 0, b = 0;
    for (size_t left = n / 2; left > 0;) {
        size_t words = left < MOST ? left : MOST;
        left -= words;
        for (; words > 0; words--, bytes += 2) {
            a += (uint32_t)bytes[0] << 8 | bytes[1];
            b += a;
        }
        a = (a & 0xffff) + (a >> 16);
        b = (b & 0xffff) + (b >> 16);
    }
    if (n % 2) {
        a += (uint32_t)bytes[0] << 8;
        b += a;
        a = (a & 0xffff) + (a >> 16);
        b = (b & 0xffff) + (b >> 16);
    }
    a = (a & 0xffff) + (a >> 16);
    b = (b & 0xffff) + (b >> 16);
    return b << 16 | a;
}

uint32_t pcdf_adler32(const unsigned char *bytes, size_t n)
{
    enum { MOST = 5552, MODULUS = 65521 };
    uint32_t a = 1, b = 0;
    while (n > 0) {
        size_t step = n < MOST ? n : MOST;
        n -= step;
        for (; step > 0; step--) {
            a += *bytes++;
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    return b << 16 | a;
}

uint32_t pcdf_crc32(const unsigned char *bytes, size_t n)
{
    static const uint32_t table[16] = { 0,          0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                        0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };
    uint32_t crc = ~(uint32_t)0;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}
