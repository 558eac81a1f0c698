/* The text of values: see cdlvalue.h. */
#include "cdlvalue.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    HAS_WIDE = LDBL_MANT_DIG >= 64,
    EXACT_POWER = HAS_WIDE ? 27 : 22, /* the largest power of ten that a long double holds exactly */
    FAST_DIGITS = HAS_WIDE ? 15 : 7   /* whose rounding can be decided from a product of long doubles */
};
static const long double powers[] = { 1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                      1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                      1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L };
static const uint64_t whole_powers[] = { 1,
                                         10,
                                         100,
                                         1000,
                                         10000,
                                         100000,
                                         1000000,
                                         10000000,
                                         100000000,
                                         1000000000,
                                         UINT64_C(10000000000),
                                         UINT64_C(100000000000),
                                         UINT64_C(1000000000000),
                                         UINT64_C(10000000000000),
                                         UINT64_C(100000000000000),
                                         UINT64_C(1000000000000000) };

static bool floats_equal(float value, float fill)
{
    if ((value > 0) != (fill > 0))
        return false;
    if (isfinite(value) && isfinite(fill))
        return fabsf(value - fill) <= fabsf(FLT_EPSILON * fill);
    return (isnan(value) && isnan(fill)) || value == fill;
}

static bool doubles_equal(double value, double fill)
{
    if ((value > 0) != (fill > 0))
        return false;
    if (isfinite(value) && isfinite(fill))
        return fabs(value - fill) <= fabs(DBL_EPSILON * fill);
    return (isnan(value) && isnan(fill)) || value == fill;
}

bool pcdf_value_equals(const struct pcdf_value *value, const struct pcdf_value *fill)
{
    if (value->type == NC_FLOAT)
        return floats_equal((float)value->is.real, (float)fill->is.real);
    if (value->type == NC_DOUBLE)
        return doubles_equal(value->is.real, fill->is.real);
    return value->is.natural == fill->is.natural;
}

/* --- integers ---------------------------------------------------------------------------------------------
 */

