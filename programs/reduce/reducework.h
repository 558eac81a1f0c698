#ifndef PCDF_REDUCEWORK_H
#define PCDF_REDUCEWORK_H
/* All values through all ranks, into the new file. */

#include "reduceplan.h"
#include "toolprogress.h"
#include "toolputs.h"

/* Collective. puts: into the new file. bytes: out, read by this rank. Says what is
 * wrong; the status of all ranks. */
int pcdf_reduce_work_all(struct pcdf_reduce_plan *plan, struct pcdf_tool_puts *puts,
                         struct pcdf_tool_progress *progress, int64_t *bytes);
/* Bytes that are read, by all ranks together. */
int64_t pcdf_reduce_work_bytes(const struct pcdf_reduce_plan *plan);
#endif
