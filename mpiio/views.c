/* See views.h. */
#include "views.h"
#include "alloc.h"
#include "independent.h"

static void widen(struct pcdf_stage *stage, int64_t size)
{
    char *bytes = size > stage->size ? pcdf_malloc((size_t)size) : NULL;
    if (!bytes)
        return;
    pcdf_free(stage->bytes);
    stage->bytes = bytes;
    stage->size = size;
}

int pcdf_views_all(struct pcdf_engine *io, const struct pcdf_ranks *ranks, const struct pcdf_iterator *it,
                   struct pcdf_stage *stage, int64_t widest, int64_t *moved)
{
    struct pcdf_part part = { .next = it->begin };
    int status = NC_NOERR;
    int64_t any = 1;
    *moved = 0;
    if (it->nbytes > 0)
        widen(stage, it->nbytes < widest ? it->nbytes : widest);
    while (any) { /* the same on all ranks */
        struct pcdf_look look = { part.next, INT64_MAX, stage->pieces, stage->size, stage->bytes };
        bool has_part = !status && part.next != INT64_MAX;
        if (has_part)
            status = it->peek(it->context, &look, &part);
        if (!has_part || status)
            part.n = 0;
        if (part.n > 0 && it->dir == PCDF_PUT)
            it->copy(it->context, stage->bytes);
        pcdf_first(&status, pcdf_engine_move(io, it->dir, &part, io->ops->transfer_all));
        if (part.n > 0 && !status && it->dir == PCDF_GET)
            it->copy(it->context, stage->bytes);
        if (part.n > 0 && !status)
            *moved += part.asked;
        any = !status && part.next != INT64_MAX;
        int err = pcdf_ranks_max_all(ranks, &any, 1);
        if (err)
            return status ? status : err;
    }
    return status;
}
