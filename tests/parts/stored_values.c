/* How variables of a netCDF-4 file are stored (storedvars.h) and what the hints say of it (storedoptions.h):
 * shapes by default, texts that are good and bad, what calls may say, the order of codecs; bytes between
 * ranks, whole and damaged; every failing allocation. */
#include "check.h"
#include "draw.h"
#include "alloc.h"
#include "hints.h"
#include "status.h"
#include "storedvars.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_DIMS = 5, ROUNDS = 20000 };

/* A variable of dimensions with these lengths, 0: the record dimension; after the ones that are there. */
static int add_var(struct pcdf_meta *meta, nc_type type, int ndims, const int64_t *lengths)
{
    char name[32];
    int dimids[MOST_DIMS], id;
    for (int i = 0; i < ndims; i++) {
        snprintf(name, sizeof name, "d%d", meta->ndims);
        if (lengths[i] == 0 && meta->record_dim >= 0)
            dimids[i] = meta->record_dim;
        else
            pcdf_meta_add_dim(meta, lengths[i] == 0 ? "time" : name, lengths[i], &dimids[i]);
    }
    snprintf(name, sizeof name, "v%d", meta->nvars);
    pcdf_meta_add_var(meta, name, type, ndims, dimids, &id);
    return id;
}

static int64_t bytes_of(const struct pcdf_meta *meta, int varid, const int64_t *chunk)
{
    int64_t bytes = pcdf_type_size(meta->vars[varid].type);
    for (int i = 0; i < meta->vars[varid].ndims; i++)
        bytes *= chunk[i];
    return bytes;
}

/* ---- shapes */

static void test_default_shapes(void)
{
    static const struct {
        nc_type type;
        int ndims;
        int64_t length[MOST_DIMS], bytes, want[MOST_DIMS];
    } rows[] = {
        { NC_DOUBLE, 3, { 0, 180, 360 }, 4 << 20, { 1, 180, 360 } },
        { NC_DOUBLE, 1, { 0 }, 4 << 20, { 512 } },
        { NC_INT, 2, { 0, 100 }, 4 << 20, { 10, 100 } },
        { NC_FLOAT, 4, { 0, 72, 721, 1440 }, 4 << 20, { 1, 1, 721, 1440 } },
        { NC_FLOAT, 3, { 90, 1000, 1000 }, 16 << 20, { 4, 1000, 1000 } }, /* 23 parts */
        { NC_BYTE, 1, { 10000000 }, 4 << 20, { 3333334 } },
        { NC_BYTE, 2, { 1, 1 }, 1, { 1, 1 } },
        { NC_DOUBLE, 2, { 3, 5 }, 1, { 1, 1 } },
        { NC_CHAR, 2, { INT64_MAX / 8, 2 }, 4 << 20, { 2097152, 2 } },
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct pcdf_meta meta;
        int64_t chunk[MOST_DIMS] = { 0 };
        pcdf_meta_init(&meta, PCDF_CDF5);
        int id = add_var(&meta, rows[r].type, rows[r].ndims, rows[r].length);
        pcdf_stored_default_shape(&meta, id, rows[r].bytes, chunk);
        for (int i = 0; i < rows[r].ndims; i++)
            CHECK(chunk[i] == rows[r].want[i], "row %zu, dimension %d: %lld", r, i, (long long)chunk[i]);
        pcdf_meta_free(&meta);
    }
}

