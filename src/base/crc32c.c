/* See crc32c.h. The polynomials are 0x1EDC6F41 and 0x04C11DB7, here in reflected form. */
#include "crc32c.h"
#include <stdatomic.h>
#include <string.h>

/* ---- by tables: eight bytes a step, table k is the effect of a byte k places before the end */

struct tables {
    uint32_t polynomial, x[8][256];
    _Atomic int are_made;
};
static struct tables castagnoli = { .polynomial = 0x82F63B78u }, of_zip = { .polynomial = 0xEDB88320u };

static void make_tables(struct tables *t)
{
    uint32_t made[8][256];
    if (atomic_load_explicit(&t->are_made, memory_order_acquire))
        return;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? t->polynomial : 0);
        made[0][i] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++)
            made[k][i] = made[k - 1][i] >> 8 ^ made[0][made[k - 1][i] & 255];
    memcpy(t->x, made, sizeof made); /* several threads may: they write the same */
    atomic_store_explicit(&t->are_made, 1, memory_order_release);
}

static uint32_t by_tables(struct tables *tables, uint32_t crc, const unsigned char *b, size_t n)
{
    make_tables(tables);
    uint32_t(*const t)[256] = tables->x;
    crc = ~crc;
    for (; n >= 8; n -= 8, b += 8) {
        uint32_t low =
            crc ^ ((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
        crc = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^ t[4][low >> 24] ^ t[3][b[4]] ^
              t[2][b[5]] ^ t[1][b[6]] ^ t[0][b[7]];
    }
    for (; n > 0; n--, b++)
        crc = crc >> 8 ^ t[0][(crc ^ *b) & 255];
    return ~crc;
}

uint32_t pcdf_crc32c_portable(uint32_t crc, const void *bytes, size_t n)
{
    return by_tables(&castagnoli, crc, bytes, n);
}

uint32_t pcdf_crc32(uint32_t crc, const void *bytes, size_t n)
{
    return by_tables(&of_zip, crc, bytes, n);
}

/* ---- of two ranges: a sum is a polynomial of which bit 31 is the coefficient of x^0, and n zero bytes
 * behind it multiply it by x^(8n) */

static uint32_t product(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (; a; a <<= 1) {
        if (a >> 31)
            sum ^= b;
        b = b >> 1 ^ (b & 1 ? castagnoli.polynomial : 0);
    }
    return sum;
}

uint32_t pcdf_crc32c_join(uint32_t first, uint32_t second, uint64_t n)
{
    uint32_t power = 1u << 23; /* x^8, then its squares */
    for (; n; n >>= 1) {
        if (n & 1)
            first = product(first, power);
        power = product(power, power);
    }
    return first ^ second;
}

/* ---- by instruction */

#if defined(__x86_64__)
#include <immintrin.h>

/* The instruction takes three cycles, and one can begin in each: so three lanes, next to each other, are
 * summed at the same time. The sum of two ranges is that of the first, moved over as many zeros as the
 * second has bytes, and the second one's; moving is linear, so four look-ups do it. */
enum { LONG_LANE = 4096, SHORT_LANE = 256 };

struct mover { /* over a lane's length */
    uint32_t x[4][256];
};
static struct mover over_long, over_short;
static _Atomic int movers_are_made;

static void make_mover(struct mover *m, size_t bytes) /* a power of two */
{
    uint32_t shift = 1u << 23; /* x^8 */
    struct mover made;
    for (size_t i = 1; i < bytes; i *= 2)
        shift = product(shift, shift);
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 0; i < 256; i++)
            made.x[k][i] = product(i << 8 * k, shift);
    *m = made; /* several threads may: they write the same */
}

static void make_movers(void)
{
    if (atomic_load_explicit(&movers_are_made, memory_order_acquire))
        return;
    make_mover(&over_long, LONG_LANE);
    make_mover(&over_short, SHORT_LANE);
    atomic_store_explicit(&movers_are_made, 1, memory_order_release);
}

static uint64_t moved(const struct mover *m, uint64_t crc)
{
    return m->x[0][crc & 255] ^ m->x[1][crc >> 8 & 255] ^ m->x[2][crc >> 16 & 255] ^ m->x[3][crc >> 24 & 255];
}

__attribute__((target("sse4.2"))) static uint64_t three_lanes(uint64_t c, const unsigned char *b, size_t lane,
                                                              const struct mover *m)
{
    uint64_t second = 0, third = 0, word[3];
    for (const unsigned char *end = b + lane; b < end; b += 8) {
        memcpy(&word[0], b, 8);
        memcpy(&word[1], b + lane, 8);
        memcpy(&word[2], b + 2 * lane, 8);
        c = _mm_crc32_u64(c, word[0]);
        second = _mm_crc32_u64(second, word[1]);
        third = _mm_crc32_u64(third, word[2]);
    }
    return moved(m, moved(m, c) ^ second) ^ third;
}

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const unsigned char *b,
                                                                 size_t n)
{
    uint64_t c = (uint32_t)~crc, word;
    if (n >= 3 * SHORT_LANE)
        make_movers();
    for (; n >= 3 * LONG_LANE; n -= 3 * LONG_LANE, b += 3 * LONG_LANE)
        c = three_lanes(c, b, LONG_LANE, &over_long);
    for (; n >= 3 * SHORT_LANE; n -= 3 * SHORT_LANE, b += 3 * SHORT_LANE)
        c = three_lanes(c, b, SHORT_LANE, &over_short);
    for (; n >= 8; n -= 8, b += 8) {
        memcpy(&word, b, 8);
        c = _mm_crc32_u64(c, word);
    }
    for (; n > 0; n--, b++)
        c = _mm_crc32_u8((uint32_t)c, *b);
    return ~(uint32_t)c;
}

