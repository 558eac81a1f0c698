#ifndef PCDF_INFODRAWING_H
#define PCDF_INFODRAWING_H
/* What the two halves of the picture share: infotable.c draws what is in the file, infodraw.c how it is
 * stored. */

#include "infodraw.h"
#include <stdio.h>

struct pcdf_drawing {
    const struct pcdf_info *info;
    const struct pcdf_info_style *style;
    int columns, lines; /* of the screen */
    int rows;           /* variables in the tables */
    bool utf8, colours, is_high;
};

const char *pcdf_drawing_bold(const struct pcdf_drawing *d);
const char *pcdf_drawing_dim(const struct pcdf_drawing *d);
const char *pcdf_drawing_plain(const struct pcdf_drawing *d);
/* An empty line, where the screen has room for it. */
void pcdf_drawing_space(const struct pcdf_drawing *d);
/* "1 record", "2 records" */
const char *pcdf_drawing_some(int64_t n, const char *one, char room[64]);

/* How many variables, largest first, are in the tables. The first 26 have letters, by which the strips show
 * them; the others have '-'. */
int pcdf_drawing_shown(const struct pcdf_drawing *d);
char pcdf_drawing_letter(const struct pcdf_drawing *d, int rank);
int pcdf_drawing_colour(const struct pcdf_drawing *d, int rank);

/* Title, dimensions, variables. Sets `rows` by the lines that the screen has left; `below`: lines that the
 * storage part takes. An exit status: values may be read. */
int pcdf_drawing_contents(struct pcdf_drawing *d, int below);
/* The lower part for several files: where they are stored, what they cover. An exit status. */
int pcdf_drawing_series(const struct pcdf_drawing *d);
/* A line that says that something is wrong. */
void pcdf_drawing_warning(const struct pcdf_drawing *d, const char *text);
#endif
