#ifndef PCDF_FINDINGS_H
#define PCDF_FINDINGS_H
/* The whole-file checker: every departure from the specification that header bytes and file size can show,
 * one finding each. Pure: the caller reads the file. What a lenient reading refuses is one error; what it
 * tolerates is found here, as warnings (the file reads well, but was not written as the specification says;
 * with a code: it is not opened for writing) and notes. doc/checks.md is the table of them all.
 */

#include "decode.h"

enum pcdf_severity { PCDF_FOUND_NOTE, PCDF_FOUND_WARNING, PCDF_FOUND_ERROR };

struct pcdf_finding {
    enum pcdf_severity severity;
    int code;       /* the NC_ code that the file is refused with (a warning: for writing), or NC_NOERR */
    int64_t offset; /* of the field or byte it is about */
    const char
        *rule; /* one word, stable: of faults.def, or "PADDING", "VSIZE", ... of findings.c (doc/checks.md) */
    const char *text; /* a sentence; may hold bytes of the file, so escape it before printing */
    int nbytes;       /* PADDING: how many bytes from offset on should be zero; otherwise 0 */
};

/* Called for each finding, first what decode tolerates and what it refuses, then those of the header in the
 * order of their offsets, then those of the file's
 * layout and size. The finding lives until the call returns. */
typedef void pcdf_found(void *context, const struct pcdf_finding *finding);

struct pcdf_check_result {
    int64_t count[3]; /* findings of each severity */
    bool decoded;     /* the fields below are set */
    enum pcdf_version version;
    int ndims, nvars, ngatts;
    int64_t numrecs, header_size;
    int64_t data_end; /* where the data ends when all of it was written, padding not counted */
};

/* The first n bytes of a file of file_size bytes. *need as in pcdf_decode: when it is not 0, come back with
 * that many bytes; nothing was found yet. NC_NOERR: checked, `result` and the findings say how good the file
 * is. NC_ENOMEM: no verdict. */
int pcdf_check(const unsigned char *bytes, size_t n, int64_t file_size, int64_t *need, pcdf_found *found,
               void *context, struct pcdf_check_result *result);
#endif
