/* Values go through small blocks that stay in the first-level cache: gather, cast, swap on the way out; swap,
 * cast, scatter on the way in. A step that has nothing to do is skipped. Each step is a loop of its own
 * because that is what compilers turn into vector instructions (byte swap and range check in one loop, they
 * do not), and because one cast from double to int then serves put and get. Reading order: NATIVES, CAST,
 * put_values, the table at the end. */

#include "convert.h"
#include <float.h>
#include <limits.h>
#include <string.h>

enum { HOST_IS_BIG = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, BLOCK = 512, WIDEST = 8 };

_Static_assert(HOST_IS_BIG || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "mixed byte orders are not known here");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53,
               "float and double are those of the file");
_Static_assert(CHAR_BIT == 8 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long long) == 8,
               "short, int and long long are those of the file");
_Static_assert(sizeof(long) == 8 || sizeof(long) == 4, "long is one of the whole numbers below");

/* ---- The representations a value can have on this host ---- */

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
/* clang-format on */

#define AS_ENUM(tag, ...)        tag,
#define AS_WIDTH(tag, type, ...) [tag] = sizeof(type),
enum native { NATIVES(AS_ENUM) NATIVE_TYPES, ILONG = sizeof(long) == 8 ? I64 : I32 };
static const unsigned char width_of[NATIVE_TYPES] = { NATIVES(AS_WIDTH) };

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
typedef int32_t words __attribute__((vector_size(16)));
#define ALL_WITHIN_R(tag, type, bits)                                                                        \
    static inline bool all_within_##tag(const unsigned char *from, size_t n, type lo, type hi)               \
    {                                                                                                        \
        typedef type reals __attribute__((vector_size(16)));                                                 \
        reals low, high;                                                                                     \
        const loose_##tag *rest = (const loose_##tag *)from;                                                 \
        words all;                                                                                           \
        bool within = true;                                                                                  \
        size_t i;                                                                                            \
        for (i = 0; i < sizeof low / sizeof(type); i++)                                                      \
            low[i] = lo, high[i] = hi;                                                                       \
        all = (words)(low <= high);                                                                          \
        i = 0;                                                                                               \
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

/* n values in a row from one representation to another; true when some did not fit and became *fill. A block
 * is checked first and then cast: no value is ever cast that does not fit, which C leaves undefined. NaN and
 * the infinities fit a float, though they are not within its limits. */
typedef bool cast_function(unsigned char *restrict to, const unsigned char *restrict from, size_t n,
                           const void *fill);

#define CAST(s, S, skind, bits, d, D)                                                                        \
    static bool cast_##s##_##d(unsigned char *restrict to, const unsigned char *restrict from, size_t n,     \
                               const void *fill)                                                             \
    {                                                                                                        \
        const S lo = LOWEST(S, D), hi = HIGHEST(S, D);                                                       \
        const loose_##s *v = (const loose_##s *)from;                                                        \
        loose_##d *r = (loose_##d *)to;                                                                      \
        bool outside = false;                                                                                \
        if (ALWAYS_FITS(S, D) || all_within_##s(from, n, lo, hi)) {                                          \
            for (size_t i = 0; i < n; i++)                                                                   \
                r[i] = (D)v[i];                                                                              \
            return false;                                                                                    \
        }                                                                                                    \
        for (size_t i = 0; i < n; i++) {                                                                     \
            if ((v[i] >= lo && v[i] <= hi) || (IS_REAL(D) && !__builtin_isfinite((double)v[i]))) {           \
                r[i] = (D)v[i];                                                                              \
            } else {                                                                                         \
                r[i] = *(const loose_##d *)fill;                                                             \
                outside = true;                                                                              \
            }                                                                                                \
        }                                                                                                    \
        return outside;                                                                                      \
    }

/* NATIVES x NATIVES (no macro expands inside itself, hence the second list). The diagonal is never called. */
/* clang-format off */
#define TO_EACH(X, ...)                                                                                      \
    X(__VA_ARGS__, I8, int8_t) X(__VA_ARGS__, U8, uint8_t)                                                   \
    X(__VA_ARGS__, I16, int16_t) X(__VA_ARGS__, U16, uint16_t)                                               \
    X(__VA_ARGS__, I32, int32_t) X(__VA_ARGS__, U32, uint32_t)                                               \
    X(__VA_ARGS__, I64, int64_t) X(__VA_ARGS__, U64, uint64_t)                                               \
    X(__VA_ARGS__, F32, float) X(__VA_ARGS__, F64, double)
/* clang-format on */
#define EXPAND(macro, ...) macro(__VA_ARGS__)
#define CAST_TO(...)       EXPAND(CAST, __VA_ARGS__)
#define CASTS_FROM(...)    TO_EACH(CAST_TO, __VA_ARGS__)
NATIVES(CASTS_FROM)

#define AS_CAST(s, S, skind, bits, d, ...) [d] = cast_##s##_##d,
#define AS_CAST_TO(...)                    EXPAND(AS_CAST, __VA_ARGS__)
#define AS_CAST_ROW(s, ...)                [s] = { TO_EACH(AS_CAST_TO, s, __VA_ARGS__) },
static cast_function *const casts[NATIVE_TYPES][NATIVE_TYPES] = { NATIVES(AS_CAST_ROW) };

/* ---- Byte order ---- */

typedef uint16_t lanes __attribute__((vector_size(16)));

/* Between host order and file order, n values of `width` bytes in a row; on a big-endian host a copy. Eight
 * pairs of bytes are turned with shifts and the pairs then permuted: plain SSE2 can do that, where it has no
 * byte permutation and compilers therefore leave a bswap loop scalar. */
static void swap_2(unsigned char *restrict to, const unsigned char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        lanes v;
        memcpy(&v, from + i * 2, sizeof v);
        v = v << 8 | v >> 8;
        memcpy(to + i * 2, &v, sizeof v);
    }
    for (; i < n; i++) {
        uint16_t v;
        memcpy(&v, from + i * 2, sizeof v);
        v = __builtin_bswap16(v);
        memcpy(to + i * 2, &v, sizeof v);
    }
}

