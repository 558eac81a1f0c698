#ifndef PCDF_INSERTION_H
#define PCDF_INSERTION_H
/* Moving data up by inserting ranges into the file (extentshift.h): where all of it moves by whole blocks of
 * the file system, in a few steps, which rank 0 makes for all.
 *
 *   1. The journal's head has the block, the file is marked.
 *   2. A range is inserted, the file is synced, a note of the journal says so; the next range. They rise in
 *      the file, so each one's traces are the only hole from its place on.
 *   3. Less than a block before each range moves by a copy: its edge. The last note says that all is in its
 *      place. Before it nothing writes where an edge comes from.
 *
 * A recovery finds an insertion that no note tells of by the size of the file and its hole: it was not begun,
 * or it is complete, or what was shifted is taken back, and it begins anew. Where the file system refuses the
 * first insertion and left the file as it was, data moves in rounds, for which the journal has room; the
 * records of rounds say so. */

#include "dataset.h"
#include "move.h"

/* Replicated: m->insertions, if such steps make the change: blocks are of so many bytes. m->file_size is
 * known. */
bool pcdf_insertions_plan(struct pcdf_mover *m, const struct pcdf_meta *old, const struct pcdf_layout *from,
                          int64_t block);
/* Rank 0 alone, before the journal is made: *block is the file system's, if it is to insert the ranges of
 * m->insertions; 0: data moves in rounds. A failure is one of storage. */
int pcdf_insertions_root_choose(struct pcdf_mover *m, const struct pcdf_layout *from, int64_t *block);
/* Collective, with a journal that has a block: makes the steps that are left. status: how it went so far,
 * here. *is_refused, the same on all ranks: nothing moved, rounds must. A failure is in ds->io_error of all
 * ranks when it returns. */
int pcdf_insertions_run_all(struct pcdf_mover *m, int status, bool *is_refused);
/* Local: how many steps the journal notes, of ninsertions + 1. */
int pcdf_insertions_count(struct pcdf_mover *m, int *done);
#endif
