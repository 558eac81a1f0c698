#ifndef PCDF_JOINWORK_H
#define PCDF_JOINWORK_H
/* The values of the new file, shared out to the ranks. */

#include "joinplan.h"
#include "toolprogress.h"

/* The header, by rank 0: before any values. Says what is wrong. */
int pcdf_join_write_header(const struct pcdf_join_plan *plan, const char *name);
/* This rank's share of the values, into the file of that name. Local; says what is wrong. *bytes: written. */
int pcdf_join_write_values(const struct pcdf_join_plan *plan, const char *name,
                           struct pcdf_tool_progress *progress, int64_t *bytes);
#endif
