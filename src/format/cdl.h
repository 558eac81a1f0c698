#ifndef PCDF_CDL_H
#define PCDF_CDL_H
/* The header part of CDL text (what ncdump -h prints and ncgen reads) -> definitions.
 *
 * Read as ncgen reads it: sections dimensions, variables and attributes in any number, names with \-escapes
 * and UTF-8, several declarations in a statement, typed and untyped attributes, all number suffixes,
 * hexadecimal and octal, lists of strings joined. A data section ends the header and is not looked at. Beyond
 * ncgen: the comments
 * "// file format: CDF-5 (...)" and "// (25 currently)" that ncdump writes set the version and the number of
 * records, a variable may be called like a section, constants that do not fit are errors, and `string`
 * attributes are kept as text. Not of the classic model, hence errors: groups, user-defined types, `string`
 * variables. */

#include "meta.h"

struct pcdf_cdl_fault { /* the first thing wrong: where, and what in words */
    int code;
    int line, column; /* both from 1; columns count bytes */
    char text[320];   /* "the dimension xyz of variable t is not declared" */
};

/* What the attribute `att = "" ;` holds: nothing, or one NUL, as ncgen writes it. */
enum pcdf_cdl_empty_text { PCDF_CDL_EMPTY, PCDF_CDL_NUL };

/* text[0..n) need not end in NUL. On NC_NOERR the caller frees meta. Otherwise meta is empty and `fault` (may
 * be NULL) is filled: NC_ENOTNC (not CDL), NC_EBADDIM, NC_ENOTVAR, NC_EBADTYPE, NC_ERANGE (a constant does
 * not fit), NC_ECHAR (text among numbers), NC_ENOMEM, the codes of rules.h and of pcdf_name_define. The
 * version is what the text says; otherwise the first of CDF-1, CDF-2, CDF-5 that allows what is defined. */
int pcdf_cdl_parse(const char *text, size_t n, enum pcdf_cdl_empty_text empty_text, struct pcdf_meta *meta,
                   struct pcdf_cdl_fault *fault);
#endif