/* By multiplication without carries, three times as fast: what stands in 16 bytes is moved over the 256 bytes
 * that follow, each half by a factor of its own, and added there. What is left of a range in the end is 256
 * bytes that have its sum. */
enum { FOLDED = 256 };
static struct {
    uint64_t low, high;
    _Atomic int are_made;
} factors;

static uint64_t power_of_x(unsigned n) /* shifted, as the product of two reflected numbers is */
{
    uint32_t result = 1u << 31, square = 1u << 30; /* 1, x */
    for (; n; n >>= 1) {
        if (n & 1)
            result = product(result, square);
        square = product(square, square);
    }
    return (uint64_t)result << 1;
}

static void make_factors(void)
{
    if (atomic_load_explicit(&factors.are_made, memory_order_acquire))
        return;
    factors.low = power_of_x(8 * FOLDED + 32); /* several threads may: they write the same */
    factors.high = power_of_x(8 * FOLDED - 32);
    atomic_store_explicit(&factors.are_made, 1, memory_order_release);
}

__attribute__((target("avx512f,vpclmulqdq,sse4.2"))) static uint32_t
by_folding(uint32_t crc, const unsigned char *b, size_t n)
{
    make_factors();
    const __m512i factor = _mm512_set4_epi64((long long)factors.high, (long long)factors.low,
                                             (long long)factors.high, (long long)factors.low);
    __m512i x[4];
    uint64_t left[FOLDED / 8], c = 0;
    for (int i = 0; i < 4; i++)
        x[i] = _mm512_loadu_si512(b + 64 * i);
    x[0] = _mm512_xor_si512(x[0], _mm512_maskz_set1_epi32(1, (int)~crc));
    for (b += FOLDED, n -= FOLDED; n >= FOLDED; b += FOLDED, n -= FOLDED)
        for (int i = 0; i < 4; i++)
            x[i] = _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(x[i], factor, 0x00),
                                             _mm512_clmulepi64_epi128(x[i], factor, 0x11),
                                             _mm512_loadu_si512(b + 64 * i), 0x96);
    memcpy(left, x, sizeof left);
    _mm256_zeroupper(); /* gcc 12 leaves it out before a call that is a jump: then the caller's SSE code is
                           slow */
    for (int i = 0; i < FOLDED / 8; i++)
        c = _mm_crc32_u64(c, left[i]);
    return by_instruction(~(uint32_t)c, b, n);
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

static uint32_t by_instruction(uint32_t crc, const unsigned char *b, size_t n)
{
    uint32_t c = ~crc;
    uint64_t word;
    for (; n >= 8; n -= 8, b += 8) {
        memcpy(&word, b, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        c = __crc32cd(c, word);
    }
    for (; n > 0; n--, b++)
        c = __crc32cb(c, *b);
    return ~c;
}
#endif

uint32_t pcdf_crc32c(uint32_t crc, const void *bytes, size_t n)
{
#if defined(__x86_64__)
    if (n >= 4 * FOLDED && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq"))
        return by_folding(crc, bytes, n);
    if (__builtin_cpu_supports("sse4.2"))
        return by_instruction(crc, bytes, n);
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
    return by_instruction(crc, bytes, n);
#endif
    return pcdf_crc32c_portable(crc, bytes, n);
}
