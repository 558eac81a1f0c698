#ifndef PCDF_HINTS_H
#define PCDF_HINTS_H
/* Hints of one file, from base/hintrows.def. Precedence (reference 3): PNETCDF_HINTS over MPI_Info over
 * arguments over defaults. Unknown hints are passed on to MPI-IO, but for those that begin with pcdf_, as
 * ours do. A value that cannot be read is as if it were not given, and the debug log says so; of a hint that
 * begins with pcdf_, and has no effect, everybody hears (pcdf_debuglog_tell). */

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define PCDF_HINT_TEXT_MAX 256

typedef int64_t pcdf_hint_INT64, pcdf_hint_NOTED;
typedef char pcdf_hint_TEXT[PCDF_HINT_TEXT_MAX];

struct pcdf_hints {
#define PCDF_HINT(name, kind, field, fallback, allowed, help) pcdf_hint_##kind field;
#include "hintrows.def"
#undef PCDF_HINT
    bool speaks;   /* this rank tells of hints without effect */
    MPI_Info user; /* what the user gave, PNETCDF_HINTS merged in; MPI_INFO_NULL when nothing */
};

/* Local. speaks: this rank is the one that tells of hints without effect. NC_ENOMEM, NC_EMPI. */
int pcdf_hints_read(struct pcdf_hints *hints, MPI_Info info, bool speaks);
void pcdf_hints_free(struct pcdf_hints *hints);
/* All hints of the table with the values in force, added to info (ncmpi_inq_file_info). */
int pcdf_hints_report(const struct pcdf_hints *hints, MPI_Info info);
/* Of all values in force; equal hints have equal hashes on all ranks. */
uint64_t pcdf_hints_hash(const struct pcdf_hints *hints);
#endif
