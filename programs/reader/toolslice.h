#ifndef PCDF_TOOLSLICE_H
#define PCDF_TOOLSLICE_H
/* Parts of variables as users write them: T(0,:,10:20).
 *
 * In brackets stands one selection a dimension, in the order of the file; dimensions that are not named are
 * whole, and without brackets all of them. As in Python and numpy: `:` is all, `a:b` goes from a up to but
 * not including b, `a:b:s` takes every s-th (s > 0), a or b may be left out, negative ones count from the
 * end, and ends beyond the dimension are cut to it; `7` is one index, which must exist (and its dimension
 * stays, of length one). A backslash before a character of the name takes its meaning away; a variable whose
 * name has brackets or commas is found by its plain name, too. */

#include "toolfile.h"

struct pcdf_tool_slice {
    int varid, ndims;
    bool is_whole;                   /* nothing is left out */
    int64_t *start, *count, *stride; /* of each dimension; one block, freed by pcdf_tool_slice_free */
};

/* What the whole variable is. Without memory: said, UNUSABLE. */
int pcdf_tool_slice_whole(const struct pcdf_tool_dataset *ds, int varid, struct pcdf_tool_slice *slice);
/* One variable or part of one. What is wrong is said with its place, UNUSABLE, and there is nothing to free.
 */
int pcdf_tool_slice_parse(const struct pcdf_tool_dataset *ds, const char *text, size_t length,
                          struct pcdf_tool_slice *slice);
/* The length of the first of a list "T(0,1),P,..." : up to a comma outside brackets, or the end. */
size_t pcdf_tool_slice_length(const struct pcdf_tool_dataset *ds, const char *list);
void pcdf_tool_slice_free(struct pcdf_tool_slice *slice);

/* Values in it; 1 for a scalar. */
int64_t pcdf_tool_slice_size(const struct pcdf_tool_slice *slice);
/* n values of a row, a row being the last dimension, from index[0..ndims), which counts in the slice. As
 * pcdf_tool_values. */
int pcdf_tool_slice_values(struct pcdf_tool_dataset *ds, const struct pcdf_tool_slice *slice,
                           const int64_t *index, int64_t n, void *bytes);
#endif
