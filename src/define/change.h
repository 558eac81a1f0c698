#ifndef PCDF_CHANGE_H
#define PCDF_CHANGE_H
/* Changes of the definitions on a file that a crash at any instant leaves old or new.
 *
 * Header bytes that changed within one sector of 512 bytes are one write. Everything else goes like this,
 * each step on the storage before the next where the storage holds anything to lose (`on_storage`), or
 * where data moves over its only copy:
 *   1. the journal, a file beside the real one, gets the old header, the new one and the modes of fill, and
 * is decoded once;
 *   2. the version byte of the file gets its top bit: readers that know nothing of journals refuse the file;
 * the number of records behind it gives way to the journal's nonce, all in one write;
 *   3. data moves up in rounds and steps (move.c), through the journal where it writes over what it reads;
 *   4. new variables are filled;
 *   5. the header behind its first sector is written, then the first sector, which takes the mark away;
 *   6. the journal is removed.
 * Whoever opens the file for writing next goes on where this stopped. A file that was created and never left
 * define mode has nothing to lose: its first sector is written last, and that is all. */

#include "header.h"
#include "journalfile.h"

enum { PCDF_SECTOR = 512 }; /* the storage writes all of it, or nothing */
static inline bool pcdf_change_fits_sector(struct pcdf_header_span s)
{
    return s.from >= s.to || s.from / PCDF_SECTOR == (s.to - 1) / PCDF_SECTOR;
}

/* Which of the six steps a change takes next. It passes over those that it does not need. */
enum pcdf_change_step {
    /* Nothing was written, and nothing will be: the file and its layout stay as they were. */
    PCDF_STEP_NONE,
    PCDF_STEP_JOURNAL, /* 1 */
    PCDF_STEP_MARK,
    PCDF_STEP_MOVE,
    PCDF_STEP_FILL,
    PCDF_STEP_HEADER, /* and 6: the journal goes right behind it */
};

/* Collective: what enddef writes, with ds->layout and ds->meta as they are to be and ds->old_meta and
 * old_layout as they were. *next, the same on all ranks: PCDF_STEP_NONE if the change failed before its first
 * step, and else some other step. */
int pcdf_change_write_all(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                          const struct pcdf_header_bytes *header, enum pcdf_change_step *next);

/* Rank 0 alone: a new header in the place of an old one, nothing else. old: what is on the file, or NULL when
 * it holds no header yet. *next (may be NULL): PCDF_STEP_NONE if it failed before it wrote. A failure after
 * that is sticky. */
int pcdf_change_root_header(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header,
                            const struct pcdf_header_bytes *old, enum pcdf_change_step *next);

/* Has a change of the open file a journal? Not by hint pcdf_debug_journal, and not where nobody finds it. */
bool pcdf_change_wants_journal(const struct pcdf_dataset *ds);

/* Rank 0 alone, before a file is opened for writing: is there a change to finish? Then *found has the
 * journal, open and locked, for pcdf_change_recover_all; else it is closed. A change of HDF5's metadata
 * (metajournal.h) is finished at once. A journal that no change needs
 * any more is removed, one of another file set aside (ownjournal.h). NC_EACCESS: another process is at it
 * now. NC_ERECOVER: the file is marked, and its journal cannot be used, or whether its owner is gone cannot
 * be proved. */
int pcdf_change_root_look(const char *path, struct pcdf_journalfile *found);
/* Collective, right after the storage was opened: finishes the change of ds->recovery (rank 0). */
int pcdf_change_recover_all(struct pcdf_dataset *ds);
#endif
