#ifndef PCDF_CHANGESTEP_H
#define PCDF_CHANGESTEP_H
/* The steps of a change that making one (change.c), finishing one (recover.c) and looking at one (repair.c)
 * share. */

#include "change.h"
#include "move.h"

/* Collective: does every rank have what it needs for *next? If not, nobody begins, and it is PCDF_STEP_NONE:
 * the same on all ranks. */
int pcdf_change_begin_all(struct pcdf_dataset *ds, int status, enum pcdf_change_step *next);
/* Collective: new variables get their fill values, on the storage. When it returns,
 * every rank knows by ds->io_error whether all of it was written. */
int pcdf_change_fill_all(struct pcdf_dataset *ds, bool syncs);
/* Collective, after all data is in its place: the new header, the journal goes, on all ranks the verdict. */
int pcdf_change_end_all(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header,
                        struct pcdf_journalfile *c, bool syncs, int status);

/* Local: both headers of the journal, as ds->old_meta with *old_layout, and ds->meta with ds->layout; the
 * modes of fill. The caller frees all of it, also on failure. NC_ERECOVER, NC_ENOMEM. */
int pcdf_change_take_headers(struct pcdf_dataset *ds, const struct pcdf_journal *j,
                             struct pcdf_layout *old_layout);
/* Local: the rounds of a prepared move and its room, as the journal says. NC_ERECOVER: it is about far more
 * bytes than the file has. NC_ENOMEM. */
int pcdf_change_take_extent(struct pcdf_mover *m, const struct pcdf_journal *j);
/* Local: the latest round that every part of this rank noted, and that any did; -1: none. m has its room. */
int pcdf_change_count_rounds(struct pcdf_mover *m, int64_t *least, int64_t *most);
#endif
