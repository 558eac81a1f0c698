/* A journal's bytes: what is encoded is decoded, from as few bytes as there are at first; a byte that
 * changed, a head that is cut off, and numbers that cannot be are refused although their CRC is right; slots
 * of parts and rounds do not overlap. A heartbeat says who is at work; a mark has its journal's nonce. Ranges
 * come back as they were, and impossible ones are refused. */
#include "check.h"
#include "codes.h"
#include "bytes.h"
#include "crc32c.h"
#include "journal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char old_header[] = "CDF\1 old", new_header[] = "CDF\1 and new", fills[] = { 1, 0, 1 };

static struct pcdf_journal usual(void)
{
    struct pcdf_journal j = { .nonce = 0x1234567890abcdefULL,
                              .inode = 77,
                              .file_size = (int64_t)1 << 40,
                              .begun = 1700000000,
                              .parts = 3,
                              .chunk = 5 * PCDF_JOURNAL_BLOCK,
                              .room = 2 * PCDF_JOURNAL_BLOCK,
                              .step = 3 * PCDF_JOURNAL_BLOCK,
                              .old_header = old_header,
                              .new_header = new_header,
                              .fills = fills,
                              .old_size = sizeof old_header,
                              .new_size = sizeof new_header,
                              .nfills = sizeof fills };
    return j;
}

static unsigned char *encoded(const struct pcdf_journal *j, size_t *n)
{
    *n = (size_t)pcdf_journal_head_size(j);
    unsigned char *bytes = calloc(1, *n);
    pcdf_journal_encode(j, bytes);
    return bytes;
}

static int decode(const unsigned char *bytes, size_t n, struct pcdf_journal *got)
{
    int64_t need;
    int err = pcdf_journal_decode(bytes, n, (int64_t)n, &need, got);
    CHECK(err == NC_NOERR || err == NC_ERECOVER, "code %d", err);
    return err;
}

static void round_trip(void)
{
    struct pcdf_journal j = usual(), got;
    size_t n;
    unsigned char *bytes = encoded(&j, &n);
    CHECK_INT(decode(bytes, n, &got), NC_NOERR);
    CHECK(got.nonce == j.nonce && got.inode == j.inode && got.file_size == j.file_size &&
              got.begun == j.begun && got.parts == j.parts && got.chunk == j.chunk && got.room == j.room &&
              got.step == j.step,
          "numbers differ");
    CHECK(got.old_size == j.old_size && !memcmp(got.old_header, old_header, sizeof old_header) &&
              got.new_size == j.new_size && !memcmp(got.new_header, new_header, sizeof new_header) &&
              got.nfills == j.nfills && !memcmp(got.fills, fills, sizeof fills),
          "headers or fills differ");
    free(bytes);
}

/* A journal of before there were steps has another magic, and a number that says nothing. */
static void stepless(void)
{
    struct pcdf_journal j = usual(), got;
    size_t n;
    j.step = 0;
    j.room = j.chunk;
    unsigned char *bytes = encoded(&j, &n);
    size_t length = (size_t)pcdf_bytes_get(bytes + 8, 8);
    bytes[7] = '2';
    pcdf_bytes_put(bytes + length, pcdf_crc32c(0, bytes, length), 4);
    CHECK_INT(decode(bytes, n, &got), NC_NOERR);
    CHECK(got.step == 0 && got.room == j.room && got.chunk == j.chunk, "numbers differ");
    int64_t inode;
    CHECK(pcdf_journal_peek(bytes, &inode) == j.nonce && inode == j.inode, "not known at a glance");
    free(bytes);
}

/* One of a change that inserts ranges: a number more, and its notes lie before all slots. */
static void inserting(void)
{
    struct pcdf_journal j = usual(), got;
    size_t n;
    int64_t without = pcdf_journal_slot(&j, 0, 0);
    j.block = 4096;
    unsigned char *bytes = encoded(&j, &n);
    CHECK_INT(decode(bytes, n, &got), NC_NOERR);
    CHECK(got.block == 4096 && got.step == j.step && got.nfills == j.nfills &&
              !memcmp(got.old_header, old_header, sizeof old_header) &&
              !memcmp(got.fills, fills, sizeof fills),
          "numbers or headers differ");
    CHECK(memcmp(bytes, "PARCDFJ3", 8) != 0, "who knows no insertions takes it for rounds");
    CHECK(pcdf_journal_slot(&j, 0, 0) > without, "no room for notes");
    CHECK(pcdf_journal_note_at(&j, 0) > pcdf_journal_heartbeat_at(&j, 1) &&
              pcdf_journal_note_at(&j, 7) + PCDF_JOURNAL_RECORD <= pcdf_journal_slot(&j, 0, 0),
          "notes over heartbeats or slots");
    free(bytes);
}

