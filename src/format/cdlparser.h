#ifndef PCDF_CDLPARSER_H
#define PCDF_CDLPARSER_H
/* The parser of CDL taken apart, for cdl.c, which reads headers, and for the command gen, which reads the
 * data behind them. An error has its place and sentence in the tokens' fault; functions that can fail return
 * its code. */

#include "cdltoken.h"

struct pcdf_cdl_parser {
    struct pcdf_tokens ts;
    struct pcdf_meta *meta;
    enum pcdf_cdl_empty_text empty_text;
    bool in_dims;   /* the section: "a = 5" is a dimension */
    bool is_forced; /* the user, and not the text, says the version */
    int version;    /* 1, 2 or 5 when the text or the user has said it, else 0 */
    bool has_data;  /* out: the header ended in `data:` */
    char *title;    /* the word behind `netcdf` */
    /* of the attribute that is read: */
    PCDF_ARRAY(struct pcdf_token) list; /* its constants */
    PCDF_ARRAY(char) chars;             /* bytes of those that are strings, one behind the other */
    PCDF_ARRAY(unsigned char) bytes;    /* its values in external form */
};

/* Before: ts, meta (empty), empty_text, and where the user asks for a version is_forced and version.
 * Reads up to the last brace, or behind `data:`, and settles the version: what was asked for, or what the
 * text says, or the first that allows what is defined. */
int pcdf_cdl_read_header(struct pcdf_cdl_parser *p);
/* All but meta and fault. */
void pcdf_cdl_parser_free(struct pcdf_cdl_parser *p);

/* cdlatt.c, for cdl.c. The part of an attribute behind the colon: name = values ; type: NC_NAT where none is
 * declared. */
int pcdf_cdl_read_att(struct pcdf_cdl_parser *p, int varid, nc_type type);
#endif
