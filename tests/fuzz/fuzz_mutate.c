/* A mutator that knows the grammar: it walks the header loosely, as far as it makes sense, notes the numbers
 * in it, and changes one to a value that hurts, or copies or cuts out one element of a list. Half of the
 * mutations stay libFuzzer's own. */
#include "bytes.h"
#include "fuzz.h"

enum { MOST_FIELDS = 512 };

struct field {
    size_t at;
    int width;
};

struct map { /* the numbers of a header, and where elements of lists begin */
    const unsigned char *bytes;
    size_t n, at;
    int count_width, begin_width;
    struct field numbers[MOST_FIELDS];
    size_t elements[MOST_FIELDS];
    int nnumbers, nelements;
};

static bool skip_padded(struct map *m, uint64_t size)
{
    if (size > m->n || (size + 3) / 4 * 4 > m->n - m->at)
        return false;
    m->at += (size + 3) / 4 * 4;
    return true;
}

static bool number(struct map *m, int width, uint64_t *x)
{
    if (!skip_padded(m, (uint64_t)width) || m->nnumbers == MOST_FIELDS)
        return false;
    m->numbers[m->nnumbers++] = (struct field){ m->at - (size_t)width, width };
    *x = pcdf_bytes_get(m->bytes + m->at - width, (size_t)width);
    return true;
}

static bool name(struct map *m)
{
    uint64_t length;
    if (m->nelements < MOST_FIELDS)
        m->elements[m->nelements++] = m->at;
    return number(m, m->count_width, &length) && skip_padded(m, length);
}

static bool list(struct map *m, uint64_t *n)
{
    uint64_t tag;
    return number(m, 4, &tag) && number(m, m->count_width, n);
}

static bool atts(struct map *m)
{
    static const int sizes[12] = { 1, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8 };
    uint64_t n, type, nelems;
    if (!list(m, &n))
        return false;
    for (uint64_t i = 0; i < n; i++)
        if (!name(m) || !number(m, 4, &type) || !number(m, m->count_width, &nelems) || nelems > m->n ||
            !skip_padded(m, nelems * (uint64_t)sizes[type % 12]))
            return false;
    return true;
}

static bool var(struct map *m)
{
    uint64_t ndims, x;
    if (!name(m) || !number(m, m->count_width, &ndims))
        return false;
    for (uint64_t i = 0; i < ndims; i++)
        if (!number(m, m->count_width, &x))
            return false;
    return atts(m) && number(m, 4, &x) && number(m, m->count_width, &x) && number(m, m->begin_width, &x);
}

static void walk(struct map *m)
{
    uint64_t n, x;
    if (m->n < 4)
        return;
    m->count_width = m->bytes[3] == 5 ? 8 : 4;
    m->begin_width = m->bytes[3] == 1 ? 4 : 8;
    m->at = 4;
    if (!number(m, m->count_width, &x) || !list(m, &n))
        return;
    for (uint64_t i = 0; i < n; i++)
        if (!name(m) || !number(m, m->count_width, &x))
            return;
    if (!atts(m) || !list(m, &n))
        return;
    for (uint64_t i = 0; i < n; i++)
        if (!var(m))
            return;
    if (m->nelements < MOST_FIELDS)
        m->elements[m->nelements++] = m->at;
}

static uint64_t painful(unsigned int pick, uint64_t old, uint64_t n)
{
    const uint64_t values[] = { 0,
                                1,
                                2,
                                3,
                                4,
                                5,
                                7,
                                10,
                                11,
                                12,
                                255,
                                256,
                                257,
                                n,
                                n - 1,
                                n / 4,
                                old + 1,
                                old - 1,
                                old + 4,
                                old * 2,
                                old ^ 0x80000000U,
                                INT32_MAX,
                                UINT32_MAX,
                                (uint64_t)UINT32_MAX - 3,
                                INT64_MAX,
                                (uint64_t)INT64_MAX - 3,
                                UINT64_MAX,
                                (uint64_t)1 << 61,
                                (uint64_t)1 << 32,
                                ((uint64_t)1 << 32) + old };
    return values[pick % (sizeof values / sizeof values[0])];
}

static void change_number(uint8_t *bytes, size_t n, const struct field *f, unsigned int pick)
{
    uint8_t *b = bytes + f->at;
    uint64_t old = pcdf_bytes_get(b, (size_t)f->width);
    uint64_t value = painful(pick, old, n);
    pcdf_bytes_put(b, value, (size_t)f->width);
}

/* Doubles the bytes [from, to) in place, or cuts them out. */
static size_t copy_or_cut(uint8_t *bytes, size_t n, size_t most, size_t from, size_t to, bool copy)
{
    size_t size = to - from;
    if (copy && n + size <= most) {
        memmove(bytes + to, bytes + from, n - from);
        return n + size;
    }
    memmove(bytes + from, bytes + to, n - to);
    return n - size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed)
{
    static struct map m;
    unsigned int pick = seed >> 8;

    if (seed % 2)
        return LLVMFuzzerMutate(bytes, n, most);
    memset(&m, 0, sizeof m);
    m.bytes = bytes;
    m.n = n;
    walk(&m);
    if (m.nnumbers == 0)
        return LLVMFuzzerMutate(bytes, n, most);
    if (seed % 8 == 2 && m.nelements > 1) {
        int i = (int)(pick % (unsigned int)(m.nelements - 1));
        return copy_or_cut(bytes, n, most, m.elements[i], m.elements[i + 1], seed & 16);
    }
    change_number(bytes, n, &m.numbers[pick % (unsigned int)m.nnumbers], pick / 64);
    return n;
}