static void swap_4(unsigned char *restrict to, const unsigned char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        lanes v;
        memcpy(&v, from + i * 4, sizeof v);
        v = v << 8 | v >> 8;
        v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
        memcpy(to + i * 4, &v, sizeof v);
    }
    for (; i < n; i++) {
        uint32_t v;
        memcpy(&v, from + i * 4, sizeof v);
        v = __builtin_bswap32(v);
        memcpy(to + i * 4, &v, sizeof v);
    }
}

static void swap_8(unsigned char *restrict to, const unsigned char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        lanes v;
        memcpy(&v, from + i * 8, sizeof v);
        v = v << 8 | v >> 8;
        v = __builtin_shufflevector(v, v, 3, 2, 1, 0, 7, 6, 5, 4);
        memcpy(to + i * 8, &v, sizeof v);
    }
    if (i < n) {
        uint64_t v;
        memcpy(&v, from + i * 8, sizeof v);
        v = __builtin_bswap64(v);
        memcpy(to + i * 8, &v, sizeof v);
    }
}

static void swap(unsigned char *restrict to, const unsigned char *restrict from, size_t n, size_t width)
{
    if (HOST_IS_BIG || width == 1)
        memcpy(to, from, n * width);
    else if (width == 2)
        swap_2(to, from, n);
    else if (width == 4)
        swap_4(to, from, n);
    else
        swap_8(to, from, n);
}

/* ---- Strides: values lie `to_step` and `from_step` bytes apart, one of the two is their width ---- */

#define MOVE(width)                                                                                          \
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)                                                             \
    memcpy(to + i * to_step, from + i * from_step, width)

static void move(unsigned char *restrict to, ptrdiff_t to_step, const unsigned char *restrict from,
                 ptrdiff_t from_step, size_t n, size_t width)
{
    if (width == 1)
        MOVE(1);
    else if (width == 2)
        MOVE(2);
    else if (width == 4)
        MOVE(4);
    else
        MOVE(8);
}

/* ---- The two directions ---- */

static inline size_t block_after(size_t done, size_t n)
{
    return n - done < BLOCK ? n - done : BLOCK;
}

static bool put_values(enum native x, enum native m, unsigned char *restrict file,
                       const void *restrict memory, ptrdiff_t stride, size_t n, const unsigned char *fill)
{
    unsigned char gathered[BLOCK * WIDEST], converted[BLOCK * WIDEST], native_fill[WIDEST];
    ptrdiff_t mw = width_of[m], xw = width_of[x];
    bool outside = false;
    if (x != m)
        swap(native_fill, fill, 1, (size_t)xw);
    for (size_t done = 0, k; done < n; done += k) {
        const unsigned char *values = (const unsigned char *)memory + (ptrdiff_t)done * stride * mw;
        k = block_after(done, n);
        if (stride != 1) {
            move(gathered, mw, values, stride * mw, k, (size_t)mw);
            values = gathered;
        }
        if (x != m) {
            outside |= casts[m][x](converted, values, k, native_fill);
            values = converted;
        }
        swap(file + done * (size_t)xw, values, k, (size_t)xw);
    }
    return outside;
}

static bool get_values(enum native x, enum native m, void *restrict memory, ptrdiff_t stride,
                       const unsigned char *restrict file, size_t n, const void *fill)
{
    unsigned char native[BLOCK * WIDEST], converted[BLOCK * WIDEST];
    ptrdiff_t mw = width_of[m], xw = width_of[x];
    bool outside = false;
    for (size_t done = 0, k; done < n; done += k) {
        unsigned char *place = (unsigned char *)memory + (ptrdiff_t)done * stride * mw;
        unsigned char *values = stride == 1 ? place : converted;
        k = block_after(done, n);
        swap(x == m ? values : native, file + done * (size_t)xw, k, (size_t)xw);
        if (x != m)
            outside |= casts[x][m](values, native, k, fill);
        if (stride != 1)
            move(place, stride * mw, values, mw, k, (size_t)mw);
    }
    return outside;
}

