/* The lengths of SPEC's grammar and nothing else: no value is judged, nothing is kept. */
#include "bytes.h"
#include "decode.h"

struct skim {
    const unsigned char *bytes;
    size_t n, at;
    size_t count; /* bytes of a NON_NEG */
    bool lost;    /* it ends too early, or means something else */
};

/* n elements of `size` bytes, padded. */
static void skip(struct skim *s, uint64_t n, uint64_t size)
{
    uint64_t nbytes;
    if (__builtin_mul_overflow(n, size, &nbytes) || nbytes > s->n ||
        ((nbytes + 3) & ~(uint64_t)3) > s->n - s->at)
        s->lost = true;
    else
        s->at += (size_t)((nbytes + 3) & ~(uint64_t)3);
}

/* A NON_NEG that stands behind `skipped` bytes. */
static uint64_t number(struct skim *s, size_t skipped)
{
    skip(s, 1, skipped + s->count);
    return s->lost ? 0 : pcdf_bytes_get(s->bytes + s->at - s->count, s->count);
}

static void skip_atts(struct skim *s)
{
    for (uint64_t n = number(s, 4); n > 0 && !s->lost; n--) {
        skip(s, number(s, 0), 1); /* the name */
        uint64_t nelems = number(s, 4),
                 type = s->lost ? 0 : pcdf_bytes_get(s->bytes + s->at - s->count - 4, 4);
        int size = type < PCDF_TYPE_ROWS ? pcdf_type_size((nc_type)type) : 0;
        s->lost = s->lost || size == 0;
        skip(s, nelems, (uint64_t)size);
    }
}

int64_t pcdf_decode_header_length(const unsigned char *bytes, size_t n)
{
    struct skim s = { .bytes = bytes, .n = n };
    if (n < 4 || memcmp(bytes, "CDF", 3) != 0)
        return 0;
    s.count = bytes[3] == PCDF_CDF5 ? 8 : 4;
    const size_t begin = bytes[3] == PCDF_CDF1 ? 4 : 8;
    skip(&s, 4 + s.count, 1); /* magic, numrecs */
    for (uint64_t i = number(&s, 4); i > 0 && !s.lost; i--) {
        skip(&s, number(&s, 0), 1);
        skip(&s, s.count, 1);
    }
    skip_atts(&s);
    for (uint64_t i = number(&s, 4); i > 0 && !s.lost; i--) {
        skip(&s, number(&s, 0), 1);
        skip(&s, number(&s, 0), s.count);
        skip_atts(&s);
        skip(&s, 4 + s.count + begin, 1); /* type, vsize, begin */
    }
    return s.lost ? 0 : (int64_t)s.at;
}
