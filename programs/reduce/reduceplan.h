#ifndef PCDF_REDUCEPLAN_H
#define PCDF_REDUCEPLAN_H
/* What each variable becomes: the definitions of the new file. The same on all ranks. */

#include "reducegroups.h"
#include "reduceinput.h"
#include "reducemask.h"
#include "reduceweights.h"
#include "stored.h"

enum pcdf_reduce_treatment {
    PCDF_REDUCE_LEFT,   /* out, or made anew: coordinates and bounds of what is reduced */
    PCDF_REDUCE_COPIED, /* it has no dimension that is reduced */
    PCDF_REDUCE_REDUCED
};
enum pcdf_reduce_dim { PCDF_REDUCE_KEPT, PCDF_REDUCE_GONE, PCDF_REDUCE_GROUPED };

struct pcdf_reduce_var {
    enum pcdf_reduce_treatment treatment;
    int out; /* varid in the new file */
    struct pcdf_stored_form values;
    bool keeps_packed; /* what an operation chooses is stored as it was */
    bool is_weighted;
};

/* A dimension that is reduced and has coordinates. */
struct pcdf_reduce_axis {
    int dim, var, bounds;        /* in the input; bounds -1: none */
    int out, out_bounds;         /* varids in the new file; -1: none */
    double *values, *low, *high; /* of each index */
};

struct pcdf_reduce_plan {
    const struct pcdf_reduce_options *options;
    struct pcdf_reduce_input *input;
    enum pcdf_reduce_dim *dims;       /* by dimid of the input, as the next one */
    int *out_dim;                     /* -1: gone */
    struct pcdf_reduce_groups groups; /* of the dimension `grouped` */
    int grouped;                      /* -1: none */
    struct pcdf_reduce_var *vars;
    struct pcdf_reduce_axis *axes;
    int naxes;
    struct pcdf_reduce_weights weights;
    struct pcdf_reduce_mask mask;
    struct pcdf_meta out;
};

/* Collective: rank 0 reads the coordinates. Says what is wrong, the same status on all ranks; then there is
 * nothing to free. */
int pcdf_reduce_plan_all(struct pcdf_reduce_plan *plan, const struct pcdf_tool_ranks *ranks,
                         const struct pcdf_reduce_options *options, struct pcdf_reduce_input *input);
void pcdf_reduce_plan_free(struct pcdf_reduce_plan *plan);
/* The length of a dimension of the input; of a new variable's. */
int64_t pcdf_reduce_length(const struct pcdf_reduce_plan *plan, int dim);
int64_t pcdf_reduce_new_length(const struct pcdf_reduce_plan *plan, int dim);
#endif