static void damaged(void)
{
    struct pcdf_journal j = usual(), got;
    size_t n, used = 0;
    unsigned char *bytes = encoded(&j, &n);
    for (size_t i = 0; i < n; i++)
        used = bytes[i] ? i + 1 : used;
    for (size_t i = 0; i < used; i++) {
        bytes[i] ^= 0x40;
        CHECK(decode(bytes, n, &got) == NC_ERECOVER, "byte %zu changed, and it is taken", i);
        bytes[i] ^= 0x40;
    }
    for (size_t cut = 0; cut < used; cut++)
        CHECK(decode(bytes, cut, &got) == NC_ERECOVER, "cut off after %zu bytes, and it is taken", cut);
    free(bytes);
}

/* A reader begins with as much as it likes, and is told how much is needed. */
static void in_two_steps(void)
{
    struct pcdf_journal j = usual(), got;
    int64_t need = 0;
    size_t n;
    unsigned char *bytes = encoded(&j, &n);
    CHECK_INT(pcdf_journal_decode(bytes, 1, (int64_t)n, &need, &got), NC_ERECOVER);
    int err = pcdf_journal_decode(bytes, 104, (int64_t)n, &need, &got);
    CHECK(err == NC_NOERR && need > 104 && need <= (int64_t)n, "code %d, need %lld", err, (long long)need);
    CHECK_INT(pcdf_journal_decode(bytes, (size_t)need, (int64_t)n, &need, &got), NC_NOERR);
    CHECK_INT(need, 0);
    free(bytes);
}

static void impossible(struct pcdf_journal j, const char *what)
{
    struct pcdf_journal got;
    size_t n;
    unsigned char *bytes = encoded(&j, &n);
    CHECK(decode(bytes, n, &got) == NC_ERECOVER, "%s: taken", what);
    free(bytes);
}

