/* Fuzz target for the format layer: whatever the bytes are,
 * - decode gives definitions, a fault with a place inside the file, or asks for more bytes that exist; no
 * crash, no leak, at most 16 bytes of memory a byte of the file + 1 MiB;
 * - reading the header in growing chunks gives the same answer as reading all of it;
 * - a file that may be written to can be read, with the same definitions; what the strict reading refuses and
 * the lenient one does not is told of first, as the strict one's fault;
 * - what was decoded encodes to a header that decodes to equal definitions, and that encodes to itself; where
 * the input had no padding, vsize or STREAMING of its own the bytes are the input's;
 * - the checker agrees with decode; and no failed allocation does harm. */
#include "equalmeta.h"
#include "findings.h"
#include "alloc.h"
#include "encode.h"
#include "fuzz.h"
#include "status.h"

#include <inttypes.h>

struct decoded {
    bool is_lenient;
    int err;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_reading reading;
    struct pcdf_fault fault;
};

struct counted {
    int64_t findings, tolerated_bytes; /* findings that say the header is not as we would write it */
    int64_t for_writing;               /* warnings with the code that a file opened for writing gets */
    struct pcdf_finding first;         /* of those; its text is gone */
};

static void release(struct decoded *d)
{
    if (d->err)
        return;
    pcdf_layout_free(&d->layout);
    pcdf_meta_free(&d->meta);
}

/* Decodes with `first` bytes, then with as many as are asked for. false: more than there are were asked for.
 */
static bool decode_from(const uint8_t *bytes, size_t n, size_t first, int64_t file_size, struct decoded *d)
{
    int64_t need = 0;

    for (size_t have = first;; have = need < (int64_t)n ? (size_t)need : n) {
        d->reading = (struct pcdf_reading){ .is_lenient = d->is_lenient };
        d->err = pcdf_decode(&d->reading, bytes, have, file_size, &need, &d->meta, &d->layout, &d->fault);
        int64_t end = pcdf_decode_header_length(bytes, have);
        DEMAND(end >= 0 && end <= (int64_t)have);
        DEMAND(d->err || end == (need ? 0 : d->layout.header_size));
        if (need == 0)
            return true;
        DEMAND(d->err == NC_NOERR && need > (int64_t)have && need <= file_size);
        if (have == n)
            return false;
    }
}

static void check_fault(const struct decoded *d, int64_t file_size)
{
    DEMAND(d->fault.code == d->err && d->fault.rule > PCDF_FAULT_NONE && d->fault.rule < PCDF_FAULT_RULES);
    DEMAND(d->fault.offset >= 0 && d->fault.offset <= file_size);
    DEMAND(strncmp(d->fault.text, "offset ", 7) == 0);
}

static void count(void *context, const struct pcdf_finding *f)
{
    struct counted *c = context;
    c->findings++;
    c->tolerated_bytes += !strcmp(f->rule, "PADDING") || !strcmp(f->rule, "VSIZE") ||
                          !strcmp(f->rule, "STREAMING") || !strcmp(f->rule, "EMPTY_TAG");
    if (f->severity == PCDF_FOUND_WARNING && f->code && c->for_writing++ == 0)
        c->first = *f;
}

/* err: of the lenient reading. */
static struct counted check_checker(const uint8_t *bytes, size_t n, int64_t file_size, int err)
{
    struct counted counted = { 0 };
    struct pcdf_check_result result;
    int64_t need;

    DEMAND(pcdf_check(bytes, n, file_size, &need, count, &counted, &result) == NC_NOERR && need == 0);
    DEMAND(result.decoded == (err == NC_NOERR));
    DEMAND(result.count[0] + result.count[1] + result.count[2] == counted.findings);
    if (err)
        DEMAND(result.count[PCDF_FOUND_ERROR] == 1);
    return counted;
}

