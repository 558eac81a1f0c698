#ifndef PCDF_PUBLISH_H
#define PCDF_PUBLISH_H
/* Hint pcdf_atomic_create: a new file has another name, .NAME.parcdf-new beside the final one, until it is
 * whole. The first sync that succeeds, or the close, gives it its name, in one step, so that a crash before
 * leaves the old file of that name as it was. What a crash leaves is removed by the next create with the
 * hint. */

#include <stdbool.h>
#include "vote.h"

#define PCDF_NEW_SUFFIX ".parcdf-new"

/* Where the file is now. Links of the final name are followed. */
const char *pcdf_publish_path(const struct pcdf_dataset *ds);

/* Rank 0 alone, for create: is the hint to be followed? Not where the name is a device or a link that leads
 * nowhere. NC_EEXIST. */
int pcdf_publish_root_applies(const struct pcdf_dataset *ds, bool noclobber, bool *applies);
/* ds->new_path. Local; NC_ENOMEM. */
int pcdf_publish_prepare(struct pcdf_dataset *ds, bool noclobber);

/* Collective, when all of the file is on the storage: gives the file its name, on all ranks or on none. Does
 * nothing where it has it. kind: the call that asks. The engine may be closed. */
int pcdf_publish_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
#endif
