#ifndef PCDF_COPYPLAN_H
#define PCDF_COPYPLAN_H
/* What a copy is to become: the definitions of the new file, checked against the rules of its kind, and where
 * each of its values comes from. Local: all ranks make the same plan from the same file. */

#include "copyoptions.h"
#include "copypick.h"
#include "layout.h"
#include "toolfile.h"

struct pcdf_copy_plan {
    struct pcdf_meta out; /* numrecs: when all is done */
    /* The same variables as they are gone through, in the order of the file that is read, and with its names
     * and attributes: a record dimension that becomes fixed is one here. numrecs: of the input that is read.
     */
    struct pcdf_meta order;
    struct pcdf_alignment align;
    int *source;                /* by varid of `out`: its varid in the input that is read; -1: it has
                                   none (--merge) */
    struct pcdf_copy_cut *cuts; /* by dimid of `out` */
    int record_dim;             /* dimid in `out` of the inputs' record dimension, -1 */
    bool takes_all;             /* no variable was left out by name */
    bool selects_records;       /* by their values: which ones differs from input to input */
    const struct pcdf_copy_options *options;
};

/* Which variables: by varid of ds. Says what is wrong, PCDF_TOOL_UNUSABLE. */
int pcdf_copy_choose(const struct pcdf_copy_options *options, const struct pcdf_tool_dataset *ds,
                     bool *chosen);
/* The dimension of that name as a user writes it; -1: none. */
int pcdf_copy_find_dim(const struct pcdf_meta *meta, const char *name);

/* How many records of an input are copied. Says what is wrong, UNUSABLE. */
int pcdf_copy_plan_records(const struct pcdf_copy_options *options, struct pcdf_tool_dataset *ds,
                           int64_t *records);
/* From the first input; more_records: of all other inputs together. Says what is wrong, PCDF_TOOL_UNUSABLE;
 * then there is nothing to free. */
int pcdf_copy_plan_make(struct pcdf_copy_plan *plan, const struct pcdf_copy_options *options,
                        struct pcdf_tool_dataset *ds, int64_t more_records);
/* Another input is read from now on: its variables are those of the plan, or it says which is not and gives
 * PCDF_TOOL_UNUSABLE. first: the path to name beside it. Then plan->order.numrecs is what it gives. */
int pcdf_copy_plan_match(struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *ds, const char *first);
void pcdf_copy_plan_free(struct pcdf_copy_plan *plan);
/* Of what all ranks must have planned alike: records, lengths, what is cut; goes on from `sum`. */
uint32_t pcdf_copy_plan_sum(const struct pcdf_copy_plan *plan, uint32_t sum);
/* copyfit.c. Attributes made such as formats that are not classic have them: a fill value is one of its
 * variable's type, text of NCZarr has no NUL inside. What cannot be is refused, or left out with
 * --skip-unsupported. The same on all ranks. */
int pcdf_copy_fit(struct pcdf_meta *meta, const struct pcdf_copy_options *options);
#endif
