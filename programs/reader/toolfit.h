#ifndef PCDF_TOOLFIT_H
#define PCDF_TOOLFIT_H
/* Several files of the same definitions: does another one fit the first? Each command says in its own words
 * what does not, and what it lets pass. Local. */

#include "meta.h"

/* In the order in which they are looked for. */
enum pcdf_tool_misfit {
    PCDF_FIT_ABSENT, /* a variable of the first file is not there */
    PCDF_FIT_TYPE,
    PCDF_FIT_NDIMS,     /* NULL: as TYPE */
    PCDF_FIT_DIM,       /* a dimension of a variable has another name */
    PCDF_FIT_UNLIMITED, /* it is the record dimension, and not in the first file */
    PCDF_FIT_FIXED,     /* the other way round */
    PCDF_FIT_RECORDS,   /* another number of them */
    PCDF_FIT_LENGTH,    /* of another dimension */
    PCDF_FIT_DATES,     /* time counts in other units, or from another date; NULL: as MEANING */
    PCDF_FIT_MEANING,   /* an attribute that says what its numbers mean */
    PCDF_FIT_MORE,      /* a variable that the first file has not */
    PCDF_FIT_MISFITS
};

struct pcdf_tool_fit {
    /* The sentence of each; NULL: it does not matter. What is put in: $v the variable, $d its dimension ($e:
     * as the first file names it), $n a length or a number, and $m that of the first file, $t its type and $u
     * that in the first file, $a the attribute, $f the first file. */
    const char *const *words;
    const struct pcdf_meta *first, *mine;
    const char *first_path, *path;
    int record_dim; /* of the first file; -1: none */
    /* What a dimension of the first file must have; -1: any length. NULL: what it has. */
    int64_t (*length)(const void *context, int dimid);
    const void *context;
    bool skips_units; /* units and calendars do not matter */
};

/* Do all variables fit? Else the first misfit is said, UNUSABLE. */
int pcdf_tool_fit_file(const struct pcdf_tool_fit *fit);
/* Does this one of the first file? */
int pcdf_tool_fit_variable(const struct pcdf_tool_fit *fit, int varid);
/* Does the file have none that the first one has not? */
int pcdf_tool_fit_no_more(const struct pcdf_tool_fit *fit);
#endif
