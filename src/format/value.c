/* See value.h. */
#include "value.h"
#include "bytes.h"

struct pcdf_value pcdf_value_load(nc_type type, const unsigned char *bytes)
{
    const int size = pcdf_type_size(type);
    struct pcdf_value v = { .type = type };
    const uint64_t all = size == 1 ? bytes[0] : pcdf_bytes_get(bytes, (size_t)size);

    v.is.natural = all; /* of NC_DOUBLE, too */
    if (type == NC_FLOAT) {
        uint32_t bits = (uint32_t)all;
        float single;
        memcpy(&single, &bits, sizeof single);
        v.is.real = (double)single;
    } else if (type == NC_BYTE || type == NC_SHORT || type == NC_INT) {
        uint64_t sign = UINT64_C(1) << (8 * size - 1);
        v.is.natural = (all ^ sign) - sign;
    }
    return v;
}

void pcdf_value_store(const struct pcdf_value *value, unsigned char *bytes)
{
    const int size = pcdf_type_size(value->type);
    uint64_t all = value->is.natural;

    if (value->type == NC_FLOAT) {
        float single = (float)value->is.real;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        all = bits;
    }
    if (size == 1)
        bytes[0] = (unsigned char)all;
    else
        pcdf_bytes_put(bytes, all, (size_t)size);
}

double pcdf_value_as_real(const struct pcdf_value *value)
{
    if (pcdf_value_is_real(value->type))
        return value->is.real;
    return pcdf_value_is_unsigned(value->type) ? (double)value->is.natural : (double)value->is.integer;
}

/* A loop for each size; where `step` is the size, the compiler is told so. */
#define REVERSE(bits)                                                                                        \
    static inline void reverse##bits(const char *from, int64_t step, int64_t n, char *to)                    \
    {                                                                                                        \
        uint##bits##_t x;                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            memcpy(&x, from + i * step, sizeof x);                                                           \
            x = __builtin_bswap##bits(x);                                                                    \
            memcpy(to + i * (int64_t)sizeof x, &x, sizeof x);                                                \
        }                                                                                                    \
    }
REVERSE(16)
REVERSE(32)
REVERSE(64)

void pcdf_values_reverse_from(const void *from, int64_t step, int64_t n, int size, void *to)
{
    if (size == 2)
        step == 2 ? reverse16(from, 2, n, to) : reverse16(from, step, n, to);
    else if (size == 4)
        step == 4 ? reverse32(from, 4, n, to) : reverse32(from, step, n, to);
    else if (size == 8)
        step == 8 ? reverse64(from, 8, n, to) : reverse64(from, step, n, to);
}

void pcdf_values_reverse(void *values, int64_t n, int size)
{
    pcdf_values_reverse_from(values, size, n, size, values);
}

void pcdf_values_swap(void *values, int64_t n, int size)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        pcdf_values_reverse(values, n, size);
}
