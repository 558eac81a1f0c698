/* Quantized values, at each level of instructions that this processor has: bits as netCDF-C 4.10.1 has them
 * (hashes of what its nc4_convert_type made of the same values), and as its formulas give them one by one;
 * the promised bound of every value; what stays as it is; parts of a put, types in memory, both byte orders.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "quantized.h"
#include "quantizer.h"
#include "request.h"

enum { N = 4096, WIDEST = 8 };

static uint64_t state;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}

/* ---- values, as bits; those for the hashes are not next to a power of ten, where libraries of logarithms
 * may differ */

static void store(void *to, uint64_t bits, bool is_double)
{
    uint32_t narrow = (uint32_t)bits;
    memcpy(to, is_double ? (const void *)&bits : (const void *)&narrow, is_double ? 8 : 4);
}

static double value_of(uint64_t bits, bool is_double)
{
    double value;
    float single;
    store(&value, bits, true);
    store(&single, bits, false);
    return is_double ? value : (double)single;
}

static uint64_t draw_plain(bool is_double)
{
    uint64_t r = draw(), choice = r & 3;
    r >>= 2;
    if (choice == 0) /* any bits that are a finite number */
        return is_double ? (r & ~((uint64_t)1 << 62)) | draw() << 63 : (uint32_t)(r & 0xbfffffff);
    if (choice == 1)
        return quantized_bits((double)(int64_t)(r % 2000001) / 7 - 123456.1, is_double);
    if (choice == 2)
        return quantized_bits(250 + 60 * ((double)(r & 0xffffff) / 0x1000000), is_double);
    return quantized_bits((double)(r & 0xffffffff) * 0x1p-40, is_double);
}

/* One step up or down a few times. */
static double step(double value, int steps, bool is_double)
{
    for (int i = 0; i < abs(steps); i++)
        value = is_double ? nextafter(value, steps < 0 ? 0 : HUGE_VAL)
                          : (double)nextafterf((float)value, steps < 0 ? 0 : HUGE_VALF);
    return value;
}

static uint64_t draw_hard(bool is_double, uint64_t fill)
{
    static const double rare[] = { 0.0, -0.0, NAN, -NAN, FLT_MAX, FLT_MIN };
    uint64_t r = draw(), choice = r & 7;
    int steps = (int)(r >> 3 & 15) - 8;
    r >>= 7;
    if (choice < 2)
        return quantized_bits(
            step(pow(10, (int)(r % (is_double ? 600 : 70)) - (is_double ? 300 : 35)), steps, is_double),
            is_double);
    if (choice < 4)
        return quantized_bits(
            step(ldexp(1, (int)(r % (is_double ? 2000 : 250)) - (is_double ? 1000 : 125)), steps, is_double),
            is_double);
    if (choice == 4) /* subnormal */
        return r % (is_double ? 1u << 31 : 1u << 23);
    if (choice == 5)
        return fill;
    return choice == 6 ? quantized_bits(rare[r % 6], is_double) : draw_plain(is_double);
}

/* ---- what is expected of one value */

struct expected {
    struct pcdf_quantize how;
    bool is_double;
    uint64_t fill;
};

static bool is_left(const struct expected *e, uint64_t bits)
{
    double value = value_of(bits, e->is_double);
    return value == 0 || isnan(value) || bits == e->fill;
}

static int digits_before_point(double value)
{
    int exponent;
    double log = log10(fabs(frexp(value, &exponent)));
    return (int)floor(exponent * (0.69314718055994530942 / 2.30258509299404568402) + log) + 1;
}

static uint64_t expected_bits(const struct expected *e, uint64_t bits, int64_t number)
{
    const double bits_a_digit = 2.30258509299404568402 / 0.69314718055994530942;
    double value = value_of(bits, e->is_double);
    int all = e->is_double ? 52 : 23, kept = e->how.digits, exponent;
    uint64_t mask = e->is_double ? ~(uint64_t)0 : 0xffffffffu;
    if (is_left(e, bits))
        return bits;
    if (e->how.mode == PCDF_QUANTIZE_BITGROOM)
        kept = (int)ceil(kept * bits_a_digit) + 1;
    if (e->how.mode == PCDF_QUANTIZE_GRANULARBR) {
        if (isinf(value))
            return bits;
        int unit = (int)floor(bits_a_digit * (digits_before_point(value) - kept));
        double log = log10(fabs(frexp(value, &exponent)));
        kept = abs((int)floor(exponent - bits_a_digit * log) - unit) - 1;
    }
    uint64_t last = ((uint64_t)1 << (all - kept)) - 1;
    if (e->how.mode == PCDF_QUANTIZE_BITGROOM)
        return number % 2 ? bits | last : bits & ~last & mask;
    return (bits + ((last + 1) >> 1)) & ~last & mask;
}

