#ifndef PCDF_COPYINPUT_H
#define PCDF_COPYINPUT_H
/* The files that a copy reads, and may not be the one it writes. All local. */

#include "copyoptions.h"
#include "toolfile.h"

/* As pcdf_tool_dataset_open; with --recompute the number of records is what the file's size says. A file that
 * lacks data is refused where its records are put behind those of another. */
int pcdf_copy_open(struct pcdf_tool_dataset *ds, const char *path, const struct pcdf_copy_options *options);

/* Does the size of the file count its records (STREAMING)? */
int pcdf_copy_look_at_count(const char *path, bool *is_streaming);

/* PCDF_TOOL_UNUSABLE, and said: one of FROM is TO, or TO is no file that can be written. */
int pcdf_copy_check_paths(const struct pcdf_copy_options *options);

/* Records that all inputs from number `from` on give. */
int pcdf_copy_count_records(const struct pcdf_copy_options *options, int from, int64_t *records);

/* copyforeign.c. If TO is to be netCDF-4, this process becomes the program parcdf-foreign; it returns where
 * there is none. Before MPI starts. */
void pcdf_copy_become_foreign(int argc, char **argv);
#endif