/* Of any variable: inside of it, not too large where it can be smaller, and larger where it may be. */
static void test_random_shapes(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct pcdf_meta meta;
        int64_t length[MOST_DIMS], chunk[MOST_DIMS] = { 0 }, fixed[MOST_DIMS];
        int ndims = (int)draw(1, MOST_DIMS);
        for (int i = 0; i < ndims; i++)
            length[i] = i == 0 && draw(0, 1) ? 0 : draw(1, draw(0, 1) ? 4 : 3000);
        pcdf_meta_init(&meta, PCDF_CDF5);
        int id = add_var(&meta, NC_FLOAT, ndims, length);
        int64_t bytes = draw(1, 1 << 22), least = 4;
        for (int i = 0; i < ndims; i++) {
            fixed[i] = chunk[i] = draw(0, 4) ? 0 : length[i] ? draw(1, length[i]) : draw(1, 9);
            least *= chunk[i] ? chunk[i] : 1;
        }
        pcdf_stored_default_shape(&meta, id, bytes, chunk);
        for (int i = 0; i < ndims; i++) {
            CHECK(chunk[i] >= 1 && (length[i] == 0 || chunk[i] <= length[i]), "round %d: %lld of %lld", round,
                  (long long)chunk[i], (long long)length[i]);
            CHECK(fixed[i] == 0 || chunk[i] == fixed[i], "round %d", round);
        }
        int64_t got = bytes_of(&meta, id, chunk);
        CHECK(got <= (bytes > least ? bytes : least) || got <= PCDF_STORED_DEEP,
              "round %d: %lld bytes, not %lld", round, (long long)got, (long long)bytes);
        /* Twice as long would be too much, but for what is whole or fixed. */
        for (int i = 0; i < ndims; i++)
            CHECK(got * 3 > bytes || fixed[i] > 0 || length[i] == 0 || chunk[i] == length[i],
                  "round %d: %lld bytes are few", round, (long long)got);
        pcdf_meta_free(&meta);
    }
}

/* ---- texts */

static void test_texts(void)
{
    static const struct {
        const char *text;
        int64_t bytes, time, lat; /* bytes -1: refused */
    } chunks[] = {
        { "auto", 0, 0, 0 },
        { "", 0, 0, 0 },
        { "8MiB", 8 << 20, 0, 0 },
        { " 64k ", 65536, 0, 0 },
        { "time:1,lat:180", 0, 1, 180 },
        { "time:1, lat:180, 1M", 1 << 20, 1, 180 },
        { "lat:180,lat:90", 0, 0, 180 },
        { "a:b:3,lat:2", 0, 0, 2 },
        { "lat", -1, 0, 0 },
        { "lat:", -1, 0, 0 },
        { ":3", -1, 0, 0 },
        { "lat:0", -1, 0, 0 },
        { "lat:-3", -1, 0, 0 },
        { "lat:3x", -1, 0, 0 },
        { "lat:99999999999999999999999999999999999", -1, 0, 0 },
        { "lat:4294967296", -1, 0, 0 },
        { "lat:3,", -1, 0, 0 },
        { ",", -1, 0, 0 },
        { "auto,lat:3", -1, 0, 0 },
        { "0", -1, 0, 0 },
        { "8MB", -1, 0, 0 },
        { "4GiB", -1, 0, 0 },
    };
    static const struct {
        const char *text;
        int n; /* how many codecs; -1: refused */
        enum pcdf_codec_id last;
        uint32_t level;
    } compress[] = {
        { "none", 0, PCDF_CODEC_UNKNOWN, 0 },
        { "", 0, PCDF_CODEC_UNKNOWN, 0 },
        { "deflate:4", 1, PCDF_CODEC_ZLIB, 4 },
        { "deflate", 1, PCDF_CODEC_ZLIB, 1 },
        { "deflate:1,shuffle", 2, PCDF_CODEC_ZLIB, 1 },
        { "shuffle, deflate:9 ,fletcher32", 3, PCDF_CODEC_ZLIB, 9 },
        { "zstd:3", 1, PCDF_CODEC_ZSTD, 3 },
        { "zstd:22,shuffle", 2, PCDF_CODEC_ZSTD, 22 },
        { "fletcher32", 1, PCDF_CODEC_FLETCHER32, 0 },
        { "deflate:0", -1, 0, 0 },
        { "deflate:10", -1, 0, 0 },
        { "deflate:", -1, 0, 0 },
        { "deflate:1x", -1, 0, 0 },
        { "zstd:23", -1, 0, 0 },
        { "shuffle:1", -1, 0, 0 },
        { "deflate:1,zstd:1", -1, 0, 0 },
        { "deflate:1,,shuffle", -1, 0, 0 },
        { "none,shuffle", -1, 0, 0 },
        { "gzip", -1, 0, 0 },
    };
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        struct pcdf_stored_options options = { .bytes = 77 };
        int err = pcdf_options_read_chunks(&options, chunks[i].text);
        CHECK(err == (chunks[i].bytes < 0 ? NC_EINVAL : NC_NOERR), "\"%s\": %d", chunks[i].text, err);
        CHECK(options.bytes == (chunks[i].bytes < 0 ? 77 : chunks[i].bytes), "\"%s\": %lld", chunks[i].text,
              (long long)options.bytes);
        CHECK_INT(pcdf_options_length(&options, "time"), chunks[i].time);
        CHECK_INT(pcdf_options_length(&options, "lat"), chunks[i].lat);
        CHECK_INT(pcdf_options_length(&options, "la"), 0);
    }
    for (size_t i = 0; i < sizeof compress / sizeof compress[0]; i++) {
        struct pcdf_stored_options options = { .chain.n = 77 };
        int err = pcdf_options_read_compress(&options, compress[i].text), n = compress[i].n;
        CHECK(err == (n < 0 ? NC_EINVAL : NC_NOERR), "\"%s\": %d", compress[i].text, err);
        CHECK(options.chain.n == (n < 0 ? 77 : n), "\"%s\": %d", compress[i].text, options.chain.n);
        if (n > 0)
            CHECK(options.chain.x[n - 1].id == compress[i].last &&
                      options.chain.x[n - 1].params[0] == compress[i].level,
                  "\"%s\"", compress[i].text);
    }
    struct pcdf_stored_options options = { 0 };
    CHECK_INT(pcdf_options_read_chunks(&options, "lat:1,180"), NC_NOERR);
    CHECK_INT(options.bytes, 180);
    CHECK_INT(pcdf_options_read_compress(&options, "deflate:1,zstd:2"), NC_EINVAL);
    CHECK(strstr(pcdf_fail_text(), "two compressors") != NULL, "%s", pcdf_fail_text());
    CHECK_INT(pcdf_options_read_chunks(&options, "lat:nine"), NC_EINVAL);
    CHECK(strstr(pcdf_fail_text(), "\"lat:nine\"") != NULL, "%s", pcdf_fail_text());
}

