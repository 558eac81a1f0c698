#ifndef PCDF_TOOLSOURCE_H
#define PCDF_TOOLSOURCE_H
/* Files that are no local classic ones, as the commands read them: far ones, and images of other formats, as
 * bytes of a classic file. Local: ../toolshare.h makes each image once for all ranks. */

#include "image.h"
#include "storage.h"

struct pcdf_tool_source {
    struct pcdf_image *image; /* of the kind CLASSIC: far, no definitions in it */
    struct pcdf_image own;    /* *image, where nobody looked before */
    struct pcdf_counts counts;
    struct pcdf_storage *storage;
};

struct pcdf_tool_sharing { /* what a command wants of its sources */
    bool by_chunks; /* it reads whole chunks, each once: few are kept. Else what lies beside each other is */
    bool needs_all; /* a file of which something was left out is refused; else that is said */
};

/* Looks at names before they are opened, so that pcdf_tool_source_open takes what was found, however often.
 * What was looked at before is forgotten: no source is open. UNUSABLE, said: there is no memory. */
int pcdf_tool_sources_begin(struct pcdf_tool_sharing sharing, int n, const char *const *paths);
/* Looks at one of these names; gives an exit status, which is said when it is opened. has_others: *bytes,
 * which the caller frees, are those of an image for others, *n 0: it is none. */
int pcdf_tool_sources_look(int number, bool has_others, unsigned char **bytes, int64_t *n);
/* What another process found, which says what is wrong with it. */
void pcdf_tool_sources_take(int number, int status, const unsigned char *bytes, int64_t n);

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
