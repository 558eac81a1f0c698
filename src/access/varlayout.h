#ifndef PCDF_VARLAYOUT_H
#define PCDF_VARLAYOUT_H
/* Where a variable lies and what stands in for its values: taken from the definitions when data is about to
 * move, since a redef may come between posting a request and waiting for it. */

#include "cells.h"
#include "layout.h"

enum { PCDF_INLINE_DIMS = 4 };

struct pcdf_var_layout { /* not to be copied */
    int64_t begin;
    int64_t xsize;
    const struct pcdf_var *var;
    int ndims, varid;
    bool has_fill;  /* it was looked up */
    bool is_native; /* its values have this machine's byte order */
    /* The variable's fill value as it stands in a file (pcdf_var_layout_fill). */
    unsigned char fill[8];
    const struct pcdf_cells *cells; /* where chunks stand; NULL: it is not chunked */
    /* File bytes between neighbours in each dimension, recsize in the record dimension. In a chunked
     * variable: bytes between neighbours in a chunk. */
    int64_t *step;
    int64_t near[PCDF_INLINE_DIMS]; /* where few are kept */
};

struct pcdf_request;

/* The layouts of some variables, each once. Not to be copied. */
struct pcdf_var_layouts {
    struct pcdf_var_layout *x;
    int n;
    bool has_chunks;               /* some have cells */
    struct pcdf_var_layout single; /* where there is only one */
};

/* Of the variables of n > 0 requests; each request's `layout` becomes its number in them. The fill value is
 * looked up where a request changes the type of values. NC_ENOMEM: is empty. */
int pcdf_var_layouts_make(struct pcdf_var_layouts *layouts, const struct pcdf_meta *meta,
                          const struct pcdf_layout *file, struct pcdf_request *const *requests, int n);
/* A variable's fill value in the file's byte order, or in that of this machine. */
void pcdf_var_fill(const struct pcdf_var *var, bool is_native, unsigned char fill[8]);
const unsigned char *pcdf_var_layout_fill(struct pcdf_var_layout *layout);
void pcdf_var_layouts_free(struct pcdf_var_layouts *layouts);
#endif
