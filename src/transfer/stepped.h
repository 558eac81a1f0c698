#ifndef PCDF_STEPPED_H
#define PCDF_STEPPED_H
/* Puts to a file whose writer places what they leave (filewriter.h): in steps of the space of cells, so that
 * what waits for its place has bounded memory. */

#include "streamed.h"

/* Collective, as pcdf_streamed_put_all. A failure in one step is the last one's. */
int pcdf_stepped_put_all(struct pcdf_dataset *ds, const struct pcdf_iterator *all,
                         const struct pcdf_span *span, pcdf_move_all *move_all, void *context,
                         int64_t *moved);

/* The same of a file with one rank, without a vote: its puts in independent mode. Stops where a step fails.
 */
bool pcdf_stepped_is_alone(const struct pcdf_dataset *ds);
typedef int pcdf_stepped_move(void *context, const struct pcdf_iterator *it, int64_t *moved);
int pcdf_stepped_put_alone(struct pcdf_dataset *ds, const struct pcdf_iterator *all, pcdf_stepped_move *move,
                           void *context, int64_t *moved);
#endif
