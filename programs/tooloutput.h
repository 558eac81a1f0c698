#ifndef PCDF_TOOLOUTPUT_H
#define PCDF_TOOLOUTPUT_H
/* A file that a command makes: it is written under another name beside it and gets its own when it is whole.
 * So no failure, and no signal that ends the program, leaves a part of a file or loses the one that was
 * there. */

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include "toolranks.h"

struct pcdf_tool_output {
    const char *path;
    char *name;   /* to write to: create or open this. `path` itself where that is a device or a pipe */
    char *sums;   /* where the library keeps checksums of that file, if it does: they come and go with it */
    char *target; /* path, or what it points to as a symbolic link */
    mode_t mode;  /* what the file will have: the one it replaces, or a new one */
    bool is_device, may_replace;
    bool is_private; /* the one it replaces is nobody else's to read */
};

/* Would the output `path` replace what is read? Says so, and gives false. Before begin. */
bool pcdf_tool_output_spares(const char *path, const char *input);

/* replace: an existing file of that name may be replaced, at the commit; otherwise it is an error. Says what
 * is wrong and gives PCDF_TOOL_UNUSABLE. One output at a time. On one rank: share `name` with the others. */
int pcdf_tool_output_begin(struct pcdf_tool_output *out, const char *path, bool replace);
/* Stores the file and gives it its name. On failure says so, the file is removed, PCDF_TOOL_UNUSABLE. */
int pcdf_tool_output_commit(struct pcdf_tool_output *out);
void pcdf_tool_output_abandon(struct pcdf_tool_output *out);
/* Once more, by who made the file `name` anew: what replaces a private file is private before it has values.
 */
void pcdf_tool_output_hide(const struct pcdf_tool_output *out);
/* Collective, for a file that all ranks fill: rank 0 begins the output, `fill_all` writes the file `name`,
 * and it gets its name when all ranks are good. out: on rank 0, NULL elsewhere. Says what is wrong; the
 * status of all ranks. */
typedef int pcdf_tool_fill_all(void *context, const char *name, const struct pcdf_tool_output *out);
int pcdf_tool_output_make_all(const struct pcdf_tool_ranks *ranks, const char *path, bool replace,
                              pcdf_tool_fill_all *fill_all, void *context);
/* On the other ranks, while they write to what has that name until it is whole: a signal that ends one of
 * them removes it, since the launcher may kill rank 0 then. NULL: no more. The name stays. */
void pcdf_tool_output_watch(const char *name);
/* For what is no file, but comes to be in the same way: a signal that ends the program calls `remove` first,
 * which uses system calls alone. NULL: no more. */
void pcdf_tool_output_guard(void (*remove)(void));
/* Between what is made and its guard no signal may end the program, in whatever thread it comes: it waits for
 * the release. */
void pcdf_tool_output_hold(void);
void pcdf_tool_output_release(void);
/* For a signal's handler: removes what was written of the output. */
void pcdf_tool_output_remove(void);
#endif
