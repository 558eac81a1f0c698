/* See reduceselect.h. */
#include "reduceselect.h"
#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { KEY = 64 };

size_t pcdf_reduce_select_bytes(int bits)
{
    return 2 * (sizeof(struct pcdf_reduce_target) + sizeof(int64_t) * ((size_t)1 << bits)) + sizeof(int64_t);
}

int pcdf_reduce_select_make(struct pcdf_reduce_select *s, int64_t n, int bits, double quantile)
{
    *s = (struct pcdf_reduce_select){ .n = n, .bits = bits, .step = bits, .quantile = quantile };
    s->targets = pcdf_calloc((size_t)n * 2, sizeof *s->targets);
    s->counts = pcdf_calloc((size_t)n, sizeof *s->counts);
    s->bins = pcdf_calloc((size_t)n << bits, 2 * sizeof *s->bins);
    if (s->targets && s->counts && s->bins)
        return NC_NOERR;
    pcdf_reduce_select_free(s);
    return PCDF_FAIL(NC_ENOMEM, "no memory for %lld cells", (long long)n);
}

void pcdf_reduce_select_free(struct pcdf_reduce_select *s)
{
    pcdf_free(s->targets);
    pcdf_free(s->counts);
    pcdf_free(s->bins);
    *s = (struct pcdf_reduce_select){ 0 };
}

/* ---- keys: unsigned integers in the order of doubles. Both zeros are one value. */

static uint64_t key_of(double x)
{
    uint64_t bits, sign = (uint64_t)1 << (KEY - 1);
    x = x == 0 ? 0 : x;
    memcpy(&bits, &x, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static double value_of(uint64_t key)
{
    uint64_t sign = (uint64_t)1 << (KEY - 1), bits = key & sign ? key & ~sign : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- passes */

static int64_t *bins_of(const struct pcdf_reduce_select *s, int64_t target)
{
    return s->bins + ((size_t)target << s->bits);
}

/* Both targets of a cell may still be in one bin: the first one's counts are those of both then. */
void pcdf_reduce_select_add(struct pcdf_reduce_select *s, int64_t cell, double x)
{
    const struct pcdf_reduce_target *t = s->targets + 2 * cell;
    if (x != x)
        return;
    uint64_t key = key_of(x), known = s->known ? key >> (KEY - s->known) : 0;
    uint64_t bin = key >> (KEY - s->known - s->step) & (((uint64_t)1 << s->step) - 1);
    s->counts[cell] += s->known == 0;
    if (known == t[0].known)
        bins_of(s, 2 * cell)[bin]++;
    else if (known == t[1].known)
        bins_of(s, 2 * cell + 1)[bin]++;
}

static void rank_targets(struct pcdf_reduce_select *s, int64_t cell)
{
    struct pcdf_reduce_target *t = s->targets + 2 * cell;
    int64_t last = s->counts[cell] - 1, low = (int64_t)floor(s->quantile * (double)last);
    t[0].rank = low;
    t[1].rank = low < last ? low + 1 : last;
}

static void narrow(const struct pcdf_reduce_select *s, struct pcdf_reduce_target *t, const int64_t *bins)
{
    uint64_t bin = 0;
    while (bin + 1 < (uint64_t)1 << s->step && t->rank >= bins[bin])
        t->rank -= bins[bin++];
    t->known = t->known << s->step | bin;
}

bool pcdf_reduce_select_next(struct pcdf_reduce_select *s)
{
    for (int64_t cell = 0; cell < s->n; cell++) {
        struct pcdf_reduce_target *t = s->targets + 2 * cell;
        if (s->known == 0)
            rank_targets(s, cell);
        bool is_one = t[0].known == t[1].known;
        narrow(s, &t[1], bins_of(s, 2 * cell + !is_one));
        narrow(s, &t[0], bins_of(s, 2 * cell));
    }
    s->known += s->step;
    s->step = KEY - s->known < s->bits ? KEY - s->known : s->bits;
    memset(s->bins, 0, ((size_t)s->n << s->bits) * 2 * sizeof *s->bins);
    return s->known < KEY;
}

/* ---- results */

double pcdf_reduce_between(double low, double high, double part)
{
    if (part == 0 || low == high)
        return low;
    double step = high - low;
    return part < 0.5 ? low + step * part : high - step * (1 - part);
}

double pcdf_reduce_select_result(const struct pcdf_reduce_select *s, int64_t cell)
{
    const struct pcdf_reduce_target *t = s->targets + 2 * cell;
    double at = s->quantile * (double)(s->counts[cell] - 1);
    return pcdf_reduce_between(value_of(t[0].known), value_of(t[1].known), at - floor(at));
}
