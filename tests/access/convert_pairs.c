/* Every pair of external type and memory type, both ways, at each level of the processor's instructions that
 * this machine has, in both byte orders of a file, at the values where it can go wrong: exact stored bytes,
 * exact range verdict, the right fill value; 0 to 130 values and around a block of them, strides, all
 * alignments; one value that does not fit at each place of a vector; nothing else touched. The reference
 * beside it is written with __int128 and knows nothing of the converters. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "check.h"
#include "convert.h"

__extension__ typedef __int128 wide;

/* A number, exact whatever type it came from. */
struct number {
    bool real;
    wide whole;
    double d;
};

/* How a type stores numbers. External and memory types share this; a `fill` is what a misfit becomes on
 * arrival. */
struct kind {
    const char *name;
    int id; /* nc_type or pcdf_mtype */
    bool real, has_sign;
    size_t size;
    struct number fill;
};

#define WHOLE(v)                                                                                             \
    {                                                                                                        \
        .whole = (v)                                                                                         \
    }
#define REAL(v)                                                                                              \
    {                                                                                                        \
        .real = true, .d = (v)                                                                               \
    }
#define FILL_F 9.9692099683868690e+36

static const struct kind externals[] = {
    { "NC_BYTE", NC_BYTE, false, true, 1, WHOLE(-127) },
    { "NC_SHORT", NC_SHORT, false, true, 2, WHOLE(-32767) },
    { "NC_INT", NC_INT, false, true, 4, WHOLE(-2147483647) },
    { "NC_FLOAT", NC_FLOAT, true, true, 4, REAL(FILL_F) },
    { "NC_DOUBLE", NC_DOUBLE, true, true, 8, REAL(FILL_F) },
    { "NC_UBYTE", NC_UBYTE, false, false, 1, WHOLE(255) },
    { "NC_USHORT", NC_USHORT, false, false, 2, WHOLE(65535) },
    { "NC_UINT", NC_UINT, false, false, 4, WHOLE(4294967295) },
    { "NC_INT64", NC_INT64, false, true, 8, WHOLE(-9223372036854775806) },
    { "NC_UINT64", NC_UINT64, false, false, 8, WHOLE((wide)18446744073709551614U) },
};
static const struct kind memories[] = {
    { "signed char", PCDF_M_SCHAR, false, true, 1, WHOLE(-127) },
    { "unsigned char", PCDF_M_UCHAR, false, false, 1, WHOLE(255) },
    { "short", PCDF_M_SHORT, false, true, 2, WHOLE(-32767) },
    { "unsigned short", PCDF_M_USHORT, false, false, 2, WHOLE(65535) },
    { "int", PCDF_M_INT, false, true, 4, WHOLE(-2147483647) },
    { "unsigned int", PCDF_M_UINT, false, false, 4, WHOLE(4294967295) },
    { "long", PCDF_M_LONG, false, true, sizeof(long), WHOLE(-2147483647) },
    { "float", PCDF_M_FLOAT, true, true, 4, REAL(FILL_F) },
    { "double", PCDF_M_DOUBLE, true, true, 8, REAL(FILL_F) },
    { "long long", PCDF_M_LONGLONG, false, true, 8, WHOLE(-9223372036854775806) },
    { "unsigned long long", PCDF_M_ULONGLONG, false, false, 8, WHOLE((wide)18446744073709551614U) },
};
enum { EXTERNALS = sizeof externals / sizeof *externals, MEMORIES = sizeof memories / sizeof *memories };

static wide max_of(const struct kind *k)
{
    return ((wide)1 << (8 * k->size - k->has_sign)) - 1;
}
static wide min_of(const struct kind *k)
{
    return k->has_sign ? -max_of(k) - 1 : 0;
}

