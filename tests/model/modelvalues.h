#ifndef VALUES_H
#define VALUES_H
/* The conversion rules of the API (reference 4.8, architecture section 0), written a second time, slowly and
 * one value at a time, so that a test does not ask the library what is right. */

#include <float.h>
#include <limits.h>
#include <math.h>
#include "forms.h"

struct value { /* exact: an integer by sign and size, or a real number */
    bool real, negative;
    uint64_t size;
    double d;
};

static inline struct value value_int(int64_t i)
{
    return (struct value){ .negative = i < 0, .size = i < 0 ? 0 - (uint64_t)i : (uint64_t)i };
}
static inline struct value value_uint(uint64_t u)
{
    return (struct value){ .size = u };
}
static inline struct value value_real(double d)
{
    return (struct value){ .real = true, .d = d };
}

struct limits { /* of an integer type: -low .. high */
    uint64_t low, high;
};

static inline bool value_fits(const struct value *v, const struct limits *t)
{
    if (v->real)
        return (long double)v->d >= -(long double)t->low && (long double)v->d <= (long double)t->high;
    return v->negative ? v->size <= t->low : v->size <= t->high;
}

/* Only for values that fit. */
static inline uint64_t value_bits(const struct value *v)
{
    if (v->real)
        return v->d < 0 ? (uint64_t)(int64_t)v->d : (uint64_t)v->d;
    return v->negative ? 0 - v->size : v->size;
}

static inline float value_float(const struct value *v)
{
    if (v->real)
        return (float)v->d;
    return v->negative ? (float)(int64_t)(0 - v->size) : (float)v->size;
}
static inline double value_double(const struct value *v)
{
    if (v->real)
        return v->d;
    return v->negative ? (double)(int64_t)(0 - v->size) : (double)v->size;
}
static inline bool float_overflows(const struct value *v)
{
    return v->real && isfinite(v->d) && fabs(v->d) > (double)FLT_MAX;
}

/* ---- in memory */
static const struct limits mem_limits[MEMS] = {
    [MEM_SCHAR] = { 128, 127 },
    [MEM_UCHAR] = { 0, 255 },
    [MEM_SHORT] = { 32768, 32767 },
    [MEM_USHORT] = { 0, 65535 },
    [MEM_INT] = { 2147483648u, INT_MAX },
    [MEM_UINT] = { 0, UINT_MAX },
    [MEM_LONG] = { (uint64_t)LONG_MAX + 1, LONG_MAX },
    [MEM_LONGLONG] = { (uint64_t)LLONG_MAX + 1, LLONG_MAX },
    [MEM_ULONGLONG] = { 0, ULLONG_MAX },
};

static inline struct value mem_value(const void *buf, enum mem mem, size_t i)
{
    switch (mem) {
    case MEM_FLOAT:
        return value_real(((const float *)buf)[i]);
    case MEM_DOUBLE:
        return value_real(((const double *)buf)[i]);
    case MEM_ULONGLONG:
        return value_uint(((const unsigned long long *)buf)[i]);
    default:
        return value_int(mem_int(buf, mem, i));
    }
}

static inline void mem_fill(void *buf, enum mem mem, size_t i)
{
    static const long long fills[MEMS] = { [MEM_TEXT] = 0,
                                           [MEM_SCHAR] = NC_FILL_BYTE,
                                           [MEM_UCHAR] = 255,
                                           [MEM_SHORT] = NC_FILL_SHORT,
                                           [MEM_USHORT] = 65535,
                                           [MEM_INT] = NC_FILL_INT,
                                           [MEM_UINT] = 4294967295,
                                           [MEM_LONG] = NC_FILL_INT,
                                           [MEM_LONGLONG] = NC_FILL_INT64 };
    if (mem == MEM_FLOAT)
        ((float *)buf)[i] = NC_FILL_FLOAT;
    else if (mem == MEM_DOUBLE)
        ((double *)buf)[i] = NC_FILL_DOUBLE;
    else if (mem == MEM_ULONGLONG)
        ((unsigned long long *)buf)[i] = NC_FILL_UINT64;
    else
        mem_set(buf, mem, i, fills[mem]);
}

/* Stores v as element i, or the fill value of the memory type. False when it did not fit. */
static inline bool mem_put(void *buf, enum mem mem, size_t i, const struct value *v)
{
    bool fits = mem == MEM_FLOAT ? !float_overflows(v) : mem == MEM_DOUBLE || value_fits(v, &mem_limits[mem]);
    if (!fits)
        mem_fill(buf, mem, i);
    else if (mem == MEM_FLOAT)
        ((float *)buf)[i] = value_float(v);
    else if (mem == MEM_DOUBLE)
        ((double *)buf)[i] = value_double(v);
    else if (mem == MEM_ULONGLONG)
        ((unsigned long long *)buf)[i] = value_bits(v);
    else
        mem_set(buf, mem, i, (long long)value_bits(v));
    return fits;
}

