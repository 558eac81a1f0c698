/* codecs.h and the plug-in codecs: every codec there and back, samples of other programs, and damage. What is
 * damaged is refused, or becomes as many bytes as there are to be: never more, never a crash. Bytes lie up to
 * the end of a page, behind which nothing may be read or written: so compressors that are compiled without
 * checks are watched, too.
 * usage: codecs_test FOLDER-OF-PLUG-INS */

#include "check.h"
#include "alloc.h"
#include "codecsums.h"
#include "codec_samples.h"
#include "codecs.h"
#include "crc32c.h"
#include "status.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 70000, MUTATIONS = 20000 };

static struct pcdf_codec_scratch scratch;
static uint64_t state = 88172645463325252u;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

/* n bytes that end where a page without any rights begins. */
static unsigned char *guarded(size_t n)
{
    static unsigned char *pages[2];
    static int turn;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (2 * MOST / page + 2) * page;
    int i = turn++ % 2;
    if (!pages[i]) {
        pages[i] = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages[i] == MAP_FAILED || mprotect(pages[i] + room, page, PROT_NONE))
            abort();
    }
    return pages[i] + room - n;
}

static struct pcdf_codec codec(enum pcdf_codec_id id, int n, const uint32_t *params)
{
    struct pcdf_codec c = { .id = id, .nparams = n };
    for (int i = 0; i < n; i++)
        c.params[i] = params[i];
    return c;
}

static struct pcdf_codec with(enum pcdf_codec_id id, uint32_t param)
{
    return codec(id, 1, &param);
}

/* ---- the chains */

struct sample {
    const char *name;
    struct pcdf_chain chain;
    unsigned char *stored;
    size_t nstored, n;
};
static struct sample samples[400];
static int nsamples;

static void fill(int kind, unsigned char *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = kind == 0 ? 0 : kind == 1 ? (unsigned char)draw(256) : (unsigned char)(i / 4 >> (i % 4 * 8));
}

/* Encodes, decodes, compares, and keeps it for what follows. */
static void there_and_back(const char *name, const struct pcdf_chain *chain, const unsigned char *in,
                           size_t n)
{
    unsigned char *stored = NULL, *out = guarded(n);
    size_t nstored = 0;
    CHECK_INT(pcdf_chain_encode(chain, in, n, &stored, &nstored, &scratch), NC_NOERR);
    if (!stored) {
        CHECK(false, "%s: %s", name, pcdf_fail_text());
        return;
    }
    size_t known;
    if (pcdf_chain_size(chain, n, &known)) {
        unsigned char *to = pcdf_malloc(known);
        int err = to ? pcdf_chain_encode_to(chain, in, n, to, &scratch) : NC_ENOMEM;
        CHECK(!err && known == nstored && memcmp(to, stored, known) == 0, "%s: %zu other bytes", name, known);
        pcdf_free(to);
    }
    unsigned char *from = guarded(nstored);
    memcpy(from, stored, nstored);
    memset(out, 0xee, n);
    int err = pcdf_chain_decode(chain, 0, from, nstored, out, n, &scratch);
    CHECK(err == NC_NOERR, "%s, %zu bytes: %d %s", name, n, err, pcdf_fail_text());
    CHECK(memcmp(in, out, n) == 0, "%s: %zu bytes are not as before", name, n);
    if (n <= 2000 && nsamples < 380)
        samples[nsamples++] = (struct sample){ name, *chain, stored, nstored, n };
    else
        pcdf_free(stored);
}

