#include "cdltoken.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { END_OF_TEXT = -1, LONGEST_NUMBER = 400 };

int pcdf_cdl_fail(struct pcdf_cdl_fault *fault, int code, int line, int column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    fault->code = code;
    fault->line = line;
    fault->column = column;
    return pcdf_fail(code, "line %d, column %d: %s", line, column, fault->text);
}

void pcdf_tokens_init(struct pcdf_tokens *ts, const char *text, size_t n, struct pcdf_cdl_fault *fault)
{
    *ts = (struct pcdf_tokens){ .text = text, .n = n, .line = 1, .column = 1, .fault = fault };
}

void pcdf_tokens_free(struct pcdf_tokens *ts)
{
    pcdf_free(ts->word.x);
    ts->word.x = NULL;
    ts->word.n = ts->word.room = 0;
}

static int peek_at(const struct pcdf_tokens *ts, size_t ahead)
{
    return ahead < ts->n - ts->at ? (unsigned char)ts->text[ts->at + ahead] : END_OF_TEXT;
}

static int peek(const struct pcdf_tokens *ts)
{
    return peek_at(ts, 0);
}

static void advance(struct pcdf_tokens *ts)
{
    if (ts->text[ts->at] == '\n') {
        ts->line += ts->line < INT_MAX;
        ts->column = 1;
    } else {
        ts->column += ts->column < INT_MAX;
    }
    ts->at++;
}

static bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}
static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int hex_digit(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int word_add(struct pcdf_tokens *ts, int c)
{
    PCDF_TRY(PCDF_RESERVE(&ts->word, ts->word.n + 2));
    ts->word.x[ts->word.n++] = (char)c;
    ts->word.x[ts->word.n] = '\0';
    return NC_NOERR;
}

/* "file format: CDF-5 (big variables)" and "(25 currently)" are comments to ncgen; ncdump tells facts in
 * them. */
static void heed_comment(struct pcdf_tokens *ts, const char *comment, size_t n, int line)
{
    static const char lead[] = "file format: CDF-";
    while (n > 0 && is_space((unsigned char)*comment))
        comment++, n--;
    if (n > sizeof lead - 1 && memcmp(comment, lead, sizeof lead - 1) == 0 && ts->version == 0) {
        int digit = comment[sizeof lead - 1] - '0';
        bool alone = n == sizeof lead || !is_digit((unsigned char)comment[sizeof lead]);
        if (alone && (digit == 1 || digit == 2 || digit == 5))
            ts->version = digit;
        return;
    }
    if (line != ts->record_line || n < 2 || comment[0] != '(')
        return;
    int64_t records = 0;
    size_t i = 1;
    for (; i < n && is_digit((unsigned char)comment[i]); i++)
        if (__builtin_mul_overflow(records, 10, &records) ||
            __builtin_add_overflow(records, comment[i] - '0', &records))
            return;
    static const char tail[] = " currently)";
    if (i > 1 && n - i >= sizeof tail - 1 && memcmp(comment + i, tail, sizeof tail - 1) == 0)
        ts->numrecs = records;
}

static void skip_blank(struct pcdf_tokens *ts)
{
    for (;;) {
        if (is_space(peek(ts))) {
            advance(ts);
        } else if (peek(ts) == '/' && peek_at(ts, 1) == '/') {
            advance(ts);
            advance(ts);
            const char *comment = ts->text + ts->at;
            int line = ts->line;
            while (peek(ts) != END_OF_TEXT && peek(ts) != '\n')
                advance(ts);
            heed_comment(ts, comment, (size_t)(ts->text + ts->at - comment), line);
        } else {
            return;
        }
    }
}

static bool starts_name(int c)
{
    return is_letter(c) || c == '_' || c == '\\' || c >= 0x80;
}

static bool continues_name(int c)
{
    return starts_name(c) || is_digit(c) || (c > 0 && strchr(".@+-", c) != NULL);
}

static int scan_name(struct pcdf_tokens *ts, struct pcdf_token *token)
{
    token->kind = PCDF_TOKEN_NAME;
    while (continues_name(peek(ts))) {
        int c = peek(ts);
        if (c == '\\') {
            token->escaped = true;
            advance(ts);
            c = peek(ts);
            if (c == END_OF_TEXT || c == '\n' || c == 0)
                return pcdf_cdl_fail(ts->fault, NC_ENOTNC, ts->line, ts->column,
                                     "a name ends in a backslash with nothing to escape");
        }
        PCDF_TRY(word_add(ts, c));
        advance(ts);
    }
    token->length = ts->word.n;
    return NC_NOERR;
}

static int scan_octal(struct pcdf_tokens *ts, int *value)
{
    *value = 0;
    for (int i = 0; i < 3 && peek(ts) >= '0' && peek(ts) <= '7'; i++) {
        *value = *value * 8 + peek(ts) - '0';
        advance(ts);
    }
    if (*value > 255)
        return pcdf_cdl_fail(ts->fault, NC_ERANGE, ts->line, ts->column,
                             "the octal escape \\%o is above \\377", (unsigned)*value);
    return NC_NOERR;
}

static int scan_hex_escape(struct pcdf_tokens *ts, int *value)
{
    advance(ts); /* the x */
    if (hex_digit(peek(ts)) < 0)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, ts->line, ts->column,
                             "\\x is not followed by a hexadecimal digit");
    *value = hex_digit(peek(ts));
    advance(ts);
    if (hex_digit(peek(ts)) >= 0) {
        *value = *value * 16 + hex_digit(peek(ts));
        advance(ts);
    }
    return NC_NOERR;
}

