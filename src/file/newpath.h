#ifndef PCDF_NEWPATH_H
#define PCDF_NEWPATH_H
/* A file that a part of rank 0 placed elsewhere than at the user's path (ds->new_path). */

#include "dataset.h"

/* Collective: all ranks know where, each as it reaches the file; on all or on none. */
int pcdf_newpath_share_all(struct pcdf_dataset *ds);
#endif
