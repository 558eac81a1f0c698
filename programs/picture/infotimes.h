#ifndef PCDF_INFOTIMES_H
#define PCDF_INFOTIMES_H
/* What the coordinate tells that joins several files (toolseries.h): its steps, what is missing, what is
 * there twice. Of all its values where these were kept, else of the ends of each file. Pure. */

#include "toolseries.h"

struct pcdf_info_times {
    bool has_span;         /* there is a coordinate, and all files have values of it */
    bool is_whole;         /* all values were looked at */
    double first, last;    /* the smallest and the largest one */
    double step;           /* the middle one of those upwards; 0: there is none */
    double least, most;    /* of steps that are no gaps */
    int64_t ngaps;         /* steps of more than one and a half of the middle one */
    double from, to;       /* the largest gap, behind a value of file `file` */
    int file;              /* in the series */
    int64_t ntwice, nback; /* values equal to the one before, below it */
    double twice, back;    /* the first of each */
    double *x;             /* all of them, in their order; owned */
    int64_t n;
};

/* Fails if there is no memory, which is said. */
int pcdf_info_times_of(const struct pcdf_tool_series *series, struct pcdf_info_times *times);
void pcdf_info_times_free(struct pcdf_info_times *times);
/* Is the step to `x` from the one before a gap? */
bool pcdf_info_times_is_gap(const struct pcdf_info_times *times, double before, double x);
#endif
