#ifndef PCDF_FOREIGNCOPY_H
#define PCDF_FOREIGNCOPY_H
/* One copy to netCDF-4, from options to a whole file. */

#include "copyoptions.h"
#include "toolranks.h"

struct pcdf_foreign_options {      /* what the arguments say, the same on all ranks */
    struct pcdf_copy_options copy; /* what `parcdf copy` knows, too */
    bool is_classic_model;         /* the file is marked for it, and has the types of CDF-1 */
};

/* Collective. Gives an exit status, the same on all ranks. */
int pcdf_foreign_copy_all(const struct pcdf_tool_ranks *ranks, struct pcdf_foreign_options *options);
#endif
