/* See base64.h. */

#include "base64.h"
#include <stdint.h>
#include <string.h>

static int digit_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

long pcdf_base64_size(const char *text, size_t n)
{
    while (n > 0 && text[n - 1] == '=')
        n--;
    return (long)(n / 4 * 3 + n % 4 * 6 / 8);
}

long pcdf_base64_decode(const char *text, size_t n, unsigned char *to)
{
    unsigned held = 0;
    int bits = 0;
    long made = 0;
    while (n > 0 && text[n - 1] == '=')
        n--;
    if (n % 4 == 1)
        return -1;
    for (size_t i = 0; i < n; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0)
            return -1;
        held = (held << 6 | (unsigned)digit) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            to[made++] = (unsigned char)(held >> bits);
        }
    }
    return made;
}

size_t pcdf_base64_room(size_t n)
{
    return (n + 2) / 3 * 4 + 1;
}

void pcdf_base64_encode(const unsigned char *bytes, size_t n, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= i + 2 < n ? bytes[i + 2] : 0;
        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = i + 1 < n ? digits[bits >> 6 & 63] : '=';
        *to++ = i + 2 < n ? digits[bits & 63] : '=';
    }
    *to = '\0';
}
