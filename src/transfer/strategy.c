/* See strategy.h. */
#include "strategy.h"

enum {
    SEVERAL = 4,        /* stripes: a piece has most to itself */
    LONG_WAIT = 1 << 25 /* bytes: slower than waiting for two neighbours */
};

/* Are stripes locked, and does this rank share few or none of them with others? By what is known of all its
 * pieces: the first and last byte, and how long they are on average. */
static bool keeps_to_stripes(const struct pcdf_stripes *stripes, const struct pcdf_iterator *all)
{
    int64_t mean = all->nbytes / all->pieces, stripe = pcdf_stripes_at(stripes, all->begin, all->end).bytes;
    if (!stripes->are_locked || mean >= LONG_WAIT || mean / SEVERAL >= stripe)
        return true;
    return all->begin % stripe == 0 && all->end % stripe == 0 && mean % stripe == 0 &&
           mean * all->pieces == all->nbytes;
}

/* Gets that go to a ragged end are each rank's own. NULL: not so. */
static const char *why_independent(const struct pcdf_dataset *ds, const struct pcdf_iterator *all)
{
    return all->dir == PCDF_GET && ds->is_short ? "short-file" : NULL;
}

struct pcdf_span pcdf_strategy_shared(const struct pcdf_dataset *ds, const struct pcdf_iterator *all)
{
    bool may = all->dir == PCDF_GET && all->nbytes > 0 && ds->ranks.size > 1 && ds->io->kind->domain > 0 &&
               !why_independent(ds, all) && ds->hints.strategy == PCDF_HINT_STRATEGY_AUTO &&
               !ds->hints.gets_independent;
    return may ? (struct pcdf_span){ all->begin, all->end } : (struct pcdf_span){ INT64_MAX, 0 };
}

/* Parts that only touch or overlap a little, as with a halo, are read by those who want them. */
bool pcdf_strategy_gathers(const struct pcdf_transfer_vote *agreed)
{
    const struct pcdf_span *c = &agreed->shared, *all = &agreed->get_span;
    return agreed->get == PCDF_STRATEGY_INDEPENDENT && c->begin < c->end &&
           c->end - c->begin > (all->end - all->begin) / 2;
}

enum pcdf_strategy pcdf_strategy_best(const struct pcdf_dataset *ds, const struct pcdf_iterator *all,
                                      enum pcdf_touched_chunks chunks, const char **why)
{
    const char *ragged = why_independent(ds, all);
    *why = "chunks"; /* moving for others would mean decoding for them */
    if (ds->io->kind->get_boxes && all->dir == PCDF_GET)
        return PCDF_STRATEGY_INDEPENDENT;
    if (ds->writer && chunks != PCDF_CHUNKS_NONE)
        return ds->ranks.size == 1            ? PCDF_STRATEGY_INDEPENDENT
               : chunks == PCDF_CHUNKS_OF_OWN ? PCDF_STRATEGY_OWN
                                              : PCDF_STRATEGY_TWOPHASE;
    *why = "hint";
    if (ds->hints.strategy == PCDF_HINT_STRATEGY_VIEWS && !ds->writer)
        return PCDF_STRATEGY_VIEWS;
    bool is_independent = all->dir == PCDF_PUT ? ds->hints.puts_independent : ds->hints.gets_independent;
    if (ds->hints.strategy == PCDF_HINT_STRATEGY_INDEPENDENT ||
        (ds->hints.strategy == PCDF_HINT_STRATEGY_AUTO && is_independent))
        return PCDF_STRATEGY_INDEPENDENT;
    *why = ds->ranks.size == 1 ? "one-rank" : ragged ? ragged : "no-two-phase";
    if (ds->ranks.size == 1 || ragged || !ds->io->kind->is_shared)
        return PCDF_STRATEGY_INDEPENDENT;
    *why = "hint";
    if (ds->hints.strategy == PCDF_HINT_STRATEGY_TWOPHASE)
        return PCDF_STRATEGY_TWOPHASE;
    bool keeps = keeps_to_stripes(&ds->io->stripes, all),
         is_large = all->nbytes / all->pieces >= ds->hints.chunk_size;
    *why = is_large ? "pieces-large" : "piece-one";
    /* Whole blocks are read for comparing: a small piece is cheaper where one rank reads the block for all.
     */
    bool compares = all->dir == PCDF_GET && ds->io->get_block > 0;
    if ((is_large && (keeps || all->dir == PCDF_GET)) || (all->pieces == 1 && keeps && !compares))
        return PCDF_STRATEGY_INDEPENDENT;
    *why = keeps ? "pieces-small" : "file-striped";
    return PCDF_STRATEGY_TWOPHASE;
}

const char *pcdf_strategy_name(enum pcdf_strategy strategy)
{
    static const char *const names[] = { "nothing", "independent", "chunked", "two-phase", "views" };
    return names[strategy];
}
