/* No guard: included by convertsteps.h. Rounds n values in place, of which the first has this number in its
 * put (quantizer.h). Values are looked at as whole numbers: no comparison of a signalling NaN then stops a
 * program that wants to be told of one. */

#include "quantizer.h"

/* Values of granular BitRound looked at together: some are done again one by one. */
enum { TOGETHER = 64 };

#define QUANTIZE(type, bits, sbits, BITS, tables, one)                                                       \
    /* NaN, zeros and the fill value */                                                                      \
    static inline bool stays_##type(bits v, bits fill)                                                       \
    {                                                                                                        \
        const bits infinite = (~(bits)0 >> 1) & ~(((bits)1 << (BITS)) - 1), magnitude = v & ~(bits)0 >> 1;   \
        return ((sbits)magnitude > (sbits)infinite) | (magnitude == 0) | (v == fill);                        \
    }                                                                                                        \
    static void groom_##type(unsigned char *values, size_t n, const struct pcdf_quantizer *q, size_t number) \
    {                                                                                                        \
        loose_##type *v = (loose_##type *)values;                                                            \
        const bits kept = (bits)q->kept, fill = (bits)q->fill;                                               \
        for (size_t i = 0; i < n; i++) {                                                                     \
            bits sets = -((bits)(number + i) & 1), is = v[i]; /* all bits where the last ones are set */     \
            bits groomed = (is & (kept | sets)) | (~kept & sets);                                            \
            v[i] = stays_##type(is, fill) ? is : groomed;                                                    \
        }                                                                                                    \
    }                                                                                                        \
    static void round_##type(unsigned char *values, size_t n, const struct pcdf_quantizer *q, size_t number) \
    {                                                                                                        \
        loose_##type *v = (loose_##type *)values;                                                            \
        const bits kept = (bits)q->kept, fill = (bits)q->fill, half = ~kept & kept >> 1;                     \
        (void)number;                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                     \
            bits is = v[i], rounded = (is + half) & kept;                                                    \
            v[i] = stays_##type(is, fill) ? is : rounded;                                                    \
        }                                                                                                    \
    }                                                                                                        \
    static void grain_##type(unsigned char *values, size_t n, const struct pcdf_quantizer *q, size_t number) \
    {                                                                                                        \
        const bits *restrict places = q->tables.places, *restrict units = q->tables.units;                   \
        const bits fill = (bits)q->fill, end = (bits)1 << (BITS);                                            \
        (void)number;                                                                                        \
        for (size_t done = 0, k; done < n; done += k) {                                                      \
            loose_##type *v = (loose_##type *)values + done;                                                 \
            bits was[TOGETHER], becomes[TOGETHER], unknown = 0;                                              \
            k = n - done < TOGETHER ? n - done : TOGETHER;                                                   \
            memcpy(was, v, k * sizeof *v);                                                                   \
            for (size_t i = 0; i < k; i++) {                                                                 \
                bits is = was[i], magnitude = is & ~(bits)0 >> 1, mantissa = is & (end - 1);                 \
                bits place = places[magnitude >> (BITS)], unit = units[magnitude >> (BITS)],                 \
                     from = place >> 1;                                                                      \
                bits above = place & 1 ? unit << 4 : unit << 3;                                              \
                unit = (sbits)mantissa >= (sbits)from ? above : unit;                                        \
                bits rounded = (is + (unit >> 1)) & -unit;                                                   \
                bits is_subnormal = magnitude - 1 < end - 1;                                                 \
                bits is_near = sizeof is > 4                                                                 \
                                   ? (mantissa - from + PCDF_QUANTIZE_NEAR < 2 * (bits)PCDF_QUANTIZE_NEAR) | \
                                         (mantissa - 1 < PCDF_QUANTIZE_NEAR - 1)                             \
                                   : 0;                                                                      \
                unknown |= is_subnormal | is_near;                                                           \
                becomes[i] = stays_##type(is, fill) ? is : rounded;                                          \
            }                                                                                                \
            memcpy(v, becomes, k * sizeof *v);                                                               \
            for (size_t i = 0; unknown && i < k; i++)                                                        \
                v[i] = one(q, was[i]);                                                                       \
        }                                                                                                    \
    }
QUANTIZE(U32, uint32_t, int32_t, 23, floats, pcdf_quantize_float)
QUANTIZE(U64, uint64_t, int64_t, 52, doubles, pcdf_quantize_double)

/* By enum pcdf_quantize_mode; of floats, of doubles. */
#define QUANTIZERS                                                                                           \
    {                                                                                                        \
        { NULL, NULL }, { groom_U32, groom_U64 }, { grain_U32, grain_U64 },                                  \
        {                                                                                                    \
            round_U32, round_U64                                                                             \
        }                                                                                                    \
    }
