#ifndef PCDF_INDEPENDENT_H
#define PCDF_INDEPENDENT_H
/* The strategy in which a rank moves its own pieces, at explicit offsets. */

#include "engine.h"
#include "iterator.h"

/* Local. *moved: bytes of the elements that the storage accepted or brought. */
int pcdf_independent(struct pcdf_engine *io, const struct pcdf_iterator *it, const struct pcdf_stage *stage,
                     int64_t *moved);

/* For a while: pieces, whose bytes stand one after another, as an engine takes them. through: transfer or
 * transfer_all. */
int pcdf_engine_move(struct pcdf_engine *io, enum pcdf_dir dir, const struct pcdf_part *part,
                     int (*through)(struct pcdf_engine *, const struct pcdf_extents *, int64_t *));
/* And a flow, as they take that. */
int pcdf_engine_exchange_all(struct pcdf_engine *io, const struct pcdf_iterator *it,
                             const struct pcdf_span *span, bool *done, int64_t *moved);
#endif