/* The rule in words: min <= v <= max for whole numbers, on the value before it is truncated. */
static bool fits(struct number v, const struct kind *k)
{
    if (k->real) {
        if (!v.real || k->size == 8 || !isfinite(v.d))
            return true;
        return v.d <= FLT_MAX && v.d >= -FLT_MAX;
    }
    if (!v.real)
        return v.whole >= min_of(k) && v.whole <= max_of(k);
    if (!(fabs(v.d) < 0x1p100))
        return false;
    wide floor_of = (wide)floor(v.d), ceil_of = (wide)ceil(v.d);
    return floor_of >= min_of(k) && ceil_of <= max_of(k);
}

static uint64_t bits_of(struct number v, const struct kind *k)
{
    if (!k->real)
        return (uint64_t)(v.real ? (wide)v.d : v.whole);
    if (k->size == 8) {
        double d = v.real ? v.d : (double)v.whole;
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        return bits;
    }
    float f = v.real ? (float)v.d : (float)v.whole;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void store_big_endian(unsigned char *at, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (unsigned char)(bits >> 8 * (size - 1 - i));
}

static void store_host(unsigned char *at, uint64_t bits, size_t size)
{
    uint8_t b = (uint8_t)bits;
    uint16_t s = (uint16_t)bits;
    uint32_t w = (uint32_t)bits;
    memcpy(at,
           size == 1   ? (void *)&b
           : size == 2 ? (void *)&s
           : size == 4 ? (void *)&w
                       : (void *)&bits,
           size);
}

/* As the converter's file has it. */
static void store_in_file(const struct pcdf_converter *k, unsigned char *at, uint64_t bits, size_t size)
{
    if (k->is_native)
        store_host(at, bits, size);
    else
        store_big_endian(at, bits, size);
}

/* ---- The values: around every limit of every type, whole and with fractions ---- */

enum { MOST = 1024, SHORTS = 130, LONGEST = 1000, WIDEST_STRIDE = 9, ALIGNMENTS = 64 };
enum { ROOM = WIDEST_STRIDE * 8 * LONGEST + 2 * ALIGNMENTS + 64 };

struct pool {
    size_t n;
    struct number v[MOST];
};

static void add(struct pool *pool, struct number v, const struct kind *source)
{
    if (source->real) { /* as this type holds it, be it by rounding */
        v.d = v.real ? v.d : (double)v.whole;
        v.real = true;
        if (source->size == 4 && !fits(v, source))
            return;
        v.d = source->size == 4 ? (double)(float)v.d : v.d;
    } else if (v.real || !fits(v, source)) {
        return;
    }
    if (pool->n == MOST)
        exit(1);
    pool->v[pool->n++] = v;
}

static void add_near(struct pool *pool, wide limit, const struct kind *source)
{
    static const double fractions[] = { -1.5, -1, -0.9999, -0.5, -0.0001, 0, 0.0001, 0.5, 0.9999, 1, 1.5 };
    for (int i = -2; i <= 2; i++)
        add(pool, (struct number)WHOLE(limit + i), source);
    if (!source->real)
        return;
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
        add(pool, (struct number)REAL((double)limit + fractions[i]), source);
    double d = (double)limit;
    add(pool, (struct number)REAL(nextafter(d, -INFINITY)), source);
    add(pool, (struct number)REAL(nextafter(d, INFINITY)), source);
    add(pool, (struct number)REAL(nextafterf((float)d, -INFINITY)), source);
    add(pool, (struct number)REAL(nextafterf((float)d, INFINITY)), source);
}

static void values_of(struct pool *pool, const struct kind *source)
{
    static const double reals[] = { NAN,      -NAN,      INFINITY,      -INFINITY, 0.0,
                                    -0.0,     0x1p-1074, -0x1p-1074,    0x1p-149,  0x1p-150,
                                    DBL_MIN,  FLT_MIN,   DBL_MAX,       -DBL_MAX,  FLT_MAX,
                                    -FLT_MAX, 1e40,      -1e40,         1.0e10,    -1.0e10,
                                    2.9,      -2.9,      0.1,           0x1p128,   0x1.ffffffp127,
                                    0x1p100,  -0x1p100,  0x1p63 - 1024, FILL_F };
    pool->n = 0;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        add(pool, (struct number)REAL(reals[i]), source);
    add(pool, (struct number)REAL(nextafter(FLT_MAX, INFINITY)), source);
    add(pool, (struct number)REAL(nextafter(-FLT_MAX, -INFINITY)), source);
    for (int bit = 7; bit <= 64; bit++)
        if (bit <= 9 || bit % 8 <= 1 || bit % 8 == 7 || bit == 53) {
            add_near(pool, (wide)1 << bit, source);
            add_near(pool, -((wide)1 << bit), source);
        }
    add_near(pool, 0, source);
}

/* ---- One call, all of it checked ---- */

struct run {
    const struct kind *x, *m;
    const struct pcdf_converter *converter;
    const struct pool *pool;
    size_t first, n; /* values pool[first + i] modulo the pool */
    ptrdiff_t stride;
    size_t skew; /* the memory starts this many bytes off an aligned address, the file elsewhere */
    const struct number *odd; /* NULL, or the value at odd_at */
    size_t odd_at;
};

/* The bytes of a block this run may touch, and some on either side. */
static size_t room_of(const struct run *r)
{
    return (size_t)(labs((long)r->stride) + 1) * 8 * r->n + 2 * ALIGNMENTS + 64;
}

static struct number value_at(const struct run *r, size_t i)
{
    return r->odd && i == r->odd_at ? *r->odd : r->pool->v[(r->first + i) % r->pool->n];
}

/* Where the file bytes begin. */
static size_t file_at(const struct run *r)
{
    return ALIGNMENTS + (r->skew * 5 + 3) % ALIGNMENTS;
}

/* Where element i lies in a memory block of ROOM bytes. */
static unsigned char *element(unsigned char *block, const struct run *r, size_t i)
{
    ptrdiff_t base = r->stride < 0 && r->n ? -r->stride * ((ptrdiff_t)r->n - 1) : 0;
    return block + ALIGNMENTS + r->skew + (size_t)(base + (ptrdiff_t)i * r->stride) * r->m->size;
}

static void compare(const struct run *r, const char *verb, const unsigned char *got,
                    const unsigned char *want, bool outside, bool want_outside)
{
    size_t room = room_of(r);
    if (outside == want_outside && !memcmp(got, want, room)) {
        check_made++;
        return;
    }
    size_t at = 0;
    while (at < room && got[at] == want[at])
        at++;
    CHECK(false,
          "%s %s %s: n %zu stride %td skew %zu first %zu (%.17g): range %d, want %d; byte %zu of %zu differs",
          verb, r->x->name, r->m->name, r->n, r->stride, r->skew, r->first,
          value_at(r, 0).real ? value_at(r, 0).d : (double)value_at(r, 0).whole, outside, want_outside, at,
          room);
}

static void check_put(const struct run *r)
{
    _Alignas(ALIGNMENTS) static unsigned char memory[ROOM], before[ROOM], file[ROOM], want[ROOM];
    unsigned char fill[8];
    struct number own_fill = r->x->real ? (struct number)REAL(-77.25) : (struct number)WHOLE(77);
    size_t room = room_of(r);
    bool outside = false;
    memset(memory, 0x5a, room);
    memset(file, 0xa5, room);
    memset(want, 0xa5, room);
    store_in_file(r->converter, fill, bits_of(own_fill, r->x), r->x->size);
    for (size_t i = 0; i < r->n; i++)
        store_host(element(memory, r, i), bits_of(value_at(r, i), r->m), r->m->size);
    for (size_t i = 0; i < r->n; i++) {
        struct number v = value_at(r, r->stride ? i : r->n - 1);
        outside |= !fits(v, r->x);
        store_in_file(r->converter, want + file_at(r) + i * r->x->size,
                      bits_of(fits(v, r->x) ? v : own_fill, r->x), r->x->size);
    }
    memcpy(before, memory, room);
    bool got = r->converter->put(file + file_at(r), element(memory, r, 0), r->stride, r->n, fill);
    compare(r, "put", file, want, got, outside);
    CHECK(!memcmp(before, memory, room), "put %s %s changed the user's memory", r->x->name, r->m->name);
}

static void check_get(const struct run *r)
{
    _Alignas(ALIGNMENTS) static unsigned char memory[ROOM], want[ROOM], file[ROOM];
    size_t room = room_of(r);
    bool outside = false;
    memset(memory, 0x5a, room);
    memset(want, 0x5a, room);
    memset(file, 0xa5, room);
    for (size_t i = 0; i < r->n; i++) {
        struct number v = value_at(r, i);
        outside |= !fits(v, r->m);
        store_in_file(r->converter, file + file_at(r) + i * r->x->size, bits_of(v, r->x), r->x->size);
        store_host(element(want, r, i), bits_of(fits(v, r->m) ? v : r->m->fill, r->m), r->m->size);
    }
    bool got = r->converter->get(element(memory, r, 0), r->stride, file + file_at(r), r->n);
    compare(r, "get", memory, want, got, outside);
}

/* ---- What is run ---- */

static void check_length(struct run r, void (*check)(const struct run *))
{
    static const ptrdiff_t strides[] = { 2, -1, 0, 3, -2, 4, -3, 5, 8, WIDEST_STRIDE };
    r.first += 5 * r.n;
    r.skew = r.n * 11 % ALIGNMENTS;
    r.stride = 1;
    check(&r);
    r.skew = r.n * 7 % ALIGNMENTS;
    r.stride = strides[r.n % (sizeof strides / sizeof *strides)];
    check(&r);
}

static void check_shapes(struct run r, void (*check)(const struct run *))
{
    static const size_t longer[] = { 255, 256, 511, 512, 513, LONGEST };
    for (r.n = 0; r.n <= SHORTS; r.n++)
        check_length(r, check);
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        r.n = longer[i];
        check_length(r, check);
    }
}

