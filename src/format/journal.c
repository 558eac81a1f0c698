/* See journal.h. All numbers big-endian, a CRC-32C behind each unit, so that a torn one is known. */
#include "journal.h"
#include <string.h>
#include "bytes.h"
#include "crc32c.h"
#include "encode.h"
#include "seal.h"
#include "status.h"

static const char head_magic[8] = "PARCDFJ3", record_magic[8] = "PARCDFR1", heartbeat_magic[8] = "PARCDFB2";
static const char inserting_magic[8] = "PARCDFJ4"; /* one number more: the block */
static const char ranges_magic[8] = "PARCDFJ5";    /* ranges in the place of headers */
static const char stepless_magic[8] = "PARCDFJ2";  /* without steps: the number is 0 */
static const char old_magic[8] = "PARCDFJ1";

enum { NUMBERS = 12, FIXED = 8 + NUMBERS * 8 }; /* bytes of a head before its payload */

/* More than anybody has; so that places in the journal and in the file fit in 63 bits. */
enum { MOST_PARTS = 1 << 24 };
static const int64_t most_chunk = (int64_t)1 << 34, most_file = INT64_MAX - ((int64_t)1 << 60);

static int64_t blocks(int64_t bytes)
{
    return (bytes + PCDF_JOURNAL_BLOCK - 1) / PCDF_JOURNAL_BLOCK * PCDF_JOURNAL_BLOCK;
}

static int64_t fixed_size(const struct pcdf_journal *j)
{
    return j->block > 0 ? FIXED + 8 : FIXED;
}

int64_t pcdf_journal_head_size(const struct pcdf_journal *j)
{
    return blocks(fixed_size(j) + j->old_size + j->new_size + j->nfills + 4);
}

void pcdf_journal_encode(const struct pcdf_journal *j, unsigned char *bytes)
{
    const int64_t numbers[] = { fixed_size(j) + j->old_size + j->new_size + j->nfills,
                                (int64_t)j->nonce,
                                j->inode,
                                j->begun,
                                j->file_size,
                                j->parts,
                                j->chunk,
                                j->room,
                                j->old_size,
                                j->new_size,
                                j->nfills,
                                j->step,
                                j->block };
    unsigned char *at = bytes + 8;
    memset(bytes, 0, (size_t)pcdf_journal_head_size(j));
    memcpy(bytes, j->has_ranges ? ranges_magic : j->block > 0 ? inserting_magic : head_magic, 8);
    for (int i = 0; i < NUMBERS + (j->block > 0); i++, at += 8)
        pcdf_bytes_put(at, (uint64_t)numbers[i], 8);
    memcpy(at, j->old_header, (size_t)j->old_size);
    at += j->old_size;
    memcpy(at, j->new_header, (size_t)j->new_size);
    at += j->new_size;
    if (j->nfills)
        memcpy(at, j->fills, (size_t)j->nfills);
    at += j->nfills;
    pcdf_bytes_put(at, pcdf_crc32c(0, bytes, (size_t)(at - bytes)), 4);
}

/* ---- ranges: their number, then an entry for each, then the bytes of all */

enum { RANGES_HEAD = 8, RANGE_ENTRY = 8 + 8 + 4 };

int64_t pcdf_journal_ranges_size(const struct pcdf_journal_range *x, int64_t n)
{
    int64_t size = RANGES_HEAD + n * RANGE_ENTRY;
    for (int64_t i = 0; i < n; i++)
        size += x[i].length;
    return size;
}

void pcdf_journal_ranges_encode(const struct pcdf_journal_range *x, int64_t n, unsigned char *bytes)
{
    unsigned char *entry = bytes + RANGES_HEAD, *data = entry + n * RANGE_ENTRY;
    pcdf_bytes_put(bytes, (uint64_t)n, RANGES_HEAD);
    for (int64_t i = 0; i < n; i++, entry += RANGE_ENTRY) {
        pcdf_bytes_put(entry, (uint64_t)x[i].offset, 8);
        pcdf_bytes_put(entry + 8, (uint64_t)x[i].length, 8);
        pcdf_bytes_put(entry + 16, x[i].old_crc, 4);
        memcpy(data, x[i].bytes, (size_t)x[i].length);
        data += x[i].length;
    }
}

