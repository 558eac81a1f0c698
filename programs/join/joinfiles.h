#ifndef PCDF_JOINFILES_H
#define PCDF_JOINFILES_H
/* The headers of all files against the first one. */

#include "joinplan.h"

/* Collective: each rank looks at some files. Facts of all files, spans of tiles that tell their place, and
 * which attributes differ. The same on all ranks; says what is wrong. */
int pcdf_join_files_all(struct pcdf_join_plan *plan);
/* Number of the first attribute of a variable, or NC_GLOBAL, in plan->differs. */
int64_t pcdf_join_first_att(const struct pcdf_meta *meta, int varid);
#endif
