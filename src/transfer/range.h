#ifndef PCDF_RANGE_H
#define PCDF_RANGE_H
/* Of what a rank moves, the elements that begin in a range of the file: again an iterator, so that a strategy
 * moves a put in steps. Local. */

#include "iterator.h"

struct pcdf_range {
    const struct pcdf_iterator *all;
    struct pcdf_span span;
};

/* Its context is the range, which outlives it. Empty where this rank has nothing there. */
struct pcdf_iterator pcdf_range_iterator(struct pcdf_range *range);
/* Where the first element begins that lies at `from` or behind it; INT64_MAX: there is none. */
int64_t pcdf_range_next(const struct pcdf_iterator *all, int64_t from);
#endif
