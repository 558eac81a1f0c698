#ifndef PCDF_TOOLPROGRESS_H
#define PCDF_TOOLPROGRESS_H
/* One line on standard error, where that is a terminal, that says how far a long command is (a launcher of
 * MPI stands between it and a terminal: then there is none). It is drawn by rank 0 from its own share of the
 * work, at most ten times a second, and not at all in the first second. */

#include <stdbool.h>
#include <stdint.h>
#include "toolranks.h"

struct pcdf_tool_progress {
    const char *what; /* "comparing" */
    int64_t total;    /* bytes of all ranks */
    int64_t done;     /* of this rank */
    int size;
    bool is_shown, is_drawn;
    double begun, drawn; /* seconds */
};

void pcdf_tool_progress_begin(struct pcdf_tool_progress *p, const struct pcdf_tool_ranks *ranks,
                              const char *what, int64_t total);
void pcdf_tool_progress_add(struct pcdf_tool_progress *p, int64_t bytes);
/* Takes the line away. */
void pcdf_tool_progress_end(struct pcdf_tool_progress *p);

/* Seconds, of a clock that nobody sets. */
double pcdf_tool_seconds(void);
#endif