int64_t pcdf_journal_ranges(const struct pcdf_journal *j)
{
    return (int64_t)pcdf_bytes_get(j->new_header, RANGES_HEAD);
}

/* The bytes stand behind those of the ranges before it. */
static struct pcdf_journal_range range_behind(const struct pcdf_journal *j, int64_t i,
                                              const unsigned char *bytes)
{
    const unsigned char *entry = j->new_header + RANGES_HEAD + i * RANGE_ENTRY;
    return (struct pcdf_journal_range){ .offset = (int64_t)pcdf_bytes_get(entry, 8),
                                        .length = (int64_t)pcdf_bytes_get(entry + 8, 8),
                                        .old_crc = (uint32_t)pcdf_bytes_get(entry + 16, 4),
                                        .bytes = bytes };
}

bool pcdf_journal_range_next(const struct pcdf_journal *j, int64_t *i, struct pcdf_journal_range *r)
{
    int64_t n = pcdf_journal_ranges(j);
    if (*i >= n)
        return false;
    *r = range_behind(j, *i, *i == 0 ? j->new_header + RANGES_HEAD + n * RANGE_ENTRY : r->bytes + r->length);
    *i += 1;
    return true;
}

static bool are_ranges(const struct pcdf_journal *j)
{
    struct pcdf_journal_range r = { 0 };
    int64_t n = j->new_size >= RANGES_HEAD ? pcdf_journal_ranges(j) : 0, end = 0, i = 0;
    if (n < 1 || n > (j->new_size - RANGES_HEAD) / RANGE_ENTRY || j->old_size != PCDF_JOURNAL_SECTOR)
        return false;
    int64_t left = j->new_size - RANGES_HEAD - n * RANGE_ENTRY;
    while (left >= 0 && pcdf_journal_range_next(j, &i, &r)) {
        bool is_first = i == 1;
        if (r.offset < end || r.offset > j->file_size || r.length < 1 || r.length > left ||
            r.length > j->file_size - r.offset ||
            (is_first && (r.offset != 0 || r.length < PCDF_JOURNAL_SECTOR)))
            return false;
        end = r.offset + r.length;
        left -= r.length;
    }
    return left == 0;
}

static int refuse(const char *why)
{
    return PCDF_FAIL(NC_ERECOVER, "the journal is not whole: %s", why);
}

/* Are the numbers of a head possible? The CRC says that we wrote them; that alone is no reason to trust. */
static bool is_possible(const struct pcdf_journal *j, int64_t length)
{
    const int64_t most_block = 1 << 20;
    int64_t left = length - fixed_size(j);
    bool sizes = j->old_size >= 0 && j->old_size <= left && j->new_size >= 0 &&
                 j->new_size <= left - j->old_size && j->nfills >= 0 &&
                 j->nfills == left - j->old_size - j->new_size;
    if (j->block < 0 || j->block > most_block || (j->block & (j->block - 1)) != 0)
        return false;
    if (!sizes || j->file_size < 0 || j->file_size > most_file || j->parts < 0 || j->parts > MOST_PARTS)
        return false;
    if (j->parts == 0)
        return j->chunk == 0 && j->room == 0 && j->step == 0 && j->block == 0;
    /* A part is never larger than what there is to move. */
    return j->chunk > 0 && j->chunk <= most_chunk && j->chunk % PCDF_JOURNAL_BLOCK == 0 &&
           j->chunk <= blocks(j->file_size) && j->room >= 0 && j->room <= j->chunk &&
           j->room % PCDF_JOURNAL_BLOCK == 0 && j->step >= 0 && j->step <= j->chunk &&
           j->step % PCDF_JOURNAL_BLOCK == 0 && (j->step > 0 || j->room == 0 || j->room == j->chunk);
}

