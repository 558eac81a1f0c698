#ifndef PCDF_CALCWORK_H
#define PCDF_CALCWORK_H
/* The work of this rank: boxes of variables are evaluated, or copied, and put. */

#include "calcplan.h"
#include "exprread.h"
#include "toolprogress.h"
#include "toolputs.h"

struct pcdf_calc_work {
    const struct pcdf_calc_plan *plan;
    const struct pcdf_tool_ranks *ranks;
    struct pcdf_tool_dataset **datasets;
    struct pcdf_tool_progress *progress;
    struct pcdf_tool_puts *puts;
    int64_t
        *lost; /* by varid: values that are missing since they do not fit; then those within expressions */
};

/* Ranks do different numbers of puts: then they finish them. Says what is wrong. */
int pcdf_calc_work_all(struct pcdf_calc_work *work);
#endif
