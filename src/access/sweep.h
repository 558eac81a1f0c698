#ifndef PCDF_SWEEP_H
#define PCDF_SWEEP_H
/* The moving part of a plan: the items that the sweep over the file has reached are lanes, of which the one
 * with the first block is on top. Of use to plan.c alone. */

#include "plan.h"

struct pcdf_lane {  /* in a heap */
    int64_t offset; /* of its block, as in its walk */
    int request;
    int slot; /* number of its walk */
};

/* Begins every item that may hold the next block; without lanes there is none. NC_ENOMEM. */
int pcdf_sweep_reach(struct pcdf_plan *plan);
/* Takes n bytes (whole elements) off the block on top. */
void pcdf_sweep_take(struct pcdf_plan *plan, int64_t n);
/* To the first elements that begin at or after `from`, wherever the sweep stands. NC_ENOMEM. */
int pcdf_sweep_seek(struct pcdf_plan *plan, int64_t from);
/* Room for one more lane. NC_ENOMEM. */
int pcdf_sweep_grow(struct pcdf_plan *plan);

/* Where an item ends; *blocks: at most how many it is. */
int64_t pcdf_item_end(const struct pcdf_plan *plan, const struct pcdf_item *item, int64_t *blocks);
#endif
