#ifndef PCDF_JOININDEX_H
#define PCDF_JOININDEX_H
/* Parts of a mesh: a variable of each file tells the number that each of its elements has in the whole. */

#include "joinplan.h"

/* Local: axes of --index dim=variable, or those that MPAS has. is_part: false: the first file has none, or is
 * the whole mesh; then there are no axes. Says what is wrong. */
int pcdf_join_index_begin(struct pcdf_join_plan *plan, bool *is_part);
/* Collective: each number from the first to the last is there once; the lengths of the axes, and tiles. The
 * same on all ranks; says what is wrong. */
int pcdf_join_index_place_all(struct pcdf_join_plan *plan);

/* Numbers of values in external form. */
void pcdf_join_index_decode(nc_type type, const unsigned char *bytes, int64_t n, int64_t *to);
#endif