/* A text that cannot be read is told, and not used. */
static void test_reading(void)
{
    struct pcdf_hints hints = { .chunks = "lat:nine", .compress = "zstd:3", .speaks = true };
    struct pcdf_stored_options options = { 0 };
    char text[300] = "";
    FILE *said = tmpfile();
    int there = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    pcdf_options_read_hints(&options, &hints);
    dup2(there, STDERR_FILENO);
    close(there);
    rewind(said);
    CHECK(fread(text, 1, sizeof text - 1, said) > 0, "nothing was said");
    CHECK(strstr(text,
                 "hint pcdf_chunks: \"lat:nine\" is not understood and not used: \"lat:nine\" is not a ") &&
              !strstr(text, "pcdf_compress"),
          "%s", text);
    fclose(said);
    CHECK_INT(options.ndims, 0);
    CHECK_INT(options.chain.x[0].id, PCDF_CODEC_ZSTD);
}

/* ---- variables */

struct world {
    struct pcdf_meta meta;
    struct pcdf_stored_vars vars;
    int scalar, small, fixed, record, narrow, bytes;
};

static void make_world(struct world *w, const char *chunks, const char *compress)
{
    memset(w, 0, sizeof *w);
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    w->scalar = add_var(&w->meta, NC_INT, 0, NULL);
    w->small = add_var(&w->meta, NC_DOUBLE, 1, (int64_t[]){ 100 });
    w->fixed = add_var(&w->meta, NC_DOUBLE, 2, (int64_t[]){ 180, 360 });
    w->record = add_var(&w->meta, NC_FLOAT, 3, (int64_t[]){ 0, 180, 360 });
    w->narrow = add_var(&w->meta, NC_DOUBLE, 1, (int64_t[]){ 0 });
    w->bytes = add_var(&w->meta, NC_BYTE, 2, (int64_t[]){ 0, 65536 });
    CHECK_INT(pcdf_options_read_chunks(&w->vars.options, chunks), NC_NOERR);
    CHECK_INT(pcdf_options_read_compress(&w->vars.options, compress), NC_NOERR);
    CHECK_INT(pcdf_stored_grow(&w->vars, &w->meta), NC_NOERR);
}

