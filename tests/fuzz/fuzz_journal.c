/* Fuzz target for the journal as bytes, whatever they are: decode gives values that lie inside the bytes, or
 * NC_ERECOVER, or asks for more bytes that exist; places computed from what it gave rise and do not overflow;
 * what was decoded encodes to bytes that decode to the same; the same for the records of rounds and for
 * heartbeats.
 *
 * Input: one byte of choices, then the bytes. Choices: 1 the checksums are made right, as a liar would. */
#include "alloc.h"
#include "bytes.h"
#include "crc32c.h"
#include "fuzz.h"
#include "journal.h"
#include "status.h"

enum { LENGTH_AT = 8, MOST_INPUT = 4096 };

/* The checksum of a head that says how long it is. */
static void sign_head(unsigned char *bytes, size_t n)
{
    if (n < LENGTH_AT + 8)
        return;
    uint64_t length = pcdf_bytes_get(bytes + LENGTH_AT, 8);
    if (n >= 4 && length <= n - 4)
        pcdf_bytes_put(bytes + length, pcdf_crc32c(0, bytes, (size_t)length), 4);
}

static void sign_record(unsigned char *bytes, size_t n)
{
    if (n >= PCDF_JOURNAL_RECORD)
        pcdf_bytes_put(bytes + PCDF_JOURNAL_RECORD - 4, pcdf_crc32c(0, bytes, PCDF_JOURNAL_RECORD - 4), 4);
}

/* Reads from `first` bytes on, as much as is asked for. */
static int decode_from(const unsigned char *bytes, size_t n, size_t first, struct pcdf_journal *j)
{
    int64_t need = 0;
    for (size_t have = first;; have = (size_t)need) {
        int err = pcdf_journal_decode(bytes, have, (int64_t)n, &need, j);
        DEMAND(err == NC_NOERR || (err == NC_ERECOVER && need == 0));
        if (need == 0)
            return err;
        DEMAND(need > (int64_t)have && need <= (int64_t)n);
    }
}

static void check_same(const struct pcdf_journal *a, const struct pcdf_journal *b)
{
    DEMAND(a->nonce == b->nonce && a->inode == b->inode && a->file_size == b->file_size);
    DEMAND(a->begun == b->begun);
    DEMAND(a->parts == b->parts && a->chunk == b->chunk && a->room == b->room && a->step == b->step);
    DEMAND(a->old_size == b->old_size && a->new_size == b->new_size && a->nfills == b->nfills);
    DEMAND(memcmp(a->old_header, b->old_header, (size_t)a->old_size) == 0);
    DEMAND(memcmp(a->new_header, b->new_header, (size_t)a->new_size) == 0);
    DEMAND(memcmp(a->fills, b->fills, (size_t)a->nfills) == 0);
}

static void check_places(const struct pcdf_journal *j)
{
    int64_t at = pcdf_journal_head_size(j);
    const int64_t parts[] = { 0, 1, j->parts / 2, j->parts - 1 };

    DEMAND(at % PCDF_JOURNAL_BLOCK == 0 && pcdf_journal_slot(j, j->parts, 0) >= at);
    for (int i = 0; i < 4; i++)
        for (int64_t round = 0; round < 4 && parts[i] >= 0 && parts[i] < j->parts; round++) {
            int64_t slot = pcdf_journal_slot(j, parts[i], round), data;
            data = pcdf_journal_slot(j, parts[i], round) + PCDF_JOURNAL_BLOCK;
            DEMAND(slot >= at && data == slot + PCDF_JOURNAL_BLOCK);
            DEMAND(data + j->room <= pcdf_journal_slot(j, j->parts, 0));
            DEMAND(slot == pcdf_journal_slot(j, parts[i], round + 2));
            slot = pcdf_journal_step_slot(j, parts[i], round);
            DEMAND(j->step == 0 || slot >= data + j->room);
            DEMAND(j->step == 0 ||
                   slot + PCDF_JOURNAL_BLOCK + j->step <= pcdf_journal_slot(j, parts[i] + 1, 0));
        }
}

