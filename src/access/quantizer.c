/* See quantizer.h. The formulas of granular BitRound are those of netCDF-C (nc4_convert_type), in the same
 * order of operations, since their rounding decides next to powers of ten. */
#include "quantizer.h"
#include <assert.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include "natives.h"

enum { FLOAT_BITS = 23, DOUBLE_BITS = 52, FLOAT_EXPONENTS = 256, DOUBLE_EXPONENTS = 2048, DIGITS = 16 };

#define LOG_10 2.30258509299404568402
#define LOG_2  0.69314718055994530942

/* ---- granular BitRound of one value. libm is not linked: a program that links the archive need not name it
 */

double pcdf_quantizer_log10(double fraction)
{
    const long double s = ((long double)fraction - 1) / ((long double)fraction + 1);
    long double sum = 0, power = s;
    for (int i = 1; i < 41; i += 2, power *= s * s)
        sum += power / i;
    return (double)(2 * sum / (long double)LOG_10);
}

extern double log10(double) __attribute__((weak));      /* a static program may have it, or not */
static double (*log_10)(double) = pcdf_quantizer_log10; /* the program's own where it has one */

static int floor_of(double value)
{
    int whole = (int)value;
    return whole - (value < whole);
}

/* A finite value other than 0 is the fraction, from 0.5 to below 1, times this power of 2. */
static double split(double value, int *exponent)
{
    const uint64_t mantissa = ((uint64_t)1 << DOUBLE_BITS) - 1;
    uint64_t bits;
    int shift = 0;
    memcpy(&bits, &value, sizeof bits);
    if ((bits >> DOUBLE_BITS & (DOUBLE_EXPONENTS - 1)) == 0) { /* subnormal */
        value *= 0x1p54;
        shift = 54;
        memcpy(&bits, &value, sizeof bits);
    }
    *exponent = (int)(bits >> DOUBLE_BITS & (DOUBLE_EXPONENTS - 1)) - 1022 - shift;
    bits = (bits & mantissa) | (uint64_t)1022 << DOUBLE_BITS;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Bits of the significand, of `bits` that are written, which are cleared of a finite value other than 0. */
static int bits_cleared(double value, int digits, int bits)
{
    const double bits_a_digit = LOG_10 / LOG_2, digits_a_bit = LOG_2 / LOG_10;
    int exponent;
    double log = log_10(split(value, &exponent));
    int before_point = floor_of(exponent * digits_a_bit + log) + 1;
    int unit = floor_of(bits_a_digit * (before_point - digits)); /* binary exponent of what is kept last */
    int kept = abs(floor_of(exponent - bits_a_digit * log) - unit) - 1;
    return bits - kept;
}

uint32_t pcdf_quantize_float(const struct pcdf_quantizer *q, uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    if (bits == (uint32_t)q->fill || value == 0 || !__builtin_isfinite(value))
        return bits;
    uint32_t unit = (uint32_t)1 << bits_cleared(value, q->how.digits, FLOAT_BITS);
    return (bits + (unit >> 1)) & -unit;
}

uint64_t pcdf_quantize_double(const struct pcdf_quantizer *q, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (bits == q->fill || value == 0 || !__builtin_isfinite(value))
        return bits;
    uint64_t unit = (uint64_t)1 << bits_cleared(value, q->how.digits, DOUBLE_BITS);
    return (bits + (unit >> 1)) & -unit;
}

/* ---- its tables */

static uint32_t float_places[DIGITS][FLOAT_EXPONENTS], float_units[DIGITS][FLOAT_EXPONENTS];
static uint64_t double_places[DIGITS][DOUBLE_EXPONENTS], double_units[DIGITS][DOUBLE_EXPONENTS];
static atomic_bool is_made[2][DIGITS]; /* [is_double][digits] */
static mtx_t making;
static once_flag making_once = ONCE_FLAG_INIT;

static void begin_making(void)
{
    (void)mtx_init(&making, mtx_plain);
    void *found = log10 ? NULL : dlsym(RTLD_DEFAULT, "log10");
    if (log10)
        log_10 = log10;
    else if (found)
        memcpy(&log_10, &found, sizeof found);
}

static int cleared_of(bool is_double, uint64_t exponent, uint64_t mantissa, int digits)
{
    uint64_t bits = exponent << DOUBLE_BITS | mantissa;
    uint32_t narrow = (uint32_t)(exponent << FLOAT_BITS | mantissa);
    double value;
    float single;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &narrow, sizeof single);
    return bits_cleared(is_double ? value : (double)single, digits, is_double ? DOUBLE_BITS : FLOAT_BITS);
}

