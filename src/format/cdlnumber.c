/* The numbers of CDL: digits and a suffix -> value and type -> external form. See cdltoken.h. */
#include "cdltoken.h"
#include "value.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* *real became an infinity because `exact` is too large for float, or double. The largest number of the type
 * may have been rounded up to some digits when it was printed: it is meant then. */
static bool means_largest(long double exact, bool is_float, double *real)
{
    double largest = is_float ? (double)FLT_MAX : DBL_MAX;
    char text[40];

    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, largest);
        if ((is_float ? (long double)strtod(text, NULL) : strtold(text, NULL)) == fabsl(exact)) {
            *real = exact < 0 ? -largest : largest;
            return true;
        }
    }
    return false;
}

/* strtod reads the decimal point of the user's locale; CDL has a dot. */
static int read_real(struct pcdf_cdl_fault *fault, struct pcdf_token *token, const char *digits)
{
    const char *dot = strchr(digits, '.'), *point = localeconv()->decimal_point;
    char local[PCDF_LONGEST_NUMBER + 16], *end;
    bool is_float = token->type == NC_FLOAT;

    if (dot && strlen(point) < 16 && strcmp(point, ".") != 0) {
        snprintf(local, sizeof local, "%.*s%s%s", (int)(dot - digits), digits, point, dot + 1);
        digits = local;
    }
    token->real = is_float ? (double)strtof(digits, &end) : strtod(digits, &end);
    if (*end)
        return pcdf_cdl_fail(fault, token->place, NC_ENOTNC, "%s is not a number", digits);
    if (isinf(token->real) &&
        !means_largest(is_float ? (long double)strtod(digits, NULL) : strtold(digits, NULL), is_float,
                       &token->real))
        return pcdf_cdl_fail(fault, token->place, NC_ERANGE, "%s is too large for %s", digits,
                             is_float ? "float" : "double");
    return NC_NOERR;
}

static int read_integer(struct pcdf_cdl_fault *fault, struct pcdf_token *token, const char *digits)
{
    int base = 10;

    token->negative = *digits == '-';
    digits += *digits == '-' || *digits == '+';
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        base = 16, digits += 2;
    else if (digits[0] == '0' && digits[1])
        base = 8, digits++;
    token->bits = base != 10;
    if (!*digits)
        return pcdf_cdl_fail(fault, token->place, NC_ENOTNC, "no digit follows 0x");
    for (; *digits; digits++) {
        int digit = pcdf_cdl_digit((unsigned char)*digits, base);
        if (digit < 0)
            return pcdf_cdl_fail(fault, token->place, NC_ENOTNC, "'%c' is not a digit of a number in base %d",
                                 *digits, base);
        if (__builtin_mul_overflow(token->magnitude, (uint64_t)base, &token->magnitude) ||
            __builtin_add_overflow(token->magnitude, (uint64_t)digit, &token->magnitude))
            return pcdf_cdl_fail(fault, token->place, NC_ERANGE, "the number does not fit in 64 bits");
    }
    if (token->type != NC_NAT)
        return NC_NOERR;
    /* The types that ncgen gives to integers without a suffix. */
    if (token->magnitude <= (uint64_t)INT32_MAX + token->negative)
        token->type = NC_INT;
    else if (token->negative)
        token->type = NC_INT64;
    else
        token->type = token->magnitude <= UINT32_MAX ? NC_UINT : NC_UINT64;
    return NC_NOERR;
}

