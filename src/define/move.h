#ifndef PCDF_MOVE_H
#define PCDF_MOVE_H
/* Moving the data of a file up when its header or its records grow: what moves, and in rounds. change.c says
 * when, and keeps the journal's head. */

#include "array.h"
#include "dataset.h"
#include "journalfile.h"

struct pcdf_segment { /* `count` blocks of `length` bytes, `from_step` apart where they are and `to_step`
                         where they go */
    int64_t from, to, length, count, from_step, to_step;
};

struct pcdf_segments {
    PCDF_ARRAY(struct pcdf_segment) list; /* rising in the file */
    int64_t nbytes;                       /* of all, known once they are limited */
};

struct pcdf_mover {
    struct pcdf_dataset *ds; /* with the new layout */
    struct pcdf_segments segments;
    unsigned char *buffer;        /* chunk bytes */
    int64_t file_size;            /* what the segments are limited by: the same on all ranks */
    int64_t parts, chunk, rounds; /* a round is `parts` stretches of `chunk` bytes, the file's end first */
    int64_t window;               /* parts * chunk */
    const struct pcdf_journal *journal; /* NULL with sidecar NULL: a crash loses data */
    struct pcdf_sidecar *sidecar;
    struct pcdf_journalfile *change; /* that it is of, for beats of rank 0 */
};

/* Replicated: does a change from one layout to another move bytes of the file? */
bool pcdf_move_is_needed(const struct pcdf_meta *old, const struct pcdf_layout *from,
                         const struct pcdf_layout *to);

/* What moves. Local. NC_ENOMEM. */
int pcdf_mover_prepare(struct pcdf_mover *m, struct pcdf_dataset *ds, const struct pcdf_meta *old_meta,
                       const struct pcdf_layout *old_layout);
/* Of what moves the file holds as much as its size says; the rounds. The same on all ranks from equal
 * arguments. */
void pcdf_mover_size(struct pcdf_mover *m, int64_t file_size, int64_t parts, int64_t chunk);
/* The same, with parts and rounds that suit so many ranks: those beyond the parts move nothing; at most about
 * `wished` bytes of a part in a round. */
void pcdf_mover_choose(struct pcdf_mover *m, int64_t file_size, int nranks, int64_t wished);
/* After pcdf_mover_size: must some round's bytes go to the journal first? */
bool pcdf_mover_needs_data(const struct pcdf_mover *m);
/* Local: what this rank wrote is on the storage, where that holds anything to lose. */
int pcdf_move_sync(struct pcdf_dataset *ds);
int pcdf_mover_room(struct pcdf_mover *m, int64_t chunk); /* the buffer. NC_ENOMEM. Local */
void pcdf_mover_free(struct pcdf_mover *m);

/* Collective: the rounds from `round` on. status: how it went so far, here; a failure is in ds->io_error of
 * all ranks when it returns, but for one of the last vote. */
int pcdf_mover_run_all(struct pcdf_mover *m, int64_t round, int status);
/* Local: this rank's parts of a round that the journal holds, once more. NC_ERECOVER: it does not. */
int pcdf_mover_redo(struct pcdf_mover *m, int64_t round);
#endif