static void all_there_and_back(void)
{
    static const size_t sizes[] = { 1, 3, 4, 17, 800, MOST };
    static unsigned char in[MOST];
    const struct {
        const char *name;
        struct pcdf_chain chain;
    } rows[] = {
        { "nothing", { 0 } },
        { "zlib", { 1, { with(PCDF_CODEC_ZLIB, 4) } } },
        { "zlib 0", { 1, { with(PCDF_CODEC_ZLIB, 0) } } },
        { "gzip", { 1, { with(PCDF_CODEC_GZIP, 6) } } },
        { "zstd", { 1, { with(PCDF_CODEC_ZSTD, 3) } } },
        { "lz4", { 1, { with(PCDF_CODEC_LZ4, 1) } } },
        { "bzip2", { 1, { with(PCDF_CODEC_BZIP2, 9) } } },
        { "shuffle 2", { 1, { with(PCDF_CODEC_SHUFFLE, 2) } } },
        { "shuffle 3", { 1, { with(PCDF_CODEC_SHUFFLE, 3) } } },
        { "shuffle 8", { 1, { with(PCDF_CODEC_SHUFFLE, 8) } } },
        { "shuffle fletcher32", { 2, { with(PCDF_CODEC_SHUFFLE, 4), with(PCDF_CODEC_FLETCHER32, 0) } } },
        { "fletcher32", { 1, { with(PCDF_CODEC_FLETCHER32, 0) } } },
        { "crc32c", { 1, { with(PCDF_CODEC_CRC32C, 0) } } },
        { "adler32", { 1, { with(PCDF_CODEC_ADLER32, 0) } } },
        { "crc32", { 1, { with(PCDF_CODEC_CRC32, 0) } } },
        { "shuffle zlib fletcher32",
          { 3, { with(PCDF_CODEC_SHUFFLE, 4), with(PCDF_CODEC_ZLIB, 1), with(PCDF_CODEC_FLETCHER32, 0) } } },
        { "fletcher32 shuffle zstd crc32c",
          { 4,
            { with(PCDF_CODEC_FLETCHER32, 0), with(PCDF_CODEC_SHUFFLE, 4), with(PCDF_CODEC_ZSTD, 1),
              with(PCDF_CODEC_CRC32C, 0) } } },
        { "adler32 lz4", { 2, { with(PCDF_CODEC_ADLER32, 0), with(PCDF_CODEC_LZ4, 1) } } },
        { "shuffle 1 gzip crc32",
          { 3, { with(PCDF_CODEC_SHUFFLE, 1), with(PCDF_CODEC_GZIP, 1), with(PCDF_CODEC_CRC32, 0) } } },
        { "lz4 zstd", { 2, { with(PCDF_CODEC_LZ4, 1), with(PCDF_CODEC_ZSTD, 1) } } },
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int kind = 0; kind < 3; kind++) {
                fill(kind, in, sizes[i]);
                there_and_back(rows[r].name, &rows[r].chain, in, sizes[i]);
            }
}

/* Level 1 of deflate has an encoder of its own, which gets byte planes one by one where they are long. What
 * it makes is decoded by another library. */
static void level_one(void)
{
    enum { LONGEST = 400000, ROUNDS = 300 };
    unsigned char *in = pcdf_malloc(LONGEST), *out = pcdf_malloc(LONGEST);
    if (!in || !out)
        abort();
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = 1 + draw(round % 3 ? LONGEST : 100), size = 1 + draw(8), width = 1 + draw(255);
        struct pcdf_chain chain = {
            2, { with(PCDF_CODEC_SHUFFLE, size), with(draw(4) ? PCDF_CODEC_ZLIB : PCDF_CODEC_GZIP, 1) }
        };
        unsigned char *stored = NULL;
        size_t nstored = 0;
        for (uint32_t i = 0; i < n; i++)
            in[i] = (unsigned char)(i % size == 0          ? draw(256)
                                    : i > width && draw(9) ? in[i - width]
                                                           : draw(width));
        CHECK_INT(pcdf_chain_encode(&chain, in, n, &stored, &nstored, &scratch), NC_NOERR);
        memset(out, 0xee, n);
        int err = stored ? pcdf_chain_decode(&chain, 0, stored, nstored, out, n, &scratch) : NC_ENOMEM;
        CHECK(!err && memcmp(in, out, n) == 0, "%u bytes, %u planes: %d %s", n, size, err, pcdf_fail_text());
        CHECK(nstored < n + n / 100 + 64, "%u bytes became %zu", n, nstored);
        pcdf_free(stored);
    }
    pcdf_free(in);
    pcdf_free(out);
}

/* ---- what others wrote */

