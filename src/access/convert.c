/* Values go through small blocks that stay in the first-level cache: gather, check and cast, swap on the way
 * out; swap, check and cast, scatter on the way in. A step that has nothing to do is skipped. The steps
 * (convertsteps.h) were compiled for several kinds of processor; the best that this one has is chosen when
 * the library is loaded. A few values are not worth the steps: they go one by one (FEW). Reading order:
 * steps, FEW, put_values, the table at the end. */

#include "convert.h"
#include "natives.h"
#include "quantizer.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    /* Values; two blocks of the widest are a quarter of the cache. */
    BLOCK = 512,
    MOST_FEW = 16,
    MOST_FEW_SWAPS = 4
};

#define AS_WIDTH(tag, type, ...) [tag] = sizeof(type),
static const unsigned char width_of[NATIVE_TYPES] = { NATIVES(AS_WIDTH) };

/* ---- Which steps ---- */

/* Name, table, whether this processor has it. By itself the last that it has is taken. AVX-512 is for who
 * asks: it is faster in the cache, but large puts and gets took 10 to 16 % longer with it (slabs of
 * benchmarks/patterns, Xeon of 2.5 GHz), the clock being lower then. */
#if defined(__x86_64__)
#define LEVELS(X)                                                                                            \
    X("portable", portable, true)                                                                            \
    X("avx512", avx512,                                                                                      \
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&                             \
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))                          \
    X("avx2", avx2, __builtin_cpu_supports("avx2"))
#elif defined(__aarch64__)
#define LEVELS(X) X("portable", portable, true) X("neon", portable, true) /* all of them have NEON */
#else
#define LEVELS(X) X("portable", portable, true)
#endif

#define AS_LEVEL(name, table, is_there)    { name, &pcdf_steps_##table },
#define AS_PRESENCE(name, table, is_there) is_there,
static const struct level {
    const char *name;
    const struct pcdf_steps *steps;
} levels[] = { LEVELS(AS_LEVEL) };
enum { NLEVELS = sizeof levels / sizeof levels[0] };

static _Atomic(const struct level *) chosen = &levels[0];
#define STEPS_NOW (atomic_load_explicit(&chosen, memory_order_relaxed)->steps)

bool pcdf_convert_use(const char *name)
{
    const bool is_present[NLEVELS] = { LEVELS(AS_PRESENCE) };
    for (int i = NLEVELS; i-- > 0;)
        if (is_present[i] && (!name || strcmp(name, levels[i].name) == 0)) {
            atomic_store(&chosen, &levels[i]);
            return true;
        }
    return false;
}

/* Runs when the library is loaded, so that no call has to ask whether somebody chose. */
__attribute__((constructor)) static void choose(void)
{
    const char *wanted = getenv("PARCDF_SIMD");
#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
    if (!wanted || !pcdf_convert_use(wanted))
        (void)pcdf_convert_use(NULL);
}

const char *pcdf_convert_level(void)
{
    return atomic_load(&chosen)->name;
}

/* ---- A few values, one by one: no vector instruction is worth its preparation ---- */

typedef bool few_puts_function(unsigned char *restrict file, const unsigned char *restrict memory,
                               ptrdiff_t step, size_t n, const unsigned char *fill);
typedef bool few_gets_function(unsigned char *restrict memory, ptrdiff_t step,
                               const unsigned char *restrict file, size_t n, const void *fill);

/* What compilers may not make vectors of. */
#define ONE_BY_ONE __asm__ volatile("")

