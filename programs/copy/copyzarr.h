#ifndef PCDF_COPYZARR_H
#define PCDF_COPYZARR_H
/* A copy to a Zarr store (../zarr). */

#include "copyplan.h"
#include "toolprogress.h"

/* Collective. The store of the plan's definitions, with the values of `from`; bytes: out, of values, moved by
 * this rank. Says what is wrong; the same status on all ranks. */
int pcdf_copy_zarr_all(const struct pcdf_tool_ranks *ranks, struct pcdf_copy_plan *plan,
                       const struct pcdf_copy_options *options, struct pcdf_tool_progress *progress,
                       struct pcdf_tool_dataset *from, int64_t *bytes);

/* What -k, or the name of TO, makes of the other options, before a plan is made. */
void pcdf_copy_zarr_options(struct pcdf_copy_options *options);
#endif
