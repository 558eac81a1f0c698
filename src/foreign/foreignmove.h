#ifndef PCDF_FOREIGNMOVE_H
#define PCDF_FOREIGNMOVE_H
/* The values on their way from a source to a target. */

#include "foreigntiles.h"
#include "toolprogress.h"

struct pcdf_foreign_move {
    const struct pcdf_tool_team *team;
    const struct pcdf_copy_plan *plan;
    struct pcdf_foreign_source *source;
    int64_t *const *chunks; /* by variable of the copy: tiles are whole ones */
    /* Takes a tile; says what is wrong. Where only rank 0 writes it is called there alone. */
    int (*write)(void *target, int varid, const struct pcdf_foreign_slab *slab, const void *values);
    void *target;
    struct pcdf_tool_progress *progress;
    int64_t bytes; /* out: written by this rank */
};

/* Each rank reads and writes its share. Local. */
int pcdf_foreign_move_share(struct pcdf_foreign_move *move);
/* All ranks but rank 0 read and send, rank 0 writes; alone it does both. Point to point; an error stops all
 * of them and is the status of the ranks that it touched. */
int pcdf_foreign_move_to_root_all(struct pcdf_foreign_move *move);
/* A signal asked the program to end: moves stop. */
extern volatile int pcdf_foreign_is_stopped;
#endif
