#ifndef PCDF_REFSMAKE_H
#define PCDF_REFSMAKE_H
/* All references to a file, or to several as one: each variable, along the dimension that joins the files. */

#include "refspart.h"

struct pcdf_refs_making {
    const struct pcdf_refs_options *options;
    struct pcdf_tool_dataset ds; /* of one file, or of several (toolseries.h) */
    struct pcdf_refs_out out;    /* begun */
    bool is_trial;               /* several files: do they fit together? Nothing is written */
    bool is_partial;             /* a variable was left out */
};

/* Before anything is written: can these files be one set of references? Says why not. */
int pcdf_refs_make_check(struct pcdf_refs_making *m);
int pcdf_refs_make(struct pcdf_refs_making *m);
#endif
