#ifndef PCDF_CALCWORK_H
#define PCDF_CALCWORK_H
/* The work of this rank: boxes of variables are evaluated, or copied, and written. Local; the file is in
 * independent data mode. */

#include "calcplan.h"
#include "exprread.h"
#include "toolprogress.h"
#include "toolranks.h"

struct pcdf_calc_work {
    const struct pcdf_calc_plan *plan;
    const struct pcdf_tool_ranks *ranks;
    struct pcdf_tool_dataset **datasets;
    struct pcdf_tool_progress *progress;
    int ncid;
    int64_t
        *lost; /* by varid: values that are missing since they do not fit; then those within expressions */
};

/* Says what is wrong. */
int pcdf_calc_work(struct pcdf_calc_work *work);
#endif