/* Each value alone, which goes one by one; and at one place among others that fit. */
static void check_each(struct run r, const struct pool *all, const struct pool *good,
                       void (*check)(const struct run *))
{
    r.stride = 1;
    r.pool = all;
    r.n = 1;
    for (r.first = 0; r.first < all->n; r.first++)
        check(&r);
    r.pool = good;
    r.n = 70;
    for (size_t i = 0; i < all->n; i++) {
        r.odd = &all->v[i];
        r.odd_at = i % r.n;
        check(&r);
    }
}

/* All values in every shape, and those that fit, which take the converters' fast way. */
static void check_direction(struct run r, const struct kind *from, const struct kind *to,
                            void (*check)(const struct run *))
{
    static struct pool all, good;
    values_of(&all, from);
    good.n = 0;
    for (size_t i = 0; i < all.n; i++)
        if (fits(all.v[i], to))
            good.v[good.n++] = all.v[i];
    check_each(r, &all, &good, check);
    r.pool = &all;
    check_shapes(r, check);
    r.pool = &good;
    check_shapes(r, check);
}

static void check_pairs(enum pcdf_version version)
{
    for (int x = 0; x < EXTERNALS; x++)
        for (int m = 0; m < MEMORIES; m++) {
            struct run r = { .x = &externals[x], .m = &memories[m] };
            bool raw = version != PCDF_CDF5 && r.x->id == NC_BYTE && r.m->id == PCDF_M_UCHAR;
            r.converter = pcdf_converter_of(version, r.x->id, (enum pcdf_mtype)r.m->id);
            CHECK(r.converter && r.converter->put && r.converter->get, "no converters for %s and %s",
                  r.x->name, r.m->name);
            if (raw)
                r.x = &externals[5]; /* SPEC: a byte without a sign of its own */
            check_direction(r, r.m, r.x, check_put);
            check_direction(r, r.x, r.m, check_get);
        }
}

