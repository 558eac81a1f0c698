#ifndef PCDF_STATSCHOICE_H
#define PCDF_STATSCHOICE_H
/* What stats looks at: whole variables, and parts of variables (toolslice.h), cut into pieces. */

#include "toolslice.h"
#include "toolwork.h"

struct pcdf_stats_choice {
    bool *is_whole;                 /* by varid, as the next ones */
    struct pcdf_tool_slice *slices; /* a part: count is not NULL */
    char **texts;                   /* how the user wrote it */
};

/* lists: of -v; none: all variables. On failure says so, and the choice is to be ended all the same. */
int pcdf_stats_choose(struct pcdf_stats_choice *choice, const struct pcdf_tool_dataset *ds,
                      const char *const *lists, int nlists);
void pcdf_stats_choice_end(struct pcdf_stats_choice *choice, int nvars);
bool pcdf_stats_is_chosen(const struct pcdf_stats_choice *choice, int varid);
/* Values looked at, of one variable; bytes, of all. */
int64_t pcdf_stats_values(const struct pcdf_stats_choice *choice, const struct pcdf_meta *meta, int varid);
int64_t pcdf_stats_bytes(const struct pcdf_stats_choice *choice, const struct pcdf_meta *meta);

/* All ranks' pieces, in an order that depends on the file and the choice alone: whole variables as toolwork
 * has them, then the parts, whole rows where these are shorter than a piece. */
struct pcdf_stats_walk {
    const struct pcdf_stats_choice *choice;
    struct pcdf_tool_work work;
    bool in_parts;
    int varid;
    int64_t first;                /* in the part */
    struct pcdf_tool_chunk piece; /* the one that it stands at; of a part: counted in it */
    bool has_piece;
};
void pcdf_stats_walk_begin(struct pcdf_stats_walk *walk, const struct pcdf_stats_choice *choice,
                           const struct pcdf_meta *meta, int64_t bytes);
void pcdf_stats_walk_next(struct pcdf_stats_walk *walk);
/* The values of a piece: as pcdf_tool_values. */
int pcdf_stats_piece(struct pcdf_tool_dataset *ds, const struct pcdf_stats_choice *choice,
                     const struct pcdf_tool_chunk *piece, void *bytes);
#endif
