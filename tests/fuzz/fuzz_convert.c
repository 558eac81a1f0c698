/* Fuzz target for the conversion of values, against a reference with 128-bit whole numbers: any pair of an
 * external and a memory type, any bytes as values, any number of them, strides and alignments. The bytes
 * stored, the verdict whether all fitted, and the values that stand in for the others are the reference's;
 * bytes between the elements stay as they were, memory of a put too.
 *
 * Input: external type, memory type, version and level of instructions, direction, stride, alignment of
 * memory and of file, then the values. */
#include <float.h>
#include <math.h>
#include "convert.h"
#include "fuzz.h"

__extension__ typedef __int128 wide;

enum { MOST = 300, GUARD = 16, MOST_STRIDE = 5 };

struct form { /* how a type stores a value */
    size_t size;
    bool real, has_sign;
};

struct number {
    bool real;
    wide whole;
    double d;
};

static const struct form external[12] = {
    [NC_BYTE] = { 1, false, true },   [NC_CHAR] = { 1, false, false },   [NC_SHORT] = { 2, false, true },
    [NC_INT] = { 4, false, true },    [NC_FLOAT] = { 4, true, true },    [NC_DOUBLE] = { 8, true, true },
    [NC_UBYTE] = { 1, false, false }, [NC_USHORT] = { 2, false, false }, [NC_UINT] = { 4, false, false },
    [NC_INT64] = { 8, false, true },  [NC_UINT64] = { 8, false, false }
};

static const struct form native[PCDF_M_TYPES] = {
    [PCDF_M_TEXT] = { 1, false, false },    [PCDF_M_SCHAR] = { 1, false, true },
    [PCDF_M_UCHAR] = { 1, false, false },   [PCDF_M_SHORT] = { 2, false, true },
    [PCDF_M_USHORT] = { 2, false, false },  [PCDF_M_INT] = { 4, false, true },
    [PCDF_M_UINT] = { 4, false, false },    [PCDF_M_LONG] = { sizeof(long), false, true },
    [PCDF_M_FLOAT] = { 4, true, true },     [PCDF_M_DOUBLE] = { 8, true, true },
    [PCDF_M_LONGLONG] = { 8, false, true }, [PCDF_M_ULONGLONG] = { 8, false, false }
};

/* ---- bits of a value: from bytes in one order or the other */

static uint64_t bits_of_bytes(const unsigned char *b, size_t size, bool big)
{
    uint64_t x = 0;
    for (size_t i = 0; i < size; i++)
        x = x << 8 | b[big ? i : size - 1 - i];
    return x;
}

static void bytes_of_bits(unsigned char *b, uint64_t x, size_t size, bool big)
{
    for (size_t i = 0; i < size; i++)
        b[big ? size - 1 - i : i] = (unsigned char)(x >> 8 * i);
}

static bool host_is_big(void)
{
    const uint16_t probe = 1;
    return *(const unsigned char *)&probe == 0;
}

static struct number number_of(uint64_t bits, const struct form *f)
{
    struct number v = { .real = f->real };
    if (!f->real) {
        v.whole = (wide)bits;
        if (f->has_sign && bits >> (8 * f->size - 1) & 1)
            v.whole -= (wide)1 << 8 * f->size;
    } else if (f->size == 8) {
        memcpy(&v.d, &bits, sizeof v.d);
    } else {
        uint32_t half = (uint32_t)bits;
        float x;
        memcpy(&x, &half, sizeof x);
        v.d = x;
    }
    return v;
}

static bool fits(struct number v, const struct form *f)
{
    if (f->real)
        return f->size == 8 || !v.real || !isfinite(v.d) || fabs(v.d) <= FLT_MAX;
    wide least = f->has_sign ? -((wide)1 << (8 * f->size - 1)) : 0;
    wide most = ((wide)1 << (8 * f->size - f->has_sign)) - 1;
    if (!v.real)
        return v.whole >= least && v.whole <= most;
    return fabs(v.d) < 0x1p100 && (wide)floor(v.d) >= least && (wide)ceil(v.d) <= most;
}

