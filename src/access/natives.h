#ifndef PCDF_NATIVES_H
#define PCDF_NATIVES_H
/* What convert.c and the steps of a conversion (convertsteps.h) share: the representations a value can have
 * on this host, what fits in which, byte order, and the table of steps, one for each kind of processor. Only
 * they include this. */

#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { HOST_IS_BIG = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, WIDEST = 8 };

_Static_assert(HOST_IS_BIG || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "mixed byte orders are not known here");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53,
               "float and double are those of the file");
_Static_assert(CHAR_BIT == 8 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long long) == 8,
               "short, int and long long are those of the file");
_Static_assert(sizeof(long) == 8 || sizeof(long) == 4, "long is one of the whole numbers below");

/* clang-format off */
/*        tag  C type    kind: I whole, R real   bits of one value */
#define NATIVES(X)                                                                                           \
    X(I8,  int8_t,   I, uint8_t)                                                                             \
    X(U8,  uint8_t,  I, uint8_t)                                                                             \
    X(I16, int16_t,  I, uint16_t)                                                                            \
    X(U16, uint16_t, I, uint16_t)                                                                            \
    X(I32, int32_t,  I, uint32_t)                                                                            \
    X(U32, uint32_t, I, uint32_t)                                                                            \
    X(I64, int64_t,  I, uint64_t)                                                                            \
    X(U64, uint64_t, I, uint64_t)                                                                            \
    X(F32, float,    R, uint32_t)                                                                            \
    X(F64, double,   R, uint64_t)
#define AS_ENUM(tag, ...) tag,
/* clang-format on */
enum native { NATIVES(AS_ENUM) NATIVE_TYPES, ILONG = sizeof(long) == 8 ? I64 : I32 };

/* NATIVES x NATIVES (no macro expands inside itself, hence the second list). The diagonal is never called. */
/* clang-format off */
#define TO_EACH(X, ...)                                                                                      \
    X(__VA_ARGS__, I8, int8_t) X(__VA_ARGS__, U8, uint8_t)                                                   \
    X(__VA_ARGS__, I16, int16_t) X(__VA_ARGS__, U16, uint16_t)                                               \
    X(__VA_ARGS__, I32, int32_t) X(__VA_ARGS__, U32, uint32_t)                                               \
    X(__VA_ARGS__, I64, int64_t) X(__VA_ARGS__, U64, uint64_t)                                               \
    X(__VA_ARGS__, F32, float) X(__VA_ARGS__, F64, double)
/* clang-format on */
#define EXPAND(macro, ...)     macro(__VA_ARGS__)
#define AS_ENTRY(prefix, s, d) [d] = prefix##_##s##_##d,

/* ---- Range: a value fits when lowest <= value <= highest, exact in the type it comes from ---- */

static inline uint64_t top_of(int bits)
{
    return UINT64_MAX >> (64 - bits);
}

/* The highest value of a whole-number type with `bits` value bits that a source with `digits` binary digits
 * can hold. From double to int64 it is 2^63 - 1024: 2^63 - 1 would round up to 2^63, which does not fit. */
static inline uint64_t highest(int bits, int digits, bool source_is_real)
{
    if (bits <= digits)
        return top_of(bits);
    return source_is_real ? top_of(bits) >> (bits - digits) << (bits - digits) : top_of(digits);
}

static inline int64_t lowest(int bits, int digits, bool source_is_real, bool both_signed)
{
    int b = source_is_real || bits <= digits ? bits : digits;
    return both_signed ? -(int64_t)top_of(b) - 1 : 0;
}

