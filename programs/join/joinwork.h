#ifndef PCDF_JOINWORK_H
#define PCDF_JOINWORK_H
/* The values of the new file, shared out to the ranks. */

#include "joinplan.h"
#include "toolprogress.h"
#include "toolputs.h"

/* Where they go: a classic file, which has its header, by system calls; or one of the library. */
struct pcdf_join_target {
    const char *name;
    struct pcdf_tool_puts *puts; /* NULL: `name` */
};

/* The header of a classic file, by rank 0: before any values. Says what is wrong. */
int pcdf_join_write_header(const struct pcdf_join_plan *plan, const char *name);
/* This rank's share of the values; says what is wrong. Local for a classic file; else by rounds, which
 * pcdf_tool_puts_finish_all ends. *bytes: written. */
int pcdf_join_write_values_all(const struct pcdf_join_plan *plan, const struct pcdf_join_target *target,
                               struct pcdf_tool_progress *progress, int64_t *bytes);
#endif
