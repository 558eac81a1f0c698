/* The numbers of CDL: digits and a suffix -> value and type. See cdltoken.h. */
#include "cdltoken.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool pcdf_cdl_is_largest(long double size, bool is_float)
{
    double largest = is_float ? (double)FLT_MAX : DBL_MAX;
    char text[40];

    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, largest);
        if ((is_float ? (long double)strtod(text, NULL) : strtold(text, NULL)) == size)
            return true;
    }
    return false;
}

/* An infinity, unless the text means the largest number. */
static double settle_infinity(const struct pcdf_token *token, const char *digits)
{
    bool is_float = token->type == NC_FLOAT, minus = digits[0] == '-';
    long double size = is_float ? (long double)strtod(digits, NULL) : strtold(digits, NULL);
    double largest = is_float ? (double)FLT_MAX : DBL_MAX;

    if (!pcdf_cdl_is_largest(minus ? -size : size, is_float))
        return token->real;
    return minus ? -largest : largest;
}

/* strtod reads the decimal point of the user's locale; CDL has a dot. */
static int read_real(struct pcdf_cdl_fault *fault, struct pcdf_token *token, char *digits)
{
    char *dot = strchr(digits, '.'), *end;
    char local[PCDF_LONGEST_NUMBER + 16];
    const char *point = localeconv()->decimal_point;
    if (dot && strlen(point) < 16 && strcmp(point, ".") != 0) {
        snprintf(local, sizeof local, "%.*s%s%s", (int)(dot - digits), digits, point, dot + 1);
        digits = local;
    }
    token->real = token->type == NC_FLOAT ? (double)strtof(digits, &end) : strtod(digits, &end);
    if (*end)
        return pcdf_cdl_fail(fault, NC_ENOTNC, token->line, token->column, "%s is not a number", digits);
    if (isinf(token->real))
        token->real = settle_infinity(token, digits);
    if (isinf(token->real))
        return pcdf_cdl_fail(fault, NC_ERANGE, token->line, token->column, "%s is too large for %s", digits,
                             token->type == NC_FLOAT ? "float" : "double");
    return NC_NOERR;
}

static int read_integer(struct pcdf_cdl_fault *fault, struct pcdf_token *token, const char *digits)
{
    token->negative = *digits == '-';
    digits += *digits == '-' || *digits == '+';
    unsigned base = 10;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        base = 16, digits += 2;
    else if (digits[0] == '0' && digits[1])
        base = 8, digits++;
    token->bits = base != 10;
    if (!*digits)
        return pcdf_cdl_fail(fault, NC_ENOTNC, token->line, token->column, "no digit follows 0x");
    for (; *digits; digits++) {
        int digit = digit_value((unsigned char)*digits);
        if (digit < 0 || (unsigned)digit >= base)
            return pcdf_cdl_fail(fault, NC_ENOTNC, token->line, token->column,
                                 "'%c' is not a digit of a number in base %u", *digits, base);
        if (__builtin_mul_overflow(token->magnitude, (uint64_t)base, &token->magnitude) ||
            __builtin_add_overflow(token->magnitude, (uint64_t)digit, &token->magnitude))
            return pcdf_cdl_fail(fault, NC_ERANGE, token->line, token->column,
                                 "the number does not fit in 64 bits");
    }
    return NC_NOERR;
}

static const struct {
    const char *suffix;
    nc_type type;
} suffixes[] = { { "b", NC_BYTE },   { "s", NC_SHORT },    { "l", NC_INT },   { "ll", NC_INT64 },
                 { "ub", NC_UBYTE }, { "us", NC_USHORT },  { "u", NC_UINT },  { "ul", NC_UINT },
                 { "f", NC_FLOAT },  { "ull", NC_UINT64 }, { "d", NC_DOUBLE } };

static nc_type suffix_type(const char *suffix)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcasecmp(suffix, suffixes[i].suffix) == 0)
            return suffixes[i].type;
    return NC_NAT;
}

/* The types that ncgen gives to integers without a suffix. */
static nc_type bare_type(const struct pcdf_token *token)
{
    uint64_t top = (uint64_t)INT32_MAX + (token->negative ? 1 : 0);
    if (token->magnitude <= top)
        return NC_INT;
    if (token->negative)
        return NC_INT64;
    return token->magnitude <= UINT32_MAX ? NC_UINT : NC_UINT64;
}

int pcdf_tokens_number(struct pcdf_cdl_fault *fault, struct pcdf_token *token, const char *text, size_t n,
                       size_t ndigits, bool real)
{
    char digits[PCDF_LONGEST_NUMBER + 1], suffix[8];

    if (n > PCDF_LONGEST_NUMBER || n - ndigits >= sizeof suffix)
        return pcdf_cdl_fail(fault, NC_ENOTNC, token->line, token->column,
                             "a number of %zu characters%s with a suffix of %zu is not one", n,
                             n > PCDF_LONGEST_NUMBER ? " or more" : "", n - ndigits);
    memcpy(digits, text, ndigits);
    digits[ndigits] = '\0';
    memcpy(suffix, text + ndigits, n - ndigits);
    suffix[n - ndigits] = '\0';
    nc_type type = *suffix ? suffix_type(suffix) : NC_NAT;
    if (*suffix && type == NC_NAT)
        return pcdf_cdl_fail(fault, NC_ENOTNC, token->line, token->column,
                             "the number %s has the unknown suffix %s", digits, suffix);
    if (real && type != NC_NAT && type != NC_FLOAT && type != NC_DOUBLE)
        return pcdf_cdl_fail(fault, NC_ENOTNC, token->line, token->column,
                             "the integer suffix %s stands behind %s", suffix, digits);
    if (real || type == NC_FLOAT || type == NC_DOUBLE) {
        token->type = type == NC_NAT ? NC_DOUBLE : type;
        return read_real(fault, token, digits);
    }
    PCDF_TRY(read_integer(fault, token, digits));
    token->type = type == NC_NAT ? bare_type(token) : type;
    return NC_NOERR;
}