static void free_world(struct world *w)
{
    pcdf_stored_free(&w->vars);
    pcdf_meta_free(&w->meta);
}

static void check_choice(const struct world *w, int varid, enum pcdf_stored_way way, int64_t a, int64_t b,
                         int64_t c)
{
    int64_t chunk[MOST_DIMS] = { 0 }, want[] = { a, b, c };
    CHECK_INT(pcdf_stored_choose(&w->vars, &w->meta, varid, chunk), way);
    for (int i = 0; way == PCDF_STORED_CHUNKED && i < w->meta.vars[varid].ndims; i++)
        CHECK(chunk[i] == want[i], "variable %d, dimension %d: %lld", varid, i, (long long)chunk[i]);
}

static void test_hints(void)
{
    struct world w;
    make_world(&w, "auto", "none");
    check_choice(&w, w.scalar, PCDF_STORED_CONTIGUOUS, 0, 0, 0);
    check_choice(&w, w.fixed, PCDF_STORED_CONTIGUOUS, 0, 0, 0);
    check_choice(&w, w.record, PCDF_STORED_CHUNKED, 1, 180, 360);
    check_choice(&w, w.narrow, PCDF_STORED_CHUNKED, 512, 0, 0);
    free_world(&w);

    /* d0 is the dimension of small, d1 and d2 those of fixed, d3 (the record dimension is `time`) ... */
    make_world(&w, "d0:10,d2:90,64k", "zstd:3,shuffle,fletcher32");
    check_choice(&w, w.scalar, PCDF_STORED_CONTIGUOUS, 0, 0, 0);
    check_choice(&w, w.small, PCDF_STORED_CONTIGUOUS, 0, 0, 0);
    check_choice(&w, w.fixed, PCDF_STORED_CHUNKED, 90, 90, 0);
    check_choice(&w, w.record, PCDF_STORED_CHUNKED, 1, 45, 360);
    check_choice(&w, w.narrow, PCDF_STORED_CHUNKED, 512, 0, 0);
    CHECK_INT(w.vars.x[w.small].chain.n, 0);
    CHECK_INT(w.vars.x[w.narrow].chain.n, 0);
    CHECK_INT(w.vars.x[w.bytes].chain.n, 2); /* nothing to shuffle */
    const struct pcdf_chain *chain = &w.vars.x[w.fixed].chain;
    CHECK_INT(chain->n, 3);
    CHECK_INT(chain->x[0].id, PCDF_CODEC_FLETCHER32);
    CHECK_INT(chain->x[1].id, PCDF_CODEC_SHUFFLE);
    CHECK_INT(chain->x[1].params[0], 8);
    CHECK_INT(chain->x[2].id, PCDF_CODEC_ZSTD);
    CHECK_INT(chain->x[2].params[0], 3);
    free_world(&w);
}

static void test_settling(void)
{
    struct world w;
    make_world(&w, "auto", "deflate:1,shuffle");
    uint64_t before = pcdf_stored_hash(&w.vars);
    CHECK_INT(pcdf_stored_decide(&w.vars, &w.meta), NC_NOERR);
    CHECK(pcdf_stored_hash(&w.vars) != before, "deciding changes nothing");
    for (int i = 0; i < w.vars.n; i++)
        CHECK(w.vars.x[i].way != PCDF_STORED_AUTO && !w.vars.x[i].is_settled, "variable %d", i);
    pcdf_stored_settle(&w.vars);
    int more = add_var(&w.meta, NC_DOUBLE, 2, (int64_t[]){ 0, 10000 });
    CHECK_INT(pcdf_stored_grow(&w.vars, &w.meta), NC_NOERR);
    CHECK_INT(w.vars.n, more + 1);
    CHECK(w.vars.x[more - 1].is_settled && !w.vars.x[more].is_settled, "settled");
    CHECK_INT(w.vars.x[more].way, PCDF_STORED_AUTO);
    CHECK_INT(w.vars.x[more].chain.n, 2);
    struct pcdf_meta few; /* as after an abort of a redef */
    pcdf_meta_init(&few, PCDF_CDF5);
    add_var(&few, NC_INT, 0, NULL);
    CHECK_INT(pcdf_stored_decide(&w.vars, &few), NC_NOERR);
    CHECK_INT(w.vars.n, 1);
    CHECK_INT(pcdf_stored_grow(&w.vars, &w.meta), NC_NOERR);
    CHECK_INT(w.vars.n, more + 1);
    CHECK_INT(pcdf_stored_grow(&w.vars, &few), NC_NOERR);
    CHECK_INT(w.vars.n, 1);
    pcdf_meta_free(&few);
    free_world(&w);
}