/* In rising order, of bytes of the journal, in the file. */
static void check_ranges(const struct pcdf_journal *j)
{
    struct pcdf_journal_range r = { 0 };
    int64_t end = 0, i = 0, n = pcdf_journal_ranges(j);
    while (pcdf_journal_range_next(j, &i, &r)) {
        DEMAND(r.offset >= end && r.length > 0 && r.length <= j->file_size - r.offset);
        DEMAND(r.bytes >= j->new_header && r.length <= j->new_header + j->new_size - r.bytes);
        DEMAND(i > 1 || (r.offset == 0 && r.length >= PCDF_JOURNAL_SECTOR));
        end = r.offset + r.length;
    }
    DEMAND(i == n && n > 0 && j->old_size == PCDF_JOURNAL_SECTOR && j->parts == 0);
}

static void check_head(const unsigned char *bytes, size_t n)
{
    struct pcdf_journal whole, chunked, again;
    int64_t need = 0;
    int err = decode_from(bytes, n, n, &whole);

    DEMAND(decode_from(bytes, n, n < PCDF_JOURNAL_BLOCK / 16 ? n : PCDF_JOURNAL_BLOCK / 16, &chunked) == err);
    if (err)
        return;
    check_same(&whole, &chunked);
    DEMAND(whole.old_header >= bytes && whole.fills + whole.nfills <= bytes + n);
    check_places(&whole);
    if (whole.has_ranges)
        check_ranges(&whole);
    size_t size = (size_t)pcdf_journal_head_size(&whole);
    unsigned char *head = malloc(size);
    DEMAND(head);
    pcdf_journal_encode(&whole, head);
    DEMAND(pcdf_journal_decode(head, size, (int64_t)size, &need, &again) == NC_NOERR && need == 0);
    check_same(&whole, &again);
    free(head);
}

static void check_record(const unsigned char *bytes)
{
    struct pcdf_journal_record r, again;
    unsigned char out[PCDF_JOURNAL_RECORD];
    uint64_t nonce = pcdf_bytes_get(bytes + 8, 8);

    DEMAND(!pcdf_journal_record_decode(bytes, nonce + 1, &r));
    if (!pcdf_journal_record_decode(bytes, nonce, &r))
        return;
    DEMAND(r.round >= 0 && r.there >= 0);
    pcdf_journal_record_encode(&r, out);
    DEMAND(pcdf_journal_record_decode(out, nonce, &again));
    DEMAND(again.round == r.round && again.there == r.there && again.has_data == r.has_data &&
           again.step == r.step && again.is_unsummed == r.is_unsummed && again.data_crc == r.data_crc);
}

static void sign_heartbeat(unsigned char *bytes, size_t n)
{
    if (n >= PCDF_JOURNAL_HEARTBEAT)
        pcdf_bytes_put(bytes + PCDF_JOURNAL_HEARTBEAT - 4, pcdf_crc32c(0, bytes, PCDF_JOURNAL_HEARTBEAT - 4),
                       4);
}

static void check_heartbeat(const unsigned char *bytes)
{
    struct pcdf_journal_heartbeat b, again;
    unsigned char out[PCDF_JOURNAL_HEARTBEAT];
    uint64_t nonce = pcdf_bytes_get(bytes + 8, 8);

    DEMAND(!pcdf_journal_heartbeat_decode(bytes, nonce + 1, &b));
    if (!pcdf_journal_heartbeat_decode(bytes, nonce, &b))
        return;
    DEMAND(b.number >= 0 && strlen(b.owner.host) < sizeof b.owner.host &&
           strlen(b.owner.boot) < sizeof b.owner.boot);
    pcdf_journal_heartbeat_encode(&b, out);
    DEMAND(pcdf_journal_heartbeat_decode(out, nonce, &again));
    DEMAND(again.number == b.number && again.time == b.time && again.is_over == b.is_over &&
           again.is_marked == b.is_marked && memcmp(&again.owner, &b.owner, sizeof b.owner) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t n)
{
    static unsigned char bytes[MOST_INPUT];

    if (n == 0 || n > MOST_INPUT)
        return 0;
    memcpy(bytes, input + 1, n - 1);
    if (input[0] & 1)
        sign_head(bytes, n - 1);
    check_head(bytes, n - 1);
    if (input[0] & 1)
        sign_record(bytes, n - 1);
    if (n - 1 >= PCDF_JOURNAL_RECORD)
        check_record(bytes);
    if (input[0] & 1)
        sign_heartbeat(bytes, n - 1);
    if (n - 1 >= PCDF_JOURNAL_HEARTBEAT)
        check_heartbeat(bytes);
    return 0;
}