#define FEW(s, S, skind, bits, d, D)                                                                         \
    static bool put_few_##s##_##d(unsigned char *restrict file, const unsigned char *restrict memory,        \
                                  ptrdiff_t step, size_t n, const unsigned char *fill)                       \
    {                                                                                                        \
        bool outside = false;                                                                                \
        for (; n > 0; n--, memory += step, file += sizeof(D)) {                                              \
            S v = *(const loose_##s *)memory;                                                                \
            bool fits = FITS(S, D, v);                                                                       \
            D r = fits ? (D)v : 0;                                                                           \
            swap_one(file, &r, sizeof r);                                                                    \
            if (!fits)                                                                                       \
                memcpy(file, fill, sizeof r);                                                                \
            outside |= !fits;                                                                                \
            ONE_BY_ONE;                                                                                      \
        }                                                                                                    \
        return outside;                                                                                      \
    }                                                                                                        \
    static bool get_few_##s##_##d(unsigned char *restrict memory, ptrdiff_t step,                            \
                                  const unsigned char *restrict file, size_t n, const void *fill)            \
    {                                                                                                        \
        bool outside = false;                                                                                \
        for (; n > 0; n--, memory += step, file += sizeof(S)) {                                              \
            S v;                                                                                             \
            swap_one(&v, file, sizeof v);                                                                    \
            bool fits = FITS(S, D, v);                                                                       \
            *(loose_##d *)memory = fits ? (D)v : *(const loose_##d *)fill;                                   \
            outside |= !fits;                                                                                \
            ONE_BY_ONE;                                                                                      \
        }                                                                                                    \
        return outside;                                                                                      \
    }
#define FEW_TO(...)   EXPAND(FEW, __VA_ARGS__)
#define FEW_FROM(...) TO_EACH(FEW_TO, __VA_ARGS__)
NATIVES(FEW_FROM)

#define AS_PUT(s, S, skind, bits, d, ...) AS_ENTRY(put_few, s, d)
#define AS_PUT_TO(...)                    EXPAND(AS_PUT, __VA_ARGS__)
#define AS_PUT_ROW(s, ...)                [s] = { TO_EACH(AS_PUT_TO, s, __VA_ARGS__) },
#define AS_GET(s, S, skind, bits, d, ...) AS_ENTRY(get_few, s, d)
#define AS_GET_TO(...)                    EXPAND(AS_GET, __VA_ARGS__)
#define AS_GET_ROW(s, ...)                [s] = { TO_EACH(AS_GET_TO, s, __VA_ARGS__) },
static few_puts_function *const few_puts[NATIVE_TYPES][NATIVE_TYPES] = { NATIVES(AS_PUT_ROW) };
static few_gets_function *const few_gets[NATIVE_TYPES][NATIVE_TYPES] = { NATIVES(AS_GET_ROW) };

/* ---- The two directions ---- */

static bool put_values(enum native x, enum native m, unsigned char *restrict file,
                       const void *restrict memory, ptrdiff_t stride, size_t n, const unsigned char *fill)
{
    const struct pcdf_steps *s = STEPS_NOW;
    unsigned char gathered[BLOCK * WIDEST], converted[BLOCK * WIDEST], native_fill[WIDEST];
    ptrdiff_t mw = width_of[m], xw = width_of[x];
    bool outside = false;
    if (x != m)
        swap_one(native_fill, fill, (size_t)xw);
    for (size_t done = 0, k; done < n; done += k) {
        const unsigned char *values = (const unsigned char *)memory + (ptrdiff_t)done * stride * mw;
        k = n - done < BLOCK ? n - done : BLOCK;
        if (stride != 1) {
            s->gather[mw](gathered, values, stride * mw, k);
            values = gathered;
        }
        if (x != m) {
            outside |= s->casts[m][x](converted, values, k, native_fill);
            values = converted;
        }
        s->swap[xw](file + done * (size_t)xw, values, k);
    }
    return outside;
}

static bool get_values(enum native x, enum native m, void *restrict memory, ptrdiff_t stride,
                       const unsigned char *restrict file, size_t n, const void *fill)
{
    const struct pcdf_steps *s = STEPS_NOW;
    unsigned char native[BLOCK * WIDEST], converted[BLOCK * WIDEST];
    ptrdiff_t mw = width_of[m], xw = width_of[x];
    bool outside = false;
    for (size_t done = 0, k; done < n; done += k) {
        unsigned char *place = (unsigned char *)memory + (ptrdiff_t)done * stride * mw;
        unsigned char *values = stride == 1 ? place : converted;
        k = n - done < BLOCK ? n - done : BLOCK;
        s->swap[xw](x == m ? values : native, file + done * (size_t)xw, k);
        if (x != m)
            outside |= s->casts[x][m](values, native, k, fill);
        if (stride != 1)
            s->scatter[mw](place, values, stride * mw, k);
    }
    return outside;
}

/* ---- The same where the file has the byte order of this machine: values of one type are copied, casts go
 * straight to their place. A few are cast as for other files, and their bytes turned again ---- */

static inline void turn_again(unsigned char *restrict to, const unsigned char *restrict from, size_t n,
                              size_t width)
{
    for (size_t i = 0; i < n; i++)
        swap_one(to + i * width, from + i * width, width);
}

static bool put_few_native(enum native x, enum native m, unsigned char *restrict file,
                           const void *restrict memory, ptrdiff_t stride, size_t n, const unsigned char *fill)
{
    unsigned char turned[MOST_FEW * WIDEST], turned_fill[WIDEST];
    turn_again(turned_fill, fill, 1, width_of[x]);
    bool outside = few_puts[m][x](turned, memory, stride * width_of[m], n, turned_fill);
    turn_again(file, turned, n, width_of[x]);
    return outside;
}

static bool get_few_native(enum native x, enum native m, void *restrict memory, ptrdiff_t stride,
                           const unsigned char *restrict file, size_t n, const void *fill)
{
    unsigned char turned[MOST_FEW * WIDEST];
    turn_again(turned, file, n, width_of[x]);
    return few_gets[x][m](memory, stride * width_of[m], turned, n, fill);
}

static bool cast_to_native(enum native x, enum native m, unsigned char *restrict file,
                           const void *restrict memory, ptrdiff_t stride, size_t n, const unsigned char *fill)
{
    const struct pcdf_steps *s = STEPS_NOW;
    unsigned char gathered[BLOCK * WIDEST];
    ptrdiff_t mw = width_of[m], xw = width_of[x];
    bool outside = false;
    for (size_t done = 0, k; done < n; done += k) {
        const unsigned char *values = (const unsigned char *)memory + (ptrdiff_t)done * stride * mw;
        k = n - done < BLOCK ? n - done : BLOCK;
        if (stride != 1) {
            s->gather[mw](gathered, values, stride * mw, k);
            values = gathered;
        }
        outside |= s->casts[m][x](file + done * (size_t)xw, values, k, fill);
    }
    return outside;
}

static bool cast_from_native(enum native x, enum native m, void *restrict memory, ptrdiff_t stride,
                             const unsigned char *restrict file, size_t n, const void *fill)
{
    const struct pcdf_steps *s = STEPS_NOW;
    unsigned char converted[BLOCK * WIDEST];
    ptrdiff_t mw = width_of[m], xw = width_of[x];
    bool outside = false;
    for (size_t done = 0, k; done < n; done += k) {
        unsigned char *place = (unsigned char *)memory + (ptrdiff_t)done * stride * mw;
        k = n - done < BLOCK ? n - done : BLOCK;
        outside |= s->casts[x][m](stride == 1 ? place : converted, file + done * (size_t)xw, k, fill);
        if (stride != 1)
            s->scatter[mw](place, converted, stride * mw, k);
    }
    return outside;
}

/* By whether there are more than a few. Asked of a table, compilers do not make a copy for each pair. */
typedef bool native_put_function(enum native x, enum native m, unsigned char *restrict file,
                                 const void *restrict memory, ptrdiff_t stride, size_t n,
                                 const unsigned char *fill);
typedef bool native_get_function(enum native x, enum native m, void *restrict memory, ptrdiff_t stride,
                                 const unsigned char *restrict file, size_t n, const void *fill);
static native_put_function *const native_puts[] = { put_few_native, cast_to_native };
static native_get_function *const native_gets[] = { get_few_native, cast_from_native };

/* ---- The table of converters. What the types of one say is a constant in it ---- */

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

#define CONVERTERS(mtype, m, type, xtype, fill, x)                                                           \
    static bool put_##x##_##mtype(unsigned char *restrict file, const void *restrict memory,                 \
                                  ptrdiff_t stride, size_t n, const unsigned char *fill_bytes)               \
    {                                                                                                        \
        const bool is_swap = (int)x == (int)m && stride == 1;                                                \
        if (n <= (is_swap ? MOST_FEW_SWAPS : MOST_FEW))                                                      \
            return few_puts[m][x](file, memory, stride * (ptrdiff_t)sizeof(type), n, fill_bytes);            \
        if (!is_swap)                                                                                        \
            return put_values(x, m, file, memory, stride, n, fill_bytes);                                    \
        STEPS_NOW->swap[sizeof(type)](file, memory, n);                                                      \
        return false;                                                                                        \
    }                                                                                                        \
    static bool get_##x##_##mtype(void *restrict memory, ptrdiff_t stride,                                   \
                                  const unsigned char *restrict file, size_t n)                              \
    {                                                                                                        \
        const bool is_swap = (int)x == (int)m && stride == 1;                                                \
        if (n <= (is_swap ? MOST_FEW_SWAPS : MOST_FEW))                                                      \
            return few_gets[x][m](memory, stride * (ptrdiff_t)sizeof(type), file, n, &fill_##mtype);         \
        if (!is_swap)                                                                                        \
            return get_values(x, m, memory, stride, file, n, &fill_##mtype);                                 \
        STEPS_NOW->swap[sizeof(type)](memory, file, n);                                                      \
        return false;                                                                                        \
    }                                                                                                        \
    static bool put_native_##x##_##mtype(unsigned char *restrict file, const void *restrict memory,          \
                                         ptrdiff_t stride, size_t n, const unsigned char *fill_bytes)        \
    {                                                                                                        \
        if ((int)x != (int)m)                                                                                \
            return native_puts[n > MOST_FEW](x, m, file, memory, stride, n, fill_bytes);                     \
        if (stride == 1)                                                                                     \
            memcpy(file, memory, n * sizeof(type));                                                          \
        else                                                                                                 \
            STEPS_NOW->gather[sizeof(type)](file, memory, stride * (ptrdiff_t)sizeof(type), n);              \
        return false;                                                                                        \
    }                                                                                                        \
    static bool get_native_##x##_##mtype(void *restrict memory, ptrdiff_t stride,                            \
                                         const unsigned char *restrict file, size_t n)                       \
    {                                                                                                        \
        if ((int)x != (int)m)                                                                                \
            return native_gets[n > MOST_FEW](x, m, memory, stride, file, n, &fill_##mtype);                  \
        if (stride == 1)                                                                                     \
            memcpy(memory, file, n * sizeof(type));                                                          \
        else                                                                                                 \
            STEPS_NOW->scatter[sizeof(type)](memory, file, stride * (ptrdiff_t)sizeof(type), n);             \
        return false;                                                                                        \
    }
#define CONVERTERS_OF(x, ...) NUMBERS(CONVERTERS, x)
NATIVES(CONVERTERS_OF)

#define IS_COPY(x, m) ((x) == (m) && (HOST_IS_BIG || (x) == I8 || (x) == U8))
#define AS_PAIR(mtype, m, type, xtype, fill, x)                                                              \
    [PCDF_M_##mtype] = {                                                                                     \
        put_##x##_##mtype, get_##x##_##mtype,       sizeof(type), sizeof(loose_##x), PCDF_M_##mtype, m, x,   \
        (int)x != (int)m,  IS_COPY((int)x, (int)m), HOST_IS_BIG                                              \
    },
#define AS_NATIVE_PAIR(mtype, m, type, xtype, fill, x)                                                       \
    [PCDF_M_##mtype] = { put_native_##x##_##mtype,                                                           \
                         get_native_##x##_##mtype,                                                           \
                         sizeof(type),                                                                       \
                         sizeof(loose_##x),                                                                  \
                         PCDF_M_##mtype,                                                                     \
                         m,                                                                                  \
                         x,                                                                                  \
                         (int)x != (int)m,                                                                   \
                         (int)x == (int)m,                                                                   \
                         true },
#define AS_ROW(x, ...)        [x] = { NUMBERS(AS_PAIR, x) },
#define AS_NATIVE_ROW(x, ...) [x] = { NUMBERS(AS_NATIVE_PAIR, x) },
static const struct pcdf_converter converters[NATIVE_TYPES][PCDF_M_TYPES] = { NATIVES(AS_ROW) };
static const struct pcdf_converter native_converters[NATIVE_TYPES][PCDF_M_TYPES] = { NATIVES(AS_NATIVE_ROW) };

#define AS_NAME(mtype, m, type, xtype, fill, ...) [PCDF_M_##mtype] = { #type, sizeof(type), m },
static const struct {
    const char *name;
    size_t size;
    enum native native;
} mtypes[PCDF_M_TYPES] = { [PCDF_M_TEXT] = { "char", 1, U8 }, NUMBERS(AS_NAME, ) };

/* By external type; [NC_NAT] becomes that of a memory type that is no external type's own. */
#define AS_OWN(mtype, m, type, xtype, ...) [xtype] = PCDF_M_##mtype,
static const unsigned char own_mtypes[] = { [NC_CHAR] = PCDF_M_TEXT, NUMBERS(AS_OWN, ) };
#define OWN_MTYPE(xtype)                                                                                     \
    ((xtype) > NC_NAT && (size_t)(xtype) < sizeof own_mtypes ? (enum pcdf_mtype)own_mtypes[xtype]            \
                                                             : PCDF_M_TYPES)

enum pcdf_mtype pcdf_mtype_of(nc_type xtype)
{
    return OWN_MTYPE(xtype);
}

/* By external type; NULL: it is none, or text, which is bytes. */
#define AS_EXTERNAL(mtype, m, type, xtype, ...)                                                              \
    [(xtype) == NC_NAT ? 0 : (xtype)] = (xtype) == NC_NAT ? NULL : converters[m],
static const struct pcdf_converter *const of_external[] = { [NC_CHAR] = NULL, NUMBERS(AS_EXTERNAL, ) };

const struct pcdf_converter *pcdf_converter_of(enum pcdf_version ranges, nc_type xtype, enum pcdf_mtype mtype)
{
    if ((unsigned)xtype >= sizeof of_external / sizeof *of_external || mtype >= PCDF_M_TYPES)
        return NULL;
    if (!of_external[xtype] || mtype == PCDF_M_TEXT)
        return xtype == NC_CHAR && mtype == PCDF_M_TEXT ? &converters[U8][PCDF_M_UCHAR] : NULL;
    /* CDF-1 and CDF-2 have one type of a byte and leave its sign to the reader. */
    if (xtype == NC_BYTE && mtype == PCDF_M_UCHAR && ranges != PCDF_CDF5)
        return &converters[U8][PCDF_M_UCHAR];
    return &of_external[xtype][mtype];
}

const struct pcdf_converter *pcdf_converter_native(const struct pcdf_converter *k)
{
    return &native_converters[k->xnative][k->mtype];
}

void pcdf_convert_quantized(const struct pcdf_converter *k, const struct pcdf_quantizer *q,
                            unsigned char *values, size_t n, int64_t number, unsigned char *file)
{
    const struct pcdf_steps *s = STEPS_NOW;
    s->quantize[q->how.mode][q->is_double](values, n, q, (size_t)number);
    if (!k->is_native)
        s->swap[k->xsize](file, values, n);
    else if (file != values)
        memcpy(file, values, n * (size_t)k->xsize);
}

bool pcdf_convert_stream(const struct pcdf_converter *k, unsigned char *restrict file,
                         const void *restrict memory, size_t n)
{
    const size_t width = (size_t)k->xsize;
    pcdf_swap_function *stream = STEPS_NOW->stream[width];
    if (!stream || k->converts || k->is_native || n < PCDF_STREAM_BYTES / width ||
        (uintptr_t)file % width != 0)
        return false;
    stream(file, memory, n);
    return true;
}

void pcdf_convert_stream_end(void)
{
    if (STEPS_NOW->stream_end)
        STEPS_NOW->stream_end();
}

static void real_text(double x, int digits, char *text, size_t room)
{
    if (__builtin_isnan(x)) /* without a sign */
        snprintf(text, room, "NaN");
    else
        snprintf(text, room, "%.*g", digits, x);
}

void pcdf_convert_text(const struct pcdf_converter *k, enum pcdf_dir dir, const void *value, char *text,
                       size_t room)
{
    unsigned char v[WIDEST];
    if (dir == PCDF_GET && !k->is_native)
        swap_one(v, value, (size_t)k->xsize);
    else
        memcpy(v, value, (size_t)(dir == PCDF_GET ? k->xsize : k->size));
    switch (dir == PCDF_GET ? k->xnative : k->native) {
#define AS_TEXT(tag, type, ...)                                                                              \
    case tag:                                                                                                \
        if (IS_REAL(type))                                                                                   \
            real_text((double)*(const loose_##tag *)v, sizeof(type) > 4 ? 10 : 7, text, room);               \
        else if (IS_SIGNED(type))                                                                            \
            snprintf(text, room, "%lld", (long long)*(const loose_##tag *)v);                                \
        else                                                                                                 \
            snprintf(text, room, "%llu", (unsigned long long)*(const loose_##tag *)v);                       \
        break;
        NATIVES(AS_TEXT)
    }
}

size_t pcdf_mtype_size(enum pcdf_mtype mtype)
{
    return mtype < PCDF_M_TYPES ? mtypes[mtype].size : 0;
}

const char *pcdf_mtype_name(enum pcdf_mtype mtype)
{
    return mtype < PCDF_M_TYPES ? mtypes[mtype].name : "?";
}
