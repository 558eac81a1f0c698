#ifndef PCDF_REDUCEWRITE_H
#define PCDF_REDUCEWRITE_H
/* What is in cells becomes numbers of the new file. Local; the file is in independent data mode. */

#include "reduceunits.h"

/* What the cells of a unit are. */
int pcdf_reduce_put_cells(struct pcdf_reduce_plan *plan, int ncid, const struct pcdf_reduce_unit *unit,
                          struct pcdf_reduce_cells *cells);
/* Numbers as they are, in the order of this machine. */
int pcdf_reduce_put(const struct pcdf_reduce_plan *plan, int ncid, const struct pcdf_reduce_unit *unit,
                    const void *numbers);
/* Coordinates of what is reduced, and their bounds. */
int pcdf_reduce_put_axes(const struct pcdf_reduce_plan *plan, int ncid);
#endif
