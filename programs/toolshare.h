#ifndef PCDF_TOOLSHARE_H
#define PCDF_TOOLSHARE_H
/* One look at the files of a command, for all ranks. */

#include "toolranks.h"
#include "toolsource.h"

/* Collective. Rank 0 looks at these names; the images go to all ranks, and pcdf_tool_source_open takes them,
 * however often. What is wrong with one is said when it is opened, on rank 0 alone. Fails, on all ranks, if
 * there is no memory. */
int pcdf_tool_sources_share_all(const struct pcdf_tool_ranks *ranks, struct pcdf_tool_sharing sharing, int n,
                                const char *const *paths);
#endif
