#ifndef PCDF_STRATEGY_H
#define PCDF_STRATEGY_H
/* How the bytes of a collective call go: what each rank would choose by itself. doc/strategies.md argues the
 * rule. Parts hear of it in two words (struct pcdf_moving).
 *
 * WAY, how the bytes of this rank went:
 *     -            the call moves none      nothing    it could, but no rank had any
 *     independent  each rank its own pieces, at explicit offsets
 *     two-phase    through the windows      views      by MPI-IO's collective calls
 *     chunked      each rank the chunks that it needs of a file of another format (chunked.h); or its own
 *                  pieces of a netCDF-4 file that is written, of whose chunks it owns all that it moves
 *     posted       they wait for wait       deferred   they wait for another call (hint pcdf_defer)
 * WHY, what decided it: hint; one-rank; short-file; no-two-phase: the storage cannot; pieces-large,
 * piece-one, pieces-small, file-striped; ranks-share: of a far file; chunks: of another format; other-rank:
 * another rank's need was larger; independent-mode: the call chooses none; "-". */

#include "iterator.h"
#include "vote.h"

/* Chunks of a file that is written are moved by the rank that owns them. */
enum pcdf_touched_chunks {
    PCDF_CHUNKS_NONE,
    PCDF_CHUNKS_OF_OWN, /* this rank owns all of them */
    PCDF_CHUNKS_OF_ANY
};

/* What would be best for this rank; *why: what decided it, a word of WHY. Local. */
enum pcdf_strategy pcdf_strategy_best(const struct pcdf_dataset *ds, const struct pcdf_iterator *all,
                                      enum pcdf_touched_chunks chunks, const char **why);
/* What this rank says of `shared` in the vote. Local. */
struct pcdf_span pcdf_strategy_shared(const struct pcdf_dataset *ds, const struct pcdf_iterator *all);
/* After the vote: do the ranks want the same bytes, or bytes between each other's, of a file that is slow to
 * read, so that one should read for all? The same on all ranks. */
bool pcdf_strategy_gathers(const struct pcdf_transfer_vote *agreed);
/* A word of WAY. */
const char *pcdf_strategy_name(enum pcdf_strategy strategy);
#endif
