#ifndef PCDF_REDUCEOPTIONS_H
#define PCDF_REDUCEOPTIONS_H
/* What `parcdf reduce` was asked for. */

#include "reducecells.h"
#include "options.h"
#include "toolhistory.h"

enum pcdf_reduce_period {
    PCDF_REDUCE_ALL_OF_IT, /* no groups */
    PCDF_REDUCE_YEAR,
    PCDF_REDUCE_SEASON,
    PCDF_REDUCE_MONTH,
    PCDF_REDUCE_DAY, /* with --by: of the year */
    PCDF_REDUCE_HOUR,
    PCDF_REDUCE_INDICES, /* --each N */
    PCDF_REDUCE_WINDOW   /* --window N */
};

/* Which of the reduced dimensions stay, with length 1. */
enum pcdf_reduce_keep {
    PCDF_REDUCE_KEEPS_RECORDS, /* the record dimension, so that results can be joined */
    PCDF_REDUCE_KEEPS_ALL,     /* --keep */
    PCDF_REDUCE_KEEPS_NONE     /* --squeeze */
};

struct pcdf_reduce_options {
    enum pcdf_reduce_op op;
    const char *word; /* of the operation */
    bool of_sample;   /* var1, std1 */
    double quantile;
    char *dims; /* NULL with --across; of argv */
    const char *only, *weights, *masked_by;
    enum pcdf_reduce_period period;
    bool of_all_years; /* --by */
    int64_t length;    /* of --each N, --window N */
    enum pcdf_reduce_keep keep;
    bool across, replace, json, dry_run, is_double;
    int format;      /* pcdf_tool_format */
    int64_t deflate; /* level; 0: not compressed */
    int64_t memory;  /* bytes for data, on each rank */
    char **from;
    int nfrom;
    const char *to;
    struct pcdf_tool_history history;
};

extern const struct pcdf_options pcdf_reduce_table;

/* argv is reordered. NULL, or the sentence of what is wrong, which stays as long as the process. */
const char *pcdf_reduce_read_options(struct pcdf_reduce_options *options, int argc, char **argv);
/* The method's name in CF's cell_methods; NULL: it has none. */
const char *pcdf_reduce_method(const struct pcdf_reduce_options *options);
#endif