/* One character of a string or character constant; *value is -1 for a line end that a backslash takes away.
 */
static int scan_escaped(struct pcdf_tokens *ts, int *value)
{
    static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    *value = peek(ts);
    if (*value != '\\') {
        advance(ts);
        return NC_NOERR;
    }
    advance(ts);
    int c = peek(ts);
    if (c == 'x' || c == 'X')
        return scan_hex_escape(ts, value);
    if (c >= '0' && c <= '7')
        return scan_octal(ts, value);
    if (c == END_OF_TEXT)
        return NC_NOERR; /* the caller finds the end of the text */
    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    *value = letter ? values[letter - letters] : c == '\n' ? -1 : c;
    advance(ts);
    return NC_NOERR;
}

static int scan_quoted(struct pcdf_tokens *ts, struct pcdf_token *token, int quote)
{
    token->kind = quote == '"' ? PCDF_TOKEN_STRING : PCDF_TOKEN_CHAR;
    advance(ts);
    while (peek(ts) != quote) {
        int value;
        if (peek(ts) == END_OF_TEXT || (quote == '\'' && peek(ts) == '\n'))
            return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column,
                                 "the %s that begins here has no closing quote",
                                 quote == '"' ? "string" : "character constant");
        PCDF_TRY(scan_escaped(ts, &value));
        if (value >= 0)
            PCDF_TRY(word_add(ts, value));
    }
    advance(ts);
    token->length = ts->word.n;
    if (quote == '\'' && token->length != 1)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column,
                             "a character constant holds one byte, not %zu", token->length);
    return NC_NOERR;
}

/* strtod reads the decimal point of the user's locale; CDL has a dot. */
static int read_real(struct pcdf_tokens *ts, struct pcdf_token *token, char *digits)
{
    char *dot = strchr(digits, '.'), *end;
    char local[LONGEST_NUMBER + 16];
    const char *point = localeconv()->decimal_point;
    if (dot && strlen(point) < 16 && strcmp(point, ".") != 0) {
        snprintf(local, sizeof local, "%.*s%s%s", (int)(dot - digits), digits, point, dot + 1);
        digits = local;
    }
    token->real = token->type == NC_FLOAT ? (double)strtof(digits, &end) : strtod(digits, &end);
    if (*end)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column, "%s is not a number", digits);
    if (isinf(token->real))
        return pcdf_cdl_fail(ts->fault, NC_ERANGE, token->line, token->column, "%s is too large for %s",
                             digits, token->type == NC_FLOAT ? "float" : "double");
    return NC_NOERR;
}

static int read_integer(struct pcdf_tokens *ts, struct pcdf_token *token, const char *digits)
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
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column, "no digit follows 0x");
    for (; *digits; digits++) {
        int digit = hex_digit((unsigned char)*digits);
        if (digit < 0 || (unsigned)digit >= base)
            return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column,
                                 "'%c' is not a digit of a number in base %u", *digits, base);
        if (__builtin_mul_overflow(token->magnitude, (uint64_t)base, &token->magnitude) ||
            __builtin_add_overflow(token->magnitude, (uint64_t)digit, &token->magnitude))
            return pcdf_cdl_fail(ts->fault, NC_ERANGE, token->line, token->column,
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

/* How far a number reaches from here; *digits: where its suffix begins; *real: it has a point or an exponent.
 */
static size_t measure_number(const struct pcdf_tokens *ts, size_t *digits, bool *real)
{
    size_t i = peek(ts) == '-' || peek(ts) == '+';
    *real = false;
    if (peek_at(ts, i) == '0' && (peek_at(ts, i + 1) == 'x' || peek_at(ts, i + 1) == 'X')) {
        for (i += 2; hex_digit(peek_at(ts, i)) >= 0; i++)
            ;
    } else {
        for (; is_digit(peek_at(ts, i)) || peek_at(ts, i) == '.'; i++)
            *real = *real || peek_at(ts, i) == '.';
        size_t e = i + 1;
        if (peek_at(ts, i) == 'e' || peek_at(ts, i) == 'E') {
            e += peek_at(ts, e) == '-' || peek_at(ts, e) == '+';
            if (is_digit(peek_at(ts, e))) {
                *real = true;
                for (i = e; is_digit(peek_at(ts, i)); i++)
                    ;
            }
        }
    }
    *digits = i;
    while (is_letter(peek_at(ts, i)) || is_digit(peek_at(ts, i)))
        i++;
    return i;
}

static int scan_number(struct pcdf_tokens *ts, struct pcdf_token *token)
{
    bool real;
    size_t ndigits, n = measure_number(ts, &ndigits, &real);
    char digits[LONGEST_NUMBER + 1], suffix[8];
    token->kind = PCDF_TOKEN_NUMBER;
    if (n > LONGEST_NUMBER || n - ndigits >= sizeof suffix)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column,
                             "a number of %zu characters with a suffix of %zu is not one", n, n - ndigits);
    memcpy(digits, ts->text + ts->at, ndigits);
    digits[ndigits] = '\0';
    memcpy(suffix, ts->text + ts->at + ndigits, n - ndigits);
    suffix[n - ndigits] = '\0';
    for (size_t i = 0; i < n; i++)
        advance(ts);
    nc_type type = suffix_type(suffix);
    if (*suffix && type == NC_NAT)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column,
                             "the number %s has the unknown suffix %s", digits, suffix);
    if (real && type != NC_NAT && type != NC_FLOAT && type != NC_DOUBLE)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column,
                             "the integer suffix %s stands behind %s", suffix, digits);
    if (real || type == NC_FLOAT || type == NC_DOUBLE) {
        token->type = type == NC_NAT ? NC_DOUBLE : type;
        return read_real(ts, token, digits);
    }
    PCDF_TRY(read_integer(ts, token, digits));
    token->type = type == NC_NAT ? bare_type(token) : type;
    return NC_NOERR;
}

