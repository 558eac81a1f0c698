#ifndef PCDF_TOOLSERIES_H
#define PCDF_TOOLSERIES_H
/* Several files as one dataset (toolfile.h): the records of one behind those of another, or in the same way
 * the indices of any other dimension. Its definitions are those of the first file, with the length of all;
 * pcdf_tool_values and all that is made of it finds the files by the index (toolfiles.h). All local; ranks
 * that open the same paths have the same series. */

#include "toolfiles.h"
#include "toolmember.h"
#include "timevalue.h"

struct pcdf_tool_series_choice {
    int n; /* at least 1 */
    const char *const *paths;
    const char *along; /* NULL: the record dimension; else the one of a coordinate with units of time; else
                          the one whose length, or coordinate, differs in the first two files */
    bool with_values;  /* as pcdf_tool_dataset_open */
    bool keeps_coordinate; /* all its values in the members, if they are not too many */
};

struct pcdf_tool_series {
    int dimid;      /* along which the files are joined, in the dataset's definitions */
    int coordinate; /* the variable of that dimension; -1: none */
    bool is_time;   /* its values are dates */
    struct pcdf_time time;
    bool is_ordered; /* by the coordinate, which has units of time; else as the files were named */
    int n;
    struct pcdf_tool_member *x; /* in their order */
    int *place;                 /* by variable: which of its dimensions is dimid; -1: none */
    struct pcdf_tool_files files;
    char *name; /* of all files: what sentences begin with */
};

/* Opens each file once; they must agree (toolfit.h), and coordinate variables of other dimensions must be
 * equal; other variables without the dimension are those of the first file. The files are put in the order of
 * time where the coordinate has units of time; times that go back, or that two files have, are told on
 * standard error. One path and no `along`: as pcdf_tool_dataset_open. On failure says so and gives an exit
 * status, as that does. */
int pcdf_tool_series_open(struct pcdf_tool_dataset *ds, const struct pcdf_tool_series_choice *choice);
/* The dataset of one file, and the number in it of a variable of the whole; valid until the next call for
 * this series. An exit status. */
int pcdf_tool_series_turn(struct pcdf_tool_dataset *ds, int member, int varid, struct pcdf_tool_dataset **one,
                          int *id);
/* The file that has this index. */
int pcdf_tool_series_find(const struct pcdf_tool_series *series, int64_t index);
/* A value of the coordinate as text: a date where it is a time. 64 bytes. */
void pcdf_tool_series_text(const struct pcdf_tool_series *series, double value, char text[64]);
#endif
