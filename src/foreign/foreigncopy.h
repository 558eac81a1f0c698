#ifndef PCDF_FOREIGNCOPY_H
#define PCDF_FOREIGNCOPY_H
/* One copy, from options to a whole file. */

#include "foreign.h"

/* Collective. Gives an exit status, the same on all ranks. */
int pcdf_foreign_copy_all(const struct pcdf_tool_team *team, struct pcdf_foreign_options *options);

/* nctarget.c's side of it: the plan's values into a netCDF-4 file or a store. Collective. */
struct pcdf_copy_plan;
int pcdf_foreign_write_nc_all(const struct pcdf_tool_team *team, struct pcdf_foreign_source *source,
                              struct pcdf_copy_plan *plan, const struct pcdf_foreign_options *options,
                              int64_t *bytes);
#endif
