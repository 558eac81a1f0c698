#ifndef PCDF_JOINPLAN_H
#define PCDF_JOINPLAN_H
/* What goes where: axes, tiles, and the definitions of the new file. The same on all ranks. */

#include "joincover.h"
#include "joinoptions.h"
#include "timevalue.h"
#include "toolfiles.h"

enum { PCDF_JOIN_AXES = 16 };

/* A dimension along which files are put together. */
struct pcdf_join_axis {
    const char *name;
    int dim;           /* of the first file; -1: the new one */
    int64_t length;    /* in the new file */
    bool is_scattered; /* by numbers of elements, which variable `index` of each file has */
    const char *index;
    int base; /* the number of the first element */
};

/* Of a file, as it was when the plan was made; integers alone, since ranks add theirs up. */
struct pcdf_join_facts {
    int64_t sum;                    /* of its header */
    int64_t is_image;               /* of another format: decoded chunks are kept while it is open */
    int64_t stamp;                  /* of its size and the time when it was changed */
    int64_t length[PCDF_JOIN_AXES]; /* of the axes, in this file */
};

/* A set of axes that some variables have. */
struct pcdf_join_domain {
    uint32_t axes;
    bool has_overlap, has_hole;
};

struct pcdf_join_var {
    int out;       /* varid in the new file */
    int domain;    /* -1: it has no axis, and is taken from the first file */
    uint32_t axes; /* a bit for each */
    bool has_new;  /* the new dimension comes before its own */
    /* It counts from a date, which may be another one in each file. NULL: it does not. Of the plan's memory.
     */
    const struct pcdf_time *time;
};

struct pcdf_join_plan {
    const struct pcdf_join_options *options;
    const struct pcdf_tool_ranks *ranks;
    struct pcdf_tool_files *files; /* options->from; one that is written to meanwhile is refused */
    enum pcdf_join_way way;
    struct pcdf_meta in; /* of the first file */
    struct pcdf_join_axis axes[PCDF_JOIN_AXES];
    int naxes;
    int *axis_of;                  /* by dimid of the first file; -1: none */
    struct pcdf_join_var *vars;    /* by varid of the first file */
    struct pcdf_join_facts *facts; /* by file */
    int64_t ntiles;
    int64_t *tile_file;
    struct pcdf_join_span *spans; /* of tile i and axis k: i * naxes + k */
    struct pcdf_join_domain *domains;
    int ndomains;
    int64_t *differs; /* by attribute, the global ones first: it is not the same in all files */
    struct pcdf_meta out;
    struct pcdf_layout layout;
    char *texts[PCDF_JOIN_AXES * 2]; /* names taken from arguments */
    int ntexts;
};

/* Collective: headers are shared out to the ranks, and read once. Says what is wrong, the same status on all
 * ranks; then there is nothing to free. */
int pcdf_join_plan_all(struct pcdf_join_plan *plan, const struct pcdf_tool_ranks *ranks,
                       const struct pcdf_join_options *options, struct pcdf_tool_files *files);
void pcdf_join_plan_free(struct pcdf_join_plan *plan);

/* A copy of n bytes of text that goes with the plan; NULL: no memory, said. */
const char *pcdf_join_keep_text(struct pcdf_join_plan *plan, const char *text, size_t n);
/* A new axis over dimension `dim` of the first file; said, where there are too many. */
int pcdf_join_add_axis(struct pcdf_join_plan *plan, int dim, const char *name, struct pcdf_join_axis **axis);
/* The bounds or climatology of a coordinate variable; -1: none. */
int pcdf_join_bounds_of(const struct pcdf_meta *meta, const struct pcdf_var *var);
#endif
