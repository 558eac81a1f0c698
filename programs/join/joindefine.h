#ifndef PCDF_JOINDEFINE_H
#define PCDF_JOINDEFINE_H
/* The definitions of the new file. */

#include "joinplan.h"

/* plan->out and plan->layout, from the rest of the plan. Says what is wrong, and with --verbose which
 * attributes are dropped. Local. */
int pcdf_join_define(struct pcdf_join_plan *plan);
#endif