int pcdf_cdl_number(struct pcdf_cdl_fault *fault, struct pcdf_token *token, char *text)
{
    static const struct {
        const char *suffix;
        nc_type type;
    } suffixes[] = { { "", NC_NAT },     { "b", NC_BYTE },   { "s", NC_SHORT },    { "l", NC_INT },
                     { "ll", NC_INT64 }, { "ub", NC_UBYTE }, { "us", NC_USHORT },  { "u", NC_UINT },
                     { "ul", NC_UINT },  { "f", NC_FLOAT },  { "ull", NC_UINT64 }, { "d", NC_DOUBLE } };
    size_t at = *text == '-' || *text == '+', row = 0, most = sizeof suffixes / sizeof *suffixes;
    bool is_real = false;
    char suffix[8];

    /* Up to the suffix. */
    if (text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
        for (at += 2; pcdf_cdl_digit(text[at], 16) >= 0; at++)
            ;
    } else {
        for (; pcdf_cdl_digit(text[at], 10) >= 0 || text[at] == '.'; at++)
            is_real = is_real || text[at] == '.';
        if (text[at] == 'e' || text[at] == 'E') {
            size_t e = at + 1 + (text[at + 1] == '-' || text[at + 1] == '+');
            is_real = is_real || pcdf_cdl_digit(text[e], 10) >= 0;
            for (; pcdf_cdl_digit(text[e], 10) >= 0; e++)
                at = e + 1;
        }
    }
    for (token->length = at; pcdf_cdl_digit(text[token->length], 36) >= 0;)
        token->length++;

    size_t n = token->length - at;
    if (token->length > PCDF_LONGEST_NUMBER || n >= sizeof suffix)
        return pcdf_cdl_fail(fault, token->place, NC_ENOTNC,
                             "a number of %zu characters%s with a suffix of %zu is not one", token->length,
                             token->length > PCDF_LONGEST_NUMBER ? " or more" : "", n);
    memcpy(suffix, text + at, n);
    suffix[n] = text[at] = '\0';
    while (row < most && strcasecmp(suffix, suffixes[row].suffix) != 0)
        row++;
    if (row == most)
        return pcdf_cdl_fail(fault, token->place, NC_ENOTNC, "the number %s has the unknown suffix %s", text,
                             suffix);
    token->type = is_real && row == 0 ? NC_DOUBLE : suffixes[row].type;
    if (pcdf_value_is_real(token->type))
        return read_real(fault, token, text);
    if (is_real)
        return pcdf_cdl_fail(fault, token->place, NC_ENOTNC, "the integer suffix %s stands behind %s", suffix,
                             text);
    return read_integer(fault, token, text);
}

static int store_integer(struct pcdf_cdl_fault *fault, const struct pcdf_token *t, nc_type type,
                         unsigned char *to)
{
    bool negative = t->negative;
    uint64_t magnitude = t->magnitude;
    if (pcdf_value_is_real(t->type)) { /* cut towards zero, as ncgen does */
        double size = fabs(t->real);
        negative = t->real < 0;
        if (!(size < 0x1p64))
            return pcdf_cdl_fail(fault, t->place, NC_ERANGE, "the value is not an integer of 64 bits");
        magnitude = (uint64_t)size;
    }

    /* What is written in hexadecimal or octal may use all bits of a signed type; so may an NC_BYTE, which
     * people write as 255 too. */
    uint64_t all = UINT64_MAX >> (64 - 8 * pcdf_type_size(type)), most = all;
    bool is_unsigned = pcdf_value_is_unsigned(type);
    if (negative)
        most = is_unsigned ? 0 : all / 2 + 1;
    else if (!is_unsigned && !t->bits && type != NC_BYTE)
        most = all / 2;
    if (magnitude > most)
        return pcdf_cdl_fail(fault, t->place, NC_ERANGE, "%s%llu does not fit in %s", negative ? "-" : "",
                             (unsigned long long)magnitude, pcdf_type_cdl(type));
    pcdf_value_store(&(struct pcdf_value){ .type = type, .is.natural = negative ? 0 - magnitude : magnitude },
                     to);
    return NC_NOERR;
}

int pcdf_cdl_store(struct pcdf_cdl_fault *fault, const struct pcdf_token *t, nc_type type, unsigned char *to)
{
    struct pcdf_value v = { .type = type, .is.real = t->real };
    if (t->kind == PCDF_TOKEN_STRING)
        return pcdf_cdl_fail(fault, t->place, NC_ECHAR, "a string stands among numbers");
    if (!pcdf_value_is_real(type))
        return store_integer(fault, t, type, to);
    if (!pcdf_value_is_real(t->type))
        v.is.real = t->negative ? -(double)t->magnitude : (double)t->magnitude;
    if (type == NC_FLOAT && isinf((float)v.is.real) && !isinf(v.is.real) &&
        !means_largest((long double)v.is.real, true, &v.is.real))
        return pcdf_cdl_fail(fault, t->place, NC_ERANGE, "the value is too large for float");
    pcdf_value_store(&v, to);
    return NC_NOERR;
}
