#ifndef PCDF_COPYDEFINE_H
#define PCDF_COPYDEFINE_H
/* A file as the library makes it, with the definitions of a plan. */

#include "copyplan.h"
#include "toolranks.h"

/* Collective: creates the file `name`, defines everything, and leaves it in independent data mode. to: the
 * path for sentences. On failure says so on rank 0, gives PCDF_TOOL_UNUSABLE on all, and the file is closed.
 */
int pcdf_copy_create_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_plan *plan,
                         const struct pcdf_copy_options *options, const char *name, const char *to,
                         int *ncid);
/* Collective: opens `to`, which has the definitions, the same way, for records behind those it
 * has. */
int pcdf_copy_open_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_options *options,
                       const char *to, int *ncid);
/* Collective: what was written is counted and on the storage. to: for the sentence of a
 * failure; NULL: it was said already. */
int pcdf_copy_close_all(int ncid, const char *to);
#endif
