/* Fixes data sieving (sieve.h) on a storage in memory that notes each call: which calls the rule makes of
 * which runs, at its borders; and for random runs on random files in every mode, that exactly the bytes asked
 * for change, that no call covers a byte before its first run or behind its last one, that a put changes
 * nothing in the user's memory; also where a read fails, the size is not told, or memory is short. */

#include <stdlib.h>
#include "check.h"
#include "alloc.h"
#include "sieve.h"
#include "status.h"

enum { FILE_SIZE = 1100000, USER = 1 << 17, MOST = 4096, CALL = 100 };

/* ---- a storage that notes its calls */

static char held[FILE_SIZE], model[FILE_SIZE];
static int64_t held_size;
static int looks; /* at the size */
static char calls[8192];
static int64_t writes, reads;
static struct pcdf_span run_span; /* of the runs that are moved */
static bool read_fails, size_fails, is_torn;

static int note_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    const struct pcdf_piece *p = x->pieces;
    size_t used = strlen(calls);
    (void)s, (void)got;
    CHECK_INT(x->n, 1);
    CHECK(p->offset >= run_span.begin && p->offset + p->length <= run_span.end, "%c at %" PRId64 ", %" PRId64,
          x->dir == PCDF_PUT ? 'w' : 'r', p->offset, p->length);
    snprintf(calls + used, sizeof calls - used, "%s%c%" PRId64 "+%" PRId64, used ? " " : "",
             x->dir == PCDF_PUT ? 'w' : 'r', p->offset, p->length);
    *(x->dir == PCDF_PUT ? &writes : &reads) += 1;
    if (x->dir == PCDF_PUT) {
        memcpy(held + p->offset, p->data, (size_t)(is_torn ? p->length / 2 : p->length));
        if (p->offset + p->length > held_size)
            held_size = p->offset + p->length;
        return is_torn ? PCDF_FAIL(NC_ENO_SPACE, "full") : NC_NOERR;
    }
    if (read_fails)
        return PCDF_FAIL(NC_EREAD, "no");
    memcpy(p->data, held + p->offset, (size_t)p->length); /* behind the end the array is 0 */
    return NC_NOERR;
}

static int note_size(struct pcdf_storage *s, int64_t *bytes)
{
    (void)s;
    *bytes = held_size;
    looks++;
    return size_fails ? PCDF_FAIL(NC_EFILE, "no") : NC_NOERR;
}

static const struct pcdf_storage_ops note_ops = { .name = "note", .move = note_move, .size = note_size };
static struct pcdf_counts counts;
static struct pcdf_storage storage = { .ops = &note_ops, .counts = &counts };

static void make_file(int64_t size)
{
    held_size = size;
    storage.reach = 0;
    memset(held, 0, sizeof held);
    for (int64_t i = 0; i < size; i++)
        held[i] = (char)(1 + i % 101);
    memcpy(model, held, sizeof model);
    calls[0] = '\0';
    writes = reads = 0;
}

/* ---- runs, as a list or as a window */

enum { AT = 1000 }; /* of the window in the file */

static struct pcdf_piece pieces[MOST];
static int npieces;
static char window[FILE_SIZE], user[USER];
static uint64_t bits[FILE_SIZE / 64 + 4];

/* "offset+length ...": pieces of the user's memory. Of a put their bytes are new. */
static void set_runs(const char *text, enum pcdf_dir dir)
{
    int64_t offset, length, at = 0;
    int used;
    for (npieces = 0; sscanf(text, " %" SCNd64 "+%" SCNd64 "%n", &offset, &length, &used) == 2;
         text += used) {
        pieces[npieces++] = (struct pcdf_piece){ offset, length, user + at };
        at += length;
    }
    for (int64_t i = 0; i < at; i++)
        user[i] = (char)(128 + (dir == PCDF_PUT ? i * 7 : 0) % 127);
}