#define IMPOSSIBLE(field, value)                                                                             \
    do {                                                                                                     \
        struct pcdf_journal bad_ = usual();                                                                  \
        bad_.field = (value);                                                                                \
        impossible(bad_, #field " = " #value);                                                               \
    } while (0)

static void impossible_numbers(void)
{
    IMPOSSIBLE(file_size, -1);
    IMPOSSIBLE(file_size, INT64_MAX);
    IMPOSSIBLE(file_size, 100); /* and parts of 20 KiB to move */
    IMPOSSIBLE(parts, -1);
    IMPOSSIBLE(parts, 0); /* and a chunk */
    IMPOSSIBLE(parts, (int64_t)1 << 40);
    IMPOSSIBLE(chunk, 0);
    IMPOSSIBLE(chunk, -PCDF_JOURNAL_BLOCK);
    IMPOSSIBLE(chunk, PCDF_JOURNAL_BLOCK + 1);
    IMPOSSIBLE(chunk, (int64_t)1 << 40);
    IMPOSSIBLE(room, -PCDF_JOURNAL_BLOCK);
    IMPOSSIBLE(room, PCDF_JOURNAL_BLOCK - 1);
    IMPOSSIBLE(room, 6 * PCDF_JOURNAL_BLOCK); /* more than a chunk */
    IMPOSSIBLE(step, -PCDF_JOURNAL_BLOCK);
    IMPOSSIBLE(step, PCDF_JOURNAL_BLOCK - 1);
    IMPOSSIBLE(step, 6 * PCDF_JOURNAL_BLOCK);
    IMPOSSIBLE(block, 3);
    IMPOSSIBLE(block, (int64_t)1 << 40);
    IMPOSSIBLE(step, 0); /* and room for a part of a chunk */
}

static void slots_apart(void)
{
    struct pcdf_journal j = usual();
    int64_t end = pcdf_journal_head_size(&j);
    for (int64_t heartbeat = 0; heartbeat < 3; heartbeat++)
        CHECK(pcdf_journal_heartbeat_at(&j, heartbeat) >= end, "heartbeat %lld: in the head",
              (long long)heartbeat);
    CHECK(pcdf_journal_heartbeat_at(&j, 0) != pcdf_journal_heartbeat_at(&j, 1), "heartbeats in one place");
    end = pcdf_journal_heartbeat_at(&j, 1) + PCDF_JOURNAL_HEARTBEAT;
    for (int64_t part = 0; part < j.parts; part++) {
        for (int64_t round = 0; round < 2; round++) {
            CHECK(pcdf_journal_slot(&j, part, round) >= end, "part %lld, round %lld: over what is before",
                  (long long)part, (long long)round);
            CHECK(pcdf_journal_slot(&j, part, round) + PCDF_JOURNAL_BLOCK >=
                      pcdf_journal_slot(&j, part, round) + PCDF_JOURNAL_RECORD,
                  "data over its record");
            end = pcdf_journal_slot(&j, part, round) + PCDF_JOURNAL_BLOCK + j.room;
            CHECK_INT(pcdf_journal_slot(&j, part, round + 2), pcdf_journal_slot(&j, part, round));
        }
        for (int64_t step = 2; step < 4; step++) {
            CHECK(pcdf_journal_step_slot(&j, part, step) >= end, "part %lld, step %lld: over what is before",
                  (long long)part, (long long)step);
            end = pcdf_journal_step_slot(&j, part, step) + PCDF_JOURNAL_BLOCK + j.step;
            CHECK_INT(pcdf_journal_step_slot(&j, part, step + 2), pcdf_journal_step_slot(&j, part, step));
        }
    }
    CHECK(pcdf_journal_slot(&j, j.parts, 0) >= end, "%lld bytes are too few",
          (long long)pcdf_journal_slot(&j, j.parts, 0));
}

static void records(void)
{
    struct pcdf_journal_record r = { .nonce = 9,
                                     .round = 5,
                                     .step = 7,
                                     .there = 100,
                                     .has_data = true,
                                     .data_crc = 3 },
                               got;
    unsigned char bytes[PCDF_JOURNAL_RECORD];
    pcdf_journal_record_encode(&r, bytes);
    CHECK(pcdf_journal_record_decode(bytes, 9, &got), "not taken");
    CHECK(got.round == 5 && got.step == 7 && !got.is_unsummed && got.there == 100 && got.has_data &&
              got.data_crc == 3,
          "numbers differ");
    CHECK(!pcdf_journal_record_decode(bytes, 10, &got), "one of another change is taken");
    for (size_t i = 0; i < 48; i++) {
        bytes[i] ^= 1;
        CHECK(!pcdf_journal_record_decode(bytes, 9, &got), "byte %zu changed, and it is taken", i);
        bytes[i] ^= 1;
    }
}

static void heartbeats(void)
{
    struct pcdf_journal_heartbeat b = { .nonce = 9,
                                        .number = 3,
                                        .time = 1700000000,
                                        .is_marked = true,
                                        .is_over = true },
                                  got;
    unsigned char bytes[PCDF_JOURNAL_HEARTBEAT];
    pcdf_owner_self(&b.owner);
    pcdf_journal_heartbeat_encode(&b, bytes);
    CHECK(pcdf_journal_heartbeat_decode(bytes, 9, &got), "not taken");
    CHECK(got.number == 3 && got.time == b.time && got.is_marked && got.is_over, "numbers differ");
    CHECK(memcmp(&got.owner, &b.owner, sizeof b.owner) == 0, "another owner");
    CHECK(!pcdf_journal_heartbeat_decode(bytes, 10, &got), "one of another change is taken");
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] ^= 1;
        CHECK(!pcdf_journal_heartbeat_decode(bytes, 9, &got), "byte %zu changed, and it is taken", i);
        bytes[i] ^= 1;
    }
}

