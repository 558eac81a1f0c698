#ifndef PCDF_CALCOPTIONS_H
#define PCDF_CALCOPTIONS_H
/* What `parcdf calc` was asked for. */

#include "options.h"
#include "toolhistory.h"

struct pcdf_calc_options {
    const char *program; /* the text; NULL: it is in `file` */
    const char *file;
    const char **names; /* of each input: as in NAME=FILE; NULL: none */
    const char **paths;
    int nfrom;
    const char *to;
    bool has_all, replace, json, dry_run;
    int format;      /* pcdf_tool_format */
    int64_t deflate; /* level; 0: not compressed */
    int64_t memory;  /* for values, a rank */
    struct pcdf_tool_history history;
};

extern const struct pcdf_options pcdf_calc_table;

/* argv is reordered. NULL, or the sentence of what is wrong, which stays as long as the process. names and
 * paths are to be freed with pcdf_free. */
const char *pcdf_calc_read_options(struct pcdf_calc_options *options, int argc, char **argv);
#endif
