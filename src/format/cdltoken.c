#include "cdltoken.h"
#include "text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    END_OF_TEXT = -1,
    WINDOW = 1 << 18, /* bytes of text in memory */
    BEHIND = 4096     /* of these, so many stay that were read already: an error shows its line */
};
static const char spaces[] = " \t\n\v\f\r";

int pcdf_tokens_open(struct pcdf_tokens *ts, const char *text, size_t n, pcdf_text_source more, void *context,
                     struct pcdf_cdl_fault *fault)
{
    char *window = more ? pcdf_malloc(WINDOW) : NULL;
    if (more && !window)
        return NC_ENOMEM;
    *ts = (struct pcdf_tokens){ .text = more ? window : text,
                                .n = more ? 0 : n,
                                .place = { 1, 1 },
                                .more = more,
                                .context = context,
                                .window = window,
                                .fault = fault };
    return NC_NOERR;
}

/* --- characters -------------------------------------------------------------------------------------------
 */

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

static inline int peek(struct pcdf_tokens *ts, size_t ahead)
{
    return ahead < ts->n - ts->at ? (unsigned char)ts->text[ts->at + ahead] : refill(ts, ahead);
}

/* Over a character that peek has seen. */
static inline void advance(struct pcdf_tokens *ts)
{
    if (ts->text[ts->at] == '\n') {
        ts->place.line += ts->place.line < INT_MAX;
        ts->place.column = 1;
    } else {
        ts->place.column += ts->place.column < INT_MAX;
    }
    ts->at++;
}

/* The rest of a line behind its two slashes. "file format: CDF-5 (big variables)" and "(25 currently)" are
 * comments to ncgen; ncdump tells facts in them. */
static void read_comment(struct pcdf_tokens *ts)
{
    static const char format[] = "file format: CDF-", currently[] = " currently)";
    char start[64];
    size_t n = 0;

    for (; peek(ts, 0) != END_OF_TEXT && peek(ts, 0) != '\n'; advance(ts))
        if (n < sizeof start - 1)
            start[n++] = (char)peek(ts, 0);
    start[n] = '\0';

    const char *comment = start + strspn(start, spaces), *digit = comment + strlen(format);
    if (strncmp(comment, format, strlen(format)) == 0) {
        bool is_known = *digit == '1' || *digit == '2' || *digit == '5';
        if (ts->version == 0 && is_known && pcdf_cdl_digit(digit[1], 10) < 0)
            ts->version = *digit - '0';
    } else if (ts->place.line == ts->record_line && comment[0] == '(' &&
               pcdf_cdl_digit(comment[1], 10) >= 0) {
        char *end;
        errno = 0;
        long long records = strtoll(comment + 1, &end, 10);
        if (errno == 0 && strncmp(end, currently, strlen(currently)) == 0)
            ts->numrecs = records;
    }
}

int pcdf_tokens_peek(struct pcdf_tokens *ts)
{
    for (;;) {
        int c = peek(ts, 0);
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            advance(ts);
        } else if (c == '/' && peek(ts, 1) == '/') {
            advance(ts);
            advance(ts);
            read_comment(ts);
        } else {
            return c;
        }
    }
}

/* --- tokens -----------------------------------------------------------------------------------------------
 */

static int word_add(struct pcdf_tokens *ts, int c)
{
    PCDF_TRY(PCDF_RESERVE(&ts->word, ts->word.n + 2));
    ts->word.x[ts->word.n++] = (char)c;
    ts->word.x[ts->word.n] = '\0';
    return NC_NOERR;
}

static bool is_of_name(int c, bool is_first)
{
    return c >= 0x80 || pcdf_cdl_digit(c, 36) >= (is_first ? 10 : 0) || c == '_' || c == '\\' ||
           (!is_first && c > 0 && strchr(".@+-%", c) != NULL);
}

static int scan_name(struct pcdf_tokens *ts, struct pcdf_token *token)
{
    token->kind = PCDF_TOKEN_NAME;
    while (is_of_name(peek(ts, 0), false)) {
        int c = peek(ts, 0);
        if (c == '\\') {
            token->escaped = true;
            advance(ts);
            c = peek(ts, 0);
            if (c == END_OF_TEXT || c == '\n' || c == 0)
                return pcdf_cdl_fail(ts->fault, ts->place, NC_ENOTNC,
                                     "a name ends in a backslash with nothing to escape");
        }
        PCDF_TRY(word_add(ts, c));
        advance(ts);
    }
    token->length = ts->word.n;
    return NC_NOERR;
}