static int move(struct pcdf_sieve *v, enum pcdf_dir dir, bool in_window)
{
    const struct pcdf_piece *last = &pieces[npieces - 1];
    run_span = (struct pcdf_span){ pieces[0].offset, last->offset + last->length };
    if (!in_window)
        return pcdf_sieve_pieces(v, dir, pieces, (size_t)npieces);

    struct pcdf_bytemap map = { .bits = bits, .end = (uint32_t)(run_span.end - AT) };
    memset(bits, 0, sizeof bits);
    for (int i = 0; i < npieces; i++) {
        struct pcdf_short_piece run = { (uint32_t)(pieces[i].offset - AT), (uint32_t)pieces[i].length };
        pcdf_bytemap_add(&map, &run, 1);
        if (dir == PCDF_PUT)
            memcpy(window + run.offset, pieces[i].data, run.length);
    }
    int err = pcdf_sieve_window(v, dir, &map, window, AT);
    for (int i = 0; i < npieces && dir == PCDF_GET; i++)
        memcpy(pieces[i].data, window + pieces[i].offset - AT, (size_t)pieces[i].length);
    return err;
}

/* Runs of a get that came wrong; or, the file is not as it should be. */
static int64_t wrong_runs(enum pcdf_dir dir)
{
    int64_t wrong = 0;
    for (int i = 0; i < npieces; i++)
        if (dir == PCDF_PUT)
            memcpy(model + pieces[i].offset, pieces[i].data, (size_t)pieces[i].length);
        else
            wrong += memcmp(pieces[i].data, held + pieces[i].offset, (size_t)pieces[i].length) != 0;
    return wrong + (memcmp(held, model, sizeof held) != 0);
}

/* ---- the rule */

static const struct {
    const char *what;
    enum pcdf_dir dir;
    bool in_window;
    struct pcdf_sieve_rule rule;
    int64_t size;
    const char *runs, *calls;
} rows[] = {
#define AUTO                                                                                                 \
    {                                                                                                        \
        .call = CALL, .puts = true                                                                           \
    }
#define ON                                                                                                   \
    {                                                                                                        \
        .call = CALL, .puts = true, .always = true                                                           \
    }
#define NEVER                                                                                                \
    {                                                                                                        \
        .call = CALL                                                                                         \
    }
    { "one run", PCDF_PUT, true, ON, 5000, "1000+50", "w1000+50" },
    { "behind the end no read", PCDF_PUT, true, AUTO, 0, "1000+10 1020+10 1040+10", "w1000+50" },
    { "behind the end a gap as long as a call costs", PCDF_PUT, true, AUTO, 1010, "1000+10 1110+10",
      "w1000+120" },
    { "behind the end a longer gap", PCDF_PUT, true, AUTO, 1010, "1000+10 1111+10", "w1000+10 w1111+10" },
    { "two runs do not pay for a read", PCDF_PUT, true, AUTO, 5000, "1000+10 1020+10", "w1000+10 w1020+10" },
    { "three do", PCDF_PUT, true, AUTO, 5000, "1000+10 1020+10 1040+10", "r1010+30 w1000+50" },
    { "only the gaps are read", PCDF_PUT, true, AUTO, 5000, "1000+2000 3001+10 3012+2000",
      "r3000+12 w1000+4012" },
    { "a gap costs twice", PCDF_PUT, true, AUTO, 5000, "1000+1 1051+1 1053+1 1055+1 1057+1",
      "r1001+56 w1000+58" },
    { "a gap that costs too much", PCDF_PUT, true, AUTO, 5000, "1000+1 1052+1 1054+1 1056+1",
      "w1000+1 r1053+3 w1052+5" },
    { "a run in between is read as well", PCDF_PUT, true, AUTO, 5000, "1000+1 1002+98 1101+1 1103+1 1105+1",
      "r1001+104 w1000+106" },
    { "a longer one is bridged", PCDF_PUT, true, AUTO, 5000, "1000+1 1002+99 1102+1 1104+1 1106+1",
      "r1001+105 w1000+107" },
    { "one that costs more than another read is not", PCDF_PUT, true, AUTO, 5000,
      "1000+1 1002+1 1004+1 1006+300 1307+1 1309+1 1311+1", "r1001+5 w1000+306 r1308+3 w1307+5" },
    { "none, where nothing follows", PCDF_PUT, true, AUTO, 5000, "1000+1 1002+1 1004+1 1006+99 1107+1",
      "r1001+5 w1000+105 w1107+1" },
    { "the end of the file in a gap", PCDF_PUT, true, AUTO, 1030, "1000+10 1020+8 1040+10 1060+10",
      "r1010+30 w1000+70" },
    { "the end of the file before a gap", PCDF_PUT, true, AUTO, 1028, "1000+10 1011+8 1020+8 1040+10 1151+9",
      "r1010+10 w1000+50 w1151+9" },
    { "a list is copied", PCDF_PUT, false, AUTO, 0, "1000+10 1020+10", "w1000+30" },
    { "what costs as much as a call", PCDF_PUT, false, AUTO, 0, "1000+800 1801+784", "w1000+1585" },
    { "and what more", PCDF_PUT, false, AUTO, 0, "1000+800 1801+800", "w1000+800 w1801+800" },
    { "always", PCDF_PUT, true, ON, 5000, "1000+1 1500+1", "r1001+499 w1000+501" },
    { "always, a list", PCDF_PUT, false, ON, 5000, "1000+1 1500+1", "r1001+499 w1000+501" },
    { "always, but not more than there is room", PCDF_PUT, true, ON, 0, "1000+1 1500+1 1049700+1 1050000+1",
      "w1000+501 w1049700+301" },
    { "never", PCDF_PUT, true, NEVER, 0, "1000+1 1002+1 1004+1", "w1000+1 w1002+1 w1004+1" },
    { "a storage without cost",
      PCDF_PUT,
      true,
      { .call = 0, .puts = true },
      0,
      "1000+1 1002+1",
      "w1000+1 w1002+1" },
    { "a get", PCDF_GET, true, AUTO, 5000, "1000+1 1101+1 1203+1", "r1000+102 r1203+1" },
    { "a get, whatever is said of puts", PCDF_GET, true, NEVER, 5000, "1000+1 1101+1", "r1000+102" },
    { "a get of a list", PCDF_GET, false, AUTO, 5000, "1000+16 1117+1 1218+16", "r1000+16 r1117+1 r1218+16" },
    { "a get stays in a block",
      PCDF_GET,
      true,
      { .call = CALL, .puts = true, .within = 1100 },
      5000,
      "1000+16 1080+16 1104+16 1130+16",
      "r1000+96 r1104+42" },
    { "a get of a list, near", PCDF_GET, false, AUTO, 5000, "1000+16 1110+16 1226+16", "r1000+126 r1226+16" },
};

