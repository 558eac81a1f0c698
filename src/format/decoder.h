#ifndef PCDF_DECODER_H
#define PCDF_DECODER_H
/* What decode.c (the grammar), overlap.c (where the data lies) and decodefault.c (what is wrong) share while
 * one header is decoded. Nothing else includes it. */

#include "bytes.h"
#include "decode.h"

struct pcdf_section { /* the fixed variables, or the record variables (their first record) */
    int64_t first, end;
    int64_t first_at; /* where in the header `first` stands */
    int n;
    bool in_order; /* no variable begins before the end of the one defined before it */
};

enum { PCDF_NUMRECS_AT = 4 }; /* where numrecs stands in a header */

struct pcdf_decoder {
    const unsigned char *bytes; /* of the file, the first n */
    size_t n, at;               /* at <= n <= file_size always */
    uint64_t file_size;
    struct pcdf_reading *reading;
    enum pcdf_version version;
    bool streaming;
    struct pcdf_var var; /* the one being read; the index of its attributes is owned until meta has it */
    struct pcdf_meta meta;
    int64_t *begin;           /* of each variable, owned */
    int nbegins, nvars;       /* there, as the header says */
    size_t vars_at, last_end; /* where the first variable begins, where the last that is known ends */
    struct pcdf_section fixed, record;
    struct pcdf_fault *fault;
};

static inline size_t pcdf_decoder_count_size(const struct pcdf_decoder *d) /* bytes of a NON_NEG */
{
    return d->version == PCDF_CDF5 ? 8 : 4;
}

/* decodefault.c. Something at offset `at` is against a rule, in words (printf-like). What faults.def says of
 * the rule and how the file is read decide: the rule's code, with the fault filled and its text kept as the
 * sentence; or NC_NOERR, and the reading is told of it. */
int pcdf_decoder_fault(struct pcdf_decoder *d, enum pcdf_fault_rule rule, int64_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* overlap.c. The begin of the variable just added, then all of them together when the header is known. */
int pcdf_decoder_begin(struct pcdf_decoder *d, int64_t at, uint64_t begin, const struct pcdf_var *var);
int pcdf_decoder_places(struct pcdf_decoder *d);
#endif
