#ifndef PCDF_METAINDEX_H
#define PCDF_METAINDEX_H
/* The name indexes of meta: shared by meta.c, which adds, and edit.c, which renames and deletes. */

#include "names.h"

enum { PCDF_INDEX_FROM = 8 }; /* shorter lists are searched one by one: most attribute lists stay below */

/* Enters `name`, which is about to become element n of the list; makes the index when the list becomes long.
 * NC_ENOMEM: nothing changed. */
int pcdf_index_add(struct pcdf_names **index, const char *name, const void *list, int n, size_t stride);
/* `name` left the list, which has n elements now: of the others with the same name, should there be any, the
 * first is found from here on. */
void pcdf_index_heir(struct pcdf_names *index, const char *name, const void *list, int n, size_t stride);
#endif
