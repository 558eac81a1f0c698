/* Fixes what a rank notes of the blocks it writes (checksumblocks.h), against a model: after random writes
 * a block that was not written says nothing, one that is called summed has just that sum, and one that was
 * written whole in order, in whatever pieces, is summed. Without memory every block counts as changed. Where
 * the mark cannot be made the file stays as it is, its size too. */

#include <stdlib.h>
#include "check.h"
#include "alloc.h"
#include "checksumblocks.h"
#include "codes.h"
#include "crc32c.h"

enum { BLOCK = 64, BLOCKS = 3 * PCDF_BLOCKS_A_PAGE, NEAR = 6, SIZE = BLOCKS * BLOCK };

static char file[SIZE];
static bool written[BLOCKS];
static unsigned seed;

static int draw(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 8) % n;
}

static void put(struct pcdf_checksum_blocks *b, int64_t offset, int64_t length, bool accepted)
{
    for (int64_t i = 0; i < length; i++) {
        file[offset + i] = (char)draw(256);
        written[(offset + i) / BLOCK] = true;
    }
    pcdf_checksum_blocks_put(b, accepted ? file + offset : NULL, offset, length);
}

static void compare(const struct pcdf_checksum_blocks *b, const char *what)
{
    for (int64_t i = 0; i < BLOCKS; i++) {
        uint64_t value = pcdf_checksum_blocks_value(b, i);
        bool summed = value >> 32 == PCDF_BLOCK_SUMMED >> 32;
        CHECK((value != 0) == written[i], "%s, seed %u: block %d says %llx", what, seed, (int)i,
              (unsigned long long)value);
        if (summed)
            CHECK((uint32_t)value == pcdf_crc32c(0, file + i * BLOCK, BLOCK), "%s, seed %u: block %d", what,
                  seed, (int)i);
        if (value)
            CHECK(i >= b->first && i < b->end, "block %d is not in the range", (int)i);
    }
}

static void check_random(struct pcdf_checksum_blocks *b)
{
    for (int run = 0; run < 300; run++) {
        int64_t base = draw(2) ? 0 : (PCDF_BLOCKS_A_PAGE - 3) * BLOCK;
        int64_t next = base, before = base;
        memset(written, 0, sizeof written);
        for (int i = 0; i < 12; i++) {
            int64_t at = draw(3) ? draw(3) ? next : before : base + draw(NEAR * BLOCK),
                    n = 1 + draw(2 * BLOCK);
            n = draw(4) ? n : BLOCK - at % BLOCK;
            put(b, at, n, draw(10) > 0);
            before = draw(2) ? next : before;
            next = at + n;
        }
        if (run % 10 == 0)
            compare(b, "random");
        for (int64_t block = base / BLOCK; block < base / BLOCK + 3 * NEAR; block++) {
            uint64_t value = pcdf_checksum_blocks_value(b, block);
            CHECK((value != 0) == written[block], "run %d block %d", run, (int)block);
            CHECK(value >> 32 != PCDF_BLOCK_SUMMED >> 32 ||
                      (uint32_t)value == pcdf_crc32c(0, file + block * BLOCK, BLOCK),
                  "run %d block %d has another sum", run, (int)block);
        }
        pcdf_checksum_blocks_clear(b);
    }
}

static void check_whole(struct pcdf_checksum_blocks *b)
{
    for (int pieces = 1; pieces <= BLOCK; pieces *= 2) {
        for (int i = 0; i < 4 * pieces; i++)
            put(b, 5 * BLOCK + i * (BLOCK / pieces), BLOCK / pieces, true);
        for (int block = 5; block < 9; block++)
            CHECK(pcdf_checksum_blocks_value(b, block) ==
                      (PCDF_BLOCK_SUMMED | pcdf_crc32c(0, file + block * BLOCK, BLOCK)),
                  "block %d in %d pieces is not summed", block, pieces);
        pcdf_checksum_blocks_clear(b);
    }
}

static void check_memory(struct pcdf_checksum_blocks *b)
{
    int64_t before = pcdf_alloc_now();
    for (int n = 1; n <= 2; n++) {
        pcdf_alloc_fail_at(n, 0);
        put(b, 0, BLOCK, true);
        pcdf_alloc_fail_at(0, 0);
        CHECK(b->lost, "allocation %d failed and nobody knows", n);
        pcdf_checksum_blocks_clear(b);
        CHECK(!b->lost, "cleared");
    }
    pcdf_checksum_blocks_put(b, file, (int64_t)1 << 62, BLOCK);
    CHECK(b->lost, "a block that no table reaches");
    pcdf_checksum_blocks_clear(b);
    CHECK_INT(pcdf_alloc_now(), before);
}

static bool is_refused;

static int make_mark(void *context)
{
    (void)context;
    return is_refused ? NC_EACCESS : NC_NOERR;
}

static void check_mark(void)
{
    struct pcdf_counts counts = { 0 };
    const struct pcdf_storage_config config = { .path = "block_notes",
                                                .mode = PCDF_STORAGE_CREATE,
                                                .counts = &counts };
    struct pcdf_checksum_blocks b = { .block_size = BLOCK, .notes = true, .before_write = make_mark };
    struct pcdf_storage *s = NULL;
    int64_t size = 0;
    CHECK_INT(pcdf_memorystorage.open(&config, &s), NC_NOERR);
    CHECK_INT(pcdf_checksumstorage_stack(&b, &s), NC_NOERR);
    CHECK_INT(pcdf_storage_resize(s, 5 * BLOCK), NC_NOERR);
    pcdf_checksum_blocks_clear(&b);
    is_refused = true;
    for (int bytes = 0; bytes < 9 * BLOCK; bytes += 4 * BLOCK)
        CHECK_INT(pcdf_storage_resize(s, bytes), NC_EACCESS);
    CHECK_INT(pcdf_storage_move_at(s, PCDF_PUT, file, 1, 9 * BLOCK, NULL), NC_EACCESS);
    CHECK_INT(pcdf_storage_size(s, &size), NC_NOERR);
    CHECK_INT(size, 5 * BLOCK);
    is_refused = false;
    CHECK_INT(pcdf_storage_resize(s, 2 * BLOCK), NC_NOERR);
    CHECK_INT(pcdf_storage_size(s, &size), NC_NOERR);
    CHECK_INT(size, 2 * BLOCK);
    CHECK_INT(pcdf_storage_close(s), NC_NOERR);
    pcdf_checksum_blocks_free(&b);
}

int main(void)
{
    struct pcdf_checksum_blocks b = { .block_size = BLOCK, .notes = true };
    seed = 7;
    check_whole(&b);
    check_random(&b);
    check_memory(&b);
    check_mark();
    pcdf_checksum_blocks_free(&b);
    return check_done("block_notes");
}
