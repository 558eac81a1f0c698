/* Fuzz target for files that come as streams (parcdf copy - TO): whatever the bytes are, and in whatever
 * pieces they come,
 * - what goes on are the bytes that came, in their order, from the first one on, or there is an error;
 * - with the count that the end tells, the bytes that came up to the size that it tells are a file that
 * decodes, with so many records, which ends there, but for padding; what is missing or behind it adds up;
 * - the pieces make no difference; and no failed allocation does harm. */
#include "copystream.h"
#include "alloc.h"
#include "decode.h"
#include "fuzz.h"
#include "status.h"

struct sink {
    const uint8_t *bytes;
    size_t n, at;
};

static int put(void *context, const unsigned char *bytes, size_t n)
{
    struct sink *s = context;
    DEMAND(n <= s->n - s->at && memcmp(s->bytes + s->at, bytes, n) == 0);
    s->at += n;
    return NC_NOERR;
}

static int deliver(const uint8_t *bytes, size_t n, size_t piece, struct pcdf_copystream_end *end)
{
    struct sink sink = { bytes, n, 0 };
    struct pcdf_copystream s = { .put = put, .context = &sink };
    int err = NC_NOERR;
    for (size_t at = 0; at < n && !err; at += piece)
        err = pcdf_copystream_take(&s, bytes + at, n - at < piece ? n - at : piece);
    if (!err)
        err = pcdf_copystream_finish(&s, end);
    DEMAND(err ? s.text[0] != '\0' : sink.at == n);
    pcdf_copystream_free(&s);
    return err;
}

static void check_end(const uint8_t *bytes, size_t n, const struct pcdf_copystream_end *end)
{
    struct pcdf_reading reading = { .is_lenient = true };
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need, whole;
    uint8_t *file = malloc(n);
    DEMAND(file && end->numrecs >= 0 && end->missing >= 0 && end->behind >= 0);
    DEMAND(end->claimed < 0 || end->numrecs <= end->claimed);
    DEMAND(!end->has_fixed || end->size + end->behind == (int64_t)n);
    memcpy(file, bytes, n);
    memcpy(file + 4, end->count, (size_t)end->width);
    DEMAND(pcdf_decode(&reading, file, n, (int64_t)n, &need, &meta, &layout, &fault) == NC_NOERR &&
           need == 0);
    DEMAND(meta.numrecs == end->numrecs);
    whole = pcdf_layout_file_end(&layout, &meta);
    DEMAND(!end->has_fixed || (whole <= end->size && end->size - whole <= 3));
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const size_t pieces[] = { 1, 3, 64, 4096, 1 << 20 };
    struct pcdf_copystream_end all = { 0 }, end = { 0 };
    size_t piece = n > 0 ? pieces[bytes[n - 1] % 5] : 1;
    int err = deliver(bytes, n, n > 0 ? n : 1, &all);
    DEMAND(deliver(bytes, n, piece, &end) == err);
    DEMAND(err || memcmp(&all, &end, sizeof end) == 0);
    if (!err)
        check_end(bytes, n, &all);
    pcdf_alloc_fail_at(1 + (n > 1 ? bytes[n / 2] % 16 : 0), 0);
    int starved = deliver(bytes, n, piece, &end);
    pcdf_alloc_fail_at(0, 0);
    DEMAND(starved == err || starved == NC_ENOMEM);
    DEMAND(pcdf_alloc_now() <= 1 << 20);
    return 0;
}
