#ifndef PCDF_OLDER_H
#define PCDF_OLDER_H
/* Hint pcdf_clone: the older file of a new one (storage/olderfile.h) is the member of the newest complete
 * generation of its set, or what has the name that the new file gets at the end. It is used if both have
 * checksums. Without it, and whatever fails here, the new file is written as always. */

#include "dataset.h"

/* Rank 0 alone, for create, before the checksums beside the name are made anew: ds->sums.older. False: there
 * is none. */
bool pcdf_older_root_find(struct pcdf_dataset *ds);
/* Collective, after the engine was opened, where rank 0 found one: all ranks have it, or none. Fails only
 * where MPI does. */
int pcdf_older_share_all(struct pcdf_dataset *ds);
/* Local, at close: the debug log has what became of it. */
void pcdf_older_tell(const struct pcdf_dataset *ds);
#endif