/* The character that an escape stands for, behind its backslash; -1 for a line end, which it takes away. */
static int scan_escape(struct pcdf_tokens *ts, int *value)
{
    static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    int c = peek(ts, 0);
    bool is_hex = c == 'x' || c == 'X';

    if (is_hex || pcdf_cdl_digit(c, 8) >= 0) {
        int base = is_hex ? 16 : 8, n = 0, digit;
        if (is_hex)
            advance(ts);
        *value = 0;
        for (; n < (is_hex ? 2 : 3) && (digit = pcdf_cdl_digit(peek(ts, 0), base)) >= 0; n++) {
            *value = *value * base + digit;
            advance(ts);
        }
        if (n == 0)
            return pcdf_cdl_fail(ts->fault, ts->place, NC_ENOTNC,
                                 "\\x is not followed by a hexadecimal digit");
        if (*value > 255)
            return pcdf_cdl_fail(ts->fault, ts->place, NC_ERANGE, "the octal escape \\%o is above \\377",
                                 (unsigned)*value);
        return NC_NOERR;
    }
    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    *value = letter ? values[letter - letters] : c == '\n' ? -1 : c;
    if (c != END_OF_TEXT) /* which the caller finds */
        advance(ts);
    return NC_NOERR;
}

/* A string, up to its closing quote or to the end of a piece, or a character constant. */
static int scan_quoted(struct pcdf_tokens *ts, struct pcdf_token *token, int quote)
{
    bool is_string = quote == '"';

    token->kind = is_string ? PCDF_TOKEN_STRING : PCDF_TOKEN_CHAR;
    if (!ts->in_string)
        advance(ts);
    ts->in_string = false;
    while (peek(ts, 0) != quote && !token->goes_on) {
        int value = peek(ts, 0);
        if (value == END_OF_TEXT || (!is_string && value == '\n'))
            return pcdf_cdl_fail(ts->fault, token->place, NC_ENOTNC,
                                 "the %s that begins here has no closing quote",
                                 is_string ? "string" : "character constant");
        advance(ts);
        if (value == '\\')
            PCDF_TRY(scan_escape(ts, &value));
        if (value >= 0)
            PCDF_TRY(word_add(ts, value));
        token->goes_on = ts->wants_pieces && ts->word.n >= PCDF_STRING_PIECE && peek(ts, 0) != quote;
    }
    token->length = ts->word.n;
    ts->in_string = token->goes_on;
    if (!token->goes_on)
        advance(ts);
    if (is_string)
        return NC_NOERR;
    token->type = NC_BYTE;
    token->magnitude = (unsigned char)ts->word.x[0];
    return token->length == 1 ? NC_NOERR
                              : pcdf_cdl_fail(ts->fault, token->place, NC_ENOTNC,
                                              "a character constant holds one byte, not %zu", token->length);
}

static int scan_number(struct pcdf_tokens *ts, struct pcdf_token *token)
{
    char text[PCDF_LONGEST_NUMBER + 2];
    size_t n = 0;

    token->kind = PCDF_TOKEN_NUMBER;
    for (; n <= PCDF_LONGEST_NUMBER; n++) {
        int c = peek(ts, n);
        if (pcdf_cdl_digit(c, 36) < 0 && c != '.' && c != '-' && c != '+')
            break;
        text[n] = (char)c;
    }
    text[n] = '\0';
    PCDF_TRY(pcdf_cdl_number(ts->fault, token, text));
    ts->at += token->length; /* no line ends in it */
    ts->place.column += ts->place.column < INT_MAX - PCDF_LONGEST_NUMBER ? (int)token->length : 0;
    return NC_NOERR;
}

/* NaN, NaNf, Infinity, Inff ... in any case, with a sign or not; false: something else stands here. */
static bool scan_special(struct pcdf_tokens *ts, struct pcdf_token *token, size_t sign)
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
    size_t n = 0;
    while (is_of_name(peek(ts, sign + n), false) && n < 16)
        n++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) != n || strncasecmp(words[i].word, ts->text + ts->at + sign, n) != 0)
            continue;
        token->kind = PCDF_TOKEN_NUMBER;
        token->type = words[i].type;
        token->real = peek(ts, 0) == '-' ? -words[i].value : words[i].value;
        for (n += sign; n > 0; n--)
            advance(ts);
        return true;
    }
    return false;
}

