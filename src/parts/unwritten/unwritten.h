#ifndef PCDF_UNWRITTEN_H
#define PCDF_UNWRITTEN_H
/* Hint pcdf_debug_unwritten: when a new file is closed, rank 0 names on standard error the variables of which
 * fewer values were put than they have. Each rank counts the values that it puts, by variable; one message
 * for each 256 variables adds up the ranks' at close. A value that was put twice counts twice, so what is
 * told is true, and a file of which nothing is told may lack some all the same. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_unwritten;
#endif
