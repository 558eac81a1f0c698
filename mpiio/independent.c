/* See independent.h. */
#include "independent.h"
#include <assert.h>
#include "status.h"
#include "numbers.h"
#include "tracestorage.h"
#include "writequeue.h"

/* One line in the log, whatever the number of calls. */
static int move_sieved(struct pcdf_sharedfile *f, struct pcdf_sieve *v, enum pcdf_dir dir,
                       const struct pcdf_batch *batch)
{
    double begin = pcdf_tracestorage_mute(f->storage);
    int err = pcdf_sieve_pieces(v, dir, batch->pieces, batch->n);
    pcdf_tracestorage_tell(f->storage, begin,
                           &(struct pcdf_trace_line){ dir == PCDF_PUT ? "put" : "get", (int64_t)batch->n,
                                                      batch->pieces[0].offset, batch->nbytes, err });
    return err;
}

/* Long pieces are cut where the file is at multiples of this: the page cache then keeps large pages, and no
 * page or block is written by two calls. */
static int64_t cut_of(const struct pcdf_sharedfile *f, const struct pcdf_iterator *it,
                      const struct pcdf_stage *stage)
{
    enum { CALLS_LONG = 8 }; /* it takes one call more */
    if (it->dir == PCDF_GET && f->sieve.within > 0 && stage->size >= f->sieve.within)
        return stage->size / f->sieve.within * f->sieve.within;
    if (it->dir == PCDF_PUT && f->put_block > 0 && stage->size >= f->put_block)
        return stage->size / f->put_block * f->put_block;
    bool is_long = it->pieces > 0 && it->nbytes / it->pieces / CALLS_LONG >= stage->size;
    return is_long ? stage->size : 0;
}

/* Packed where they wait to be written, also what user memory holds as the file does: that is the only copy.
 * NULL: there is no queue. */
static char *lend(struct pcdf_sharedfile *f, int64_t left, struct pcdf_batch_limits *limits)
{
    enum { MOST = 1 << 20 };
    int64_t bytes = pcdf_smaller((left + 7) & -8, MOST);
    char *lent = pcdf_writequeue_lend(f->storage, bytes);
    if (lent) {
        limits->packed = lent;
        limits->bytes = bytes;
        limits->always = limits->streams = true;
        limits->cut = limits->cut ? MOST : 0;
    }
    return lent;
}

int pcdf_independent(struct pcdf_sharedfile *f, const struct pcdf_iterator *it,
                     const struct pcdf_stage *stage, bool is_collective, int64_t *moved)
{
    const bool puts = it->dir == PCDF_PUT, is_alone = is_collective && f->ranks.size == 1;
    const bool has_calls = f->sieve.call > 0 || f->sieve.always; /* what is no file has none to save */
    struct pcdf_sieve sieve = pcdf_sieve_begin(f->storage, &f->sieve);
    struct pcdf_batch batch = { .next = it->begin };
    const int64_t cut = cut_of(f, it, stage);
    int status = NC_NOERR;
    *moved = 0;
    while (!status && batch.next != INT64_MAX) {
        struct pcdf_batch_limits limits = { batch.next, INT64_MAX, stage->pieces, stage->size, stage->bytes,
                                            false,      false,     cut,           false };
        char *lent = puts ? lend(f, it->nbytes - *moved, &limits) : NULL;
        status = it->peek(it->context, &limits, &batch);
        if (status) {
            pcdf_writequeue_give(f->storage, lent, 0);
            break;
        }
        assert(batch.n > 0);
        if (puts)
            it->copy(it->context, limits.packed);
        const struct pcdf_extents x = {
            .dir = it->dir, .may_queue = true, .n = batch.n, .pieces = batch.pieces
        };
        bool sieves = has_calls && batch.n > 1 && (puts ? is_alone : (int64_t)batch.n >= f->view_threshold);
        status = sieves ? move_sieved(f, &sieve, it->dir, &batch) : pcdf_storage_move(f->storage, &x, NULL);
        pcdf_writequeue_give(f->storage, lent, batch.nbytes);
        if (!puts && !status)
            it->copy(it->context, stage->bytes);
        *moved += status ? 0 : batch.asked;
    }
    pcdf_sieve_end(&sieve);
    return status;
}