static void test_calls(void)
{
    struct world w;
    make_world(&w, "auto", "deflate:1,shuffle");
    static const struct {
        int64_t chunk[3];
        int err;
    } rows[] = { { { 1, 180, 360 }, NC_NOERR },         { { 1, 181, 360 }, NC_EBADCHUNK },
                 { { 500, 1, 1 }, NC_NOERR },           { { 0, 180, 360 }, NC_EINVAL },
                 { { 1, -1, 360 }, NC_EINVAL },         { { 16570, 180, 360 }, NC_NOERR },
                 { { 16571, 180, 360 }, NC_EBADCHUNK }, { { INT64_MAX, 180, 360 }, NC_EBADCHUNK } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int err = pcdf_stored_set_way(&w.vars, &w.meta, w.record, PCDF_STORED_CHUNKED, rows[i].chunk);
        CHECK(err == rows[i].err, "row %zu: %d, %s", i, err, pcdf_fail_text());
        if (!err)
            check_choice(&w, w.record, PCDF_STORED_CHUNKED, rows[i].chunk[0], rows[i].chunk[1],
                         rows[i].chunk[2]);
    }
    CHECK_INT(pcdf_stored_set_way(&w.vars, &w.meta, w.record, PCDF_STORED_CHUNKED, NULL), NC_NOERR);
    check_choice(&w, w.record, PCDF_STORED_CHUNKED, 1, 180, 360);
    CHECK_INT(pcdf_stored_set_way(&w.vars, &w.meta, w.scalar, PCDF_STORED_CHUNKED, NULL), NC_EINVAL);
    CHECK_INT(pcdf_stored_set_way(&w.vars, &w.meta, w.record, PCDF_STORED_CONTIGUOUS, NULL), NC_EINVAL);
    CHECK_INT(pcdf_stored_set_way(&w.vars, &w.meta, w.fixed, PCDF_STORED_CONTIGUOUS, NULL), NC_NOERR);
    CHECK_INT(w.vars.x[w.fixed].chain.n, 0); /* only the hint wanted them */

    struct pcdf_stored_var *v = &w.vars.x[w.fixed];
    struct pcdf_codec szip = { .id = PCDF_CODEC_SZIP, .nparams = 4 },
                      zlib = { .id = PCDF_CODEC_ZLIB, .nparams = 1 }, sum = { .id = PCDF_CODEC_FLETCHER32 };
    pcdf_stored_set_codec(v, &szip);
    pcdf_stored_set_codec(v, &sum);
    pcdf_stored_set_codec(v, &zlib);
    pcdf_stored_set_codec(v, &sum);
    CHECK_INT(v->chain.n, 2);
    CHECK(pcdf_stored_codec(v, PCDF_CODEC_ZLIB) == &v->chain.x[1] && !pcdf_stored_codec(v, PCDF_CODEC_SZIP),
          "a compressor takes the place of another");
    szip.params[0] = 4, szip.params[1] = 16, szip.nparams = 2;
    pcdf_stored_set_codec(v, &szip);
    v->way = PCDF_STORED_AUTO;
    CHECK_INT(pcdf_stored_decide(&w.vars, &w.meta), NC_NOERR);
    const uint32_t whole[4] = { 4 + 128 + 1 + 8, 16, 64, 360 };
    CHECK(v->chain.x[1].nparams == 4 && memcmp(v->chain.x[1].params, whole, sizeof whole) == 0,
          "szip has %u, %u, %u, %u", v->chain.x[1].params[0], v->chain.x[1].params[1],
          v->chain.x[1].params[2], v->chain.x[1].params[3]);
    CHECK_INT(pcdf_stored_set_way(&w.vars, &w.meta, w.fixed, PCDF_STORED_CHUNKED, (int64_t[]){ 3, 5 }),
              NC_NOERR);
    pcdf_stored_set_codec(v, &szip);
    CHECK_INT(pcdf_stored_decide(&w.vars, &w.meta), NC_EINVAL); /* a chunk has less than a block */
    pcdf_stored_set_codec(v, &zlib);
    pcdf_stored_drop_codec(v, PCDF_CODEC_FLETCHER32);
    CHECK_INT(v->chain.n, 1);
    v->way = PCDF_STORED_AUTO;
    CHECK_INT(pcdf_stored_set_way(&w.vars, &w.meta, w.fixed, PCDF_STORED_CONTIGUOUS, NULL), NC_EINVAL);
    pcdf_stored_set_codec(&w.vars.x[w.scalar], &zlib);
    CHECK_INT(w.vars.x[w.scalar].chain.n, 0);
    free_world(&w);
}

