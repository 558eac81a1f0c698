#ifndef PCDF_CDLTOKEN_H
#define PCDF_CDLTOKEN_H
/* CDL text -> tokens, each with its place. The text is in memory, or comes in pieces of which a window is in
 * memory. Used by the parsers of headers (cdl.c) and of data (the command gen). */

#include "array.h"
#include "cdl.h"

struct pcdf_cdl_place {
    int line, column; /* both from 1; columns count bytes */
};

enum pcdf_token_kind {
    PCDF_TOKEN_END,    /* the text is over */
    PCDF_TOKEN_MARK,   /* one of { } ( ) : ; , = */
    PCDF_TOKEN_NAME,   /* a name or a keyword, escapes resolved */
    PCDF_TOKEN_NUMBER, /* also NaN and Infinity */
    PCDF_TOKEN_CHAR,   /* 'a': an NC_BYTE, too, whose magnitude is the byte */
    PCDF_TOKEN_STRING  /* "abc", escapes resolved */
};

struct pcdf_token {
    enum pcdf_token_kind kind;
    struct pcdf_cdl_place place;
    char mark;     /* MARK */
    bool escaped;  /* NAME: had a backslash, so it is never a keyword */
    bool goes_on;  /* STRING: the next token is its next piece */
    size_t length; /* NAME, STRING, CHAR: bytes of pcdf_tokens.word */
    /* NUMBER, CHAR */
    nc_type type;       /* as the suffix, or the size of an integer without one, says */
    bool negative;      /* integer: the sign */
    bool bits;          /* integer: hexadecimal or octal, so it may fill all bits of a signed type */
    uint64_t magnitude; /* integer: without its sign */
    double real;        /* NC_FLOAT (rounded to float) and NC_DOUBLE */
};

/* Where text comes from: up to `size` bytes, *got of them, 0 at its end. NC_EREAD with a sentence kept. */
typedef int (*pcdf_text_source)(void *context, char *room, size_t size, size_t *got);

struct pcdf_tokens {
    const char *text; /* all of it, or `window` */
    size_t n, at;
    struct pcdf_cdl_place place; /* of text[at] */
    pcdf_text_source more;       /* NULL: the text is in memory, or has ended */
    void *context;
    char *window;
    int failed;        /* of `more`: told when the tokens before are used up */
    bool wants_pieces; /* long strings come in pieces of at most PCDF_STRING_PIECE bytes */
    bool in_string;    /* a piece was given, the next one begins here */
    bool is_held;      /* `held` is the next token; the word is its */
    struct pcdf_token held;
    PCDF_ARRAY(char)
    word; /* of the last NAME, STRING or CHAR, with a NUL behind it; valid until the next token */
    struct pcdf_cdl_fault *fault;
    /* What comments say: ncdump puts the format and the number of records there. */
    int version;     /* 1, 2 or 5; 0: no comment told it */
    int record_line; /* the line on which the parser met UNLIMITED; 0: none yet */
    int64_t numrecs; /* from the "(25 currently)" on that line */
};

enum { PCDF_STRING_PIECE = 32768 };

/* Tokens of text[0..n), or, where `more` is not NULL, of text that comes in pieces. fault must outlive them.
 * NC_ENOMEM: there is nothing to free. What they own pcdf_cdl_parser_free frees. */
int pcdf_tokens_open(struct pcdf_tokens *ts, const char *text, size_t n, pcdf_text_source more, void *context,
                     struct pcdf_cdl_fault *fault);

/* All: NC_NOERR, or the fault filled and its code. */

/* values: what follows may be a value, so that NaN, Infinity and their kin are numbers and not names. */
int pcdf_tokens_next(struct pcdf_tokens *ts, bool values, struct pcdf_token *token);
static inline bool pcdf_token_is(const struct pcdf_token *t, char mark)
{
    return t->kind == PCDF_TOKEN_MARK && t->mark == mark;
}

/* The next token is this mark, or the end of the text ('\0'). wanted: what else the sentence says is missing.
 */
int pcdf_tokens_want(struct pcdf_tokens *ts, char mark, const char *wanted);
/* The last token is something else than what is `wanted`: NC_ENOTNC. */
int pcdf_tokens_unexpected(struct pcdf_tokens *ts, const struct pcdf_token *t, const char *wanted);
/* The name that the last token is, checked and NFC-normalised. */
int pcdf_tokens_name(struct pcdf_tokens *ts, const struct pcdf_token *t, const char *wanted,
                     char name[NC_MAX_NAME + 1]);
/* The title of the file: everything up to the opening brace, which is not consumed. Its first
 * NC_MAX_NAME bytes without blanks around them, escapes resolved, are in `word`. */
int pcdf_tokens_take_title(struct pcdf_tokens *ts);

/* The next character that is neither blank nor comment, without consuming it; -1 at the end. */
int pcdf_tokens_peek(struct pcdf_tokens *ts);
/* What stands around the fault: up to `size` - 1 bytes of its line, and which of them is the place. Empty
 * where that is no longer in the window. */
void pcdf_tokens_excerpt(const struct pcdf_tokens *ts, char *room, size_t size, size_t *place);

/* cdlnumber.c. The number that `text` begins with -> token, which has its place; it is token->length bytes
 * long. Of more than PCDF_LONGEST_NUMBER bytes there is none. Changes text. */
enum { PCDF_LONGEST_NUMBER = 400 };
int pcdf_cdl_number(struct pcdf_cdl_fault *fault, struct pcdf_token *token, char *text);
/* A number or a character constant in external form -> to. NC_ERANGE where it does not fit, NC_ECHAR for a
 * string. Integers cut reals towards zero. */
int pcdf_cdl_store(struct pcdf_cdl_fault *fault, const struct pcdf_token *t, nc_type type, unsigned char *to);

/* The value of a digit of a number in that base, up to 36; -1: it is none. */
static inline int pcdf_cdl_digit(int c, int base)
{
    int letter = c | 0x20, value = -1;
    if (c >= '0' && c <= '9')
        value = c - '0';
    else if (letter >= 'a' && letter <= 'z')
        value = letter - 'a' + 10;
    return value < base ? value : -1;
}

/* cdlfault.c. Fills the fault, keeps the sentence and returns `code`. */
int pcdf_cdl_fail(struct pcdf_cdl_fault *fault, struct pcdf_cdl_place place, int code, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));
/* An error of a lower layer, which kept its own sentence, gets its place; one that has a place keeps it. */
int pcdf_cdl_placed(struct pcdf_cdl_fault *fault, struct pcdf_cdl_place place, int code);
#endif
