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
