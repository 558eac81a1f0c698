#ifndef PCDF_HINTS_H
#define PCDF_HINTS_H
/* Hints of one file, from base/hintrows.def and base/otherhints.def. Precedence (reference 3): PNETCDF_HINTS
 * over MPI_Info over arguments over defaults. Unknown hints are passed on to MPI-IO, but for those that begin
 * with pcdf_, as ours do. A value that cannot be read is as if it were not given, and the debug log says so;
 * of a hint that begins with pcdf_, and has no effect, everybody hears (pcdf_debuglog_tell). */

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include "hintrows.h"

#define PCDF_HINT_TEXT_MAX 256

/* ENUMs of the table that the library asks for: their words, in that order. Those of pcdf_sieve and
 * pcdf_debug_chunk_share: sieve.h, storage.h. */
enum {
    PCDF_HINT_STRATEGY_AUTO,
    PCDF_HINT_STRATEGY_VIEWS,
    PCDF_HINT_STRATEGY_TWOPHASE,
    PCDF_HINT_STRATEGY_INDEPENDENT
};
enum { PCDF_CONSISTENCY_WARN, PCDF_CONSISTENCY_ERROR };
enum { PCDF_COMMIT_NONE, PCDF_COMMIT_AUTO, PCDF_COMMIT_CLOSE, PCDF_COMMIT_STEP, PCDF_COMMIT_RECORD };
enum { PCDF_MOVE_NEAR, PCDF_MOVE_FAR, PCDF_MOVE_INSERT };
enum { PCDF_JOURNAL_AUTO, PCDF_JOURNAL_OFF };
enum { PCDF_CLONE_AUTO, PCDF_CLONE_OFF };
enum { PCDF_FORMAT_ASKED, PCDF_FORMAT_NETCDF4, PCDF_FORMAT_NETCDF4_CLASSIC };
enum { PCDF_CHECKSUM_NONE, PCDF_CHECKSUM_CRC32C };

/* What is no text is a number: an ENUM which of its words, a BOOL 0 or 1. */
typedef int64_t pcdf_hint_INT64, pcdf_hint_NOTED, pcdf_hint_ENUM, pcdf_hint_BOOL;
typedef char pcdf_hint_TEXT[PCDF_HINT_TEXT_MAX];

struct pcdf_hints {
#define PCDF_HINT(name, kind, ranks, field, fallback, allowed, help) pcdf_hint_##kind field;
#include "hintrows.def"
#undef PCDF_HINT
    int64_t puts_independent, gets_independent; /* collective calls with strategy auto go so */
    char words[PCDF_HINT_TEXT_MAX + 2];         /* words of pcdf_set by old names; full: more */
    bool speaks;                                /* this rank tells of hints without effect */
    uint64_t asked;                             /* hash of what must be equal (safe mode) */
    /* What the user gave, with PNETCDF_HINTS merged in. MPI_INFO_NULL when nothing was given. */
    MPI_Info user;
};

/* Local. speaks: this rank is the one that tells of hints without effect. NC_ENOMEM, NC_EMPI. */
int pcdf_hints_read(struct pcdf_hints *hints, MPI_Info info, bool speaks);
/* The same, of PNETCDF_HINTS alone, where MPI need not be there. No file of MPI-IO can be opened with them.
 */
int pcdf_hints_read_without_mpi(struct pcdf_hints *hints);
/* Local: hints that this library or file lacks, names with blanks between them, get their defaults; with
 * NAME=WORD>OTHER, OTHER if it has this value. Of one that had another value a sentence tells of it, which
 * begins with `why`. */
void pcdf_hints_drop(struct pcdf_hints *hints, const char *names, const char *why);
void pcdf_hints_free(struct pcdf_hints *hints);
/* All hints of the table with the values in force, added to info (ncmpi_inq_file_info), and those of other
 * libraries that the user gave. */
int pcdf_hints_report(const struct pcdf_hints *hints, MPI_Info info);

/* Local. Hints that are not each rank's OWN, as numbers for an agreement of all ranks in which the largest
 * holds: what this rank says, and what holds then. A TEXT is not among them. */
enum {
    PCDF_HINTS_AGREED = 0
#define PCDF_HINT(name, kind, ranks, field, fallback, allowed, help)                                         \
    +(PCDF_HINT_##ranks != PCDF_HINT_OWN && PCDF_HINT_##kind != PCDF_HINT_TEXT)
#include "hintrows.def"
#undef PCDF_HINT
};
void pcdf_hints_propose(const struct pcdf_hints *hints, bool is_root, int64_t *numbers);
void pcdf_hints_agreed(struct pcdf_hints *hints, const int64_t *numbers);
#endif