static void keep(const char *name, struct pcdf_codec c, const unsigned char *stored, size_t n)
{
    struct pcdf_chain chain = { 1, { c } };
    unsigned char *copy = pcdf_malloc(n), *out = guarded(480), *from = guarded(n);
    if (!copy)
        abort();
    memcpy(copy, stored, n);
    memcpy(from, stored, n);
    memset(out, 0xee, 480);
    int err = pcdf_chain_decode(&chain, 0, from, n, out, 480, &scratch), wrong = 0;
    for (int i = 0; i < 120; i++) {
        int value = 3 * i + i % 7;
        wrong +=
            out[4 * i] != (value & 255) || out[4 * i + 1] != value >> 8 || out[4 * i + 2] || out[4 * i + 3];
    }
    CHECK(err == NC_NOERR && wrong == 0, "%s: %d, %d values are wrong: %s", name, err, wrong,
          pcdf_fail_text());
    samples[nsamples++] = (struct sample){ name, chain, copy, n, 480 };
}

static void all_of_others(void)
{
    static const uint32_t nn[] = { 169, 8, 32, 120 }, ec[] = { 141, 8, 32, 120 };
    const struct pcdf_codec blosc = codec(PCDF_CODEC_BLOSC, 0, NULL);
    keep("blosc lz4", blosc, blosc_lz4_1, sizeof blosc_lz4_1);
    keep("blosc zlib", blosc, blosc_zlib_2, sizeof blosc_zlib_2);
    keep("blosc zstd", blosc, blosc_zstd_1, sizeof blosc_zstd_1);
    keep("blosc blosclz", blosc, blosc_blosclz_1, sizeof blosc_blosclz_1);
    keep("blosc lz4hc", blosc, blosc_lz4hc_2, sizeof blosc_lz4hc_2);
    keep("szip nn", codec(PCDF_CODEC_SZIP, 4, nn), szip_nn, sizeof szip_nn);
    keep("szip ec", codec(PCDF_CODEC_SZIP, 4, ec), szip_ec, sizeof szip_ec);
}

/* szip: the bytes and parameters that libhdf5 has, and what does not become shorter is left out. */
static void szip_as_hdf5(void)
{
    static const int64_t shape[] = { 1, 120 }, flat[] = { 60, 2 }, wide[] = { 2, 5000 };
    static const struct {
        uint32_t options, pixels;
        int size, ndims;
        const int64_t *chunk;
        uint32_t params[4]; /* none: an error */
    } rows[] = { { 32, 8, 4, 2, shape, { 169, 8, 32, 120 } },
                 { 4, 8, 4, 2, shape, { 141, 8, 32, 120 } },
                 { 32, 4, 2, 2, flat, { 169, 4, 16, 120 } }, /* the row is shorter than a block */
                 { 32, 16, 8, 2, wide, { 169, 16, 64, 2048 } },
                 { 32, 32, 8, 1, wide, { 0 } },
                 { 32, 7, 8, 2, wide, { 0 } },
                 { 32, 34, 8, 2, wide, { 0 } } };
    unsigned char values[480], random[480], back[480];
    const unsigned char *made;
    struct pcdf_chain chain = { .n = 1 };
    uint32_t mask;
    size_t n;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int err = pcdf_codec_szip(&chain.x[0], rows[i].options, rows[i].pixels, rows[i].size, false,
                                  rows[i].ndims, rows[i].chunk);
        CHECK_INT(err, rows[i].params[0] ? NC_NOERR : NC_EINVAL);
        for (int k = 0; k < 4 && !err; k++)
            CHECK_INT(chain.x[0].params[k], rows[i].params[k]);
    }
    for (int i = 0; i < 120; i++) {
        int value = 3 * i + i % 7;
        memcpy(values + 4 * i, &value, 4);
    }
    for (int is_ec = 0; is_ec < 2; is_ec++) {
        const unsigned char *theirs = is_ec ? szip_ec : szip_nn;
        CHECK_INT(pcdf_codec_szip(&chain.x[0], is_ec ? 4 : 32, 8, 4, false, 2, shape), NC_NOERR);
        CHECK_INT(pcdf_chain_encode_here(&chain, values, 480, &made, &n, &mask, &scratch), NC_NOERR);
        CHECK(n == (is_ec ? sizeof szip_ec : sizeof szip_nn) && memcmp(made, theirs, n) == 0,
              "%d: %zu other bytes", is_ec, n);
        CHECK_INT(mask, 0);
    }
    fill(1, random, 480);
    CHECK_INT(pcdf_chain_encode_here(&chain, random, 480, &made, &n, &mask, &scratch), NC_NOERR);
    CHECK_INT(mask, 1);
    CHECK_INT(n, 480);
    CHECK_INT(pcdf_chain_decode(&chain, mask, made, n, back, 480, &scratch), NC_NOERR);
    CHECK(memcmp(back, random, 480) == 0, "what was left out is not as before");
    CHECK_INT(pcdf_chain_encode_here(&chain, random, 480, &made, &n, NULL, &scratch), NC_EINVAL);
}

