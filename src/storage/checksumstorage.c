/* A layer: has a mark made before the first write of this process, notes what is written, and compares what
 * is read with its checksums (blocksums.h). It lies right on the bottom, so that it sees what a file gets. */

#include "alloc.h"
#include "blocksums.h"
#include "status.h"

struct checksumstorage {
    struct pcdf_storage storage;
    struct pcdf_blocksums *sums;
};

static struct pcdf_blocksums *sums_of(struct pcdf_storage *s)
{
    return ((struct checksumstorage *)s)->sums;
}

/* Where the mark cannot be made nothing is written. */
static int begin_write(struct pcdf_blocksums *b)
{
    if (b->marked || !b->before_write)
        return NC_NOERR;
    PCDF_TRY(b->before_write(b->context));
    b->marked = true;
    return NC_NOERR;
}

static int sums_put(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n)
{
    struct pcdf_blocksums *b = sums_of(s);
    PCDF_TRY(begin_write(b));
    int err = pcdf_storage_put(s->below, pieces, n);
    for (size_t i = 0; i < n; i++)
        pcdf_blocksums_put(b, err ? NULL : pieces[i].data, pieces[i].offset, pieces[i].length);
    return err;
}

static int sums_get(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n, int64_t *got)
{
    PCDF_TRY(pcdf_storage_get(s->below, pieces, n, got));
    for (size_t i = 0; i < n; i++)
        PCDF_TRY(pcdf_blocksums_compare(sums_of(s), s->below, pieces[i].offset, pieces[i].length));
    return NC_NOERR;
}

/* A rank that cannot write takes part with nothing. */
static int sums_view(struct pcdf_storage *s, const struct pcdf_extents *x)
{
    const struct pcdf_extents nothing = { .dir = x->dir };
    struct pcdf_blocksums *b = sums_of(s);
    bool puts = x->dir == PCDF_PUT && x->n > 0;
    int status = puts ? begin_write(b) : NC_NOERR, marked = !status;
    pcdf_first(&status, pcdf_storage_view(s->below, marked ? x : &nothing));
    const char *data = x->data;
    for (size_t i = 0; marked && i < x->n; data += x->length[i++])
        if (puts)
            pcdf_blocksums_put(b, status ? NULL : data, x->offset[i], x->length[i]);
        else if (!status)
            status = pcdf_blocksums_compare(b, s->below, x->offset[i], x->length[i]);
    return status;
}

/* Bytes behind the old end, or the new one, change. */
static int sums_resize(struct pcdf_storage *s, int64_t bytes)
{
    int64_t size = 0;
    int status = begin_write(sums_of(s));
    pcdf_first(&status, pcdf_storage_size(s->below, &size));
    if (bytes != size)
        pcdf_blocksums_put(sums_of(s), NULL, bytes < size ? bytes : size, 1);
    pcdf_first(&status, pcdf_storage_resize(s->below, bytes));
    return status;
}

static const struct pcdf_storage_ops sums_ops = {
    .name = "checksums",
    .put = sums_put,
    .get = sums_get,
    .view = sums_view,
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
