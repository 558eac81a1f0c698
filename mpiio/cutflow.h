#ifndef PCDF_CUTFLOW_H
#define PCDF_CUTFLOW_H
/* A flow that ends early: elements that begin at or behind `end` are not there. For the fault engine. */

#include "extents.h"

struct pcdf_cut {
    const struct pcdf_flow *whole;
    int64_t end;
};

/* cut and whole must outlive what is returned. */
struct pcdf_flow pcdf_cutflow(struct pcdf_cut *cut, const struct pcdf_flow *whole, int64_t end);
#endif