static void check_native_pairs(void)
{
    for (int x = 0; x < EXTERNALS; x++)
        for (int m = 0; m < MEMORIES; m++) {
            struct run r = { .x = &externals[x], .m = &memories[m] };
            r.converter =
                pcdf_converter_native(pcdf_converter_of(PCDF_CDF5, r.x->id, (enum pcdf_mtype)r.m->id));
            CHECK(r.converter && r.converter->is_native, "no native converter for %s and %s", r.x->name,
                  r.m->name);
            check_direction(r, r.m, r.x, check_put);
            check_direction(r, r.x, r.m, check_get);
        }
}

/* ---- The rules that are not a matter of values ---- */

static void check_bytes_without_sign(void)
{
    const unsigned char memory[] = { 255, 128, 127, 0 }, fill[] = { 0x81 };
    unsigned char file[4], back[4];
    short as_short[4];
    for (enum pcdf_version v = PCDF_CDF1; v <= PCDF_CDF2; v++) {
        const struct pcdf_converter *raw = pcdf_converter_of(v, NC_BYTE, PCDF_M_UCHAR);
        CHECK(!raw->put(file, memory, 1, 4, fill) && !memcmp(file, memory, 4),
              "CDF-%d put of uchar is no copy", v);
        CHECK(!raw->get(back, 1, file, 4) && !memcmp(back, memory, 4), "CDF-%d get of uchar is no copy", v);
        CHECK(raw->is_copy, "CDF-%d uchar is not marked as a copy", v);
        CHECK(!pcdf_converter_of(v, NC_BYTE, PCDF_M_SHORT)->get(as_short, 1, file, 4), "short out of range");
        CHECK(as_short[0] == -1 && as_short[1] == -128, "short %d %d", as_short[0], as_short[1]);
    }
    const struct pcdf_converter *checked = pcdf_converter_of(PCDF_CDF5, NC_BYTE, PCDF_M_UCHAR);
    CHECK(checked->put(file, memory, 1, 4, fill), "CDF-5 took 255 into NC_BYTE");
    CHECK(!memcmp(file, "\x81\x81\x7f\0", 4), "CDF-5 stored %02x%02x%02x%02x", file[0], file[1], file[2],
          file[3]);
    CHECK(checked->get(back, 1, file, 4) && back[0] == 255 && back[2] == 127, "CDF-5 get %d %d", back[0],
          back[2]);
    CHECK(!checked->is_copy, "CDF-5 uchar and NC_BYTE are marked as a copy");
}

