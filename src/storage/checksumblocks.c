/* See checksumblocks.h. */

#include "checksumblocks.h"
#include "alloc.h"
#include "crc32c.h"
#include "status.h"
#include <string.h>

enum { MOST_PAGES = 1 << 18 }; /* 2^30 blocks: 1 PiB by 1 MiB */

/* --- writing */

/* Where there is no memory for it, or it lies too far, all is lost. */
static void set(struct pcdf_checksum_blocks *b, int64_t block, uint64_t value)
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

int pcdf_checksum_blocks_mark(struct pcdf_checksum_blocks *b)
{
    if (b->marked || !b->before_write)
        return NC_NOERR;
    PCDF_TRY(b->before_write(b->context));
    b->marked = true;
    return NC_NOERR;
}

/* Block by block. A large write comes in several calls, so the run goes on from one to the next; a write
 * elsewhere does not end it, one in its own block does. */
void pcdf_checksum_blocks_put(struct pcdf_checksum_blocks *b, const char *data, int64_t offset,
                              int64_t length)
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

uint64_t pcdf_checksum_blocks_value(const struct pcdf_checksum_blocks *b, int64_t block)
{
    int64_t page = block / PCDF_BLOCKS_A_PAGE;
    if (block < b->first || block >= b->end || page >= b->npages || !b->pages[page])
        return 0;
    return b->pages[page][block % PCDF_BLOCKS_A_PAGE];
}

void pcdf_checksum_blocks_clear(struct pcdf_checksum_blocks *b)
{
    for (int64_t i = 0; i < b->npages; i++)
        pcdf_free(b->pages[i]);
    pcdf_free(b->pages);
    b->pages = NULL;
    b->npages = b->first = b->end = b->run_next = 0;
    b->lost = b->marked = false;
}

void pcdf_checksum_blocks_free(struct pcdf_checksum_blocks *b)
{
    pcdf_checksum_blocks_clear(b);
    pcdf_free(b->good);
    pcdf_free(b->room);
    b->good = NULL;
    b->room = NULL;
    b->expected = NULL;
}

/* --- reading */

static bool is_good(const struct pcdf_checksum_blocks *b, int64_t block)
{
    return b->good[block / 8] >> block % 8 & 1;
}

/* A wrong block is looked at again each time: every get that touches it fails. */
static int judge(struct pcdf_checksum_blocks *b, int64_t block, uint32_t sum)
{
    if (sum != b->expected[block] && b->still_holds(b->context))
        return b->is_wrong(b->context, block, sum);
    b->good[block / 8] |= (unsigned char)(1 << block % 8);
    return NC_NOERR;
}

/* What needs no look, from `offset` on: its end, at most `end`. */
static int64_t good_until(const struct pcdf_checksum_blocks *b, int64_t offset, int64_t end)
{
    while (offset < end && (offset >= b->expected_size || is_good(b, offset / b->block_size)))
        offset = offset >= b->expected_size ? end : (offset / b->block_size + 1) * b->block_size;
    return offset < end ? offset : end;
}

struct reading { /* one operation's */
    struct pcdf_checksum_blocks *b;
    struct pcdf_storage *below;
    struct pcdf_extents x; /* as it was asked for: of one piece */
    bool is_read;          /* the pieces have their bytes */
    /* The block whose bytes the room has (-1: none), and how many of them there were. */
    int64_t in_room, room_got;
    int64_t end; /* the piece's, or the file's if before */
    int64_t got;
};

static int read_piece(struct reading *r, char *data, int64_t length, int64_t offset)
{
    const struct pcdf_piece piece = { offset, length, data };
    int64_t got = 0;
    if (r->is_read)
        return NC_NOERR;
    r->x.pieces = &piece;
    int err = pcdf_storage_move(r->below, &r->x, &got);
    r->got += got;
    return err;
}

/* A block of which a piece has a part: read once, whole, and the part is copied. */
static int read_part(struct reading *r, int64_t block, int64_t whole, char *data, int64_t length,
                     int64_t offset)
{
    struct pcdf_checksum_blocks *b = r->b;
    int64_t begin = block * b->block_size;
    if (!b->room && !(b->room = pcdf_malloc((size_t)b->block_size)))
        return PCDF_FAIL(NC_ENOMEM, "no memory to compare checksums");
    if (r->in_room != block) {
        r->in_room = -1;
        PCDF_TRY(pcdf_storage_move_at(r->below, PCDF_GET, b->room, whole, begin, &r->room_got));
        PCDF_TRY(judge(b, block, pcdf_crc32c(0, b->room, (size_t)whole)));
        r->in_room = block;
    }
    if (r->is_read)
        return NC_NOERR;
    int64_t there = r->room_got - (offset - begin);
    r->got += there < 0 ? 0 : there < length ? there : length;
    memcpy(data, b->room + (offset - begin), (size_t)length);
    return NC_NOERR;
}

/* Block by block, but what is known to be good at once. The bytes of a block are summed where the piece wants
 * them, while the cache has them. */
static int read_compared(struct reading *r, const struct pcdf_piece *p)
{
    struct pcdf_checksum_blocks *b = r->b;
    const int64_t end = p->offset + p->length;
    for (int64_t at = p->offset, next; at < end; at = next) {
        char *data = p->data + (at - p->offset);
        next = good_until(b, at, end);
        int64_t block = at / b->block_size, begin = block * b->block_size;
        if (next > at && (r->in_room != block || at >= b->expected_size)) {
            PCDF_TRY(read_piece(r, data, next - at, at));
            continue;
        }
        int64_t left = b->expected_size - begin, whole = left < b->block_size ? left : b->block_size;
        next = end < begin + whole ? end : begin + whole;
        if (at > begin || next < begin + whole || r->in_room == block) {
            PCDF_TRY(read_part(r, block, whole, data, next - at, at));
        } else {
            PCDF_TRY(read_piece(r, data, whole, at));
            PCDF_TRY(judge(b, block, pcdf_crc32c(0, data, (size_t)whole)));
        }
    }
    return NC_NOERR;
}

static bool has_unknown(const struct pcdf_checksum_blocks *b, const struct pcdf_extents *x)
{
    for (size_t i = 0; i < x->n; i++) {
        const struct pcdf_piece *p = &x->pieces[i];
        if (good_until(b, p->offset, p->offset + p->length) < p->offset + p->length)
            return true;
    }
    return false;
}

int pcdf_checksum_blocks_get(struct pcdf_checksum_blocks *b, struct pcdf_storage *below,
                             const struct pcdf_extents *x, int64_t *got)
{
    struct reading r = { .b = b, .below = below, .x = *x, .is_read = x->together, .in_room = -1 };
    int status = NC_NOERR;
    r.x.n = 1;
    if (b->expected && !b->good)
        b->good = pcdf_calloc((size_t)((b->expected_size / b->block_size + 1) / 8 + 1), 1);
    if (b->expected && !b->good)
        status = PCDF_FAIL(NC_ENOMEM, "no memory to compare checksums");
    bool compares = b->expected && !status && has_unknown(b, x);
    if (x->together || (!status && !compares)) { /* all ranks are in the first one */
        pcdf_first(&status, pcdf_storage_move(below, x, got));
        if (status || !compares)
            return status;
    }
    for (size_t i = 0; i < x->n && !status; i++)
        status = read_compared(&r, &x->pieces[i]);
    if (!x->together)
        *got += r.got;
    return status;
}
