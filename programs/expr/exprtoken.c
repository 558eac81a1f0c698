/* See exprtoken.h. */
#include "exprtoken.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct cutter {
    const char *text;
    size_t at, n;
    int open;   /* parentheses */
    char *room; /* for a name or text */
    struct pcdf_expr_tokens *tokens;
    struct pcdf_arena *arena;
    struct pcdf_expr_fault *fault;
};

int pcdf_expr_wrong(struct pcdf_expr_fault *fault, size_t at, size_t n, const char *format, ...)
{
    va_list args;
    fault->at = at;
    fault->n = n;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    return NC_EINVAL;
}

static char ahead(const struct cutter *c, size_t i)
{
    return c->at + i < c->n ? c->text[c->at + i] : '\0';
}

static bool is_digit(char x)
{
    return x >= '0' && x <= '9';
}

static bool begins_name(char x)
{
    return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_' || x == '\\' || x == '`' ||
           (unsigned char)x >= 128;
}

/* ---- names and text */

static int keep_text(const struct cutter *c, struct pcdf_expr_token *t, size_t n)
{
    t->text = pcdf_arena_text(c->arena, c->room, n);
    t->length = n;
    return t->text ? NC_NOERR : NC_ENOMEM;
}

/* Bytes up to `quote`, those behind a backslash as they are; of text, \n and \t are what they are in C. */
static int take_quoted(struct cutter *c, struct pcdf_expr_token *t, char quote)
{
    size_t begin = c->at++, n = 0;
    char *to = c->room;
    for (; ahead(c, 0) != quote; c->at++) {
        bool is_escape = ahead(c, 0) == '\\' && c->at + 1 < c->n;
        c->at += is_escape;
        char x = ahead(c, 0);
        if (c->at >= c->n || x == '\0' || (x == '\n' && !is_escape))
            return pcdf_expr_wrong(c->fault, begin, c->at - begin,
                                   "a quote that is opened here is not closed");
        if (is_escape && quote != '`')
            x = x == 'n' ? '\n' : x == 't' ? '\t' : x;
        to[n++] = x;
    }
    c->at++;
    t->is_quoted = true;
    return keep_text(c, t, n);
}

static int take_bare(struct cutter *c, struct pcdf_expr_token *t)
{
    size_t n = 0;
    char *to = c->room;
    while (c->at < c->n && ahead(c, 0) != '`' && (begins_name(ahead(c, 0)) || is_digit(ahead(c, 0)))) {
        bool is_escape = ahead(c, 0) == '\\';
        c->at += is_escape;
        if (is_escape && (c->at >= c->n || (unsigned char)ahead(c, 0) < ' '))
            return pcdf_expr_wrong(c->fault, c->at - 1, 1, "a backslash needs a character behind it");
        t->is_quoted |= is_escape;
        to[n++] = ahead(c, 0);
        c->at++;
    }
    return keep_text(c, t, n);
}

static bool is_word(const struct pcdf_expr_token *t, const char *word)
{
    return !t->is_quoted && strcmp(t->text, word) == 0;
}

static int take_name(struct cutter *c, struct pcdf_expr_token *t)
{
    t->kind = PCDF_TOKEN_NAME;
    PCDF_TRY(ahead(c, 0) == '`' ? take_quoted(c, t, '`') : take_bare(c, t));
    if (t->length == 0)
        return pcdf_expr_wrong(c->fault, t->at, c->at - t->at, "a name has no characters");
    t->kind = is_word(t, "and")   ? PCDF_TOKEN_AND
              : is_word(t, "or")  ? PCDF_TOKEN_OR
              : is_word(t, "not") ? PCDF_TOKEN_NOT
                                  : PCDF_TOKEN_NAME;
    return NC_NOERR;
}

/* ---- numbers */

static size_t number_length(const struct cutter *c, bool *is_integer)
{
    size_t n = 0;
    *is_integer = true;
    while (is_digit(ahead(c, n)))
        n++;
    if (ahead(c, n) == '.') {
        *is_integer = false;
        for (n++; is_digit(ahead(c, n)); n++)
            ;
    }
    if (ahead(c, n) == 'e' || ahead(c, n) == 'E') {
        size_t k = n + 1 + (ahead(c, n + 1) == '+' || ahead(c, n + 1) == '-');
        if (is_digit(ahead(c, k))) {
            *is_integer = false;
            for (n = k; is_digit(ahead(c, n)); n++)
                ;
        }
    }
    return n;
}