/* HDF5's frame of LZ4, with blocks of 200 bytes, the second one as it is. */
static void lz4_of_hdf5(void)
{
    unsigned char values[480], stored[800] = { [6] = 480 >> 8, [7] = 480 & 255, [11] = 200 };
    struct pcdf_chain lz4 = { 1, { with(PCDF_CODEC_LZ4, 1) } };
    size_t at = 12;
    for (int i = 0; i < 480; i++)
        values[i] = i % 4 == 0   ? (unsigned char)(3 * (i / 4) + i / 4 % 7)
                    : i % 4 == 1 ? (unsigned char)((3 * (i / 4) + i / 4 % 7) >> 8)
                                 : 0;
    for (size_t from = 0; from < 480; from += 200) {
        unsigned char *block = NULL;
        size_t n = 480 - from < 200 ? 480 - from : 200, nblock = 0;
        CHECK_INT(pcdf_chain_encode(&lz4, values + from, n, &block, &nblock, &scratch), NC_NOERR);
        if (!block)
            return;
        size_t length = from == 200 ? n : nblock - 4;
        stored[at + 3] = (unsigned char)length;
        memcpy(stored + at + 4, from == 200 ? values + from : block + 4, length);
        at += 4 + length;
        pcdf_free(block);
    }
    keep("lz4 of HDF5", codec(PCDF_CODEC_LZ4_HDF5, 0, NULL), stored, at);
}

/* Members one behind the other, and zeros at the end. */
static void gzip_members(void)
{
    static const unsigned char text[] = "first and second";
    struct pcdf_chain gzip = { 1, { with(PCDF_CODEC_GZIP, 6) } };
    unsigned char *a = NULL, *b = NULL, *out = guarded(16), all[200] = { 0 };
    size_t na = 0, nb = 0;
    CHECK_INT(pcdf_chain_encode(&gzip, text, 5, &a, &na, &scratch), NC_NOERR);
    CHECK_INT(pcdf_chain_encode(&gzip, text + 5, 11, &b, &nb, &scratch), NC_NOERR);
    if (!a || !b || na + nb > 150)
        return;
    memcpy(all, a, na);
    memcpy(all + na, b, nb);
    CHECK_INT(pcdf_chain_decode(&gzip, 0, all, na + nb + 7, out, 16, &scratch), NC_NOERR);
    CHECK(memcmp(out, text, 16) == 0, "two members became %.16s", (const char *)out);
    all[na + nb] = 'x';
    CHECK_INT(pcdf_chain_decode(&gzip, 0, all, na + nb + 1, out, 16, &scratch), NC_EREAD);
    pcdf_free(a);
    pcdf_free(b);
}

static void published_sums(void)
{
    const unsigned char *nine = (const unsigned char *)"123456789",
                        *letters = (const unsigned char *)"abcdef";
    CHECK_INT(pcdf_crc32(pcdf_crc32(0, nine, 4), nine + 4, 5), 0xcbf43926);
    CHECK_INT(pcdf_adler32(nine, 9), 0x091e01de);
    CHECK_INT(pcdf_fletcher32(letters, 6), 0x50562a2d); /* 0x56502d2a, of little-endian words */
}

/* ---- damage */

static long refused, taken;

