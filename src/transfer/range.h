#ifndef PCDF_RANGE_H
#define PCDF_RANGE_H
/* Of what a rank moves, the elements that begin in a range of the file: again an iterator, so that a strategy
 * moves a put in steps; and where the next step begins. */

#include "iterator.h"
#include "kinds.h"

struct pcdf_dataset;

struct pcdf_range {
    const struct pcdf_iterator *all;
    struct pcdf_span span;
};

/* Its context is the range, which outlives it. Empty where this rank has nothing there. Local. */
struct pcdf_iterator pcdf_range_iterator(struct pcdf_range *range);
/* Between two steps: *next is where the first element of any rank begins that lies at `from` or behind it.
 * INT64_MAX: there is none, or writing failed on some rank, which all ranks return then. status: what this
 * rank's last step returned; it is returned first. Collective. */
int pcdf_range_next_all(struct pcdf_dataset *ds, enum pcdf_kind kind, const struct pcdf_iterator *all,
                        int64_t from, int status, int64_t *next);
#endif
