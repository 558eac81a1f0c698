#ifndef PCDF_FOOTPRINT_H
#define PCDF_FOOTPRINT_H
/* Which parts of the variables the puts that wait cover (defer.h). Puts of one rank keep their order in one
 * plan, puts of different ranks do not: so a call whose range of a variable meets what an earlier call left
 * waiting is written after it. Stretches and not pieces: who writes a variable from its begin to its end,
 * record by record or slab by slab, meets nothing. Local; what goes into the table is agreed, so it is the
 * same on all ranks. */

#include "dataset.h"

struct pcdf_footprint { /* variables, and bytes from their begin */
    int64_t first_var, last_var;
    struct pcdf_span bytes;
};

extern const struct pcdf_footprint pcdf_footprint_none; /* covers nothing */
void pcdf_footprint_add(struct pcdf_footprint *footprint, const struct pcdf_request *request,
                        const struct pcdf_var_layout *layout);

/* Room for nvars variables; NC_ENOMEM. */
int pcdf_footprints_room(struct pcdf_footprints *footprints, int nvars);
bool pcdf_footprints_meet(const struct pcdf_footprints *footprints, const struct pcdf_footprint *call);
void pcdf_footprints_add(struct pcdf_footprints *footprints, const struct pcdf_footprint *call);
#endif