static void decode_damaged(const struct sample *s, const unsigned char *stored, size_t n, const char *how)
{
    unsigned char *from = guarded(n), *out = guarded(s->n);
    memcpy(from, stored, n);
    int err = pcdf_chain_decode(&s->chain, 0, from, n, out, s->n, &scratch);
    CHECK(err == NC_NOERR || err == NC_EREAD, "%s, %s: %d %s", s->name, how, err, pcdf_fail_text());
    refused += err != NC_NOERR;
    taken += err == NC_NOERR;
}

/* What is cut is never taken: every codec knows its end, or the number of bytes is wrong. */
static void every_truncation(void)
{
    for (int i = 0; i < nsamples; i++)
        for (size_t n = 0; n < samples[i].nstored; n++) {
            long before = taken;
            decode_damaged(&samples[i], samples[i].stored, n, "cut");
            bool may = samples[i].chain.x[0].id == PCDF_CODEC_SZIP; /* may end with bits of padding */
            CHECK(taken == before || (may && n + 8 >= samples[i].nstored), "%s: %zu of %zu bytes are taken",
                  samples[i].name, n, samples[i].nstored);
        }
}

static void every_mutation(void)
{
    static unsigned char copy[4 * MOST];
    for (int k = 0; k < MUTATIONS; k++) {
        const struct sample *s = &samples[draw((uint32_t)nsamples)];
        size_t n = s->nstored;
        memcpy(copy, s->stored, n);
        for (uint32_t times = 1 + draw(4); times > 0; times--) {
            uint32_t at = draw((uint32_t)n);
            copy[at] =
                draw(3) ? (unsigned char)draw(256) : (unsigned char)(draw(2) ? 255 : copy[at] ^ 1 << draw(8));
        }
        if (draw(8) == 0)
            n = draw((uint32_t)n + 1);
        decode_damaged(s, copy, n, "changed");
    }
    CHECK(refused > MUTATIONS / 4, "only %ld were refused", refused);
}

/* A chunk that is shorter or longer than it is to be, in each chain. */
static void wrong_sizes(void)
{
    for (int i = 0; i < nsamples; i++) {
        struct sample s = samples[i];
        for (int more = -1; more <= 1; more += 2) {
            s.n = (size_t)((int64_t)samples[i].n + more);
            unsigned char *out = guarded(s.n);
            int err = pcdf_chain_decode(&s.chain, 0, s.stored, s.nstored, out, s.n, &scratch);
            CHECK(err == NC_EREAD, "%s: %zu bytes as %zu: %d", s.name, samples[i].n, s.n, err);
        }
    }
}

static void sentences(void)
{
    struct pcdf_chain chain = { 1, { with(PCDF_CODEC_UNKNOWN, 0) } };
    unsigned char byte = 0;
    strcpy(chain.x[0].name, "zfpy");
    CHECK_INT(pcdf_chain_check(&chain), NC_ENOTBUILT);
    CHECK(strstr(pcdf_fail_text(), "zfpy"), "%s", pcdf_fail_text());
    CHECK_INT(pcdf_chain_decode(&chain, 0, &byte, 1, &byte, 1, &scratch), NC_ENOTBUILT);
    CHECK_INT(pcdf_chain_decode(&chain, 1, &byte, 1, &byte, 1, &scratch), NC_NOERR);
    CHECK(pcdf_chain_compresses(&chain), "an unknown codec costs time");
    chain.x[0] = with(PCDF_CODEC_SHUFFLE, 4);
    CHECK(!pcdf_chain_compresses(&chain), "shuffle does not compress");
}

int main(int argc, char **argv)
{
    struct pcdf_chain zlib = { 1, { with(PCDF_CODEC_ZLIB, 1) } };
    if (argc > 1)
        setenv("PARCDF_PLUGINS", argv[1], 1);
    CHECK(pcdf_chain_check(&zlib) == NC_NOERR, "%s", pcdf_fail_text());
    if (check_bad > 0)
        return check_done("codecs_test");
    published_sums();
    all_there_and_back();
    level_one();
    all_of_others();
    szip_as_hdf5();
    lz4_of_hdf5();
    gzip_members();
    sentences();
    wrong_sizes();
    every_truncation();
    every_mutation();
    for (int i = 0; i < nsamples; i++)
        pcdf_free(samples[i].stored);
    pcdf_free(scratch.a);
    pcdf_free(scratch.b);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("codecs_test");
}
