/* No guard: the steps of a conversion, once in each steps_*.c, which says for which processor. It defines
 * STEPS, the name of its table; VECTOR, bytes that one instruction takes; PERMUTES, whether there are
 * instructions for permutations of bytes; STREAMS, its steps past the cache and the end of them.
 *
 * Each step is a loop of its own because that is what compilers turn into vector instructions at -O3 (byte
 * swap, range check and cast in one loop, they do not), and because one cast from double to int then serves
 * put and get. */

#include "natives.h"
#include "quantizesteps.h"

enum { PART = 32 }; /* values looked at together where some misfit */

/* In front of a loop that is worth it; compilers differ in the word. */
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll_count(4)")
#else
#define UNROLLED _Pragma("GCC unroll 4")
#endif

/* all_within_<tag>: are n values in a row all within lo..hi? Written for vector units without 64-bit
 * comparison (SSE2), which compilers do not get around themselves. */
#define ALL_WITHIN_I(tag, type, bits)                                                                        \
    /* Between whole numbers lo..hi spans a power of two: the bits above it tell. */                         \
    static inline bool all_within_##tag(const unsigned char *from, size_t n, type lo, type hi)               \
    {                                                                                                        \
        const loose_##tag *v = (const loose_##tag *)from;                                                    \
        const bits above = (bits) ~((bits)hi - (bits)lo);                                                    \
        bits outside = 0;                                                                                    \
        for (size_t i = 0; i < n; i++)                                                                       \
            outside |= (bits)((bits)v[i] - (bits)lo) & above;                                                \
        return outside == 0;                                                                                 \
    }
/* gcc takes masks of 64-bit lanes apart. */
typedef int32_t words __attribute__((vector_size(VECTOR)));
#define ALL_WITHIN_R(tag, type, bits)                                                                        \
    static inline bool all_within_##tag(const unsigned char *from, size_t n, type lo, type hi)               \
    {                                                                                                        \
        typedef type reals __attribute__((vector_size(VECTOR)));                                             \
        reals low, high;                                                                                     \
        const loose_##tag *rest = (const loose_##tag *)from;                                                 \
        words all;                                                                                           \
        bool within = true;                                                                                  \
        size_t i;                                                                                            \
        for (i = 0; i < sizeof low / sizeof(type); i++)                                                      \
            low[i] = lo, high[i] = hi;                                                                       \
        all = (words)(low <= high);                                                                          \
        i = 0;                                                                                               \
        UNROLLED                                                                                             \
        for (reals v; i + sizeof v / sizeof(type) <= n; i += sizeof v / sizeof(type)) {                      \
            memcpy(&v, from + i * sizeof(type), sizeof v);                                                   \
            all &= (words)(v >= low) & (words)(v <= high);                                                   \
        }                                                                                                    \
        for (; i < n; i++)                                                                                   \
            within &= (rest[i] >= lo) & (rest[i] <= hi);                                                     \
        for (i = 0; i < sizeof all / sizeof all[0]; i++)                                                     \
            within &= all[i] != 0;                                                                           \
        return within;                                                                                       \
    }
#define ALL_WITHIN(tag, type, kind, bits) ALL_WITHIN_##kind(tag, type, bits)
NATIVES(ALL_WITHIN)

/* Are n doubles in a row all NaN or within the limits of float? (For an infinity, which fits too, the caller
 * looks at each value: it is rare, NaN is not.) */
static inline bool all_floats(const unsigned char *from, size_t n)
{
    typedef double reals __attribute__((vector_size(VECTOR)));
    typedef uint64_t bits __attribute__((vector_size(VECTOR)));
    enum { LANES = VECTOR / 8 };
    reals high = { 0 };
    bits sign = { 0 };
    words some = { 0 };
    size_t i = 0;
    high += FLT_MAX;
    sign -= 1;
    sign >>= 1;
    UNROLLED
    for (bits v; i + LANES <= n; i += LANES) {
        memcpy(&v, from + i * sizeof(double), sizeof v);
        some |= (words)((reals)(v & sign) > high);
    }
    bool beyond = false;
    for (; i < n; i++)
        beyond |= __builtin_fabs(((const loose_F64 *)from)[i]) > FLT_MAX;
    for (i = 0; i < sizeof some / sizeof some[0]; i++)
        beyond |= some[i] != 0;
    return !beyond;
}

