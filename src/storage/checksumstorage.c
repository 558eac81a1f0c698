/* A layer: has a mark made before the first write of this process, notes what is written, and compares what
 * is read with its checksums (blocksums.h). It lies right on the bottom, so that it sees what a file gets. */

#include "alloc.h"
#include "blocksums.h"
#include "status.h"

struct checksumstorage {
    struct pcdf_storage storage;
    struct pcdf_blocksums *sums;
};

/* Where the mark cannot be made nothing is written. A rank that cannot write takes part in a move of all with
 * nothing. */
static int sums_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    const struct pcdf_extents nothing = { .dir = x->dir, .together = x->together };
    struct pcdf_blocksums *b = ((struct checksumstorage *)s)->sums;
    if (x->dir == PCDF_GET)
        return pcdf_blocksums_get(b, s->below, x, got);

    int status = x->n > 0 ? pcdf_blocksums_mark(b) : NC_NOERR;
    if (status)
        x = &nothing;
    if (!status || x->together)
        pcdf_first(&status, pcdf_storage_move(s->below, x, got));
    for (size_t i = 0; i < x->n; i++) {
        const struct pcdf_piece *p = &x->pieces[i];
        pcdf_blocksums_put(b, status ? NULL : p->data, p->offset, p->length);
    }
    return status;
}

/* Bytes behind the old end, or the new one, change. Nothing is resized where the mark cannot be made: those
 * who resize together agreed on it before (dataset/summark.h), so that all of them come to the storage, or
 * none. */
static int sums_resize(struct pcdf_storage *s, int64_t bytes)
{
    struct pcdf_blocksums *b = ((struct checksumstorage *)s)->sums;
    int64_t size = 0;
    PCDF_TRY(pcdf_blocksums_mark(b));
    int status = pcdf_storage_size(s->below, &size);
    if (bytes != size)
        pcdf_blocksums_put(b, NULL, bytes < size ? bytes : size, 1);
    pcdf_first(&status, pcdf_storage_resize(s->below, bytes));
    return status;
}

static const struct pcdf_storage_ops sums_ops = {
    .name = "checksums",
    .move = sums_move,
    .resize = sums_resize,
};

int pcdf_checksumstorage_stack(struct pcdf_blocksums *b, struct pcdf_storage **top)
{
    struct checksumstorage *s = pcdf_storage_make(sizeof *s, &sums_ops, *top, NULL);
    if (!s)
        return NC_ENOMEM;
    s->sums = b;
    *top = &s->storage;
    return NC_NOERR;
}