static bool has_head_magic(const unsigned char *bytes)
{
    return memcmp(bytes, head_magic, 8) == 0 || memcmp(bytes, inserting_magic, 8) == 0 ||
           memcmp(bytes, ranges_magic, 8) == 0 || memcmp(bytes, stepless_magic, 8) == 0;
}

int pcdf_journal_decode(const unsigned char *bytes, size_t n, int64_t file_size, int64_t *need,
                        struct pcdf_journal *j)
{
    int64_t numbers[NUMBERS];
    *need = 0;
    if (file_size < FIXED + 4 || n < FIXED)
        return refuse("too short");
    if (memcmp(bytes, old_magic, 8) == 0)
        return refuse("it has the form of an older parcdf, whose `parcdf repair` reads it");
    if (!has_head_magic(bytes))
        return refuse("its first bytes are wrong");
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (int64_t)pcdf_bytes_get(bytes + 8 + 8 * i, 8);
    int64_t length = numbers[0];
    if (length < FIXED || length > file_size - 4)
        return refuse("its head does not end in it");
    if (length + 4 > (int64_t)n) {
        *need = length + 4;
        return NC_NOERR;
    }
    if (pcdf_crc32c(0, bytes, (size_t)length) != pcdf_bytes_get(bytes + length, 4))
        return refuse("the checksum of its head is wrong");
    *j = (struct pcdf_journal){ .nonce = (uint64_t)numbers[1],
                                .inode = numbers[2],
                                .begun = numbers[3],
                                .file_size = numbers[4],
                                .parts = numbers[5],
                                .chunk = numbers[6],
                                .room = numbers[7],
                                .old_size = numbers[8],
                                .new_size = numbers[9],
                                .nfills = numbers[10],
                                .step = memcmp(bytes, stepless_magic, 8) == 0 ? 0 : numbers[11] };
    bool inserts = memcmp(bytes, inserting_magic, 8) == 0;
    if (inserts && length >= FIXED + 8)
        j->block = (int64_t)pcdf_bytes_get(bytes + FIXED, 8);
    if (inserts != (j->block > 0) || !is_possible(j, length))
        return refuse("its numbers are impossible");
    j->old_header = bytes + fixed_size(j);
    j->new_header = j->old_header + j->old_size;
    j->fills = j->new_header + j->new_size;
    j->has_ranges = memcmp(bytes, ranges_magic, 8) == 0;
    if (j->has_ranges && (j->parts > 0 || j->nfills > 0 || !are_ranges(j)))
        return refuse("its ranges are impossible");
    return NC_NOERR;
}

int64_t pcdf_journal_heartbeat_at(const struct pcdf_journal *j, int64_t number)
{
    return pcdf_journal_head_size(j) + number % 2 * PCDF_JOURNAL_SECTOR;
}

int64_t pcdf_journal_note_at(const struct pcdf_journal *j, int64_t number)
{
    return pcdf_journal_head_size(j) + PCDF_JOURNAL_BLOCK + number * PCDF_JOURNAL_SECTOR;
}

static int64_t slot_size(int64_t data)
{
    return PCDF_JOURNAL_BLOCK + blocks(data);
}

int64_t pcdf_journal_slot(const struct pcdf_journal *j, int64_t part, int64_t round)
{
    int64_t of_part = 2 * slot_size(j->room) + (j->step > 0 ? 2 * slot_size(j->step) : 0);
    int64_t notes = j->block > 0 ? PCDF_JOURNAL_BLOCK : 0;
    return pcdf_journal_head_size(j) + PCDF_JOURNAL_BLOCK + notes + part * of_part +
           round % 2 * slot_size(j->room);
}

int64_t pcdf_journal_step_slot(const struct pcdf_journal *j, int64_t part, int64_t step)
{
    return pcdf_journal_slot(j, part, 0) + 2 * slot_size(j->room) + step % 2 * slot_size(j->step);
}

