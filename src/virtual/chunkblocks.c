/* See chunkblocks.h. */

#include "chunkblocks.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLAB = 4 << 20,  /* bytes; more where a block is longer */
    KEPT = 20 << 20, /* bytes of empty slabs that stay */
    STAGE = 4 << 20, /* a put of blocks that lie apart */
    SMALL = 1 << 20, /* what is longer is put as it lies */
    BLOCK_MORE = 16  /* bytes that an allocation costs, about */
};

/* ---- memory */

static void free_slab(struct pcdf_chunkblocks *blocks, struct pcdf_chunkslab **at)
{
    struct pcdf_chunkslab *gone = *at;
    *at = gone->next;
    blocks->slab_bytes -= (int64_t)gone->room;
    pcdf_free(gone);
}

/* One without blocks, and of no use here, goes before a new one is made: so what is held is no more than what
 * was needed at once. */
static struct pcdf_chunkslab *find_slab(struct pcdf_chunkblocks *blocks, size_t n)
{
    struct pcdf_chunkslab *s;
    for (struct pcdf_chunkslab **at = &blocks->slabs; *at;) {
        s = *at;
        s->used = s->live > 0 ? s->used : 0;
        if (s->room - s->used >= n) {
            *at = s->next;
            s->next = blocks->slabs;
            blocks->slabs = s;
            return s;
        }
        if (s->live == 0)
            free_slab(blocks, at);
        else
            at = &s->next;
    }
    size_t room = n > SLAB ? n : SLAB;
    s = room < SIZE_MAX - sizeof *s ? pcdf_malloc(sizeof *s + room) : NULL;
    if (!s)
        return NULL;
    *s = (struct pcdf_chunkslab){ .next = blocks->slabs, .room = room };
    blocks->slabs = s;
    blocks->slab_bytes += (int64_t)room;
    return s;
}

struct pcdf_chunkblock *pcdf_chunkblocks_new(struct pcdf_chunkblocks *blocks, size_t n)
{
    struct pcdf_chunkblock *b = pcdf_calloc(1, sizeof *b);
    if (b)
        b->slab = find_slab(blocks, n);
    if (!b || !b->slab) {
        pcdf_free(b);
        pcdf_fail(NC_ENOMEM, "no memory for %zu bytes of a chunk", n);
        return NULL;
    }
    b->n = n;
    b->bytes = b->slab->bytes + b->slab->used;
    b->slab->used += n;
    b->slab->live++;
    return b;
}

static void free_block(struct pcdf_chunkblock *b)
{
    b->slab->live--;
    if (b->bytes + b->n == b->slab->bytes + b->slab->used)
        b->slab->used -= b->n;
    pcdf_free(b);
}

void pcdf_chunkblocks_give_back(struct pcdf_chunkblock *b)
{
    free_block(b);
}

/* ---- from one list to the next */

void pcdf_chunkblocks_add(struct pcdf_chunkblocks *blocks, struct pcdf_chunkblock *b)
{
    b->before = NULL;
    b->next = blocks->waiting;
    if (b->next)
        b->next->before = b;
    blocks->waiting = b;
    blocks->nwaiting++;
    blocks->waiting_bytes += (int64_t)b->n;
}

void pcdf_chunkblocks_drop(struct pcdf_chunkblocks *blocks, struct pcdf_chunkblock *b)
{
    b->owner = NULL;
    if (b->is_sealed)
        return;
    *(b->before ? &b->before->next : &blocks->waiting) = b->next;
    if (b->next)
        b->next->before = b->before;
    blocks->nwaiting--;
    blocks->waiting_bytes -= (int64_t)b->n;
    free_block(b);
}

static int in_order(const void *a, const void *b)
{
    const struct pcdf_chunkblock *x = *(struct pcdf_chunkblock *const *)a,
                                 *y = *(struct pcdf_chunkblock *const *)b;
    if (x->varid != y->varid)
        return x->varid < y->varid ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

int pcdf_chunkblocks_seal(struct pcdf_chunkblocks *blocks)
{
    if (blocks->sealed.n > 0 || blocks->nwaiting == 0)
        return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&blocks->sealed, blocks->nwaiting));
    for (struct pcdf_chunkblock *b = blocks->waiting; b; b = b->next) {
        b->is_sealed = true;
        blocks->sealed.x[blocks->sealed.n++] = b;
    }
    assert(blocks->sealed.n == blocks->nwaiting);
    qsort(blocks->sealed.x, blocks->sealed.n, sizeof(struct pcdf_chunkblock *), in_order);
    blocks->sealed_bytes = blocks->waiting_bytes;
    blocks->waiting = NULL;
    blocks->nwaiting = 0;
    blocks->waiting_bytes = 0;
    return NC_NOERR;
}

