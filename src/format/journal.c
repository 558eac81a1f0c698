/* See journal.h. All numbers big-endian, a CRC-32C behind each unit, so that a torn one is known. */
#include "journal.h"
#include <string.h>
#include "bytes.h"
#include "crc32c.h"
#include "status.h"

static const char head_magic[8] = "PARCDFJ1", record_magic[8] = "PARCDFR1";

enum { FIXED = 8 + 12 * 8 + PCDF_JOURNAL_HOST }; /* bytes of a head before its payload */

/* More than anybody has; so that places in the journal and in the file fit in 63 bits. */
enum { MOST_PARTS = 1 << 24 };
static const int64_t most_chunk = (int64_t)1 << 34, most_file = INT64_MAX - ((int64_t)1 << 60);

static int64_t payload(const struct pcdf_journal *j)
{
    return j->old_size + j->new_size + j->nfills;
}

static int64_t blocks(int64_t bytes)
{
    return (bytes + PCDF_JOURNAL_BLOCK - 1) / PCDF_JOURNAL_BLOCK * PCDF_JOURNAL_BLOCK;
}

int64_t pcdf_journal_head_size(const struct pcdf_journal *j)
{
    return blocks(FIXED + payload(j) + 4);
}

void pcdf_journal_encode(const struct pcdf_journal *j, unsigned char *bytes)
{
    const int64_t numbers[] = { FIXED + payload(j), (int64_t)j->nonce, j->inode,  j->file_size,
                                j->process,         j->parts,          j->chunk,  j->room,
                                j->old_size,        j->new_size,       j->nfills, 0 };
    unsigned char *at = bytes + 8;
    memset(bytes, 0, (size_t)pcdf_journal_head_size(j));
    memcpy(bytes, head_magic, 8);
    for (int i = 0; i < 12; i++, at += 8)
        pcdf_bytes_put64(at, (uint64_t)numbers[i]);
    memcpy(at, j->host, PCDF_JOURNAL_HOST);
    at += PCDF_JOURNAL_HOST;
    memcpy(at, j->old_header, (size_t)j->old_size);
    at += j->old_size;
    memcpy(at, j->new_header, (size_t)j->new_size);
    at += j->new_size;
    if (j->nfills)
        memcpy(at, j->fills, (size_t)j->nfills);
    at += j->nfills;
    pcdf_bytes_put32(at, pcdf_crc32c(0, bytes, (size_t)(at - bytes)));
}

static int refuse(const char *why)
{
    return PCDF_FAIL(NC_ERECOVER, "the journal is not whole: %s", why);
}

/* Are the numbers of a head possible? The CRC says that we wrote them; that alone is no reason to trust. */
static bool is_possible(const struct pcdf_journal *j, int64_t length)
{
    int64_t left = length - FIXED;
    bool sizes = j->old_size >= 0 && j->old_size <= left && j->new_size >= 0 &&
                 j->new_size <= left - j->old_size && j->nfills >= 0 &&
                 j->nfills == left - j->old_size - j->new_size;
    if (!sizes || j->file_size < 0 || j->file_size > most_file || j->parts < 0 || j->parts > MOST_PARTS)
        return false;
    if (j->parts == 0)
        return j->chunk == 0 && j->room == 0;
    /* A part is never larger than what there is to move: nobody takes memory for more. */
    return j->chunk > 0 && j->chunk <= most_chunk && j->chunk % PCDF_JOURNAL_BLOCK == 0 &&
           j->chunk <= blocks(j->file_size) && (j->room == 0 || j->room == j->chunk);
}

int pcdf_journal_decode(const unsigned char *bytes, size_t n, int64_t file_size, int64_t *need,
                        struct pcdf_journal *j)
{
    int64_t numbers[12];
    *need = 0;
    if (file_size < FIXED + 4 || n < FIXED)
        return refuse("too short");
    if (memcmp(bytes, head_magic, 8) != 0)
        return refuse("its first bytes are wrong");
    for (int i = 0; i < 12; i++)
        numbers[i] = (int64_t)pcdf_bytes_get64(bytes + 8 + 8 * i);
    int64_t length = numbers[0];
    if (length < FIXED || length > file_size - 4)
        return refuse("its head does not end in it");
    if (length + 4 > (int64_t)n) {
        *need = length + 4;
        return NC_NOERR;
    }
    if (pcdf_crc32c(0, bytes, (size_t)length) != pcdf_bytes_get32(bytes + length))
        return refuse("the checksum of its head is wrong");
    *j = (struct pcdf_journal){ .nonce = (uint64_t)numbers[1],
                                .inode = numbers[2],
                                .file_size = numbers[3],
                                .process = numbers[4],
                                .parts = numbers[5],
                                .chunk = numbers[6],
                                .room = numbers[7],
                                .old_size = numbers[8],
                                .new_size = numbers[9],
                                .nfills = numbers[10] };
    memcpy(j->host, bytes + 8 + 12 * 8, PCDF_JOURNAL_HOST);
    j->host[PCDF_JOURNAL_HOST - 1] = '\0';
    if (!is_possible(j, length))
        return refuse("its numbers are impossible");
    j->old_header = bytes + FIXED;
    j->new_header = j->old_header + j->old_size;
    j->fills = j->new_header + j->new_size;
    return NC_NOERR;
}

int64_t pcdf_journal_slot(const struct pcdf_journal *j, int64_t part, int64_t round)
{
    return pcdf_journal_head_size(j) + (2 * part + round % 2) * (PCDF_JOURNAL_BLOCK + blocks(j->room));
}

int64_t pcdf_journal_data(const struct pcdf_journal *j, int64_t part, int64_t round)
{
    return pcdf_journal_slot(j, part, round) + PCDF_JOURNAL_BLOCK;
}

int64_t pcdf_journal_size(const struct pcdf_journal *j)
{
    return pcdf_journal_slot(j, j->parts, 0);
}

void pcdf_journal_record_encode(const struct pcdf_journal_record *r, unsigned char *bytes)
{
    memset(bytes, 0, PCDF_JOURNAL_RECORD);
    memcpy(bytes, record_magic, 8);
    pcdf_bytes_put64(bytes + 8, r->nonce);
    pcdf_bytes_put64(bytes + 16, (uint64_t)r->round);
    pcdf_bytes_put64(bytes + 24, (uint64_t)r->there);
    pcdf_bytes_put32(bytes + 32, r->has_data);
    pcdf_bytes_put32(bytes + 36, r->data_crc);
    pcdf_bytes_put32(bytes + PCDF_JOURNAL_RECORD - 4, pcdf_crc32c(0, bytes, PCDF_JOURNAL_RECORD - 4));
}

bool pcdf_journal_record_decode(const unsigned char *bytes, uint64_t nonce, struct pcdf_journal_record *r)
{
    uint32_t crc = pcdf_bytes_get32(bytes + PCDF_JOURNAL_RECORD - 4);
    if (memcmp(bytes, record_magic, 8) != 0 || pcdf_crc32c(0, bytes, PCDF_JOURNAL_RECORD - 4) != crc)
        return false;
    *r = (struct pcdf_journal_record){ .nonce = pcdf_bytes_get64(bytes + 8),
                                       .round = (int64_t)pcdf_bytes_get64(bytes + 16),
                                       .there = (int64_t)pcdf_bytes_get64(bytes + 24),
                                       .has_data = pcdf_bytes_get32(bytes + 32) != 0,
                                       .data_crc = pcdf_bytes_get32(bytes + 36) };
    return r->nonce == nonce && r->round >= 0 && r->there >= 0;
}
