#ifndef PCDF_CDLTOKEN_H
#define PCDF_CDLTOKEN_H
/* CDL text -> tokens, each with its line and column. The text is in memory, or comes in pieces of which a
 * window is in memory. Used by the parsers of headers (cdl.c) and of data (the command gen). */

#include "array.h"
#include "cdl.h"

enum pcdf_token_kind {
    PCDF_TOKEN_END,    /* the text is over */
    PCDF_TOKEN_MARK,   /* one of { } ( ) : ; , = */
    PCDF_TOKEN_NAME,   /* a name or a keyword, escapes resolved */
    PCDF_TOKEN_NUMBER, /* also NaN and Infinity */
    PCDF_TOKEN_CHAR,   /* 'a' */
    PCDF_TOKEN_STRING  /* "abc", escapes resolved */
};

struct pcdf_token {
    enum pcdf_token_kind kind;
    int line, column;
    char mark;     /* MARK */
    bool escaped;  /* NAME: had a backslash, so it is never a keyword */
    bool goes_on;  /* STRING: the next token is its next piece */
    size_t length; /* NAME, STRING, CHAR: bytes of pcdf_tokens.word */
    /* NUMBER */
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
    int line, column;
    pcdf_text_source more; /* NULL: the text is in memory, or has ended */
    void *context;
    char *window;
    int failed;        /* of `more`: told when the tokens before are used up */
    bool wants_pieces; /* long strings come in pieces of at most PCDF_STRING_PIECE bytes */
    bool in_string;    /* a piece was given, the next one begins here */
    PCDF_ARRAY(char)
    word; /* of the last NAME, STRING or CHAR, with a NUL behind it; valid until the next token */
    struct pcdf_cdl_fault *fault;
    /* What comments say: ncdump puts the format and the number of records there. */
    int version;     /* 1, 2 or 5; 0: no comment told it */
    int record_line; /* the line on which the parser met UNLIMITED; 0: none yet */
    int64_t numrecs; /* from the "(25 currently)" on that line */
};

enum { PCDF_STRING_PIECE = 32768 };

/* fault must outlive the tokens. */
void pcdf_tokens_init(struct pcdf_tokens *ts, const char *text, size_t n, struct pcdf_cdl_fault *fault);
/* Text that comes in pieces. NC_ENOMEM: there is nothing to free. */
int pcdf_tokens_open(struct pcdf_tokens *ts, pcdf_text_source more, void *context,
                     struct pcdf_cdl_fault *fault);
void pcdf_tokens_free(struct pcdf_tokens *ts);

/* NC_NOERR, or the fault filled and its code. values: what follows may be a value, so that NaN, Infinity and
 * their kin are numbers and not names. */
int pcdf_tokens_next(struct pcdf_tokens *ts, bool values, struct pcdf_token *token);
/* The next character that is neither blank nor comment, without consuming it; -1 at the end. */
int pcdf_tokens_peek(struct pcdf_tokens *ts);
/* The title of the file: everything up to the opening brace, which is not consumed. Its first
 * NC_MAX_NAME bytes without blanks around them, escapes resolved, are in `word`. */
int pcdf_tokens_take_title(struct pcdf_tokens *ts);
/* What stands around a place: up to `size` - 1 bytes of its line, and which of them is the place. Empty where
 * that is no longer in the window. */
void pcdf_tokens_excerpt(const struct pcdf_tokens *ts, int line, int column, char *room, size_t size,
                         size_t *place);

/* cdlnumber.c, for cdltoken.c: the number that `text`[0..n) is, its first `ndigits` bytes without the suffix;
 * `real`: it has a point or an exponent. token has its place. */
int pcdf_tokens_number(struct pcdf_cdl_fault *fault, struct pcdf_token *token, const char *text, size_t n,
                       size_t ndigits, bool real);
enum { PCDF_LONGEST_NUMBER = 400 };
/* Is it the largest float, or double, rounded up to some digits? So it is printed, and is no overflow. */
bool pcdf_cdl_is_largest(long double size, bool is_float);

/* Fills the fault, keeps the sentence and returns `code`. */
int pcdf_cdl_fail(struct pcdf_cdl_fault *fault, int code, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
#endif
