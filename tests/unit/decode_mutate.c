/* Damaged headers never crash decode, never make it allocate more than 16 times the file and 1 MiB, and what
 * it still accepts can be laid out and encoded. 30 valid headers: every truncation, and every byte changed in
 * every way that matters. The seeds are fixed; a failure names header, byte and value. */
#include "equalmeta.h"
#include "check.h"
#include "decode.h"
#include "randommeta.h"

enum { HEADERS = 30, ALL_VALUES_UP_TO = 150 };

static long refusals, acceptances;

/* The meta may be anything that decode accepts: encode it and take it in again. */
static void reencode(const struct pcdf_meta *meta, const struct pcdf_layout *layout, const char *what)
{
    struct pcdf_meta again;
    struct pcdf_layout layout_again;
    struct pcdf_fault fault;
    int64_t need;
    size_t size;
    unsigned char *bytes = randommeta_encode(meta, layout, &size);

    /* Padding in the header is no part of the definitions; all else has to come back. */
    int err = pcdf_decode(NULL, bytes, size, (int64_t)size, &need, &again, &layout_again, &fault);
    CHECK(err == NC_NOERR && need == 0, "%s: encoded again it is refused: %d, %s", what, err, fault.text);
    if (!err && !need) {
        CHECK(equal_meta(meta, &again), "%s: encoded again it differs", what);
        pcdf_meta_free(&again);
        pcdf_layout_free(&layout_again);
    }
    free(bytes);
    if (pcdf_layout_build(&layout_again, meta, layout, NULL) == NC_NOERR)
        pcdf_layout_free(&layout_again);
}

static void decode_damaged(const unsigned char *bytes, size_t n, int64_t file_size, const char *what)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need, before = pcdf_alloc_now();

    int err = pcdf_decode(NULL, bytes, n, file_size, &need, &meta, &layout, &fault);
    int64_t end = pcdf_decode_header_length(bytes, n);
    CHECK(end >= 0 && end <= (int64_t)n, "%s: skimmed to %" PRId64 " of %zu", what, end, n);
    CHECK(err || end == (need ? 0 : layout.header_size), "%s: skimmed to %" PRId64, what, end);
    if (err) {
        CHECK(fault.code == err && fault.rule != PCDF_FAULT_NONE && fault.offset <= (int64_t)n &&
                  fault.text[0],
              "%s: %d, fault %d at %" PRId64, what, err, fault.rule, fault.offset);
        refusals++;
    } else if (need) {
        CHECK(need > (int64_t)n && need <= file_size, "%s: need %" PRId64 " of %" PRId64, what, need,
              file_size);
    } else {
        reencode(&meta, &layout, what);
        pcdf_meta_free(&meta);
        pcdf_layout_free(&layout);
        acceptances++;
    }
    CHECK(pcdf_alloc_now() == before, "%s: %" PRId64 " bytes are left", what, pcdf_alloc_now() - before);
}

static void truncations(const unsigned char *bytes, size_t size, int header)
{
    char what[80];
    for (size_t n = 0; n < size; n++) {
        unsigned char *copy = malloc(n ? n : 1); /* exact, so that a sanitizer sees a read past it */
        memcpy(copy, bytes, n);
        snprintf(what, sizeof what, "header %d cut at %zu", header, n);
        long before = acceptances;
        decode_damaged(copy, n, (int64_t)n, what);
        CHECK(acceptances == before, "%s is accepted", what);
        decode_damaged(copy, n, (int64_t)size + 1000, what);
        free(copy);
    }
}

static void changes(unsigned char *bytes, size_t size, int header)
{
    static const unsigned char values[] = { 0, 1, 4, 5, 10, 11, 12, 0x7F, 0x80, 0xFE, 0xFF };
    char what[80];
    for (size_t at = 0; at < size; at++) {
        unsigned char was = bytes[at];
        bool all = size <= ALL_VALUES_UP_TO;
        int n = all ? 256 : (int)sizeof values + 4;
        for (int i = 0; i < n; i++) {
            int v = all ? i
                    : i < (int)sizeof values
                        ? values[i]
                        : (int[]){ was ^ 1, was ^ 0x80, was + 1, was - 1 }[i - (int)sizeof values];
            bytes[at] = (unsigned char)v;
            if (bytes[at] == was)
                continue;
            snprintf(what, sizeof what, "header %d byte %zu as 0x%02X", header, at, bytes[at]);
            decode_damaged(bytes, size, (int64_t)size, what);
        }
        bytes[at] = was;
    }
}

