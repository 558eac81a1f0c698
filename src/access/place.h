#ifndef PCDF_PLACE_H
#define PCDF_PLACE_H
/* Where a variable lies and what stands in for its values: taken from the definitions when data is about to
 * move, since a redef may come between posting a request and waiting for it. */

#include "layout.h"

struct pcdf_place {
    int64_t begin;
    int64_t xsize;
    int ndims, varid;
    nc_type type;
    int64_t
        *step; /* owned; file bytes between neighbours in each dimension, recsize in the record dimension */
    unsigned char fill[8]; /* the variable's fill value as it stands in a file */
};

/* NC_ENOMEM. */
int pcdf_place_make(struct pcdf_place *place, const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                    int varid);
void pcdf_place_free(struct pcdf_place *place);
#endif
