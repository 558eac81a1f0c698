#ifndef PCDF_STATUS_H
#define PCDF_STATUS_H
/* How errors travel: an NC_ code is returned, a sentence about it is kept beside it, one per thread.
 * The library never prints the sentence; parcdf_last_error() hands it out. */

#include <stdbool.h>
#include <stdint.h>
#include "codes.h"

/* Keeps the sentence (printf-like) and returns `code`. Local. */
int pcdf_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts a lead ("file x.nc, rank 3: ") before the kept sentence. A second lead in one failure is ignored. */
void pcdf_fail_lead(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The kept sentence; "" when nothing failed since pcdf_fail_clear(). Valid until this thread's next failure.
 */
const char *pcdf_fail_text(void);
void pcdf_fail_clear(void);

enum { PCDF_SENTENCE = 1024 };
/* Around what may fail without that its caller fails: the caller's own sentence is kept again after it. */
void pcdf_fail_save(char sentence[PCDF_SENTENCE]);
void pcdf_fail_restore(const char sentence[PCDF_SENTENCE]);

/* How this thread's caller counts and names functions. C: from 0, the record dimension first, ncmpi_enddef.
 * Fortran: from 1, dimensions in the opposite order, nfmpi_enddef or nf90mpi_enddef. Sentences tell the
 * numbers that a caller gives or would give through the three below. */
enum pcdf_caller { PCDF_CALLER_C, PCDF_CALLER_F77, PCDF_CALLER_F90 };
void pcdf_tell_caller(enum pcdf_caller caller);
int pcdf_told_id(int id);              /* of a dimension, variable, attribute */
long long pcdf_told_index(int64_t at); /* of an element or record */
int pcdf_told_dim(int dim, int ndims); /* a place among the dimensions of a variable */

struct pcdf_error { /* a row of errors.def */
    int code;
    const char *name, *sentence; /* "NC_EBADID"; NULL of an unknown code */
};
const struct pcdf_error *pcdf_error_of(int code);

/* A failure is never 0. Said here, where it is inlined, so that the compiler knows it in the caller too. */
static inline int pcdf_failed(int code)
{
    return code ? code : NC_EINTERNAL;
}

#define PCDF_FAIL(code, ...) pcdf_failed(pcdf_fail((code), __VA_ARGS__))

/* Leaves the calling function with the error. Never used between collectives. */
#define PCDF_TRY(expr)                                                                                       \
    do {                                                                                                     \
        int pcdf_try_ = (expr);                                                                              \
        if (pcdf_try_)                                                                                       \
            return pcdf_try_;                                                                                \
    } while (0)

/* Keeps the first error and goes on: the rule between collectives. */
static inline void pcdf_first(int *status, int err)
{
    if (*status == NC_NOERR)
        *status = err;
}
#endif
