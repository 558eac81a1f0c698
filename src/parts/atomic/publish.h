#ifndef PCDF_PUBLISH_H
#define PCDF_PUBLISH_H
/* Hint pcdf_atomic_create: a new file has a name of its own beside the final one until it is whole
 * (newfile.h). The first sync that succeeds, or the close, gives it its name, in one step, so that a crash
 * before leaves the old file of that name as it was, and jobs that write one name at once give it one after
 * the other. What a crash leaves is removed by a later create with the hint. */

#include "newfile.h"
#include "part.h"

extern const struct pcdf_part_ops pcdf_part_atomic;

/* ---- for other parts */

/* Rank 0 alone, before a new file is made: may it get its name by a rename? Not where the name is a device or
 * a link that leads nowhere. NC_EEXIST: noclobber, and something has the name. */
int pcdf_publish_root_can(const struct pcdf_opening *o, bool *can);
/* Rank 0: the file at ds->new_path; NULL: it is none that was made so. */
const struct pcdf_newfile *pcdf_publish_newfile(const struct pcdf_dataset *ds);
#endif