void pcdf_journal_record_encode(const struct pcdf_journal_record *r, unsigned char *bytes)
{
    memset(bytes, 0, PCDF_JOURNAL_RECORD);
    pcdf_bytes_put(bytes + 8, r->nonce, 8);
    pcdf_bytes_put(bytes + 16, (uint64_t)r->round, 8);
    pcdf_bytes_put(bytes + 24, (uint64_t)r->there, 8);
    pcdf_bytes_put(bytes + 32, (uint64_t)(r->has_data + 2 * r->is_unsummed), 4);
    pcdf_bytes_put(bytes + 36, r->data_crc, 4);
    pcdf_bytes_put(bytes + 40, (uint64_t)r->step, 8);
    pcdf_seal(bytes, record_magic, PCDF_JOURNAL_RECORD);
}

bool pcdf_journal_record_decode(const unsigned char *bytes, uint64_t nonce, struct pcdf_journal_record *r)
{
    if (!pcdf_is_sealed(bytes, record_magic, PCDF_JOURNAL_RECORD))
        return false;
    *r = (struct pcdf_journal_record){ .nonce = pcdf_bytes_get(bytes + 8, 8),
                                       .round = (int64_t)pcdf_bytes_get(bytes + 16, 8),
                                       .there = (int64_t)pcdf_bytes_get(bytes + 24, 8),
                                       .has_data = pcdf_bytes_get(bytes + 32, 4) & 1,
                                       .is_unsummed = pcdf_bytes_get(bytes + 32, 4) & 2,
                                       .data_crc = pcdf_bytes_get(bytes + 36, 4),
                                       .step = (int64_t)pcdf_bytes_get(bytes + 40, 8) };
    return r->nonce == nonce && r->round >= 0 && r->step >= 0 && r->there >= 0;
}

void pcdf_journal_heartbeat_encode(const struct pcdf_journal_heartbeat *b, unsigned char *bytes)
{
    const int64_t numbers[] = { (int64_t)b->nonce, b->number,
                                b->time,           b->is_marked + 2 * b->is_over,
                                b->owner.process,  b->owner.started,
                                b->owner.space };
    unsigned char *at = bytes + 8;
    memset(bytes, 0, PCDF_JOURNAL_HEARTBEAT);
    for (int i = 0; i < 7; i++, at += 8)
        pcdf_bytes_put(at, (uint64_t)numbers[i], 8);
    memcpy(at, b->owner.host, PCDF_OWNER_HOST);
    memcpy(at + PCDF_OWNER_HOST, b->owner.boot, PCDF_OWNER_BOOT);
    pcdf_seal(bytes, heartbeat_magic, PCDF_JOURNAL_HEARTBEAT);
}

bool pcdf_journal_heartbeat_decode(const unsigned char *bytes, uint64_t nonce,
                                   struct pcdf_journal_heartbeat *b)
{
    int64_t numbers[7];
    if (!pcdf_is_sealed(bytes, heartbeat_magic, PCDF_JOURNAL_HEARTBEAT))
        return false;
    for (int i = 0; i < 7; i++)
        numbers[i] = (int64_t)pcdf_bytes_get(bytes + 8 + 8 * i, 8);
    *b = (struct pcdf_journal_heartbeat){ .nonce = (uint64_t)numbers[0],
                                          .number = numbers[1],
                                          .time = numbers[2],
                                          .is_marked = numbers[3] & 1,
                                          .is_over = numbers[3] & 2,
                                          .owner = { numbers[4], numbers[5], numbers[6], "", "" } };
    memcpy(b->owner.host, bytes + 8 + 7 * 8, PCDF_OWNER_HOST);
    memcpy(b->owner.boot, bytes + 8 + 7 * 8 + PCDF_OWNER_HOST, PCDF_OWNER_BOOT);
    b->owner.host[PCDF_OWNER_HOST - 1] = b->owner.boot[PCDF_OWNER_BOOT - 1] = '\0';
    return b->nonce == nonce && b->number >= 0;
}

