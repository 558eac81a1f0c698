#ifndef PCDF_REDUCEINPUT_H
#define PCDF_REDUCEINPUT_H
/* The files that are read: the records of one behind those of the other, or as members of an ensemble. All
 * local. */

#include "reduceoptions.h"
#include "toolfiles.h"

struct pcdf_reduce_input {
    const struct pcdf_reduce_options *options;
    struct pcdf_tool_files files;
    struct pcdf_tool_dataset *ds; /* file number `open` */
    int open;
    struct pcdf_meta meta; /* of the first file; numrecs: of all files together, or of each member */
    int64_t *begins;       /* of each file: its first record; then the number of all */
    uint32_t sum;          /* of all headers, as they were when the plan was made */
};

/* Opens each file once; they must agree. Says what is wrong; then there is nothing to close. */
int pcdf_reduce_input_begin(struct pcdf_reduce_input *input, const struct pcdf_reduce_options *options);
void pcdf_reduce_input_end(struct pcdf_reduce_input *input);
/* This file is read from now on. */
int pcdf_reduce_input_turn(struct pcdf_reduce_input *input, int file);
/* The records of a file: [*from, *to) among those of all files; of a member, its own. */
void pcdf_reduce_input_records(const struct pcdf_reduce_input *input, int file, int64_t *from, int64_t *to);
/* n values of a variable from number `first` on, counted in the file that is open. */
int pcdf_reduce_input_values(struct pcdf_reduce_input *input, int varid, int64_t first, int64_t n,
                             void *bytes);
/* The number of a variable in the file that is open. */
int pcdf_reduce_input_id(const struct pcdf_reduce_input *input, int varid);
/* Is the open file a classic one of this machine, whose bytes come in any order? */
bool pcdf_reduce_input_is_local(const struct pcdf_reduce_input *input);
/* These values are read soon: the system may begin with them. */
void pcdf_reduce_input_expect(struct pcdf_reduce_input *input, int varid, int64_t first, int64_t n);
#endif