/* NaN, NaNf, Infinity, Inff ... in any case, with a sign or not; false: something else stands here. */
static bool scan_special(struct pcdf_tokens *ts, struct pcdf_token *token)
{
    static const struct {
        const char *word;
        double value;
        nc_type type;
    } words[] = {
        { "nan", (double)NAN, NC_DOUBLE },           { "nanf", (double)NAN, NC_FLOAT },
        { "infinity", (double)INFINITY, NC_DOUBLE }, { "infinityf", (double)INFINITY, NC_FLOAT },
        { "inf", (double)INFINITY, NC_DOUBLE },      { "inff", (double)INFINITY, NC_FLOAT },
    };
    size_t sign = peek(ts) == '-' || peek(ts) == '+', n = 0;
    while (continues_name(peek_at(ts, sign + n)) && n < 16)
        n++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) != n || strncasecmp(words[i].word, ts->text + ts->at + sign, n) != 0)
            continue;
        token->kind = PCDF_TOKEN_NUMBER;
        token->type = words[i].type;
        token->real = peek(ts) == '-' ? -words[i].value : words[i].value;
        for (n += sign; n > 0; n--)
            advance(ts);
        return true;
    }
    return false;
}

static bool starts_number(const struct pcdf_tokens *ts)
{
    size_t i = peek(ts) == '-' || peek(ts) == '+';
    i += peek_at(ts, i) == '.';
    return is_digit(peek_at(ts, i));
}

int pcdf_tokens_next(struct pcdf_tokens *ts, bool values, struct pcdf_token *token)
{
    skip_blank(ts);
    int c = peek(ts);
    *token = (struct pcdf_token){ .kind = PCDF_TOKEN_END, .line = ts->line, .column = ts->column };
    ts->word.n = 0;
    if (c == END_OF_TEXT)
        return NC_NOERR;
    if (c > 0 && strchr("{}():;,=", c)) {
        token->kind = PCDF_TOKEN_MARK;
        token->mark = (char)c;
        advance(ts);
        return NC_NOERR;
    }
    if (c == '"' || c == '\'') {
        PCDF_TRY(PCDF_RESERVE(&ts->word, 1)); /* "" has a word too */
        ts->word.x[0] = '\0';
        return scan_quoted(ts, token, c);
    }
    if (values && scan_special(ts, token))
        return NC_NOERR;
    if (starts_number(ts))
        return scan_number(ts, token);
    if (starts_name(c))
        return scan_name(ts, token);
    if (c > ' ' && c < 0x7f)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, ts->line, ts->column, "'%c' has no meaning here", c);
    return pcdf_cdl_fail(ts->fault, NC_ENOTNC, ts->line, ts->column, "the byte 0x%02x has no meaning here",
                         (unsigned)c);
}

int pcdf_tokens_peek(struct pcdf_tokens *ts)
{
    skip_blank(ts);
    return peek(ts);
}

void pcdf_tokens_return(struct pcdf_tokens *ts, const struct pcdf_tokens *before)
{
    ts->at = before->at;
    ts->line = before->line;
    ts->column = before->column;
}

int pcdf_tokens_skip_title(struct pcdf_tokens *ts)
{
    int line = ts->line, column = ts->column;
    while (peek(ts) != '{') {
        if (peek(ts) == END_OF_TEXT || peek(ts) == '}' || peek(ts) == ';')
            return pcdf_cdl_fail(ts->fault, NC_ENOTNC, line, column,
                                 "no opening brace follows the word netcdf and the name of the file");
        if (peek(ts) == '\\' && peek_at(ts, 1) != END_OF_TEXT)
            advance(ts);
        advance(ts);
    }
    return NC_NOERR;
}
