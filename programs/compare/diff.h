#ifndef PCDF_DIFF_H
#define PCDF_DIFF_H
/* What the parts of `parcdf diff` share, and the two programs whose names it answers to. Two files are a and
 * b all along. Definitions belong together by name; values by their number in the variable. */

#include "toolfile.h"
#include "tooljson.h"
#include "toolranks.h"

/* ---- values (diffvalues.c) */

/* When two values differ. As numbers, whatever their types, exactly; -0 is 0; NaN is NaN. An infinity or a
 * NaN and anything else differ under any tolerance. With tolerances: where |x - y| > absolute and |x - y| /
 * max(|x|, |y|) > relative, those of the two that are set. */
struct pcdf_diff_rules {
    bool has_absolute, has_relative;
    double absolute, relative;
    bool nan_differs;     /* NaN and NaN */
    bool by_bits;         /* of one type: equal bits, nothing else, where there is no tolerance */
    bool text_as_numbers; /* characters have a tolerance too */
};

struct pcdf_diff_tally {             /* of a variable */
    int64_t n, different, lone_nans; /* lone_nans: only one of the two is a NaN; among `different` */
    int64_t first;                   /* number of the first that differs; -1: none */
    unsigned char first_a[8], first_b[8];
    double most_absolute, most_relative; /* of those that differ; -1: no number among them */
    int64_t absolute_at, relative_at;
};

/* Are two values of these types the same number where their bytes are the same, so that memcmp can tell? */
bool pcdf_diff_bytes_tell(const struct pcdf_diff_rules *rules, nc_type a, nc_type b);
/* Text and numbers are not. */
bool pcdf_diff_comparable(nc_type a, nc_type b);
void pcdf_diff_tally_begin(struct pcdf_diff_tally *tally);
/* n values in external form; `first` is the number of the first of them. Numbers rise from call to call. */
void pcdf_diff_values(const struct pcdf_diff_rules *rules, nc_type type_a, nc_type type_b,
                      const unsigned char *a, const unsigned char *b, int64_t n, int64_t first,
                      struct pcdf_diff_tally *tally);
void pcdf_diff_merge(struct pcdf_diff_tally *into, const struct pcdf_diff_tally *from);

/* ---- the two files and what is asked of them (diff.c) */

struct pcdf_diff_options {
    const char *paths[2];
    const char *variables, *without, *attributes_without; /* lists of names, NULL: not given */
    bool header_only, quiet, verbose, json, strict;
    struct pcdf_diff_rules rules;
};

struct pcdf_diff_pair { /* by variable of a */
    int b;              /* its variable of b, -1: none */
    int64_t n;          /* values to compare, -1: they cannot be, or are not asked for */
};

struct pcdf_diff {
    const struct pcdf_tool_ranks *ranks;
    struct pcdf_diff_options options;
    struct pcdf_tool_dataset a, b;
    bool *chosen_a, *chosen_b; /* by variable: asked for */
    bool some_only;            /* by name: the rest of the header is not asked for */
    struct pcdf_diff_pair *pairs;
    struct pcdf_diff_tally *tallies; /* by variable of a; whole on rank 0 after pcdf_diff_data_all */
    int64_t nheader;                 /* differences in the header, on rank 0 */
    bool is_short;                   /* values that are compared lie behind the end of a file */
};

/* Collective. Opens both files and pairs their variables, on each rank the same; on failure says why and
 * leaves nothing to close. needs_names: a name in a list that neither file has is a failure. */
int pcdf_diff_open_all(struct pcdf_diff *d, bool needs_names);
void pcdf_diff_close(struct pcdf_diff *d);

/* ---- the header (diffheader.c) */

struct pcdf_diff_finding {
    bool is_note;          /* told, but no difference */
    const char *kind;      /* "dimension", "variable", "attribute", "file" */
    const char *of, *name; /* of: an attribute's variable, "" for the file's own; name: NULL for a file */
    const char *what;      /* "length", "type", ... "missing": one side is NULL */
    const char *a, *b;     /* the two sides in words, escaped as CDL has them; NULL: not there */
};

/* Tells of each difference, in the order of a, then what only b has. Adds to nheader. For one rank. */
void pcdf_diff_header(struct pcdf_diff *d,
                      void (*tell)(void *context, const struct pcdf_diff_finding *finding), void *context);

/* ---- the data (diffdata.c) */

/* Collective: do all ranks have the same files open? status: this rank's. The worst of all; files that
 * changed in between are PCDF_TOOL_UNUSABLE. */
int pcdf_diff_agree_all(struct pcdf_diff *d, int status);
/* Collective: the values of all pairs. Status: not GOOD only where reading or memory failed. */
int pcdf_diff_data_all(struct pcdf_diff *d);

/* ---- in words (diffwords.c) */

enum { PCDF_DIFF_WORDS = 1024 };
/* One value. A character in quotes, integers exact, the shortest text of a real. */
void pcdf_diff_value_words(nc_type type, const unsigned char *value, char *words, size_t size);
/* The values of an attribute, of a long one those about the value `differs`. */
void pcdf_diff_att_words(const struct pcdf_att *att, int64_t differs, char *words, size_t size);
/* The names "(t, x)", or the lengths "(2, 4)". */
void pcdf_diff_dims_words(const struct pcdf_meta *meta, const struct pcdf_var *var, bool lengths, char *words,
                          size_t size);
/* The index of a value from its number, dimension by dimension. */
void pcdf_diff_index(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t number,
                     void (*take)(void *context, int64_t index), void *context);

/* ---- what rank 0 prints (difftext.c, diffjson.c): the header's part, then, once the data is compared, its
 */

struct pcdf_diff_totals {
    int64_t variables, values; /* compared */
    int64_t variables_apart, values_apart;
};
struct pcdf_diff_totals pcdf_diff_totals(const struct pcdf_diff *d);
bool pcdf_diff_is_same(const struct pcdf_diff *d);
void pcdf_diff_text_header(struct pcdf_diff *d);
void pcdf_diff_text_data(struct pcdf_diff *d);
void pcdf_diff_json_header(struct pcdf_diff *d, struct pcdf_json *json);
void pcdf_diff_json_data(struct pcdf_diff *d, struct pcdf_json *json);
#endif
