#ifndef PCDF_DEBUGLOG_H
#define PCDF_DEBUGLOG_H
/* What a person who looks for a fault wants to see, on standard error, a line a message with the rank in
 * MPI_COMM_WORLD in front (-1: MPI has no such communicator, as where sessions alone are used): every
 * failure's sentence, every hint that is not used, definitions that differ. Only where PARCDF_DEBUG, or
 * PnetCDF's PNETCDF_VERBOSE_DEBUG_MODE, is in the environment and does not begin with 0; otherwise the
 * library prints nothing, with one exception (pcdf_debuglog_tell). Local. */

#include <stdbool.h>

void pcdf_debuglog(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Also where nobody asks, once in this process and without the rank: a hint of ours that does nothing,
 * definitions of which only rank 0's are used.
 * PARCDF_QUIET, set and not beginning with 0, silences it. The caller sees to it that one rank speaks. */
void pcdf_debuglog_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool pcdf_debuglog_is_on(void);
#endif
