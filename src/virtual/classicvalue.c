/* See classicvalue.h. */

#include "classicvalue.h"
#include <math.h>
#include <string.h>

nc_type pcdf_stored_type(enum pcdf_stored stored, int size)
{
    static const nc_type ints[] = { [1] = NC_BYTE, [2] = NC_SHORT, [4] = NC_INT, [8] = NC_INT64 },
                         uints[] = { [1] = NC_UBYTE, [2] = NC_USHORT, [4] = NC_UINT, [8] = NC_UINT64 };
    bool is_power = size == 1 || size == 2 || size == 4 || size == 8;
    switch (stored) {
    case PCDF_STORED_INT:
        return is_power ? ints[size] : NC_NAT;
    case PCDF_STORED_UINT:
        return is_power ? uints[size] : NC_NAT;
    case PCDF_STORED_REAL:
        return size == 2 || size == 4 ? NC_FLOAT : size == 8 ? NC_DOUBLE : NC_NAT;
    case PCDF_STORED_BOOL:
        return size == 1 ? NC_BYTE : NC_NAT;
    case PCDF_STORED_TEXT:
        return size > 0 ? NC_CHAR : NC_NAT;
    case PCDF_STORED_UCS4:
        return size > 0 && size % 4 == 0 ? NC_CHAR : NC_NAT;
    }
    return NC_NAT;
}

int64_t pcdf_stored_external_bytes(const struct pcdf_classic_values *values)
{
    nc_type type = pcdf_stored_type(values->stored, values->size);
    int64_t each = type == NC_CHAR ? (int64_t)values->size + 1 : pcdf_type_size(type), bytes;
    if (type == NC_NAT && values->stored == PCDF_STORED_TEXT && values->size == 0)
        return 0; /* an empty text */
    if (type == NC_NAT || values->n < 0 || __builtin_mul_overflow(each, values->n, &bytes))
        return -1;
    return bytes;
}

float pcdf_half_to_float(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                 : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
                                : ldexpf((float)fraction, -24);
    return half >> 15 ? -size : size;
}

size_t pcdf_ucs4_to_utf8(const uint32_t *from, size_t n, unsigned char *to)
{
    unsigned char *at = to;
    for (size_t i = 0; i < n && from[i]; i++) {
        uint32_t c = from[i];
        if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
            c = 0xFFFD;
        if (c < 0x80) {
            *at++ = (unsigned char)c;
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3; /* bytes behind the first */
        *at++ = (unsigned char)(0xFF00 >> (more + 1) | c >> 6 * more);
        while (more-- > 0)
            *at++ = (unsigned char)(0x80 | (c >> 6 * more & 0x3F));
    }
    return (size_t)(at - to);
}

static int64_t texts_to_external(const struct pcdf_classic_values *values, unsigned char *to)
{
    unsigned char *at = to;
    const unsigned char *from = values->values;
    for (int64_t i = 0; i < values->n; i++, from += values->size) {
        size_t n = (size_t)values->size;
        if (i > 0)
            *at++ = '\n';
        if (values->stored == PCDF_STORED_UCS4) {
            for (size_t k = 0; k < n; k += 4) {
                uint32_t c;
                memcpy(&c, from + k, 4);
                size_t had = (size_t)(at - to);
                at += pcdf_ucs4_to_utf8(&c, 1, at);
                if ((size_t)(at - to) == had)
                    break;
            }
            continue;
        }
        while (n > 0 && from[n - 1] == '\0')
            n--;
        memcpy(at, from, n);
        at += n;
    }
    return at - to;
}

int64_t pcdf_stored_to_external(const struct pcdf_classic_values *values, unsigned char *to, nc_type *type)
{
    const unsigned char *from = values->values;
    const size_t size = (size_t)values->size;
    *type = pcdf_stored_type(values->stored, values->size);
    if (*type == NC_NAT) /* an empty text */
        *type = NC_CHAR;
    if (*type == NC_CHAR)
        return texts_to_external(values, to);
    for (int64_t i = 0; i < values->n; i++, from += size) {
        uint64_t bits = 0;
        float wide;
        uint16_t half;
        size_t width = size;
        if (values->stored == PCDF_STORED_REAL && size == 2) {
            memcpy(&half, from, 2);
            wide = pcdf_half_to_float(half);
            from = (const unsigned char *)&wide;
            width = 4;
        }
        for (size_t k = 0; k < width; k++) /* big-endian, on any processor */
            bits |= (uint64_t)from[k] << 8 * (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? k : width - 1 - k);
        for (size_t k = 0; k < width; k++)
            *to++ = (unsigned char)(bits >> 8 * (width - 1 - k));
        if (width != size)
            from = (const unsigned char *)values->values + (size_t)i * size;
    }
    return values->n;
}
