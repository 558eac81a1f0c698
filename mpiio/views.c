/* See views.h. */
#include "views.h"
#include "alloc.h"
#include "independent.h"
#include "provesame.h"
#include "status.h"

int pcdf_views_all(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, struct pcdf_stage *stage,
                   int64_t widest, int64_t *moved)
{
    struct pcdf_batch batch = { .next = it->begin };
    struct pcdf_extents x = { .dir = it->dir, .together = true };
    int status = NC_NOERR;
    int64_t any = 1;
    if (PCDF_SAME(&f->ranks, !f->kind->has_views))
        return pcdf_independent(f, it, stage, true, moved);
    *moved = 0;
    int64_t wide = it->nbytes < widest ? it->nbytes : widest;
    char *bytes = wide > stage->size ? pcdf_malloc((size_t)wide) : NULL;
    if (bytes) { /* else there are more rounds */
        pcdf_free(stage->bytes);
        stage->bytes = bytes;
        stage->size = wide;
    }
    while (any) { /* the same on all ranks */
        struct pcdf_batch_limits limits = { batch.next,   INT64_MAX, stage->pieces, stage->size,
                                            stage->bytes, false,     false,         0,
                                            false };
        bool has_part = !status && batch.next != INT64_MAX;
        if (has_part)
            status = it->peek(it->context, &limits, &batch);
        if (!has_part || status)
            batch.n = 0;
        if (batch.n > 0 && it->dir == PCDF_PUT)
            it->copy(it->context, stage->bytes);
        x.n = batch.n;
        x.pieces = batch.pieces;
        pcdf_first(&status, pcdf_storage_move(f->storage, &x, NULL));
        if (batch.n > 0 && !status && it->dir == PCDF_GET)
            it->copy(it->context, stage->bytes);
        if (batch.n > 0 && !status)
            *moved += batch.asked;
        any = !status && batch.next != INT64_MAX;
        int err = pcdf_ranks_reduce_all(&f->ranks, MPI_MAX, &any, 1);
        if (err)
            return status ? status : err;
    }
    return status;
}
