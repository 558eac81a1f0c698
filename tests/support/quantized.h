#ifndef QUANTIZED_H
#define QUANTIZED_H
/* What the tests of quantized values share: the attributes, the most digits, values as bits. Modes are those
 * of parcdf.h. */

#include <parcdf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline const char *quantized_att(int mode)
{
    static const char *const names[] = { NULL, NC_QUANTIZE_BITGROOM_ATT_NAME, NC_QUANTIZE_GRANULARBR_ATT_NAME,
                                         NC_QUANTIZE_BITROUND_ATT_NAME };
    return names[mode];
}

static inline int quantized_most(int mode, bool is_double)
{
    if (mode == NC_QUANTIZE_BITROUND)
        return is_double ? 52 : 23;
    return is_double ? 15 : 6;
}

/* 4 or 8 bytes of memory as a number. */
static inline uint64_t quantized_load(const void *from, bool is_double)
{
    uint64_t wide;
    uint32_t narrow;
    memcpy(&narrow, from, sizeof narrow);
    if (!is_double)
        return narrow;
    memcpy(&wide, from, sizeof wide);
    return wide;
}

static inline uint64_t quantized_bits(double value, bool is_double)
{
    float single = (float)value;
    return quantized_load(is_double ? (const void *)&value : (const void *)&single, is_double);
}
#endif
