#ifndef PCDF_REDUCEWRITE_H
#define PCDF_REDUCEWRITE_H
/* What is in cells becomes numbers of the new file. */

#include "reduceunits.h"
#include "toolputs.h"

/* What the cells of a unit are. */
int pcdf_reduce_put_cells_all(struct pcdf_reduce_plan *plan, struct pcdf_tool_puts *puts,
                              const struct pcdf_reduce_unit *unit, struct pcdf_reduce_cells *cells);
/* Numbers as they are, in the order of this machine. */
int pcdf_reduce_put_all(const struct pcdf_reduce_plan *plan, struct pcdf_tool_puts *puts,
                        const struct pcdf_reduce_unit *unit, const void *numbers);
/* Coordinates of what is reduced, and their bounds. */
int pcdf_reduce_put_axes_all(const struct pcdf_reduce_plan *plan, struct pcdf_tool_puts *puts);
#endif
