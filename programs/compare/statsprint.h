#ifndef PCDF_STATSPRINT_H
#define PCDF_STATSPRINT_H
/* What stats found, as a table or as JSON, on standard output. */

#include "statspart.h"
#include "statschoice.h"
#include "statsjob.h"
#include "meaningvalues.h"

struct pcdf_stats_found {
    const struct pcdf_tool_dataset *ds;
    const struct pcdf_stats_choice *choice;
    const struct pcdf_stats_holes *holes; /* by varid, as the next ones */
    const struct pcdf_stats_part *whole;
    const struct pcdf_meaning_packing *packing;
    const struct pcdf_stats_bins *bins; /* NULL: no histograms */
};

void pcdf_stats_print(const struct pcdf_stats_found *found, const struct pcdf_stats_options *options);
#endif
