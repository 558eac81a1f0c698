#ifndef PCDF_SHORTFILE_H
#define PCDF_SHORTFILE_H
/* A file that ends before its data does: cut off, or never written to its end. In a file that this handle may
 * write, what nobody wrote reads as zeros, without an error. In one that is only read somebody's data is
 * missing: its elements read as the variable's fill value and the get says NC_ETRUNC, which, like NC_ERANGE,
 * keeps nothing else from being delivered. */

#include "dataset.h"
#include "plan.h"

/* `data`: the bytes of one round of gets, just read. Elements that do not lie wholly in the file become fill
 * values, and their requests is_cut. A failure: the size cannot be asked for. Local. */
int pcdf_shortfile_fill(struct pcdf_dataset *ds, const struct pcdf_plan *plan, const struct pcdf_round *round,
                        unsigned char *data);
#endif