/* What is asked for is tried as the file is laid out: of variables that it does not have yet. */
static void test_trying(void)
{
    struct world w;
    make_world(&w, "auto", "shuffle,fletcher32");
    struct pcdf_codec blosc = { .id = PCDF_CODEC_BLOSC, .name = "blosc" };
    CHECK_INT(pcdf_stored_try_codecs(&w.vars), NC_NOERR);
    pcdf_stored_set_codec(&w.vars.x[w.record], &blosc);
    CHECK_INT(pcdf_stored_try_codecs(&w.vars), NC_ENOTBUILT);
    CHECK(*pcdf_fail_text(), "no sentence");
    pcdf_stored_settle(&w.vars);
    CHECK_INT(pcdf_stored_try_codecs(&w.vars), NC_NOERR);
    free_world(&w);
}

/* ---- bytes */

/* What came over: the bytes that it would be sent as are the same. */
static void check_same(const struct pcdf_stored_vars *vars, const unsigned char *bytes, int64_t n)
{
    int64_t size = pcdf_stored_vars_encode_size(vars);
    CHECK_INT(size, n);
    unsigned char *again = calloc((size_t)size, 1);
    pcdf_stored_vars_encode(vars, again);
    CHECK(size == n && memcmp(bytes, again, (size_t)n) == 0, "it comes over as something else");
    free(again);
}

