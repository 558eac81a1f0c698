/* See meaningnumber.h. */
#include "meaningnumber.h"
#include "meaningtext.h"
#include "value.h"

#include <math.h>
#include <string.h>

/* The largest integers of 64 bits are rounded up to 2^63 and 2^64, which their own type does not have. */
struct pcdf_meaning_number pcdf_meaning_number_of(nc_type type, const unsigned char *bytes)
{
    const struct pcdf_value v = pcdf_value_load(type, bytes);
    struct pcdf_meaning_number n = { pcdf_value_as_real(&v), 0 };

    if (type == NC_INT64)
        n.rest =
            n.x < 0x1p63 ? (double)(v.is.integer - (int64_t)n.x) : -(double)(INT64_MAX - v.is.integer) - 1;
    else if (type == NC_UINT64)
        n.rest = n.x < 0x1p64 ? (double)(int64_t)(v.is.natural - (uint64_t)n.x)
                              : -(double)(UINT64_MAX - v.is.natural) - 1;
    return n;
}

bool pcdf_meaning_is_less(struct pcdf_meaning_number a, struct pcdf_meaning_number b)
{
    return a.x < b.x || (a.x == b.x && a.rest < b.rest);
}

static bool is_signed(nc_type type)
{
    return type == NC_BYTE || type == NC_SHORT || type == NC_INT || type == NC_INT64;
}

/* Is it an integer that the type has? */
static bool fits_real(double x, nc_type type)
{
    const int bits = 8 * pcdf_type_size(type);
    const double most = ldexp(1, is_signed(type) ? bits - 1 : bits), least = is_signed(type) ? -most : 0;
    /* No floor: programs that are linked with the static library need no libm. */
    return x >= least && x < most && x == (x < 0 ? (double)(int64_t)x : (double)(uint64_t)x);
}

static bool fits_integer(const struct pcdf_value *v, nc_type type)
{
    const int bits = 8 * pcdf_type_size(type);
    const uint64_t most = is_signed(type) ? (UINT64_C(1) << (bits - 1)) - 1
                          : bits == 64    ? UINT64_MAX
                                          : (UINT64_C(1) << bits) - 1;
    bool is_negative = !pcdf_value_is_unsigned(v->type) && v->is.integer < 0;
    return is_negative ? is_signed(type) && v->is.integer >= -(int64_t)most - 1 : v->is.natural <= most;
}

static bool to_real(const struct pcdf_value *v, struct pcdf_value *to)
{
    to->is.real = pcdf_value_as_real(v);
    if (to->type == NC_FLOAT && isfinite(to->is.real)) {
        if (fabs(to->is.real) >= 0x1.ffffffp127) /* from here on, the nearest float is infinite */
            return false;
        to->is.real = (double)(float)to->is.real;
    }
    return true;
}

static bool to_integer(const struct pcdf_value *v, struct pcdf_value *to)
{
    if (!pcdf_value_is_real(v->type)) {
        to->is = v->is;
        return fits_integer(v, to->type);
    }
    if (!fits_real(v->is.real, to->type))
        return false;
    if (v->is.real < 0)
        to->is.integer = (int64_t)v->is.real;
    else
        to->is.natural = (uint64_t)v->is.real;
    return true;
}

bool pcdf_meaning_convert(nc_type from, const unsigned char *bytes, nc_type type, unsigned char to[8])
{
    struct pcdf_value made = { .type = type };

    const struct pcdf_value v = pcdf_value_load(from, bytes);
    if (from == type) { /* NaNs keep their bits */
        memcpy(to, bytes, (size_t)pcdf_type_size(type));
        return true;
    }
    if (from == NC_CHAR || type == NC_CHAR)
        return false;
    if (pcdf_value_is_real(type) ? to_real(&v, &made) : to_integer(&v, &made))
        pcdf_value_store(&made, to);
    else
        return false;
    return true;
}

bool pcdf_meaning_real(const struct pcdf_atts *atts, const char *name, int64_t i, int64_t n, double *to)
{
    const struct pcdf_att *att = pcdf_meaning_att(atts, name);

    if (!att || att->type == NC_CHAR || att->nelems != n)
        return false;
    *to = pcdf_value_load_real(att->type, att->values + i * pcdf_type_size(att->type));
    return isfinite(*to);
}
