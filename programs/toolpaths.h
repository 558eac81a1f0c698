#ifndef PCDF_TOOLPATHS_H
#define PCDF_TOOLPATHS_H
/* The files that arguments name: a folder stands for the netCDF files in it, a pattern that the shell left as
 * it is for those that it matches, both in the order of their names. Folders that are Zarr stores, URLs, and
 * whatever leads to nothing, stay as they are: who opens them says what is wrong. */

#include "toolranks.h"

struct pcdf_tool_paths {
    int n;
    const char **x;
    char *text; /* all names, each with its NUL */
};

/* Collective: rank 0 looks, all get the same. Fails, on all ranks, if there is no memory, which is said. */
int pcdf_tool_paths_all(const struct pcdf_tool_ranks *ranks, int n, char *const *given,
                        struct pcdf_tool_paths *paths);
void pcdf_tool_paths_free(struct pcdf_tool_paths *paths);
#endif
