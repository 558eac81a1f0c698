#ifndef PCDF_COPYMERGE_H
#define PCDF_COPYMERGE_H
/* Variables of several files as those of one: `--merge`. Local, but for the values that ranks compare, each a
 * share of them. */

#include "copyoptions.h"
#include "toolfiles.h"
#include "toolranks.h"

struct pcdf_copy_merge {
    struct pcdf_meta meta; /* of all files together */
    int *owner;            /* by varid of `meta`: the number of the file that has the values */
    uint32_t sum;          /* of the files, as pcdf_tool_dataset_sum */
};

/* Dimensions of one name have one length, and coordinates, which are variables of such a name, the same
 * values. Other variables that several files have are equal, or the first or last one is taken, as the
 * options say. Says what disagrees, UNUSABLE; then there is nothing to free. */
int pcdf_copy_merge_make(struct pcdf_copy_merge *merge, const struct pcdf_tool_ranks *ranks,
                         const struct pcdf_copy_options *options, struct pcdf_tool_files *inputs);
void pcdf_copy_merge_free(struct pcdf_copy_merge *merge);
#endif
