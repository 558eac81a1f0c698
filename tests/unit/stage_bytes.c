/* The bytes of a log of puts: what goes in comes out; any changed byte, cut end or impossible number is the
 * end of the log. */
#include <stdlib.h>
#include "bytes.h"
#include "check.h"
#include "codes.h"
#include "crc32c.h"
#include "stagerecord.h"

static const uint64_t nonce = 0x8123456789abcdefu;
static const struct pcdf_stage_head head_in = { .nonce = 0x8123456789abcdefu,
                                                .rank = 5,
                                                .nranks = 7,
                                                .inode = 123456789012,
                                                .begun = 1700000000,
                                                .path = "/scratch/run/a b.nc" };
static const struct pcdf_stage_record data_in = {
    .kind = PCDF_STAGE_DATA, .epoch = 3, .number = 77, .pieces = 2, .bytes = 9, .payload_crc = 0xDEADBEEF
};
static const struct pcdf_stage_record sync_in = {
    .kind = PCDF_STAGE_SYNC, .epoch = 3, .number = 4, .numrecs = 12, .applied = 70, .header_crc = 99
};

static void check_head(void)
{
    unsigned char bytes[PCDF_STAGE_HEAD];
    struct pcdf_stage_head h;
    pcdf_stage_head_encode(&head_in, bytes);
    CHECK_INT(pcdf_stage_head_decode(bytes, sizeof bytes, &h), NC_NOERR);
    CHECK(h.nonce == nonce, "nonce");
    CHECK_INT(h.rank, 5);
    CHECK_INT(h.nranks, 7);
    CHECK_INT(h.inode, head_in.inode);
    CHECK_INT(h.begun, head_in.begun);
    CHECK(strcmp(h.path, head_in.path) == 0, "path %s", h.path);
    CHECK_INT(pcdf_stage_head_decode(bytes, sizeof bytes - 1, &h), NC_EFILE);
    for (int i = 0; i < 512 + 20; i++) { /* the path with its end */
        bytes[i] ^= 0x10;
        CHECK(pcdf_stage_head_decode(bytes, sizeof bytes, &h) == NC_EFILE, "byte %d", i);
        bytes[i] ^= 0x10;
    }
}

static void check_impossible_heads(void)
{
    static const struct {
        uint64_t nonce;
        int64_t rank, nranks;
        const char *path;
    } rows[] = { { 0, 0, 1, "/a" },  { 1, 1, 1, "/a" },         { 1, -1, 1, "/a" }, { 1, 0, 0, "/a" },
                 { 1, 0, -1, "/a" }, { 1, 0, INT64_MAX, "/a" }, { 1, 0, 1, "" } };
    unsigned char bytes[PCDF_STAGE_HEAD];
    struct pcdf_stage_head h;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pcdf_stage_head_encode(&(struct pcdf_stage_head){ .nonce = rows[i].nonce,
                                                          .rank = rows[i].rank,
                                                          .nranks = rows[i].nranks,
                                                          .path = rows[i].path },
                               bytes);
        CHECK(pcdf_stage_head_decode(bytes, sizeof bytes, &h) == NC_EFILE, "row %d", (int)i);
    }
}

static void check_slots(void)
{
    unsigned char bytes[PCDF_STAGE_HEAD];
    struct pcdf_stage_slot s;
    pcdf_stage_head_encode(&head_in, bytes);
    CHECK(!pcdf_stage_slot_decode(bytes, nonce, &s), "there is no slot");
    for (int64_t epoch = 1; epoch <= 4; epoch++) {
        struct pcdf_stage_slot in = { epoch, 10 * epoch, 100 * epoch, (uint32_t)epoch, epoch == 4 };
        pcdf_stage_slot_encode(nonce, &in, bytes + pcdf_stage_slot_at(epoch));
        CHECK(pcdf_stage_slot_decode(bytes, nonce, &s), "epoch %d", (int)epoch);
        CHECK_INT(s.epoch, epoch);
        CHECK_INT(s.sync, 10 * epoch);
        CHECK_INT(s.numrecs, 100 * epoch);
        CHECK_INT(s.header_crc, epoch);
        CHECK_INT(s.is_closed, epoch == 4);
    }
    CHECK(!pcdf_stage_slot_decode(bytes, nonce + 2, &s), "of another opening");
    for (int i = 0; i < 64; i++) { /* torn: the one before counts */
        bytes[pcdf_stage_slot_at(4) + i] ^= 1;
        CHECK(pcdf_stage_slot_decode(bytes, nonce, &s) && s.epoch == 3, "byte %d", i);
        bytes[pcdf_stage_slot_at(4) + i] ^= 1;
    }
}

