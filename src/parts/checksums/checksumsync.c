/* What the ranks agree on for checksum.h: which blocks changed, who reads which, and what rank 0 learns. */
#include "checksum.h"
#include <string.h>
#include "alloc.h"
#include "crc32c.h"
#include "dataset.h"
#include "olderfile.h"
#include "vote.h"

enum { ROUND = 65536 }; /* blocks that are agreed on in one message */

struct checksum_vote {
    struct pcdf_vote common;
    int64_t file_size;
    /* The table says nothing yet; this rank lost notes; this rank marked the file. */
    bool is_unknown, is_lost, is_marked;
    struct pcdf_span blocks; /* that it noted */
};
static const struct pcdf_vote_form form = {
    { PCDF_VOTE_LARGEST(checksum_vote, file_size), PCDF_VOTE_LARGEST(checksum_vote, is_unknown),
      PCDF_VOTE_LARGEST(checksum_vote, is_lost), PCDF_VOTE_LARGEST(checksum_vote, is_marked),
      PCDF_VOTE_SPAN(checksum_vote, blocks) }
};

struct sumup {
    struct pcdf_dataset *ds;
    struct pcdf_checksum *c;
    uint64_t *mine, *all; /* sums of the blocks of a round */
    char *room;           /* room for one block */
    int64_t file_size, nblocks;
    bool whole;  /* every block counts as changed, */
    bool trusts; /* unless it was summed as it was written */
    int64_t first, end;
    int status;
};

/* The block with the end of the file, before or now, changed with the size; unless this rank wrote it whole
 * it says so. */
static void root_note_end(struct pcdf_checksum *c, int64_t before, int64_t now)
{
    int64_t least = before < now ? before : now;
    if (before != now && least % c->blocks.block_size > 0 &&
        !pcdf_checksum_blocks_value(&c->blocks, least / c->blocks.block_size))
        pcdf_checksum_blocks_put(&c->blocks, NULL, least, 1);
}

/* Room for the blocks of a file that grew. Those that nobody wrote behind the old end hold zeros. */
static int root_resize(struct sumup *s)
{
    struct pcdf_checksum *c = s->c;
    uint32_t *more = pcdf_realloc(c->table, (size_t)s->nblocks * sizeof *more + 1);
    if (!more)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the checksums of %lld blocks", (long long)s->nblocks);
    c->table = more;
    memset(s->room, 0, PCDF_CHECKSUMS_BLOCK);
    uint32_t zeros = pcdf_crc32c(0, s->room, PCDF_CHECKSUMS_BLOCK);
    for (int64_t block = c->nblocks; block < s->nblocks; block++)
        more[block] = zeros;
    if (s->nblocks > c->nblocks && s->file_size % PCDF_CHECKSUMS_BLOCK > 0)
        more[s->nblocks - 1] = pcdf_crc32c(0, s->room, (size_t)(s->file_size % PCDF_CHECKSUMS_BLOCK));
    c->nblocks = s->nblocks;
    return NC_NOERR;
}

/* Does any rank know of a change? What all must know of it. */
static int agree_all(struct sumup *s, enum pcdf_kind kind, bool *changed)
{
    struct pcdf_dataset *ds = s->ds;
    struct pcdf_checksum *c = s->c;
    struct checksum_vote vote = { .common = { .kind = kind } };
    bool is_root = ds->ranks.rank == 0;
    s->mine = pcdf_malloc(ROUND * sizeof *s->mine);
    s->all = pcdf_malloc(ROUND * sizeof *s->all);
    s->room = pcdf_malloc(PCDF_CHECKSUMS_BLOCK);
    int status =
        s->mine && s->all && s->room ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to make checksums");
    if (is_root && !status)
        status = pcdf_storage_size(ds->io->storage, &vote.file_size);
    if (is_root && !status && !c->is_unknown)
        root_note_end(c, c->head.file_size, vote.file_size);
    vote.common.error = status;
    vote.is_unknown = c->is_unknown;
    vote.is_lost = c->blocks.lost;
    vote.is_marked = c->blocks.marked;
    vote.blocks = c->blocks.first < c->blocks.end ? (struct pcdf_span){ c->blocks.first, c->blocks.end }
                                                  : (struct pcdf_span){ INT64_MAX, 0 };
    pcdf_first_vote(ds, &status, pcdf_vote_form_all(ds, &form, &vote.common));
    int failed = vote.common.error ? vote.common.error : vote.common.io_error;
    s->whole = vote.is_unknown || vote.is_lost;
    *changed =
        !failed && !ds->poisoned && (s->whole || vote.is_marked || vote.blocks.begin < vote.blocks.end);
    if (!status && failed)
        status = PCDF_FAIL(failed, "another rank cannot make checksums, or its writing failed");
    s->file_size = vote.file_size;
    s->nblocks = s->file_size / PCDF_CHECKSUMS_BLOCK + (s->file_size % PCDF_CHECKSUMS_BLOCK > 0);
    s->trusts = !vote.is_lost;
    s->first = s->whole ? 0 : vote.blocks.begin < s->nblocks ? vote.blocks.begin : s->nblocks;
    s->end = s->whole || vote.blocks.end > s->nblocks ? s->nblocks : vote.blocks.end;
    return status;
}

static bool is_changed(const struct sumup *s, uint64_t value)
{
    if (value >> 32 == PCDF_BLOCK_SUMMED >> 32)
        return !s->trusts;
    return s->whole || value != 0;
}

