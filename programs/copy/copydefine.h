#ifndef PCDF_COPYDEFINE_H
#define PCDF_COPYDEFINE_H
/* A file as the library makes it, with the definitions of a plan. */

#include "copyplan.h"
#include "toolputs.h"

/* Collective: creates the file `name`, defines everything, and begins to put. chunks: of a netCDF-4 file, by
 * variable, NULL where it has none; else NULL. On failure says so on rank 0, gives PCDF_TOOL_UNUSABLE on all,
 * and the file is closed. */
int pcdf_copy_create_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_plan *plan,
                         const struct pcdf_copy_options *options, int64_t *const *chunks, const char *name,
                         struct pcdf_tool_puts *puts);
/* Collective: opens TO, which has the definitions, the same way, for records behind those it has. */
int pcdf_copy_open_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_options *options,
                       struct pcdf_tool_puts *puts);
#endif
