/* See independent.h. */
#include "independent.h"
#include "sieve.h"
#include "status.h"
#include "tracestorage.h"

/* Many pieces by data sieving; the log has one line for that. */
static int get_part(struct pcdf_sharedfile *f, const struct pcdf_part *part)
{
    if (part->n < 2 || (int64_t)part->n < f->view_threshold)
        return pcdf_storage_get(f->storage, part->pieces, part->n, NULL);
    double begin = pcdf_tracestorage_hush(f->storage);
    int err = pcdf_sieve_get(f->storage, part->pieces, part->n);
    pcdf_tracestorage_tell(
        f->storage, begin,
        &(struct pcdf_trace_line){ "get", (int64_t)part->n, part->pieces[0].offset, part->nbytes, err });
    return err;
}

int pcdf_independent_move(struct pcdf_sharedfile *f, enum pcdf_dir dir, const struct pcdf_part *part)
{
    if (part->n == 0)
        return NC_NOERR;
    return dir == PCDF_PUT ? pcdf_storage_put(f->storage, part->pieces, part->n) : get_part(f, part);
}

int pcdf_independent(struct pcdf_sharedfile *f, const struct pcdf_iterator *it,
                     const struct pcdf_stage *stage, int64_t *moved)
{
    struct pcdf_part part = { .next = it->begin };
    *moved = 0;
    while (part.next != INT64_MAX) {
        struct pcdf_look look = { part.next, INT64_MAX, stage->pieces, stage->size, stage->bytes };
        PCDF_TRY(it->peek(it->context, &look, &part));
        if (it->dir == PCDF_PUT)
            it->copy(it->context, stage->bytes);
        PCDF_TRY(pcdf_independent_move(f, it->dir, &part));
        if (it->dir == PCDF_GET)
            it->copy(it->context, stage->bytes);
        *moved += part.asked;
    }
    return NC_NOERR;
}
