/* The lengths of SPEC's grammar and nothing else: no value is judged, nothing is kept. */
#include "bytes.h"
#include "decode.h"

struct skim {
    struct pcdf_reader r;
    size_t count; /* bytes of a NON_NEG */
    bool lost;    /* it ends too early, or means something else */
};

static void skip(struct skim *s, uint64_t nbytes)
{
    if (nbytes > s->r.n - s->r.at)
        s->lost = true;
    else
        s->r.at += (size_t)nbytes;
}

static uint64_t number(struct skim *s, size_t size)
{
    const unsigned char *b = s->r.bytes + s->r.at;
    skip(s, size);
    if (s->lost)
        return 0;
    return size == 8 ? pcdf_bytes_get64(b) : pcdf_bytes_get32(b);
}

/* n elements of `size` bytes, padded. */
static void skip_padded(struct skim *s, uint64_t n, uint64_t size)
{
    uint64_t nbytes;
    if (__builtin_mul_overflow(n, size, &nbytes) || nbytes > s->r.n)
        s->lost = true;
    else
        skip(s, (nbytes + 3) & ~(uint64_t)3);
}

/* The number of elements of a list. */
static uint64_t list(struct skim *s)
{
    (void)number(s, 4);
    return number(s, s->count);
}

static void skip_name(struct skim *s)
{
    skip_padded(s, number(s, s->count), 1);
}

static void skip_atts(struct skim *s)
{
    for (uint64_t n = list(s); n > 0 && !s->lost; n--) {
        skip_name(s);
        uint64_t type = number(s, 4);
        int size = type < PCDF_TYPE_ROWS ? pcdf_type_size((nc_type)type) : 0;
        if (size == 0)
            s->lost = true;
        skip_padded(s, number(s, s->count), (uint64_t)size);
    }
}

int64_t pcdf_decode_header_length(const unsigned char *bytes, size_t n)
{
    struct skim s = { .r = { .bytes = bytes, .n = n } };
    if (n < 4 || memcmp(bytes, "CDF", 3) != 0)
        return 0;
    s.count = bytes[3] == PCDF_CDF5 ? 8 : 4;
    const size_t begin = bytes[3] == PCDF_CDF1 ? 4 : 8;
    skip(&s, 4 + s.count);
    for (uint64_t i = list(&s); i > 0 && !s.lost; i--) {
        skip_name(&s);
        skip(&s, s.count);
    }
    skip_atts(&s);
    for (uint64_t i = list(&s); i > 0 && !s.lost; i--) {
        skip_name(&s);
        skip_padded(&s, number(&s, s.count), s.count);
        skip_atts(&s);
        skip(&s, 4 + s.count + begin);
    }
    return s.lost ? 0 : (int64_t)s.r.at;
}
