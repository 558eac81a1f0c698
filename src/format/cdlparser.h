#ifndef PCDF_CDLPARSER_H
#define PCDF_CDLPARSER_H
/* The parser of CDL taken apart, for cdl.c, which reads headers, and for the command gen, which reads the
 * data behind them. An error has its place and sentence in `fault`; functions that can fail return its code.
 */

#include "cdltoken.h"

enum { PCDF_WORD_STRING = -100 }; /* beside the nc_types: the type word `string` */

struct pcdf_cdl_constant { /* one value of an attribute */
    struct pcdf_token token;
    size_t at; /* STRING, CHAR: where its bytes begin in parser.chars */
};

struct pcdf_cdl_parser {
    struct pcdf_tokens ts;
    struct pcdf_meta *meta;
    struct pcdf_cdl_fault *fault;
    enum pcdf_cdl_empty_text empty_text;
    bool in_dims;   /* the section: "a = 5" is a dimension */
    bool is_forced; /* the user, and not the text, says the version */
    int version;    /* 1, 2 or 5 when the text or the user has said it, else 0 */
    bool has_data;  /* out: the header ended in `data:` */
    bool is_held;   /* `held` is the next token; its word is in ts.word */
    struct pcdf_token held;
    char *title; /* the word behind `netcdf` */
    PCDF_ARRAY(struct pcdf_cdl_constant) list;
    PCDF_ARRAY(char) chars;
    PCDF_ARRAY(unsigned char) bytes; /* the attribute in external form */
};

/* Before: ts, meta (empty), fault, empty_text, and where the user asks for a version is_forced and version.
 * Reads up to the last brace, or behind `data:`, and settles the version: what was asked for, or what the
 * text says, or the first that allows what is defined. */
int pcdf_cdl_read_header(struct pcdf_cdl_parser *p);
/* All but meta and fault. */
void pcdf_cdl_parser_free(struct pcdf_cdl_parser *p);

int pcdf_cdl_next(struct pcdf_cdl_parser *p, bool values, struct pcdf_token *t);
/* Behind the last brace nothing follows. */
int pcdf_cdl_want_end(struct pcdf_cdl_parser *p);
/* The name that the last token is, checked and NFC-normalised; the caller frees it. */
int pcdf_cdl_take_name(struct pcdf_cdl_parser *p, const struct pcdf_token *t, const char *wanted,
                       char **name);
static inline bool pcdf_token_is(const struct pcdf_token *t, char mark)
{
    return t->kind == PCDF_TOKEN_MARK && t->mark == mark;
}

/* cdlstore.c. A number, or a character constant with that byte, in external form -> to. NC_ERANGE where it
 * does not fit, NC_ECHAR for a string. Integers cut reals towards zero. */
int pcdf_cdl_store(struct pcdf_cdl_parser *p, const struct pcdf_token *t, unsigned char byte, nc_type type,
                   unsigned char *to);
int pcdf_cdl_fail_at(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int code, const char *sentence);
/* An error of a lower layer, which kept its own sentence, gets its place; one that has a place keeps it. */
int pcdf_cdl_placed(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int code);
int pcdf_cdl_unexpected(struct pcdf_cdl_parser *p, const struct pcdf_token *t, const char *wanted);

/* cdlatt.c, for cdl.c. The values of an attribute, up to the semicolon; the attribute that they are. type:
 * NC_NAT where none is declared. */
int pcdf_cdl_constants(struct pcdf_cdl_parser *p);
int pcdf_cdl_put_att(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int varid, nc_type type,
                     const char *name);
/* cdl.c: the version that rules apply while the text has not said one is the one that allows most. */
void pcdf_cdl_adopt_version(struct pcdf_cdl_parser *p);
#endif
