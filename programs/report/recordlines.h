#ifndef PCDF_RECORDLINES_H
#define PCDF_RECORDLINES_H
/* One log of a recording, line by line. */

#include "record.h"

/* first: files, ranks and the environment are noted in r; later they must be known. On failure says so. */
int pcdf_record_lines(struct pcdf_record *r, const char *path, bool first,
                      void (*look)(void *context, const struct pcdf_record_line *line), void *context);
/* record.c: the row of a name; NULL: no memory. */
struct pcdf_record_row *pcdf_record_row_of(struct pcdf_record *r, struct pcdf_record_table *t,
                                           const char *name, const char *other);
#endif
