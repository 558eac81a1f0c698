#ifndef PCDF_TOOLHISTORY_H
#define PCDF_TOOLHISTORY_H
/* The attribute `history` (NUG, appendix A): a line with a date for each command that changed the file. */

#include "meta.h"
#include "toolranks.h"

struct pcdf_tool_history {
    char command[4096]; /* as it was given, cut where it is longer */
    int64_t now;        /* seconds since 1970; the same on all ranks */
};

/* The command, before its arguments are put in another order. */
void pcdf_tool_history_keep(struct pcdf_tool_history *history, int argc, char **argv);
/* Collective: the time, as rank 0 has it. */
void pcdf_tool_history_now_all(struct pcdf_tool_history *history, const struct pcdf_tool_ranks *ranks);
/* A line for it before those that `meta` has. An NC_ code, with its sentence. */
int pcdf_tool_history_put(const struct pcdf_tool_history *history, struct pcdf_meta *meta);
#endif
