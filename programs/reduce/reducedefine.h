#ifndef PCDF_REDUCEDEFINE_H
#define PCDF_REDUCEDEFINE_H
/* The definitions of the new file, with the attributes that CF wants. */

#include "reduceplan.h"

/* plan->out and what leads to it, from the rest of the plan. Says what is wrong. */
int pcdf_reduce_define(struct pcdf_reduce_plan *plan);
#endif
