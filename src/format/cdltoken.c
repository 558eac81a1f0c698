#include "cdltoken.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    END_OF_TEXT = -1,
    WINDOW = 1 << 18, /* bytes of text in memory */
    BEHIND = 4096     /* of these, so many stay that were read already: an error shows its line */
};

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
    pcdf_free(ts->window);
    ts->window = NULL;
    pcdf_free(ts->word.x);
    ts->word.x = NULL;
    ts->word.n = ts->word.room = 0;
}

int pcdf_tokens_open(struct pcdf_tokens *ts, pcdf_text_source more, void *context,
                     struct pcdf_cdl_fault *fault)
{
    char *window = pcdf_malloc(WINDOW);
    if (!window)
        return NC_ENOMEM;
    pcdf_tokens_init(ts, window, 0, fault);
    ts->window = window;
    ts->more = more;
    ts->context = context;
    return NC_NOERR;
}

/* Moves the window on until it has the byte `ahead` from here, which is nearer than the window is long. */
static __attribute__((noinline)) int refill(struct pcdf_tokens *ts, size_t ahead)
{
    size_t drop = ts->at > BEHIND ? ts->at - BEHIND : 0;

    if (!ts->more)
        return END_OF_TEXT;
    memmove(ts->window, ts->window + drop, ts->n - drop);
    ts->n -= drop;
    ts->at -= drop;
    while (ts->more && ahead >= ts->n - ts->at) {
        size_t got = 0;
        ts->failed = ts->more(ts->context, ts->window + ts->n, WINDOW - ts->n, &got);
        if (ts->failed || got == 0)
            ts->more = NULL;
        else
            ts->n += got;
    }
    return ahead < ts->n - ts->at ? (unsigned char)ts->text[ts->at + ahead] : END_OF_TEXT;
}

static inline int peek_at(struct pcdf_tokens *ts, size_t ahead)
{
    return ahead < ts->n - ts->at ? (unsigned char)ts->text[ts->at + ahead] : refill(ts, ahead);
}

static inline int peek(struct pcdf_tokens *ts)
{
    return peek_at(ts, 0);
}

/* Over a character that peek has seen. */
static inline void advance(struct pcdf_tokens *ts)
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

/* The rest of a line behind its two slashes. What a comment tells stands at its start. */
static void skip_comment(struct pcdf_tokens *ts)
{
    char start[64];
    size_t n = 0;
    int line = ts->line;

    for (; peek(ts) != END_OF_TEXT && peek(ts) != '\n'; advance(ts))
        if (n < sizeof start)
            start[n++] = (char)peek(ts);
    heed_comment(ts, start, n, line);
}

