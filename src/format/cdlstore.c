/* Constants of CDL in external form, and how the parsers say what is wrong: see cdlparser.h. */
#include "cdlparser.h"
#include "value.h"

#include <float.h>
#include <math.h>
#include <string.h>

int pcdf_cdl_fail_at(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int code, const char *sentence)
{
    return pcdf_cdl_fail(p->fault, code, t->line, t->column, "%s", sentence);
}

int pcdf_cdl_placed(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int code)
{
    if (code == NC_NOERR || p->fault->code != NC_NOERR)
        return code;
    char sentence[sizeof p->fault->text];
    const char *kept = pcdf_fail_text();
    const char *known = pcdf_error_sentence(code);
    size_t n = strnlen(*kept ? kept : known ? known : "", sizeof sentence - 1);
    memcpy(sentence, *kept ? kept : known ? known : "", n);
    sentence[n] = '\0';
    return pcdf_cdl_fail_at(p, t, code, sentence);
}

int pcdf_cdl_unexpected(struct pcdf_cdl_parser *p, const struct pcdf_token *t, const char *wanted)
{
    if (t->kind == PCDF_TOKEN_END)
        return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "the text ends where %s should be",
                             wanted);
    if (t->kind == PCDF_TOKEN_MARK)
        return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "'%c' stands where %s should be",
                             t->mark, wanted);
    if (t->kind == PCDF_TOKEN_NUMBER)
        return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "a number stands where %s should be",
                             wanted);
    return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "\"%.60s\" stands where %s should be",
                         p->ts.word.x, wanted);
}

static int store_real(struct pcdf_cdl_parser *p, const struct pcdf_token *t, nc_type type, double value,
                      unsigned char *to)
{
    struct pcdf_value v = { .type = type, .is.real = value };
    bool too_large = type == NC_FLOAT && isinf((float)value) && !isinf(value);

    if (too_large && !pcdf_cdl_is_largest(fabsl((long double)value), true))
        return pcdf_cdl_fail_at(p, t, NC_ERANGE, "the value is too large for float");
    if (too_large)
        v.is.real = (double)(value < 0 ? -FLT_MAX : FLT_MAX);
    pcdf_value_store(&v, to);
    return NC_NOERR;
}

/* Largest magnitudes of an integer type. `bits`: written in hexadecimal or octal, all bits may be used; so
 * they may in NC_BYTE, which people write as 255 too. */
static bool integer_fits(nc_type type, bool negative, bool bits, uint64_t magnitude)
{
    int width = 8 * pcdf_type_size(type);
    bool is_signed = type == NC_BYTE || type == NC_SHORT || type == NC_INT || type == NC_INT64;
    uint64_t all = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    if (negative)
        return is_signed ? magnitude <= all / 2 + 1 : magnitude == 0;
    return magnitude <= (is_signed && !bits && type != NC_BYTE ? all / 2 : all);
}

static int store_integer(struct pcdf_cdl_parser *p, const struct pcdf_token *t, nc_type type,
                         unsigned char *to)
{
    bool negative = t->negative, is_real = pcdf_value_is_real(t->type);
    uint64_t magnitude = t->magnitude;
    if (is_real) { /* cut towards zero, as ncgen does */
        double size = fabs(t->real);
        negative = t->real < 0;
        if (!(size < 0x1p64))
            return pcdf_cdl_fail_at(p, t, NC_ERANGE, "the value is not an integer of 64 bits");
        magnitude = (uint64_t)size;
    }
    if (!integer_fits(type, negative, t->bits, magnitude))
        return pcdf_cdl_fail(p->fault, NC_ERANGE, t->line, t->column, "%s%llu does not fit in %s",
                             negative ? "-" : "", (unsigned long long)magnitude, pcdf_type_cdl(type));
    pcdf_value_store(&(struct pcdf_value){ .type = type, .is.natural = negative ? 0 - magnitude : magnitude },
                     to);
    return NC_NOERR;
}

int pcdf_cdl_store(struct pcdf_cdl_parser *p, const struct pcdf_token *t, unsigned char byte, nc_type type,
                   unsigned char *to)
{
    struct pcdf_token one = *t;
    if (t->kind == PCDF_TOKEN_STRING)
        return pcdf_cdl_fail_at(p, t, NC_ECHAR, "a string stands among numbers");
    if (t->kind == PCDF_TOKEN_CHAR) {
        one.type = NC_BYTE;
        one.magnitude = byte;
    }
    if (!pcdf_value_is_real(type))
        return store_integer(p, &one, type, to);
    bool is_real = pcdf_value_is_real(one.type);
    double value = is_real ? one.real : one.negative ? -(double)one.magnitude : (double)one.magnitude;
    return store_real(p, &one, type, value, to);
}