static void check_encoding(const uint8_t *bytes, const struct decoded *d, int64_t file_size, bool as_input)
{
    size_t size = (size_t)d->layout.header_size;
    struct decoded again = { 0 };
    uint8_t *first = malloc(size), *second = malloc(size);

    DEMAND(first && second && pcdf_encode_size(&d->meta) == d->layout.header_size);
    pcdf_encode(&d->meta, &d->layout, first);
    DEMAND(!as_input || memcmp(first, bytes, size) == 0);
    DEMAND(decode_from(first, size, size, file_size, &again) && again.err == NC_NOERR);
    DEMAND(equal_meta(&d->meta, &again.meta) && again.layout.nvars == d->layout.nvars);
    if (d->layout.nvars > 0)
        DEMAND(memcmp(d->layout.begin, again.layout.begin, (size_t)d->layout.nvars * sizeof(int64_t)) == 0);
    pcdf_encode(&again.meta, &again.layout, second);
    DEMAND(memcmp(first, second, size) == 0);
    release(&again);
    free(first);
    free(second);
}

static void check_copy(const struct decoded *d)
{
    struct pcdf_meta copy;
    DEMAND(pcdf_meta_copy(&copy, &d->meta) == NC_NOERR && equal_meta(&copy, &d->meta));
    pcdf_meta_free(&copy);
}

/* The k-th allocation fails: NC_ENOMEM or no difference at all. */
static void check_no_memory(const uint8_t *bytes, size_t n, int64_t file_size, int err)
{
    struct decoded d = { 0 };
    static int64_t k;

    k++;
    pcdf_alloc_fail_at(1 + k % 64, k % 2 == 0);
    bool complete = decode_from(bytes, n, n, file_size, &d);
    pcdf_alloc_fail_at(0, 0);
    if (complete) {
        DEMAND(d.err == NC_ENOMEM || d.err == err);
        release(&d);
    }
}

/* What the two readings say of each other. */
static void check_readings(const struct decoded *strict, const struct decoded *lenient,
                           const struct counted *counted)
{
    if (!strict->err) {
        DEMAND(!lenient->err && counted->for_writing == 0 && lenient->reading.ntold == strict->reading.ntold);
        DEMAND(equal_meta(&strict->meta, &lenient->meta));
    } else if (!lenient->err) {
        DEMAND(counted->for_writing > 0 && counted->first.code == strict->err);
        DEMAND(counted->first.offset == strict->fault.offset);
    }
}

static void check_size(const uint8_t *bytes, size_t n, int64_t file_size)
{
    struct decoded whole = { 0 }, chunked = { 0 }, lenient = { .is_lenient = true };

    if (!decode_from(bytes, n, n, file_size, &whole))
        return;
    DEMAND(pcdf_alloc_now() <= 16 * (int64_t)n + (1 << 20));
    DEMAND(decode_from(bytes, n, n < 8 ? n : 8, file_size, &chunked) && chunked.err == whole.err);
    if (!decode_from(bytes, n, n, file_size, &lenient)) { /* goes on behind what the strict one refuses */
        DEMAND(whole.err != NC_NOERR);
        return;
    }
    struct counted counted = check_checker(bytes, n, file_size, lenient.err);
    check_readings(&whole, &lenient, &counted);
    if (whole.err) {
        check_fault(&whole, file_size);
        DEMAND(chunked.fault.offset == whole.fault.offset && chunked.fault.rule == whole.fault.rule);
    } else {
        DEMAND(equal_meta(&whole.meta, &chunked.meta));
        check_encoding(bytes, &whole, file_size, counted.tolerated_bytes == 0);
    }
    if (lenient.err)
        check_fault(&lenient, file_size);
    else
        check_copy(&lenient);
    release(&whole);
    release(&chunked);
    release(&lenient);
    check_no_memory(bytes, n, file_size, whole.err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static int64_t largest;

    /* As whole files, and as the heads of larger ones. */
    check_size(bytes, n, (int64_t)n);
    check_size(bytes, n, (int64_t)n + ((int64_t)1 << 40));
    DEMAND(pcdf_alloc_now() == 0);
    /* The peak is over all inputs so far, and up to four decodings were held at once. */
    largest = (int64_t)n > largest ? (int64_t)n : largest;
    DEMAND(pcdf_alloc_peak() <= 4 * (16 * largest + (1 << 20)));
    return 0;
}