static void check_text(enum pcdf_version version)
{
    const char memory[] = "a\xff.\x80z";
    unsigned char file[3];
    char back[5] = "12345";
    const struct pcdf_converter *text = pcdf_converter_of(version, NC_CHAR, PCDF_M_TEXT);
    CHECK(text && text->is_copy, "text is not a copy");
    CHECK(pcdf_converter_native(text)->is_copy, "text of chunks is not a copy");
    CHECK(!text->put(file, memory, 2, 3, NULL) && !memcmp(file, "a.z", 3), "text put %.3s", (char *)file);
    CHECK(!text->get(back, 2, file, 3) && !memcmp(back, "a2.4z", 5), "text get %.5s", back);
    for (enum pcdf_mtype m = PCDF_M_TEXT + 1; m < PCDF_M_TYPES; m++)
        CHECK(!pcdf_converter_of(version, NC_CHAR, m), "NC_CHAR with %s", pcdf_mtype_name(m));
    for (nc_type x = NC_BYTE; x <= NC_UINT64; x++)
        CHECK(x == NC_CHAR || !pcdf_converter_of(version, x, PCDF_M_TEXT), "text with type %d", x);
    CHECK(!pcdf_converter_of(version, NC_NAT, PCDF_M_INT), "converters for no type");
    CHECK(!pcdf_converter_of(version, NC_UINT64 + 1, PCDF_M_INT), "converters for type 12");
    CHECK(!pcdf_converter_of(version, NC_INT, PCDF_M_TYPES), "converters for no memory type");
}