enum { DENSE = 20000, DENSE_ROOM = 1 << 20 };

static void put32(unsigned char *bytes, size_t *n, uint32_t x)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes[(*n)++] = (unsigned char)(x >> shift);
}

/* CDF-1 headers made of the smallest possible elements, where memory per byte of file is highest. kind: 'd',
 * 'a', 'v', or 'w' (variables with an attribute each). */
static size_t dense_header(unsigned char *bytes, int kind)
{
    size_t n = 0;
    put32(bytes, &n, 0x43444601);
    for (int i = 0; i < (kind == 'd' ? 1 : kind == 'a' ? 3 : 5); i++)
        put32(bytes, &n, 0);
    put32(bytes, &n, kind == 'd' ? 10 : kind == 'a' ? 12 : 11);
    put32(bytes, &n, DENSE);
    for (int i = 0; i < DENSE; i++) {
        put32(bytes, &n, 4);
        put32(bytes, &n,
              0x41414141u + (uint32_t)(i % 26) + ((uint32_t)(i / 26 % 26) << 8) +
                  ((uint32_t)(i / 676) << 16));
        if (kind == 'd') {
            put32(bytes, &n, 1);
            continue;
        }
        if (kind == 'a') {
            put32(bytes, &n, 1);
            put32(bytes, &n, 0);
            continue;
        }
        put32(bytes, &n, 0);
        put32(bytes, &n, kind == 'w' ? 12 : 0);
        put32(bytes, &n, kind == 'w');
        if (kind == 'w') {
            put32(bytes, &n, 1);
            put32(bytes, &n, 0x61000000);
            put32(bytes, &n, 1);
            put32(bytes, &n, 0);
        }
        put32(bytes, &n, 1);
        put32(bytes, &n, 4);
        put32(bytes, &n, 0x10000000 + 4 * (uint32_t)i);
    }
    for (int i = 0; i < (kind == 'd' ? 4 : kind == 'a' ? 2 : 0); i++)
        put32(bytes, &n, 0);
    return n;
}

static void dense(void)
{
    unsigned char *bytes = malloc(DENSE_ROOM + 100);
    for (const char *kind = "davw"; *kind; kind++) { /* by rising size, since the peak never falls */
        struct pcdf_meta meta;
        struct pcdf_layout layout;
        struct pcdf_fault fault;
        int64_t need, size = (int64_t)dense_header(bytes, *kind);

        int err = pcdf_decode(NULL, bytes, (size_t)size, size, &need, &meta, &layout, &fault);
        CHECK(err == NC_NOERR && need == 0, "%c: %d, %s", *kind, err, fault.text);
        CHECK(pcdf_alloc_peak() <= 16 * size, "%c: %" PRId64 " bytes for %" PRId64, *kind, pcdf_alloc_peak(),
              size);
        printf("dense %c: %.1f bytes of memory a byte of file\n", *kind,
               (double)pcdf_alloc_peak() / (double)size);
        if (err || need)
            continue;
        pcdf_meta_free(&meta);
        pcdf_layout_free(&layout);
    }
    free(bytes);
}

int main(void)
{
    int64_t largest = 0;
    for (int i = 0; i < HEADERS; i++) {
        struct randommeta r = { .state = 1000 + (uint64_t)i, .most = i < 20 ? 2 : 1 + i / 5 };
        struct pcdf_meta meta;
        struct pcdf_layout layout;
        size_t size;

        CHECK_INT(randommeta_make(&r, &meta), NC_NOERR);
        CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, NULL), NC_NOERR);
        unsigned char *bytes = randommeta_encode(&meta, &layout, &size);
        pcdf_layout_free(&layout);
        pcdf_meta_free(&meta);
        if ((int64_t)size > largest)
            largest = (int64_t)size;
        truncations(bytes, size, i);
        changes(bytes, size, i);
        free(bytes);
    }
    CHECK(pcdf_alloc_peak() <= 16 * largest + (1 << 20), "%" PRId64 " bytes for files of up to %" PRId64,
          pcdf_alloc_peak(), largest);
    CHECK(refusals > 10000 && acceptances > 10000, "%ld refused, %ld accepted", refusals, acceptances);
    printf("%ld refused, %ld accepted, largest header %" PRId64 ", peak %" PRId64 " bytes\n", refusals,
           acceptances, largest, pcdf_alloc_peak());
    dense();
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("decode_mutate");
}
