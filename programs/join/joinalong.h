#ifndef PCDF_JOINALONG_H
#define PCDF_JOINALONG_H
/* Files one behind the other along a dimension that they have, in the order of its coordinate; or each at one
 * place of a new dimension. */

#include "joinplan.h"
#include "timevalue.h"

/* Local: the axis of --along or --new, or of the record dimension. Says what is wrong. */
int pcdf_join_along_begin(struct pcdf_join_plan *plan);
/* Collective: where the records of each file go: tiles of runs of records. The same on all ranks. */
int pcdf_join_along_place_all(struct pcdf_join_plan *plan);
/* Local: one tile for each file, by its number. */
int pcdf_join_new_place(struct pcdf_join_plan *plan);

/* How numbers of a variable of a file become numbers in the units of the first file. */
struct pcdf_join_change {
    bool is_needed;
    struct pcdf_time_change change;
};
/* Local: of a variable that counts from a date. Says why it cannot be done. meta: of the file; varid: in it;
 * v: of the first file. */
int pcdf_join_change_of(const struct pcdf_join_var *v, const char *path, const struct pcdf_meta *meta,
                        int varid, struct pcdf_join_change *change);
/* A value in external form, in place; false: the type has no place for the result. */
bool pcdf_join_change_value(const struct pcdf_join_change *change, nc_type type, unsigned char *value);
#endif
