#ifndef PCDF_OPENIMAGE_H
#define PCDF_OPENIMAGE_H
/* Opening files of other formats: rank 0 makes the image (src/virtual), and all ranks get it. Then the
 * storage "virtual" shows it, and what reads a classic file reads this one. */

#include "dataset.h"

/* Root. Is it one of them? Then ds->shown is made. NC_EPERM: it is to be written to. *engine: the storage
 * that shows it; NULL: the file is opened as always. *is_seen: it is a classic file, and was read from: it
 * can be opened for reading. */
int pcdf_openimage_root_look(struct pcdf_dataset *ds, bool for_writing, const char **engine, bool *is_seen);
/* Collective. ds->shown on all ranks, where rank 0 has it, with what the ranks of a node share; fails on all
 * ranks or on none. */
int pcdf_openimage_share_all(struct pcdf_dataset *ds);
/* Root, at the end of an open that succeeded: what was left out is a warning. */
void pcdf_openimage_root_tell(const struct pcdf_dataset *ds);
/* The NC_FORMAT_ of a file by its name; 0: it is none of these. */
int pcdf_openimage_format(const char *path, int *format);
#endif