/* Whatever the random bits are, a marked file tells a nonce from a number of records. */
static void marks(void)
{
    static const unsigned char usual[PCDF_MARK_FIRST] = { 'C', 'D', 'F', 0x81, 0, 0, 1, 0 };
    static const unsigned char streaming[PCDF_MARK_FIRST] = { 'C', 'D', 'F', 0x82, 255, 255, 255, 255 };
    const uint64_t randoms[] = { 0, 1, UINT32_MAX, UINT64_MAX, 0x123456789abcdef0u };
    CHECK(!pcdf_journal_mark_has_nonce(usual), "256 records are a nonce");
    CHECK(!pcdf_journal_mark_has_nonce(streaming), "STREAMING is a nonce");
    for (int version = 1; version <= 5; version += version == 2 ? 3 : 1)
        for (int i = 0; i < 5; i++) {
            unsigned char first[PCDF_MARK_FIRST] = "CDF";
            uint64_t nonce = pcdf_journal_nonce(randoms[i]);
            CHECK_INT(pcdf_journal_mark(version, nonce, first + PCDF_MARK_AT), version == 5 ? 9 : 5);
            CHECK(pcdf_journal_mark_has_nonce(first), "CDF-%d, %d: no nonce", version, i);
            CHECK(pcdf_journal_mark_is_of(first, nonce), "CDF-%d, %d: another nonce", version, i);
            CHECK(!pcdf_journal_mark_is_of(first, nonce ^ 2), "CDF-%d, %d: any nonce", version, i);
        }
}

/* ---- ranges */

static unsigned char sector[PCDF_JOURNAL_SECTOR], more[] = "more bytes", payload[2000];

static struct pcdf_journal of_ranges(const struct pcdf_journal_range *x, int64_t n)
{
    struct pcdf_journal j = { .nonce = pcdf_journal_nonce(5),
                              .inode = 77,
                              .file_size = 700,
                              .old_header = sector,
                              .old_size = sizeof sector,
                              .new_header = payload,
                              .new_size = pcdf_journal_ranges_size(x, n),
                              .has_ranges = true };
    pcdf_journal_ranges_encode(x, n, payload);
    return j;
}

static bool takes(const struct pcdf_journal_range *x, int64_t n)
{
    struct pcdf_journal j = of_ranges(x, n), got;
    size_t size;
    unsigned char *bytes = encoded(&j, &size);
    int err = decode(bytes, size, &got);
    free(bytes);
    return !err;
}

static void ranges(void)
{
    const struct pcdf_journal_range x[] = { { 0, sizeof sector, 7, sector },
                                            { 600, sizeof more, 8, more },
                                            { 600 + sizeof more, 1, 9, more } };
    struct pcdf_journal j = of_ranges(x, 3), got;
    struct pcdf_journal_range r = { 0 };
    size_t size;
    int64_t i = 0, inode;
    unsigned char *bytes = encoded(&j, &size);
    CHECK_INT(decode(bytes, size, &got), NC_NOERR);
    CHECK(got.has_ranges && got.parts == 0 && pcdf_journal_ranges(&got) == 3, "no ranges");
    while (pcdf_journal_range_next(&got, &i, &r))
        CHECK(r.offset == x[i - 1].offset && r.length == x[i - 1].length && r.old_crc == x[i - 1].old_crc &&
                  memcmp(r.bytes, x[i - 1].bytes, (size_t)r.length) == 0,
              "range %d differs", (int)i);
    CHECK_INT(i, 3);
    CHECK(pcdf_journal_peek(bytes, &inode) == j.nonce && inode == 77, "another nonce");
    free(bytes);

    const struct {
        const char *what;
        struct pcdf_journal_range x[2];
        int64_t n;
    } wrong[] = { { "no first sector", { { 0, 511, 0, sector } }, 1 },
                  { "behind the first sector", { { 1, 512, 0, sector } }, 1 },
                  { "before the one before", { { 0, 512, 0, sector }, { 511, 2, 0, more } }, 2 },
                  { "no bytes", { { 0, 512, 0, sector }, { 600, 0, 0, more } }, 2 },
                  { "before the file", { { 0, 512, 0, sector }, { -1, 2, 0, more } }, 2 },
                  { "too far", { { 0, 512, 0, sector }, { INT64_MAX - 1, 2, 0, more } }, 2 },
                  { "behind the file", { { 0, 512, 0, sector }, { 699, 2, 0, more } }, 2 },
                  { "none", { { 0 } }, 0 } };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        CHECK(!takes(wrong[k].x, wrong[k].n), "%s: taken", wrong[k].what);
    CHECK(takes(x, 1), "one range is refused");

    j = of_ranges(x, 3); /* more than there are, or fewer */
    for (int field = 0; field < 2; field++)
        for (int up = -1; up <= 1; up += 2) {
            unsigned char *at = payload + (field ? 16 : 0);
            pcdf_bytes_put(at, pcdf_bytes_get(at, 8) + (uint64_t)up, 8);
            bytes = encoded(&j, &size);
            CHECK(decode(bytes, size, &got) != NC_NOERR, "field %d, %d: taken", field, up);
            free(bytes);
            pcdf_bytes_put(at, pcdf_bytes_get(at, 8) - (uint64_t)up, 8);
        }
}

