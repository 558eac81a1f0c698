#ifndef PCDF_EXPRTOKEN_H
#define PCDF_EXPRTOKEN_H
/* The text of a program cut into words. Pure. */

#include "exprtree.h"

enum pcdf_expr_token_kind { /* signs of one character are themselves */
                            PCDF_TOKEN_END = 256,
                            PCDF_TOKEN_STOP, /* ; */
                            PCDF_TOKEN_LINE, /* the end of a line, but not in parentheses */
                            PCDF_TOKEN_NAME,
                            PCDF_TOKEN_NUMBER,
                            PCDF_TOKEN_TEXT,
                            PCDF_TOKEN_POWER,     /* ** */
                            PCDF_TOKEN_FLOOR,     /* // */
                            PCDF_TOKEN_LESSEQ,    /* <= */
                            PCDF_TOKEN_GREATEREQ, /* >= */
                            PCDF_TOKEN_EQUAL,     /* == */
                            PCDF_TOKEN_UNEQUAL,   /* != */
                            PCDF_TOKEN_AND,       /* && and the word */
                            PCDF_TOKEN_OR,        /* || and the word */
                            PCDF_TOKEN_NOT        /* the word */
};

struct pcdf_expr_token {
    int kind;
    size_t at, n;
    const char *text; /* NAME, TEXT: without quotes and backslashes; ends with a NUL */
    size_t length;
    bool is_quoted, is_integer;
    double number;
    uint64_t integer;
};

struct pcdf_expr_tokens {
    PCDF_ARRAY(struct pcdf_expr_token) list; /* the last one is END */
};

/* Texts go to the arena. NC_EINVAL, NC_ENOMEM; the list is to be freed by pcdf_free in any case. */
int pcdf_expr_tokens_of(struct pcdf_expr_tokens *tokens, struct pcdf_arena *arena, const char *text, size_t n,
                        struct pcdf_expr_fault *fault);
#endif
