#ifndef PCDF_COPYINPUT_H
#define PCDF_COPYINPUT_H
/* The files that a copy reads, and may not be the one it writes. All local. */

#include "copyoptions.h"
#include "toolfiles.h"

/* As pcdf_tool_dataset_open; with --recompute the number of records is what the file's size says. A file that
 * lacks data is refused where its records are put behind those of another. */
int pcdf_copy_open(struct pcdf_tool_dataset *ds, const char *path, const struct pcdf_copy_options *options);

/* All inputs, each of which is opened once where there is room. One that was written to is opened again, and
 * refused if its definitions or its records are others then. */
int pcdf_copy_inputs_begin(struct pcdf_tool_files *inputs, const struct pcdf_copy_options *options);
/* One of them, as pcdf_copy_open; it stays while one other is asked for. */
int pcdf_copy_inputs_get(struct pcdf_tool_files *inputs, int number, const struct pcdf_copy_options *options,
                         struct pcdf_tool_dataset **ds);
int pcdf_copy_tell_changed(void); /* UNUSABLE */

/* Does the size of the file count its records (STREAMING)? */
int pcdf_copy_look_at_count(const char *path, bool *is_streaming);

/* PCDF_TOOL_UNUSABLE, and said: one of FROM is TO, or TO is no file that can be written. */
int pcdf_copy_check_paths(const struct pcdf_copy_options *options);

/* Records that all inputs from number `from` on give. */
int pcdf_copy_count_records(struct pcdf_tool_files *inputs, const struct pcdf_copy_options *options, int from,
                            int64_t *records);
#endif
