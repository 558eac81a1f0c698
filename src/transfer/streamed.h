#ifndef PCDF_STREAMED_H
#define PCDF_STREAMED_H
/* Puts into a file whose size counts its records (hint pcdf_streaming). A record exists for every reader as
 * soon as the file reaches the end of its last value. So that value is written when all other values of the
 * record, and of the records before it, are: record by record, with a vote before each last value and one
 * behind it, which also tells where the next bytes of any rank begin. A rank alone needs no vote: it writes
 * in the order of the file. */

#include "dataset.h"
#include "iterator.h"

/* Collective: moves what begins in the span; the same span on all ranks, the iterator each rank's own. */
typedef int pcdf_move_all(void *context, const struct pcdf_iterator *it, const struct pcdf_span *span,
                          int64_t *moved);

/* Do puts into this span add records that the size would count before they are whole? The same on all ranks.
 */
bool pcdf_streamed_is_needed(const struct pcdf_dataset *ds, const struct pcdf_span *span);
/* Collective: such a put. A failure is kept in io_error. */
int pcdf_streamed_put_all(struct pcdf_dataset *ds, const struct pcdf_iterator *it, struct pcdf_stage *stage,
                          const struct pcdf_span *span, pcdf_move_all *move_all, void *context,
                          int64_t *moved);
/* The file may reach to `end` now: records up to there need no care any more. The same on all ranks. */
void pcdf_streamed_reached(struct pcdf_dataset *ds, int64_t end);
#endif
