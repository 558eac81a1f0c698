/* See checksumtable.h. */
#include "checksumtable.h"
#include <string.h>
#include "bytes.h"
#include "crc32c.h"
#include "status.h"

static const char magic[8] = "PARCDFS1";

enum { NUMBERS = 10, HOST_AT = 8 + 8 * NUMBERS, LEAST_BLOCK = 512, MOST_BLOCK = 1 << 30 };

int64_t pcdf_checksums_blocks(const struct pcdf_checksums *s)
{
    if (s->block_size <= 0)
        return 0;
    return s->file_size / s->block_size + (s->file_size % s->block_size > 0);
}

int64_t pcdf_checksums_block_end(const struct pcdf_checksums *s, int64_t block)
{
    int64_t from = block * s->block_size, left = s->file_size - from;
    return from + (left < s->block_size ? left : s->block_size);
}

void pcdf_checksums_encode(const struct pcdf_checksums *s, unsigned char *head)
{
    const int64_t numbers[NUMBERS] = { s->is_open, s->block_size, s->file_size, s->inode,   s->time,
                                       s->time_ns, s->first_crc,  s->table_crc, s->process, s->when };
    memset(head, 0, PCDF_CHECKSUMS_HEAD);
    memcpy(head, magic, sizeof magic);
    for (int i = 0; i < NUMBERS; i++)
        pcdf_bytes_put(head + 8 + 8 * i, (uint64_t)numbers[i], 8);
    memcpy(head + HOST_AT, s->host, PCDF_CHECKSUMS_HOST);
    pcdf_bytes_put(head + PCDF_CHECKSUMS_HEAD - 4, pcdf_crc32c(0, head, PCDF_CHECKSUMS_HEAD - 4), 4);
}

int pcdf_checksums_decode(const unsigned char *head, int64_t n, int64_t size, struct pcdf_checksums *s)
{
    const char *wrong = NULL;
    int64_t numbers[NUMBERS];
    if (n < PCDF_CHECKSUMS_HEAD || size < PCDF_CHECKSUMS_HEAD)
        wrong = "too short";
    else if (memcmp(head, magic, sizeof magic) != 0)
        wrong = "its first bytes are wrong";
    else if (pcdf_crc32c(0, head, PCDF_CHECKSUMS_HEAD - 4) !=
             pcdf_bytes_get(head + PCDF_CHECKSUMS_HEAD - 4, 4))
        wrong = "the checksum of its head is wrong";

    if (!wrong) {
        for (int i = 0; i < NUMBERS; i++)
            numbers[i] = (int64_t)pcdf_bytes_get(head + 8 + 8 * i, 8);
        *s = (struct pcdf_checksums){ .is_open = numbers[0] != 0,
                                      .block_size = numbers[1],
                                      .file_size = numbers[2],
                                      .inode = numbers[3],
                                      .time = numbers[4],
                                      .time_ns = numbers[5],
                                      .first_crc = (uint32_t)numbers[6],
                                      .table_crc = (uint32_t)numbers[7],
                                      .process = numbers[8],
                                      .when = numbers[9] };
        memcpy(s->host, head + HOST_AT, PCDF_CHECKSUMS_HOST);
        s->host[PCDF_CHECKSUMS_HOST - 1] = '\0';
        /* The CRC says that we wrote them; that alone is no reason to trust. */
        if (!s->is_open && (s->block_size < LEAST_BLOCK || s->block_size > MOST_BLOCK || s->file_size < 0 ||
                            pcdf_checksums_blocks(s) > (size - PCDF_CHECKSUMS_HEAD) / 4))
            wrong = "its numbers are impossible";
    }
    return wrong ? PCDF_FAIL(NC_EFILE, "the file of checksums is not whole: %s", wrong) : NC_NOERR;
}

void pcdf_checksums_put_entries(const uint32_t *entries, int64_t n, unsigned char *bytes)
{
    for (int64_t i = 0; i < n; i++)
        pcdf_bytes_put(bytes + 4 * i, entries[i], 4);
}

void pcdf_checksums_get_entries(const unsigned char *bytes, int64_t n, uint32_t *entries)
{
    for (int64_t i = 0; i < n; i++)
        entries[i] = pcdf_bytes_get(bytes + 4 * i, 4);
}