static void skip_blank(struct pcdf_tokens *ts)
{
    for (;;) {
        if (is_space(peek(ts))) {
            advance(ts);
        } else if (peek(ts) == '/' && peek_at(ts, 1) == '/') {
            advance(ts);
            advance(ts);
            skip_comment(ts);
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
    return starts_name(c) || is_digit(c) || (c > 0 && strchr(".@+-%", c) != NULL);
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

/* The bytes of a string up to its closing quote, or to the end of a piece. */
static int scan_piece(struct pcdf_tokens *ts, struct pcdf_token *token, int quote)
{
    ts->in_string = false;
    while (peek(ts) != quote) {
        int value;
        if (ts->wants_pieces && ts->word.n >= PCDF_STRING_PIECE) {
            ts->in_string = token->goes_on = true;
            token->length = ts->word.n;
            return NC_NOERR;
        }
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
    return NC_NOERR;
}

static int scan_quoted(struct pcdf_tokens *ts, struct pcdf_token *token, int quote)
{
    token->kind = quote == '"' ? PCDF_TOKEN_STRING : PCDF_TOKEN_CHAR;
    PCDF_TRY(PCDF_RESERVE(&ts->word, 1)); /* "" has a word too */
    ts->word.x[0] = '\0';
    if (!ts->in_string)
        advance(ts);
    PCDF_TRY(scan_piece(ts, token, quote));
    if (quote == '\'' && token->length != 1)
        return pcdf_cdl_fail(ts->fault, NC_ENOTNC, token->line, token->column,
                             "a character constant holds one byte, not %zu", token->length);
    return NC_NOERR;
}

/* How far a number reaches from here, PCDF_LONGEST_NUMBER + 1 where it is longer than any; *digits: where
 * its suffix begins; *real: it has a point or an exponent. */
static size_t measure_number(struct pcdf_tokens *ts, size_t *digits, bool *real)
{
    size_t i = peek(ts) == '-' || peek(ts) == '+';
    *real = false;
    if (peek_at(ts, i) == '0' && (peek_at(ts, i + 1) == 'x' || peek_at(ts, i + 1) == 'X')) {
        for (i += 2; i <= PCDF_LONGEST_NUMBER && hex_digit(peek_at(ts, i)) >= 0; i++)
            ;
    } else {
        for (; i <= PCDF_LONGEST_NUMBER && (is_digit(peek_at(ts, i)) || peek_at(ts, i) == '.'); i++)
            *real = *real || peek_at(ts, i) == '.';
        size_t e = i + 1;
        if (peek_at(ts, i) == 'e' || peek_at(ts, i) == 'E') {
            e += peek_at(ts, e) == '-' || peek_at(ts, e) == '+';
            if (is_digit(peek_at(ts, e))) {
                *real = true;
                for (i = e; i <= PCDF_LONGEST_NUMBER && is_digit(peek_at(ts, i)); i++)
                    ;
            }
        }
    }
    *digits = i;
    while (i <= PCDF_LONGEST_NUMBER && (is_letter(peek_at(ts, i)) || is_digit(peek_at(ts, i))))
        i++;
    return i;
}

static int scan_number(struct pcdf_tokens *ts, struct pcdf_token *token)
{
    bool real;
    size_t ndigits, n = measure_number(ts, &ndigits, &real);

    token->kind = PCDF_TOKEN_NUMBER;
    PCDF_TRY(pcdf_tokens_number(ts->fault, token, ts->text + ts->at, n, ndigits, real));
    ts->at += n; /* no line ends in it */
    ts->column += ts->column < INT_MAX - PCDF_LONGEST_NUMBER ? (int)n : 0;
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

static bool starts_number(struct pcdf_tokens *ts)
{
    size_t i = peek(ts) == '-' || peek(ts) == '+';
    i += peek_at(ts, i) == '.';
    return is_digit(peek_at(ts, i));
}

int pcdf_tokens_next(struct pcdf_tokens *ts, bool values, struct pcdf_token *token)
{
    if (!ts->in_string)
        skip_blank(ts);
    int c = ts->in_string ? '"' : peek(ts);
    *token = (struct pcdf_token){ .kind = PCDF_TOKEN_END, .line = ts->line, .column = ts->column };
    ts->word.n = 0;
    if (c == END_OF_TEXT)
        return ts->failed;
    if (c > 0 && strchr("{}():;,=", c)) {
        token->kind = PCDF_TOKEN_MARK;
        token->mark = (char)c;
        advance(ts);
        return NC_NOERR;
    }
    if (c == '"' || c == '\'')
        return scan_quoted(ts, token, c);
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

int pcdf_tokens_take_title(struct pcdf_tokens *ts)
{
    int line = ts->line, column = ts->column;

    skip_blank(ts);
    ts->word.n = 0;
    PCDF_TRY(PCDF_RESERVE(&ts->word, 1));
    ts->word.x[0] = '\0';
    while (peek(ts) != '{') {
        if (peek(ts) == END_OF_TEXT || peek(ts) == '}' || peek(ts) == ';')
            return pcdf_cdl_fail(ts->fault, NC_ENOTNC, line, column,
                                 "no opening brace follows the word netcdf and the name of the file");
        if (peek(ts) == '\\' && peek_at(ts, 1) != END_OF_TEXT)
            advance(ts);
        if (ts->word.n < NC_MAX_NAME)
            PCDF_TRY(word_add(ts, peek(ts)));
        advance(ts);
    }
    while (ts->word.n > 0 && is_space((unsigned char)ts->word.x[ts->word.n - 1]))
        ts->word.x[--ts->word.n] = '\0';
    return NC_NOERR;
}

/* Where the line begins in the window, at most `size` bytes before `at`. */
static size_t line_start(const struct pcdf_tokens *ts, size_t at)
{
    while (at > 0 && ts->text[at - 1] != '\n')
        at--;
    return at;
}

void pcdf_tokens_excerpt(const struct pcdf_tokens *ts, int line, int column, char *room, size_t size,
                         size_t *place)
{
    size_t start = line_start(ts, ts->at), at;

    room[0] = '\0';
    *place = 0;
    for (int back = ts->line - line; back > 0; back--) {
        if (start == 0)
            return;
        start = line_start(ts, start - 1);
    }
    if (line == ts->line) {
        size_t before = (size_t)(ts->column - column);
        if (column > ts->column || before > ts->at)
            return;
        at = ts->at - before;
    } else {
        at = start + (size_t)column - 1; /* a line whose start is not in the window has shifted columns */
        if (start == 0 && ts->window && line > 1)
            return;
    }
    size_t end = at < ts->n ? at : ts->n;
    while (end < ts->n && ts->text[end] != '\n' && end < at + size / 3)
        end++;
    if (end - start > size - 1)
        start = end - (size - 1);
    if (at < start || at > end)
        return;
    memcpy(room, ts->text + start, end - start);
    room[end - start] = '\0';
    *place = at - start;
}
