/* See blocksums.h. */

#include "blocksums.h"
#include "alloc.h"
#include "crc32c.h"
#include "status.h"
#include <string.h>

enum { MOST_PAGES = 1 << 18 }; /* a thousand million blocks: 1 PiB by 1 MiB */

/* --- writing */

/* Where there is no memory for it, or it lies too far, all is lost. */
static void set(struct pcdf_blocksums *b, int64_t block, uint64_t value)
{
    int64_t page = block / PCDF_BLOCKS_A_PAGE, n = b->npages ? b->npages : 16;

    while (n <= page && page < MOST_PAGES)
        n *= 2;
    if (page < MOST_PAGES && page >= b->npages && !b->lost) {
        uint64_t **more = pcdf_realloc(b->pages, (size_t)n * sizeof *more);
        if (more) {
            memset(more + b->npages, 0, (size_t)(n - b->npages) * sizeof *more);
            b->pages = more;
            b->npages = n;
        }
    }
    if (page < b->npages && !b->lost && !b->pages[page])
        b->pages[page] = pcdf_calloc(PCDF_BLOCKS_A_PAGE, sizeof **b->pages);
    b->lost |= page >= b->npages || !b->pages[page];
    if (b->lost)
        return;
    b->pages[page][block % PCDF_BLOCKS_A_PAGE] = value;
    if (b->first == b->end)
        b->first = b->end = block;
    b->first = block < b->first ? block : b->first;
    b->end = block + 1 > b->end ? block + 1 : b->end;
}

int pcdf_blocksums_mark(struct pcdf_blocksums *b)
{
    if (b->marked || !b->before_write)
        return NC_NOERR;
    PCDF_TRY(b->before_write(b->context));
    b->marked = true;
    return NC_NOERR;
}

/* Block by block. A large write comes in several calls, so the run goes on from one to the next; a write
 * elsewhere does not end it, one in its own block does. */
void pcdf_blocksums_put(struct pcdf_blocksums *b, const char *data, int64_t offset, int64_t length)
{
    for (int64_t n; b->notes && length > 0; offset += n, length -= n, data = data ? data + n : NULL) {
        int64_t block = offset / b->block_size, inside = offset % b->block_size;
        bool goes_on = inside > 0 && offset == b->run_next;
        bool in_run = inside > 0 && b->run_next % b->block_size > 0 && b->run_next / b->block_size == block;
        uint64_t value = PCDF_BLOCK_CHANGED;

        n = length < b->block_size - inside ? length : b->block_size - inside;
        if (data && (inside == 0 || goes_on)) {
            b->run_crc = pcdf_crc32c(goes_on ? b->run_crc : 0, data, (size_t)n);
            b->run_next = offset + n;
            if (inside + n == b->block_size)
                value = PCDF_BLOCK_SUMMED | b->run_crc;
        } else if (in_run || inside == 0) {
            b->run_next = 0;
        }
        set(b, block, value);
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

/* A wrong block is looked at again each time: every get that touches it fails. */
int pcdf_blocksums_compare(struct pcdf_blocksums *b, struct pcdf_storage *below, int64_t offset,
                           int64_t length)
{
    int64_t end = offset + length < b->expected_size ? offset + length : b->expected_size;
    if (!b->expected || offset >= end)
        return NC_NOERR;
    if (!b->good)
        b->good = pcdf_calloc((size_t)((b->expected_size / b->block_size + 1) / 8 + 1), 1);
    if (!b->room)
        b->room = pcdf_malloc((size_t)b->block_size);
    if (!b->good || !b->room)
        return PCDF_FAIL(NC_ENOMEM, "no memory to compare checksums");
    for (int64_t block = offset / b->block_size; block <= (end - 1) / b->block_size; block++) {
        int64_t begin = block * b->block_size, left = b->expected_size - begin;
        int64_t whole = left < b->block_size ? left : b->block_size;
        if (b->good[block / 8] >> block % 8 & 1)
            continue;
        PCDF_TRY(pcdf_storage_move_at(below, PCDF_GET, b->room, whole, begin, NULL));
        uint32_t sum = pcdf_crc32c(0, b->room, (size_t)whole);
        if (sum != b->expected[block] && b->still_holds(b->context))
            return b->is_wrong(b->context, block, sum);
        b->good[block / 8] |= (unsigned char)(1 << block % 8);
    }
    return NC_NOERR;
}