/* ---- the mark of a file */

uint64_t pcdf_journal_nonce(uint64_t random)
{
    const uint64_t tops =
        0x8000000080000000u; /* of the numbers of records of CDF-5, and of CDF-1 and CDF-2 */
    const uint64_t ends = 0x0000000100000001u; /* nor is it STREAMING, all ones */
    return (random | tops) & ~ends;
}

int pcdf_journal_mark(int version, uint64_t nonce, unsigned char mark[PCDF_MARK_FIRST - PCDF_MARK_AT])
{
    mark[0] = (unsigned char)(version | PCDF_CHANGE_MARK);
    return 1 + pcdf_encode_numrecs((enum pcdf_version)version, (int64_t)nonce, mark + 1);
}

void pcdf_journal_mark_hdf5(uint64_t nonce, unsigned char mark[PCDF_MARK_FIRST])
{
    memcpy(mark, PCDF_HDF5_MARKED, PCDF_MARK_SIGNATURE);
    pcdf_bytes_put(mark + PCDF_MARK_SIGNATURE, nonce, 8);
}

enum pcdf_marked pcdf_journal_marked(const unsigned char *first, int64_t n)
{
    if (n > PCDF_MARK_AT && memcmp(first, "CDF", 3) == 0 && (first[PCDF_MARK_AT] & PCDF_CHANGE_MARK))
        return PCDF_MARKED_CLASSIC;
    return n >= PCDF_MARK_SIGNATURE && memcmp(first, PCDF_HDF5_MARKED, PCDF_MARK_SIGNATURE) == 0
               ? PCDF_MARKED_HDF5
               : PCDF_MARKED_NOT;
}

bool pcdf_journal_mark_has_nonce(const unsigned char *first)
{
    if (pcdf_journal_marked(first, PCDF_MARK_FIRST) == PCDF_MARKED_HDF5)
        return first[PCDF_MARK_SIGNATURE] & 0x80;
    return (first[PCDF_MARK_AT] & PCDF_CHANGE_MARK) && (first[PCDF_MARK_AT + 1] & 0x80) &&
           pcdf_bytes_get(first + PCDF_MARK_AT + 1, 4) != UINT32_MAX;
}

bool pcdf_journal_mark_is_of(const unsigned char *first, uint64_t nonce)
{
    unsigned char mark[PCDF_MARK_FIRST];
    if (pcdf_journal_marked(first, PCDF_MARK_FIRST) == PCDF_MARKED_HDF5) {
        pcdf_journal_mark_hdf5(nonce, mark);
        return memcmp(first, mark, sizeof mark) == 0;
    }
    int n = pcdf_journal_mark(first[PCDF_MARK_AT] & ~PCDF_CHANGE_MARK, nonce, mark);
    return memcmp(first + PCDF_MARK_AT, mark, (size_t)n) == 0;
}

bool pcdf_journal_is_of(const struct pcdf_journal *j, const unsigned char *first)
{
    unsigned char mark[PCDF_MARK_FIRST];
    int n = PCDF_MARK_SIGNATURE;
    if (pcdf_journal_marked(first, PCDF_MARK_FIRST) !=
        (j->has_ranges ? PCDF_MARKED_HDF5 : PCDF_MARKED_CLASSIC))
        return false;
    if (!j->has_ranges)
        return pcdf_journal_mark_is_of(first, j->nonce);
    pcdf_journal_mark_hdf5(j->nonce, mark);
    while (n < PCDF_MARK_FIRST && first[n] == mark[n])
        n++;
    return n > PCDF_MARK_SIGNATURE &&
           memcmp(first + n, j->old_header + n, (size_t)(PCDF_MARK_FIRST - n)) == 0;
}

uint64_t pcdf_journal_peek(const unsigned char *bytes, int64_t *inode)
{
    *inode = (int64_t)pcdf_bytes_get(bytes + 24, 8);
    return has_head_magic(bytes) ? pcdf_bytes_get(bytes + 16, 8) : 0;
}