/* ---- in the file: big-endian bytes */
static const struct limits ext_limits[12] = {
    [NC_BYTE] = { 128, 127 },
    [NC_SHORT] = { 32768, 32767 },
    [NC_INT] = { 2147483648u, INT_MAX },
    [NC_UBYTE] = { 0, 255 },
    [NC_USHORT] = { 0, 65535 },
    [NC_UINT] = { 0, UINT_MAX },
    [NC_INT64] = { (uint64_t)LLONG_MAX + 1, LLONG_MAX },
    [NC_UINT64] = { 0, ULLONG_MAX },
};

static inline void big_put(unsigned char *to, uint64_t bits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[n - 1 - i] = (unsigned char)(bits >> (8 * i));
}
static inline uint64_t big_get(const unsigned char *from, size_t n)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits = bits << 8 | from[i];
    return bits;
}

static inline struct value ext_value(const unsigned char *from, int type)
{
    size_t n = ext_sizes[type];
    uint64_t bits = big_get(from, n);
    float f;
    double d;
    uint32_t word = (uint32_t)bits;
    if (type == NC_FLOAT) {
        memcpy(&f, &word, 4);
        return value_real(f);
    }
    if (type == NC_DOUBLE) {
        memcpy(&d, &bits, 8);
        return value_real(d);
    }
    if (ext_limits[type].low == 0)
        return value_uint(bits);
    return value_int((int64_t)(bits << (64 - 8 * n)) >> (64 - 8 * n));
}

static inline void ext_store(unsigned char *to, int type, const struct value *v)
{
    float f = type == NC_FLOAT ? value_float(v) : 0;
    double d = type == NC_DOUBLE ? value_double(v) : 0;
    uint32_t word;
    uint64_t bits;
    if (type == NC_FLOAT) {
        memcpy(&word, &f, 4);
        bits = word;
    } else if (type == NC_DOUBLE) {
        memcpy(&bits, &d, 8);
    } else {
        bits = value_bits(v);
    }
    big_put(to, bits, ext_sizes[type]);
}

static inline void ext_default_fill(unsigned char *to, int type)
{
    struct value v = type == NC_CHAR     ? value_uint(0)
                     : type == NC_BYTE   ? value_int(NC_FILL_BYTE)
                     : type == NC_SHORT  ? value_int(NC_FILL_SHORT)
                     : type == NC_INT    ? value_int(NC_FILL_INT)
                     : type == NC_FLOAT  ? value_real(NC_FILL_FLOAT)
                     : type == NC_DOUBLE ? value_real(NC_FILL_DOUBLE)
                     : type == NC_INT64  ? value_int(NC_FILL_INT64)
                     : type == NC_UINT64 ? value_uint(NC_FILL_UINT64)
                                         : value_uint(ext_limits[type].high);
    ext_store(to, type, &v);
}

/* Unsigned char and NC_BYTE are the same bytes in CDF-1 and CDF-2; text is bytes everywhere. */
static inline bool ext_is_raw(int format, int type, enum mem mem)
{
    return mem == MEM_TEXT || (format < 5 && type == NC_BYTE && mem == MEM_UCHAR);
}

/* One element into the file; `fill` where it does not fit. False when it did not. */
static inline bool ext_put(unsigned char *to, int format, int type, const unsigned char *fill,
                           const void *buf, enum mem mem, size_t i)
{
    if (ext_is_raw(format, type, mem)) {
        *to = ((const unsigned char *)buf)[i];
        return true;
    }
    struct value v = mem_value(buf, mem, i);
    bool fits =
        type == NC_FLOAT ? !float_overflows(&v) : type == NC_DOUBLE || value_fits(&v, &ext_limits[type]);
    if (fits)
        ext_store(to, type, &v);
    else
        memcpy(to, fill, ext_sizes[type]);
    return fits;
}

/* One element out of the file. False when it did not fit. */
static inline bool ext_get(const unsigned char *from, int format, int type, void *buf, enum mem mem, size_t i)
{
    if (ext_is_raw(format, type, mem)) {
        ((unsigned char *)buf)[i] = *from;
        return true;
    }
    struct value v = ext_value(from, type);
    return mem_put(buf, mem, i, &v);
}
#endif
