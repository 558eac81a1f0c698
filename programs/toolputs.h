#ifndef PCDF_TOOLPUTS_H
#define PCDF_TOOLPUTS_H
/* What the ranks of a command put into one file, each as often as it has something. A classic file is in
 * independent data mode, and each put goes by itself. Chunks of a netCDF-4 file have owners, to whom puts go
 * through all ranks: there all ranks put in rounds, and who has nothing left takes part in those of others.
 */

#include "toolranks.h"

struct pcdf_tool_puts {
    const struct pcdf_tool_ranks *ranks;
    const char *to; /* for sentences */
    int ncid;
    bool is_together; /* in rounds */
    bool is_over;     /* a rank failed, so there are no more rounds */
};

struct pcdf_tool_put {
    int varid;
    const int64_t *start, *count;
    const void *values;
    bool are_doubles; /* whatever the variable is; else values are of its type */
};

/* Collective: the file, which is in data mode, is ready for puts. Says what is wrong; the same on all
 * ranks. */
int pcdf_tool_puts_begin_all(struct pcdf_tool_puts *puts, const struct pcdf_tool_ranks *ranks, int ncid,
                             const char *to);
/* Where the file is_together, each other rank puts or finishes meanwhile. Says what is wrong; UNUSABLE also
 * where another rank failed, and then one finishes. */
int pcdf_tool_put_all(struct pcdf_tool_puts *puts, const struct pcdf_tool_put *put);
/* Collective: this rank has nothing left, or failed. The status of all ranks; then all may put again, if it
 * is good. */
int pcdf_tool_puts_finish_all(struct pcdf_tool_puts *puts, int status);
/* Collective: the file is closed. to: for the sentence of a failure; NULL: it was said already. */
int pcdf_tool_puts_close_all(struct pcdf_tool_puts *puts, const char *to);
#endif
