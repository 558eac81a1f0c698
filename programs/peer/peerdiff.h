#ifndef PCDF_PEERDIFF_H
#define PCDF_PEERDIFF_H
/* `parcdf` called `ncmpidiff` or `cdfdiff`: their options, verdicts and lines. */

#include "diff.h"

struct pcdf_peerdiff {
    struct pcdf_diff d;
    const char *name, *colon; /* how it ends "Number of differences in header" */
    bool wants_header;
    int64_t nheader, nvariables; /* differences */
};

/* A line "SAME: ..." when -b was given and the two are the same; a line "DIFF: ..." and one more difference
 * in the header when they are not; neither with -q. */
bool pcdf_peerdiff_check(struct pcdf_peerdiff *p, bool same, const char *indent, const char *what_same,
                         const char *what_differs, ...) __attribute__((format(printf, 5, 6)));
/* The formats, which are compared with -v too. */
void pcdf_peerdiff_format(struct pcdf_peerdiff *p);
/* The header, definition by definition (peerdiffheader.c). */
void pcdf_peerdiff_header(struct pcdf_peerdiff *p);
/* One variable of both files: type and shape. false: its values are not compared. */
bool pcdf_peerdiff_shape(struct pcdf_peerdiff *p, int i, int j);
#endif