/* The block is written, and on the storage: where the older file has the same, the new one needs no storage
 * of its own. */
static void share_block(struct sumup *s, int64_t block, uint32_t sum)
{
    struct pcdf_olderfile *o = s->c->blocks.older;
    int64_t left = s->file_size - block * PCDF_CHECKSUMS_BLOCK;
    int64_t length = left < PCDF_CHECKSUMS_BLOCK ? left : PCDF_CHECKSUMS_BLOCK;
    if (o && pcdf_olderfile_has(o, block, length, sum))
        pcdf_olderfile_dedupe(o, pcdf_storage_bottom(s->ds->io->storage), block, length);
}

/* Of those that this rank wrote whole: what came together in several puts could not be cloned. */
static void share_own(struct sumup *s, int64_t at, int64_t n)
{
    const struct pcdf_checksum *c = s->c;
    for (int64_t i = 0; i < n && pcdf_olderfile_is_used(c->blocks.older); i++)
        if (s->all[i] && !is_changed(s, s->all[i]) &&
            pcdf_checksum_blocks_value(&c->blocks, at + i) == s->all[i] &&
            !pcdf_olderfile_shares(c->blocks.older, at + i))
            share_block(s, at + i, (uint32_t)s->all[i]);
}

/* Of the changed blocks of a round every rank reads a range; then s->mine has their sums. */
static int read_share(struct sumup *s, int64_t at, int64_t n)
{
    struct pcdf_dataset *ds = s->ds;
    int64_t changed = 0, seen = 0, rank = ds->ranks.rank, size = ds->ranks.size;
    for (int64_t i = 0; i < n; i++)
        changed += is_changed(s, s->all[i]);
    int64_t from = changed * rank / size, to = changed * (rank + 1) / size;
    memset(s->mine, 0, (size_t)n * sizeof *s->mine);
    for (int64_t i = 0; i < n && seen < to; i++) {
        if (!is_changed(s, s->all[i]) || seen++ < from)
            continue;
        int64_t offset = (at + i) * PCDF_CHECKSUMS_BLOCK, left = s->file_size - offset, got = 0;
        int64_t length = left < PCDF_CHECKSUMS_BLOCK ? left : PCDF_CHECKSUMS_BLOCK;
        PCDF_TRY(pcdf_storage_move_at(ds->io->storage, PCDF_GET, s->room, length, offset, &got));
        if (got < length)
            return PCDF_FAIL(NC_EREAD, "the file ends at %lld, not at %lld, where it was just written",
                             (long long)(offset + got), (long long)s->file_size);
        s->mine[i] = PCDF_BLOCK_SUMMED | pcdf_crc32c(0, s->room, (size_t)length);
        s->c->read_back++;
        share_block(s, at + i, (uint32_t)s->mine[i]);
    }
    return NC_NOERR;
}

/* The sums of n blocks into rank 0's table. */
static int round_all(struct sumup *s, int64_t at, int64_t n, int status)
{
    struct pcdf_dataset *ds = s->ds;
    for (int64_t i = 0; i < n; i++)
        s->all[i] = pcdf_checksum_blocks_value(&s->c->blocks, at + i);
    pcdf_first(&status, pcdf_ranks_reduce_all(&ds->ranks, MPI_SUM, (int64_t *)s->all, (int)n));
    if (!status)
        share_own(s, at, n);
    if (!status)
        status = read_share(s, at, n);
    pcdf_first(&status, pcdf_ranks_sum_at_root_all(&ds->ranks, (int64_t *)s->mine, (int)n));
    for (int64_t i = 0; i < n && ds->ranks.rank == 0 && !status; i++) {
        bool was_read = is_changed(s, s->all[i]); /* it was not summed when it was written */
        uint64_t value = was_read ? s->mine[i] : s->all[i];
        if (was_read && value >> 32 != PCDF_BLOCK_SUMMED >> 32)
            status =
                PCDF_FAIL(NC_EREAD, "block %lld could not be read for its checksum", (long long)(at + i));
        else if (value)
            s->c->table[at + i] = (uint32_t)value;
    }
    return status;
}

int pcdf_checksum_sync_all(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind)
{
    struct pcdf_checksum *c = own;
    struct sumup s = { .ds = ds, .c = c };
    bool changed = false, is_root = ds->ranks.rank == 0;
    if (PCDF_SAME_IN(ds, !c->keeps))
        return NC_NOERR;
    int status = agree_all(&s, kind, &changed);
    if (PCDF_SAME_IN(ds, changed)) {
        if (is_root)
            status = root_resize(&s);
        for (int64_t at = s.first; at < s.end; at += ROUND) /* the same on all ranks */
            status = round_all(&s, at, s.end - at < ROUND ? s.end - at : ROUND, status);
        if (is_root && !status)
            status = pcdf_checksum_root_write(ds, s.file_size);
        struct pcdf_vote vote = { .kind = kind, .error = status };
        pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
        pcdf_checksum_blocks_clear(&c->blocks);
        c->is_marked = false;
        c->is_unknown = is_root && (vote.error || ds->poisoned);
        if (!status && vote.error)
            status = PCDF_FAIL(vote.error, "checksums could not be made on another rank");
    }
    pcdf_free(s.mine);
    pcdf_free(s.all);
    pcdf_free(s.room);
    return status;
}
