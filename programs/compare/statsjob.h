#ifndef PCDF_STATSJOB_H
#define PCDF_STATSJOB_H
/* `parcdf stats`: the values of a file, or of several as one, shared out to ranks, what they find put
 * together, and printed. */

#include "toolranks.h"

enum { PCDF_STATS_LISTS = 64 };

struct pcdf_stats_options {
    const char *lists[PCDF_STATS_LISTS]; /* of -v */
    int nlists;
    int bins; /* 0: no histograms */
    bool has_range;
    double lo, hi;
    bool is_list, is_json, is_raw;
    const char *const *paths;
    int npaths;
    const char *along; /* joins several files (toolseries.h); NULL: to be found */
};

/* Collective: all ranks read, rank 0 prints. Gives an exit status. */
int pcdf_stats_run_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_stats_options *options);
#endif
