#ifndef PCDF_SCATTER_H
#define PCDF_SCATTER_H
/* Values of chunks to where they belong, in the form that the image has: byte order, half precision, UTF-8.
 * Local. */

#include "needs.h"

/* The part of a box that lies in one chunk, as rows: runs of elements along one dimension. */
struct pcdf_rows {
    const struct pcdf_varview *w;
    char *to;
    int64_t from;    /* element of the chunk */
    int64_t n, step; /* elements of a row; from one to the next in the chunk */
    int ndims;       /* that are walked, without that of the row */
    int64_t left;    /* rows, this one included; 0: there is none */
    int64_t count[PCDF_MOST_DIMS], at[PCDF_MOST_DIMS], inner[PCDF_MOST_DIMS], outer[PCDF_MOST_DIMS];
};

/* The first row. */
void pcdf_rows_begin(struct pcdf_rows *r, const struct pcdf_needs *needs, const struct pcdf_need *need);
void pcdf_rows_next(struct pcdf_rows *r);

/* n elements, of which `from` is the first, the others `step` elements behind each other. */
void pcdf_scatter_row(const struct pcdf_varview *w, const unsigned char *from, int64_t step, int64_t n,
                      char *to, bool is_native);
/* Do values become what is wanted by no more than a change of byte order? So `from` may be `to`, in a row. */
bool pcdf_scatter_is_direct(const struct pcdf_varview *w);
bool pcdf_scatter_swaps(const struct pcdf_varview *w, bool is_native); /* and do they need that */
/* n elements of fill. */
void pcdf_scatter_fill(const struct pcdf_varview *w, char *to, int64_t n, bool is_native);
/* What the n needs, of one chunk, want of it becomes fill. */
void pcdf_scatter_fill_chunk(const struct pcdf_needs *needs, const struct pcdf_need *run, size_t n);
#endif
