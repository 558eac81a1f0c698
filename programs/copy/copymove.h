#ifndef PCDF_COPYMOVE_H
#define PCDF_COPYMOVE_H
/* The values of one input on their way into an open file, this rank's share of them. A classic file that is
 * written gets them in the order of the one that is read; another one by tiles of its chunks. */

#include "copyplan.h"
#include "toolprogress.h"
#include "toolputs.h"

struct pcdf_copy_move {
    const struct pcdf_copy_plan *plan;
    const struct pcdf_tool_ranks *ranks;
    struct pcdf_tool_progress *progress;
    const char *to; /* for sentences */
    struct pcdf_tool_puts *puts;
    int64_t *const *chunks; /* of the file that is written, by variable; NULL: none that are known */
    int64_t shift;          /* records of the inputs before */
    const bool *chosen;     /* by varid of plan->out; NULL: all */
    bool may_skip;          /* the file is new: what is not written there is zeros */
    bool in_order;          /* nothing is written before what lies before it in the file; of one rank */
    int64_t bytes;          /* out: moved by this rank */
};

/* All ranks together move all. Puts in rounds, where the puts do. Says what is wrong, PCDF_TOOL_UNUSABLE. */
int pcdf_copy_values_all(struct pcdf_copy_move *move, struct pcdf_tool_dataset *from);

/* Are the values of variables, chosen by varid of `b`, equal byte for byte in both files?
 * This rank's share; says which are not. Local. */
int pcdf_copy_compare(const struct pcdf_tool_ranks *ranks, struct pcdf_tool_dataset *a,
                      struct pcdf_tool_dataset *b, const bool *chosen);

/* copyboxes.c: a run of values of a variable as hyperslabs. */
struct pcdf_copy_boxes {
    int n;
    int64_t **starts, **counts; /* n each, of ndims numbers */
};
enum { PCDF_COPY_BOXES = 2 * 63 + 1 }; /* at most: 63 dimensions longer than 1 fill 63 bits */

/* Room for variables of up to ndims dimensions; false: no memory. */
bool pcdf_copy_boxes_begin(struct pcdf_copy_boxes *boxes, int ndims);
void pcdf_copy_boxes_end(struct pcdf_copy_boxes *boxes);
/* n > 0 values from number `first` on of an array of that shape; shape[0] is not looked at. */
void pcdf_copy_boxes_fill(struct pcdf_copy_boxes *boxes, const int64_t *shape, int ndims, int64_t first,
                          int64_t n);

/* copycut.c: as pcdf_tool_values, in numbers of the new variable. */
int pcdf_copy_read(const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from, int varid,
                   int64_t first, int64_t n, void *bytes);
/* Is there nothing but a hole where these values lie? */
bool pcdf_copy_is_hole(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *from, int varid,
                       int64_t first, int64_t n);
#endif
