#ifndef PCDF_ITEMS_H
#define PCDF_ITEMS_H
/* What a plan keeps of each hyperslab: 24 bytes. One that is a single block of the file, as most pieces of
 * lists and most small requests are, is known by them completely. */

#include <stddef.h>
#include <stdint.h>

struct pcdf_item {
    int64_t offset;  /* of the first byte */
    int64_t element; /* in its request, of the hyperslab's first element */
    int request;
    int shape; /* > 0: one block of so many bytes; else -shape is the hyperslab's number in its request */
};

/* By offset, of equal ones those posted or given first come first. Time is that of a look where they are
 * sorted, and grows with the logarithm of the number of sorted runs; memory beside them is at most 16 MiB
 * or a quarter of theirs.
 * NC_ENOMEM: not sorted, though none is lost. */
int pcdf_items_sort(struct pcdf_item *items, size_t n);
#endif