static void rule(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_file(rows[i].size);
        set_runs(rows[i].runs, rows[i].dir);
        struct pcdf_sieve v = pcdf_sieve_begin(&storage, &rows[i].rule);
        CHECK_INT(move(&v, rows[i].dir, rows[i].in_window), NC_NOERR);
        pcdf_sieve_end(&v);
        CHECK(strcmp(calls, rows[i].calls) == 0, "%s: %s, not %s", rows[i].what, calls, rows[i].calls);
        CHECK(wrong_runs(rows[i].dir) == 0, "%s: the bytes are wrong", rows[i].what);
    }
}

/* Where the file ends is asked for once a call, for gaps behind all that this rank put, and for no others. */
static void looks_at_size(void)
{
    static const struct row {
        const char *runs;
        int looks;
    } steps[] = { { "1000+1 1002+1 1004+1", 1 }, { "1000+1 1003+1", 0 }, { "1002+1 1004+1 1100+1", 1 } };
    make_file(0);
    looks = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct pcdf_sieve v = pcdf_sieve_begin(
            &storage, &(struct pcdf_sieve_rule){ .call = CALL, .puts = true, .always = true });
        set_runs(steps[i].runs, PCDF_PUT);
        CHECK_INT(move(&v, PCDF_PUT, true), NC_NOERR);
        pcdf_sieve_end(&v);
        CHECK(looks == steps[i].looks, "%s: %d looks at the size, not %d", steps[i].runs, looks,
              steps[i].looks);
        CHECK(wrong_runs(PCDF_PUT) == 0, "%s: the bytes are wrong", steps[i].runs);
        looks = 0;
    }
}

