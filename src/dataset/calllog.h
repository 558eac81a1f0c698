#ifndef PCDF_CALLLOG_H
#define PCDF_CALLLOG_H
/* The calls of the interface on one file, in the log that the hint pcdf_trace asks for: a line a call,
 * between the storage's (storage/tracefile.h has the form). ds->log is NULL without the hint, and looking at
 * it is all that a call then costs. Calls on the definitions are not among them: they do not touch the file.
 *
 * WAY, how the bytes of this rank went:
 *     -          the call moves none        nothing    it could, but no rank had any
 *     alone      an independent call        offsets    each rank its own pieces, at explicit offsets
 *     exchange   through the windows        views      by MPI-IO's collective calls
 *     posted     they wait for wait         deferred   they wait for another call (hint pcdf_defer)
 * WHY, what decided it: hint; one-rank; verify; short-file; no-exchange: the engine cannot; pieces-large,
 * piece-one, pieces-small, file-striped; ranks-share: of a far file; other-rank: another rank's need was
 * larger;
 * "-". All Local. */

#include "access.h"
#include "dataset.h"
#include "vote.h"

struct pcdf_tracefile;

/* Reads the hint. No memory: there is no log, and nothing fails. begins: of the call that opens the file. */
struct pcdf_calllog *pcdf_calllog_make(const struct pcdf_hints *hints, int rank);
void pcdf_calllog_free(struct pcdf_calllog *log); /* NULL is nothing */
struct pcdf_tracefile *pcdf_calllog_file(struct pcdf_calllog *log);
/* The file is open: what the reader of the log should know of where it is. */
void pcdf_calllog_environment(const struct pcdf_dataset *ds);

void pcdf_calllog_begin(struct pcdf_calllog *log);
/* A part of what the call moves. way, why: string constants; those of the part that moves most count. */
void pcdf_calllog_add(struct pcdf_calllog *log, enum pcdf_dir dir, int64_t bytes, int64_t pieces,
                      const char *way, const char *why);
/* varid: -1 none. Without a log nothing. Returns err. */
int pcdf_calllog_end(const struct pcdf_dataset *ds, const char *name, int varid, int err);
void pcdf_calllog_end_access(const struct pcdf_dataset *ds, int varid, const struct pcdf_access *access,
                             bool many, int err);

#define PCDF_CALL_BEGIN(ds) ((ds)->log ? pcdf_calllog_begin((ds)->log) : (void)0)
/* The value of `call`, which is made between begin and end. */
#define PCDF_CALLED(ds, name, varid, call) (PCDF_CALL_BEGIN(ds), pcdf_calllog_end(ds, name, varid, call))
#endif