/* clang-format off */
#define IS_REAL(T)   _Generic((T)0, float: true, double: true, default: false)
#define IS_SIGNED(T) ((T)-1 < (T)1)
#define INT_DIGITS(T) ((int)sizeof(T) * 8 - IS_SIGNED(T))
#define DIGITS(T)    _Generic((T)0, float: FLT_MANT_DIG, double: DBL_MANT_DIG, default: INT_DIGITS(T))
#define FLOAT_MAX(S) (S)_Generic((S)0, double: FLT_MAX, default: 0) /* no other source needs a limit */
/* clang-format on */
#define LOWEST(S, D)                                                                                         \
    (IS_REAL(D) ? -FLOAT_MAX(S) : (S)lowest(DIGITS(D), DIGITS(S), IS_REAL(S), IS_SIGNED(S) && IS_SIGNED(D)))
#define HIGHEST(S, D) (IS_REAL(D) ? FLOAT_MAX(S) : (S)highest(DIGITS(D), DIGITS(S), IS_REAL(S)))
/* Of the casts to a real type only double to float can fail: float holds 2^64, rounded. */
#define ALWAYS_FITS(S, D) (IS_REAL(D) && !(IS_REAL(S) && sizeof(S) > sizeof(D)))

/* Users' buffers may be unaligned and need not have the declared C type. */
#define AS_LOOSE(tag, type, ...) typedef type loose_##tag __attribute__((aligned(1), may_alias));
NATIVES(AS_LOOSE)

/* NaN and the infinities fit a float, though they are not within its limits. */
#define FITS(S, D, v)                                                                                        \
    (ALWAYS_FITS(S, D) || ((v) >= LOWEST(S, D) && (v) <= HIGHEST(S, D)) ||                                   \
     (IS_REAL(D) && !__builtin_isfinite((double)(v))))

/* ---- Byte order: between that of the host and that of the file; on a big-endian host a copy ---- */

#define IN_FILE_ORDER(bits, x) (HOST_IS_BIG ? (x) : __builtin_bswap##bits(x))

static inline void swap_one(void *restrict to, const void *restrict from, size_t width)
{
    if (HOST_IS_BIG || width == 1)
        memcpy(to, from, width);
    else if (width == 2)
        *(loose_U16 *)to = __builtin_bswap16(*(const loose_U16 *)from);
    else if (width == 4)
        *(loose_U32 *)to = __builtin_bswap32(*(const loose_U32 *)from);
    else
        *(loose_U64 *)to = __builtin_bswap64(*(const loose_U64 *)from);
}

/* ---- The steps, each a loop over many values; all but the casts know only the width of a value ---- */

typedef void pcdf_swap_function(unsigned char *restrict to, const unsigned char *restrict from, size_t n);
/* From one representation to another; true when some did not fit and became *fill. */
typedef bool pcdf_cast_function(unsigned char *restrict to, const unsigned char *restrict from, size_t n,
                                const void *fill);
/* Values on one side lie `step` bytes apart, on the other in a row. */
typedef void pcdf_move_function(unsigned char *restrict to, const unsigned char *restrict from,
                                ptrdiff_t step, size_t n);

struct pcdf_quantizer;
/* Rounds n values in place, the first of which has this number in its put. */
typedef void pcdf_quantize_function(unsigned char *values, size_t n, const struct pcdf_quantizer *q,
                                    size_t number);

struct pcdf_steps {
    pcdf_cast_function *casts[NATIVE_TYPES][NATIVE_TYPES]; /* from, to; the diagonal is never called */
    pcdf_swap_function *swap[WIDEST + 1];                  /* [width] */
    pcdf_move_function *gather[WIDEST + 1], *scatter[WIDEST + 1];
    pcdf_swap_function *stream[WIDEST + 1]; /* swaps past the cache; NULL: there are none */
    /* Called after these, before another thread is told of the bytes. NULL: nothing to do. */
    void (*stream_end)(void);
    /* [enum pcdf_quantize_mode], of floats and of doubles (quantizesteps.h). */
    pcdf_quantize_function *quantize[4][2];
};

extern const struct pcdf_steps pcdf_steps_portable, pcdf_steps_avx2, pcdf_steps_avx512;
#endif
