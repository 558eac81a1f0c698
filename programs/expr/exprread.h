#ifndef PCDF_EXPRREAD_H
#define PCDF_EXPRREAD_H
/* A reader of expressions (expr.h) for files that are open: values of boxes, unpacked. Local. */

#include "expr.h"
#include "toolfile.h"

struct pcdf_expr_files {
    struct pcdf_tool_dataset **datasets; /* by number of the source */
    unsigned char *bytes;                /* of a piece, as the next one */
    double *rest;
    int64_t read; /* bytes so far */
};

/* NC_ENOMEM. The datasets must stay. */
int pcdf_expr_files_begin(struct pcdf_expr_files *files, struct pcdf_tool_dataset **datasets);
void pcdf_expr_files_end(struct pcdf_expr_files *files);
/* For struct pcdf_expr_reader; context: the files. Gives an exit status, and has said why. */
int pcdf_expr_files_read(void *context, int source, int varid, const int64_t *start, const int64_t *count,
                         double *x, int64_t *exact);
#endif