static void test_bytes(void)
{
    struct world w;
    struct pcdf_stored_vars other = { 0 };
    make_world(&w, "d2:90,64k", "zstd:3,shuffle,fletcher32");
    pcdf_stored_settle(&w.vars);
    add_var(&w.meta, NC_DOUBLE, 2, (int64_t[]){ 0, 10000 });
    CHECK_INT(pcdf_stored_grow(&w.vars, &w.meta), NC_NOERR);
    int64_t n = pcdf_stored_vars_encode_size(&w.vars);
    unsigned char *bytes = calloc((size_t)n, 1), *copy = calloc((size_t)n + 1, 1);
    pcdf_stored_vars_encode(&w.vars, bytes);
    other.options = w.vars.options;
    CHECK_INT(pcdf_stored_vars_decode(&other, &w.meta, bytes, n), NC_NOERR);
    CHECK(pcdf_stored_hash(&other) == pcdf_stored_hash(&w.vars), "hashes differ");
    CHECK_INT(pcdf_options_length(&other.options, "d2"), 90);
    CHECK(strcmp(other.x[w.fixed].chain.x[2].name, "zstd") == 0, "%s", other.x[w.fixed].chain.x[2].name);
    check_same(&other, bytes, n);

    for (int64_t k = 0; k < n; k++) {
        memcpy(copy, bytes, (size_t)n);
        CHECK_INT(pcdf_stored_vars_decode(&other, &w.meta, copy, k), NC_EREAD);
    }
    CHECK_INT(pcdf_stored_vars_decode(&other, &w.meta, copy, n + 1), NC_EREAD);
    check_same(&other, bytes, n);
    for (int round = 0; round < ROUNDS; round++) {
        struct pcdf_stored_vars damaged = { 0 };
        memcpy(copy, bytes, (size_t)n);
        for (int i = (int)draw(1, 3); i > 0; i--)
            copy[draw(0, n - 1)] = (unsigned char)draw(0, 255);
        int err = pcdf_stored_vars_decode(&damaged, &w.meta, copy, n);
        CHECK(err == NC_EREAD || err == NC_NOERR, "round %d: %d", round, err);
        for (int i = 0; i < damaged.n; i++)
            if (damaged.x[i].chunk)
                CHECK(!pcdf_stored_set_way(&damaged, &w.meta, i, PCDF_STORED_CHUNKED, damaged.x[i].chunk),
                      "round %d: chunks that no call may ask for", round);
        if (!err)
            check_same(&damaged, copy, n);
        pcdf_stored_free(&damaged);
    }

    /* No memory: what was there stays. */
    int fails = 0;
    for (int64_t at = 1;; at++) {
        pcdf_alloc_fail_at(at, 0);
        int err = pcdf_stored_vars_decode(&other, &w.meta, bytes, n);
        pcdf_alloc_fail_at(0, 0);
        check_same(&other, bytes, n);
        if (!err)
            break;
        CHECK_INT(err, NC_ENOMEM);
        fails++;
    }
    CHECK(fails >= 2, "%d allocations failed", fails);
    pcdf_stored_free(&other);
    free(bytes);
    free(copy);
    free_world(&w);
}

/* More codecs than a chain has room for. */
static void test_many_codecs(void)
{
    unsigned char bytes[4 + 7 + 2 * (PCDF_CHAIN_MOST + 1)] = { 0 };
    struct pcdf_stored_vars vars = { 0 };
    struct pcdf_meta meta;
    pcdf_meta_init(&meta, PCDF_CDF5);
    add_var(&meta, NC_INT, 1, (int64_t[]){ 9 });
    for (int n = PCDF_CHAIN_MOST; n <= PCDF_CHAIN_MOST + 1; n++) {
        unsigned char *b = bytes + sizeof bytes - 2 * (PCDF_CHAIN_MOST + 1);
        b[-11] = 1; /* a variable */
        b[-5] = (unsigned char)n;
        b[-4] = 1; /* dimension */
        for (int i = 0; i < n; i++)
            b[2 * i] = PCDF_CODEC_FLETCHER32;
        CHECK_INT(pcdf_stored_vars_decode(&vars, &meta, bytes, b + 2 * (ptrdiff_t)n - bytes),
                  n > PCDF_CHAIN_MOST ? NC_EREAD : NC_NOERR);
        CHECK_INT(vars.n == 1 ? vars.x[0].chain.n : -1, PCDF_CHAIN_MOST);
    }
    pcdf_stored_free(&vars);
    pcdf_meta_free(&meta);
}

static void test_hash(void)
{
    struct world a, b;
    make_world(&a, "auto", "deflate:1");
    make_world(&b, "auto", "deflate:2");
    CHECK(pcdf_stored_hash(&a.vars) != pcdf_stored_hash(&b.vars), "the level is not in the hash");
    free_world(&b);
    make_world(&b, "d2:90", "deflate:1");
    CHECK(pcdf_stored_hash(&a.vars) != pcdf_stored_hash(&b.vars), "the shape is not in the hash");
    free_world(&b);
    make_world(&b, "auto", "deflate:1");
    CHECK(pcdf_stored_hash(&a.vars) == pcdf_stored_hash(&b.vars), "equal ones have two hashes");
    free_world(&a);
    free_world(&b);
}

int main(void)
{
    int64_t held = pcdf_alloc_now();
    test_default_shapes();
    test_random_shapes();
    test_texts();
    test_reading();
    test_hints();
    test_settling();
    test_calls();
    test_trying();
    test_bytes();
    test_many_codecs();
    test_hash();
    CHECK_INT(pcdf_alloc_now(), held);
    return check_done("stored_values");
}