/* Half a unit of the last digit, of normal numbers: BitGroom promises it of the value as d.ddd, granular
 * BitRound of the value as it is written; BitRound half of the last bit. */
static bool is_within(const struct expected *e, uint64_t was, uint64_t is)
{
    double value = value_of(was, e->is_double), error = fabs(value - value_of(is, e->is_double)), bound;
    int exponent;
    if (is_left(e, was) || !isfinite(value))
        return true;
    if (fabs(value) < (e->is_double ? DBL_MIN : (double)FLT_MIN) || isinf(value_of(is, e->is_double)))
        return true; /* netCDF-C promises nothing at both ends */
    (void)frexp(value, &exponent);
    if (e->how.mode == PCDF_QUANTIZE_BITGROOM)
        bound = fabs(value) * 0.5 * pow(10, -e->how.digits);
    else if (e->how.mode == PCDF_QUANTIZE_GRANULARBR)
        bound = 0.5 * pow(10, digits_before_point(value) - e->how.digits);
    else
        bound = ldexp(1, exponent - 1 - e->how.digits - 1);
    return error <= bound;
}

/* ---- a put of them */

static void turn(unsigned char *value, int size)
{
    for (int i = 0; i < size / 2; i++) {
        unsigned char byte = value[i];
        value[i] = value[size - 1 - i];
        value[size - 1 - i] = byte;
    }
}

/* Converter of the memory type in the byte order of a classic file, or of this machine. */
static void pack(const struct expected *e, enum pcdf_mtype mtype, bool is_native, void *memory, size_t n,
                 uint64_t *result)
{
    static unsigned char file[N * WIDEST];
    const int one = 1, size = e->is_double ? 8 : 4;
    const bool turns = !is_native && *(const char *)&one;
    struct pcdf_memory quantized = { .base = memory, .size = pcdf_mtype_size(mtype), .quantize = e->how };
    struct pcdf_request r = { .base = memory, .nelems = (int64_t)n, .spread = &quantized };
    unsigned char fill[WIDEST] = { 0 };
    r.converter = pcdf_converter_of(PCDF_CDF5, e->is_double ? NC_DOUBLE : NC_FLOAT, mtype);
    if (is_native)
        r.converter = pcdf_converter_native(r.converter);
    store(fill, e->fill, e->is_double);
    memcpy(quantized.fill, fill, sizeof fill);
    if (turns)
        turn(fill, size);
    for (size_t done = 0, part; done < n; done += part) {
        part = draw() % 4 == 0 ? draw() % 40 + 1 : n;
        part = part < n - done ? part : n - done;
        (void)pcdf_request_pack(&r, fill, (int64_t)done, (int64_t)part, false, file + done * (size_t)size);
    }
    for (size_t i = 0; i < n; i++) {
        if (turns)
            turn(file + i * (size_t)size, size);
        result[i] = quantized_load(file + i * (size_t)size, e->is_double);
    }
}

/* Checks n values, which are `bits`, in one type of memory. */
static void check_put(const struct expected *e, const uint64_t *bits, size_t n, bool as_double,
                      bool is_native)
{
    static double doubles[N], doubles_before[N];
    static float floats[N], floats_before[N];
    static uint64_t result[N];
    int faults = 0;
    for (size_t i = 0; i < n; i++) {
        doubles[i] = value_of(bits[i], e->is_double);
        store(&floats[i], bits[i], false);
    }
    memcpy(doubles_before, doubles, sizeof doubles);
    memcpy(floats_before, floats, sizeof floats);
    pack(e, as_double ? PCDF_M_DOUBLE : PCDF_M_FLOAT, is_native, as_double ? (void *)doubles : (void *)floats,
         n, result);
    CHECK(!memcmp(doubles, doubles_before, sizeof doubles) && !memcmp(floats, floats_before, sizeof floats),
          "the user's values changed");
    for (size_t i = 0; i < n; i++) {
        double value = value_of(bits[i], e->is_double);
        uint64_t want = expected_bits(e, bits[i], (int64_t)i);
        bool is_equal =
            result[i] == want || (as_double != e->is_double && isnan(value) &&
                                  isnan(value_of(result[i], e->is_double))); /* a cast quietens it */
        bool good = is_equal && is_within(e, bits[i], result[i]);
        if (good || ++faults > 3)
            continue;
        CHECK(good,
              "%s %s, mode %d, %d digits, value %zu: %.17g became %.17g (%016llx), not %.17g (%016llx)%s",
              pcdf_convert_level(), e->is_double ? "double" : "float", e->how.mode, e->how.digits, i, value,
              value_of(result[i], e->is_double), (unsigned long long)result[i], value_of(want, e->is_double),
              (unsigned long long)want, is_within(e, bits[i], result[i]) ? "" : ", beyond the bound");
    }
    CHECK(faults == 0, "%d of %zu values are wrong", faults, n);
}