#define ALL_FIT(s, S, D, from, n)                                                                            \
    (ALWAYS_FITS(S, D) ||                                                                                    \
     (IS_REAL(D) ? all_floats(from, n) : all_within_##s(from, n, LOWEST(S, D), HIGHEST(S, D))))

/* ---- Cast: n values in a row from one representation to another; true when some did not fit and became
 * *fill. A block is checked first and then cast: no value is ever cast that does not fit, which C leaves
 * undefined. ---- */

#define CAST(s, S, skind, bits, d, D)                                                                        \
    static bool cast_##s##_##d(unsigned char *restrict to, const unsigned char *restrict from, size_t n,     \
                               const void *fill)                                                             \
    {                                                                                                        \
        const bool all = ALL_FIT(s, S, D, from, n);                                                          \
        const size_t part = all ? n : PART;                                                                  \
        bool outside = false;                                                                                \
        for (size_t done = 0, k; done < n; done += k) {                                                      \
            const loose_##s *v = (const loose_##s *)from + done;                                             \
            loose_##d *r = (loose_##d *)to + done;                                                           \
            k = n - done < part ? n - done : part;                                                           \
            if (all || ALL_FIT(s, S, D, (const unsigned char *)v, k)) {                                      \
                for (size_t i = 0; i < k; i++)                                                               \
                    r[i] = (D)v[i];                                                                          \
                continue;                                                                                    \
            }                                                                                                \
            for (size_t i = 0; i < k; i++) {                                                                 \
                if (FITS(S, D, v[i])) {                                                                      \
                    r[i] = (D)v[i];                                                                          \
                } else {                                                                                     \
                    r[i] = *(const loose_##d *)fill;                                                         \
                    outside = true;                                                                          \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        return outside;                                                                                      \
    }

#define CAST_TO(...)    EXPAND(CAST, __VA_ARGS__)
#define CASTS_FROM(...) TO_EACH(CAST_TO, __VA_ARGS__)
NATIVES(CASTS_FROM)

/* ---- Byte order ---- */

/* Eight pairs of bytes are turned with shifts and the pairs then permuted, which plain SSE2 can do. */
typedef uint16_t lanes __attribute__((vector_size(16)));
#define TURNED_2(v) (v)
#define TURNED_4(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#define TURNED_8(v) __builtin_shufflevector(v, v, 3, 2, 1, 0, 7, 6, 5, 4)

/* n values in a row. Compilers turn the second loop into vector instructions where there are some for it. */
#define SWAP(width, tag, bits)                                                                               \
    static void swap_##width(unsigned char *restrict to, const unsigned char *restrict from, size_t n)       \
    {                                                                                                        \
        size_t i = 0;                                                                                        \
        for (lanes v; !PERMUTES && i + 16 / width <= n; i += 16 / width) {                                   \
            memcpy(&v, from + i * width, sizeof v);                                                          \
            v = v << 8 | v >> 8;                                                                             \
            v = TURNED_##width(v);                                                                           \
            memcpy(to + i * width, &v, sizeof v);                                                            \
        }                                                                                                    \
        for (; i < n; i++)                                                                                   \
            ((loose_##tag *)to)[i] = IN_FILE_ORDER(bits, ((const loose_##tag *)from)[i]);                    \
    }
SWAP(2, U16, 16)
SWAP(4, U32, 32)
SWAP(8, U64, 64)

static void swap_1(unsigned char *restrict to, const unsigned char *restrict from, size_t n)
{
    memcpy(to, from, n);
}

/* ---- Strides: values on one side lie `step` bytes apart, on the other in a row ---- */

/* A step that the compiler knows becomes permutations of whole vectors, where the processor has them. */
#define GATHER(width, times)                                                                                 \
    if ((PERMUTES || (times) == 2) && step == (ptrdiff_t)(times) * (width)) {                                \
        for (size_t i = 0; i < n; i++)                                                                       \
            memcpy(to + i * (width), from + i * (times) * (width), width);                                   \
        return;                                                                                              \
    }
/* Four at a time, each from one of the two pointers: compilers would keep a pointer for each. */
#define GATHERS(width)                                                                                       \
    static void gather_##width(unsigned char *restrict to, const unsigned char *restrict from,               \
                               ptrdiff_t step, size_t n)                                                     \
    {                                                                                                        \
        GATHER(width, 2)                                                                                     \
        GATHER(width, 3)                                                                                     \
        GATHER(width, 4)                                                                                     \
        for (; n >= 4; n -= 4, to += 4 * (width), from += 4 * step) {                                        \
            memcpy(to, from, width);                                                                         \
            memcpy(to + (width), from + step, width);                                                        \
            memcpy(to + 2 * (width), from + 2 * step, width);                                                \
            memcpy(to + 3 * (width), from + 3 * step, width);                                                \
        }                                                                                                    \
        for (; n > 0; n--, to += (width), from += step)                                                      \
            memcpy(to, from, width);                                                                         \
    }                                                                                                        \
    static void scatter_##width(unsigned char *restrict to, const unsigned char *restrict from,              \
                                ptrdiff_t step, size_t n)                                                    \
    {                                                                                                        \
        for (; n >= 4; n -= 4, to += 4 * step, from += 4 * (width)) {                                        \
            memcpy(to, from, width);                                                                         \
            memcpy(to + step, from + (width), width);                                                        \
            memcpy(to + 2 * step, from + 2 * (width), width);                                                \
            memcpy(to + 3 * step, from + 3 * (width), width);                                                \
        }                                                                                                    \
        for (; n > 0; n--, to += step, from += (width))                                                      \
            memcpy(to, from, width);                                                                         \
    }
GATHERS(1)
GATHERS(2)
GATHERS(4)
GATHERS(8)

/* ---- The table ---- */

#define AS_CAST(s, S, skind, bits, d, ...) AS_ENTRY(cast, s, d)
#define AS_CAST_TO(...)                    EXPAND(AS_CAST, __VA_ARGS__)
#define AS_CAST_ROW(s, ...)                [s] = { TO_EACH(AS_CAST_TO, s, __VA_ARGS__) },
#define BY_WIDTH(name)                                                                                       \
    {                                                                                                        \
        [1] = name##_1, [2] = name##_2, [4] = name##_4, [8] = name##_8                                       \
    }

const struct pcdf_steps STEPS = { { NATIVES(AS_CAST_ROW) }, BY_WIDTH(swap), BY_WIDTH(gather),
                                  BY_WIDTH(scatter),        STREAMS,        QUANTIZERS };