/* ---- The table of kernels ---- */

/* clang-format off */
/*    mtype      native C type              external   default fill of a get (for long that of int) */
#define NUMBERS(X, ...)                                                                                      \
    X(SCHAR,     I8,    signed char,        NC_BYTE,   -127,                    __VA_ARGS__)                 \
    X(UCHAR,     U8,    unsigned char,      NC_UBYTE,  255,                     __VA_ARGS__)                 \
    X(SHORT,     I16,   short,              NC_SHORT,  -32767,                  __VA_ARGS__)                 \
    X(USHORT,    U16,   unsigned short,     NC_USHORT, 65535,                   __VA_ARGS__)                 \
    X(INT,       I32,   int,                NC_INT,    -2147483647,             __VA_ARGS__)                 \
    X(UINT,      U32,   unsigned int,       NC_UINT,   4294967295U,             __VA_ARGS__)                 \
    X(LONG,      ILONG, long,               NC_NAT,    -2147483647,             __VA_ARGS__)                 \
    X(FLOAT,     F32,   float,              NC_FLOAT,  0x1.ep+122F,             __VA_ARGS__)                 \
    X(DOUBLE,    F64,   double,             NC_DOUBLE, 0x1.ep+122,              __VA_ARGS__)                 \
    X(LONGLONG,  I64,   long long,          NC_INT64,  -9223372036854775806LL,  __VA_ARGS__)                 \
    X(ULONGLONG, U64,   unsigned long long, NC_UINT64, 18446744073709551614ULL, __VA_ARGS__)
/* clang-format on */

#define AS_FILL(mtype, m, type, xtype, fill, ...) static const type fill_##mtype = fill;
NUMBERS(AS_FILL, )

#define KERNELS(mtype, m, type, xtype, fill, x)                                                              \
    static bool put_##x##_##mtype(unsigned char *restrict file, const void *restrict memory,                 \
                                  ptrdiff_t stride, size_t n, const unsigned char *fill_bytes)               \
    {                                                                                                        \
        return put_values(x, m, file, memory, stride, n, fill_bytes);                                        \
    }                                                                                                        \
    static bool get_##x##_##mtype(void *restrict memory, ptrdiff_t stride,                                   \
                                  const unsigned char *restrict file, size_t n)                              \
    {                                                                                                        \
        return get_values(x, m, memory, stride, file, n, &fill_##mtype);                                     \
    }
#define KERNELS_OF(x, ...) NUMBERS(KERNELS, x)
NATIVES(KERNELS_OF)

#define IS_COPY(x, m) ((x) == (m) && (HOST_IS_BIG || (x) == I8 || (x) == U8))
#define AS_PAIR(mtype, m, type, xtype, fill, x)                                                              \
    [PCDF_M_##mtype] = { put_##x##_##mtype, get_##x##_##mtype, IS_COPY((int)x, (int)m) },
#define AS_ROW(x, ...) [x] = { NUMBERS(AS_PAIR, x) },
static const struct pcdf_kernels kernels[NATIVE_TYPES][PCDF_M_TYPES] = { NATIVES(AS_ROW) };

#define AS_NAME(mtype, m, type, xtype, fill, ...) [PCDF_M_##mtype] = { #type, sizeof(type), m, xtype },
static const struct {
    const char *name;
    size_t size;
    enum native native;
    nc_type xtype; /* NC_NAT: no external type has this memory type as its own */
} mtypes[PCDF_M_TYPES] = { [PCDF_M_TEXT] = { "char", 1, U8, NC_CHAR }, NUMBERS(AS_NAME, ) };

const struct pcdf_kernels *pcdf_kernels_of(enum pcdf_version version, nc_type xtype, enum pcdf_mtype mtype)
{
    enum pcdf_mtype own = pcdf_mtype_of(xtype);
    if (own == PCDF_M_TYPES || mtype >= PCDF_M_TYPES || (own == PCDF_M_TEXT) != (mtype == PCDF_M_TEXT))
        return NULL;
    /* CDF-1 and CDF-2 have one type of a byte and leave its sign to the reader. Text is bytes, too. */
    if ((version != PCDF_CDF5 && xtype == NC_BYTE && mtype == PCDF_M_UCHAR) || own == PCDF_M_TEXT)
        return &kernels[U8][PCDF_M_UCHAR];
    return &kernels[mtypes[own].native][mtype];
}

size_t pcdf_mtype_size(enum pcdf_mtype mtype)
{
    return mtype < PCDF_M_TYPES ? mtypes[mtype].size : 0;
}

const char *pcdf_mtype_name(enum pcdf_mtype mtype)
{
    return mtype < PCDF_M_TYPES ? mtypes[mtype].name : "?";
}

enum pcdf_mtype pcdf_mtype_of(nc_type xtype)
{
    for (unsigned m = 0; xtype != NC_NAT && m < PCDF_M_TYPES; m++)
        if (mtypes[m].xtype == xtype)
            return (enum pcdf_mtype)m;
    return PCDF_M_TYPES;
}
