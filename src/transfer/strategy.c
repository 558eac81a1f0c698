/* See strategy.h. */
#include "strategy.h"

enum pcdf_strategy pcdf_strategy_best(const struct pcdf_dataset *ds, const struct pcdf_iterator *all,
                                      const char **why)
{
    /* Gets that look at the file block by block, or go to a ragged end, are each rank's own. */
    const char *alone = ds->sums.blocks.expected ? "verify" : ds->is_short ? "short-file" : NULL;
    if (all->dir == PCDF_PUT)
        alone = NULL;
    *why = "hint";
    if (ds->hints.strategy == PCDF_HINT_STRATEGY_VIEWS)
        return PCDF_STRATEGY_VIEW;
    if (ds->hints.strategy == PCDF_HINT_STRATEGY_OFFSETS)
        return PCDF_STRATEGY_INDEPENDENT;
    *why = ds->comm.size == 1 ? "one-rank" : alone ? alone : "no-exchange";
    if (ds->comm.size == 1 || alone || !ds->io->kind->is_shared)
        return PCDF_STRATEGY_INDEPENDENT;
    *why = "hint";
    if (ds->hints.strategy == PCDF_HINT_STRATEGY_EXCHANGE)
        return PCDF_STRATEGY_TWOPHASE;
    int64_t mean = all->nbytes / all->pieces;
    *why = "pieces-large";
    if (mean >= ds->hints.chunk_size)
        return PCDF_STRATEGY_INDEPENDENT;
    *why = "file-striped"; /* writers that share a stripe wait for each other */
    if (ds->io->stripe > 0)
        return PCDF_STRATEGY_TWOPHASE;
    *why = all->pieces == 1 ? "piece-one" : "pieces-small";
    return all->pieces == 1 ? PCDF_STRATEGY_INDEPENDENT : PCDF_STRATEGY_TWOPHASE;
}

const char *pcdf_strategy_name(enum pcdf_strategy way)
{
    static const char *const names[] = { "nothing", "offsets", "exchange", "views", "alone" };
    return names[way];
}
