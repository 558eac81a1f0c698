#ifndef PCDF_COPYORDER_H
#define PCDF_COPYORDER_H
/* Do the records of files that are put behind each other go on in time? Local, on one rank. */

#include "copycoord.h"
#include "copypick.h"

struct pcdf_copy_order {
    bool is_strict; /* what is out of order is refused */
    double furthest;
    const char *path;   /* the file that has it; NULL: none so far */
    int direction, out; /* 1 rises, -1 falls, 0 is not known yet; files that were out of order */
};

/* The next file, of whose records `cut` are copied: the first of these follows the furthest of all before.
 * Says which does not. GOOD, or with is_strict UNUSABLE; also if it cannot be read. The path of ds stays. */
int pcdf_copy_order_check(struct pcdf_copy_order *order, struct pcdf_tool_dataset *ds,
                          const struct pcdf_copy_cut *cut);
/* How many more there were than sentences. */
void pcdf_copy_order_end(const struct pcdf_copy_order *order);
#endif
