#ifndef PCDF_EXPRGRAPH_H
#define PCDF_EXPRGRAPH_H
/* A program whose names are looked up: nodes with types, dimensions and meanings. What is written twice is
 * one node. The arguments of a node come before it. */

#include "exprtree.h"
#include "meta.h"

__extension__ typedef __int128 pcdf_expr_whole; /* all 64-bit integers, with and without a sign */

enum { PCDF_EXPR_DIMS = 32 }; /* of a result, at most */

struct pcdf_expr_source {         /* a file */
    const char *name;             /* as programs call it: "a" */
    const char *path;             /* for sentences */
    const struct pcdf_meta *meta; /* must stay */
};

struct pcdf_expr_dim {
    const char *name; /* of a source's meta */
    int64_t length;
    bool is_record;
    int source, dimid, varid; /* where it appeared first; varid -1: not in a variable */
};

struct pcdf_expr_node {
    enum pcdf_expr_op op; /* NUMBER: a constant */
    int args[3], nargs;
    nc_type type;
    bool is_weak; /* a constant without a type of its own: it takes that of what it meets */
    bool is_wide; /* integers that a double may not hold: values are exact beside x */
    double bound; /* of integers: none has more */
    int ndims;
    unsigned char dims[PCDF_EXPR_DIMS]; /* numbers of dimensions of the program */
    double number;                      /* of a constant */
    int64_t exact;                      /* of a constant integer; bits of a uint64 */
    int source, varid;
    bool has_one;   /* of a VARIABLE: its record dimension has one index, which is not in dims */
    int dim;        /* SHIFT, ROLL, INDEX */
    int64_t offset; /* SHIFT, ROLL */
    /* meaning: */
    const char *units; /* NULL: not known */
    int keeper;        /* the VARIABLE whose attributes hold for it; -1: none */
    bool is_same;      /* its values are values of the keeper, elsewhere perhaps */
    int lead;          /* the first VARIABLE that has most of its dimensions; -1: none */
    int next;          /* of the same bucket */
};

struct pcdf_expr_result {
    const char *name;
    int node;
    size_t at, n; /* the name in the program */
};

struct pcdf_expr_constants { /* of a statement that sets an attribute */
    int statement;
    int n;
    const int *nodes;
};

struct pcdf_expr {
    const struct pcdf_expr_source *sources; /* must stay */
    int nsources;
    PCDF_ARRAY(struct pcdf_expr_node) nodes;
    PCDF_ARRAY(struct pcdf_expr_dim) dims;
    PCDF_ARRAY(struct pcdf_expr_result) results; /* each name once: what was said last */
    PCDF_ARRAY(struct pcdf_expr_constants) constants;
    struct pcdf_arena arena;
    int *buckets; /* the first node of each */
};

/* Adds a node, or finds the same; folds constants. *id. NC_ENOMEM, or NC_EINVAL with *fault. */
int pcdf_expr_add_node(struct pcdf_expr *expr, struct pcdf_expr_node node, const struct pcdf_expr_item *item,
                       struct pcdf_expr_fault *fault, int *id);
/* units, keeper, is_same and lead of a node, from those of its arguments. */
void pcdf_expr_mean(const struct pcdf_expr *expr, struct pcdf_expr_node *node);
void pcdf_expr_mean_variable(struct pcdf_expr *expr, struct pcdf_expr_node *node, int id);

/* The variable that a name means. NC_EINVAL with *fault: there is none, or several. */
int pcdf_expr_find_variable(const struct pcdf_expr *expr, const struct pcdf_expr_item *item, int *source,
                            int *varid, struct pcdf_expr_fault *fault);
/* Number of the source; NC_EINVAL with *fault. */
int pcdf_expr_find_source(const struct pcdf_expr *expr, const char *name, size_t at, size_t n, int *source,
                          struct pcdf_expr_fault *fault);
#endif
