#ifndef PCDF_FOREIGNMOVE_H
#define PCDF_FOREIGNMOVE_H
/* The values on their way from a file to netCDF-4. */

#include "copytiles.h"
#include "h5target.h"
#include "nctarget.h"
#include "toolprogress.h"

struct pcdf_foreign_move {
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_copy_plan *plan;
    struct pcdf_tool_dataset *from;
    int64_t *const *chunks;        /* by variable of the copy: tiles are whole ones */
    const bool *chosen;            /* by variable; NULL: all */
    int deflate;                   /* level at which tiles are compressed here; 0: libnetcdf writes values */
    struct pcdf_nc_target *target; /* on rank 0, where libnetcdf writes */
    struct pcdf_h5_target *chunk_target; /* on rank 0, where chunks are stored */
    struct pcdf_tool_progress *progress;
    int64_t bytes; /* out: written by this rank */
};

/* All ranks but rank 0 read and send, rank 0 writes; alone it does both. Where tiles are compressed, rank 0
 * has its share of them, too. They are written in their order, so the file is the same on any number of
 * ranks. Point to point; an error stops all of them and is the status of the ranks that it touched. */
int pcdf_foreign_move_to_root_all(struct pcdf_foreign_move *move);
/* A signal asked the program to end: moves stop. */
extern volatile int pcdf_foreign_is_stopped;
#endif