int pcdf_tokens_next(struct pcdf_tokens *ts, bool values, struct pcdf_token *token)
{
    if (ts->is_held) {
        ts->is_held = false;
        *token = ts->held;
        return NC_NOERR;
    }
    int c = ts->in_string ? '"' : pcdf_tokens_peek(ts), err = NC_NOERR;
    size_t sign = c == '-' || c == '+', digit = sign + (peek(ts, sign) == '.');
    *token = (struct pcdf_token){ .kind = PCDF_TOKEN_END, .place = ts->place };
    ts->word.n = 0;
    PCDF_TRY(pcdf_cdl_placed(ts->fault, ts->place, PCDF_RESERVE(&ts->word, 1))); /* "" has a word too */
    ts->word.x[0] = '\0';
    if (c == END_OF_TEXT) {
        err = ts->failed;
    } else if (c > 0 && strchr("{}():;,=", c)) {
        token->kind = PCDF_TOKEN_MARK;
        token->mark = (char)c;
        advance(ts);
    } else if (c == '"' || c == '\'') {
        err = scan_quoted(ts, token, c);
    } else if (pcdf_cdl_digit(peek(ts, digit), 10) >= 0) {
        err = scan_number(ts, token);
    } else if (values && scan_special(ts, token, sign)) {
        ;
    } else if (is_of_name(c, true)) {
        err = scan_name(ts, token);
    } else {
        bool is_shown = c > ' ' && c < 0x7f;
        err = pcdf_cdl_fail(ts->fault, ts->place, NC_ENOTNC,
                            is_shown ? "'%c' has no meaning here" : "the byte 0x%02x has no meaning here", c);
    }
    return pcdf_cdl_placed(ts->fault, token->place, err);
}

/* --- what is expected -------------------------------------------------------------------------------------
 */

int pcdf_tokens_unexpected(struct pcdf_tokens *ts, const struct pcdf_token *t, const char *wanted)
{
    char what[80];

    if (t->kind == PCDF_TOKEN_END)
        return pcdf_cdl_fail(ts->fault, t->place, NC_ENOTNC, "the text ends where %s should be", wanted);
    if (t->kind == PCDF_TOKEN_MARK)
        snprintf(what, sizeof what, "'%c'", t->mark);
    else if (t->kind == PCDF_TOKEN_NUMBER)
        snprintf(what, sizeof what, "a number");
    else
        snprintf(what, sizeof what, "\"%.60s\"", ts->word.x);
    return pcdf_cdl_fail(ts->fault, t->place, NC_ENOTNC, "%s stands where %s should be", what, wanted);
}

int pcdf_tokens_want(struct pcdf_tokens *ts, char mark, const char *wanted)
{
    struct pcdf_token t;
    PCDF_TRY(pcdf_tokens_next(ts, false, &t));
    bool is_there = mark ? pcdf_token_is(&t, mark) : t.kind == PCDF_TOKEN_END;
    return is_there ? NC_NOERR : pcdf_tokens_unexpected(ts, &t, wanted);
}

int pcdf_tokens_name(struct pcdf_tokens *ts, const struct pcdf_token *t, const char *wanted,
                     char name[NC_MAX_NAME + 1])
{
    struct pcdf_name nfc;
    if (t->kind != PCDF_TOKEN_NAME)
        return pcdf_tokens_unexpected(ts, t, wanted);
    PCDF_TRY(pcdf_cdl_placed(ts->fault, t->place, pcdf_name_define(ts->word.x, &nfc)));
    memcpy(name, nfc.text, nfc.length + 1);
    return NC_NOERR;
}

int pcdf_tokens_take_title(struct pcdf_tokens *ts)
{
    struct pcdf_cdl_place start = ts->place;

    (void)pcdf_tokens_peek(ts);
    ts->word.n = 0;
    ts->word.x[0] = '\0';
    while (peek(ts, 0) != '{') {
        if (peek(ts, 0) == END_OF_TEXT || peek(ts, 0) == '}' || peek(ts, 0) == ';')
            return pcdf_cdl_fail(ts->fault, start, NC_ENOTNC,
                                 "no opening brace follows the word netcdf and the name of the file");
        if (peek(ts, 0) == '\\' && peek(ts, 1) != END_OF_TEXT)
            advance(ts);
        if (ts->word.n < NC_MAX_NAME)
            PCDF_TRY(pcdf_cdl_placed(ts->fault, start, word_add(ts, peek(ts, 0))));
        advance(ts);
    }
    while (ts->word.n > 0 && strchr(spaces, ts->word.x[ts->word.n - 1])) /* or NUL */
        ts->word.x[--ts->word.n] = '\0';
    return NC_NOERR;
}

void pcdf_tokens_excerpt(const struct pcdf_tokens *ts, char *room, size_t size, size_t *place)
{
    const int line = ts->fault->line, column = ts->fault->column;
    size_t start = ts->at, before = (size_t)(ts->place.column - column);

    room[0] = '\0';
    *place = 0;
    for (int back = ts->place.line - line; back >= 0; back--) {
        while (start > 0 && ts->text[start - 1] != '\n')
            start--;
        if (back > 0 && start-- == 0)
            return;
    }

    /* The place, by what is known of its line: the columns up to where the parser stands, or its start. */
    size_t at = start + (size_t)column - 1;
    if (line == ts->place.line) {
        if (column > ts->place.column || before > ts->at)
            return;
        at = ts->at - before;
    } else if (start == 0 && ts->window && line > 1) {
        return; /* the line's start is not in the window */
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
