/* See stagerecord.h. All numbers big-endian, a CRC-32C behind each unit, so that a torn one is known. */
#include "stagerecord.h"
#include <assert.h>
#include <string.h>
#include "bytes.h"
#include "crc32c.h"
#include "seal.h"
#include "status.h"

static const char head_magic[8] = "PARCDFL1", slot_magic[8] = "PARCDFLS";
static const char data_magic[8] = "PARCDFLD", sync_magic[8] = "PARCDFLY";

enum { NUMBERS = 8, PATH_AT = 512, SLOTS_AT = PCDF_STAGE_HEAD - 2 * PCDF_STAGE_SLOT, SLOT_BYTES = 64 };
_Static_assert((int)PATH_AT + (int)PCDF_STAGE_PATH < (int)SLOTS_AT, "a path ends before the slots");
enum { HEAD_CRC = PATH_AT - 4, NUMRECS_AT = 4, NUMRECS_END = 12 };

static const int64_t most_file = INT64_MAX - ((int64_t)1 << 60);
static const int64_t most_ranks = (int64_t)1 << 31;

/* ---- head */

void pcdf_stage_head_encode(const struct pcdf_stage_head *h, unsigned char *bytes)
{
    size_t n = strlen(h->path);
    const int64_t numbers[NUMBERS] = { (int64_t)h->nonce, h->rank,    h->nranks, h->inode,
                                       h->begun,          (int64_t)n, h->device, h->born };
    assert(n <= PCDF_STAGE_PATH);
    memset(bytes, 0, PCDF_STAGE_HEAD);
    for (size_t i = 0; i < NUMBERS; i++)
        pcdf_bytes_put(bytes + 8 + 8 * i, (uint64_t)numbers[i], 8);
    memcpy(bytes + PATH_AT, h->path, n);
    pcdf_bytes_put(bytes + HEAD_CRC - 4, pcdf_crc32c(0, bytes + PATH_AT, n), 4);
    pcdf_seal(bytes, head_magic, PATH_AT);
}

static int refuse(const char *why)
{
    return PCDF_FAIL(NC_EFILE, "it is no log of puts: %s", why);
}

int pcdf_stage_head_decode(const unsigned char *bytes, size_t n, struct pcdf_stage_head *h)
{
    int64_t numbers[NUMBERS];
    if (n < PCDF_STAGE_HEAD)
        return refuse("too short");
    if (memcmp(bytes, head_magic, 8) != 0)
        return refuse("its first bytes are wrong");
    if (!pcdf_is_sealed(bytes, head_magic, PATH_AT))
        return refuse("the checksum of its head is wrong");
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (int64_t)pcdf_bytes_get(bytes + 8 + 8 * i, 8);
    int64_t length = numbers[5];
    if (numbers[0] == 0 || numbers[2] < 1 || numbers[2] > most_ranks || numbers[1] < 0 ||
        numbers[1] >= numbers[2] || length < 1 || length > PCDF_STAGE_PATH)
        return refuse("its numbers are impossible");
    const char *path = (const char *)bytes + PATH_AT;
    if (pcdf_crc32c(0, path, (size_t)length) != pcdf_bytes_get(bytes + HEAD_CRC - 4, 4) ||
        strnlen(path, (size_t)length + 1) != (size_t)length)
        return refuse("its path is wrong");
    *h = (struct pcdf_stage_head){ .nonce = (uint64_t)numbers[0],
                                   .rank = numbers[1],
                                   .nranks = numbers[2],
                                   .inode = numbers[3],
                                   .device = numbers[6],
                                   .born = numbers[7],
                                   .begun = numbers[4],
                                   .path = path };
    return NC_NOERR;
}

/* ---- slots */

int64_t pcdf_stage_slot_at(int64_t epoch)
{
    return SLOTS_AT + epoch % 2 * PCDF_STAGE_SLOT;
}

void pcdf_stage_slot_encode(uint64_t nonce, const struct pcdf_stage_slot *s, unsigned char *bytes)
{
    memset(bytes, 0, PCDF_STAGE_SLOT);
    pcdf_bytes_put(bytes + 8, nonce, 8);
    pcdf_bytes_put(bytes + 16, (uint64_t)s->epoch, 8);
    pcdf_bytes_put(bytes + 24, (uint64_t)s->sync, 8);
    pcdf_bytes_put(bytes + 32, (uint64_t)s->numrecs, 8);
    pcdf_bytes_put(bytes + 40, s->header_crc, 4);
    pcdf_bytes_put(bytes + 44, s->is_closed, 4);
    pcdf_seal(bytes, slot_magic, SLOT_BYTES);
}

static bool decode_slot(const unsigned char *bytes, uint64_t nonce, struct pcdf_stage_slot *s)
{
    if (!pcdf_is_sealed(bytes, slot_magic, SLOT_BYTES) || pcdf_bytes_get(bytes + 8, 8) != nonce)
        return false;
    *s = (struct pcdf_stage_slot){ .epoch = (int64_t)pcdf_bytes_get(bytes + 16, 8),
                                   .sync = (int64_t)pcdf_bytes_get(bytes + 24, 8),
                                   .numrecs = (int64_t)pcdf_bytes_get(bytes + 32, 8),
                                   .header_crc = (uint32_t)pcdf_bytes_get(bytes + 40, 4),
                                   .is_closed = pcdf_bytes_get(bytes + 44, 4) & 1 };
    return s->epoch >= 0 && s->sync >= 0 && s->numrecs >= 0;
}

