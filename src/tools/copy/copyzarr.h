#ifndef PCDF_COPYZARR_H
#define PCDF_COPYZARR_H
/* A copy to a Zarr store (../zarr). */

#include "copyplan.h"
#include "toolprogress.h"

/* What reads boxes of the copy's values, in external form; with a context of its own. */
typedef int pcdf_copy_box_reader(void *context, int varid, const int64_t *start, const int64_t *count,
                                 void *values);

/* Collective. The store of the plan's definitions; bytes: out, of values, moved by this rank. Says what is
 * wrong; the same status on all ranks. */
int pcdf_copy_zarr_all(const struct pcdf_tool_team *team, struct pcdf_copy_plan *plan,
                       const struct pcdf_copy_options *options, struct pcdf_tool_progress *progress,
                       pcdf_copy_box_reader *read, void *context, int64_t *bytes);

struct pcdf_copy_boxes_source { /* a context of the reader below */
    const struct pcdf_copy_plan *plan;
    struct pcdf_tool_dataset *from;
};
/* Boxes of an open classic file. */
int pcdf_copy_read_box(void *source, int varid, const int64_t *start, const int64_t *count, void *values);
/* What -k, or the name of TO, makes of the other options, before a plan is made. */
void pcdf_copy_zarr_options(struct pcdf_copy_options *options);
#endif