static uint64_t bits_of(struct number v, const struct form *f)
{
    if (!f->real)
        return (uint64_t)(v.real ? (wide)v.d : v.whole) & UINT64_MAX >> (64 - 8 * f->size);
    if (f->size == 8) {
        double d = v.real ? v.d : (double)v.whole;
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        return bits;
    }
    float x = v.real ? (float)v.d : (float)v.whole;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* NaN stays one, but which of them is the processor's business. */
static bool same(uint64_t a, uint64_t b, const struct form *f)
{
    return a == b || (f->real && isnan(number_of(a, f).d) && isnan(number_of(b, f).d));
}

/* ---- one case */

struct conversion {
    const struct pcdf_converter *converter;
    const struct form *from, *to;
    bool put, raw; /* raw: CDF-1 and CDF-2 call unsigned char and NC_BYTE the same */
    ptrdiff_t stride;
    size_t n, file_at, memory_at;
    uint64_t fill; /* bits of what stands in for values that do not fit */
};

static void check_element(const struct conversion *c, uint64_t from, uint64_t to, bool *outside)
{
    struct number v = number_of(from, c->from);
    uint64_t want = c->raw ? from : fits(v, c->to) ? bits_of(v, c->to) : c->fill;
    *outside |= !c->raw && !fits(v, c->to);
    DEMAND(same(to, want, c->to));
}

/* The first byte of element i in memory. */
static size_t place(const struct conversion *c, size_t size, size_t i)
{
    ptrdiff_t first = c->stride < 0 ? -c->stride * (ptrdiff_t)(c->n - 1) : 0;
    return GUARD + c->memory_at + (size_t)(first + c->stride * (ptrdiff_t)i) * size;
}

static void check_put(struct conversion *c, const uint8_t *values)
{
    static unsigned char memory[2 * GUARD + 8 * MOST * MOST_STRIDE], before[sizeof memory];
    static unsigned char file[2 * GUARD + 8 * MOST];
    unsigned char fill[8] = { 0 };
    bool outside = false;
    size_t file_begin = GUARD + c->file_at;

    memset(memory, 0x5A, sizeof memory);
    memset(file, 0xC3, sizeof file);
    for (size_t i = 0; i < c->n; i++)
        memcpy(memory + place(c, c->from->size, i), values + i * c->from->size, c->from->size);
    memcpy(before, memory, sizeof memory);
    bytes_of_bits(fill, c->fill, c->to->size, true);
    bool said =
        c->converter->put(file + file_begin, memory + place(c, c->from->size, 0), c->stride, c->n, fill);
    DEMAND(memcmp(before, memory, sizeof memory) == 0);
    for (size_t i = 0; i < c->n; i++)
        check_element(c, bits_of_bytes(memory + place(c, c->from->size, i), c->from->size, host_is_big()),
                      bits_of_bytes(file + file_begin + i * c->to->size, c->to->size, true), &outside);
    DEMAND(said == outside);
    DEMAND(file[file_begin - 1] == 0xC3 && file[file_begin + c->n * c->to->size] == 0xC3);
}

static void check_get(struct conversion *c, const uint8_t *values)
{
    static unsigned char memory[2 * GUARD + 8 * MOST * MOST_STRIDE], touched[sizeof memory];
    static unsigned char file[2 * GUARD + 8 * MOST];
    unsigned char *from = file + GUARD + c->file_at;
    bool outside = false;

    memset(memory, 0x5A, sizeof memory);
    memset(touched, 0, sizeof touched);
    memcpy(from, values, c->n * c->from->size);
    bool said = c->converter->get(memory + place(c, c->to->size, 0), c->stride, from, c->n);
    DEMAND(memcmp(from, values, c->n * c->from->size) == 0);
    for (size_t i = 0; i < c->n; i++) {
        size_t at = place(c, c->to->size, i);
        check_element(c, bits_of_bytes(from + i * c->from->size, c->from->size, true),
                      bits_of_bytes(memory + at, c->to->size, host_is_big()), &outside);
        memset(touched + at, 1, c->to->size);
    }
    DEMAND(said == outside);
    for (size_t i = 0; i < sizeof memory; i++)
        DEMAND(touched[i] || memory[i] == 0x5A);
}

/* The default fill value of a memory type is that of the external type it belongs to; of long, that of int.
 */
static uint64_t default_fill(enum pcdf_mtype mtype)
{
    for (nc_type x = NC_BYTE; x <= NC_UINT64; x++)
        if (pcdf_mtype_of(x) == (mtype == PCDF_M_LONG ? PCDF_M_INT : mtype))
            return bits_of(number_of(bits_of_bytes(pcdf_type_fill(x), external[x].size, true), &external[x]),
                           &native[mtype]);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct fuzz_input in = { bytes, n, 0 };
    nc_type xtype = 1 + fuzz_pick(&in, 11);
    enum pcdf_mtype mtype = (enum pcdf_mtype)fuzz_pick(&in, PCDF_M_TYPES);
    static const char *const levels[] = { "portable", "avx2", "avx512" };
    int how = fuzz_pick(&in, 6);
    enum pcdf_version version = how % 2 ? PCDF_CDF5 : PCDF_CDF2;
    struct conversion c = { .put = fuzz_pick(&in, 2) };

    c.stride = fuzz_pick(&in, 2 * MOST_STRIDE - 1) - (MOST_STRIDE - 1);
    c.memory_at = (size_t)fuzz_pick(&in, 8);
    c.file_at = (size_t)fuzz_pick(&in, 8);
    c.from = c.put ? &native[mtype] : &external[xtype];
    c.to = c.put ? &external[xtype] : &native[mtype];
    c.n = (n - in.at) / c.from->size;
    c.n = c.n > MOST ? MOST : c.n;
    if (c.stride == 0)
        c.stride = 1;
    if (!pcdf_convert_use(levels[how / 2]))
        pcdf_convert_use(NULL);
    c.raw = version != PCDF_CDF5 && xtype == NC_BYTE && mtype == PCDF_M_UCHAR;
    c.fill = c.put ? 0x11223344AABBCCDDU >> (64 - 8 * c.to->size) : default_fill(mtype);
    c.converter = pcdf_converter_of(version, xtype, mtype);
    DEMAND((c.converter == NULL) == ((xtype == NC_CHAR) != (mtype == PCDF_M_TEXT)));
    if (c.n == 0 || !c.converter)
        return 0;
    if (c.put)
        check_put(&c, bytes + in.at);
    else
        check_get(&c, bytes + in.at);
    return 0;
}
