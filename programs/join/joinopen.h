#ifndef PCDF_JOINOPEN_H
#define PCDF_JOINOPEN_H
/* The files that are read, a few of which are open at a time: those used last. All local. */

#include "joinalong.h"

struct pcdf_join_file {   /* that is open */
    int64_t number, used; /* -1: none; when it was used last */
    struct pcdf_tool_file file;
    int64_t recsize;
    int64_t *begins;                  /* by varid of the first file */
    struct pcdf_join_change *changes; /* by varid of the first file; NULL: nothing is converted */
};

struct pcdf_join_open {
    const struct pcdf_join_plan *plan;
    struct pcdf_join_file *x;
    int n, room; /* open; at most */
    int *place;  /* by number; -1: not open */
    int64_t clock;
};

/* How many files may be open: by the limit of the process, and by memory, of which those of other formats
 * take much. */
int pcdf_join_open_room(const struct pcdf_join_plan *plan);
/* Says that memory is lacking; then there is nothing to end. */
int pcdf_join_open_begin(struct pcdf_join_open *open, const struct pcdf_join_plan *plan);
/* The file of that number, until the next call. It must be as it was when the plan was made. */
int pcdf_join_open_file(struct pcdf_join_open *open, int64_t number, struct pcdf_join_file **file);
/* Were all files as they should be? Says which was not. */
int pcdf_join_open_end(struct pcdf_join_open *open);

/* n bytes from `at` on, all of which the file must have. */
int pcdf_join_read(const struct pcdf_join_file *file, void *bytes, int64_t n, int64_t at);
#endif