/* ---- to the file */

/* Bytes of the sealed blocks from i on that lie one behind the other in memory; *end: the block behind them.
 */
static size_t run_of(const struct pcdf_chunkblocks *blocks, size_t i, size_t *end)
{
    struct pcdf_chunkblock *const *x = blocks->sealed.x;
    size_t n = x[i]->n;
    for (i++;
         i < blocks->sealed.n && x[i]->slab == x[i - 1]->slab && x[i]->bytes == x[i - 1]->bytes + x[i - 1]->n;
         i++)
        n += x[i]->n;
    *end = i;
    return n;
}

/* Gathers blocks from i on, as many as fit; returns their bytes. */
static size_t gather(const struct pcdf_chunkblocks *blocks, size_t i, unsigned char *stage, size_t *end)
{
    size_t n = 0;
    for (; i < blocks->sealed.n && n + blocks->sealed.x[i]->n <= STAGE; i++) {
        const struct pcdf_chunkblock *b = blocks->sealed.x[i];
        memcpy(stage + n, b->bytes, b->n);
        n += b->n;
    }
    *end = i;
    return n;
}

int pcdf_chunkblocks_write(const struct pcdf_chunkblocks *blocks, struct pcdf_storage *below, int64_t base)
{
    int64_t at = base, last;
    int status = NC_NOERR;
    unsigned char *stage = NULL;
    if (base < 0 || __builtin_add_overflow(base, blocks->sealed_bytes, &last))
        return PCDF_FAIL(NC_EVARSIZE, "chunks of %lld bytes at %lld do not fit in 63 bits",
                         (long long)blocks->sealed_bytes, (long long)base);
    for (size_t i = 0, end; !status && i < blocks->sealed.n; i = end) {
        unsigned char *from = blocks->sealed.x[i]->bytes;
        size_t n = run_of(blocks, i, &end);
        if (n <= SMALL && end < blocks->sealed.n && (stage || (stage = pcdf_malloc(STAGE)))) {
            from = stage; /* without a stage there are more puts */
            n = gather(blocks, i, stage, &end);
        }
        status = pcdf_storage_move_at(below, PCDF_PUT, from, (int64_t)n, at, NULL);
        at += (int64_t)n;
    }
    pcdf_free(stage);
    return status;
}

size_t pcdf_chunkblocks_n(const struct pcdf_chunkblocks *blocks)
{
    return blocks->nwaiting + blocks->sealed.n;
}

int64_t pcdf_chunkblocks_overhead(const struct pcdf_chunkblocks *blocks)
{
    return (int64_t)(pcdf_chunkblocks_n(blocks) * (sizeof(struct pcdf_chunkblock) + BLOCK_MORE) +
                     blocks->sealed.room * sizeof *blocks->sealed.x);
}

void pcdf_chunkblocks_end(struct pcdf_chunkblocks *blocks)
{
    for (size_t i = 0; i < blocks->sealed.n; i++)
        free_block(blocks->sealed.x[i]);
    blocks->sealed.n = 0;
    blocks->sealed_bytes = 0;
    for (struct pcdf_chunkslab **at = &blocks->slabs; *at && blocks->slab_bytes > KEPT;)
        if ((*at)->live == 0)
            free_slab(blocks, at);
        else
            at = &(*at)->next;
}

void pcdf_chunkblocks_free(struct pcdf_chunkblocks *blocks)
{
    pcdf_chunkblocks_end(blocks);
    pcdf_free(blocks->sealed.x);
    for (struct pcdf_chunkblock *b = blocks->waiting, *next; b; b = next) {
        next = b->next;
        free_block(b);
    }
    while (blocks->slabs)
        free_slab(blocks, &blocks->slabs);
    *blocks = (struct pcdf_chunkblocks){ 0 };
}
