#ifndef PCDF_REPAIR_H
#define PCDF_REPAIR_H
/* What can be done by hand for a file whose change was interrupted: parcdf_repair() and `parcdf repair`. */

#include <stddef.h>

/* Local. See parcdf_repair_with() in parcdf.h, whose arguments these are; journal may be NULL. */
int pcdf_repair(const char *path, const char *journal, int flags, char *report, size_t size);
#endif