/* Between two powers of two there is one power of ten at most, from which on 3 or 4 more bits are cleared.
 * Returns its place; *below: bits that are cleared of values below it. */
static uint64_t place_of(bool is_double, uint64_t exponent, int digits, int *below)
{
    const uint64_t end = (uint64_t)1 << (is_double ? DOUBLE_BITS : FLOAT_BITS);
    uint64_t low = is_double ? PCDF_QUANTIZE_NEAR : 1,
             high = end - 1; /* it begins behind low, not behind high */
    *below = cleared_of(is_double, exponent, low, digits);
    int more = cleared_of(is_double, exponent, high, digits) - *below;
    if (more == 0)
        return end << 1;
    assert(more == 3 || more == 4);
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (cleared_of(is_double, exponent, middle, digits) == *below)
            low = middle;
        else
            high = middle;
    }
    return high << 1 | (more == 4);
}

/* Of the exponents of 0 and of infinity nothing is cleared. */
static void make_table(bool is_double, int digits)
{
    call_once(&making_once, begin_making);
    (void)mtx_lock(&making);
    if (!atomic_load(&is_made[is_double][digits])) {
        const int n = is_double ? DOUBLE_EXPONENTS : FLOAT_EXPONENTS;
        for (int i = 0; i < n; i++) {
            uint64_t place = (uint64_t)2 << (is_double ? DOUBLE_BITS : FLOAT_BITS);
            int below = 0;
            if (i > 0 && i < n - 1)
                place = place_of(is_double, (uint64_t)i, digits, &below);
            if (is_double) {
                double_places[digits][i] = place;
                double_units[digits][i] = (uint64_t)1 << below;
            } else {
                float_places[digits][i] = (uint32_t)place;
                float_units[digits][i] = (uint32_t)1 << below;
            }
        }
        atomic_store(&is_made[is_double][digits], true);
    }
    (void)mtx_unlock(&making);
}

/* ---- making */

void pcdf_quantizer_make(struct pcdf_quantizer *q, struct pcdf_quantize how, nc_type type,
                         const unsigned char *fill)
{
    *q = (struct pcdf_quantizer){ .how = how, .is_double = type == NC_DOUBLE };
    const int bits = q->is_double ? DOUBLE_BITS : FLOAT_BITS;
    if (q->is_double)
        q->fill = *(const loose_U64 *)fill;
    else
        q->fill = *(const loose_U32 *)fill;
    if (how.mode == PCDF_QUANTIZE_GRANULARBR) {
        if (!atomic_load_explicit(&is_made[q->is_double][how.digits], memory_order_acquire))
            make_table(q->is_double, how.digits);
        q->floats.places = float_places[how.digits];
        q->floats.units = float_units[how.digits];
        q->doubles.places = double_places[how.digits];
        q->doubles.units = double_units[how.digits];
        return;
    }
    /* BitGroom counts decimal digits: the bits that these take, rounded up, and one for safety. */
    int kept = how.mode == PCDF_QUANTIZE_BITGROOM ? floor_of(how.digits * (LOG_10 / LOG_2)) + 2 : how.digits;
    q->kept = ~(uint64_t)0 << (bits - kept);
}
