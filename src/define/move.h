#ifndef PCDF_MOVE_H
#define PCDF_MOVE_H
/* Moving the data of a file up when its header or its records grow: what moves, and in rounds. change.c says
 * when, and keeps the journal's head. */

#include "array.h"
#include "dataset.h"
#include "journalfile.h"

/* `count` blocks of `length` bytes, `from_step` apart where they are and `to_step` where they go. */
struct pcdf_segment {
    int64_t from, to, length, count, from_step, to_step;
};

struct pcdf_segments {
    PCDF_ARRAY(struct pcdf_segment) list; /* rising in the file */
    int64_t nbytes;                       /* bytes of all, known once they are limited */
};

/* The file system makes the room: what lies from `at` on moves up, from the first one on, one after the
 * other, until it has moved by `shift`. Rising. */
enum { PCDF_INSERTIONS_MOST = 4 };
struct pcdf_insertion {
    int64_t from;      /* what moves by `shift` begins here */
    int64_t at, shift; /* at: the next block, where it is inserted */
};

struct pcdf_mover {
    struct pcdf_dataset *ds; /* with the new layout */
    bool syncs;              /* each step is on the storage before the next: the same on all ranks */
    struct pcdf_segments segments;
    unsigned char *buffer; /* `piece` bytes */
    int64_t piece;
    int64_t file_size; /* what the segments are limited by: the same on all ranks */
    /* A round is `parts` ranges of `chunk` bytes. It begins at the file's end. */
    int64_t parts, chunk, rounds;
    int64_t step;                                           /* bytes a part takes at once; 0: all */
    int64_t window;                                         /* parts * chunk */
    struct pcdf_insertion insertions[PCDF_INSERTIONS_MOST]; /* where the journal has a block */
    int ninsertions;
    int64_t held;                       /* journal slot whose bytes are in the buffer */
    int64_t there;                      /* without a journal: how many bytes are */
    const struct pcdf_journal *journal; /* NULL with sidecar NULL: a crash loses data */
    struct pcdf_sidecar *sidecar;
    struct pcdf_journalfile *change; /* the change, for heartbeats of rank 0 */
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
/* The same, with parts, rounds and steps that suit so many ranks: those beyond the parts move nothing. */
struct pcdf_move_limits {
    /* At most about so many bytes of a part go through the journal in a step (slot), and in a round without
     * steps or through a buffer (together). */
    int64_t slot;
    int64_t together;
    bool in_steps; /* a journal is there to take steps */
};
void pcdf_mover_choose(struct pcdf_mover *m, int64_t file_size, int nranks,
                       const struct pcdf_move_limits *limits);
int64_t pcdf_mover_slot_room(const struct pcdf_mover *m); /* bytes that a slot of rounds must hold */
/* After pcdf_mover_size: must some round's bytes go to the journal first? */
bool pcdf_mover_needs_data(const struct pcdf_mover *m);
/* Local: if the change syncs, what this rank wrote is on the storage. */
int pcdf_move_sync(struct pcdf_dataset *ds, bool syncs);
int pcdf_mover_room(struct pcdf_mover *m, int64_t piece); /* the buffer. NC_ENOMEM. Local */
void pcdf_mover_free(struct pcdf_mover *m);

/* Collective: the rounds from `round` on. status: how it went so far, here; a failure is in ds->io_error of
 * all ranks when it returns, but for one of the last vote. */
int pcdf_mover_run_all(struct pcdf_mover *m, int64_t round, int status);
/* Local: this rank's parts of a round that all parts noted, from where each of them stopped. NC_ERECOVER: the
 * journal does not hold it. */
int pcdf_mover_redo(struct pcdf_mover *m, int64_t round);
/* Local: the record of a slot; round -1: there is none that is whole. The second makes it so where the data
 * behind it is not. */
int pcdf_mover_read_record(struct pcdf_mover *m, int64_t slot, struct pcdf_journal_record *r);
int pcdf_mover_check_data(struct pcdf_mover *m, int64_t slot, struct pcdf_journal_record *r);
#endif
