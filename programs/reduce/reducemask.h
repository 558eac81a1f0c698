#ifndef PCDF_REDUCEMASK_H
#define PCDF_REDUCEMASK_H
/* `--masked-by EXPR`: values where an expression over the variables of their file is false, or missing, do
 * not count. All local. */

#include "exprread.h"
#include "reduceinput.h"

enum {
    PCDF_REDUCE_MASK_MEMORY = 3 << 20, /* bytes, all in all */
    PCDF_REDUCE_MASK_ROOM = 64 << 10,  /* values of a piece, at most */
    PCDF_REDUCE_MASK_DIMS = PCDF_EXPR_DIMS
};

struct pcdf_reduce_mask {
    bool is_given;
    struct pcdf_reduce_input *input;
    struct pcdf_expr_source source;
    struct pcdf_expr expr;
    bool is_compiled;
    int node, ndims;
    int dimids[PCDF_EXPR_DIMS]; /* of the input */
    struct pcdf_expr_files files;
    struct pcdf_expr_reader reader;
    struct pcdf_expr_run *run;
    int file;     /* of which the run keeps values; -1: none */
    bool *is_out; /* of the values of a piece */
};

/* tells: this rank says what is wrong with the expression. In any case there is something to close. */
int pcdf_reduce_mask_open(struct pcdf_reduce_mask *mask, struct pcdf_reduce_input *input, bool tells);
void pcdf_reduce_mask_close(struct pcdf_reduce_mask *mask);
/* A dimension that the expression has and a variable has not; -1: none. */
int pcdf_reduce_mask_foreign(const struct pcdf_reduce_mask *mask, const struct pcdf_var *var);
/* is_out of n values of a variable of the input, from number `first` on in the file that is open. Says what
 * is wrong. */
int pcdf_reduce_mask_get(struct pcdf_reduce_mask *mask, int varid, int64_t first, int64_t n);
#endif
