#ifndef PCDF_JOINOPTIONS_H
#define PCDF_JOINOPTIONS_H
/* What `parcdf join` was asked for. */

#include <stdbool.h>
#include <stdint.h>
#include "options.h"
#include "toolhistory.h"

enum pcdf_join_way {
    PCDF_JOIN_BY_FILES, /* the files tell */
    PCDF_JOIN_ALONG,
    PCDF_JOIN_NEW,
    PCDF_JOIN_LAYOUT,
    PCDF_JOIN_INDEX,
    PCDF_JOIN_FMS,
    PCDF_JOIN_WRF,
    PCDF_JOIN_NEMO
};
enum pcdf_join_keep { PCDF_JOIN_KEEP_NONE, PCDF_JOIN_KEEP_FIRST, PCDF_JOIN_KEEP_LAST };

struct pcdf_join_options {
    enum pcdf_join_way way;
    const char *dim;    /* --along, --new; NULL: the record dimension */
    const char *values; /* --values; NULL: none */
    const char *text;   /* --layout, --index */
    int base;           /* --base; -1: 0 or 1, as the numbers tell */
    enum pcdf_join_keep keep;
    bool fill_missing, keep_first, replace, json, dry_run, verbose;
    int format;       /* pcdf_tool_format */
    int64_t deflate;  /* netCDF-4: the level; 0: not compressed */
    const char *list; /* --files: more files, a line each; NULL: none */
    char **from;
    int nfrom;
    const char *to;
    struct pcdf_tool_history history;
};

extern const struct pcdf_options pcdf_join_table;

/* argv is reordered. NULL, or the sentence of what is wrong, which stays as long as the process. */
const char *pcdf_join_read_options(struct pcdf_join_options *options, int argc, char **argv);
#endif
