#ifndef PCDF_STEPS_H
#define PCDF_STEPS_H
/* Hint pcdf_commit=step: the header counts a record when every element of every record variable of it was
 * put, by whatever ranks and calls; at the latest when a sync, sync_numrecs, redef or close counts all that
 * there is. Each rank adds up what it puts (access/putsum.h), and one message adds up the ranks'. What was
 * put twice or filled, and what the sums have no room for, waits for the sync: the header never counts too
 * much. The writer itself sees its records at once, as ever. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_steps;
#endif