/* A signalling NaN is still the same bits after a way that converts nothing. */
static void check_signalling_nan(void)
{
    static const unsigned char file[8] = { 0x7f, 0xf0, 0x80, 0x12, 0x34, 0x56, 0x78, 0x9a };
    static const struct {
        nc_type x;
        enum pcdf_mtype m;
        size_t n;
    } same[] = { { NC_FLOAT, PCDF_M_FLOAT, 2 }, { NC_DOUBLE, PCDF_M_DOUBLE, 1 } };
    for (int i = 0; i < 2; i++)
        for (ptrdiff_t stride = 1; stride <= 2; stride++) {
            const struct pcdf_converter *k = pcdf_converter_of(PCDF_CDF1, same[i].x, same[i].m);
            unsigned char memory[32], back[8];
            CHECK(!k->get(memory, stride, file, same[i].n), "NaN out of range");
            CHECK(!k->put(back, memory, stride, same[i].n, file) && !memcmp(back, file, 8), "NaN changed");
        }
}

static void check_properties(void)
{
    const uint16_t probe = 1;
    bool little = *(const unsigned char *)&probe == 1;
    for (int m = 0; m < MEMORIES; m++) {
        const struct kind *k = &memories[m];
        CHECK_INT(pcdf_mtype_size((enum pcdf_mtype)k->id), k->size);
        CHECK(!strcmp(pcdf_mtype_name((enum pcdf_mtype)k->id), k->name), "%s", k->name);
        for (int x = 0; x < EXTERNALS; x++) {
            const struct kind *e = &externals[x];
            bool same = e->size == k->size && e->real == k->real && e->has_sign == k->has_sign;
            CHECK(pcdf_converter_of(PCDF_CDF5, e->id, (enum pcdf_mtype)k->id)->is_copy ==
                      (same && (!little || e->size == 1)),
                  "is_copy of %s and %s", e->name, k->name);
            CHECK(
                pcdf_converter_native(pcdf_converter_of(PCDF_CDF5, e->id, (enum pcdf_mtype)k->id))->is_copy ==
                    same,
                "is_copy of %s and %s in this machine's byte order", e->name, k->name);
            if (pcdf_mtype_of(e->id) == (enum pcdf_mtype)k->id)
                CHECK(same && k->id != PCDF_M_LONG, "%s is not the memory type of %s", k->name, e->name);
        }
    }
    const float native = -1.5F;
    char text[32];
    pcdf_convert_text(pcdf_converter_native(pcdf_converter_of(PCDF_CDF5, NC_FLOAT, PCDF_M_SHORT)), PCDF_GET,
                      &native, text, sizeof text);
    CHECK(!strcmp(text, "-1.5"), "a float of this machine's byte order is told as %s", text);
    CHECK_INT(pcdf_mtype_of(NC_CHAR), PCDF_M_TEXT);
    CHECK_INT(pcdf_mtype_of(NC_INT), PCDF_M_INT);
    CHECK_INT(pcdf_mtype_of(NC_UINT64), PCDF_M_ULONGLONG);
    CHECK_INT(pcdf_mtype_of(NC_NAT), PCDF_M_TYPES);
}

/* Past the cache: the bytes that a put of a few values at a time stores, at all alignments of both sides,
 * with tails; nothing beside them; refused where it must be. */
