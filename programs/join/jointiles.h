#ifndef PCDF_JOINTILES_H
#define PCDF_JOINTILES_H
/* Tiles as models write them: what the attributes of a file say of its place in the whole. */

#include "joinplan.h"

/* Local: how the first file says that it is a tile, and the axes of that; PCDF_JOIN_ALONG: it does not. */
int pcdf_join_tiles_begin(struct pcdf_join_plan *plan, enum pcdf_join_way *way);
/* Local: the spans of a file on the plan's axes, by its attributes. Says what is wrong. */
int pcdf_join_tiles_place(const struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds,
                          struct pcdf_join_span *spans);
/* Axes of `--layout x:4,y:2`; spans of all files, from the lengths that they have. Local. */
int pcdf_join_layout_begin(struct pcdf_join_plan *plan);
int pcdf_join_layout_place(struct pcdf_join_plan *plan);
/* An attribute that told of the tile alone: true, it is dropped; a value that it has in the whole: *to, of
 * integers. varid: NC_GLOBAL or a variable's. */
bool pcdf_join_tiles_drop(const struct pcdf_join_plan *plan, int varid, const char *name);
bool pcdf_join_tiles_whole(const struct pcdf_join_plan *plan, const char *name, int64_t *to);
/* How many files there should be, as the first one says; 0: it does not. */
int64_t pcdf_join_tiles_total(const struct pcdf_join_plan *plan);
/* Collective in effect, since all ranks find the same: says that a part of the grid has no tile, and which
 * files seem to be missing. */
int pcdf_join_tiles_missing(const struct pcdf_join_plan *plan, const int *chosen, int n, const int64_t *hole);
#endif
