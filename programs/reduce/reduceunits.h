#ifndef PCDF_REDUCEUNITS_H
#define PCDF_REDUCEUNITS_H
/* The work, cut into units: boxes of a new variable, and for those of few values also runs of what is
 * reduced. Units depend on the shapes alone, so what is added to what, in which order, is the same on any
 * number of ranks. Pure. */

#include "reduceplan.h"
#include "toolgrid.h"

struct pcdf_reduce_unit {
    int var;                /* of the input */
    int64_t number, index;  /* among all units, and among those of the variable */
    int64_t *start, *count; /* of each dimension of the variable: indices, of a grouped one groups */
    int64_t cells;          /* values of the new variable in it */
    int64_t part, nparts;   /* of the values of each cell */
};

struct pcdf_reduce_shape {  /* how one variable is cut */
    struct pcdf_grid boxes; /* of the new variable: reduced dimensions have a length of 1 */
    int64_t ncells;         /* of the new variable */
    int cut;                /* reduced dimension that is cut into nparts; -1: none */
    int64_t nparts, nunits;
    int64_t reduced; /* values of a cell, at most */
    int bits;        /* of a quantile: its values are not kept, but counted in passes of so many bits; or 0 */
};

/* Of the memory for data: what units in work, parts of variables and weights may take, half of the first at
 * most by one unit. The rest is of the reader. */
enum pcdf_reduce_share { PCDF_REDUCE_UNITS, PCDF_REDUCE_PARTS, PCDF_REDUCE_WEIGHTS };
int64_t pcdf_reduce_memory(const struct pcdf_reduce_plan *plan, enum pcdf_reduce_share share);

/* false: no memory. In any case pcdf_grid_end is to end the boxes. */
bool pcdf_reduce_shape_of(const struct pcdf_reduce_plan *plan, int var, struct pcdf_reduce_shape *shape);
/* Unit number i of a variable. start and count: room for its dimensions. */
void pcdf_reduce_unit_at(const struct pcdf_reduce_plan *plan, struct pcdf_reduce_shape *shape, int var,
                         int64_t i, struct pcdf_reduce_unit *unit);
#endif
