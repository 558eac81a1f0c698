#ifndef PCDF_CALCPLAN_H
#define PCDF_CALCPLAN_H
/* What becomes of a program and its files: the definitions of the new file, and where its values come from.
 * The same on all ranks. */

#include "calcoptions.h"
#include "expr.h"
#include "toolfile.h"

struct pcdf_calc_var { /* a variable of the new file, by varid */
    int node;          /* it is computed; -1: it is a copy of */
    int source, varid;
    int group; /* of those that are computed together; -1: a copy */
};

struct pcdf_calc_plan {
    const struct pcdf_calc_options *options;
    const char *text; /* of the program */
    struct pcdf_expr_tree tree;
    struct pcdf_expr expr;
    struct pcdf_expr_source *sources;
    struct pcdf_meta out;
    struct pcdf_calc_var *vars;
    int ngroups;
};

/* Looks up names and defines the new file. Says what is wrong, the program's faults where says_faults. Then
 * there is nothing to free. text, options and datasets must stay. */
int pcdf_calc_plan_make(struct pcdf_calc_plan *plan, const struct pcdf_calc_options *options,
                        const char *text, struct pcdf_tool_dataset *const *datasets, bool says_faults);
void pcdf_calc_plan_free(struct pcdf_calc_plan *plan);
/* External bytes that are read, if each variable is once for each group that needs it. */
int64_t pcdf_calc_plan_bytes(const struct pcdf_calc_plan *plan);

/* calcdefine.c: plan->out and plan->vars, from the rest. NC_EINVAL: *fault says what is wrong; other codes:
 * the kept sentence does. */
int pcdf_calc_define(struct pcdf_calc_plan *plan, struct pcdf_expr_fault *fault);
#endif