size_t pcdf_value_natural(char *to, uint64_t value)
{
    static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637"
                                "3839404142434445464748495051525354555657585960616263646566676869707172737475"
                                "767778798081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof digits;

    while (value >= 10) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value > 0 || at == sizeof digits)
        digits[--at] = (char)('0' + value);
    at += digits[at] == '0' && at + 1 < sizeof digits; /* of a pair below ten */
    memcpy(to, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

size_t pcdf_value_integer(char *to, int64_t value)
{
    if (value >= 0)
        return pcdf_value_natural(to, (uint64_t)value);
    *to = '-';
    return 1 + pcdf_value_natural(to + 1, 0 - (uint64_t)value);
}

/* --- reals ------------------------------------------------------------------------------------------------
 */

/* The leading `digits` decimal digits of size > 0, rounded, and the exponent of the first. false: it cannot
 * be told from a product that is exact but for its last bits. */
static bool leading_digits(double size, int digits, uint64_t *leading, int *exponent)
{
    int binary;

    if (digits > FAST_DIGITS)
        return false;
    frexp(size, &binary);
    int decimal = (int)floor((binary - 1) * 0.30102999566398120);
    for (int tries = 0; tries < 2; tries++, decimal++) {
        int up = digits - 1 - decimal;
        if (up > EXACT_POWER || up < -EXACT_POWER)
            return false;
        long double scaled = up >= 0 ? size * powers[up] : size / powers[-up];
        uint64_t n = (uint64_t)(int64_t)scaled;
        if (n >= whole_powers[digits])
            continue; /* the exponent is one more than two's says */
        double rest = (double)(scaled - (long double)n);
        if (fabs(rest - 0.5) < 1.0 / 1024)
            return false;
        n += rest > 0.5;
        *exponent = decimal + (n == whole_powers[digits]);
        *leading = n == whole_powers[digits] ? n / 10 : n;
        return n >= whole_powers[digits - 1];
    }
    return false;
}

static size_t put_exponent(char *to, int exponent)
{
    int size = exponent < 0 ? -exponent : exponent;
    size_t n = 2;

    to[0] = 'e';
    to[1] = exponent < 0 ? '-' : '+';
    if (size < 10)
        to[n++] = '0';
    return n + pcdf_value_natural(to + n, (uint64_t)size);
}

/* n digits, the first of weight 10^exponent, as %g lays them out. */
static size_t lay_out(char *to, const char *text, size_t n, int exponent, int digits)
{
    size_t at = 0;

    if (exponent < -4 || exponent >= digits) {
        to[at++] = text[0];
        if (n > 1) {
            to[at++] = '.';
            memcpy(to + at, text + 1, n - 1);
            at += n - 1;
        }
        return at + put_exponent(to + at, exponent);
    }
    if (exponent < 0) {
        memcpy(to, "0.00000", 7);
        at = (size_t)(1 - exponent);
        memcpy(to + at, text, n);
        return at + n;
    }
    size_t before = (size_t)exponent + 1;
    if (n <= before) {
        memcpy(to, text, n);
        memset(to + n, '0', before - n);
        return before;
    }
    memcpy(to, text, before);
    to[before] = '.';
    memcpy(to + before + 1, text + before, n - before);
    return n + 1;
}

size_t pcdf_value_real(char *to, double value, int digits)
{
    uint64_t leading;
    int exponent;
    size_t sign = signbit(value) != 0;

    if (value == 0) {
        memcpy(to, sign ? "-0" : "0", 1 + sign);
        return 1 + sign;
    }
    if (!leading_digits(fabs(value), digits, &leading, &exponent))
        return (size_t)snprintf(to, PCDF_VALUE_ROOM, "%.*g", digits, value);
    char text[24];
    size_t n = pcdf_value_natural(text, leading);
    while (text[n - 1] == '0')
        n--;
    to[0] = '-';
    return sign + lay_out(to + sign, text, n, exponent, digits);
}

/* --- as CDL has them --------------------------------------------------------------------------------------
 */

static size_t copy_word(char *to, const char *word)
{
    size_t n = strlen(word);
    memcpy(to, word, n);
    return n;
}

static size_t special_real(char *to, const struct pcdf_value *v)
{
    size_t n = copy_word(to, isnan(v->is.real) ? "NaN" : v->is.real < 0 ? "-Infinity" : "Infinity");
    if (v->type == NC_FLOAT)
        to[n++] = 'f';
    return n;
}

size_t pcdf_value_text(char *to, const struct pcdf_value *v, int digits)
{
    if (pcdf_value_is_real(v->type))
        return isfinite(v->is.real) ? pcdf_value_real(to, v->is.real, digits) : special_real(to, v);
    return pcdf_value_is_unsigned(v->type) ? pcdf_value_natural(to, v->is.natural)
                                           : pcdf_value_integer(to, v->is.integer);
}

/* A real has a point, so that it is one. */
static size_t with_point(char *text, size_t n)
{
    size_t at = 0;

    while (at < n && text[at] != 'e' && text[at] != '.')
        at++;
    if (at < n && text[at] == '.')
        return n;
    memmove(text + at + 1, text + at, n - at);
    text[at] = '.';
    return n + 1;
}

size_t pcdf_value_typed(char *to, const struct pcdf_value *v, int digits)
{
    static const struct {
        nc_type type;
        const char *suffix;
    } suffixes[] = { { NC_BYTE, "b" }, { NC_SHORT, "s" },  { NC_UBYTE, "UB" },   { NC_USHORT, "US" },
                     { NC_UINT, "U" }, { NC_INT64, "LL" }, { NC_UINT64, "ULL" }, { NC_FLOAT, "f" } };
    size_t n = pcdf_value_text(to, v, digits);

    if (pcdf_value_is_real(v->type) && !isfinite(v->is.real))
        return n;
    if (pcdf_value_is_real(v->type))
        n = with_point(to, n);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (suffixes[i].type == v->type)
            n += copy_word(to + n, suffixes[i].suffix);
    return n;
}

/* --- C_format ---------------------------------------------------------------------------------------------
 */

/* The only conversion of a format: where it begins and its letter; NULL when there is none, or another. */
static const char *conversion(const char *format, size_t *flags, size_t *sizes, char *letter)
{
    const char *found = NULL;

    for (const char *c = format; *c; c++) {
        if (*c != '%')
            continue;
        if (c[1] == '%') {
            c++;
            continue;
        }
        if (found)
            return NULL;
        found = c;
        *flags = strspn(c + 1, "-+ #0123456789.");
        *sizes = strspn(c + 1 + *flags, "hlqjzL");
        c += 1 + *flags + *sizes;
        *letter = *c;
        if (!*c)
            return NULL;
    }
    return found;
}

bool pcdf_value_format_fits(const char *format, nc_type type)
{
    size_t flags = 0, sizes = 0;
    char letter = 0;
    const char *at = strlen(format) <= 64 ? conversion(format, &flags, &sizes, &letter) : NULL;

    if (!at || strchr(pcdf_value_is_real(type) ? "eEfFgGaA" : "dioxXu", letter) == NULL)
        return false;
    const char *width = at + 1 + strspn(at + 1, "-+ #0");
    size_t digits = strspn(width, "0123456789"), point = width[digits] == '.';
    size_t precision = strspn(width + digits + point, "0123456789");
    return digits <= 2 && precision <= 2 && width + digits + point + precision == at + 1 + flags;
}

size_t pcdf_value_formatted(char *to, const struct pcdf_value *v, const char *format)
{
    size_t flags = 0, sizes = 0;
    char letter = 0, own[128];
    const char *at = conversion(format, &flags, &sizes, &letter);
    bool is_real = pcdf_value_is_real(v->type), is_wide = v->type == NC_INT64 || v->type == NC_UINT64;

    if (!at)
        return 0; /* pcdf_value_format_fits was not asked */
    snprintf(own, sizeof own, "%.*s%s%c%s", (int)(at - format + 1 + (ptrdiff_t)flags), format,
             is_wide ? "ll" : "", letter, at + 1 + flags + sizes + 1);
    int n = is_real   ? snprintf(to, PCDF_VALUE_ROOM, own, v->is.real)
            : is_wide ? snprintf(to, PCDF_VALUE_ROOM, own, (long long)v->is.integer)
                      : snprintf(to, PCDF_VALUE_ROOM, own, (int)v->is.integer);
    return n > 0 && n < PCDF_VALUE_ROOM ? (size_t)n : 0;
}
