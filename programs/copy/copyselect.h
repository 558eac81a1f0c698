#ifndef PCDF_COPYSELECT_H
#define PCDF_COPYSELECT_H
/* Indices chosen by the values of coordinates: `--select` and `--box`. Local.
 *
 * NAME=RANGE,... where a RANGE is LOW:HIGH (either may be missing), VALUE, ~VALUE (the nearest) or
 * VALUE~DISTANCE (the nearest, within). Numbers, or dates (copydates.h) where the coordinate has units of
 * time. Ranges of one name add up; of several names all hold. Each --box is such a list by itself: an index
 * is chosen that any of them has. */

#include "copyoptions.h"
#include "copypick.h"
#include "toolfile.h"

struct pcdf_copy_term; /* one NAME with its ranges */

struct pcdf_copy_select {
    const struct pcdf_copy_options *options;
    struct pcdf_copy_term *terms;
    int n;
};

/* For the coordinates that a file has. Says what is wrong, UNUSABLE; then there is nothing to end. */
int pcdf_copy_select_begin(struct pcdf_copy_select *select, const struct pcdf_copy_options *options,
                           const struct pcdf_tool_dataset *ds);
void pcdf_copy_select_end(struct pcdf_copy_select *select);
bool pcdf_copy_select_has(const struct pcdf_copy_select *select, int dimid);
/* The indices of a dimension; cut: out, to be freed. may_miss: a range may have none of them, or else the
 * sentence says which values there are. */
int pcdf_copy_select_cut(const struct pcdf_copy_select *select, struct pcdf_tool_dataset *ds, int dimid,
                         bool may_miss, struct pcdf_copy_cut *cut);
#endif