static void check_hard(const struct expected *e)
{
    static uint64_t bits[N];
    for (int round = 0; round < 4; round++) {
        size_t n = round < 2 ? N : draw() % 100;
        for (size_t i = 0; i < n; i++)
            bits[i] = round == 0 ? draw_plain(e->is_double) : draw_hard(e->is_double, e->fill);
        check_put(e, bits, n, e->is_double || round % 2, round / 2 % 2);
    }
}

/* ---- hashes of netCDF-C 4.10.1's results, of doubles and floats, by mode; all digits, N plain values each
 */

static const uint64_t peer[2][PCDF_QUANTIZE_MODES] = {
    { 0, 0x9530a6c70bf2feedu, 0x890a717e7912ef2du, 0xe00ef505ac99cc71u },
    { 0, 0x01c149f54c1d4f5fu, 0xa0b0e37ea3b55ff1u, 0xb8ac02d921c2ac26u },
};

static void check_peer(bool is_double, int mode)
{
    static uint64_t bits[N], result[N];
    static unsigned char memory[N * WIDEST];
    struct expected e = { { (unsigned char)mode, 0 },
                          is_double,
                          quantized_bits(9.9692099683868690e+36, is_double) };
    uint64_t hash = 14695981039346656037u;
    state = 88172645463325252u;
    for (int digits = 1; digits <= pcdf_quantize_most(mode, is_double ? NC_DOUBLE : NC_FLOAT); digits++) {
        e.how.digits = (unsigned char)digits;
        for (size_t i = 0; i < N; i++) {
            bits[i] = draw_plain(is_double);
            store(memory + i * (is_double ? 8 : 4), bits[i], is_double);
        }
        uint64_t before = state;
        pack(&e, is_double ? PCDF_M_DOUBLE : PCDF_M_FLOAT, false, memory, N, result);
        state = before;
        for (size_t i = 0; i < N; i++)
            hash = (hash ^ result[i]) * 1099511628211u;
    }
    CHECK(hash == peer[is_double][mode], "%s %s, mode %d: hash 0x%016llx, netCDF-C's 0x%016llx",
          pcdf_convert_level(), is_double ? "double" : "float", mode, (unsigned long long)hash,
          (unsigned long long)peer[is_double][mode]);
}

/* Infinity: rounding keeps it; BitGroom, as in netCDF-C, makes NaN of every second one. */
static void check_infinite(bool is_double)
{
    uint64_t bits[2] = { quantized_bits(HUGE_VAL, is_double), quantized_bits(-HUGE_VAL, is_double) };
    for (int mode = 1; mode < PCDF_QUANTIZE_MODES; mode++) {
        struct expected e = { { (unsigned char)mode, 3 }, is_double, quantized_bits(1, is_double) };
        check_put(&e, bits, 2, is_double, false);
    }
}

/* What a program without libm gets. */
static void check_log10(void)
{
    for (int i = 0; i < 100000; i++) {
        double fraction = 0.5 + (double)(draw() >> 11) * 0x1p-54, want = log10(fraction);
        double got = pcdf_quantizer_log10(fraction);
        CHECK(fabs(got - want) <= 2e-16 * fabs(want), "log10 of %.17g: %.17g, not %.17g", fraction, got,
              want);
    }
}

static void check_level(const char *level)
{
    if (!pcdf_convert_use(level)) {
        printf("quantize_values: this processor has no %s\n", level);
        return;
    }
    printf("quantize_values: %s\n", level);
    for (int is_double = 0; is_double < 2; is_double++) {
        for (int mode = 1; mode < PCDF_QUANTIZE_MODES; mode++) {
            int most = pcdf_quantize_most(mode, is_double ? NC_DOUBLE : NC_FLOAT);
            check_peer(is_double, mode);
            for (int digits = 1; digits <= most; digits++) {
                struct expected e = { { (unsigned char)mode, (unsigned char)digits }, is_double, 0 };
                e.fill =
                    digits % 3 ? quantized_bits(9.9692099683868690e+36, is_double) : draw_plain(is_double);
                check_hard(&e);
            }
        }
        check_infinite(is_double);
    }
}

int main(void)
{
    check_log10();
    check_level("portable");
    check_level("avx2");
    check_level("avx512");
    check_level("neon");
    return check_done("quantize_values");
}
