#ifndef PCDF_EXPR_H
#define PCDF_EXPR_H
/* Expressions over the variables of files: `sqrt(u**2 + v**2)`, `a:T - b:T`, `where(mask > 0, T, missing)`.
 *
 * To evaluate one (`reduce --masked-by EXPR`):
 *
 *     struct pcdf_expr_source source = { "a", path, &ds.meta };
 *     err = pcdf_expr_of(&expr, text, &source, 1, &fault);      NC_EINVAL: pcdf_expr_tell(&fault, text)
 *     node = expr.results.x[0].node;
 *     n = pcdf_expr_shape(&expr, node, dims);                   its dimensions: names, lengths
 *     err = pcdf_expr_run_begin(&run, &expr, &node, 1, &reader, memory);
 *     status = pcdf_expr_run_box(run, start, count);            as often as wanted
 *     values = pcdf_expr_run_values(run, 0);                    values.x[i]: NaN where missing
 *     pcdf_expr_run_end(run);
 *     pcdf_expr_free(&expr);
 *
 * All of this is local, and pure but for the reader: exprread.h has one for files that are open. */

#include "exprgraph.h"
#include "exprloops.h"

/* Looks up names, proves that dimensions agree, finds types and meanings. NC_EINVAL: *fault says what is
 * wrong; NC_ENOMEM. Then there is nothing to free. The sources must stay; the tree is not needed any more. */
int pcdf_expr_compile(struct pcdf_expr *expr, const struct pcdf_expr_tree *tree,
                      const struct pcdf_expr_source *sources, int nsources, struct pcdf_expr_fault *fault);
/* The same of the text of one expression. It has one result, without a name. */
int pcdf_expr_of(struct pcdf_expr *expr, const char *text, const struct pcdf_expr_source *sources,
                 int nsources, struct pcdf_expr_fault *fault);
void pcdf_expr_free(struct pcdf_expr *expr);

/* Dimensions of a node in the order of its values: the record dimension first, the others as they appear in
 * the expression. Gives how many; 0 of a number. */
int pcdf_expr_shape(const struct pcdf_expr *expr, int node, struct pcdf_expr_dim dims[PCDF_EXPR_DIMS]);
/* Says on standard error what is wrong: the sentence, the line of the program, a caret below it. On one rank.
 */
void pcdf_expr_tell(const struct pcdf_expr_fault *fault, const char *text);

struct pcdf_expr_reader {
    void *context;
    /* The values of a box of a variable, in the order of the file, unpacked; NaN: missing. exact: of 64-bit
     * integers that are not packed, the integers; NULL: of others. Not 0: it failed. */
    int (*read)(void *context, int source, int varid, const int64_t *start, const int64_t *count, double *x,
                int64_t *exact);
};

/* Evaluates nodes that have the same dimensions, box by box. memory: bytes for values, about; 1 MiB is
 * little. NC_ENOMEM, NC_EINVAL: the kept sentence (pcdf_fail_text) says why; then there is nothing to end. */
struct pcdf_expr_run;
int pcdf_expr_run_begin(struct pcdf_expr_run **run, const struct pcdf_expr *expr, const int *nodes,
                        int nnodes, const struct pcdf_expr_reader *reader, int64_t memory);
void pcdf_expr_run_end(struct pcdf_expr_run *run);
/* How many values a box may have, at most. */
int64_t pcdf_expr_run_most(const struct pcdf_expr_run *run);
/* Evaluates a box: start and count by dimension of the nodes. What failed is what the reader gave. */
int pcdf_expr_run_box(struct pcdf_expr_run *run, const int64_t *start, const int64_t *count);
/* The values of a node in that box, until the next one. */
struct pcdf_expr_block pcdf_expr_run_values(const struct pcdf_expr_run *run, int node);
/* Values of files that are kept for the next box are read again: the files are others now. */
void pcdf_expr_run_forget(struct pcdf_expr_run *run);
/* How many values did not fit an integer type within expressions, and became missing. */
int64_t pcdf_expr_run_lost(const struct pcdf_expr_run *run);
#endif
