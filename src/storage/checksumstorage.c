/* A layer: has a mark made before the first write of this process, notes what is written or cloned, and
 * compares what is read with its checksums (checksumblocks.h). It lies right on the bottom, so that it sees
 * what a file gets. */

#include "alloc.h"
#include "checksumblocks.h"
#include "olderfile.h"
#include "status.h"

struct checksumstorage {
    struct pcdf_storage storage;
    struct pcdf_checksum_blocks *sums;
};

/* ---- blocks that an older file has, too */

/* From block `at` on, so many bytes of the piece may be the same in the older file. Few blocks at once: they
 * are compared before the first of them is cloned. */
static int64_t likely_same(const struct pcdf_checksum_blocks *b, const struct pcdf_piece *p, int64_t at)
{
    const int64_t most = 16 * b->block_size, end = p->offset + p->length;
    int64_t n = 0;
    while (n < most && at + n + b->block_size <= end) {
        uint64_t value = pcdf_checksum_blocks_value(b, (at + n) / b->block_size);
        if (value >> 32 != PCDF_BLOCK_SUMMED >> 32 ||
            !pcdf_olderfile_has(b->older, (at + n) / b->block_size, b->block_size, (uint32_t)value))
            break;
        n += b->block_size;
    }
    return n;
}

struct sharing { /* one put's */
    struct pcdf_checksum_blocks *b;
    struct pcdf_storage *below;
    struct pcdf_extents x; /* as it was asked for: of one piece */
    int64_t got;
};

static int write_part(struct sharing *s, const struct pcdf_piece *p, int64_t from, int64_t end)
{
    const struct pcdf_piece part = { from, end - from, p->data + (from - p->offset) };
    int64_t got = 0;
    if (from == end)
        return NC_NOERR;
    s->x.pieces = &part;
    int err = pcdf_storage_move(s->below, &s->x, &got);
    s->got += got;
    return err;
}

static int put_piece(struct sharing *s, const struct pcdf_piece *p)
{
    const int64_t size = s->b->block_size, end = p->offset + p->length;
    int64_t from = p->offset; /* bytes before were written or cloned */
    for (int64_t at = (p->offset + size - 1) / size * size, n; at + size <= end; at += n) {
        n = likely_same(s->b, p, at);
        if (n == 0) {
            n = size;
            continue;
        }
        PCDF_TRY(write_part(s, p, from, at));
        from = at;
        if (pcdf_olderfile_clone(s->b->older, s->below, p->data + (at - p->offset), at, n)) {
            from = at + n;
            s->got += n;
        }
    }
    return write_part(s, p, from, end);
}

/* The blocks are summed before they are written: the sums tell which ones may be the same. */
static int put_sharing(struct pcdf_checksum_blocks *b, struct pcdf_storage *below,
                       const struct pcdf_extents *x, int64_t *got)
{
    struct sharing s = { .b = b, .below = below, .x = *x };
    int status = NC_NOERR;
    s.x.n = 1;
    for (size_t i = 0; i < x->n; i++)
        pcdf_checksum_blocks_put(b, x->pieces[i].data, x->pieces[i].offset, x->pieces[i].length);
    for (size_t i = 0; i < x->n && !status; i++)
        status = put_piece(&s, &x->pieces[i]);
    for (size_t i = 0; i < x->n && status; i++)
        pcdf_checksum_blocks_put(b, NULL, x->pieces[i].offset, x->pieces[i].length);
    *got += s.got;
    return status;
}

/* ---- the layer */

/* Where the mark cannot be made nothing is written. A rank that cannot write takes part in a move of all with
 * nothing. */
static int sums_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    const struct pcdf_extents nothing = { .dir = x->dir, .together = x->together };
    struct pcdf_checksum_blocks *b = ((struct checksumstorage *)s)->sums;
    if (x->dir == PCDF_GET)
        return pcdf_checksum_blocks_get(b, s->below, x, got);

    int status = x->n > 0 ? pcdf_checksum_blocks_mark(b) : NC_NOERR;
    if (b->older && !status && !x->together)
        return put_sharing(b, s->below, x, got);
    if (status)
        x = &nothing;
    if (!status || x->together)
        pcdf_first(&status, pcdf_storage_move(s->below, x, got));
    for (size_t i = 0; i < x->n; i++) {
        const struct pcdf_piece *p = &x->pieces[i];
        pcdf_checksum_blocks_put(b, status ? NULL : p->data, p->offset, p->length);
    }
    return status;
}

/* Bytes behind the old end, or the new one, change. Nothing is resized where the mark cannot be made: those
 * who resize together agreed on it before (parts/checksums/checksummark.c), so that all of them come to the
 * storage, or none. */
static int sums_resize(struct pcdf_storage *s, int64_t bytes)
{
    struct pcdf_checksum_blocks *b = ((struct checksumstorage *)s)->sums;
    int64_t size = 0;
    PCDF_TRY(pcdf_checksum_blocks_mark(b));
    int status = pcdf_storage_size(s->below, &size);
    if (bytes != size)
        pcdf_checksum_blocks_put(b, NULL, bytes < size ? bytes : size, 1);
    pcdf_first(&status, pcdf_storage_resize(s->below, bytes));
    return status;
}

static const struct pcdf_storage_ops sums_ops = {
    .name = "checksums",
    .move = sums_move,
    .resize = sums_resize,
};

int pcdf_checksumstorage_stack(struct pcdf_checksum_blocks *b, struct pcdf_storage **top)
{
    struct checksumstorage *s = pcdf_storage_make(sizeof *s, &sums_ops, *top, NULL);
    if (!s)
        return NC_ENOMEM;
    s->sums = b;
    *top = &s->storage;
    return NC_NOERR;
}
