#ifndef PCDF_TOOLSOURCE_H
#define PCDF_TOOLSOURCE_H
/* Files that are no local classic ones, as the commands read them: far ones, and images of other formats, as
 * bytes of a classic file. A command on several ranks makes each image once, on rank 0. */

#include "image.h"
#include "storage.h"
#include "toolranks.h"

struct pcdf_tool_source {
    struct pcdf_image *image; /* of the kind CLASSIC: far, no definitions in it */
    struct pcdf_image own;    /* *image, where the ranks have none */
    struct pcdf_counts counts;
    struct pcdf_storage *storage;
};

struct pcdf_tool_sharing { /* what a command wants of its sources */
    bool by_chunks; /* it reads whole chunks, each once: few are kept. Else what lies beside each other is */
    bool needs_all; /* a file of which something was left out is refused; else that is said */
};

/* Collective. Rank 0 looks at these names; the images go to all ranks, and pcdf_tool_source_open takes them,
 * however often. What is wrong with one is said when it is opened, on rank 0 alone. What was shared before is
 * forgotten: no source is open. Fails, on all ranks, if there is no memory. */
int pcdf_tool_sources_share_all(const struct pcdf_tool_ranks *ranks, struct pcdf_tool_sharing sharing, int n,
                                const char *const *paths);

/* Local. NULL: a local file that is classic, or that nothing else is known of; then *fd is that of a file
 * that the look left open, which is the caller's now, or -1. fd NULL: nobody reads it. On failure says so,
 * and gives an exit status: BAD: the file is damaged. */
int pcdf_tool_source_open(const char *path, struct pcdf_tool_source **source, int *fd);
/* What has no place in the classic model is said when a file is opened, unless `tells` is false from then on.
 */
void pcdf_tool_sources_tell(bool tells);
void pcdf_tool_source_close(struct pcdf_tool_source *source);
/* Is it of another format than the classic ones? NULL: it is not. */
bool pcdf_tool_source_is_image(const struct pcdf_tool_source *source);
#endif
