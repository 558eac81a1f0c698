#ifndef PCDF_CDLTOKEN_H
#define PCDF_CDLTOKEN_H
/* CDL text -> tokens, each with its line and column. Used by cdl.c alone. */

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
    size_t length; /* NAME, STRING, CHAR: bytes of pcdf_tokens.word */
    /* NUMBER */
    nc_type type;       /* as the suffix, or the size of an integer without one, says */
    bool negative;      /* integer: the sign */
    bool bits;          /* integer: hexadecimal or octal, so it may fill all bits of a signed type */
    uint64_t magnitude; /* integer: without its sign */
    double real;        /* NC_FLOAT (rounded to float) and NC_DOUBLE */
};

struct pcdf_tokens {
    const char *text;
    size_t n, at;
    int line, column;
    PCDF_ARRAY(char)
    word; /* of the last NAME, STRING or CHAR, with a NUL behind it; valid until the next token */
    struct pcdf_cdl_fault *fault;
    /* What comments say: ncdump puts the format and the number of records there. */
    int version;     /* 1, 2 or 5; 0: no comment told it */
    int record_line; /* the line on which the parser met UNLIMITED; 0: none yet */
    int64_t numrecs; /* from the "(25 currently)" on that line */
};

/* fault must outlive the tokens. */
void pcdf_tokens_init(struct pcdf_tokens *ts, const char *text, size_t n, struct pcdf_cdl_fault *fault);
void pcdf_tokens_free(struct pcdf_tokens *ts);

/* NC_NOERR, or the fault filled and its code. values: what follows may be a value, so that NaN, Infinity and
 * their kin are numbers and not names. */
int pcdf_tokens_next(struct pcdf_tokens *ts, bool values, struct pcdf_token *token);
/* The next character that is neither blank nor comment, without consuming it; -1 at the end. */
int pcdf_tokens_peek(struct pcdf_tokens *ts);
/* Goes back to where a copy of `ts` was taken. */
void pcdf_tokens_return(struct pcdf_tokens *ts, const struct pcdf_tokens *before);
/* The title of the file: everything up to the opening brace, which is not consumed. */
int pcdf_tokens_skip_title(struct pcdf_tokens *ts);

/* Fills the fault, keeps the sentence and returns `code`. */
int pcdf_cdl_fail(struct pcdf_cdl_fault *fault, int code, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
#endif
