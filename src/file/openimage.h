#ifndef PCDF_OPENIMAGE_H
#define PCDF_OPENIMAGE_H
/* Opening files of other formats: rank 0 makes the image (src/virtual), and all ranks get it. Then the
 * storage "virtual" shows it, and what reads a classic file reads this one. */

#include "dataset.h"

/* Root. Is it one of them? Then ds->image is made. NC_EPERM: it is to be written to. *engine: the storage
 * that shows it; NULL: the file is opened as always. *is_seen: it is a classic file, and was read from: it
 * can be opened for reading. */
int pcdf_openimage_root_look(struct pcdf_dataset *ds, bool for_writing, const char **engine, bool *is_seen);
/* Collective. The image to all ranks, where rank 0 has one; fails on all ranks or on none. */
int pcdf_openimage_share_all(struct pcdf_dataset *ds);
/* Bytes of the image to move at a time where values change their type, so that chunks are decoded once. */
int64_t pcdf_openimage_stage(const struct pcdf_image *image);
/* Bytes that a look at values of the machine's order has room for (plan.c gives 64 times as many at once):
 * more of far images, since whatever is under way ends with each move. */
int64_t pcdf_openimage_native_stage(const struct pcdf_image *image, int64_t chunk_size);
/* Root, at the end of an open that succeeded: what was left out is a warning. */
void pcdf_openimage_root_tell(const struct pcdf_dataset *ds);
void pcdf_openimage_free(struct pcdf_dataset *ds);
/* The NC_FORMAT_ of a file by its name; 0: it is none of these. */
int pcdf_openimage_format(const char *path, int *format);
#endif
