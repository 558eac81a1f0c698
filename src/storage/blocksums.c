/* See blocksums.h. */

#include "blocksums.h"
#include "alloc.h"
#include "crc32c.h"
#include "status.h"
#include <string.h>

enum { MOST_PAGES = 1 << 18 }; /* a thousand million blocks: 1 PiB by 1 MiB */

/* --- writing */

static bool make_page(struct pcdf_blocksums *b, int64_t page)
{
    if (page >= MOST_PAGES)
        return false;
    if (page >= b->npages) {
        int64_t n = b->npages ? b->npages : 16;
        while (n <= page)
            n *= 2;
        uint64_t **more = pcdf_realloc(b->pages, (size_t)n * sizeof *more);
        if (!more)
            return false;
        memset(more + b->npages, 0, (size_t)(n - b->npages) * sizeof *more);
        b->pages = more;
        b->npages = n;
    }
    if (!b->pages[page])
        b->pages[page] = pcdf_calloc(PCDF_BLOCKS_A_PAGE, sizeof **b->pages);
    return b->pages[page] != NULL;
}

static void set(struct pcdf_blocksums *b, int64_t block, uint64_t value)
{
    if (b->lost || !make_page(b, block / PCDF_BLOCKS_A_PAGE)) {
        b->lost = true;
        return;
    }
    b->pages[block / PCDF_BLOCKS_A_PAGE][block % PCDF_BLOCKS_A_PAGE] = value;
    if (b->first == b->end)
        b->first = b->end = block;
    b->first = block < b->first ? block : b->first;
    b->end = block + 1 > b->end ? block + 1 : b->end;
}

/* Bytes of one block. A large write comes in several calls, so the run goes on from one to the next; a write
 * elsewhere does not end it, one in its own block does. */
static void put_in_block(struct pcdf_blocksums *b, const char *data, int64_t offset, int64_t length)
{
    int64_t block = offset / b->block_size, inside = offset % b->block_size;
    bool goes_on = inside > 0 && offset == b->run_next;
    bool in_run = inside > 0 && b->run_next % b->block_size > 0 && b->run_next / b->block_size == block;

    if (data && (inside == 0 || goes_on)) {
        b->run_crc = pcdf_crc32c(goes_on ? b->run_crc : 0, data, (size_t)length);
        b->run_next = offset + length;
        set(b, block, inside + length == b->block_size ? PCDF_BLOCK_SUMMED | b->run_crc : PCDF_BLOCK_CHANGED);
        return;
    }
    if (in_run || inside == 0)
        b->run_next = 0;
    set(b, block, PCDF_BLOCK_CHANGED);
}

void pcdf_blocksums_put(struct pcdf_blocksums *b, const char *data, int64_t offset, int64_t length)
{
    while (b->notes && length > 0) {
        int64_t room = b->block_size - offset % b->block_size, n = length < room ? length : room;
        put_in_block(b, data, offset, n);
        data = data ? data + n : NULL;
        offset += n;
        length -= n;
    }
}

uint64_t pcdf_blocksums_value(const struct pcdf_blocksums *b, int64_t block)
{
    int64_t page = block / PCDF_BLOCKS_A_PAGE;
    if (block < b->first || block >= b->end || page >= b->npages || !b->pages[page])
        return 0;
    return b->pages[page][block % PCDF_BLOCKS_A_PAGE];
}

void pcdf_blocksums_clear(struct pcdf_blocksums *b)
{
    for (int64_t i = 0; i < b->npages; i++)
        pcdf_free(b->pages[i]);
    pcdf_free(b->pages);
    b->pages = NULL;
    b->npages = b->first = b->end = b->run_next = 0;
    b->lost = b->marked = false;
}

void pcdf_blocksums_free(struct pcdf_blocksums *b)
{
    pcdf_blocksums_clear(b);
    pcdf_free(b->good);
    pcdf_free(b->room);
    b->good = NULL;
    b->room = NULL;
    b->expected = NULL;
}

/* --- reading */

static int make_room(struct pcdf_blocksums *b)
{
    int64_t blocks = b->expected_size / b->block_size + 1;
    if (!b->good)
        b->good = pcdf_calloc((size_t)(blocks / 8 + 1), 1);
    if (!b->room)
        b->room = pcdf_malloc((size_t)b->block_size);
    return b->good && b->room ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to compare checksums");
}

/* A wrong one is looked at again each time: every get that touches it fails. */
static int compare_block(struct pcdf_blocksums *b, struct pcdf_storage *below, int64_t block)
{
    int64_t offset = block * b->block_size, left = b->expected_size - offset;
    int64_t length = left < b->block_size ? left : b->block_size;
    if (b->good[block / 8] >> block % 8 & 1)
        return NC_NOERR;
    PCDF_TRY(pcdf_storage_move_at(below, PCDF_GET, b->room, length, offset, NULL));
    uint32_t sum = pcdf_crc32c(0, b->room, (size_t)length);
    if (sum != b->expected[block] && b->still_holds(b->context))
        return b->is_wrong(b->context, block, sum);
    b->good[block / 8] |= (unsigned char)(1 << block % 8);
    return NC_NOERR;
}

int pcdf_blocksums_compare(struct pcdf_blocksums *b, struct pcdf_storage *below, int64_t offset,
                           int64_t length)
{
    int64_t end = offset + length < b->expected_size ? offset + length : b->expected_size;
    if (!b->expected || offset >= end)
        return NC_NOERR;
    PCDF_TRY(make_room(b));
    for (int64_t block = offset / b->block_size; block <= (end - 1) / b->block_size; block++)
        PCDF_TRY(compare_block(b, below, block));
    return NC_NOERR;
}
