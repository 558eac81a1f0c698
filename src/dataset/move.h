#ifndef PCDF_MOVE_H
#define PCDF_MOVE_H
/* Makes room in the file when a redef let the header, a variable or the record grow: existing data moves to
 * where the new layout wants it. */

#include "dataset.h"

/* Does any byte of existing data have a new place? Replicated. */
bool pcdf_move_is_needed(const struct pcdf_meta *old_meta, const struct pcdf_layout *old_layout,
                         const struct pcdf_layout *layout);

/* Collective. Moves what old_meta and old_layout describe to ds->layout; variables are matched by id, since a
 * redef only adds. All ranks work, from the end of the file down, in rounds that all have read before any
 * writes. On failure every rank stops after the same round; the rank that failed returns its code, all know
 * by ds->io_error. *untouched: some rank lacks memory or the size of the file, nothing was written. */
int pcdf_move_data_all(struct pcdf_dataset *ds, const struct pcdf_meta *old_meta,
                       const struct pcdf_layout *old_layout, bool *untouched);
#endif
