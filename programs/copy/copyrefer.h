#ifndef PCDF_COPYREFER_H
#define PCDF_COPYREFER_H
/* Attributes whose text names variables or dimensions (CF: coordinates, bounds, cell_methods and others). */

#include "meta.h"

struct pcdf_copy_renamed {
    const char *old, *new;
};

/* Puts the new names in. An NC_ code. */
int pcdf_copy_refer(struct pcdf_meta *meta, const struct pcdf_copy_renamed *names, int n);
#endif
