#ifndef PCDF_TOOLSOURCE_H
#define PCDF_TOOLSOURCE_H
/* Files that are no local classic ones, as the commands read them: far ones, and images of other formats, as
 * bytes of a classic file. Local: each rank makes its own image. */

#include "image.h"
#include "storage.h"

struct pcdf_tool_source {
    struct pcdf_image image; /* of the kind CLASSIC: far, no definitions in it */
    struct pcdf_counts counts;
    struct pcdf_storage *storage;
};

/* NULL: a local file that is classic, or that nothing else is known of. On failure says so, and gives an exit
 * status: BAD: the file is damaged. */
int pcdf_tool_source_open(const char *path, struct pcdf_tool_source **source);
void pcdf_tool_source_close(struct pcdf_tool_source *source);
#endif