static void check_records(void)
{
    unsigned char bytes[PCDF_STAGE_RECORD];
    struct pcdf_stage_record r;
    const int64_t left = PCDF_STAGE_RECORD + 2 * PCDF_STAGE_PIECE + 9;
    pcdf_stage_record_encode(nonce, &data_in, bytes);
    CHECK(pcdf_stage_record_decode(bytes, nonce, 3, left, &r), "data");
    CHECK_INT(r.kind, PCDF_STAGE_DATA);
    CHECK_INT(r.number, 77);
    CHECK_INT(r.pieces, 2);
    CHECK_INT(r.bytes, 9);
    CHECK_INT(r.payload_crc, data_in.payload_crc);
    CHECK_INT(pcdf_stage_payload(&r), 2 * PCDF_STAGE_PIECE + 9);
    CHECK(!pcdf_stage_record_decode(bytes, nonce, 3, left - 1, &r), "its payload is cut off");
    CHECK(!pcdf_stage_record_decode(bytes, nonce, 2, left, &r), "of another epoch");
    CHECK(!pcdf_stage_record_decode(bytes, nonce + 2, 3, left, &r), "of another opening");
    for (int i = 0; i < PCDF_STAGE_RECORD; i++) {
        bytes[i] ^= 0x20;
        CHECK(!pcdf_stage_record_decode(bytes, nonce, 3, left, &r), "byte %d", i);
        bytes[i] ^= 0x20;
    }
    pcdf_stage_record_encode(nonce, &sync_in, bytes);
    CHECK(pcdf_stage_record_decode(bytes, nonce, 3, PCDF_STAGE_RECORD, &r), "sync");
    CHECK_INT(r.kind, PCDF_STAGE_SYNC);
    CHECK_INT(r.number, 4);
    CHECK_INT(r.numrecs, 12);
    CHECK_INT(r.applied, 70);
    CHECK_INT(r.header_crc, 99);
    CHECK_INT(pcdf_stage_payload(&r), 0);
    CHECK(!pcdf_stage_record_decode(bytes, nonce, 3, PCDF_STAGE_RECORD - 1, &r), "it is cut off");
}

static void check_impossible_records(void)
{
    static const struct {
        enum pcdf_stage_kind kind;
        int64_t number, first, second;
    } rows[] = { { PCDF_STAGE_DATA, 0, 1, 1 },
                 { PCDF_STAGE_DATA, 1, 0, 0 },
                 { PCDF_STAGE_DATA, 1, -1, 1 },
                 { PCDF_STAGE_DATA, 1, 2, 1 }, /* a piece has a byte at least */
                 { PCDF_STAGE_DATA, 1, INT64_MAX / 16, INT64_MAX },
                 { PCDF_STAGE_DATA, 1, 1, PCDF_STAGE_MOST },
                 { PCDF_STAGE_DATA, 1, PCDF_STAGE_MOST, PCDF_STAGE_MOST },
                 { PCDF_STAGE_SYNC, 0, 1, 1 },
                 { PCDF_STAGE_SYNC, 1, -1, 1 },
                 { PCDF_STAGE_SYNC, 1, 1, -1 } };
    unsigned char bytes[PCDF_STAGE_RECORD];
    struct pcdf_stage_record r;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool has_data = rows[i].kind == PCDF_STAGE_DATA;
        pcdf_stage_record_encode(nonce,
                                 &(struct pcdf_stage_record){ .kind = rows[i].kind,
                                                              .epoch = 1,
                                                              .number = rows[i].number,
                                                              .pieces = has_data ? rows[i].first : 0,
                                                              .bytes = has_data ? rows[i].second : 0,
                                                              .numrecs = has_data ? 0 : rows[i].first,
                                                              .applied = has_data ? 0 : rows[i].second },
                                 bytes);
        CHECK(!pcdf_stage_record_decode(bytes, nonce, 1, INT64_MAX, &r), "row %d", (int)i);
    }
}

static void check_payload(void)
{
    static const struct {
        struct pcdf_stage_piece a, b;
        bool good;
    } rows[] = { { { 0, 4 }, { 100, 5 }, true },   { { 100, 4 }, { 0, 5 }, true },
                 { { 0, 4 }, { 100, 4 }, false },  { { 0, 5 }, { 100, 5 }, false },
                 { { 0, 9 }, { 100, 0 }, false },  { { 0, 10 }, { 100, -1 }, false },
                 { { -1, 4 }, { 100, 5 }, false }, { { INT64_MAX - 4, 4 }, { 100, 5 }, false } };
    unsigned char payload[2 * PCDF_STAGE_PIECE + 9] = { 0 };
    struct pcdf_stage_record r = data_in;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pcdf_stage_piece p;
        pcdf_stage_piece_encode(&rows[i].a, payload);
        pcdf_stage_piece_encode(&rows[i].b, payload + PCDF_STAGE_PIECE);
        r.payload_crc = pcdf_crc32c(0, payload, sizeof payload);
        CHECK(pcdf_stage_payload_is_good(&r, payload) == rows[i].good, "row %d", (int)i);
        pcdf_stage_piece_decode(payload, 1, &p);
        CHECK_INT(p.offset, rows[i].b.offset);
        CHECK_INT(p.length, rows[i].b.length);
        payload[40] ^= 1;
        CHECK(!pcdf_stage_payload_is_good(&r, payload), "row %d, another byte", (int)i);
        payload[40] ^= 1;
    }
}

static void check_header_crc(void)
{
    unsigned char header[48] = "CDF\1";
    uint32_t crc = pcdf_stage_header_crc(header, sizeof header);
    header[7] = 9; /* the number of records is none of the definitions */
    CHECK(pcdf_stage_header_crc(header, sizeof header) == crc, "the number of records changed it");
    header[40] = 1;
    CHECK(pcdf_stage_header_crc(header, sizeof header) != crc, "a definition did not");
    CHECK(pcdf_stage_header_crc(header, 2) != 0, "of almost nothing");
}

int main(void)
{
    check_head();
    check_impossible_heads();
    check_slots();
    check_records();
    check_impossible_records();
    check_payload();
    check_header_crc();
    return check_done("stage_bytes");
}
