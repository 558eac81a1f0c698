#ifndef PCDF_DECODER_H
#define PCDF_DECODER_H
/* What decode.c (the grammar) and overlap.c (where the data lies) share while one header is decoded. Nothing
 * else includes it. */

#include "bytes.h"
#include "decode.h"

struct pcdf_section { /* the fixed variables, or the record variables (their first record) */
    int64_t first, end;
    int64_t first_at; /* where in the header `first` stands */
    int n;
    bool in_order; /* no variable begins before the end of the one defined before it */
};

struct pcdf_decoder {
    struct pcdf_reader r;
    struct pcdf_reading *reading;
    int64_t file_size;
    enum pcdf_version version;
    bool streaming;
    int64_t numrecs_at;
    struct pcdf_meta meta;
    int64_t *begin;           /* of each variable, owned */
    int nbegins, nvars;       /* there, as the header says */
    size_t vars_at, last_end; /* where the first variable begins, where the last that is known ends */
    struct pcdf_section fixed, record;
    struct pcdf_fault *fault;
};

/* Fills the fault and keeps its text as the sentence; the rule's code. */
int pcdf_decoder_refuse(struct pcdf_decoder *d, enum pcdf_fault_rule rule, int64_t at, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));
/* Refuses a file that may be written to; tells of it, and NC_NOERR, in one that is only read. */
int pcdf_decoder_depart(struct pcdf_decoder *d, enum pcdf_fault_rule rule, int64_t at, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* overlap.c. The begin of the variable just added, then all of them together when the header is known. */
int pcdf_decoder_begin(struct pcdf_decoder *d, int64_t at, uint64_t begin, const struct pcdf_var *var);
int pcdf_decoder_places(struct pcdf_decoder *d);
#endif
