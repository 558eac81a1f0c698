#ifndef PCDF_STEPPED_H
#define PCDF_STEPPED_H
/* Puts to a file whose writer places what they leave (filewriter.h): in steps of the space of cells, so that
 * what waits for its place has bounded memory. */

#include "streamed.h"

/* Collective, as pcdf_streamed_put_all. A failure in one step is the last one's. */
int pcdf_stepped_put_all(struct pcdf_dataset *ds, const struct pcdf_iterator *all,
                         const struct pcdf_span *span, pcdf_move_all *move_all, void *context,
                         int64_t *moved);
/* Local: what this rank alone has put goes to the file. Of a file with one rank; on others nothing happens.
 */
int pcdf_stepped_place_alone(struct pcdf_dataset *ds);
#endif
