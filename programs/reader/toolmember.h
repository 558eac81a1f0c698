#ifndef PCDF_TOOLMEMBER_H
#define PCDF_TOOLMEMBER_H
/* One of several files that are read as one (toolseries.h): what it must have in common with the others, and
 * what it has along the dimension that joins them. Local. */

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

/* The length of a dimension, of the record dimension the number of records. */
int64_t pcdf_tool_dim_length(const struct pcdf_meta *meta, int dimid);
/* The variable of this dimension alone that has its name; -1: there is none, or it is text. */
int pcdf_tool_coordinate(const struct pcdf_meta *meta, int dimid);

/* Do they have the same variables, with equal types, dimensions and meaning, whatever the length of `along`
 * is? Says what differs, and gives UNUSABLE. first: of the file `first_path`. */
int pcdf_tool_member_match(const struct pcdf_meta *first, const char *first_path,
                           const struct pcdf_meta *mine, const char *path, const char *along);
/* A checksum of the values of each coordinate variable of another dimension than `along`, by the ids of
 * `first`, 0 for other variables. An exit status. */
int pcdf_tool_member_grid(struct pcdf_tool_dataset *ds, const struct pcdf_meta *first, const char *along,
                          uint32_t *sums);
/* Fills in what this file has; path, number and begin stay. most: of the coordinate's values are kept if they
 * are not more. An exit status. */
int pcdf_tool_member_read(struct pcdf_tool_dataset *ds, const char *along, int64_t most,
                          struct pcdf_tool_member *member);
#endif