/* ---- random runs */

static unsigned seed;

static int draw(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 8) % n;
}

static void draw_runs(char *text, size_t room)
{
    int64_t offset = AT + draw(100), wide = 1 << draw(9), far = 1 << draw(11);
    size_t used = 0;
    for (int n = 1 + draw(30); n > 0; n--) {
        int64_t length = 1 + draw((int)wide);
        used += (size_t)snprintf(text + used, room - used, "%" PRId64 "+%" PRId64 " ", offset, length);
        offset += length + 1 + draw((int)far);
    }
}

/* Several puts by one sieve, as the rounds of a call make them: a later one may lie in the gaps of an earlier
 * one. What fails may fail. */
static void random_puts(void)
{
    static char before[USER];
    const struct pcdf_sieve_rule rule = { .call = CALL << draw(4), .puts = draw(4) > 0, .always = draw(2) };
    enum { ALL_WELL, NO_READ, NO_SIZE, NO_MEMORY, KINDS };
    int kind = draw(KINDS);
    make_file(AT + draw(3000));
    struct pcdf_sieve v = pcdf_sieve_begin(&storage, &rule);
    read_fails = kind == NO_READ;
    size_fails = kind == NO_SIZE;
    for (int round = 0; round < 3; round++) {
        char text[2048];
        draw_runs(text, sizeof text);
        set_runs(text, PCDF_PUT);
        memcpy(before, user, sizeof before);
        if (kind == NO_MEMORY)
            pcdf_alloc_fail_at(1, 1);
        CHECK_INT(move(&v, PCDF_PUT, draw(2)), NC_NOERR);
        pcdf_alloc_fail_at(0, 0);
        CHECK(memcmp(before, user, sizeof before) == 0, "seed %u: a put changed its data", seed);
        CHECK(wrong_runs(PCDF_PUT) == 0, "seed %u, kind %d: wrong bytes after %s", seed, kind, calls);
        CHECK(rule.puts || writes >= npieces, "seed %u: sieved although it may not", seed);
        calls[0] = '\0';
    }
    pcdf_sieve_end(&v);
    read_fails = size_fails = false;
}

/* A write that fails half-way: its code, nothing after it, and in the gaps what was there. */
static void torn_put(void)
{
    const struct pcdf_sieve_rule rule = { .call = CALL, .puts = true, .always = true };
    char text[2048];
    make_file(AT + draw(3000));
    draw_runs(text, sizeof text);
    set_runs(text, PCDF_PUT);
    struct pcdf_sieve v = pcdf_sieve_begin(&storage, &rule);
    is_torn = true;
    CHECK_INT(move(&v, PCDF_PUT, draw(2)), NC_ENO_SPACE);
    is_torn = false;
    pcdf_sieve_end(&v);
    CHECK_INT(writes, 1);
    for (int i = 0; i + 1 < npieces; i++)
        for (int64_t at = pieces[i].offset + pieces[i].length; at < pieces[i + 1].offset; at++)
            CHECK(held[at] == model[at], "seed %u: byte %" PRId64, seed, at);
}

static void random_get(void)
{
    const struct pcdf_sieve_rule rule = { .call = CALL, .puts = true, .always = draw(2) };
    char text[2048];
    make_file(AT + draw(3000));
    draw_runs(text, sizeof text);
    set_runs(text, PCDF_GET);
    struct pcdf_sieve v = pcdf_sieve_begin(&storage, &rule);
    read_fails = draw(4) == 0;
    CHECK_INT(move(&v, PCDF_GET, draw(2)), read_fails ? NC_EREAD : NC_NOERR);
    CHECK(read_fails || wrong_runs(PCDF_GET) == 0, "seed %u: wrong bytes after %s", seed, calls);
    CHECK_INT(writes, 0);
    read_fails = false;
    pcdf_sieve_end(&v);
}

int main(void)
{
    rule();
    looks_at_size();
    for (int i = 0; i < 150; i++) {
        seed = (unsigned)i;
        random_puts();
        torn_put();
        random_get();
    }
    return check_done("sieve_rule");
}
