/* The bytes of a file of checksums: what goes in comes out, and any changed byte, cut end or impossible
 * number is refused. */
#include "check.h"
#include "crc32c.h"
#include "bytes.h"
#include "codes.h"
#include "checksumtable.h"

static const struct pcdf_checksums closed = { .block_size = 1 << 20,
                                              .file_size = 5 * (1 << 20) + 7,
                                              .inode = 123456789012,
                                              .time = 1700000000,
                                              .time_ns = 999999999,
                                              .first_crc = 0xDEADBEEF,
                                              .table_crc = 0xFFFFFFFF,
                                              .process = 77,
                                              .when = 1700000001,
                                              .host = "node-1" };

static void check_round_trip(void)
{
    unsigned char head[PCDF_CHECKSUMS_HEAD];
    struct pcdf_checksums s;
    pcdf_checksums_encode(&closed, head);
    CHECK_INT(pcdf_checksums_decode(head, sizeof head, PCDF_CHECKSUMS_HEAD + 24, &s), NC_NOERR);
    CHECK_INT(s.is_open, 0);
    CHECK_INT(s.block_size, closed.block_size);
    CHECK_INT(s.file_size, closed.file_size);
    CHECK_INT(s.inode, closed.inode);
    CHECK_INT(s.time, closed.time);
    CHECK_INT(s.time_ns, closed.time_ns);
    CHECK_INT(s.first_crc, closed.first_crc);
    CHECK_INT(s.table_crc, closed.table_crc);
    CHECK_INT(s.process, closed.process);
    CHECK_INT(s.when, closed.when);
    CHECK(strcmp(s.host, "node-1") == 0, "host %s", s.host);
    CHECK_INT(pcdf_checksums_blocks(&s), 6);
    CHECK_INT(pcdf_checksums_block_end(&s, 0), 1 << 20);
    CHECK_INT(pcdf_checksums_block_end(&s, 5), closed.file_size);
    struct pcdf_checksums open = { .is_open = true, .process = 5, .when = 9 };
    pcdf_checksums_encode(&open, head);
    CHECK_INT(pcdf_checksums_decode(head, sizeof head, PCDF_CHECKSUMS_HEAD, &s), NC_NOERR);
    CHECK_INT(s.is_open, 1);
    CHECK_INT(pcdf_checksums_blocks(&s), 0);
}

static void check_damage(void)
{
    unsigned char head[PCDF_CHECKSUMS_HEAD];
    struct pcdf_checksums s;
    pcdf_checksums_encode(&closed, head);
    for (int i = 0; i < PCDF_CHECKSUMS_HEAD; i++) {
        head[i] ^= 0x10;
        CHECK(pcdf_checksums_decode(head, sizeof head, 4096, &s) == NC_EFILE, "byte %d", i);
        head[i] ^= 0x10;
    }
    CHECK_INT(pcdf_checksums_decode(head, PCDF_CHECKSUMS_HEAD - 1, 4096, &s), NC_EFILE);
    CHECK_INT(pcdf_checksums_decode(head, PCDF_CHECKSUMS_HEAD, PCDF_CHECKSUMS_HEAD - 1, &s), NC_EFILE);
    CHECK_INT(pcdf_checksums_decode(head, PCDF_CHECKSUMS_HEAD, PCDF_CHECKSUMS_HEAD + 23, &s), NC_EFILE);
}

static void check_impossible(void)
{
    static const struct {
        int64_t block, size;
    } rows[] = { { 0, 100 }, { -1, 100 }, { 511, 100 }, { INT64_MAX, 1 }, { 512, -1 }, { 512, INT64_MAX } };
    unsigned char head[PCDF_CHECKSUMS_HEAD];
    struct pcdf_checksums s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pcdf_checksums bad = closed;
        bad.block_size = rows[i].block;
        bad.file_size = rows[i].size;
        pcdf_checksums_encode(&bad, head);
        CHECK(pcdf_checksums_decode(head, sizeof head, 1 << 20, &s) == NC_EFILE, "row %d", (int)i);
    }
}

int main(void)
{
    uint32_t entries[3] = { 1, 0x80000000u, 0x01020304u }, back[3];
    unsigned char bytes[12];
    pcdf_checksums_put_entries(entries, 3, bytes);
    CHECK_INT(bytes[8], 1);
    CHECK_INT(bytes[11], 4);
    pcdf_checksums_get_entries(bytes, 3, back);
    CHECK(memcmp(entries, back, sizeof back) == 0, "entries differ");
    check_round_trip();
    check_damage();
    check_impossible();
    return check_done("sums_bytes");
}