static void check_stream(const struct pcdf_converter *k, size_t skew, bool has_it)
{
    enum { MANY = PCDF_STREAM_BYTES + 16 * ALIGNMENTS, PUT = 64 };
    _Alignas(ALIGNMENTS) static unsigned char memory[MANY], file[MANY], want[MANY];
    const size_t width = (size_t)k->xsize, n = PCDF_STREAM_BYTES / width + skew * 7 % (ALIGNMENTS + 1);
    const unsigned char *from = memory + skew * 5 % ALIGNMENTS;
    unsigned char *to = file + ALIGNMENTS + skew;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (unsigned char)(i * 37 + i / 251);
    memset(file, 0xa5, sizeof file);
    memset(want, 0xa5, sizeof want);
    bool is_taken = pcdf_convert_stream(k, to, from, n);
    CHECK(is_taken == (has_it && skew % width == 0), "width %zu, %zu off: taken %d", width, skew, is_taken);
    for (size_t i = 0; is_taken && i < n; i += PUT)
        k->put(want + ALIGNMENTS + skew + i * width, from + i * width, 1, n - i < PUT ? n - i : PUT, NULL);
    CHECK(!memcmp(file, want, sizeof file), "width %zu, %zu off: other bytes past the cache", width, skew);
    CHECK(!pcdf_convert_stream(k, file, from, PCDF_STREAM_BYTES / width - 1), "width %zu: few taken", width);
}

static void check_streams(const char *level)
{
    static const struct {
        nc_type x;
        enum pcdf_mtype m;
    } same[] = { { NC_BYTE, PCDF_M_SCHAR },
                 { NC_SHORT, PCDF_M_SHORT },
                 { NC_FLOAT, PCDF_M_FLOAT },
                 { NC_DOUBLE, PCDF_M_DOUBLE } };
    static unsigned char file[8 * PCDF_STREAM_BYTES], memory[8 * PCDF_STREAM_BYTES];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        for (size_t skew = 0; skew < ALIGNMENTS; skew++)
            check_stream(pcdf_converter_of(PCDF_CDF5, same[i].x, same[i].m), skew, !strncmp(level, "avx", 3));
    CHECK(!pcdf_convert_stream(pcdf_converter_of(PCDF_CDF5, NC_FLOAT, PCDF_M_DOUBLE), file, memory,
                               PCDF_STREAM_BYTES),
          "doubles as floats past the cache");
    CHECK(!pcdf_convert_stream(pcdf_converter_native(pcdf_converter_of(PCDF_CDF5, NC_FLOAT, PCDF_M_FLOAT)),
                               file, memory, PCDF_STREAM_BYTES),
          "floats that keep their byte order past the cache");
}

static void check_level(const char *level)
{
    if (!pcdf_convert_use(level)) {
        printf("convert_pairs: this processor has no %s\n", level);
        return;
    }
    printf("convert_pairs: %s\n", level);
    CHECK(!strcmp(pcdf_convert_level(), level), "%s in use after %s was chosen", pcdf_convert_level(), level);
    check_pairs(PCDF_CDF5);
    check_native_pairs();
    check_streams(level);
}

/* The processor's best is the choice, PARCDF_SIMD a lower one; what is not there is not chosen. */
static void check_choice(void)
{
    const char *wanted = getenv("PARCDF_SIMD");
    char first[16];
    snprintf(first, sizeof first, "%s", pcdf_convert_level());
    CHECK(!wanted || !pcdf_convert_use(wanted) || !strcmp(first, wanted), "%s instead of %s", first, wanted);
    CHECK(!pcdf_convert_use("mmx"), "mmx is in use");
    CHECK(pcdf_convert_use("portable") && pcdf_convert_use(NULL), "no level is there");
}

int main(void)
{
    check_choice();
    check_level("portable");
    check_level("avx2");
    check_level("avx512");
    check_level("neon");
    check_pairs(PCDF_CDF1);
    check_bytes_without_sign();
    check_text(PCDF_CDF2);
    check_text(PCDF_CDF5);
    check_signalling_nan();
    check_properties();
    return check_done("convert_pairs");
}
