#ifndef PCDF_COPYBOX_H
#define PCDF_COPYBOX_H
/* Boxes of the copy's values, read from an input; and the chunks that an input has. Local. */

#include "copyplan.h"

/* A box in the copy's coordinates, one value after another: in the order of this machine, or as a file has
 * them. An input of another format decodes each chunk of the box once. Says what is wrong, UNUSABLE. */
int pcdf_copy_read_box(const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from, int varid,
                       const int64_t *start, const int64_t *count, bool is_native, void *values);

/* By variable of the copy: the lengths of the chunks that have to be read as wholes, in the coordinates of
 * `from`; NULL: any part costs the same. NULL as a whole: no memory, said. */
int64_t **pcdf_copy_source_chunks(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *from);
void pcdf_copy_source_chunks_free(int64_t **chunks, const struct pcdf_copy_plan *plan);
#endif
