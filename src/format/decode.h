#ifndef PCDF_DECODE_H
#define PCDF_DECODE_H
/* Header bytes -> definitions and layout. Nothing in the bytes is trusted: each count is proved by
 * the bytes left before anything is allocated. */

#include "layout.h"

/* One per place in decode.c that refuses a file: PCDF_FAULT_MAGIC ... */
enum pcdf_fault_rule {
    PCDF_FAULT_NONE,
#define PCDF_FAULT(rule, how, code, meaning) PCDF_FAULT_##rule,
#include "faults.def"
#undef PCDF_FAULT
    PCDF_FAULT_RULES
};

struct pcdf_fault { /* the first thing wrong: where, which rule, in words */
    int code;
    enum pcdf_fault_rule rule;
    int64_t offset;
    char text[320]; /* "offset 44: name length 300 exceeds NC_MAX_NAME (256)" */
};

/* How a header is read. Strict is for files that may be written to: it refuses what makes writing unsafe.
 * Lenient is for files that are only read, old archives among them: data that is where the header says can be
 * read though variables are not in definition order, empty lists have a wrong tag, a name ends at a NUL, or
 * CDF-1 and CDF-2 have a dimension of up to 2^32-4. Both tell of what they tolerate (doc/checks.md). */
struct pcdf_reading {
    bool is_lenient;
    /* May be NULL: called for each thing tolerated, `code` being that of a strict reading, NC_NOERR for what
     * that tolerates too. Not to be used before a call without it found the header complete. */
    void (*told)(void *context, const struct pcdf_fault *fault);
    void *context;
    int64_t ntold;           /* out: how many there were */
    struct pcdf_fault first; /* out: the first, where ntold > 0 */
};

/* reading: NULL for the strict one. bytes[0..n): the first n bytes of a file of file_size bytes. *need: 0,
 * or, when n is too short to hold the header and the file has more, how many bytes to come back with (> n, <=
 * file_size); then nothing else is set. Otherwise NC_NOERR with meta and layout filled (the caller frees
 * both), or an error with `fault` filled: NC_ENOTNC, NC_EBADTYPE, NC_EBADDIM, NC_EMAXNAME, NC_EUNLIMIT,
 * NC_EVARSIZE, NC_ENOMEM ... (reference 4.10). meta->numrecs is what the header says, except STREAMING, which
 * is derived from file_size.
 */
int pcdf_decode(struct pcdf_reading *reading, const unsigned char *bytes, size_t n, int64_t file_size,
                int64_t *need, struct pcdf_meta *meta, struct pcdf_layout *layout, struct pcdf_fault *fault);

/* headerlength.c. Where the header ends that is among these first n bytes of a file, at a small part of
 * decode's cost; 0 when it cannot be told. Nothing is checked: only decode can say whether it is a header,
 * but it needs no more bytes to say so. */
int64_t pcdf_decode_header_length(const unsigned char *bytes, size_t n);
#endif