bool pcdf_stage_slot_decode(const unsigned char *head, uint64_t nonce, struct pcdf_stage_slot *s)
{
    bool found = false;
    for (int64_t i = 0; i < 2; i++) {
        struct pcdf_stage_slot one;
        if (!decode_slot(head + pcdf_stage_slot_at(i), nonce, &one) || one.epoch % 2 != i ||
            (found && one.epoch < s->epoch))
            continue;
        *s = one;
        found = true;
    }
    return found;
}

/* ---- records */

int64_t pcdf_stage_payload(const struct pcdf_stage_record *r)
{
    return r->kind == PCDF_STAGE_DATA ? r->pieces * PCDF_STAGE_PIECE + r->bytes : 0;
}

void pcdf_stage_record_encode(uint64_t nonce, const struct pcdf_stage_record *r, unsigned char *bytes)
{
    bool has_data = r->kind == PCDF_STAGE_DATA;
    memset(bytes, 0, PCDF_STAGE_RECORD);
    pcdf_bytes_put(bytes + 8, nonce, 8);
    pcdf_bytes_put(bytes + 16, (uint64_t)r->epoch, 8);
    pcdf_bytes_put(bytes + 24, (uint64_t)r->number, 8);
    pcdf_bytes_put(bytes + 32, (uint64_t)(has_data ? r->pieces : r->numrecs), 8);
    pcdf_bytes_put(bytes + 40, (uint64_t)(has_data ? r->bytes : r->applied), 8);
    pcdf_bytes_put(bytes + 48, has_data ? r->payload_crc : r->header_crc, 4);
    pcdf_seal(bytes, has_data ? data_magic : sync_magic, PCDF_STAGE_RECORD);
}

static bool is_possible(const struct pcdf_stage_record *r, int64_t left)
{
    if (r->number < 1)
        return false;
    if (r->kind == PCDF_STAGE_SYNC)
        return r->numrecs >= 0 && r->applied >= 0;
    return r->pieces > 0 && r->pieces <= PCDF_STAGE_MOST && r->bytes >= r->pieces &&
           r->bytes <= PCDF_STAGE_MOST && pcdf_stage_payload(r) <= PCDF_STAGE_MOST &&
           pcdf_stage_payload(r) <= left - PCDF_STAGE_RECORD;
}

bool pcdf_stage_record_decode(const unsigned char *bytes, uint64_t nonce, int64_t epoch, int64_t left,
                              struct pcdf_stage_record *r)
{
    if (left < PCDF_STAGE_RECORD)
        return false;
    bool has_data = pcdf_is_sealed(bytes, data_magic, PCDF_STAGE_RECORD);
    if ((!has_data && !pcdf_is_sealed(bytes, sync_magic, PCDF_STAGE_RECORD)) ||
        pcdf_bytes_get(bytes + 8, 8) != nonce || (int64_t)pcdf_bytes_get(bytes + 16, 8) != epoch)
        return false;
    int64_t first = (int64_t)pcdf_bytes_get(bytes + 32, 8), second = (int64_t)pcdf_bytes_get(bytes + 40, 8);
    uint32_t crc = (uint32_t)pcdf_bytes_get(bytes + 48, 4);
    struct pcdf_stage_record one = { .kind = has_data ? PCDF_STAGE_DATA : PCDF_STAGE_SYNC,
                                     .epoch = epoch,
                                     .number = (int64_t)pcdf_bytes_get(bytes + 24, 8) };
    if (has_data) {
        one.pieces = first;
        one.bytes = second;
        one.payload_crc = crc;
    } else {
        one.numrecs = first;
        one.applied = second;
        one.header_crc = crc;
    }
    if (!is_possible(&one, left))
        return false;
    *r = one;
    return true;
}

/* ---- payload */

void pcdf_stage_piece_encode(const struct pcdf_stage_piece *p, unsigned char *bytes)
{
    pcdf_bytes_put(bytes, (uint64_t)p->offset, 8);
    pcdf_bytes_put(bytes + 8, (uint64_t)p->length, 8);
}

void pcdf_stage_piece_decode(const unsigned char *payload, int64_t i, struct pcdf_stage_piece *p)
{
    p->offset = (int64_t)pcdf_bytes_get(payload + i * PCDF_STAGE_PIECE, 8);
    p->length = (int64_t)pcdf_bytes_get(payload + i * PCDF_STAGE_PIECE + 8, 8);
}

bool pcdf_stage_payload_is_good(const struct pcdf_stage_record *r, const unsigned char *payload)
{
    struct pcdf_stage_piece p;
    int64_t left = r->bytes;
    if (pcdf_crc32c(0, payload, (size_t)pcdf_stage_payload(r)) != r->payload_crc)
        return false;
    for (int64_t i = 0; i < r->pieces; i++) {
        pcdf_stage_piece_decode(payload, i, &p);
        if (p.length < 1 || p.length > left || p.offset < 0 || p.offset > most_file - p.length)
            return false;
        left -= p.length;
    }
    return left == 0;
}

uint32_t pcdf_stage_header_crc(const unsigned char *header, size_t n)
{
    size_t first = n < NUMRECS_AT ? n : NUMRECS_AT, from = n < NUMRECS_END ? n : NUMRECS_END;
    uint32_t crc = pcdf_crc32c(pcdf_crc32c(0, header, first), header + from, n - from);
    return crc ? crc : 1;
}
