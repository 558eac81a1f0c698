#ifndef PCDF_JOINLIST_H
#define PCDF_JOINLIST_H
/* Names of files that are the lines of a file: a command line has not room for all tiles of a large run. */

#include "joinoptions.h"

/* Collective: rank 0 reads the list of --files, and its names follow those that were given. The same on all
 * ranks; says what is wrong. Without a list nothing happens. */
int pcdf_join_list_all(struct pcdf_join_options *options, const struct pcdf_tool_ranks *ranks);
void pcdf_join_list_free(struct pcdf_join_options *options);
#endif