static int take_number(struct cutter *c, struct pcdf_expr_token *t)
{
    size_t n = number_length(c, &t->is_integer);
    char *copy = pcdf_arena_text(c->arena, c->text + c->at, n);
    if (!copy)
        return NC_ENOMEM;
    t->kind = PCDF_TOKEN_NUMBER;
    t->number = strtod(copy, NULL);
    errno = 0;
    t->integer = t->is_integer ? strtoull(copy, NULL, 10) : 0;
    t->is_integer &= errno == 0;
    t->integer = t->is_integer ? t->integer : 0;
    c->at += n;
    if (begins_name(ahead(c, 0)) || ahead(c, 0) == '.')
        return pcdf_expr_wrong(c->fault, t->at, c->at + 1 - t->at, "this is neither a number nor a name");
    if (isinf(t->number))
        return pcdf_expr_wrong(c->fault, t->at, n, "this number is too large for a double");
    return NC_NOERR;
}

/* ---- signs */

static int take_sign(struct cutter *c, struct pcdf_expr_token *t)
{
    static const struct {
        const char *text;
        int kind;
    } pairs[] = { { "**", PCDF_TOKEN_POWER },     { "//", PCDF_TOKEN_FLOOR }, { "<=", PCDF_TOKEN_LESSEQ },
                  { ">=", PCDF_TOKEN_GREATEREQ }, { "==", PCDF_TOKEN_EQUAL }, { "!=", PCDF_TOKEN_UNEQUAL },
                  { "&&", PCDF_TOKEN_AND },       { "||", PCDF_TOKEN_OR } };
    char x = ahead(c, 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (x == pairs[i].text[0] && ahead(c, 1) == pairs[i].text[1]) {
            t->kind = pairs[i].kind;
            c->at += 2;
            return NC_NOERR;
        }
    if (x == '\0' || !strchr("+-*/%<>=!(),:", x))
        return pcdf_expr_wrong(c->fault, c->at, 1, "this character has no meaning here");
    c->open += x == '(' ? 1 : x == ')' && c->open > 0 ? -1 : 0;
    t->kind = x;
    c->at++;
    return NC_NOERR;
}

static void skip_space(struct cutter *c)
{
    while (c->at < c->n) {
        char x = ahead(c, 0);
        if (x == '#')
            while (c->at < c->n && ahead(c, 0) != '\n')
                c->at++;
        else if (x == ' ' || x == '\t' || x == '\r' || (x == '\n' && c->open > 0))
            c->at++;
        else
            return;
    }
}

static int read_token(struct cutter *c, struct pcdf_expr_token *t)
{
    char x = ahead(c, 0);
    *t = (struct pcdf_expr_token){ .at = c->at };
    if (c->at >= c->n) {
        t->kind = PCDF_TOKEN_END;
        return NC_NOERR;
    }
    if (x == ';' || x == '\n') {
        t->kind = x == ';' ? PCDF_TOKEN_STOP : PCDF_TOKEN_LINE;
        c->at++;
        return NC_NOERR;
    }
    if (begins_name(x))
        return take_name(c, t);
    if (is_digit(x) || (x == '.' && is_digit(ahead(c, 1))))
        return take_number(c, t);
    if (x == '"' || x == '\'') {
        t->kind = PCDF_TOKEN_TEXT;
        return take_quoted(c, t, x);
    }
    return take_sign(c, t);
}

int pcdf_expr_tokens_of(struct pcdf_expr_tokens *tokens, struct pcdf_arena *arena, const char *text, size_t n,
                        struct pcdf_expr_fault *fault)
{
    struct cutter c = { .text = text, .n = n, .tokens = tokens, .arena = arena, .fault = fault };
    struct pcdf_expr_token t = { 0 };
    if (n > PCDF_EXPR_BYTES)
        return pcdf_expr_wrong(fault, 0, 0, "a program has up to %d bytes, and this one %zu", PCDF_EXPR_BYTES,
                               n);
    c.room = pcdf_arena_bytes(arena, n + 1);
    if (!c.room)
        return NC_ENOMEM;
    while (t.kind != PCDF_TOKEN_END) {
        skip_space(&c);
        PCDF_TRY(read_token(&c, &t));
        t.n = c.at - t.at;
        PCDF_TRY(PCDF_RESERVE(&tokens->list, tokens->list.n + 1));
        tokens->list.x[tokens->list.n++] = t;
    }
    return NC_NOERR;
}
