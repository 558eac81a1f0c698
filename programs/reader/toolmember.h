#ifndef PCDF_TOOLMEMBER_H
#define PCDF_TOOLMEMBER_H
/* One of several files that are read as one (toolseries.h): the grid that it must have in common with the
 * others, and what it has along the dimension that joins them. Local. */

#include "timevalue.h"
#include "toolfile.h"

struct pcdf_tool_member {
    const char *path;
    int number;            /* among the files as they were named */
    int64_t begin, length; /* its first index among those of all files; how many it has */
    int64_t size;          /* bytes of the file */
    uint32_t sum;          /* pcdf_tool_dataset_sum, when it was opened first */
    enum pcdf_version version;
    const char *format; /* NULL: classic */
    bool has_ends;      /* of the coordinate: its first and last value are known */
    double first, last; /* unpacked */
    double *values;     /* all of them, where they were asked for; NaN: none. Owned */
    bool lost;          /* it lacks values */
};

/* A date for people, with "12:00" for 12 o'clock; false: the value is none. */
bool pcdf_tool_date(const struct pcdf_time *time, double value, char text[64]);
/* A hash of the values of each coordinate variable of another dimension than `along`, by the ids of
 * `first`, 0 for other variables. An exit status. */
int pcdf_tool_member_grid(struct pcdf_tool_dataset *ds, const struct pcdf_meta *first, const char *along,
                          uint64_t *hashes);
/* Fills in what this file has; path, number and begin stay. most: of the coordinate's values are kept if they
 * are not more. An exit status. */
int pcdf_tool_member_read(struct pcdf_tool_dataset *ds, const char *along, int64_t most,
                          struct pcdf_tool_member *member);
#endif
