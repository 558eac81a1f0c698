/* Values beside values: see diff.h. Only runs of values whose bytes differ come here, so that what counts is
 * that it is right; a run of one type is skipped through by its bytes all the same, since most differences
 * are few. */
#include "diff.h"
#include "value.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128
    wide; /* holds every integer of 64 bits, signed or not, and a difference of two */

struct number {
    bool is_real;
    double real;
    wide whole;
};

bool pcdf_diff_bytes_tell(const struct pcdf_diff_rules *rules, nc_type a, nc_type b)
{
    return a == b && !(pcdf_value_is_real(a) && rules->nan_differs);
}

bool pcdf_diff_comparable(nc_type a, nc_type b)
{
    return (a == NC_CHAR) == (b == NC_CHAR);
}

void pcdf_diff_tally_begin(struct pcdf_diff_tally *tally)
{
    *tally = (struct pcdf_diff_tally){
        .first = -1, .most_absolute = -1, .most_relative = -1, .absolute_at = -1, .relative_at = -1
    };
}

static struct number number_of(nc_type type, const unsigned char *bytes)
{
    struct pcdf_value value = pcdf_value_load(type, bytes);
    struct number x = { .is_real = pcdf_value_is_real(type) };
    if (x.is_real)
        x.real = value.is.real;
    else
        x.whole = pcdf_value_is_unsigned(type) ? (wide)value.is.natural : (wide)value.is.integer;
    return x;
}

/* A real that is a whole number below 2^65 as such, so that it can be held against an integer exactly. */
static bool make_whole(struct number *x)
{
    if (!x->is_real)
        return true;
    if (!(fabs(x->real) < 0x1p65) || x->real != trunc(x->real))
        return false;
    x->whole = (wide)x->real;
    return true;
}

static double as_real(const struct number *x)
{
    return x->is_real ? x->real : (double)x->whole;
}

struct distance { /* of two values that are not the same number */
    double absolute, relative;
    bool has_nan, is_lone_nan;
};

/* false: the same number. */
static bool reals_apart(double x, double y, struct distance *apart)
{
    if (x == y)
        return false;
    *apart = (struct distance){ .absolute = fabs(x - y) };
    if (isnan(x) || isnan(y)) {
        apart->has_nan = true;
        apart->is_lone_nan = !(isnan(x) && isnan(y));
    } else if (isinf(x) || isinf(y)) {
        apart->relative = INFINITY;
    } else {
        apart->relative = apart->absolute / fmax(fabs(x), fabs(y));
    }
    return true;
}

static bool numbers_apart(nc_type type_a, nc_type type_b, const unsigned char *a, const unsigned char *b,
                          struct distance *apart)
{
    if (pcdf_value_is_real(type_a) && pcdf_value_is_real(type_b))
        return reals_apart(pcdf_value_load_real(type_a, a), pcdf_value_load_real(type_b, b), apart);
    struct number x = number_of(type_a, a), y = number_of(type_b, b);
    if (!make_whole(&x) || !make_whole(&y)) /* a fraction, or out of the integers' reach */
        return reals_apart(as_real(&x), as_real(&y), apart);
    if (x.whole == y.whole)
        return false;
    wide gap = x.whole > y.whole ? x.whole - y.whole : y.whole - x.whole;
    *apart = (struct distance){ .absolute = (double)gap };
    apart->relative = apart->absolute / fmax(fabs((double)x.whole), fabs((double)y.whole));
    return true;
}

/* Of two that are not the same number: is that a difference? */
static bool matters(const struct pcdf_diff_rules *rules, const struct distance *apart)
{
    if (apart->has_nan)
        return apart->is_lone_nan || rules->nan_differs;
    if (isinf(apart->relative))
        return true;
    return (!rules->has_absolute || apart->absolute > rules->absolute) &&
           (!rules->has_relative || apart->relative > rules->relative);
}

static void note(struct pcdf_diff_tally *tally, int64_t number, const struct distance *apart)
{
    tally->different++;
    tally->lone_nans += apart->is_lone_nan;
    if (apart->has_nan)
        return;
    if (apart->absolute > tally->most_absolute) {
        tally->most_absolute = apart->absolute;
        tally->absolute_at = number;
    }
    if (apart->relative > tally->most_relative) {
        tally->most_relative = apart->relative;
        tally->relative_at = number;
    }
}

/* The rules for two values whose bytes are not the same, or whose bytes do not tell. */
static bool differ(const struct pcdf_diff_rules *rules, nc_type type_a, nc_type type_b,
                   const unsigned char *a, const unsigned char *b, struct distance *apart)
{
    bool has_tolerance = rules->has_absolute || rules->has_relative;

    *apart = (struct distance){ .has_nan = false };
    if (type_a == NC_CHAR && !(rules->text_as_numbers && has_tolerance))
        return *a != *b;
    if (rules->by_bits && !has_tolerance && type_a == type_b) {
        numbers_apart(type_a, type_b, a, b, apart);
        return memcmp(a, b, (size_t)pcdf_type_size(type_a)) != 0;
    }
    return numbers_apart(type_a, type_b, a, b, apart) && matters(rules, apart);
}

/* The first of n values of one type whose bytes differ; n: none. */
static int64_t skip_equal(const unsigned char *a, const unsigned char *b, int64_t at, int64_t n, int64_t size)
{
    enum { STEP = 256 };
    while (at + STEP <= n && memcmp(a + at * size, b + at * size, (size_t)(STEP * size)) == 0)
        at += STEP;
    while (at < n && memcmp(a + at * size, b + at * size, (size_t)size) == 0)
        at++;
    return at;
}

void pcdf_diff_values(const struct pcdf_diff_rules *rules, nc_type type_a, nc_type type_b,
                      const unsigned char *a, const unsigned char *b, int64_t n, int64_t first,
                      struct pcdf_diff_tally *tally)
{
    int64_t size_a = pcdf_type_size(type_a), size_b = pcdf_type_size(type_b);
    bool bytes_tell = pcdf_diff_bytes_tell(rules, type_a, type_b);

    for (int64_t i = 0; i < n; i++) {
        struct distance apart;
        if (bytes_tell && (i = skip_equal(a, b, i, n, size_a)) == n)
            break;
        if (!differ(rules, type_a, type_b, a + i * size_a, b + i * size_b, &apart))
            continue;
        if (tally->first < 0) {
            tally->first = first + i;
            memcpy(tally->first_a, a + i * size_a, (size_t)size_a);
            memcpy(tally->first_b, b + i * size_b, (size_t)size_b);
        }
        note(tally, first + i, &apart);
    }
}

/* Equal ones: the lower number holds, so that the ranks' shares do not show. */
static bool is_more(double x, int64_t x_at, double than, int64_t than_at)
{
    return x > than || (x == than && x_at < than_at);
}

void pcdf_diff_merge(struct pcdf_diff_tally *into, const struct pcdf_diff_tally *from)
{
    into->n += from->n;
    into->different += from->different;
    into->lone_nans += from->lone_nans;
    if (from->first >= 0 && (into->first < 0 || from->first < into->first)) {
        into->first = from->first;
        memcpy(into->first_a, from->first_a, sizeof into->first_a);
        memcpy(into->first_b, from->first_b, sizeof into->first_b);
    }
    if (is_more(from->most_absolute, from->absolute_at, into->most_absolute, into->absolute_at)) {
        into->most_absolute = from->most_absolute;
        into->absolute_at = from->absolute_at;
    }
    if (is_more(from->most_relative, from->relative_at, into->most_relative, into->relative_at)) {
        into->most_relative = from->most_relative;
        into->relative_at = from->relative_at;
    }
}