static void hdf5_marks(void)
{
    unsigned char first[PCDF_MARK_FIRST] = "\x89HDF\r\n\x1a\n\0\0\0\0\0\x8\x8", old[PCDF_MARK_FIRST];
    struct pcdf_journal j = { .nonce = pcdf_journal_nonce(99), .old_header = old, .has_ranges = true };
    memcpy(old, first, sizeof old);
    CHECK_INT(pcdf_journal_marked(first, sizeof first), PCDF_MARKED_NOT);
    pcdf_journal_mark_hdf5(j.nonce, first);
    CHECK_INT(pcdf_journal_marked(first, sizeof first), PCDF_MARKED_HDF5);
    CHECK_INT(pcdf_journal_marked(first, 7), PCDF_MARKED_NOT);
    CHECK(pcdf_journal_mark_has_nonce(first) && pcdf_journal_mark_is_of(first, j.nonce), "no nonce");
    CHECK(!pcdf_journal_mark_is_of(first, j.nonce ^ 2) && pcdf_journal_is_of(&j, first), "another one");
    memcpy(first + 12, old + 12, 4); /* the write ended there */
    CHECK(!pcdf_journal_mark_is_of(first, j.nonce) && pcdf_journal_is_of(&j, first), "torn");
    first[15]++;
    CHECK(!pcdf_journal_is_of(&j, first), "any bytes behind a torn one");
    memcpy(first + 8, old + 8, 8); /* a change without journal */
    CHECK(!pcdf_journal_mark_has_nonce(first) && !pcdf_journal_is_of(&j, first), "no nonce is one");
    j.has_ranges = false;
    pcdf_journal_mark_hdf5(j.nonce, first);
    CHECK(!pcdf_journal_is_of(&j, first), "a journal of headers");
    memcpy(first, "CDF", 3);
    (void)pcdf_journal_mark(5, j.nonce, first + PCDF_MARK_AT);
    CHECK_INT(pcdf_journal_marked(first, sizeof first), PCDF_MARKED_CLASSIC);
    CHECK(pcdf_journal_is_of(&j, first), "a classic one");
    j.has_ranges = true;
    CHECK(!pcdf_journal_is_of(&j, first), "a journal of ranges");
}

static void owners(void)
{
    struct pcdf_owner o;
    pcdf_owner_self(&o);
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_SELF);
    o.started ^= UINT64_C(1) << 62; /* its number was given to a process anew */
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_ENDED);
    o.process = getppid();
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_ENDED);
    o.process = 0; /* somebody is there (this group of processes, for kill), whom /proc does not show */
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_UNKNOWN);
    pcdf_owner_self(&o);
    o.space++;
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_HIDDEN);
    o.boot[0] ^= 1;
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_RESTARTED);
    o.host[0] ^= 1;
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_ELSEWHERE);
    o.boot[0] = '\0';
    CHECK_INT(pcdf_owner_look(&o), PCDF_OWNER_UNKNOWN);
}

int main(void)
{
    round_trip();
    stepless();
    inserting();
    damaged();
    in_two_steps();
    impossible_numbers();
    slots_apart();
    records();
    heartbeats();
    marks();
    ranges();
    hdf5_marks();
    owners();
    return check_done("journal_bytes");
}
